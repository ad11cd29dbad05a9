// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The steps over a text (decant_direct.h), compared with the index: what they accept the index
// accepts, with the same bytes and numbers; and what they may not leave to it they do accept.
//
//   direct_tests [seed]
//
// Every text is a block of its own, so that sanitizers see who reads beside it. The last line is
// "N passed, N failed"; a check is one text in one step.

#include "decant_direct.h"
#include "decant_engine.h"
#include "failure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long passed, failed;

static void check(bool fine, const char *what, const uint8_t *text, size_t length) {
  if (fine) {
    passed++;
  } else {
    if (failed++ < 40) printf("FAILED: %s: %.*s\n", what, (int)length, (const char *)text);
    after_failure();
  }
}

static uint64_t random_state;

static uint64_t random_word(void) {  // SplitMix64
  uint64_t word = random_state += 0x9E3779B97F4A7C15u;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
  word = (word ^ word >> 27) * 0x94D049BB133111EBu;
  return word ^ word >> 31;
}

static size_t random_below(size_t limit) { return (size_t)(random_word() % limit); }

#define ONE_OF(list) list[random_below(sizeof list / sizeof *list)]

// A text that grows.
struct text {
  uint8_t bytes[8192];
  size_t length;
};

static void add(struct text *text, const char *bytes, size_t length) {
  if (sizeof text->bytes - text->length < length) return;
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
}
static void add_string(struct text *text, const char *string) { add(text, string, strlen(string)); }

// Changes a byte, takes one away, or leaves all as it is, half of the time.
static void mutate(struct text *text) {
  if (text->length == 0 || random_below(2) != 0) return;
  const size_t place = random_below(text->length);
  if (random_below(3) == 0) {
    memmove(text->bytes + place, text->bytes + place + 1, --text->length - place);
  } else {
    static const char bytes[] = "\"\\{}[],:0e-.u\n\x01\x1f\x7f\x80\xc0\xed\xf5\xff ";
    text->bytes[place] = (uint8_t)ONE_OF(bytes);
  }
}

// A copy of the text in a block of its own, with `after` behind it and the closing bracket behind that.
static uint8_t *block_of(const struct text *text, const char *after, const uint8_t **end) {
  const size_t length = text->length + strlen(after);
  uint8_t *block = malloc(length + 1);
  if (block == NULL) abort();
  memcpy(block, text->bytes, text->length);
  memcpy(block + text->length, after, strlen(after));
  block[length] = '}';
  *end = block + length;
  return block;
}

static bool index_accepts(decant_context *context, const struct text *text) {
  static const decant_rules rules = {.maximum_bytes = UINT32_MAX - 1,
                                     .maximum_depth = 1000,
                                     .maximum_errors = 1,
                                     .duplicates = DECANT_DUPLICATES_FIRST};
  return decant_context_open(context, NULL, text->bytes, text->length, NULL, &rules, NULL) ==
         DECANT_INDEX_OK;
}

// MARK: - Strings

// The text between quotes: mostly plain.
static void add_content(struct text *text, size_t pieces) {
  static const char *const odd[] = {"\\n",
                                    "\\\"",
                                    "\\\\",
                                    "\\/",
                                    "\\u0041",
                                    "\\ud83d\\ude00",
                                    "\\u00e9",
                                    "é",
                                    "日本",
                                    "\xf0\x9f\x98\x80",
                                    "\xf4\x8f\xbf\xbf",
                                    "\x7f"};
  for (size_t piece = 0; piece < pieces; piece++) {
    if (random_below(4) == 0) {
      add_string(text, ONE_OF(odd));
    } else {
      static const char plain[] = "plain letters of any number, 0123456789";
      const size_t from = random_below(20);
      add(text, plain + from, random_below(sizeof plain - 1 - from));
    }
  }
}

static void test_string(void) {
  struct text content = {.length = 0}, quoted = {.length = 0};
  add_content(&content, random_below(6));
  mutate(&content);
  const bool has_quotes = memchr(content.bytes, '"', content.length) != NULL;
  const bool has_escapes = memchr(content.bytes, '\\', content.length) != NULL;
  if (has_quotes && !has_escapes) return;  // it ends there, and that is another text
  add(&quoted, "\"", 1);
  add(&quoted, (const char *)content.bytes, content.length);
  add(&quoted, "\"", 1);

  decant_context context;
  const bool is_string = index_accepts(&context, &quoted);
  const uint8_t *end;
  uint8_t *block = block_of(&content, "\",\"more\":1", &end);
  uint8_t *copy = malloc((size_t)(end - block));
  if (copy == NULL) abort();
  const decant_string_end string = decant_copy_string(copy, block, end);
  const bool is_copied = string.quote == block + content.length;
  check(is_copied == is_string, "a string is copied if it is one", quoted.bytes, quoted.length);
  const uint8_t *key_end = decant_key_end(block, end);
  const bool is_plain = is_string && !has_escapes;
  check((key_end == block + content.length && *key_end == '"') == is_plain,
        "a key ends at its quote", quoted.bytes, quoted.length);
  if (is_string && is_copied) {
    uint8_t expected[sizeof content.bytes];
    const size_t length = decant_unescape(content.bytes, content.length, expected);
    check(length == string.length && memcmp(copy, expected, length) == 0,
          "a copy is what the string spells", quoted.bytes, quoted.length);
  }
  if (is_string) decant_index_discard(&context);
  free(copy);
  free(block);

  // Without a closing quote.
  if (has_quotes) return;
  block = block_of(&content, "", &end);
  copy = malloc((size_t)(end - block) + 1);
  if (copy == NULL) abort();
  check(decant_copy_string(copy, block, end).quote == NULL && *decant_key_end(block, end) != '"',
        "what has no closing quote is no string", content.bytes, content.length);
  free(copy);
  free(block);
}

// MARK: - Integers

static void test_integer(void) {
  struct text number = {.length = 0};
  if (random_below(3) == 0) add_string(&number, "-");
  for (size_t digits = random_below(21); digits > 0; digits--) {
    const char digit = (char)('0' + random_below(10));
    add(&number, &digit, 1);
  }
  const size_t sign = number.length != 0 && number.bytes[0] == '-';
  const size_t digits = number.length - sign;
  const bool is_number = digits > 0 && (digits == 1 || number.bytes[sign] != '0');
  const bool is_integer = is_number && digits <= 18;
  static const char *const after[] = {"", ",\"a\":1", " ", "   ,\"b\":22222", "]"};
  const uint8_t *end;
  uint8_t *block = block_of(&number, ONE_OF(after), &end);
  const decant_integer_end read = decant_read_integer(block, end);
  check((read.end != NULL) == is_integer, "an integer is read if it is one", number.bytes,
        number.length);
  if (read.end != NULL && is_integer) {
    number.bytes[number.length] = 0;
    check(
        read.end == block + number.length && read.value == strtoll((char *)number.bytes, NULL, 10),
        "with its value", number.bytes, number.length);
  }
  check(decant_read_number(block, end).end == (is_number ? block + number.length : NULL),
        "a number of any length", number.bytes, number.length);
  free(block);
}

// MARK: - Keys

static void test_key(void) {
  const size_t length = random_below(40), other = random_below(4) == 0 ? random_below(40) : length;
  uint8_t *text = malloc(length + 1), *key = malloc(other + 1);
  if (text == NULL || key == NULL) abort();
  for (size_t at = 0; at < length; at++) text[at] = (uint8_t)('a' + at % 26);
  for (size_t at = 0; at < other; at++) key[at] = (uint8_t)('a' + at % 26);
  key[other] = 0;
  if (other != 0 && random_below(2) == 0) key[random_below(other)] ^= 1;
  const bool are_equal = length == other && memcmp(text, key, length) == 0;
  check(decant_is_key(text, length, key, 0) == are_equal, "a key that ends with NUL", key, other);
  if (other != 0) {
    check(decant_is_key(text, length, key, other) == are_equal, "a key with a length", key, other);
  }
  free(text);
  free(key);
}

int main(int count, char **arguments) {
  const bool quick = count > 1 && strcmp(arguments[1], "--quick") == 0;
  random_state = count > 1 && !quick ? strtoull(arguments[1], NULL, 10) : 1;
  printf("seed %llu\n", (unsigned long long)random_state);
  for (int round = 0; round < (quick ? 6000 : 60000); round++) {
    test_string();
    test_integer();
    test_key();
  }
  printf("%lu passed, %lu failed\n", passed, failed);
  return failed != 0;
}
