// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Registers of VEC bytes, 16 or 32, by the compilers' own vectors: what each instruction set does in the same way. They
// need no header of intrinsics; that of AVX2 takes as long to compile as half a kernel.

typedef uint8_t vec __attribute__((vector_size(VEC)));
typedef char vec_chars __attribute__((vector_size(VEC)));

DECANT_INLINE vec vec_load(const uint8_t *bytes) {
  vec loaded;
  memcpy(&loaded, bytes, VEC);
  return loaded;
}

DECANT_INLINE vec vec_all(uint8_t byte) { return (vec){0} + byte; }

DECANT_INLINE vec vec_table(const uint8_t *sixteen) {
  uint8_t bytes[VEC];
  for (int at = 0; at < VEC; at += 16) memcpy(bytes + at, sixteen, 16);
  return vec_load(bytes);
}

DECANT_INLINE vec vec_low(vec bytes) { return bytes & 0x0F; }

DECANT_INLINE vec vec_high(vec bytes) { return bytes >> 4; }

DECANT_INLINE vec vec_equal(vec a, vec b) { return (vec)(a == b); }

DECANT_INLINE vec vec_below_space(vec bytes) { return (vec)(bytes < ' '); }

DECANT_INLINE vec vec_minus(vec a, vec b) { return (a - b) & (vec)(a > b); }

#define VEC_SIXTEEN(from)                                                                                        \
  (from), (from) + 1, (from) + 2, (from) + 3, (from) + 4, (from) + 5, (from) + 6, (from) + 7, (from) + 8, (from) + 9, \
      (from) + 10, (from) + 11, (from) + 12, (from) + 13, (from) + 14, (from) + 15
#if VEC == 16
#define VEC_FROM(from) VEC_SIXTEEN(from)
#else
#define VEC_FROM(from) VEC_SIXTEEN(from), VEC_SIXTEEN((from) + 16)
#endif
#if defined(__clang__)
#define vec_behind(previous, bytes, count) __builtin_shufflevector(previous, bytes, VEC_FROM(VEC - (count)))
#else
#define vec_behind(previous, bytes, count) __builtin_shuffle(previous, bytes, (vec){VEC_FROM(VEC - (count))})
#endif
