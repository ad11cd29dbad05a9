// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Text of C programs on its way into JSON (decant_plain.h), against a reference that takes a byte at a time: what
// is written, what is refused, and that nothing outside is touched. Texts and buffers are in blocks of exactly their
// size, so that sanitizers see every byte too many.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decant_plain.h"
#include "decant_write.h"
#include "failure.h"
#include "text.h"

static long checks, failures;

static void expect(bool holds, const char *what, size_t length, size_t at) {
  checks++;
  if (holds) return;
  if (++failures <= 20) printf("failed: %s, length %zu, at %zu\n", what, length, at);
  after_failure();
}

static uint64_t state = 88172645463325252u;

static uint64_t random_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

// MARK: The reference

static bool is_utf8(const uint8_t *text, size_t length) {
  for (size_t at = 0; at < length;) {
    const size_t size = text[at] < 0x80 ? 1 : decant_utf8_length(text, at, length);
    if (size == 0 || size > length - at) return false;
    at += size;
  }
  return true;
}

static size_t escape(uint8_t *out, const uint8_t *text, size_t length) {
  size_t count = 0;
  for (size_t at = 0; at < length; at++) {
    const uint8_t byte = text[at];
    const char *letter = byte == 0 ? NULL : strchr("\"\"\\\\\bb\tt\nn\ff\rr", byte);
    // Pairs of what is escaped and its letter.
    if (letter != NULL && (letter - "\"\"\\\\\bb\tt\nn\ff\rr") % 2 == 0 &&
        (byte < 0x20 || byte == '"' || byte == '\\')) {
      out[count++] = '\\';
      out[count++] = (uint8_t)letter[1];
    } else if (byte < 0x20) {
      count += (size_t)sprintf((char *)out + count, "\\u%04x", byte);
    } else {
      out[count++] = byte;
    }
  }
  return count;
}

// MARK: One text

static void check_text(const uint8_t *bytes, size_t length, size_t at) {
  uint8_t *text = malloc(length + (length == 0)), *expected = malloc(length * 6 + 1);
  memcpy(text, bytes, length);
  const bool is_text = is_utf8(text, length);
  expect(decant_is_utf8(text, length) == is_text, "decant_is_utf8", length, at);

  const size_t count = escape(expected, text, length);
  bool is_plain = count == length;
  for (size_t place = 0; place < length; place++) is_plain = is_plain && text[place] < 0x80;
  uint8_t *out = malloc(length + (length == 0));
  expect(decant_copy_plain(out, text, length) == is_plain, "decant_copy_plain", length, at);
  if (is_plain) expect(memcmp(out, text, length) == 0, "a plain copy", length, at);
  free(out);

  // Of the capacities, those around what is needed.
  for (size_t capacity = count < 3 ? 0 : count - 3; capacity < count + 3; capacity++) {
    uint8_t *copy = malloc(capacity + (capacity == 0));
    memset(copy, 0xA5, capacity);
    const ptrdiff_t written = decant_copy_text(copy, capacity, text, length);
    if (!is_text) {
      // A capacity that is too small may be noticed first.
      expect(written == DECANT_TEXT_BROKEN || (written == DECANT_TEXT_LONG && capacity < count),
             "broken text", length, at);
    } else if (capacity < count) {
      expect(written == DECANT_TEXT_LONG, "a small capacity", length, at);
    } else {
      expect(written == (ptrdiff_t)count && memcmp(copy, expected, count) == 0, "decant_copy_text",
             length, at);
      for (size_t place = count; place < capacity; place++)
        expect(copy[place] == 0xA5, "a byte behind", length, at);
    }
    free(copy);
  }
  free(expected);
  free(text);
}

static void check_texts(void) {
  static const char *const pieces[] = {
      "\"", "\\", "\x01", "\n", "\x7F", "\xC3\xA9", "\xE2\x82\xAC", "\xE0\xA0\x80", "\xED\x9F\xBF",
      "\xEF\xBF\xBF", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF",
      "\xE3\x81\x82\xE3\x81\x84\xE3\x81\x86",
      // Broken ones.
      "\x80", "\xBF", "\xC1\xBF", "\xC3", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE2\x82",
      "\xE2\x28\xA1", "\xF0\x8F\xBF\xBF", "\xF0\x9F\x98", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
      "\xFF"};
  uint8_t text[80];
  for (size_t length = 0; length <= 70; length++) {
    memset(text, 'x', sizeof text);
    check_text(text, length, 0);
    for (size_t which = 0; which < sizeof pieces / sizeof *pieces; which++) {
      const size_t size = strlen(pieces[which]);
      for (size_t at = 0; at + size <= length; at++) {
        memset(text, 'x', sizeof text);
        memcpy(text + at, pieces[which], size);
        check_text(text, length, at);
      }
    }
  }
  for (long round = 0; round < 20000; round++) {
    size_t length = 0;
    while (length < 64 && random_bits() % 12 != 0) {
      const char *piece =
          pieces[random_bits() % (random_bits() % 4 != 0 ? 13 : sizeof pieces / sizeof *pieces)];
      memcpy(text + length, piece, strlen(piece));
      length += strlen(piece);
    }
    check_text(text, length, 0);
  }
}

// MARK: JSON

static bool builds(const uint8_t *text, size_t length) {
  decant_context context;
  memset(&context, 0, sizeof context);
  uint64_t slots[4];
  decant_rules rules;
  memset(&rules, 0, sizeof rules);
  rules.maximum_depth = DECANT_CHECKED_DEPTH;
  rules.maximum_bytes = UINT32_MAX - 1;
  decant_context_prepare(&context, text, length, &rules, NULL, slots, 4, NULL);
  const bool is_built = decant_index_build(&context) == DECANT_INDEX_OK;
  if (is_built) decant_index_discard(&context);
  return is_built;
}

static void check_json(const uint8_t *bytes, size_t length) {
  uint8_t *text = malloc(length + (length == 0));
  memcpy(text, bytes, length);
  expect(decant_is_json(text, length) == builds(text, length), "decant_is_json", length, 0);
  free(text);
}

static void check_documents(void) {
  static const char *const documents[] = {
      "",
      " ",
      "1",
      " [1, 2.5e3, -0] ",
      "{\"a\":{\"b\":[true,false,null,\"\\u00e9\\n\xC3\xA9\"]},\"c\":\"\"}",
      "[1,]",
      "{\"a\":1,}",
      "nul",
      "1 2",
      "\"\xFF\"",
      "\"\\ud800\"",
      "{\"a\"}",
      "[",
      "]",
      "{}",
      "[]",
      "\xEF\xBB\xBF[]",
      "NaN",
      "[1]//",
      "1e400"};
  static const char bytes[] = "{}[],:\"\\ 019.eE+-tfnul\x80\xC3\n";
  for (size_t which = 0; which < sizeof documents / sizeof *documents; which++) {
    uint8_t text[128];
    const size_t length = strlen(documents[which]);
    memcpy(text, documents[which], length);
    check_json(text, length);
    for (long round = 0; round < 2000 && length > 0; round++) {
      memcpy(text, documents[which], length);
      for (uint64_t left = 1 + random_bits() % 3; left > 0; left--) {
        text[random_bits() % length] = (uint8_t)bytes[random_bits() % (sizeof bytes - 1)];
      }
      check_json(text, length);
      check_json(text, random_bits() % length);
    }
  }
  uint8_t deep[2 * (DECANT_CHECKED_DEPTH + 1)];
  for (size_t depth = DECANT_CHECKED_DEPTH - 1; depth <= DECANT_CHECKED_DEPTH + 1; depth++) {
    memset(deep, '[', depth);
    memset(deep + depth, ']', depth);
    expect(decant_is_json(deep, 2 * depth) == (depth <= DECANT_CHECKED_DEPTH), "depth", depth, 0);
    check_json(deep, 2 * depth);
    check_json(deep, depth);
  }
}

static void check_zeros(void) {
  for (size_t length = 0; length <= 40; length++) {
    uint8_t *bytes = calloc(length + 1, 1);
    expect(decant_are_zero(bytes, length), "zeros", length, 0);
    expect(decant_bounded_length((char *)bytes, length) == 0, "no bytes before a NUL", length, 0);
    for (size_t at = 0; at < length; at++) {
      bytes[at] = 0x80;
      expect(!decant_are_zero(bytes, length), "not zeros", length, at);
      expect(at > 0 || decant_bounded_length((char *)bytes, length) == 1, "bytes before a NUL",
             length, at);
      bytes[at] = 0;
    }
    bytes[length] = 1;
    expect(decant_are_zero(bytes, length), "zeros, and more", length, 0);
    free(bytes);
  }
}

static void check_printable(void) {
  for (size_t length = 0; length <= 40; length++) {
    uint8_t *bytes = malloc(length + (length == 0)), *copy = calloc(length + 1, 1);
    for (size_t at = 0; at < length; at++) bytes[at] = (uint8_t)(0x20 + random_bits() % 0x5F);
    expect(decant_printable(bytes, length) == length, "printable", length, length);
    copy[length] = 0xA5;
    decant_copy_run(copy, bytes, length);
    expect(memcmp(copy, bytes, length) == 0 && copy[length] == 0xA5, "a copy", length, length);
    for (size_t at = 0; at < length; at++) {
      const uint8_t before = bytes[at];
      for (int byte = 0; byte < 256; byte++) {
        bytes[at] = (uint8_t)byte;
        const size_t count = byte >= 0x20 && byte < 0x7F ? length : at;
        expect(decant_printable(bytes, length) == count, "printable bytes", length, at);
      }
      bytes[at] = before;
    }
    free(bytes);
    free(copy);
  }
}

int main(void) {
  check_printable();
  check_texts();
  check_documents();
  check_zeros();
  printf("%ld passed, %ld failed\n", checks - failures, failures);
  return failures != 0;
}
