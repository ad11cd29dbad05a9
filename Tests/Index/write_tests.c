// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Numbers and strings as text, against the C library: every text reads back as the same number, none is
// longer than the shortest that does, and every escape is one of RFC 8259 §7. Members and elements: each function
// writes what its parts are, or nothing, whatever the capacity is. Every kernel writes what its scalar twin writes.
//
//   write_tests [NUMBERS]    how many random bit patterns of each format: 100,000; --fewer: 25,000; --quick: 5,000

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decant_plain.h"
#include "decant_write.h"
#include "failure.h"
#include "internal.h"

static long checks, failures;

static void expect(bool holds, const char *what, const char *found) {
  checks++;
  if (holds) return;
  if (++failures <= 20) printf("failed: %s: %s\n", what, found);
  after_failure();
}

static uint64_t state = 88172645463325252u;

static uint64_t random_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static const char *text_of_double(double value) {
  static char text[DECANT_NUMBER_CAPACITY + 1];
  text[decant_write_double((uint8_t *)text, value)] = 0;
  return text;
}

static const char *text_of_float(float value) {
  static char text[DECANT_NUMBER_CAPACITY + 1];
  text[decant_write_float((uint8_t *)text, value)] = 0;
  return text;
}

// Digits of the significand, without zeros at either end.
static int significant(const char *text) {
  int digits = 0, zeros = 0, started = 0;
  for (; *text != 0 && *text != 'e'; text++) {
    if (*text == '-' || *text == '.') continue;
    if (*text == '0' && !started) continue;
    started = 1;
    if (*text == '0')
      zeros++;
    else
      digits += zeros + 1, zeros = 0;
  }
  return digits;
}

// Reads back, no fewer digits would do, and no text of as many digits is nearer.
static void check_double(uint64_t bits) {
  double value, back;
  memcpy(&value, &bits, sizeof value);
  if (!isfinite(value))
    return expect(text_of_double(value)[0] == 0, "not finite", text_of_double(value));
  const char *text = text_of_double(value);
  char *end;
  back = strtod(text, &end);
  expect(*end == 0 && memcmp(&back, &value, sizeof back) == 0, "a double reads back", text);
  if (value == 0) return;
  const int digits = significant(text);
  char other[64];
  if (digits > 1) {
    snprintf(other, sizeof other, "%.*e", digits - 2, value);
    expect(strtod(other, NULL) != value, "a double has a shorter text", text);
  }
  // printf's text of as many digits is the nearest one: if it reads back, it is ours.
  snprintf(other, sizeof other, "%.*e", digits - 1, value);
  if (strtod(other, NULL) == value) {
    const long double distance = fabsl(strtold(text, NULL) - (long double)value);
    const long double least = fabsl(strtold(other, NULL) - (long double)value);
    expect(distance <= least, "a double has a nearer text", text);
  }
}

static void check_float(uint32_t bits) {
  float value, back;
  memcpy(&value, &bits, sizeof value);
  if (!isfinite(value))
    return expect(text_of_float(value)[0] == 0, "not finite", text_of_float(value));
  const char *text = text_of_float(value);
  char *end;
  back = strtof(text, &end);
  expect(*end == 0 && memcmp(&back, &value, sizeof back) == 0, "a float reads back", text);
  const int digits = significant(text);
  char other[64];
  if (digits > 1) {
    snprintf(other, sizeof other, "%.*e", digits - 2, (double)value);
    expect(strtof(other, NULL) != value, "a float has a shorter text", text);
  }
}

static void test_spellings(void) {
  static const struct {
    double value;
    const char *text;
  } doubles[] = {
      {0, "0"},
      {-0.0, "-0"},
      {1, "1"},
      {-1.5, "-1.5"},
      {0.1, "0.1"},
      {0.3, "0.3"},
      {100, "100"},
      {123456.789, "123456.789"},
      {0.0001, "0.0001"},
      {0.00012, "0.00012"},
      {0.00001, "1e-05"},
      {1.25e-7, "1.25e-07"},
      {9007199254740991, "9007199254740991"},
      {9007199254740992, "9007199254740992"},
      {9007199254740994, "9.007199254740994e+15"},
      {1e16, "1e+16"},
      {1e22, "1e+22"},
      {1e23, "1e+23"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {2.2250738585072014e-308, "2.2250738585072014e-308"},
      {2251799813685248.5, "2251799813685248.5"},
      // In the middle of two candidates: the even one.
      {1125899906842624.25, "1125899906842624.2"},
      {1125899906842624.75, "1125899906842624.8"},
      // An end of the interval is a multiple of ten, and belongs to it if the significand is even.
      {18014398509482008, "1.801439850948201e+16"},
      {18014398509482012, "1.8014398509482012e+16"},
      {18014398509482028, "1.8014398509482028e+16"},
      {18014398509482032, "1.801439850948203e+16"},
      // Sixteen nines are seventeen digits.
      {0.99999999999999989, "0.9999999999999999"},
      {9999999999999998e-3, "9999999999999.998"},
      {-65.613616999999977, "-65.61361699999998"},
      {9.5367431640625e-07, "9.5367431640625e-07"}};
  for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
    const char *text = text_of_double(doubles[i].value);
    expect(strcmp(text, doubles[i].text) == 0, doubles[i].text, text);
  }
  expect(strcmp(text_of_float(0.1f), "0.1") == 0, "0.1f", text_of_float(0.1f));
  expect(strcmp(text_of_float(16777216), "16777216") == 0, "2^24", text_of_float(16777216));
  expect(strcmp(text_of_float(16777218), "1.6777218e+07") == 0, "2^24 + 2",
         text_of_float(16777218));
  expect(strcmp(text_of_float(1e-45f), "1e-45") == 0, "1e-45", text_of_float(1e-45f));
}

static void check_integer(int64_t value) {
  uint8_t text[DECANT_NUMBER_CAPACITY];
  char expected[DECANT_NUMBER_CAPACITY];
  size_t length = decant_write_int64(text, value);
  int count = snprintf(expected, sizeof expected, "%lld", (long long)value);
  expect(length == (size_t)count && memcmp(text, expected, length) == 0, "an integer", expected);
  length = decant_write_uint64(text, (uint64_t)value);
  count = snprintf(expected, sizeof expected, "%llu", (unsigned long long)value);
  expect(length == (size_t)count && memcmp(text, expected, length) == 0, "an unsigned integer",
         expected);
}

static void test_integers(long count) {
  uint64_t power = 1;
  for (int digits = 0; digits < 20; digits++, power *= 10) {
    for (int64_t near = -2; near <= 2; near++) check_integer((int64_t)(power + (uint64_t)near));
  }
  for (int bit = 0; bit < 64; bit++) {
    for (int64_t near = -2; near <= 2; near++)
      check_integer((int64_t)((UINT64_C(1) << bit) + (uint64_t)near));
  }
  while (count-- > 0) check_integer((int64_t)(random_bits() >> (random_bits() & 63)));
}

static void test_numbers(long count) {
  for (uint64_t exponent = 0; exponent < 0x800; exponent++) {
    const uint64_t fractions[] = {
        0, 1, 2, (UINT64_C(1) << 52) - 1, (UINT64_C(1) << 52) - 2, UINT64_C(1) << 51};
    for (int i = 0; i < 6; i++) check_double(exponent << 52 | fractions[i]);
  }
  for (uint32_t exponent = 0; exponent < 0x100; exponent++) {
    const uint32_t fractions[] = {0, 1, 2, (1u << 23) - 1, (1u << 23) - 2, 1u << 22};
    for (int i = 0; i < 6; i++) check_float(exponent << 23 | fractions[i]);
  }
  for (uint64_t bits = 1; bits < 2000; bits++) check_double(bits);
  for (long i = 0; i < count; i++) {
    check_double(random_bits());
    check_float((uint32_t)random_bits());
    // Decimals of few digits, as people write them.
    const double value =
        (double)(int64_t)(random_bits() % 100000000) / pow(10, (double)(random_bits() % 9));
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    check_double(bits);
  }
}

// MARK: Strings

// The letter of a byte's short escape, or 0 if it has none.
static char escape_letter(uint8_t byte) {
  switch (byte) {
    case '"': return '"';
    case '\\': return '\\';
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    default: return 0;
  }
}

// What RFC 8259 §7 asks for, byte by byte.
static size_t escape_plainly(char *out, const uint8_t *text, size_t length, uint32_t flags) {
  size_t written = 0;
  for (size_t i = 0; i < length; i++) {
    const char letter = escape_letter(text[i]);
    if (letter != 0 || (text[i] == '/' && flags != 0)) {
      out[written++] = '\\';
      out[written++] = letter != 0 ? letter : '/';
    } else if (text[i] < 0x20) {
      written += (size_t)sprintf(out + written, "\\u%04x", text[i]);
    } else {
      out[written++] = (char)text[i];
    }
  }
  return written;
}

// The text in a block of its own, so that a sanitizer sees what is read beyond its ends; and in steps of
// `capacity`.
static void check_string(const uint8_t *bytes, size_t length, uint32_t flags, size_t capacity) {
  uint8_t *text = malloc(length + (length == 0)), *step = malloc(capacity);
  char expected[2048];
  uint8_t out[2048];
  memcpy(text, bytes, length);
  const size_t expected_length = escape_plainly(expected, text, length, flags);
  size_t consumed = 0, written = 0, rounds = 0;
  while (consumed < length && rounds++ < 4096) {
    const size_t count = decant_write_escaped(step, capacity, text, length, &consumed, flags);
    memcpy(out + written, step, count);
    written += count;
  }
  expect(written == expected_length && memcmp(out, expected, written) == 0, "a string", expected);
  free(text);
  free(step);
}

static void test_strings(void) {
  uint8_t bytes[300];
  for (size_t length = 0; length < 80; length++) {
    for (size_t place = 0; place <= length; place++) {
      memset(bytes, 'a', sizeof bytes);
      if (place < length) bytes[place] = (uint8_t) "\"\\\n\x1f/\x80\x00\x20\x7f\xff"[place % 10];
      check_string(bytes, length, (uint32_t)(place & 1), 32 + place);
    }
  }
  for (int byte = 0; byte < 256; byte++) {
    for (size_t length = 1; length < 36; length += 7) {
      memset(bytes, 'x', sizeof bytes);
      bytes[length - 1] = (uint8_t)byte;
      check_string(bytes, length, 0, 400);
      check_string(bytes, length, DECANT_ESCAPE_SLASHES, 40);
    }
  }
  for (int round = 0; round < 20000; round++) {
    const size_t length = random_bits() % 300;
    const uint64_t one_in = random_bits() % 24 + 1;
    for (size_t i = 0; i < length; i++) {
      bytes[i] = random_bits() % one_in == 0 ? (uint8_t)random_bits()
                                             : (uint8_t)('a' + random_bits() % 26);
    }
    check_string(bytes, length, (uint32_t)(random_bits() & 1), 32 + random_bits() % 400);
  }
}

// MARK: Kernels

// A text of which one byte may need an escape, at an offset in a block of its own, by one kernel: in steps of
// `capacity`, into memory that ends there.
static void check_kernel(const struct decant_kernel *kernel, size_t offset, const uint8_t *bytes,
                         size_t length, uint32_t flags, size_t capacity) {
  uint8_t *block = malloc(offset + length + 1), *step = malloc(capacity);
  uint8_t *text = block + offset + 1;
  memcpy(text, bytes, length);
  char expected[2048];
  uint8_t out[2048];
  const size_t expected_length = escape_plainly(expected, text, length, flags);
  size_t consumed = 0, written = 0, rounds = 0;
  while (consumed < length && rounds++ < 4096) {
    const size_t count = kernel->escape(step, capacity, text, length, &consumed, flags);
    if (count > capacity || written + count > sizeof out) break;
    memcpy(out + written, step, count);
    written += count;
  }
  expect(consumed == length && written == expected_length && memcmp(out, expected, written) == 0,
         kernel->name, expected);
  size_t plain = 0;
  while (plain < length && decant_is_plain(text[plain])) plain++;
  uint8_t *copy = malloc(length + (length == 0));
  expect(kernel->copy_plain(copy, text, length) == plain && memcmp(copy, text, plain) == 0,
         "a kernel's plain bytes", kernel->name);
  free(copy);
  free(step);
  free(block);
}

static void test_kernel(const struct decant_kernel *kernel) {
  uint8_t bytes[300];
  // The kernel without vectors reads words: sixteen offsets are all of its alignments.
  const size_t every = strcmp(kernel->name, "scalar") == 0 ? 16 : 64;
  for (size_t length = 0; length <= 200; length++) {
    // Around the border of a block, every offset.
    const bool is_near = length % 16 <= 1 || length % 16 == 15;
    for (size_t place = 0; place <= length; place++) {
      memset(bytes, 'a', sizeof bytes);
      if (place < length)
        bytes[place] = (uint8_t) "\"\\\n\x1f/\x80\x00\x20\x7f\xff"[(place + length) % 10];
      const size_t offsets = is_near && length >= 15 ? every : 1;
      for (size_t offset = 0; offset < offsets; offset++) {
        check_kernel(kernel, offsets == 1 ? place % 64 : offset, bytes, length,
                     (uint32_t)(place & 1),
                     offset % 2 == 0 ? 400 : DECANT_ESCAPE_CAPACITY + (place + offset) % 200);
      }
    }
  }
  for (int round = 0; round < 20000; round++) {
    const size_t length = random_bits() % 300;
    const uint64_t one_in = random_bits() % 60 + 1;
    for (size_t i = 0; i < length; i++) {
      bytes[i] = random_bits() % one_in == 0 ? (uint8_t)random_bits()
                                             : (uint8_t)('a' + random_bits() % 26);
    }
    check_kernel(kernel, random_bits() % 64, bytes, length, (uint32_t)(random_bits() & 1),
                 DECANT_ESCAPE_CAPACITY + random_bits() % 400);
  }
}

static void test_kernels(void) {
  for (size_t index = 0; decant_kernel_at(index) != NULL; index++)
    test_kernel(decant_kernel_at(index));
}

// MARK: Members and elements

enum kind { INT64, DOUBLE, BOOL, NULL_VALUE, STRING, SMALL_STRING, KEY, KINDS };

struct member {
  enum kind kind;
  const uint8_t *key;  // NULL for an element
  size_t length;
  int64_t integer;
  double number;
  const uint8_t *value;
  size_t count;
};

// As it should be: a comma if one is due, the key, the value.
static size_t write_plainly(char *out, const struct member *member, bool is_first, uint32_t flags) {
  char *start = out;
  if (!is_first) *out++ = ',';
  if (member->key != NULL) {
    *out++ = '"';
    out += escape_plainly(out, member->key, member->length, flags);
    *out++ = '"';
    *out++ = ':';
  }
  switch (member->kind) {
    case INT64: out += sprintf(out, "%lld", (long long)member->integer); break;
    case DOUBLE: out += decant_write_double((uint8_t *)out, member->number); break;
    case BOOL: out += sprintf(out, "%s", member->integer != 0 ? "true" : "false"); break;
    case NULL_VALUE: out += sprintf(out, "null"); break;
    case STRING:
    case SMALL_STRING:
      *out++ = '"';
      out += escape_plainly(out, member->value, member->count, flags);
      *out++ = '"';
      break;
    case KEY:
    case KINDS: break;
  }
  return (size_t)(out - start);
}

static bool add_member(decant_output *output, const struct member *member) {
  const uint8_t *key = member->key;
  const size_t length = member->length;
  uint64_t words[2] = {0, 0};
  switch (member->kind) {
    case INT64: return decant_output_add_int64(output, key, length, member->integer);
    case DOUBLE: return decant_output_add_double(output, key, length, member->number);
    case BOOL: return decant_output_add_bool(output, key, length, member->integer != 0);
    case NULL_VALUE: return decant_output_add_null(output, key, length);
    case STRING: return decant_output_add_string(output, key, length, member->value, member->count);
    case SMALL_STRING:
      for (size_t i = 0; i < member->count; i++)
        words[i / 8] |= (uint64_t)member->value[i] << 8 * (i % 8);
      return decant_output_add_small_string(output, key, length, words[0], words[1], member->count);
    case KEY: return decant_output_begin_member(output, key, length);
    case KINDS: break;
  }
  return false;
}

// In a buffer that ends after `capacity` bytes, so that a sanitizer sees what is written beyond it.
static bool check_member(const struct member *member, bool is_first, uint32_t flags,
                         size_t capacity) {
  static char expected[8192];
  const char *before =
      member->key != NULL ? (is_first ? "{" : "{\"a\":1") : (is_first ? "[" : "[1");
  const size_t start = strlen(before);
  memcpy(expected, before, start);
  const size_t length = start + write_plainly(expected + start, member, is_first, flags);
  uint8_t *buffer = malloc(start + capacity);
  memcpy(buffer, before, start);
  decant_output output = {buffer, buffer + start, buffer + start + capacity, flags};
  const bool is_added = add_member(&output, member);
  const size_t written = (size_t)(output.end - buffer);
  if (is_added)
    expect(written == length && memcmp(buffer, expected, length) == 0, "a member", expected);
  else
    expect(written == start && memcmp(buffer, before, start) == 0,
           "a text that nothing was added to", expected);
  free(buffer);
  return is_added;
}

static void fill_text(uint8_t *text, size_t length, uint64_t one_in) {
  for (size_t i = 0; i < length; i++) {
    text[i] =
        random_bits() % one_in == 0 ? (uint8_t)random_bits() : (uint8_t)('a' + random_bits() % 26);
  }
}

static void test_members(long count) {
  for (long round = 0; round < count; round++) {
    const size_t length = random_bits() % 40;
    struct member member = {.kind = (enum kind)(random_bits() % KINDS), .length = length};
    uint8_t *key = malloc(length + 1), *value = malloc(300);
    fill_text(key, length, random_bits() % 8 == 0 ? 16 : UINT64_MAX);
    if (member.kind == KEY || random_bits() % 4 != 0)
      member.key = key;
    else
      member.length = 0;
    member.integer = (int64_t)(random_bits() >> (random_bits() & 63));
    member.number = (double)member.integer / 1024;
    member.count = random_bits() % (member.kind == SMALL_STRING ? 16
                                    : random_bits() % 2 == 0    ? 20
                                                                : 200);
    fill_text(value, member.count, random_bits() % 4 == 0 ? 1 + random_bits() % 12 : UINT64_MAX);
    // A block of its own, for a sanitizer.
    uint8_t *text = malloc(member.count + (member.count == 0));
    memcpy(text, value, member.count);
    member.value = text;
    const uint32_t flags = random_bits() & 1;
    const bool is_first = random_bits() % 3 == 0;
    check_member(&member, is_first, flags, random_bits() % 128);
    // Enough for the bytes, and perhaps not for their escapes.
    check_member(&member, is_first, flags, length + member.count + 32 + random_bits() % 96);
    expect(!check_member(&member, is_first, flags | DECANT_OUTPUT_LAID_OUT, 4096),
           "a text that is laid out", "");
    char escaped[2048];
    const bool is_plain = escape_plainly(escaped, member.key != NULL ? key : value, member.length,
                                         flags) == member.length;
    expect(check_member(&member, is_first, flags, 4096) == is_plain,
           "added unless a key needs an escape", "");
    free(key);
    free(value);
    free(text);
  }
  const struct member infinite = {.kind = DOUBLE, .number = (double)INFINITY};
  expect(!check_member(&infinite, true, 0, 100), "an infinity", "");
}

// The same by a list of keys: what is not done leaves members and text as they were.
static void test_known_members(long count) {
  static const char *names[] = {
      "\"id\":", "\"a key of more than thirty-two bytes, which is long\":",
      "\"exactly thirty-two bytes long\":"};
  decant_key keys[256] = {{0}};
  for (size_t i = 0; i < 3; i++) {
    const size_t length = strlen(names[i]);
    keys[i].start = calloc(1, length < DECANT_KEY_CAPACITY ? DECANT_KEY_CAPACITY : length);
    memcpy(keys[i].start, names[i], length);
    keys[i].count = (uint32_t)length;
    keys[i].bit = UINT64_C(1) << (i * 31);
  }
  for (long round = 0; round < count; round++) {
    const size_t capacity = random_bits() % 256,
                 length = random_bits() % (random_bits() % 2 == 0 ? 16 : 80);
    uint8_t *buffer = malloc(1 + capacity), *value = malloc(length + (length == 0));
    fill_text(value, length, random_bits() % 4 == 0 ? 12 : UINT64_MAX);
    *buffer = '{';
    char expected[1024] = "{";
    size_t written = 1;
    decant_output output = {buffer, buffer + 1, buffer + 1 + capacity, random_bits() & 1};
    decant_members members = {random_bits() % 8 == 0 ? NULL : &output,
                              random_bits() % 8 == 0 ? NULL : keys, 0};
    for (int turn = 0; turn < 5; turn++) {
      const uint8_t place = (uint8_t)(random_bits() % 4);
      const uint64_t seen = members.seen;
      const int64_t integer = (int64_t)random_bits();
      struct member member = {
          .kind = (enum kind)(random_bits() % KINDS), .value = value, .count = length};
      member.integer = integer;
      member.number = random_bits() % 8 == 0 ? (double)NAN : (double)integer / 64;
      if (member.kind == NULL_VALUE || member.kind == KEY) member.kind = BOOL;
      if (member.kind == SMALL_STRING && length > 15) member.kind = STRING;
      uint64_t words[2] = {0, 0};
      for (size_t i = 0; i < length && i < 16; i++)
        words[i / 8] |= (uint64_t)value[i] << 8 * (i % 8);
      bool added = false;
      switch (member.kind) {
        case INT64: added = decant_members_add_int64(&members, keys, place, integer); break;
        case DOUBLE: added = decant_members_add_double(&members, keys, place, member.number); break;
        case BOOL: added = decant_members_add_bool(&members, keys, place, integer != 0); break;
        case STRING: added = decant_members_add_string(&members, keys, place, value, length); break;
        case SMALL_STRING:
          added =
              decant_members_add_small_string(&members, keys, place, words[0], words[1], length);
          break;
        case NULL_VALUE:
        case KEY:
        case KINDS: break;
      }
      if (added) {
        written +=
            (size_t)sprintf(expected + written, "%s%s", written == 1 ? "" : ",", names[place]);
        struct member plain = member;
        plain.key = NULL;
        written += write_plainly(expected + written, &plain, true, output.flags);
        expect(members.output != NULL && members.keys == keys && place < 3 &&
                   (seen & keys[place].bit) == 0,
               "added what can be", expected);
        expect(members.seen == (seen | keys[place].bit), "the object has the key", expected);
      } else {
        expect(members.seen == seen, "the object has no other key", expected);
      }
      expect(written == (size_t)(output.end - buffer) && memcmp(buffer, expected, written) == 0,
             "members", expected);
    }
    free(buffer);
    free(value);
  }
  uint8_t text[200] = "{";
  decant_output output = {text, text + 1, text + sizeof text, 0};
  decant_members members = {&output, keys, 0};
  expect(decant_members_begin(&members, keys, 0) &&
             decant_members_add_bool(&members, keys, 1, true) &&
             decant_members_add_int64(&members, keys, 2, 1) &&
             !decant_members_begin(&members, keys, 0) && !decant_members_begin(&members, keys, 3) &&
             !decant_members_begin(&members, NULL, 0),
         "each key once", "");
  output.flags = DECANT_OUTPUT_LAID_OUT;
  members.seen = 0;
  expect(!decant_members_begin(&members, keys, 0), "a text that is laid out", "");
  for (size_t i = 0; i < 3; i++) free(keys[i].start);
}

static void test_elements(void) {
  int64_t integers[50];
  double numbers[50];
  for (size_t i = 0; i < 50; i++) {
    integers[i] = (int64_t)(random_bits() >> (random_bits() & 63));
    numbers[i] = (double)integers[i] / 64;
  }
  numbers[33] = (double)NAN;
  for (size_t capacity = 0; capacity < 1500; capacity += 7) {
    char expected[2048] = "[";
    uint8_t *buffer = malloc(1 + capacity);
    *buffer = '[';
    decant_output output = {buffer, buffer + 1, buffer + 1 + capacity, 0};
    const size_t added = decant_output_add_int64s(&output, integers, 50);
    size_t length = 1;
    for (size_t i = 0; i < added; i++) {
      length +=
          (size_t)sprintf(expected + length, "%s%lld", i == 0 ? "" : ",", (long long)integers[i]);
    }
    expect(length == (size_t)(output.end - buffer) && memcmp(buffer, expected, length) == 0,
           "integers", expected);
    expect(added == 50 || 1 + capacity - length < DECANT_NUMBER_CAPACITY + 10,
           "as many integers as have space", expected);
    output.end = buffer + 1;
    const size_t more = decant_output_add_doubles(&output, numbers, 50);
    length = 1;
    for (size_t i = 0; i < more; i++) {
      if (i > 0) expected[length++] = ',';
      length += decant_write_double((uint8_t *)expected + length, numbers[i]);
    }
    expect(length == (size_t)(output.end - buffer) && memcmp(buffer, expected, length) == 0,
           "doubles", expected);
    expect(more <= 33 && (more == 33 || capacity < 1000), "doubles up to one that is not finite",
           expected);
    // Whole arrays, or nothing.
    for (size_t size = 0; size < 50; size += 1 + size / 4) {
      output.end = buffer + 1;
      const bool first = decant_output_add_double_array(&output, numbers, size);
      const bool next = decant_output_add_int64_array(&output, integers, size);
      length = 1;
      for (int kind = 0; kind < 2; kind++) {
        if (!(kind == 0 ? first : next)) continue;
        length += (size_t)sprintf(expected + length, kind == 1 && first ? ",[" : "[");
        for (size_t i = 0; i < size; i++) {
          if (i > 0) expected[length++] = ',';
          length += kind == 0 ? decant_write_double((uint8_t *)expected + length, numbers[i])
                              : decant_write_int64((uint8_t *)expected + length, integers[i]);
        }
        expected[length++] = ']';
      }
      expect(length == (size_t)(output.end - buffer) && memcmp(buffer, expected, length) == 0,
             "arrays", expected);
      expect(!first || size <= 33, "an array with a number that is not finite", expected);
      expect(first || size > 33 || capacity < 1100, "an array that has space", expected);
      output.flags = DECANT_OUTPUT_LAID_OUT;
      expect(!decant_output_add_double_array(&output, numbers, 0), "an array that is laid out",
             expected);
      output.flags = 0;
    }
    free(buffer);
  }
}

int main(int count, char **arguments) {
  const bool quick = count > 1 && strcmp(arguments[1], "--quick") == 0;
  const bool fewer = count > 1 && strcmp(arguments[1], "--fewer") == 0;
  const long numbers = quick ? 5000 : fewer ? 25000 : count > 1 ? atol(arguments[1]) : 100000;
  test_spellings();
  test_integers(numbers);
  test_numbers(numbers);
  test_strings();
  test_kernels();
  test_members(quick ? 20000 : fewer ? 50000 : 200000);
  test_known_members(quick ? 20000 : fewer ? 50000 : 200000);
  test_elements();
  printf("%ld checks, %ld failures\n", checks, failures);
  return failures != 0;
}
