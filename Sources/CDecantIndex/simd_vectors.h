// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Registers of VEC bytes, 16 or 32, by the compilers' own vectors: what each instruction set does in the same way. They
// need no header of intrinsics; that of AVX2 takes half as long to read as a kernel to compile.

typedef uint8_t vec __attribute__((vector_size(VEC)));
typedef char vec_chars __attribute__((vector_size(VEC)));
typedef signed char vec_signed __attribute__((vector_size(VEC)));

DECANT_INLINE vec vec_load(const uint8_t *bytes) {
  vec loaded;
  memcpy(&loaded, bytes, VEC);
  return loaded;
}

DECANT_INLINE vec vec_all(uint8_t byte) { return (vec){0} + byte; }

DECANT_INLINE vec vec_byte(const uint8_t *byte) { return vec_all(*byte); }

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

// The bytes moved up by `count`, behind the last ones of `previous`.
#define VEC_EIGHT(at)   (at), (at) + 1, (at) + 2, (at) + 3, (at) + 4, (at) + 5, (at) + 6, (at) + 7
#define VEC_SIXTEEN(at) VEC_EIGHT(at), VEC_EIGHT((at) + 8)
#if VEC == 16
#define VEC_FROM(at) VEC_SIXTEEN(at)
#else
#define VEC_FROM(at) VEC_SIXTEEN(at), VEC_SIXTEEN((at) + 16)
#endif
#if defined(__clang__)
#define vec_behind(previous, bytes, count) \
  __builtin_shufflevector(previous, bytes, VEC_FROM(VEC - (count)))
#else
#define vec_behind(previous, bytes, count) \
  __builtin_shuffle(previous, bytes, (vec){VEC_FROM(VEC - (count))})
#endif
