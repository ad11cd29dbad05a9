// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The primitives of write_wide.h in AVX2: a block is one register of 32 bytes. The last part of avx2.c, so that
// intrinsics are read once.

#ifndef DECANT_WRITE_AVX2_H
#define DECANT_WRITE_AVX2_H

#include "write_blocks.h"

#define WIDE 32
#define WIDE_ESCAPE decant_escape_avx2
#define WIDE_COPY decant_copy_plain_avx2

typedef __m256i wide;

static inline wide wide_load(const uint8_t *text) {
  return _mm256_loadu_si256((const __m256i *)(const void *)text);
}

static inline void wide_store(uint8_t *out, wide bytes) {
  _mm256_storeu_si256((__m256i *)(void *)out, bytes);
}

static inline wide wide_quotes(wide bytes) {
  return _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"')),
                         _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\')));
}

static inline uint64_t wide_escapes(wide bytes, uint32_t flags) {
  const char slash = flags & DECANT_ESCAPE_SLASHES ? '/' : '"';
  const wide control = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1F)), bytes);
  const wide other = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(slash));
  return (uint32_t)_mm256_movemask_epi8(
      _mm256_or_si256(wide_quotes(bytes), _mm256_or_si256(control, other)));
}

static inline uint64_t wide_attention(wide bytes) {
  // As signed numbers, bytes above 0x7F are below 0x20 too.
  const wide others = _mm256_cmpgt_epi8(_mm256_set1_epi8(' '), bytes);
  return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(wide_quotes(bytes), others));
}

#include "write_wide.h"

#endif
