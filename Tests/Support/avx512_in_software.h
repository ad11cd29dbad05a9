// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The instructions of AVX-512 that the index uses, in portable C, so that its kernels are tested on processors without
// them (Tests/Support/avx512.sh). Meanings as Intel's Intrinsics Guide has them: lane i of a mask is bit i.

#include <nmmintrin.h>
#include <stdint.h>
#include <string.h>
#include <wmmintrin.h>

#pragma GCC diagnostic ignored "-Wpsabi"  // nothing else is called with vectors of 64 bytes
#define IN_SOFTWARE static inline __attribute__((always_inline))

typedef long long __m512i __attribute__((vector_size(64)));
typedef unsigned long long __mmask64;
typedef unsigned char __mmask8;

typedef union {
  __m512i all;
  uint8_t bytes[64];
  int8_t signed_bytes[64];
  uint16_t words[32];
  uint32_t doubles[16];
  uint64_t quads[8];
} lanes;

#define EACH_LANE(count) for (unsigned i = 0; i < (count); i++)

// MARK: - Loads and stores

IN_SOFTWARE __m512i _mm512_loadu_si512(const void *from) {
  __m512i loaded;
  memcpy(&loaded, from, sizeof loaded);
  return loaded;
}

IN_SOFTWARE __m512i _mm512_load_si512(const void *from) {
  if ((uintptr_t)from % 64 != 0) __builtin_trap();
  return _mm512_loadu_si512(from);
}

IN_SOFTWARE void _mm512_storeu_si512(void *to, __m512i stored) {
  memcpy(to, &stored, sizeof stored);
}

IN_SOFTWARE __m512i _mm512_mask_loadu_epi8(__m512i other, __mmask64 mask, const void *from) {
  lanes loaded = {other};
  EACH_LANE (64)
    if (mask >> i & 1) loaded.bytes[i] = ((const uint8_t *)from)[i];
  return loaded.all;
}

// MARK: - One value for all lanes

IN_SOFTWARE __m512i _mm512_set1_epi8(char byte) {
  lanes set;
  memset(&set, byte, sizeof set);
  return set.all;
}

IN_SOFTWARE __m512i _mm512_set1_epi32(int number) {
  lanes set;
  EACH_LANE (16) set.doubles[i] = (uint32_t)number;
  return set.all;
}

IN_SOFTWARE __m512i _mm512_broadcast_i32x4(__m128i sixteen) {
  lanes set;
  EACH_LANE (4) memcpy(set.bytes + 16 * i, &sixteen, 16);
  return set.all;
}

// MARK: - Lane by lane

#define LANE_BY_LANE(name, count, expression)          \
  IN_SOFTWARE __m512i name(__m512i one, __m512i two) { \
    lanes a = {one}, b = {two}, result;                \
    EACH_LANE (count) expression;                      \
    return result.all;                                 \
  }
LANE_BY_LANE(_mm512_add_epi32, 16, result.doubles[i] = a.doubles[i] + b.doubles[i])
LANE_BY_LANE(_mm512_subs_epu8, 64,
             result.bytes[i] = a.bytes[i] > b.bytes[i] ? a.bytes[i] - b.bytes[i] : 0)
// Looks up within each sixteen bytes; bit 7 of an index is zero's.
LANE_BY_LANE(_mm512_shuffle_epi8, 64,
             result.bytes[i] = b.bytes[i] & 0x80 ? 0 : a.bytes[(i & 48) | (b.bytes[i] & 15)])
// The indices come first.
LANE_BY_LANE(_mm512_permutexvar_epi8, 64, result.bytes[i] = b.bytes[a.bytes[i] & 63])

IN_SOFTWARE __m512i _mm512_srli_epi16(__m512i words, unsigned bits) {
  lanes shifted = {words};
  EACH_LANE (32) shifted.words[i] = (uint16_t)(shifted.words[i] >> bits);
  return shifted.all;
}

// MARK: - Masks

IN_SOFTWARE __mmask64 _cvtu64_mask64(uint64_t bits) { return bits; }
IN_SOFTWARE uint64_t _cvtmask64_u64(__mmask64 mask) { return mask; }

IN_SOFTWARE uint64_t _bzhi_u64(uint64_t bits, unsigned from) {
  from &= 0xFF;
  return from < 64 ? bits & ((1ull << from) - 1) : bits;
}

#define MASK(name, expression)                           \
  IN_SOFTWARE __mmask64 name(__m512i one, __m512i two) { \
    lanes a = {one}, b = {two};                          \
    __mmask64 mask = 0;                                  \
    EACH_LANE (64) mask |= (__mmask64)(expression) << i; \
    return mask;                                         \
  }
MASK(_mm512_cmpeq_epi8_mask, a.bytes[i] == b.bytes[i])
MASK(_mm512_cmpgt_epu8_mask, a.bytes[i] > b.bytes[i])
MASK(_mm512_cmplt_epu8_mask, a.bytes[i] < b.bytes[i])
MASK(_mm512_cmplt_epi8_mask, a.signed_bytes[i] < b.signed_bytes[i])
MASK(_mm512_test_epi8_mask, (a.bytes[i] & b.bytes[i]) != 0)
MASK(_mm512_testn_epi8_mask, (a.bytes[i] & b.bytes[i]) == 0)

IN_SOFTWARE __mmask64 _mm512_movepi8_mask(__m512i bytes) {
  return _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(0));
}

IN_SOFTWARE __mmask8 _mm512_test_epi64_mask(__m512i one, __m512i two) {
  lanes a = {one}, b = {two};
  unsigned mask = 0;
  EACH_LANE (8) mask |= (unsigned)((a.quads[i] & b.quads[i]) != 0) << i;
  return (__mmask8)mask;
}

// MARK: - From one lane to another

// Sixteen bytes from `from` on of every 32: sixteen of `low`, then sixteen of `high`.
IN_SOFTWARE __m512i _mm512_alignr_epi8(__m512i high, __m512i low, unsigned from) {
  lanes a = {high}, b = {low}, result;
  EACH_LANE (64) {
    const unsigned place = (i & 15) + from;
    result.bytes[i] = place < 16 ? b.bytes[(i & 48) | place] : a.bytes[(i & 48) | (place - 16)];
  }
  return result.all;
}

IN_SOFTWARE __m512i _mm512_alignr_epi64(__m512i high, __m512i low, unsigned from) {
  lanes a = {high}, b = {low}, result;
  EACH_LANE (8) result.quads[i] = i + from < 8 ? b.quads[i + from] : a.quads[i + from - 8];
  return result.all;
}

// Bit 6 of an index chooses between the two.
IN_SOFTWARE __m512i _mm512_permutex2var_epi8(__m512i low, __m512i indices, __m512i high) {
  lanes a = {low}, at = {indices}, b = {high}, result;
  EACH_LANE (64) result.bytes[i] = (at.bytes[i] & 64 ? b : a).bytes[at.bytes[i] & 63];
  return result.all;
}

IN_SOFTWARE __m512i _mm512_maskz_compress_epi8(__mmask64 mask, __m512i bytes) {
  lanes a = {bytes}, result = {{0}};
  unsigned count = 0;
  EACH_LANE (64)
    if (mask >> i & 1) result.bytes[count++] = a.bytes[i];
  return result.all;
}

IN_SOFTWARE __m128i _mm512_extracti32x4_epi32(__m512i bytes, unsigned part) {
  __m128i sixteen;
  memcpy(&sixteen, (const uint8_t *)&bytes + (16 * part), 16);
  return sixteen;
}

IN_SOFTWARE __m128i _mm512_castsi512_si128(__m512i bytes) {
  return _mm512_extracti32x4_epi32(bytes, 0);
}

IN_SOFTWARE __m512i _mm512_cvtepu8_epi32(__m128i sixteen) {
  uint8_t bytes[16];
  memcpy(bytes, &sixteen, 16);
  lanes widened;
  EACH_LANE (16) widened.doubles[i] = bytes[i];
  return widened.all;
}
