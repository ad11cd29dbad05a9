// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The slots of strings and numbers (decant_index.h), for the scalar kernel and the SIMD kernels.
//
//   -12.50e3         8 bytes, 2 digits before the point, 2 after: 20208 | REAL | MINUS | EXPONENT

#ifndef DECANT_TOKENS_H
#define DECANT_TOKENS_H

#include "decant_lookup.h"
#include "text.h"

DECANT_INLINE uint32_t decant_number_count(size_t count) {
  return count < DECANT_NUMBER_LONG ? (uint32_t)count : DECANT_NUMBER_LONG;
}

// The high half of a number's slot, from its token's size, its digits and its flags.
DECANT_INLINE uint32_t decant_number_facts(size_t bytes, size_t before, size_t after,
                                           uint32_t flags) {
  if (DECANT_LIKELY(bytes < DECANT_NUMBER_LONG)) {
    return flags | (uint32_t)bytes | (uint32_t)before << 8 | (uint32_t)after << 16;
  }
  return flags | DECANT_NUMBER_LONG | decant_number_count(before) << 8 |
         decant_number_count(after) << 16;
}

DECANT_INLINE uint32_t decant_string_facts(size_t bytes) {
  return bytes < DECANT_STRING_LONG ? (uint32_t)bytes : DECANT_STRING_LONG;
}

#endif
