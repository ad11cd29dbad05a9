// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Bytes of JSON text: classes of bytes, escape sequences (RFC 8259 §7), UTF-8, and the end of a string. There is one
// function for each, for kernels, which check their input, and for look-ups, which read checked text.
//
//   "\ud83d\ude00"   an escape sequence of 12 bytes at 1; it spells one code point, U+1F600: 4 bytes of UTF-8

#ifndef DECANT_TEXT_H
#define DECANT_TEXT_H

#include "decant_plain.h"
#include "internal.h"

#include <string.h>

DECANT_INLINE bool decant_is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

DECANT_INLINE bool decant_is_hex(uint8_t byte) {
  return decant_is_digit(byte) || (uint8_t)((byte | 0x20) - 'a') < 6;
}

DECANT_INLINE uint32_t decant_hex_value(uint8_t byte) {
  return decant_is_digit(byte) ? (uint32_t)(byte - '0') : (uint32_t)((byte | 0x20) - 'a' + 10);
}

// MARK: - Escape sequences

// The byte that a letter behind a backslash means; 'u' for itself, 0 if no escape has the letter.
extern const uint8_t decant_escape_letters[128];

DECANT_INLINE uint8_t decant_escaped_byte(uint8_t letter) {
  return letter < 128 ? decant_escape_letters[letter] : 0;
}

// Four hexadecimal digits.
DECANT_INLINE uint32_t decant_hex_unit(const uint8_t *digits) {
  uint32_t unit = 0;
  for (int at = 0; at < 4; at++) unit = unit << 4 | decant_hex_value(digits[at]);
  return unit;
}

// Whether a byte may be the one at `step` of \uDC00 … \uDFFF.
DECANT_INLINE bool decant_fits_low_surrogate(size_t step, uint8_t byte) {
  return step == 0   ? byte == '\\'
         : step == 1 ? byte == 'u'
         : step == 2 ? (byte | 0x20) == 'd'
         : step == 3 ? (uint8_t)((byte | 0x20) - 'c') < 4
                     : decant_is_hex(byte);
}

// Reads the escape sequence whose backslash is at `offset`. OK with its size, 2, 6, or 12 for a surrogate pair,
// and the code point it spells. Otherwise the code, and the offset of the offending byte in `*result`.
//
// Text that `is_valid` is not checked again. There a lone surrogate, which relaxed rules allow, is OK and U+FFFD. At least
// one byte follows each escape: the closing quotation mark.
DECANT_INLINE int32_t decant_escape(const uint8_t *text, size_t offset, size_t length,
                                    bool is_valid, size_t *result, uint32_t *scalar) {
  if (!is_valid && offset + 1 >= length) return *result = length, DECANT_INDEX_UNEXPECTED_END;
  const uint8_t byte = decant_escaped_byte(text[offset + 1]);
  if (byte != 'u') {
    if (!is_valid && byte == 0) return *result = offset + 1, DECANT_INDEX_INVALID_ESCAPE;
    return *scalar = byte, *result = 2, DECANT_INDEX_OK;
  }
  for (size_t at = offset + 2; !is_valid && at < offset + 6; at++) {
    if (at >= length) return *result = length, DECANT_INDEX_UNEXPECTED_END;
    if (!decant_is_hex(text[at])) return *result = at, DECANT_INDEX_INVALID_ESCAPE;
  }
  const uint32_t unit = decant_hex_unit(text + offset + 2);
  *scalar = unit;
  *result = 6;
  if ((unit & 0xF800) != 0xD800) return DECANT_INDEX_OK;
  // What must follow is \uDC00 … \uDFFF. The first byte that rules it out makes this escape lone.
  bool is_lone = unit >= 0xDC00;
  for (size_t step = 0; step < 6 && !is_lone; step++) {
    if (!is_valid && offset + 6 + step >= length)
      return *result = length, DECANT_INDEX_UNEXPECTED_END;
    is_lone = !decant_fits_low_surrogate(step, text[offset + 6 + step]);
  }
  if (is_lone) {
    *scalar = 0xFFFD;
    if (is_valid) return DECANT_INDEX_OK;
    return *result = offset, DECANT_INDEX_LONE_SURROGATE;
  }
  *scalar = 0x10000 + ((unit & 0x3FF) << 10) + (decant_hex_unit(text + offset + 8) & 0x3FF);
  return *result = 12, DECANT_INDEX_OK;
}

// The same for unchecked text: OK with the escape's size, or the code and the offending offset.
static inline int32_t decant_check_escape(const uint8_t *text, size_t offset, size_t length,
                                          size_t *result) {
  uint32_t scalar;
  return decant_escape(text, offset, length, false, result, &scalar);
}

// The same for checked text: writes the escape's UTF-8, 1 to 4 bytes, and sets `count`. Returns the escape's size.
size_t decant_decode_escape(const uint8_t *escape, uint8_t utf8[4], size_t *count);

// MARK: - UTF-8 and strings

// The closing quotation mark of a checked string. `at` is after the opening one.
DECANT_INLINE const uint8_t *decant_closing_quote(const uint8_t *at) {
  while (*at != '"') at += *at == '\\' ? 2 : 1;
  return at;
}

#endif
