// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values as JSON text: numbers and strings, into memory that the caller owns. No function allocates,
// reads the locale, or ends its text with a NUL.
//
//   decant_write_int64(out, -42)          -42
//   decant_write_double(out, 0.1)         0.1
//   decant_write_double(out, 1e22)        1e+22
//   decant_write_escaped(out, "a\nb")     a\nb         (four characters)
//
// write_numbers.c has the numbers, write_strings.c the strings, write_output.c members and elements.

#ifndef DECANT_WRITE_H
#define DECANT_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decant_header.h"

DECANT_BEGIN

// The capacity in bytes that every number fits, whatever its type.
#define DECANT_NUMBER_CAPACITY 32

// Writes an integer and returns its length. `out` has DECANT_NUMBER_CAPACITY bytes.
size_t decant_write_uint64(uint8_t *out, uint64_t value);
static inline size_t decant_write_int64(uint8_t *out, int64_t value) {
  if (value >= 0) return decant_write_uint64(out, (uint64_t)value);
  *out = '-';
  return 1 + decant_write_uint64(out + 1, 0 - (uint64_t)value);
}

// Writes the shortest decimal that reads back as the same number, and of those the nearest; returns its
// length, or 0 for infinities and NaN, which JSON has no text for. `out` has DECANT_NUMBER_CAPACITY bytes.
//
// From 0.0001 up to 2^53 (float: 2^24) without an exponent, and whole numbers without a point, as JavaScript
// and Foundation's JSONEncoder write them: 1, 0.5, 1e-05, 1e+16, -0.
size_t decant_write_double(uint8_t *out, double value);
size_t decant_write_float(uint8_t *out, float value);

enum { DECANT_ESCAPE_SLASHES = 1 };

// The least capacity of decant_write_escaped: below it, nothing is written.
#define DECANT_ESCAPE_CAPACITY 32

// Writes text with the escapes of RFC 8259 §7, without the quotes, up to `capacity` bytes. It reads from `*consumed` on,
// advances `*consumed`, and returns the bytes written. If `*consumed` is less than `length` after that, call it again with
// more capacity. `length + DECANT_ESCAPE_CAPACITY` is enough for text without escapes.
size_t decant_write_escaped(uint8_t *out, size_t capacity, const uint8_t *text, size_t length,
                            size_t *consumed, uint32_t flags);

// MARK: Members and elements

// A buffer that text is appended to.
typedef struct decant_output {
  uint8_t *DECANT_NONNULL start;
  uint8_t *DECANT_NONNULL end;    // where the next byte goes
  uint8_t *DECANT_NONNULL limit;  // where the buffer ends
  uint32_t flags;                 // DECANT_ESCAPE_SLASHES, and those below
} decant_output;

enum {
  // White space is written, or members are sorted: the functions below write nothing.
  DECANT_OUTPUT_LAID_OUT = 2,
  // Something could not be written. The functions below ignore it.
  DECANT_OUTPUT_FAILED = 4
};

// The fast paths of writing, in one step: a comma if one is due, a member's key with its quotes, and its value. They write
// all of that; or they write nothing and return false, if the buffer is too short, the text is laid out, the key needs an
// escape, or the number is not finite. The text before ends with a member or with the brace of its object.
//
// `key` is UTF-8, without quotes. NULL: the value is an element of an array.
bool decant_output_add_int64(decant_output *DECANT_NONNULL output, const uint8_t *key,
                             size_t length, int64_t value);
bool decant_output_add_double(decant_output *DECANT_NONNULL output, const uint8_t *key,
                              size_t length, double value);
// true, false or null: the first `count` of eight bytes.
bool decant_output_add_literal(decant_output *DECANT_NONNULL output, const uint8_t *key,
                               size_t length, const char *literal, size_t count);
static inline bool decant_output_add_bool(decant_output *DECANT_NONNULL output, const uint8_t *key,
                                          size_t length, bool value) {
  return decant_output_add_literal(output, key, length, value ? "true\0\0\0" : "false\0\0",
                                   value ? 4 : 5);
}
static inline bool decant_output_add_null(decant_output *DECANT_NONNULL output, const uint8_t *key,
                                          size_t length) {
  return decant_output_add_literal(output, key, length, "null\0\0\0", 4);
}
bool decant_output_add_string(decant_output *DECANT_NONNULL output, const uint8_t *key,
                              size_t length, const uint8_t *value, size_t count);
// A string of at most 15 bytes, of which the first is the lowest one of `low`, and zeros after them.
bool decant_output_add_small_string(decant_output *DECANT_NONNULL output, const uint8_t *key,
                                    size_t length, uint64_t low, uint64_t high, size_t count);
// The key alone, with its colon: the value follows.
bool decant_output_begin_member(decant_output *DECANT_NONNULL output, const uint8_t *key,
                                size_t length);

// Writes elements of an array, and returns how many. Stops at an element that does not fit, or is not finite.
size_t decant_output_add_int64s(decant_output *DECANT_NONNULL output, const int64_t *values,
                                size_t count);
size_t decant_output_add_doubles(decant_output *DECANT_NONNULL output, const double *values,
                                 size_t count);

// Writes an element that is an array, with all of its elements, or nothing, and returns false.
bool decant_output_add_int64_array(decant_output *DECANT_NONNULL output, const int64_t *values,
                                   size_t count);
bool decant_output_add_double_array(decant_output *DECANT_NONNULL output, const double *values,
                                    size_t count);

// MARK: Members whose keys are known

// A key of a model as text: for reading, the key alone; for writing, with its quotes and its colon.
typedef struct decant_key {
  // DECANT_KEY_CAPACITY bytes, with zeros after the key; or the key's bytes alone, if it is longer. NULL: unknown.
  uint8_t *start;
  uint32_t count;
  uint32_t place;  // among the keys' names; two keys may have the same name
  uint64_t bit;    // in decant_members.seen; 0 for those that have none
} decant_key;

#define DECANT_KEY_CAPACITY 32

// An object that is being written, and the keys it has so far.
typedef struct decant_members {
  decant_output *output;   // NULL while something else is written to
  const decant_key *keys;  // the list that `seen` is about
  uint64_t seen;
} decant_members;

// The same with the key at `place` of a list. They also return false for unknown lists and keys, and for keys that the
// object has already.
bool decant_members_begin(decant_members *DECANT_NONNULL members, const decant_key *keys,
                          uint8_t place);
bool decant_members_add_int64(decant_members *DECANT_NONNULL members, const decant_key *keys,
                              uint8_t place, int64_t value);
bool decant_members_add_double(decant_members *DECANT_NONNULL members, const decant_key *keys,
                               uint8_t place, double value);
bool decant_members_add_bool(decant_members *DECANT_NONNULL members, const decant_key *keys,
                             uint8_t place, bool value);
bool decant_members_add_string(decant_members *DECANT_NONNULL members, const decant_key *keys,
                               uint8_t place, const uint8_t *value, size_t count);
bool decant_members_add_small_string(decant_members *DECANT_NONNULL members, const decant_key *keys,
                                     uint8_t place, uint64_t low, uint64_t high, size_t count);

DECANT_END

#endif
