// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The primitives of simd_template.h in NEON: a block is four registers of 16 bytes. There is no
// `movemask`; instead each byte that matches keeps one bit of a weight, 1 2 4 … 128 by its place in
// eight, and three pairwise additions gather 64 bytes into 64 bits:
//
//   matches  00 FF 00 00 FF 00 00 00  ->  weights  00 02 00 00 10 00 00 00  ->  sum  0x12

#include "internal.h"

#if DECANT_NEON

#include <arm_neon.h>

#include "simd_types.h"

#define VEC 16
#include "simd_vectors.h"

DECANT_INLINE vec vec_look_up(vec table, vec nibbles) { return vqtbl1q_u8(table, nibbles); }

DECANT_INLINE bool vec_any(vec bytes) { return vmaxvq_u8(bytes) != 0; }

static const uint8_t bit_weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};

DECANT_INLINE uint64_t bits_of(const vec parts[4]) {
  const vec weights = vec_load(bit_weights);
  const vec low = vpaddq_u8(parts[0] & weights, parts[1] & weights);
  const vec high = vpaddq_u8(parts[2] & weights, parts[3] & weights);
  const vec eighths = vpaddq_u8(low, high);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(eighths, eighths)), 0);
}

// A class is one bit, and that of signs the highest.
DECANT_INLINE vec vec_is_mark(vec class) { return vclezq_s8((int8x16_t) class); }
DECANT_INLINE vec vec_is_number(vec class) { return vtstq_u8(class, vec_all(CLASS_NUMBER)); }

#define vec_class_index(bytes) vec_low(bytes)

#define SIMD_EMITS_EIGHTS 0
#include "simd_parts.h"

DECANT_INLINE uint64_t simd_non_ascii(simd_block block) {
  vec found[4];
  EACH_PART (part) found[part] = vcgeq_u8(block.part[part], vec_all(0x80));
  const vec any = (found[0] | found[1]) | (found[2] | found[3]);
  return vec_any(any) ? bits_of(found) : 0;
}

#define simd_any_non_ascii simd_non_ascii

// Doubling the distance six times; the carry-less multiplication is not on every processor.
DECANT_INLINE uint64_t simd_prefix_xor(uint64_t mask) {
#if defined(__ARM_FEATURE_AES)
  return (uint64_t)vmull_p64((poly64_t)mask, (poly64_t)~0ull);
#else
  for (int distance = 1; distance < 64; distance *= 2) mask ^= mask << distance;
  return mask;
#endif
}

#define SIMD_KERNEL neon
#include "simd_template.h"

KERNEL(neon, narrow, scalar, 100);

#endif
