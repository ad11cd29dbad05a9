// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What the direct path does seldom, or in a loop (decant_direct.h).

#include "decant_direct.h"

#include "internal.h"
#include "tokens.h"

// The length of the plain bytes, the UTF-8 sequence or the escape at `from`; 0 for anything else.
static size_t sequence_length(const uint8_t *from, const uint8_t *end) {
  const size_t left = (size_t)(end - from);
  size_t size = 1;
  if (left == 0 || *from == '"') return 0;
  if (*from == '\\') return decant_check_escape(from, 0, left, &size) == DECANT_INDEX_OK ? size : 0;
  if (*from < 0x80) return decant_is_plain(*from);
  size = decant_utf8_length(from, 0, left);
  return size <= left ? size : 0;
}

const uint8_t *decant_key_end_bytewise(const uint8_t *from, const uint8_t *end) {
  while (true) {
    while (end - from >= DECANT_DIRECT_STEP) {
      const uint64_t mask = decant_direct_mask(from);
      from += mask != 0 ? decant_direct_first(mask) : DECANT_DIRECT_STEP;
      if (mask != 0) break;
    }
    if (from == end || *from == '\\') return from;
    const size_t size = sequence_length(from, end);
    if (size == 0) return from;
    from += size;
  }
}

// A string in any script, with escapes, or close to the end of the text. Its first `copied` bytes are plain,
// and copied.
decant_string_end decant_copy_any_string(uint8_t *to, const uint8_t *from, const uint8_t *end,
                                         size_t copied) {
  const decant_string_end none = {NULL, 0};
  uint8_t *const start = to;
  const uint8_t *run = from;  // from here on, the bytes are the same in the text and in the copy
  to += copied;
  from += copied;
  while (from < end) {
    uint64_t mask;
    if (end - from >= DECANT_DIRECT_STEP) {
      mask = decant_direct_mask(from);
      memcpy(to, from, DECANT_DIRECT_STEP);
      const size_t count = mask != 0 ? decant_direct_first(mask) : DECANT_DIRECT_STEP;
      from += count;
      to += count;
      if (mask == 0) continue;
    } else if (from - run >= DECANT_DIRECT_STEP) {
      // The last bytes of the text, of which the first were copied before.
      const size_t again = DECANT_DIRECT_STEP - (size_t)(end - from);
      mask = decant_direct_mask(end - DECANT_DIRECT_STEP) >> again * DECANT_DIRECT_BITS;
      if (mask == 0) return none;
      const size_t count = decant_direct_first(mask);
      from += count;
      to += count;
      memcpy(to - DECANT_DIRECT_STEP, from - DECANT_DIRECT_STEP, DECANT_DIRECT_STEP);
    } else {
      while (from < end && decant_is_plain(*from)) *to++ = *from++;
      if (from == end) return none;
    }
    if (*from == '"') return (decant_string_end){from, (size_t)(to - start)};
    if (*from == '\\') {
      const size_t size = sequence_length(from, end);
      if (size == 0) return none;
      const size_t count = decant_unescape(from, size, to);
      // A NUL byte is for those who know whether something counts the string.
      if (*to == 0) return none;
      to += count;
      run = from += size;
      continue;
    }
    do {
      const size_t size = sequence_length(from, end);
      if (size == 0) return none;
      for (const uint8_t *const next = from + size; from < next;) *to++ = *from++;
    } while (from < end && *from >= 0x80);
  }
  return none;
}

const uint8_t *decant_skip_white_run(const uint8_t *at) {
  while (true) {
    while (*at == ' ') at++;
    if (!decant_is_white(*at)) return at;
    at++;
  }
}

decant_integer_end decant_read_long_integer(const uint8_t *at) {
  const bool minus = *at == '-';
  at += minus;
  const uint8_t *const first = at;
  uint64_t magnitude = 0;
  for (uint8_t digit; (digit = (uint8_t)(*at - '0')) <= 9; at++) magnitude = magnitude * 10 + digit;
  const ptrdiff_t count = at - first;
  if (count == 0 || count > 18 || (*first == '0' && count != 1)) {
    return (decant_integer_end){NULL, 0};
  }
  return (decant_integer_end){at, minus ? -(int64_t)magnitude : (int64_t)magnitude};
}

bool decant_is_counted_key(const uint8_t *text, size_t count, const uint8_t *key, size_t length) {
  if (length != 0) return length == count && memcmp(text, key, count) == 0;
  size_t at = 0;
  while (at < count && text[at] == key[at]) at++;
  return at == count && key[count] == 0;
}
