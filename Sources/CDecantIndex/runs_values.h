// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values of a run: reads them from slot and text, and stores them (decant_runs.h). The frequent forms are inline;
// runs_elements.c has the others, and arrays.

#ifndef DECANT_INDEX_RUNS_VALUES_H
#define DECANT_INDEX_RUNS_VALUES_H

#include "decant_memory.h"
#include "decant_numbers.h"
#include "decant_runs.h"
#include "internal.h"

// The most digits of a double that a run reads itself.
#define MOST_DIGITS 15

// The most bytes that are read at once, from a value's first byte on: a quote, and 32 bytes of text.
#define MOST_READ 33

// A run: the source of its values, and the block for texts and elements.
struct run {
  const decant_context *context;
  const uint8_t *text;
  const uint64_t *slots;
  size_t bound;  // behind values that begin before, MOST_READ bytes may be read
  decant_block_run *block;
  decant_nesting *nesting;
  const decant_columns *columns;
  size_t (*store_doubles)(const decant_context *context, uint64_t node, size_t count, void *place);
};

DECANT_INLINE struct run make_run(const decant_context *context, const uint8_t *limit) {
  const size_t readable = limit != NULL ? (size_t)(limit - context->text) : context->length;
  const size_t bound = readable >= MOST_READ ? readable - MOST_READ + 1 : 0;
  return (struct run){context, context->text, context->slots, bound, NULL, NULL, NULL, NULL};
}

DECANT_INLINE bool is_readable(const struct run *run, uint64_t slot) {
  return DECANT_LIKELY(decant_slot_offset(slot) < run->bound);
}

// The slot behind a container's own (decant_second_slot).
DECANT_INLINE uint64_t second_slot(const struct run *run, uint64_t node) {
  return __atomic_load_n(&run->slots[node + 1], __ATOMIC_RELAXED);
}

DECANT_INLINE bool is_array(uint64_t slot) {
  return (decant_slot_high(slot) & ~DECANT_NEXT) == DECANT_ARRAY;
}

// How many of the first `count` elements of an array of scalars are readable: all but a few at the document's end.
DECANT_INLINE size_t readable_elements(const struct run *run, uint64_t array, size_t count) {
  if ((second_slot(run, array) >> 32 & DECANT_ARRAY_FLAT) == 0) return 0;
  while (count > 0 && !is_readable(run, run->slots[array + 1 + count])) count--;
  return count;
}

// Rare forms of numbers, and arrays of numbers (runs_elements.c).
DECANT_RARE bool decant_store_any_integer(const uint8_t *text, uint64_t slot, uint8_t kind,
                                          void *place);
DECANT_RARE bool decant_store_any_real(const uint8_t *text, uint64_t slot, uint8_t kind,
                                       void *place);
size_t decant_store_numbers(const struct run *run, uint64_t node, size_t count, uint8_t kind,
                            char *place);
DECANT_RARE uint8_t *decant_copy_long_text(const uint8_t *start, uint32_t tag, uint8_t *to,
                                           size_t space);

// The value of one digit to sixteen.
DECANT_INLINE uint64_t read_digits(const uint8_t *start, uint32_t count) {
  // The bytes after the digits are shifted out.
  if (DECANT_LIKELY(count <= 8))
    return decant_eight_digits(decant_load_word(start) << (-8 * count & 63));
  const uint64_t head = decant_eight_digits(decant_load_word(start) << (128 - 8 * count));
  return head * 100000000 + decant_eight_digits(decant_load_word(start + count - 8));
}

DECANT_INLINE bool read_integer(const uint8_t *text, uint64_t slot, int64_t *value) {
  const uint32_t facts = decant_slot_high(slot), digits = facts >> 8 & 0xFF;
  if ((facts & (DECANT_SCALAR_MASK | DECANT_NUMBER_REAL)) != DECANT_NUMBER || digits > 19)
    return false;
  const bool minus = (facts & DECANT_NUMBER_MINUS) != 0;
  const uint8_t *start = text + decant_slot_offset(slot) + minus;
  uint64_t magnitude = 0;
  if (digits > 16) {
    magnitude = read_digits(start, digits - 16) * UINT64_C(10000000000000000);
    start += digits - 16;
  }
  magnitude += read_digits(start, digits > 16 ? 16 : digits);
  if (magnitude > INT64_MAX) return false;
  *value = minus ? -(int64_t)magnitude : (int64_t)magnitude;
  return true;
}

// A number without exponent, as an integer and a power of ten to divide by. Both are exact in a double; with at most seven
// digits, in a float, too.
DECANT_INLINE bool read_real(const uint8_t *text, uint64_t slot, uint32_t most,
                             int64_t *significand, uint32_t *places, bool *minus) {
  const uint32_t facts = decant_slot_high(slot);
  const uint32_t before = facts >> 8 & 0xFF, after = facts >> 16 & 0xFF;
  if ((facts & (DECANT_SCALAR_MASK | DECANT_NUMBER_EXPONENT)) != DECANT_NUMBER) return false;
  if (before + after > most) return false;
  *minus = (facts & DECANT_NUMBER_MINUS) != 0;
  *places = after;
  const uint8_t *start = text + decant_slot_offset(slot) + *minus;
  const uint64_t tail = after != 0 ? read_digits(start + before + 1, after) : 0;
  *significand = (int64_t)(read_digits(start, before) * decant_get_power_of_ten(after) + tail);
  return true;
}

#define STORE(type, from)                  \
  do {                                     \
    const type result = (type)(from);      \
    memcpy(place, &result, sizeof result); \
    return true;                           \
  } while (0)

// The frequent forms of numbers: integers of up to sixteen digits, and reals of up to seven. For others, the functions
// return false and store nothing.
DECANT_INLINE bool store_integer(const uint8_t *text, uint64_t slot, void *place) {
  const uint32_t facts = decant_slot_high(slot),
                 counts = DECANT_SCALAR_MASK | DECANT_NUMBER_REAL | 0xFF00;
  // One comparison for "a number, not real, and up to so many digits".
  const uint32_t digits = (facts & counts) - DECANT_NUMBER;
  if (digits > (16 << 8)) return false;
  const uint64_t minus = facts / DECANT_NUMBER_MINUS & 1;
  const uint64_t value = read_digits(text + decant_slot_offset(slot) + minus, digits >> 8);
  STORE(uint64_t, (value ^ -minus) + minus);
}

DECANT_INLINE bool store_double(const uint8_t *text, uint64_t slot, void *place) {
  const uint32_t facts = decant_slot_high(slot);
  const uint32_t before = facts >> 8 & 0xFF, after = facts >> 16 & 0xFF;
  if ((facts & (DECANT_SCALAR_MASK | DECANT_NUMBER_EXPONENT)) != DECANT_NUMBER) return false;
  if (before + after > 7 || (!DECANT_ROUNDS_ONCE && after != 0)) return false;
  const uint64_t minus = facts / DECANT_NUMBER_MINUS & 1;
  const uint64_t word = decant_load_word(text + decant_slot_offset(slot) + minus);
  const double real =
      (double)decant_joined_digits(word, before, after) / decant_get_exact_power_of_ten(after);
  uint64_t bits;
  memcpy(&bits, &real, sizeof bits);
  STORE(uint64_t, bits | minus << 63);
}

// A number or a boolean of a kind up to DECANT_RUN_DOUBLE.
DECANT_INLINE bool store_number(const uint8_t *text, uint64_t slot, uint8_t kind, void *place) {
  if (kind == DECANT_RUN_INT64 && DECANT_LIKELY(store_integer(text, slot, place))) return true;
  if (kind == DECANT_RUN_DOUBLE && DECANT_LIKELY(store_double(text, slot, place))) return true;
  if (kind == DECANT_RUN_BOOL) {
    const uint32_t what = decant_slot_high(slot) - DECANT_FALSE;
    if (what > 1) return false;
    STORE(uint8_t, what);
  }
  if (kind < DECANT_RUN_FLOAT) return decant_store_any_integer(text, slot, kind, place);
  return kind <= DECANT_RUN_DOUBLE && decant_store_any_real(text, slot, kind, place);
}

// Bytes of a value of a kind up to DECANT_RUN_TEXT in memory.
DECANT_INLINE size_t width_of(uint8_t kind) {
  static const uint8_t widths[] = {
      1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, sizeof(char *), sizeof(char *) + sizeof(size_t)};
  return widths[kind];
}

// Copies a text to the block, with a NUL byte after it, and stores its address. Returns its end; NULL if the value is not a
// text, or there is no space.
DECANT_INLINE uint8_t *store_text(decant_block_run *block, const uint8_t *text, uint64_t slot,
                                  uint8_t kind, char *place) {
  const uint8_t *const start = text + decant_slot_offset(slot) + 1;
  uint8_t *const to = block->next;
  const size_t space = (size_t)(block->end - to);
  const uint32_t tag = decant_slot_high(slot);
  uint8_t *end;
  if (DECANT_LIKELY(tag <= 32 && space > 32)) {
    decant_copy_32(to, start);
    end = to + tag;
  } else {
    end = decant_copy_long_text(start, tag, to, space);
    if (DECANT_UNLIKELY(end == NULL)) {
      DECANT_KEEP_RETURN();
      return NULL;
    }
  }
  *end = 0;
  block->next = end + 1;
  memcpy(place, &to, sizeof to);
  if (kind == DECANT_RUN_TEXT) {
    const size_t length = (size_t)(end - to);
    memcpy(place + sizeof to, &length, sizeof length);
  }
  return end;
}

// Stores elements in sequence. Returns how many were stored.
DECANT_INLINE size_t store_elements(const struct run *run, uint64_t node, size_t count,
                                    uint8_t kind, char *place) {
  if (kind <= DECANT_RUN_DOUBLE) return decant_store_numbers(run, node, count, kind, place);
  const size_t width = width_of(kind);
  const uint8_t *const text = run->text;
  const uint64_t *const slots = run->slots + node;
  size_t stored = 0;
  for (; stored < count; stored++, place += width)
    if (store_text(run->block, text, slots[stored], kind, place) == NULL) break;
  return stored;
}

#endif
