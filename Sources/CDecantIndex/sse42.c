// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The primitives of simd_template.h for processors with SSE4.2 and no AVX2 (any x86-64 since about
// 2010): avx2.c with four registers of 16 bytes. The byte shuffle is SSSE3's.

#include "internal.h"

#if DECANT_X86

#include <nmmintrin.h>
#include <wmmintrin.h>

#include "simd_types.h"

#define DECANT_TARGET_FEATURES "sse4.2,ssse3,pclmul,popcnt"
#include "target_begin.h"

typedef __m128i vec;
#define VEC 16

DECANT_INLINE vec vec_load(const uint8_t *bytes) {
  return _mm_loadu_si128((const vec *)(const void *)bytes);
}

DECANT_INLINE vec vec_all(int byte) { return _mm_set1_epi8((char)byte); }

DECANT_INLINE vec vec_table(const uint8_t *sixteen) { return vec_load(sixteen); }

DECANT_INLINE vec vec_look_up(vec table, vec nibbles) { return _mm_shuffle_epi8(table, nibbles); }

DECANT_INLINE vec vec_low(vec bytes) { return bytes & vec_all(0x0F); }

DECANT_INLINE vec vec_high(vec bytes) { return vec_low(_mm_srli_epi16(bytes, 4)); }

DECANT_INLINE vec vec_minus(vec a, vec b) { return _mm_subs_epu8(a, b); }

DECANT_INLINE vec vec_equal(vec a, vec b) { return _mm_cmpeq_epi8(a, b); }

DECANT_INLINE vec vec_below_space(vec bytes) {
  return vec_equal(_mm_min_epu8(bytes, vec_all(0x1F)), bytes);
}

DECANT_INLINE bool vec_any(vec bytes) { return !_mm_testz_si128(bytes, bytes); }

#define vec_behind(previous, bytes, count) _mm_alignr_epi8(bytes, previous, 16 - (count))

// The sign of each byte.
DECANT_INLINE uint64_t bits_of(const vec parts[4]) {
  const uint32_t low = (uint32_t)_mm_movemask_epi8(parts[0]) | (uint32_t)_mm_movemask_epi8(parts[1])
                                                                   << 16;
  const uint32_t high =
      (uint32_t)_mm_movemask_epi8(parts[2]) | (uint32_t)_mm_movemask_epi8(parts[3]) << 16;
  return low | (uint64_t)high << 32;
}

#define VEC_TEST_LACKS true
DECANT_INLINE vec vec_test(vec class, vec bits) {
  return vec_equal(class & bits, _mm_setzero_si128());
}

#define SIMD_EMITS_EIGHTS 0
#include "simd_x86.h"
#include "simd_classes.h"
#include "simd_emit.h"
#include "simd_parts.h"

DECANT_INLINE uint64_t simd_non_ascii(simd_block block) { return bits_of(block.part); }

#include "simd_template.h"
#include "target_end.h"

KERNEL(sse42, narrow, sse42, 100);

#endif
