// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Strings as text. Bytes that RFC 8259 §7 does not allow in a string are written as escapes, with a letter if there is
// one. write_blocks.h uses vectors that every processor has, write_wide.h the others, for long strings.
//
//   bytes    a  "  <LF>  <ESC>  é          é is two bytes, copied as they are
//   text     a  \" \n    \u001b é

#include "internal.h"
#include "write_blocks.h"

const uint8_t decant_written_letters[256] = {
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'b',         't',          'n', 'u',
    'f', 'r', 'u', 'u', 'u', 'u', 'u', 'u', 'u',         'u',          'u', 'u',
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', ['"'] = '"', ['\\'] = '\\'};

size_t decant_write_escaped(uint8_t *out, size_t capacity, const uint8_t *text, size_t length,
                            size_t *consumed, uint32_t flags) {
  if (length - *consumed > DECANT_SHORT_TEXT) {
    return decant_current_kernel()->escape(out, capacity, text, length, consumed, flags);
  }
  return write_escaped(out, capacity, text, length, consumed, flags);
}

// The kernel for processors with the baseline vectors of their architecture.
size_t decant_escape_narrow(uint8_t *out, size_t capacity, const uint8_t *text, size_t length,
                            size_t *consumed, uint32_t flags) {
  return write_escaped(out, capacity, text, length, consumed, flags);
}

size_t decant_copy_plain_narrow(uint8_t *out, const uint8_t *text, size_t length) {
  return copy_plain_run(out, text, length);
}
