// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Copies bytes of strings, sixteen at a time, and checks them while they are in a register. It marks the bytes that RFC
// 8259 §7 does not allow in a string: quotation mark, reverse solidus, U+0000 to U+001F.
//
// It uses vectors that every processor of the architecture has (decant_direct.h): a choice at run time would slow down
// short strings. Other architectures check words of eight bytes by arithmetic, in a twin that write_scalar.c compiles
// everywhere. The kernel in use writes long strings (write_wide.h).

#ifndef DECANT_WRITE_BLOCKS_H
#define DECANT_WRITE_BLOCKS_H

#include <string.h>

#include "decant_plain.h"
#include "decant_write.h"

// The letter after the reverse solidus: 'u' for four digits, 0 for bytes that are copied.
extern const uint8_t decant_written_letters[256] __attribute__((visibility("hidden")));

static inline uint8_t letter_of(uint8_t byte, uint32_t flags) {
  return byte == '/' && (flags & DECANT_ESCAPE_SLASHES) != 0 ? '/' : decant_written_letters[byte];
}

// A block, and its marks: 0 if no byte needs an escape.
#define WIDTH 16

typedef struct {
  uint64_t low, high;
} words;

#if DECANT_DIRECT_STEP == WIDTH
typedef uint8_t block __attribute__((vector_size(WIDTH)));
#define MARK_BITS DECANT_DIRECT_BITS
#else
typedef words block;
#define MARK_BITS 1
#endif

static inline block load(const uint8_t *text) {
  block bytes;
  memcpy(&bytes, text, WIDTH);
  return bytes;
}

static inline void store(uint8_t *out, block bytes) { memcpy(out, &bytes, WIDTH); }

static inline block block_of(words bytes) { return load((const uint8_t *)&bytes); }

#if DECANT_DIRECT_STEP == WIDTH
static inline uint64_t find_escapes(block bytes, uint32_t flags) {
  const uint8_t slash = flags & DECANT_ESCAPE_SLASHES ? '/' : '"';
  return decant_direct_marks(
      (decant_direct_block)((bytes < ' ') | (bytes == '"') | (bytes == '\\') | (bytes == slash)));
}
#else
#define ONES UINT64_C(0x0101010101010101)

// Not 0 if a byte is zero.
static inline uint64_t zeros(uint64_t word) { return (word - ONES) & ~word & ONES << 7; }

static inline uint64_t escapes(uint64_t word, uint64_t slash) {
  const uint64_t control = (word - ONES * 0x20) & ~word & ONES << 7;
  return control | zeros(word ^ ONES * '"') | zeros(word ^ ONES * '\\') |
         zeros(word ^ ONES * slash);
}

static inline uint64_t find_escapes(block bytes, uint32_t flags) {
  const uint64_t slash = flags & DECANT_ESCAPE_SLASHES ? '/' : '"';
  if ((escapes(bytes.low, slash) | escapes(bytes.high, slash)) == 0) return 0;
  uint8_t text[WIDTH];
  store(text, bytes);
  uint64_t found = 0;
  for (uint32_t place = 0; place < WIDTH; place++)
    found |= (uint64_t)(letter_of(text[place], flags) != 0) << place;
  return found;
}
#endif

static inline uint64_t load_four(const uint8_t *text) {
  uint32_t word;
  memcpy(&word, text, sizeof word);
  return word;
}

static inline uint64_t load_eight(const uint8_t *text) {
  uint64_t word;
  memcpy(&word, text, sizeof word);
  return word;
}

// The last bytes of a text, 1 to 15, and zeros after them, which are marked. The two loads may overlap.
static inline block load_end(const uint8_t *text, size_t length) {
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (length >= 8) {
    // In two steps: a shift by 64 has no meaning in C.
    return block_of(
        (words){load_eight(text), load_eight(text + length - 8) >> 8 >> 8 * (15 - length)});
  }
  if (length >= 4) {
    return block_of((words){load_four(text) | load_four(text + length - 4) << 8 * (length - 4), 0});
  }
  const uint64_t middle = length / 2, last = length - 1;
  return block_of((words){
      text[0] | (uint64_t)text[middle] << 8 * middle | (uint64_t)text[last] << 8 * last, 0});
#else
  uint8_t bytes[WIDTH] = {0};
  memcpy(bytes, text, length);
  return load(bytes);
#endif
}

// Copies a text without escapes. False if a byte needs an escape; the copied bytes are then unspecified. Bytes outside both
// texts are neither read nor written: blocks overlap.
static inline bool copy_plain(uint8_t *out, const uint8_t *text, size_t length, uint32_t flags) {
  if (length >= WIDTH) {
    const block last = load(text + length - WIDTH);
    uint64_t found = find_escapes(last, flags);
    for (size_t at = 0; at + WIDTH < length; at += WIDTH) {
      const block bytes = load(text + at);
      store(out + at, bytes);
      found |= find_escapes(bytes, flags);
    }
    store(out + length - WIDTH, last);
    return found == 0;
  }
  if (length >= 8) {
    const words both = {load_eight(text), load_eight(text + length - 8)};
    memcpy(out, &both.low, 8);
    memcpy(out + length - 8, &both.high, 8);
    return find_escapes(block_of(both), flags) == 0;
  }
  if (length >= 4) {
    const uint64_t first = load_four(text), last = load_four(text + length - 4);
    memcpy(out, text, 4);
    memcpy(out + length - 4, text + length - 4, 4);
    const uint64_t both = first | last << 32;
    return find_escapes(block_of((words){both, both}), flags) == 0;
  }
  uint8_t found = 0;
  for (size_t at = 0; at < length; at++) {
    out[at] = text[at];
    found |= letter_of(text[at], flags);
  }
  return found == 0;
}

static inline size_t write_escape(uint8_t *out, uint8_t byte, uint8_t letter) {
  out[0] = '\\';
  out[1] = letter;
  if (letter != 'u') return 2;
  static const char digits[] = "0123456789abcdef";
  out[2] = '0';
  out[3] = '0';
  out[4] = (uint8_t)digits[byte >> 4];
  out[5] = (uint8_t)digits[byte & 15];
  return 6;
}

// decant_write_escaped, where it is called.
static inline __attribute__((unused)) size_t write_escaped(uint8_t *out, size_t capacity,
                                                           const uint8_t *text, size_t length,
                                                           size_t *consumed, uint32_t flags) {
  size_t at = *consumed, written = 0;
  while (at < length && written + DECANT_ESCAPE_CAPACITY <= capacity) {
    const size_t rest = length - at;
    const block bytes = rest < WIDTH ? load_end(text + at, rest) : load(text + at);
    store(out + written, bytes);
    const uint64_t found = find_escapes(bytes, flags);
    if (found == 0) {
      at += WIDTH;
      written += WIDTH;
      continue;
    }
    const size_t plain = (size_t)__builtin_ctzll(found) / MARK_BITS;
    at += plain;
    written += plain;
    if (at == length) break;
    const uint8_t byte = text[at++];
    written += write_escape(out + written, byte, letter_of(byte, flags));
  }
  *consumed = at;
  return written;
}

// Copies the plain bytes (decant_plain.h) at the beginning of a text, and returns their number. May write as many bytes as
// the text has.
static inline __attribute__((unused)) size_t copy_plain_run(uint8_t *out, const uint8_t *text,
                                                            size_t length) {
  size_t at = 0;
  for (; length - at >= DECANT_DIRECT_STEP; at += DECANT_DIRECT_STEP) {
    memcpy(out + at, text + at, DECANT_DIRECT_STEP);
    const uint64_t mask = decant_direct_mask(text + at);
    if (mask != 0) return at + decant_direct_first(mask);
  }
  for (; at < length && decant_is_plain(text[at]); at++) out[at] = text[at];
  return at;
}

#endif
