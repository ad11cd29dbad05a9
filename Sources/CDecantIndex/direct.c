// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The cold half of the direct path, and its loops (decant_direct.h).

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
    while (from < end && decant_is_plain(*from)) from++;
    if (from == end || *from == '\\') return from;
    const size_t size = sequence_length(from, end);
    if (size == 0) return from;
    from += size;
  }
}

// A string in any script, with escapes, or close to the end of the text. Its first `copied` bytes are plain and were
// copied already.
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
      // The last bytes of the text, the first of which were copied already.
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
      // The general path decides about a NUL byte: it knows whether the string has a length.
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

// MARK: Values that no field has

// Returns the byte after the closing quote of a string whose bytes begin at `from`, or NULL.
static const uint8_t *skip_string(const uint8_t *from, const uint8_t *end) {
  from = decant_key_end(from, end);
  while (*from != '"') {
    // decant_key_end stops at an escape, too. Any other byte is not allowed in a string.
    const size_t size = *from == '\\' ? sequence_length(from, end) : 0;
    if (size == 0) return NULL;
    from = decant_key_end(from + size, end);
  }
  return from + 1;
}

// Whether a byte behind an integer's digits is a real's.
DECANT_INLINE bool is_of_real(uint8_t byte) { return byte == '.' || (byte | 0x20) == 'e'; }

// Returns the byte after a string, a number or a literal, or NULL.
static const uint8_t *skip_scalar(const uint8_t *at, const uint8_t *end) {
  switch (*at) {
    case '"': return skip_string(at + 1, end);
    case 't': return decant_is_literal(at, end, "true") ? at + 4 : NULL;
    case 'f': return decant_is_literal(at, end, "false") ? at + 5 : NULL;
    case 'n': return decant_is_literal(at, end, "null") ? at + 4 : NULL;
    default: {
      const decant_integer_end integer = decant_read_integer(at, end);
      // The caller checks the byte after an integer, except for the rest of a real.
      if (integer.end != NULL && !is_of_real(*integer.end)) return integer.end;
      return decant_read_number(at, end).end;
    }
  }
}

// Returns the byte after a member's key and its colon, or NULL.
static const uint8_t *skip_key(const uint8_t *at, const uint8_t *end) {
  if (*at != '"') return NULL;
  at = skip_string(at + 1, end);
  if (at == NULL) return NULL;
  at = decant_skip_white(at);
  return *at == ':' ? decant_skip_white(at + 1) : NULL;
}

const uint8_t *decant_skip_value(const uint8_t *at, const uint8_t *end) {
  if (*at != '{' && *at != '[') return skip_scalar(at, end);
  uint64_t objects = 0;  // a bit for each container around, the innermost lowest: 1 for objects
  size_t depth = 0;
  for (;;) {
    bool is_empty = false;
    if (*at == '{' || *at == '[') {
      if (depth++ == DECANT_SKIP_LEVELS) return NULL;
      objects = objects << 1 | (*at == '{');
      at = decant_skip_white(at + 1);
      is_empty = *at == ((objects & 1) != 0 ? '}' : ']');
      if (!is_empty) {
        if ((objects & 1) != 0 && (at = skip_key(at, end)) == NULL) return NULL;
        continue;
      }
    } else {
      at = skip_scalar(at, end);
      if (at == NULL) return NULL;
    }
    // The end of a value, or of an empty container.
    for (; depth > 0; is_empty = false) {
      if (!is_empty) {
        at = decant_skip_white(at);
        if (*at == ',') break;
      }
      // The last brace of the text closes nothing inside.
      if (*at != ((objects & 1) != 0 ? '}' : ']') || at == end) return NULL;
      at++;
      objects >>= 1;
      depth--;
    }
    if (depth == 0) return at;
    at = decant_skip_white(at + 1);
    if ((objects & 1) != 0 && (at = skip_key(at, end)) == NULL) return NULL;
  }
}

bool decant_is_counted_key(const uint8_t *text, size_t count, const uint8_t *key, size_t length) {
  if (length != 0) return length == count && memcmp(text, key, count) == 0;
  size_t at = 0;
  while (at < count && text[at] == key[at]) at++;
  return at == count && key[count] == 0;
}
