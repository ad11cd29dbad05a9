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

#define VEC 16
#include "simd_vectors.h"

DECANT_INLINE vec vec_look_up(vec table, vec nibbles) {
  return (vec)_mm_shuffle_epi8((__m128i)table, (__m128i)nibbles);
}

DECANT_INLINE bool vec_any(vec bytes) { return !_mm_testz_si128((__m128i)bytes, (__m128i)bytes); }

DECANT_INLINE uint32_t vec_signs(vec bytes) { return (uint32_t)_mm_movemask_epi8((__m128i)bytes); }

#define SIMD_EMITS_EIGHTS 0
#include "simd_x86.h"
#include "simd_parts.h"
#define SIMD_KERNEL sse42
#include "simd_template.h"
#include "target_end.h"

KERNEL(sse42, narrow, sse42, 100);

#endif
