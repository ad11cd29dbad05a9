// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A table of the bits that are set in each byte. Kernels for x86 list the entries of a block by it (simd_emit.h).

#include "internal.h"

#if DECANT_X86

// The places of the lower half's bits, then those of the upper half's. Bytes after the last place are never read.
#define BITS(upper, count, lower) (lower) | (uint64_t)(upper) << (8 * (count))

#define LOWER_HALVES(upper)                                                              \
  BITS(upper, 0, 0), BITS(upper, 1, 0x00), BITS(upper, 1, 0x01), BITS(upper, 2, 0x0100), \
      BITS(upper, 1, 0x02), BITS(upper, 2, 0x0200), BITS(upper, 2, 0x0201),              \
      BITS(upper, 3, 0x020100), BITS(upper, 1, 0x03), BITS(upper, 2, 0x0300),            \
      BITS(upper, 2, 0x0301), BITS(upper, 3, 0x030100), BITS(upper, 2, 0x0302),          \
      BITS(upper, 3, 0x030200), BITS(upper, 3, 0x030201), BITS(upper, 4, 0x03020100)

const uint64_t decant_set_bits[256] = {
    LOWER_HALVES(0),      LOWER_HALVES(0x04),     LOWER_HALVES(0x05),     LOWER_HALVES(0x0504),
    LOWER_HALVES(0x06),   LOWER_HALVES(0x0604),   LOWER_HALVES(0x0605),   LOWER_HALVES(0x060504),
    LOWER_HALVES(0x07),   LOWER_HALVES(0x0704),   LOWER_HALVES(0x0705),   LOWER_HALVES(0x070504),
    LOWER_HALVES(0x0706), LOWER_HALVES(0x070604), LOWER_HALVES(0x070605), LOWER_HALVES(0x07060504)};

#endif
