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

#ifdef VEC
// The sign of each byte, from those of a register: vec_signs(bytes).
DECANT_INLINE uint64_t bits_of(const vec parts[64 / VEC]) {
#if VEC == 32
  const uint32_t low = vec_signs(parts[0]), high = vec_signs(parts[1]);
#else
  const uint32_t low = vec_signs(parts[0]) | vec_signs(parts[1]) << 16;
  const uint32_t high = vec_signs(parts[2]) | vec_signs(parts[3]) << 16;
#endif
  return low | (uint64_t)high << 32;
}

// By the signs: a class is one bit, that of signs is the sign, and those of numbers are the highest two.
DECANT_INLINE vec vec_is_mark(vec class) { return (vec)((vec_signed) class < 1); }
DECANT_INLINE vec vec_is_number(vec class) { return class + (128 - CLASS_DIGIT); }
#endif
