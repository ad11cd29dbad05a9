// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Events of ten fields, and what they are in C: about 60 bytes of scalars alone, or about 500 or 5,000 bytes with an
// object and two arrays in them. The same bytes on every machine.

#ifndef EVENTS_H
#define EVENTS_H

#include <decant.h>

// {"i":12,"t":345,"k":"c","u":7,"s":"ab","v":1.5,"o":true,"n":3,"p":"","q":9}
struct small_event {
  int64_t i, t;
  decant_text k;
  int64_t u;
  decant_text s;
  double v;
  bool o;
  int64_t n;
  decant_text p;
  int64_t q;
  void *storage;
};

// {"id":1,"time":"2026-11-22T13:05:54.123Z","kind":"view","user":{"id":2,"name":"Ann"},"tags":["red"],
//  "values":[0.25],"duration":1.5,"ok":true,"path":"/items/3","message":"…"}
struct large_event {
  int64_t id;
  decant_text time, kind;
  struct event_user {
    int64_t id;
    decant_text name;
  } user;
  decant_text *tags;
  size_t tag_count;
  double *values;
  size_t value_count;
  double duration;
  bool ok;
  decant_text path, message;
  void *storage;
};

extern const decant_record small_record, large_record;

// Events of about `size` bytes, a line each, `total` bytes or a few more. From malloc; NULL if there is no memory.
char *make_events(size_t size, size_t total, size_t *length);

// A number that depends on every field, of texts on their lengths.
uint64_t checksum_small(const struct small_event *event);
uint64_t checksum_large(const struct large_event *event);

// Numbers that depend on every byte of the texts besides, for a pass that is not timed.
uint64_t text_sum_small(const struct small_event *event);
uint64_t text_sum_large(const struct large_event *event);

#endif
