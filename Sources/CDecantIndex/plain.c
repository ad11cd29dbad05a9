// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The out-of-line half of decant_plain.h.

#include "decant_plain.h"

#include "decant_write.h"
#include "text.h"

// Each step is copied while it is checked. The last step overlaps the one before it.
bool decant_copy_plain_long(uint8_t *out, const uint8_t *text, size_t length) {
  if (length > DECANT_SHORT_TEXT) {
    return decant_current_kernel()->copy_plain(out, text, length) == length;
  }
  size_t at = 0;
  for (; length - at > DECANT_DIRECT_STEP; at += DECANT_DIRECT_STEP) {
    memcpy(out + at, text + at, DECANT_DIRECT_STEP);
    if (decant_direct_mask(text + at) != 0) return false;
  }
  const size_t last = length - DECANT_DIRECT_STEP;
  memcpy(out + last, text + last, DECANT_DIRECT_STEP);
  return decant_direct_mask(text + last) == 0;
}

// Whether the first three bytes of a word are a character. E0 is followed by A0 or more, ED by less.
static inline bool is_three(uint64_t word) {
  return (word & 0xC0C0F0) == 0x8080E0 && (word & 0x200F) != 0 && (word & 0x200F) != 0x200D;
}

// Whether the first 15 of 16 bytes are five such characters, none of which begins with E0 or ED.
static inline bool are_five(const uint8_t *text) {
#if DECANT_DIRECT_STEP == 16
  typedef uint8_t block __attribute__((vector_size(16)));
  const block masks = {0xF0, 0xC0, 0xC0, 0xF0, 0xC0, 0xC0, 0xF0, 0xC0,
                       0xC0, 0xF0, 0xC0, 0xC0, 0xF0, 0xC0, 0xC0, 0};
  const block marks = {0xE0, 0x80, 0x80, 0xE0, 0x80, 0x80, 0xE0, 0x80,
                       0x80, 0xE0, 0x80, 0x80, 0xE0, 0x80, 0x80, 0};
  block bytes;
  memcpy(&bytes, text, sizeof bytes);
  bytes &= (block)(masks != 0);
  const block others = (block)(((bytes & masks) != marks) | (bytes == 0xE0) | (bytes == 0xED));
  return decant_direct_marks((decant_direct_block)others) == 0;
#else
  (void)text;
  return false;
#endif
}

// The length of the run of characters at `text` that are not ASCII; 0 if the first is broken. Copies them, and up to
// `length` bytes in all, unless `out` is NULL.
//
// Most such characters have three bytes, and are taken five or two at a time: a step of constant length does not wait for
// a load.
static inline size_t take_characters(uint8_t *out, const uint8_t *text, size_t length) {
  size_t at = 0;
  while (length - at >= 16 && are_five(text + at)) {
    if (out != NULL) memcpy(out + at, text + at, 16);
    at += 15;
  }
  while (length - at >= 8) {
    const uint64_t word = decant_load_word(text + at);
    if (!is_three(word)) break;
    if (out != NULL) memcpy(out + at, text + at, 8);
    if (!is_three(word >> 24)) return at + 3;
    at += 6;
  }
  if (at > 0) return at;
  const size_t size = decant_utf8_length(text, 0, length);
  if (size > length) return 0;
  for (size_t place = 0; out != NULL && place < size; place++) out[place] = text[place];
  return size;
}

bool decant_is_utf8(const uint8_t *text, size_t length) {
  const uint64_t high = 0x8080808080808080u;
  size_t at = 0;
  while (at < length) {
    if (text[at] < 0x80) {
      uint64_t word;
      while (length - at >= 8 && (memcpy(&word, text + at, 8), (word & high) == 0)) at += 8;
      while (at < length && text[at] < 0x80) at++;
      continue;
    }
    const size_t size = take_characters(NULL, text + at, length - at);
    if (size == 0) return false;
    at += size;
  }
  return true;
}

// Escaping never makes text shorter. So the remaining text needs at least its own length, and that many bytes may be
// written while they are checked.
ptrdiff_t decant_copy_text(uint8_t *out, size_t capacity, const uint8_t *text, size_t length) {
  if (length > capacity) return DECANT_TEXT_LONG;
  size_t spare = capacity - length;
  uint8_t *const start = out;
  const uint8_t *const end = text + length;
  while (text < end) {
    const size_t left = (size_t)(end - text);
    if (*text >= 0x80) {
      const size_t size = take_characters(out, text, left);
      if (size == 0) return DECANT_TEXT_BROKEN;
      text += size;
      out += size;
      continue;
    }
    if (left >= DECANT_DIRECT_STEP) {
      const uint64_t mask = decant_direct_mask(text);
      memcpy(out, text, DECANT_DIRECT_STEP);
      const size_t plain = mask == 0 ? DECANT_DIRECT_STEP : decant_direct_first(mask);
      text += plain;
      out += plain;
      // After a plain step, the next steps are expected to be plain.
      if (mask == 0 && left - plain > DECANT_SHORT_TEXT) {
        const size_t more = decant_current_kernel()->copy_plain(out, text, left - plain);
        text += more;
        out += more;
      }
      if (plain != 0) continue;
    } else if (decant_is_plain(*text)) {
      *out++ = *text++;
      continue;
    }
    uint8_t escape[DECANT_ESCAPE_CAPACITY];
    size_t consumed = 0;
    const size_t size = decant_write_escaped(escape, sizeof escape, text, 1, &consumed, 0);
    if (size - 1 > spare) return DECANT_TEXT_LONG;
    spare -= size - 1;
    memcpy(out, escape, size);
    out += size;
    text++;
  }
  return out - start;
}
