// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The entries of a block: few of them one by one; many, by AVX2, those of eight bytes at a time, however many they are.
// What is written beyond the last one is overwritten later.
//
//   eight bytes                            "  a  "  :  1  2  ,  "
//   which of them are entries              1  0  0  1  1  0  1  1
//   decant_set_bits                        0  3  4  6  7
//   it, widened, behind the first offset   8 11 12 14 15
//
// A kernel file says before whether it has AVX2: SIMD_EMITS_EIGHTS.

// The lowest bit, or any number if there is none. `tzcnt` comes with AVX2.
DECANT_INLINE uint32_t simd_first_bit(uint64_t mask) {
#if SIMD_EMITS_EIGHTS
  return (uint32_t)__builtin_ia32_tzcnt_u64(mask);
#else
  return (uint32_t)__builtin_ctzll(mask | 1ull << 63);
#endif
}

#if SIMD_EMITS_EIGHTS
DECANT_INLINE void emit_many(uint32_t *offsets, uint32_t base, uint64_t mask) {
  typedef uint32_t eight __attribute__((vector_size(32)));
  typedef uint8_t eight_bytes __attribute__((vector_size(8)));
  eight origin = (eight){0} + base;
  UNROLLED for (int part = 0; part < 8; part++) {
    // One addition a part; what else compilers make of it is a constant to load for each.
    if (part != 0) origin += 8;
    __asm__("" : "+x"(origin));
    const uint8_t set = (uint8_t)(mask >> (8 * part));
    eight_bytes places;
    memcpy(&places, &decant_set_bits[set], 8);
    const eight listed = origin + __builtin_convertvector(places, eight);
    memcpy(offsets, &listed, sizeof listed);
    offsets += __builtin_popcount(set);
  }
}
#endif

// Four of them, and the rest of the mask. What is listed where no bit is left is not used.
DECANT_INLINE uint64_t emit_four(uint32_t *offsets, uint32_t base, uint64_t mask) {
  UNROLLED for (int step = 0; step < 4; step++) {
    offsets[step] = base + simd_first_bit(mask);
    mask &= mask - 1;
  }
  return mask;
}

// One entry per set bit; how many.
DECANT_INLINE size_t simd_emit(uint32_t *offsets, uint32_t base, uint64_t mask) {
  const size_t count = (size_t)__builtin_popcountll(mask);
#if SIMD_EMITS_EIGHTS
  if (count > 8) {
    emit_many(offsets, base, mask);
  } else {
    const uint64_t rest = emit_four(offsets, base, mask);
    if (count > 4) emit_four(offsets + 4, base, rest);
  }
#else
  for (size_t written = 0; written < count; written += 4)
    mask = emit_four(offsets + written, base, mask);
#endif
  return count;
}
