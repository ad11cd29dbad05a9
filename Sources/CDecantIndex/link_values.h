// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The slots of values, from their entries (link.c). Offsets in slots count from `base`.

#ifndef DECANT_LINK_VALUES_H
#define DECANT_LINK_VALUES_H

#include "stage.h"
#include "tokens.h"

// The byte before an entry's in the low half, and the entry's. There is another entry before.
DECANT_INLINE uint32_t bytes_at(const uint8_t *text, const uint32_t *entry) {
  uint16_t pair;
  memcpy(&pair, text + *entry - 1, sizeof pair);
  return pair;
}

// Two bytes as bytes_at has them.
#define PAIR(first, second) ((uint32_t)(first) | (uint32_t)(second) << 8)

// The slot of a string without escapes, whose closing quote is right before the second entry. The low half is the offset
// of the opening quote, the high half the length between the quotes. Offsets in slots count from `base`.
DECANT_INLINE uint64_t string_slot(const uint32_t *offsets, uint32_t base) {
  const uint64_t both = decant_load_word((const uint8_t *)offsets);
  return both - (both << 32) - ((2ull << 32) + base);
}

// The slot of a number without exponent.
DECANT_INLINE uint64_t number_slot(uint32_t start, uint32_t size, uint32_t before, uint32_t after,
                                   uint32_t flags) {
  return (uint64_t)decant_number_facts(size, before, after, flags) << 32 | start;
}

// Stage 1 has proved that there are only digits between a number's entries. An exponent is left for link_exponent. False
// if a required digit is missing, or there is a leading zero.
DECANT_INLINE bool link_number_at(const uint8_t *text, const uint32_t *offsets, uint32_t base,
                                  bool minus, uint8_t first, size_t *next, uint64_t *slot) {
  const uint32_t start = offsets[0], end = offsets[1];
  const uint8_t behind = text[end];
  const uint32_t before = end - start - minus;
  const uint32_t sign = DECANT_NUMBER | (minus ? DECANT_NUMBER_MINUS : 0);
  if (minus && (int32_t)before <= 0) return false;
  const uint8_t leading = minus ? text[start + 1] : first;
  if (DECANT_UNLIKELY(leading == '0') && before != 1) return false;
  if (behind != '.') {
    DECANT_KEEP_BRANCH();
    *slot = number_slot(start - base, end - start, before, 0, sign);
    *next += 1;
    return true;
  }
  const uint32_t after = offsets[2] - end - 1;
  if (DECANT_UNLIKELY(after == 0)) return false;
  *slot = number_slot(start - base, offsets[2] - start, before, after, sign | DECANT_NUMBER_REAL);
  *next += 2;
  return true;
}

// A store to a slot cannot change the text that a function below is given, as it could change the stage's.
DECANT_INLINE bool link_number(const struct stage *stage, const uint8_t *text, uint32_t base,
                               bool minus, uint8_t first, size_t *next, uint64_t *slot) {
  return link_number_at(text, stage->offsets + *next, base, minus, first, next, slot);
}

// The slot of an integer without a sign. The second entry is right after its last digit. False if it has a leading zero,
// or more digits than the slot can express.
DECANT_INLINE bool integer_slot(const uint32_t *offsets, uint32_t base, uint8_t first,
                                uint64_t *slot) {
  const uint32_t start = offsets[0], size = offsets[1] - start;
  if (DECANT_UNLIKELY(size >= DECANT_NUMBER_LONG)) return false;
  if (DECANT_UNLIKELY(first == '0') && size != 1) return false;
  *slot = (uint64_t)(DECANT_NUMBER | size * 0x101) << 32 | (start - base);
  return true;
}

// The slot of a literal, whose first letter is the entry at `next`. Each letter is an entry. The letters are adjacent if the
// last one is at its distance from the first one.
DECANT_INLINE bool literal_slot(const struct stage *stage, const uint8_t *text, uint32_t base,
                                uint32_t kind, const char *letters, uint32_t size, size_t *next,
                                uint64_t *slot) {
  const uint32_t *offsets = stage->offsets + *next;
  if (offsets[size - 1] != offsets[0] + size - 1) return false;
  // The first letter of false was checked already.
  if (decant_load_half_word(text + offsets[0] + size - 4) !=
      decant_load_half_word((const uint8_t *)letters)) {
    return false;
  }
  *slot = (uint64_t)kind << 32 | (offsets[0] - base);
  *next += size;
  return true;
}

DECANT_INLINE bool link_literal(const struct stage *stage, const uint8_t *text, uint32_t base,
                                uint8_t first, size_t *next, uint64_t *slot) {
  if (first == 'n') return literal_slot(stage, text, base, DECANT_NULL, "null", 4, next, slot);
  if (first == 't') return literal_slot(stage, text, base, DECANT_TRUE, "true", 4, next, slot);
  return first == 'f' && literal_slot(stage, text, base, DECANT_FALSE, "alse", 5, next, slot);
}

// False for a string with escapes, or with white space after it.
DECANT_INLINE bool link_string(const struct stage *stage, const uint8_t *text, uint32_t base,
                               size_t *next, uint64_t *slot) {
  const uint32_t *offsets = stage->offsets + *next;
  const uint32_t pair = bytes_at(text, offsets + 1);
  if (DECANT_UNLIKELY((pair & 0xFF) != '"' || pair >> 8 == '\\')) return false;
  *slot = string_slot(offsets, base);
  *next += 1;
  return true;
}

#endif
