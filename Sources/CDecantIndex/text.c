// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The out-of-line half of text.h.

#include "text.h"

#include "decant_lookup.h"

const uint8_t decant_escape_letters[128] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b', ['f'] = '\f',
    ['n'] = '\n', ['r'] = '\r',  ['t'] = '\t', ['u'] = 'u'};

// MARK: - Escape sequences

static size_t write_utf8(uint32_t scalar, uint8_t utf8[4]) {
  static const uint8_t marks[5] = {0, 0, 0xC0, 0xE0, 0xF0};
  const size_t count = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
  for (size_t at = count - 1; at > 0; at--) {
    utf8[at] = (uint8_t)(0x80 | (scalar & 0x3F));
    scalar >>= 6;
  }
  utf8[0] = (uint8_t)(marks[count] | scalar);
  return count;
}

size_t decant_decode_escape(const uint8_t *escape, uint8_t utf8[4], size_t *count) {
  size_t size;
  uint32_t scalar;
  decant_escape(escape, 0, 0, true, &size, &scalar);
  *count = write_utf8(scalar, utf8);
  return size;
}

size_t decant_unescape(const uint8_t *string, size_t length, uint8_t *out) {
  const uint8_t *end = string + length;
  uint8_t *start = out;
  while (string < end) {
    const uint8_t *escape = memchr(string, '\\', (size_t)(end - string));
    const size_t plain = (size_t)((escape != NULL ? escape : end) - string);
    memcpy(out, string, plain);
    out += plain;
    string += plain;
    if (escape == NULL) break;
    // An escape is never shorter than what it spells (2 → 1, 6 → 1-3, 12 → 4), so `out` never passes the
    // capacity of `length` bytes.
    uint8_t utf8[4];
    size_t count;
    string += decant_decode_escape(string, utf8, &count);
    memcpy(out, utf8, count);
    out += count;
  }
  return (size_t)(out - start);
}

// MARK: - UTF-8 and strings

size_t decant_utf8_length(const uint8_t *text, size_t offset, size_t length) {
  const uint8_t lead = text[offset];
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  uint8_t lowest = 0x80, highest = 0xBF;
  if (lead == 0xE0) lowest = 0xA0;
  if (lead == 0xED) highest = 0x9F;
  if (lead == 0xF0) lowest = 0x90;
  if (lead == 0xF4) highest = 0x8F;
  for (size_t at = offset + 1; at < offset + size && at < length; at++) {
    if (text[at] < lowest || text[at] > highest) return 0;
    lowest = 0x80;
    highest = 0xBF;
  }
  return size;
}

size_t decant_string_length_long(const decant_context *context, uint64_t slot) {
  const uint8_t *start = context->text + decant_slot_offset(context->slots[slot]) + 1;
  return (size_t)(decant_closing_quote(start) - start);
}
