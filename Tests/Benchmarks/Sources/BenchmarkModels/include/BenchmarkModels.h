// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The models of the contenders in C, and their checksums. Whoever fills them owns what their pointers point
// to. Swift has models of its own.

#ifndef BENCHMARK_MODELS_H
#define BENCHMARK_MODELS_H

#include <BenchmarkSupport.h>

#include <stdbool.h>

typedef long long integer;  // 64 bits, and what json_unpack stores

struct text {
  char *bytes;  // NULL: absent
  size_t length;
};

struct user {
  integer id;
  struct text name, email;
};

struct twitter_user {
  integer id;
  struct text name, screen_name, description;
  integer followers_count;
  bool verified;
};

struct status {
  struct text created_at;
  integer id;
  struct text text;
  integer retweet_count;
  bool favorited, is_reply;
  integer in_reply_to_status_id;
  struct twitter_user user;
};

struct price {
  integer amount, audience_sub_category_id, seat_category_id;
};

struct area {
  integer area_id;
  integer *block_ids;
  size_t block_count;
};

struct seat_category {
  struct area *areas;
  size_t area_count;
  integer seat_category_id;
};

struct performance {
  integer event_id, id;
  struct text logo, name;
  struct price *prices;
  size_t price_count;
  struct seat_category *seat_categories;
  size_t seat_category_count;
  struct text seat_map_image;
  integer start;
  struct text venue_code;
};

struct point {
  double *numbers;
  size_t count;
};

struct ring {
  struct point *points;
  size_t count;
};

struct polygon {
  struct ring *rings;
  size_t count;
};

// The root of every work but tiny: of structs status, performance, polygon or user.
struct list {
  void *items;
  size_t count;
};

uint64_t benchmark_sum_user(uint64_t sum, const struct user *user);
uint64_t benchmark_sum_list(benchmark_work work, const struct list *list);

#endif
