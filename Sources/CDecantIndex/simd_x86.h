// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What the kernels for x86 do in one way.

DECANT_INLINE uint64_t simd_prefix_xor(uint64_t mask) {
  const __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128((int64_t)mask), _mm_set1_epi8((char)0xFF), 0);
  return (uint64_t)_mm_cvtsi128_si64(product);
}

// A shuffle takes the low nibbles itself.
#define vec_class_index(bytes) (bytes)
