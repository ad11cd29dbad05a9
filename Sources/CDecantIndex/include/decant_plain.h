// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Copies text of C programs into JSON. Plain text is ASCII that needs no escape in a JSON string, as most strings and
// almost all keys. It is checked and copied in one pass:
//
//   Ann         plain       decant_copy_plain: copied as it is
//   A"nn, Änn   not plain   decant_copy_text: checked for UTF-8 and escaped, also in one pass
//
// Nothing beyond the text is written. If a length is not a multiple of a word's, words overlap, so that nothing outside
// the text is read.

#ifndef DECANT_PLAIN_H
#define DECANT_PLAIN_H

#include <string.h>

#include "decant_direct.h"

DECANT_BEGIN

bool decant_copy_plain_long(uint8_t *out, const uint8_t *text, size_t length);

// Copies text if all of it is plain. Otherwise, some of the `length` bytes at `out` may be written.
DECANT_INLINE bool decant_copy_plain(uint8_t *out, const uint8_t *text, size_t length) {
  if (length >= 16) return decant_copy_plain_long(out, text, length);
  if (length >= 8) {
    uint64_t head, tail;
    memcpy(&head, text, 8);
    memcpy(&tail, text + length - 8, 8);
    memcpy(out, &head, 8);
    memcpy(out + length - 8, &tail, 8);
    return (decant_word_attention(head) | decant_word_attention(tail)) == 0;
  }
  if (length >= 4) {
    uint32_t head, tail;
    memcpy(&head, text, 4);
    memcpy(&tail, text + length - 4, 4);
    memcpy(out, &head, 4);
    memcpy(out + length - 4, &tail, 4);
    return decant_word_attention(head | (uint64_t)tail << 32) == 0;
  }
  uint64_t word = 0x2020202020202020u;
  for (size_t at = 0; at < length; at++) {
    out[at] = text[at];
    word = word << 8 | text[at];
  }
  return decant_word_attention(word) == 0;
}

// Copies any number of bytes without a call. Nothing outside them is read or written.
DECANT_INLINE void decant_copy_run(uint8_t *out, const uint8_t *from, size_t length) {
  if (length < 16) {
    decant_copy_bytes(out, from, length);
    return;
  }
  const decant_sixteen tail = decant_sixteen_load((const char *)from + length - 16);
  for (size_t at = 0; at < length - 16; at += 16) {
    decant_sixteen_store((char *)out + at, decant_sixteen_load((const char *)from + at));
  }
  decant_sixteen_store((char *)out + length - 16, tail);
}

// The number of bytes at the beginning of a text that are printable ASCII.
DECANT_INLINE size_t decant_printable(const uint8_t *text, size_t length) {
  const uint64_t high = 0x8080808080808080u;
  size_t at = 0;
  for (uint64_t word; length - at >= 8; at += 8) {
    memcpy(&word, text + at, 8);
    const uint64_t controls = ~((word | high) - 0x2020202020202020u);
    const uint64_t deletes = (word & ~high) + 0x0101010101010101u;
    if (((word | controls | deletes) & high) != 0) break;
  }
  while (at < length && text[at] >= 0x20 && text[at] < 0x7F) at++;
  return at;
}

// Whether a text is printable ASCII without quotation marks and backslashes.
DECANT_INLINE bool decant_is_quotable(const uint8_t *text, size_t length) {
  const uint64_t high = 0x8080808080808080u;
  for (size_t step; length != 0; text += step, length -= step) {
    uint64_t word = 0x2020202020202020u;
    step = length < 8 ? length : 8;
    decant_copy_bytes(&word, text, step);
    const uint64_t deletes = (word & ~high) + 0x0101010101010101u;
    if ((decant_word_attention(word) | (deletes & high)) != 0) return false;
  }
  return true;
}

// Copies text with the escapes of RFC 8259 §7, and checks it. Returns the bytes written; or DECANT_TEXT_BROKEN if the
// text is not UTF-8, or DECANT_TEXT_LONG if `capacity` bytes are not enough. After that, some of them may be written.
enum { DECANT_TEXT_BROKEN = -1, DECANT_TEXT_LONG = -2 };
ptrdiff_t decant_copy_text(uint8_t *out, size_t capacity, const uint8_t *text, size_t length);

// The length of the UTF-8 sequence at `offset` (Unicode, table 3-7): 0 if it is broken, and what it should
// be if the input ends within. The first byte is not ASCII.
size_t decant_utf8_length(const uint8_t *text, size_t offset, size_t length);

// Whether text is UTF-8.
bool decant_is_utf8(const uint8_t *text, size_t length);

// Whether text is one JSON value, at most DECANT_CHECKED_DEPTH deep; white space around it is allowed. Needs no memory.
#define DECANT_CHECKED_DEPTH 512
bool decant_is_json(const uint8_t *text, size_t length);

// Whether all of the bytes are 0.
static inline bool decant_are_zero(const void *bytes, size_t length) {
  const uint8_t *at = (const uint8_t *)bytes;
  uint64_t word, all = 0;
  for (; length >= 8; length -= 8, at += 8) {
    memcpy(&word, at, 8);
    all |= word;
  }
  for (; length > 0; length--) all |= *at++;
  return all == 0;
}

// libc's strnlen and memchr, which C99 and Embedded Swift lack: the bytes before the first NUL, at most `limit`.
static inline size_t decant_bounded_length(const char *string, size_t limit) {
  const void *end = memchr(string, 0, limit);
  return end == NULL ? limit : (size_t)((const char *)end - string);
}

DECANT_END

#endif
