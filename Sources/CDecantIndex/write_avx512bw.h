// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The primitives of write_wide.h in AVX-512BW: a block is one register of 64 bytes, and a comparison gives its bits.
// A part of avx512.c, so that intrinsics are read once.

#ifndef DECANT_WRITE_AVX512BW_H
#define DECANT_WRITE_AVX512BW_H

#include "write_blocks.h"

#define WIDE        64
#define WIDE_ESCAPE decant_escape_avx512bw
#define WIDE_COPY   decant_copy_plain_avx512bw

typedef __m512i wide;

static inline wide wide_load(const uint8_t *text) { return _mm512_loadu_si512(text); }

static inline void wide_store(uint8_t *out, wide bytes) { _mm512_storeu_si512(out, bytes); }

static inline uint64_t wide_quotes(wide bytes) {
  return _mm512_cmpeq_epi8_mask(bytes, vec_all('"')) | _mm512_cmpeq_epi8_mask(bytes, vec_all('\\'));
}

static inline uint64_t wide_escapes(wide bytes, uint32_t flags) {
  const char slash = flags & DECANT_ESCAPE_SLASHES ? '/' : '"';
  return wide_quotes(bytes) | _mm512_cmplt_epu8_mask(bytes, vec_all(' ')) |
         _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(slash));
}

static inline uint64_t wide_attention(wide bytes) {
  // As signed numbers, bytes above 0x7F are below 0x20 too.
  return wide_quotes(bytes) | _mm512_cmplt_epi8_mask(bytes, vec_all(' '));
}

#include "write_wide.h"

#endif
