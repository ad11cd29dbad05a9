// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The entries of a block whose bytes are in memory: few of them one by one; many, by AVX2, those of eight bytes at a time,
// however many they are. What is written beyond the last one is overwritten later.
//
//   eight bytes                            "  a  "  :  1  2  ,  "
//   which of them are entries              1  0  1  1  1  0  1  1
//   decant_set_bits                        0  2  3  4  6  7
//   the bytes shuffled by it               "  "  :  1  ,  "
//   it, widened, behind the first offset   8 10 11 12 14 15
//
// A kernel file says before whether it has AVX2: SIMD_EMITS_EIGHTS.

#if SIMD_EMITS_EIGHTS
DECANT_INLINE void emit_many(uint32_t *offsets, uint8_t *bytes, uint32_t base, const uint8_t *text,
                             uint64_t mask) {
  typedef uint32_t eight __attribute__((vector_size(32)));
  typedef uint8_t eight_bytes __attribute__((vector_size(8)));
  eight origin = (eight){0} + base;
  size_t written = 0;
  // Hides whose bytes these are: to load them costs nothing here, to move them out of the block's
  // registers does.
  __asm__("" : "+r"(text));
  UNROLLED for (int part = 0; part < 8; part++, origin += 8) {
    const uint8_t set = (uint8_t)(mask >> (8 * part));
    eight_bytes places;
    memcpy(&places, &decant_set_bits[set], 8);
    const eight listed = origin + __builtin_convertvector(places, eight);
    memcpy(offsets + written, &listed, sizeof listed);
    const __m128i from = _mm_loadl_epi64((const __m128i *)(const void *)(text + 8 * part));
    const __m128i by = _mm_loadl_epi64((const __m128i *)(const void *)&decant_set_bits[set]);
    _mm_storel_epi64((__m128i *)(void *)(bytes + written), _mm_shuffle_epi8(from, by));
    written += (size_t)__builtin_popcount(set);
  }
}
#endif

// Four at a time. The top bit is added so that there always is one to find.
DECANT_INLINE void emit_few(uint32_t *offsets, uint8_t *bytes, uint32_t base, const uint8_t *text,
                            uint64_t mask, size_t count) {
  for (size_t written = 0; written < count; written += 4) {
    for (size_t step = 0; step < 4; step++) {
      const uint32_t place = (uint32_t)__builtin_ctzll(mask | 1ull << 63);
      offsets[written + step] = base + place;
      bytes[written + step] = text[place];
      mask &= mask - 1;
    }
  }
}

// One entry per set bit; how many.
DECANT_INLINE size_t emit_from(uint32_t *offsets, uint8_t *bytes, uint32_t base,
                               const uint8_t *text, uint64_t mask) {
  const size_t count = (size_t)__builtin_popcountll(mask);
#if SIMD_EMITS_EIGHTS
  if (count > 8) {
    emit_many(offsets, bytes, base, text, mask);
    return count;
  }
#endif
  emit_few(offsets, bytes, base, text, mask, count);
  return count;
}
