// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The twin without vectors, for processors that have none. It is compiled everywhere, so that every kernel can be compared
// with it.

#ifndef DECANT_WITHOUT_VECTORS
#define DECANT_WITHOUT_VECTORS 1
#endif

#include "internal.h"
#include "write_blocks.h"

size_t decant_escape_scalar(uint8_t *out, size_t capacity, const uint8_t *text, size_t length,
                            size_t *consumed, uint32_t flags) {
  return write_escaped(out, capacity, text, length, consumed, flags);
}

size_t decant_copy_plain_scalar(uint8_t *out, const uint8_t *text, size_t length) {
  return copy_plain_run(out, text, length);
}
