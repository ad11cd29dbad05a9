// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The primitives of simd_template.h in AVX2: a block is two registers of 32 bytes, and `movemask` collects the signs of
// their bytes. `movemask` is one of four builtins; clang and gcc have the same.

#include "internal.h"

#if DECANT_X86

#include <nmmintrin.h>
#include <wmmintrin.h>

#include "decant_plain.h"
#include "decant_write.h"
#include "simd_types.h"

#define DECANT_TARGET_FEATURES "avx2,pclmul,popcnt,bmi,bmi2"
#include "target_begin.h"

#define VEC 32
#include "simd_vectors.h"

DECANT_INLINE vec vec_look_up(vec table, vec nibbles) {
  return (vec)__builtin_ia32_pshufb256((vec_chars)table, (vec_chars)nibbles);
}

DECANT_INLINE bool vec_any(vec bytes) {
  typedef long long words __attribute__((vector_size(VEC)));
  return !__builtin_ia32_ptestz256((words)bytes, (words)bytes);
}

typedef int32_t vec_words __attribute__((vector_size(VEC)));
DECANT_INLINE vec_words vec_load_words(const uint8_t *bytes, vec_words mask) {
  return (vec_words)__builtin_ia32_maskloadd256((const vec_words *)(const void *)bytes, mask);
}

DECANT_INLINE uint32_t vec_signs(vec bytes) {
  return (uint32_t)__builtin_ia32_pmovmskb256((vec_chars)bytes);
}

#define SIMD_EMITS_EIGHTS 1
#include "simd_x86.h"
#include "simd_parts.h"
#define SIMD_KERNEL avx2
#include "simd_template.h"
#include "write_avx2.h"
#include "target_end.h"

KERNEL(avx2, avx2, sse42, 0);

#endif
