// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The primitives of write_wide.h in AVX2: a block is one register of 32 bytes. The last part of avx2.c.

#ifndef DECANT_WRITE_AVX2_H
#define DECANT_WRITE_AVX2_H

#include "write_blocks.h"

#define WIDE        32
#define WIDE_ESCAPE decant_escape_avx2
#define WIDE_COPY   decant_copy_plain_avx2

typedef vec wide;

static inline wide wide_load(const uint8_t *text) { return vec_load(text); }

static inline void wide_store(uint8_t *out, wide bytes) { memcpy(out, &bytes, WIDE); }

static inline wide wide_quotes(wide bytes) {
  return vec_equal(bytes, vec_all('"')) | vec_equal(bytes, vec_all('\\'));
}

static inline uint64_t wide_escapes(wide bytes, uint32_t flags) {
  const uint8_t slash = flags & DECANT_ESCAPE_SLASHES ? '/' : '"';
  return vec_signs(wide_quotes(bytes) | vec_below_space(bytes) | vec_equal(bytes, vec_all(slash)));
}

static inline uint64_t wide_attention(wide bytes) {
  // As they are, the signs of bytes above 0x7F.
  return vec_signs(wide_quotes(bytes) | vec_below_space(bytes) | bytes);
}

#include "write_wide.h"

#endif
