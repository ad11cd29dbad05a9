// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The primitives of simd_template.h in AVX2: a block is two registers of 32 bytes, and a class becomes a mask by moving
// its bit to the sign bit of each byte, which is what `movemask` collects.

#include "internal.h"

#if DECANT_X86

#include <immintrin.h>

#include "decant_plain.h"
#include "decant_write.h"
#include "simd_types.h"

#define DECANT_TARGET_FEATURES "avx2,pclmul,popcnt,bmi,bmi2,lzcnt"
#include "target_begin.h"

typedef __m256i vec;
#define VEC 32

DECANT_INLINE vec vec_load(const uint8_t *bytes) {
  return _mm256_loadu_si256((const vec *)(const void *)bytes);
}

DECANT_INLINE vec vec_all(int byte) { return _mm256_set1_epi8((char)byte); }

DECANT_INLINE vec vec_table(const uint8_t *sixteen) {
  return _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)(const void *)sixteen));
}

DECANT_INLINE vec vec_look_up(vec table, vec nibbles) {
  return _mm256_shuffle_epi8(table, nibbles);
}

DECANT_INLINE vec vec_low(vec bytes) { return bytes & vec_all(0x0F); }

DECANT_INLINE vec vec_high(vec bytes) { return vec_low(_mm256_srli_epi16(bytes, 4)); }

DECANT_INLINE vec vec_minus(vec a, vec b) { return _mm256_subs_epu8(a, b); }

DECANT_INLINE vec vec_equal(vec a, vec b) { return _mm256_cmpeq_epi8(a, b); }

DECANT_INLINE vec vec_below_space(vec bytes) {
  return vec_equal(_mm256_min_epu8(bytes, vec_all(0x1F)), bytes);
}

DECANT_INLINE bool vec_any(vec bytes) { return !_mm256_testz_si256(bytes, bytes); }

#define vec_behind(previous, bytes, count) \
  _mm256_alignr_epi8(bytes, _mm256_permute2x128_si256(previous, bytes, 0x21), 16 - (count))

// The sign of each byte.
DECANT_INLINE uint64_t bits_of(const vec parts[2]) {
  const uint32_t low = (uint32_t)_mm256_movemask_epi8(parts[0]);
  return low | (uint64_t)(uint32_t)_mm256_movemask_epi8(parts[1]) << 32;
}

#define VEC_TEST_LACKS true
DECANT_INLINE vec vec_test(vec class, vec bits) {
  return vec_equal(class & bits, _mm256_setzero_si256());
}

#define SIMD_EMITS_EIGHTS 1
#include "simd_x86.h"
#include "simd_classes.h"
#include "simd_emit.h"
#include "simd_parts.h"

DECANT_INLINE uint64_t simd_non_ascii(simd_block block) { return bits_of(block.part); }

#include "simd_template.h"
#include "write_avx2.h"
#include "target_end.h"

KERNEL(avx2, avx2, sse42, 0);

#endif
