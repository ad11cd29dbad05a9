// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What columns need of C.

#ifndef DECANT_COLUMNS_H
#define DECANT_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Packs bytes, 0 or not, into bits, eight a byte, the first into the lowest bit, where the bytes are. Bits behind
// the last are 0. Returns how many bits are 1.
static inline size_t decant_pack_bits(uint8_t *bytes, size_t count) {
  size_t ones = 0;
  for (size_t at = 0; at < count; at += 8) {
    const size_t rest = count - at < 8 ? count - at : 8;
    uint8_t bits = 0;
    for (size_t bit = 0; bit < rest; bit++) bits |= (uint8_t)((bytes[at + bit] != 0) << bit);
    bytes[at / 8] = bits;
    ones += (size_t)__builtin_popcount(bits);
  }
  return ones;
}

#ifdef __cplusplus
}
#endif
#endif
