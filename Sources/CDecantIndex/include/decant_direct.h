// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Reading an object without an index: steps over the bytes of a text (RecordFill+Text.swift).
//
//   {"id": 1, "name": "Ann"}
//     └┬┘ │ ┴          └┬─┘  decant_copy_string: up to the quote
//      │  └ decant_skip_white, then decant_read_integer
//      └─── decant_key_end: up to the quote
//
// The text ends with the bracket that closes the object, which makes most tests for the end needless: after any other
// byte, there is a next one. Only reads of several bytes must test, and code after the bracket of an inner container.

#ifndef DECANT_DIRECT_H
#define DECANT_DIRECT_H

#include <string.h>

#include "decant_lookup.h"
#include "decant_memory.h"
#include "decant_numbers.h"

// Tests define DECANT_WITHOUT_VECTORS, to run the code of processors without vectors. The header of the intrinsics is
// not included, because Swift would compile and index all of them for every client.
#if defined(DECANT_WITHOUT_VECTORS)
#elif defined(__SSE2__)
#define DECANT_DIRECT_SSE2 1
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DECANT_DIRECT_NEON 1
#endif

DECANT_BEGIN

// Not 0 if one of eight bytes is not plain. A bit is wrong only above one that is right: with bit 7 of every byte of
// `word` clear, x - 1 sets a byte's bit 7 only if it or a byte below it was zero, and x - 0x20 only if it or one below
// it was smaller.
DECANT_INLINE uint64_t decant_word_attention(uint64_t word) {
  const uint64_t ones = 0x0101010101010101u;
  const uint64_t quotes = word ^ ones * '"', backslashes = word ^ ones * '\\';
  return ((quotes - ones) | (backslashes - ones) | (word - ones * ' ') | word) & ones * 0x80;
}

// The bytes of a step, and the bits of a mask for each byte. Bits are set for the bytes that need attention in a string:
// the quote, the backslash, bytes below 0x20 and above 0x7F. The lowest set bit is right; without vectors, higher bits
// may be wrong.
#if defined(DECANT_DIRECT_SSE2) || defined(DECANT_DIRECT_NEON)
#define DECANT_DIRECT_STEP 16
typedef signed char decant_direct_block __attribute__((vector_size(16)));
// Of bytes that are FF or 00.
DECANT_INLINE uint64_t decant_direct_marks(decant_direct_block marks) {
#if defined(DECANT_DIRECT_SSE2)
#define DECANT_DIRECT_BITS 1
  typedef char signs __attribute__((vector_size(16)));
  return (uint32_t)__builtin_ia32_pmovmskb128((signs)marks);
#else
#define DECANT_DIRECT_BITS 4
  typedef uint16_t pairs __attribute__((vector_size(16)));
  typedef uint8_t halves __attribute__((vector_size(8)));
  return (uint64_t) __builtin_convertvector((pairs)marks >> 4, halves);
#endif
}
DECANT_INLINE uint64_t decant_direct_mask(const uint8_t *from) {
  decant_direct_block bytes;
  memcpy(&bytes, from, sizeof bytes);
  // As signed numbers, bytes above 0x7F are below 0x20 too.
  return decant_direct_marks(
      (decant_direct_block)((bytes == '"') | (bytes == '\\') | (bytes < ' ')));
}
#else
#define DECANT_DIRECT_STEP 8
#define DECANT_DIRECT_BITS 8
DECANT_INLINE uint64_t decant_direct_mask(const uint8_t *from) {
  return decant_word_attention(decant_load_word(from));
}
#endif

DECANT_INLINE size_t decant_direct_first(uint64_t mask) {
  return (size_t)__builtin_ctzll(mask) / DECANT_DIRECT_BITS;
}

DECANT_INLINE bool decant_is_plain(uint8_t byte) {
  return byte >= ' ' && byte < 0x80 && byte != '"' && byte != '\\';
}

// Rare cases are out of line (direct.c): a loop inside the caller costs it registers.

// Returns the end of the key at `from`: its quote, or the first byte that does not occur in a key without escapes.
const uint8_t *DECANT_NONNULL decant_key_end_bytewise(const uint8_t *from, const uint8_t *end);
DECANT_INLINE const uint8_t *DECANT_NONNULL decant_key_end(const uint8_t *DECANT_NONNULL from,
                                                           const uint8_t *DECANT_NONNULL end) {
  if (__builtin_expect(end - from >= DECANT_DIRECT_STEP, 1)) {
    const uint64_t mask = decant_direct_mask(from);
    if (__builtin_expect(mask != 0, 1)) {
      const uint8_t *const stop = from + decant_direct_first(mask);
      if (__builtin_expect(*stop == '"', 1)) return stop;
    }
  }
  return decant_key_end_bytewise(from, end);
}

// Where a string's closing quote is, or NULL; and how many bytes the string has.
typedef struct DECANT_HANDLE decant_string_end {
  const uint8_t *quote;
  size_t length;
} decant_string_end;

// Copies and unescapes a string, from after its opening quote. There is no closing quote in the result if the bytes are
// not a string. May write as many bytes at `to` as there are between `from` and `end`.
decant_string_end decant_copy_any_string(uint8_t *to, const uint8_t *from, const uint8_t *end,
                                         size_t copied);
DECANT_INLINE decant_string_end decant_copy_string(uint8_t *to, const uint8_t *from,
                                                   const uint8_t *end) {
  if (__builtin_expect(end - from < DECANT_DIRECT_STEP, 0))
    return decant_copy_any_string(to, from, end, 0);
  const uint64_t mask = decant_direct_mask(from);
  memcpy(to, from, DECANT_DIRECT_STEP);
  size_t count = DECANT_DIRECT_STEP;
  if (__builtin_expect(mask != 0, 1)) {
    count = decant_direct_first(mask);
    if (__builtin_expect(from[count] == '"', 1)) return (decant_string_end){from + count, count};
  }
  return decant_copy_any_string(to, from, end, count);
}

// The first byte from `at` on that is not white space.
const uint8_t *DECANT_NONNULL decant_skip_white_run(const uint8_t *at);
DECANT_INLINE const uint8_t *DECANT_NONNULL decant_skip_white(const uint8_t *DECANT_NONNULL at) {
  return __builtin_expect(*at > ' ', 1) ? at : decant_skip_white_run(at);
}

// An integer, and where it ends, or NULL. What ends it is the caller's.
typedef struct DECANT_HANDLE decant_integer_end {
  const uint8_t *end;
  int64_t value;
} decant_integer_end;

// Reads an integer of at most 18 digits.
//
// Eight bytes at once tell how many digits there are, up to seven; they are shifted to the top of their word, with
// zeros before them.
decant_integer_end decant_read_long_integer(const uint8_t *at);
DECANT_INLINE decant_integer_end decant_read_integer(const uint8_t *at, const uint8_t *end) {
  const uint64_t ones = 0x0101010101010101u;
  if (__builtin_expect(end - at >= 8, 1)) {
    const uint64_t digits = decant_load_word(at) ^ ones * '0';
    // Bytes that are not digits have bit 7 set; one above the first such byte may be wrong.
    const uint64_t others = ((digits + ones * 0x76) | digits) & ones * 0x80;
    if (__builtin_expect(others != 0, 1)) {
      const unsigned count = (unsigned)__builtin_ctzll(others) / 8;
      if (__builtin_expect(count == 1 || (count != 0 && (digits & 0xFF) != 0), 1)) {
        const uint64_t value = decant_eight_digits(digits << (64 - 8 * count));
        return (decant_integer_end){at + count, (int64_t)value};
      }
    }
  }
  return decant_read_long_integer(at);
}

// A number, by where it ends, or NULL, and the high half of its slot. What ends it is the caller's.
typedef struct DECANT_HANDLE decant_number {
  const uint8_t *end;
  uint32_t facts;
} decant_number;

// Reads a number of RFC 8259 §6 (scalar.c).
decant_number decant_read_number(const uint8_t *at, const uint8_t *end);

// Checks the value at `at`, which must end at or before `end`. Returns its end; NULL if it is not a value, or nests deeper
// than DECANT_SKIP_LEVELS.
enum { DECANT_SKIP_LEVELS = 32 };
const uint8_t *decant_skip_value(const uint8_t *at, const uint8_t *end);

// Whether the literal is at `at`.
static inline bool decant_is_literal(const uint8_t *at, const uint8_t *end, const char *literal) {
  const size_t length = strlen(literal);
  return (size_t)(end - at) >= length && memcmp(at, literal, length) == 0;
}

// Whether a field's key equals the `count` bytes at `text`. If `length` is 0, the key ends with a NUL byte. It is not
// measured: a key in a text has no NUL byte, so the comparison stops in time.
bool decant_is_counted_key(const uint8_t *text, size_t count, const uint8_t *key, size_t length);
DECANT_INLINE bool decant_is_key(const uint8_t *text, size_t count, const uint8_t *key,
                                 size_t length) {
  if (__builtin_expect(length == count && count - 2 <= 14, 1))
    return decant_key_equal(text, key, count);
  return length != 0 && length != count ? false : decant_is_counted_key(text, count, key, length);
}

DECANT_END

#endif
