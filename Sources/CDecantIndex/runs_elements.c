// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Elements of a run, and values in rare forms. Separate from runs.c, because programs without C structs and columns link
// this file only.

#include "runs_values.h"

#define STORE_INTEGER(type, least, most)                   \
  if (integer < (least) || integer > (most)) return false; \
  STORE(type, integer)

// Any plain integer.
DECANT_RARE bool decant_store_any_integer(const uint8_t *text, uint64_t slot, uint8_t kind,
                                          void *place) {
  int64_t integer;
  if (!read_integer(text, slot, &integer)) return false;
  switch (kind) {
    case DECANT_RUN_INT8: STORE_INTEGER(int8_t, INT8_MIN, INT8_MAX);
    case DECANT_RUN_INT16: STORE_INTEGER(int16_t, INT16_MIN, INT16_MAX);
    case DECANT_RUN_INT32: STORE_INTEGER(int32_t, INT32_MIN, INT32_MAX);
    case DECANT_RUN_INT64: STORE_INTEGER(int64_t, INT64_MIN, INT64_MAX);
    case DECANT_RUN_UINT8: STORE_INTEGER(uint8_t, 0, UINT8_MAX);
    case DECANT_RUN_UINT16: STORE_INTEGER(uint16_t, 0, UINT16_MAX);
    case DECANT_RUN_UINT32: STORE_INTEGER(uint32_t, 0, UINT32_MAX);
    default: STORE_INTEGER(uint64_t, 0, INT64_MAX);
  }
}

// Any plain number that is stored as a real.
DECANT_RARE bool decant_store_any_real(const uint8_t *text, uint64_t slot, uint8_t kind,
                                       void *place) {
  int64_t significand;
  uint32_t places;
  bool minus;
  if (kind == DECANT_RUN_FLOAT) {
    if (!read_real(text, slot, 7, &significand, &places, &minus)) return false;
    if (!DECANT_ROUNDS_ONCE && places != 0) return false;
    const float real = (float)significand / (float)decant_get_exact_power_of_ten(places);
    STORE(float, minus ? -real : real);
  }
  if (!read_real(text, slot, 15, &significand, &places, &minus)) return false;
  if (!DECANT_ROUNDS_ONCE && places != 0) return false;
  const double real = (double)significand / decant_get_exact_power_of_ten(places);
  STORE(double, minus ? -real : real);
}

size_t decant_store_doubles_scalar(const uint8_t *text, const uint64_t *slots, size_t count,
                                   char *place) {
  size_t stored = 0;
  while (stored < count && store_double(text, slots[stored], place + 8 * stored)) stored++;
  return stored;
}

// Stores elements that are numbers. Returns how many were stored.
size_t decant_store_numbers(const struct run *run, uint64_t node, size_t count, uint8_t kind,
                            char *place) {
  const uint8_t *const text = run->text;
  const uint64_t *const slots = run->slots + node;
  const size_t width = width_of(kind);
  size_t stored = 0;
  for (; stored < count; stored++) {
    if (kind == DECANT_RUN_DOUBLE) {
      stored += decant_current_kernel()->store_doubles(text, slots + stored, count - stored,
                                                       place + 8 * stored);
      if (stored == count) break;
    }
    if (!store_number(text, slots[stored], kind, place + width * stored)) break;
  }
  return stored;
}

// Copies a text that is long or has escapes, which are never shorter than what they spell. Returns the byte after it. NULL
// if there is no space, the value is not such a text, or the text has a NUL byte, which a string without a length must not.
DECANT_RARE uint8_t *decant_copy_long_text(const uint8_t *start, uint32_t tag, uint8_t *to,
                                           size_t space) {
  const size_t length = tag & DECANT_STRING_LONG;
  if (tag >= DECANT_STRING_LIMIT || length == DECANT_STRING_LONG || length >= space) return NULL;
  if ((tag & DECANT_STRING_ESCAPE) != 0) {
    const size_t count = decant_unescape(start, length, to);
    return memchr(to, 0, count) == NULL ? to + count : NULL;
  }
  decant_copy_bytes(to, start, length);
  return to + length;
}

size_t decant_run_all_elements(decant_block_run *block, const decant_context *context,
                               uint64_t array, size_t count, uint8_t kind, void *place) {
  if (kind > DECANT_RUN_TEXT) return 0;
  struct run run = make_run(context, block->limit);
  run.block = block;
  return store_elements(&run, array + 2, readable_elements(&run, array, count), kind, place);
}
