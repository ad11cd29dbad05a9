// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Copies and checks long strings with vectors that not every processor has. A kernel file (write_avx2.h,
// write_avx512bw.h) includes write_blocks.h, defines the primitives below for its instruction set, and includes this file.
//
//   WIDE                        the bytes of a block
//   wide                        a block
//   wide_load(text)             WIDE bytes, at any alignment
//   wide_store(out, block)
//   wide_escapes(block, flags)  a bit for each byte that needs an escape, the first byte lowest
//   wide_attention(block)       the same for bytes that are not plain (decant_plain.h)
//   WIDE_ESCAPE, WIDE_COPY      names of the two functions
//
// If less than a block is left, of the text or of the capacity, write_blocks.h writes the rest.

#ifndef DECANT_WRITE_WIDE_H
#define DECANT_WRITE_WIDE_H

// Whether a block may be read, and written with an escape instead of its last byte.
static inline bool has_block(size_t left, size_t space) {
  return left >= WIDE && space >= WIDE + DECANT_ESCAPE_CAPACITY;
}

size_t WIDE_ESCAPE(uint8_t *out, size_t capacity, const uint8_t *text, size_t length,
                   size_t *consumed, uint32_t flags) {
  size_t at = *consumed, written = 0;
  while (has_block(length - at, capacity - written)) {
    const wide bytes = wide_load(text + at);
    wide_store(out + written, bytes);
    uint64_t found = wide_escapes(bytes, flags);
    size_t left = WIDE;
    while (found != 0) {
      const size_t plain = (size_t)__builtin_ctzll(found);
      const uint8_t byte = text[at + plain];
      at += plain + 1;
      written += plain;
      written += write_escape(out + written, byte, letter_of(byte, flags));
      left -= plain + 1;
      // The marks of the rest of the block are known, so it is copied without another check.
      found = found >> plain >> 1;
      if (!has_block(length - at, capacity - written)) {
        left = 0;
        break;
      }
      wide_store(out + written, wide_load(text + at));
    }
    at += left;
    written += left;
  }
  *consumed = at;
  return written + write_escaped(out + written, capacity - written, text, length, consumed, flags);
}

size_t WIDE_COPY(uint8_t *out, const uint8_t *text, size_t length) {
  size_t at = 0;
  for (; length - at >= WIDE; at += WIDE) {
    const wide bytes = wide_load(text + at);
    wide_store(out + at, bytes);
    const uint64_t found = wide_attention(bytes);
    if (found != 0) return at + (size_t)__builtin_ctzll(found);
  }
  return at + copy_plain_run(out + at, text + at, length - at);
}

#endif
