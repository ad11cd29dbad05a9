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

size_t decant_read_escape(const uint8_t *escape, uint32_t *scalar) {
  size_t size;
  decant_escape(escape, 0, 0, true, &size, scalar);
  return size;
}

size_t decant_decode_escape(const uint8_t *escape, uint8_t utf8[4], size_t *count) {
  uint32_t scalar;
  const size_t size = decant_read_escape(escape, &scalar);
  *count = decant_write_utf8(scalar, utf8);
  return size;
}

// The high bits of the bytes of a word that are backslashes; those above the lowest of them may be wrong.
DECANT_INLINE uint64_t backslashes(uint64_t word) {
  const uint64_t ones = 0x0101010101010101u, others = word ^ ones * '\\';
  return (others - ones) & ~others & ones * 0x80;
}

size_t decant_unescape(const uint8_t *string, size_t length, uint8_t *out) {
  const uint8_t *const end = string + length;
  uint8_t *const start = out;
  while (string < end) {
    // An escape is never shorter than what it spells (2 → 1, 6 → 1-3, 12 → 4), so `out` has at least as much space as
    // is left of the string.
    if (DECANT_LIKELY(end - string >= 8)) {
      const uint64_t found = backslashes(decant_load_word(string));
      memcpy(out, string, 8);
      if (found == 0) {
        // A branch, so that the next step does not wait for the word.
        DECANT_KEEP_BRANCH();
        out += 8;
        string += 8;
        continue;
      }
      const size_t plain = (size_t)__builtin_ctzll(found) / 8;
      out += plain;
      string += plain;
    } else if (*string != '\\') {
      *out++ = *string++;
      continue;
    }
    const uint8_t letter = decant_escape_letters[string[1]];
    if (DECANT_LIKELY(letter != 'u')) {
      *out++ = letter;
      string += 2;
      continue;
    }
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
