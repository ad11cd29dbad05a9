// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Members and elements. One bounds check covers everything that a call may write. If a fast path does not apply, nothing
// is written, and the caller takes the general path.
//
//   {"a":1           the last byte is no brace: a comma is due
//   {"a":1,"b":-5    what decant_output_add_int64(output, "b", 1, -5) adds

#include "internal.h"
#include "write_blocks.h"

// MARK: Keys

// A comma, a colon, four quotation marks.
#define PUNCTUATION 8

// Writes the text before the value: `,"key":`, or `,` before an element. NULL if the fast path does not apply, or fewer
// than `needed` bytes are left for the value.
static inline uint8_t *begin(const decant_output *output, const uint8_t *key, size_t length,
                             size_t needed) {
  uint8_t *out = output->end;
  // The sum cannot overflow: keys are shorter than half of all memory.
  if ((size_t)(output->limit - out) < needed + length + PUNCTUATION) return NULL;
  if ((output->flags & DECANT_OUTPUT_LAID_OUT) != 0) return NULL;
  const uint8_t bracket = key == NULL ? '[' : '{';
  *out = ',';
  out += out[-1] != bracket;
  if (key == NULL) return out;
  *out++ = '"';
  if (!copy_plain(out, key, length, output->flags)) return NULL;
  out += length;
  *out++ = '"';
  *out++ = ':';
  return out;
}

// The same for a key of a list.
static inline uint8_t *begin_known(const decant_members *members, const decant_key *keys,
                                   uint8_t place, size_t needed) {
  const decant_output *output = members->output;
  if (output == NULL || keys == NULL || members->keys != keys) return NULL;
  const decant_key *key = keys + place;
  // An unknown key has no bit.
  if ((key->bit & ~members->seen) == 0) return NULL;
  if ((output->flags & DECANT_OUTPUT_LAID_OUT) != 0) return NULL;
  uint8_t *out = output->end;
  const size_t count = key->count;
  if ((size_t)(output->limit - out) < needed + count + DECANT_KEY_CAPACITY) return NULL;
  *out = ',';
  out += out[-1] != '{';
  if (count <= DECANT_KEY_CAPACITY) {
    memcpy(out, key->start, DECANT_KEY_CAPACITY);
  } else {
    memcpy(out, key->start, count);
  }
  return out + count;
}

// MARK: Values

static inline uint8_t *write_bool(uint8_t *out, bool value) {
  memcpy(out, value ? "true\0\0\0" : "false\0\0", 8);
  return out + (value ? 4 : 5);
}

static inline uint8_t *write_integer(uint8_t *out, int64_t value) {
  return out + decant_write_int64(out, value);
}

static inline uint8_t *write_number(uint8_t *out, double value) {
  const size_t written = decant_write_double(out, value);
  return written == 0 ? NULL : out + written;
}

// The least capacity for a string. Longer strings take the general path, so that nothing overflows.
#define STRING_CAPACITY(count) ((count) + DECANT_ESCAPE_CAPACITY)
#define IS_STRING(count)       ((count) <= SIZE_MAX / 4)

// NULL if there is not enough space.
static inline uint8_t *write_string(uint8_t *out, const decant_output *output, const uint8_t *value,
                                    size_t count) {
  *out++ = '"';
  // Short strings are expected to need no escape.
  if (count <= DECANT_SHORT_TEXT && copy_plain(out, value, count, output->flags)) {
    out += count;
  } else {
    size_t consumed = 0;
    const size_t capacity = (size_t)(output->limit - out) - 1;
    out += decant_write_escaped(out, capacity, value, count, &consumed, output->flags);
    if (consumed < count) return NULL;
  }
  *out++ = '"';
  return out;
}

// Fifteen bytes of which each is an escape of six.
#define SMALL_STRING_CAPACITY (6 * 15 + DECANT_ESCAPE_CAPACITY)

static inline uint8_t *write_small_string(uint8_t *out, uint64_t low, uint64_t high, size_t count,
                                          uint32_t flags) {
  *out++ = '"';
  decant_store_word(out, low);
  decant_store_word(out + 8, high);
  // The zeros after the last byte would be marked.
  const uint64_t none = ~UINT64_C(0);
  const uint64_t upper = count > 8 ? high | none << 8 * (count - 8) : none;
  const uint64_t lower = count < 8 ? low | none << 8 * count : low;
  if (find_escapes(block_of((words){lower, upper}), flags) == 0) {
    out += count;
  } else {
    uint8_t value[16];
    decant_store_word(value, low);
    decant_store_word(value + 8, high);
    size_t consumed = 0;
    out += write_escaped(out, SMALL_STRING_CAPACITY, value, count, &consumed, flags);
  }
  *out++ = '"';
  return out;
}

// MARK: Members and elements

// Moves the end of the text after a value, if one was written.
static inline bool end(decant_output *output, uint8_t *out) {
  if (out == NULL) return false;
  output->end = out;
  return true;
}

bool decant_output_begin_member(decant_output *output, const uint8_t *key, size_t length) {
  return end(output, begin(output, key, length, 0));
}

bool decant_output_add_int64(decant_output *output, const uint8_t *key, size_t length,
                             int64_t value) {
  uint8_t *out = begin(output, key, length, DECANT_NUMBER_CAPACITY);
  return out != NULL && end(output, write_integer(out, value));
}

bool decant_output_add_double(decant_output *output, const uint8_t *key, size_t length,
                              double value) {
  uint8_t *out = begin(output, key, length, DECANT_NUMBER_CAPACITY);
  return out != NULL && end(output, write_number(out, value));
}

bool decant_output_add_literal(decant_output *output, const uint8_t *key, size_t length,
                               const char *literal, size_t count) {
  uint8_t *out = begin(output, key, length, 8);
  if (out == NULL) return false;
  memcpy(out, literal, 8);
  return end(output, out + count);
}

bool decant_output_add_string(decant_output *output, const uint8_t *key, size_t length,
                              const uint8_t *value, size_t count) {
  if (!IS_STRING(count)) return false;
  uint8_t *out = begin(output, key, length, STRING_CAPACITY(count));
  return out != NULL && end(output, write_string(out, output, value, count));
}

bool decant_output_add_small_string(decant_output *output, const uint8_t *key, size_t length,
                                    uint64_t low, uint64_t high, size_t count) {
  uint8_t *out = begin(output, key, length, SMALL_STRING_CAPACITY);
  return out != NULL && end(output, write_small_string(out, low, high, count, output->flags));
}

// Whether one more number has space, with its comma.
static inline bool has_space(const decant_output *output, const uint8_t *out) {
  return (size_t)(output->limit - out) >= DECANT_NUMBER_CAPACITY + PUNCTUATION;
}

// Writes the comma before a number, unless it is the first of its array.
static inline uint8_t *begin_number(uint8_t *out) {
  *out = ',';
  return out + (out[-1] != '[');
}

size_t decant_output_add_int64s(decant_output *output, const int64_t *values, size_t count) {
  if ((output->flags & DECANT_OUTPUT_LAID_OUT) != 0) return 0;
  uint8_t *out = output->end;
  size_t place = 0;
  for (; place < count && has_space(output, out); place++)
    out = write_integer(begin_number(out), values[place]);
  output->end = out;
  return place;
}

size_t decant_output_add_doubles(decant_output *output, const double *values, size_t count) {
  if ((output->flags & DECANT_OUTPUT_LAID_OUT) != 0) return 0;
  uint8_t *out = output->end;
  size_t place = 0;
  for (; place < count && has_space(output, out); place++) {
    uint8_t *const next = write_number(begin_number(out), values[place]);
    if (next == NULL) break;
    out = next;
  }
  output->end = out;
  return place;
}

// Where an array that is an element begins; NULL if there is no space for a number more.
static inline uint8_t *begin_array(decant_output *output) {
  uint8_t *const before = output->end;
  if ((output->flags & DECANT_OUTPUT_LAID_OUT) != 0 || !has_space(output, before)) return NULL;
  uint8_t *const out = begin_number(before);
  *out = '[';
  output->end = out + 1;
  return before;
}

// Ends it, or takes it back if it is not whole.
static inline bool end_array(decant_output *output, uint8_t *before, bool is_whole) {
  if (!is_whole || output->end == output->limit) {
    output->end = before;
    return false;
  }
  *output->end++ = ']';
  return true;
}

bool decant_output_add_int64_array(decant_output *output, const int64_t *values, size_t count) {
  uint8_t *const before = begin_array(output);
  return before != NULL &&
         end_array(output, before, decant_output_add_int64s(output, values, count) == count);
}

bool decant_output_add_double_array(decant_output *output, const double *values, size_t count) {
  uint8_t *const before = begin_array(output);
  return before != NULL &&
         end_array(output, before, decant_output_add_doubles(output, values, count) == count);
}

// MARK: Members whose keys are known

// The same; also records that the object has the key.
static inline bool end_known(decant_members *members, const decant_key *keys, uint8_t place,
                             uint8_t *out) {
  if (out == NULL) return false;
  members->output->end = out;
  members->seen |= keys[place].bit;
  return true;
}

bool decant_members_begin(decant_members *members, const decant_key *keys, uint8_t place) {
  return end_known(members, keys, place, begin_known(members, keys, place, 0));
}

bool decant_members_add_int64(decant_members *members, const decant_key *keys, uint8_t place,
                              int64_t value) {
  uint8_t *out = begin_known(members, keys, place, DECANT_NUMBER_CAPACITY);
  return out != NULL && end_known(members, keys, place, write_integer(out, value));
}

bool decant_members_add_double(decant_members *members, const decant_key *keys, uint8_t place,
                               double value) {
  uint8_t *out = begin_known(members, keys, place, DECANT_NUMBER_CAPACITY);
  return out != NULL && end_known(members, keys, place, write_number(out, value));
}

bool decant_members_add_bool(decant_members *members, const decant_key *keys, uint8_t place,
                             bool value) {
  uint8_t *out = begin_known(members, keys, place, 8);
  return out != NULL && end_known(members, keys, place, write_bool(out, value));
}

bool decant_members_add_string(decant_members *members, const decant_key *keys, uint8_t place,
                               const uint8_t *value, size_t count) {
  if (!IS_STRING(count)) return false;
  uint8_t *out = begin_known(members, keys, place, STRING_CAPACITY(count));
  return out != NULL &&
         end_known(members, keys, place, write_string(out, members->output, value, count));
}

bool decant_members_add_small_string(decant_members *members, const decant_key *keys, uint8_t place,
                                     uint64_t low, uint64_t high, size_t count) {
  uint8_t *out = begin_known(members, keys, place, SMALL_STRING_CAPACITY);
  return out != NULL &&
         end_known(members, keys, place,
                   write_small_string(out, low, high, count, members->output->flags));
}
