// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Tokens that the scalar and the SIMD kernels read alike: escape sequences (RFC 8259 §7) and the
// high half of a number's slot (§6).
//
//   "\ud83d\ude00"   escape at 1, two escapes of six bytes, one code point: U+1F600
//   -12.50e3         8 bytes, 2 digits before the point, 2 after: 20208 | REAL | MINUS | EXPONENT

#ifndef DECANT_TOKENS_H
#define DECANT_TOKENS_H

#include "decant_lookup.h"
#include "internal.h"

#include <string.h>

DECANT_INLINE uint32_t decant_load32(const uint8_t *bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

DECANT_INLINE uint64_t decant_load64(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

DECANT_INLINE bool decant_is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

DECANT_INLINE bool decant_is_white(uint8_t byte) {
  return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

DECANT_INLINE bool decant_is_hex(uint8_t byte) {
  return decant_is_digit(byte) || (uint8_t)((byte | 0x20) - 'a') < 6;
}

// The letters that may follow a backslash: " \ / b f n r t u
DECANT_INLINE bool decant_is_escape_letter(uint8_t byte) {
  const uint64_t low = 1ull << '"' | 1ull << '/';
  const uint64_t high = 1ull << ('\\' - 64) | 1ull << ('b' - 64) | 1ull << ('f' - 64) |
                        1ull << ('n' - 64) | 1ull << ('r' - 64) | 1ull << ('t' - 64) |
                        1ull << ('u' - 64);
  if (byte >= 128) return false;
  return ((byte < 64 ? low : high) >> (byte & 63)) & 1;
}

DECANT_INLINE uint32_t decant_hex_value(uint8_t byte) {
  return decant_is_digit(byte) ? (uint32_t)(byte - '0') : (uint32_t)((byte | 0x20) - 'a' + 10);
}

// Reads the escape whose backslash stands at `offset`. OK with its length: 2, 6, or 12 for a
// surrogate pair. Otherwise the code, and the offset of the offending byte in `*result`.
static inline int32_t decant_read_escape(const uint8_t *text, size_t offset, size_t length,
                                         size_t *result) {
  if (offset + 1 >= length) return *result = length, DECANT_INDEX_UNEXPECTED_END;
  const uint8_t letter = text[offset + 1];
  if (letter != 'u') {
    if (!decant_is_escape_letter(letter)) return *result = offset + 1, DECANT_INDEX_INVALID_ESCAPE;
    return *result = 2, DECANT_INDEX_OK;
  }
  uint32_t unit = 0;
  for (size_t at = offset + 2; at < offset + 6; at++) {
    if (at >= length) return *result = length, DECANT_INDEX_UNEXPECTED_END;
    if (!decant_is_hex(text[at])) return *result = at, DECANT_INDEX_INVALID_ESCAPE;
    unit = unit << 4 | decant_hex_value(text[at]);
  }
  if ((unit & 0xF800) != 0xD800) return *result = 6, DECANT_INDEX_OK;
  *result = offset;
  if (unit >= 0xDC00) return DECANT_INDEX_LONE_SURROGATE;
  // What must follow is \uDC00 … \uDFFF. The first byte that rules it out makes this escape lone.
  for (size_t step = 0; step < 6; step++) {
    if (offset + 6 + step >= length) return *result = length, DECANT_INDEX_UNEXPECTED_END;
    const uint8_t byte = text[offset + 6 + step];
    const bool fits = step == 0   ? byte == '\\'
                      : step == 1 ? byte == 'u'
                      : step == 2 ? (byte | 0x20) == 'd'
                      : step == 3 ? (uint8_t)((byte | 0x20) - 'c') < 4
                                  : decant_is_hex(byte);
    if (!fits) return DECANT_INDEX_LONE_SURROGATE;
  }
  return *result = 12, DECANT_INDEX_OK;
}

DECANT_INLINE uint32_t decant_number_count(size_t count) {
  return count < DECANT_NUMBER_LONG ? (uint32_t)count : DECANT_NUMBER_LONG;
}

// The high half of a number's slot, from its token's size, its digits and its flags.
DECANT_INLINE uint32_t decant_number_facts(size_t bytes, size_t before, size_t after,
                                           uint32_t flags) {
  if (DECANT_LIKELY(bytes < DECANT_NUMBER_LONG)) {
    return flags | (uint32_t)bytes | (uint32_t)before << 8 | (uint32_t)after << 16;
  }
  return flags | DECANT_NUMBER_LONG | decant_number_count(before) << 8 |
         decant_number_count(after) << 16;
}

DECANT_INLINE uint32_t decant_string_facts(size_t bytes) {
  return bytes < DECANT_STRING_LONG ? (uint32_t)bytes : DECANT_STRING_LONG;
}

#endif
