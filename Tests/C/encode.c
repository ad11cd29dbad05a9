/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Structs as JSON: every kind of field, there and back; every way to be wrong; every capacity.
 */
#include "check.h"
#include "everything.h"

#include <math.h>
#include <stdlib.h>

/* The text of a struct, which is checked in every capacity: the same length and status, the beginning of the same
 * bytes, and no byte behind them. To be freed; NULL after a failure. */
static char *encoded_at(const decant_record *record, const void *value, decant_error *error, int line) {
  size_t length = 77;
  const decant_status status = decant_encode(record, value, NULL, 0, &length, error);
  if (status != DECANT_OK) {
    char buffer[512];
    memset(buffer, 0x55, sizeof buffer);
    size_t other = 77;
    check_at(length == 0, "a failure has no length", line);
    check_at(decant_encode(record, value, buffer, 200, &other, NULL) == status, "the same failure", line);
    for (size_t at = 200; at < sizeof buffer; at++) {
      if (buffer[at] != 0x55) {
        check_at(false, "nothing behind the capacity", line);
        return NULL;
      }
    }
    return NULL;
  }
  char *text = malloc(length + 1);
  size_t other = 0;
  check_at(decant_encode(record, value, text, length, &other, error) == DECANT_OK && other == length,
           "as much as was measured is enough", line);
  text[length] = 0;
  /* Of long texts, every seventh capacity where each is dear. */
  const size_t step = has_fewer_rounds() && length > 200 ? 7 : 1;
  for (size_t capacity = 0; capacity <= length + 40; capacity += step) {
    /* Of the heap, so that AddressSanitizer and valgrind see its end; and with bytes behind the text. */
    char *buffer = malloc(capacity + 1);
    memset(buffer, 0x55, capacity + 1);
    const decant_status found = decant_encode(record, value, buffer, capacity, &other, NULL);
    const size_t written = capacity < length ? capacity : length;
    bool fine = found == (capacity < length ? DECANT_BUFFER_TOO_SMALL : DECANT_OK) && other == length;
    fine = fine && memcmp(buffer, text, written) == 0;
    if (capacity > length) fine = fine && buffer[length] == 0;
    for (size_t at = length + 1; at < capacity; at++) fine = fine && buffer[at] == 0x55;
    fine = fine && buffer[capacity] == 0x55;
    free(buffer);
    if (!fine) {
      check_at(false, "a capacity", line);
      free(text);
      return NULL;
    }
  }
  return text;
}
#define encoded(record, value, error) encoded_at(record, value, error, __LINE__)

static void check_encoded(const decant_record *record, const void *value, const char *json, int line) {
  decant_error error = DECANT_ERROR_INIT;
  char *text = encoded_at(record, value, &error, line);
  if (text == NULL) printf("%s\n", error.message);
  check_text_at(text, json, line);
  free(text);
}

static void check_error(const decant_record *record, const void *value, decant_status status, const char *path,
                        const char *message, int line) {
  decant_error error = DECANT_ERROR_INIT;
  char *text = encoded_at(record, value, &error, line);
  check_text_at(text, NULL, line);
  free(text);
  check_text_at(decant_status_name(error.code), decant_status_name(status), line);
  check_text_at(error.path, path, line);
  check_text_at(error.message, message, line);
  check_at(error.error_count == 1 && error.offset == -1 && error.line == 0, "one error, and no place", line);
}

/* Decoded, written, decoded, written: the first and the second text are the same. */
static const char canonical_everything[] =
    "{\"flag\":true,\"i8\":-128,\"i16\":-32768,\"i32\":100,\"i64\":-9223372036854775808,\"u8\":255,"
    "\"u16\":65535,\"u32\":4294967295,\"u64\":18446744073709551615,\"real32\":0.1,\"real64\":1e-07,"
    "\"string\":\"a\\u0000\xC3\xA9\\n\",\"text\":\"text\",\"chars\":\"1234567\",\"color\":\"blue\","
    "\"meals\":[\"lunch\",\"dinner\"],\"raw\":{\"a\" : [1, {} ] },\"kind\":null,"
    "\"point\":{\"x\":1.5,\"y\":-2},\"maybe\":{\"x\":3,\"y\":4},\"numbers\":[1,2.5,-300],"
    "\"points\":[{\"x\":1,\"y\":2},{\"x\":3,\"y\":4}],\"names\":[\"Ann\",\"\",\"B\\\"b\"],"
    "\"triple\":[7,8,9],\"few\":[1,2],\"map\":{\"one\":1,\"two\":2},\"from_text\":-42,"
    "\"address\":{\"city\":\"Ulm\"},\"port\":80,\"host\":\"localhost\",\"level\":null,"
    "\"tree\":{\"id\":1,\"left\":{\"id\":2},\"children\":[{\"id\":3,\"children\":[{\"id\":4}]}]}}";

static void test_everything(void) {
  struct everything it;
  decant_error error = DECANT_ERROR_INIT;
  if (!check(decant_decode(&everything_record, everything_json, sizeof everything_json - 1, &it, &error) ==
                 DECANT_OK, "everything decodes")) {
    return;
  }
  check_encoded(&everything_record, &it, canonical_everything, __LINE__);
  decant_free(&everything_record, &it);
  if (!check(decant_decode(&everything_record, canonical_everything, sizeof canonical_everything - 1, &it, &error) ==
                 DECANT_OK, "what is written decodes")) {
    printf("%s\n", error.message);
    return;
  }
  check_encoded(&everything_record, &it, canonical_everything, __LINE__);
  decant_free(&everything_record, &it);
}

/* ---------------------------------------------------------------------------------------------------
 * One field at a time
 */

union any {
  bool flag;
  int8_t i8;
  int32_t i32;
  int64_t i64;
  uint32_t u32;
  uint64_t u64;
  float real32;
  double real64;
  const char *string;
  decant_text text;
  char chars[16];
  const void *pointer;
};

struct one {
  union any value;
  size_t length;
  uint8_t presence;
};
#define VALUE .offset = offsetof(struct one, value)
#define LENGTH .length_offset = offsetof(struct one, length)
#define PRESENCE .presence_offset = offsetof(struct one, presence)

static const decant_bounds five_to_nine = {.minimum = 5, .maximum = 9, .least = 5, .most = 9, .shortest = 2, .longest = 3};
static const decant_name access_names[] = {{"read", 1}, {"write", 2}, {"all", 3}, {"read-only", 1}, {NULL, 0}};
static const decant_name repeated[] = {{"a", 1}, {"a", 2}, {"b", 4}, {NULL, 0}};
static const decant_name no_names[] = {{NULL, 0}};
static const decant_name odd_names[] = {{"\xFF", 1}, {"a\"b", 2}, {"none", 0}, {NULL, 0}};
static const double nan_default = NAN;
static const int32_t unknown_default = -1;
static const char broken_default[] = "\xFF";
static const struct point two_points[] = {{1, 2}, {3, 0.5}};
static const int64_t three_integers[] = {1, -2, 3};
static const char *const two_strings[] = {"a", NULL};
static const decant_text two_texts[] = {{"a\0b", 3}, {"", 0}};
static const int32_t colors_and_none[] = {RED, 7};
static const int32_t kinds[] = {1, 2, 4, 5, 6, 7};
static const struct entry two_entries[] = {{"a\n", 1, 1}, {"b", 1, 2}};
static const struct entry bad_entries[] = {{"a", 1, 1}, {NULL, 0, 2}};
static const struct entry endless_entries[] = {{"a", SIZE_MAX, 1}};
static const char long_text[] = "0123456789abcdef0123456789abcdef\xE2\x82\xAC 0123456789abcdef\t\xF0\x9F\x98\x80";

static const struct {
  const char *name;
  decant_field field;
  struct one value;
  const char *json; /* or NULL: */
  decant_status status;
  const char *path, *message;
} cases[] = {
    {"bool", {.key = "a", .kind = DECANT_BOOL}, {{.flag = true}, 0, 0}, "{\"a\":true}", 0, 0, 0},
    {"no bool", {.key = "a", .kind = DECANT_BOOL}, {{.i8 = 2}, 0, 0}, NULL, DECANT_INVALID_VALUE, "/a",
     "/a: the bool has the value 2"},
    {"int8", {.key = "a", .kind = DECANT_INT8}, {{.i8 = -128}, 0, 0}, "{\"a\":-128}", 0, 0, 0},
    {"uint64", {.key = "a", .kind = DECANT_UINT64}, {{.u64 = UINT64_MAX}, 0, 0}, "{\"a\":18446744073709551615}", 0, 0, 0},
    {"in the bounds", {.key = "a", .kind = DECANT_INT64, .bounds = &five_to_nine}, {{.i64 = 9}, 0, 0}, "{\"a\":9}", 0, 0, 0},
    {"out of bounds", {.key = "a", .kind = DECANT_INT64, .bounds = &five_to_nine}, {{.i64 = 10}, 0, 0}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: expected a number in 5 to 9, found the number 10"},
    {"a uint64 out of bounds", {.key = "a", .kind = DECANT_UINT64, .bounds = &five_to_nine}, {{.u64 = UINT64_MAX}, 0, 0},
     NULL, DECANT_INVALID_VALUE, "/a", "/a: expected a number in 5 to 9, found the number 18446744073709551615"},
    {"a double out of bounds", {.key = "a", .kind = DECANT_DOUBLE, .bounds = &five_to_nine}, {{.real64 = 4.5}, 0, 0}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: expected a number in 5 to 9, found the number 4.5"},
    {"a float has a float's digits", {.key = "a", .kind = DECANT_FLOAT}, {{.real32 = 0.1f}, 0, 0}, "{\"a\":0.1}", 0, 0, 0},
    {"a double has a double's", {.key = "a", .kind = DECANT_DOUBLE}, {{.real64 = 0.1f}, 0, 0},
     "{\"a\":0.10000000149011612}", 0, 0, 0},
    {"negative zero", {.key = "a", .kind = DECANT_DOUBLE}, {{.real64 = -0.0}, 0, 0}, "{\"a\":-0}", 0, 0, 0},
    {"NaN", {.key = "a", .kind = DECANT_DOUBLE}, {{.real64 = NAN}, 0, 0}, NULL, DECANT_INVALID_VALUE, "/a",
     "/a: JSON has no infinity and no NaN"},
    {"infinity", {.key = "a/~b", .kind = DECANT_FLOAT}, {{.real32 = -INFINITY}, 0, 0}, NULL, DECANT_INVALID_VALUE, "/a~1~0b",
     "/a~1~0b: JSON has no infinity and no NaN"},

    {"string", {.key = "a", .kind = DECANT_STRING}, {{.string = "x\"y\\z/\x1F"}, 0, 0}, "{\"a\":\"x\\\"y\\\\z/\\u001f\"}",
     0, 0, 0},
    {"a long string", {.key = "a", .kind = DECANT_STRING}, {{.string = long_text}, 0, 0},
     "{\"a\":\"0123456789abcdef0123456789abcdef\xE2\x82\xAC 0123456789abcdef\\t\xF0\x9F\x98\x80\"}", 0, 0, 0},
    {"a counted string", {.key = "a", .kind = DECANT_STRING, LENGTH}, {{.string = "x\0y"}, 3, 0}, "{\"a\":\"x\\u0000y\"}",
     0, 0, 0},
    {"a text", {.key = "a", .kind = DECANT_TEXT}, {{.text = {"xyz", 2}}, 0, 0}, "{\"a\":\"xy\"}", 0, 0, 0},
    {"characters", {.key = "a", .kind = DECANT_CHARS, .capacity = 4}, {{.chars = "xyz"}, 0, 0}, "{\"a\":\"xyz\"}", 0, 0, 0},
    {"characters without an end", {.key = "a", .kind = DECANT_CHARS, .capacity = 4}, {{.chars = "wxyz"}, 0, 0}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: there is no NUL byte in 4 bytes"},
    {"not UTF-8", {.key = "a", .kind = DECANT_STRING}, {{.string = "abc\xC0\x80"}, 0, 0}, NULL, DECANT_INVALID_UTF8, "/a",
     "/a: the string is not UTF-8"},
    {"half of a character", {.key = "a", .kind = DECANT_TEXT}, {{.text = {"\xE2\x82\xAC", 2}}, 0, 0}, NULL,
     DECANT_INVALID_UTF8, "/a", "/a: the string is not UTF-8"},
    {"a surrogate", {.key = "a", .kind = DECANT_STRING}, {{.string = "\xED\xA0\x80"}, 0, 0}, NULL, DECANT_INVALID_UTF8, "/a",
     "/a: the string is not UTF-8"},
    {"too short", {.key = "a", .kind = DECANT_STRING, .bounds = &five_to_nine}, {{.string = ""}, 0, 0}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: expected a string of 2 to 3 bytes, found 0"},
    {"too long", {.key = "a", .kind = DECANT_STRING, .bounds = &five_to_nine}, {{.string = "abcd"}, 0, 0}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: expected a string of 2 to 3 bytes, found 4"},
    {"NULL", {.key = "a", .kind = DECANT_STRING}, {{.string = NULL}, 0, 0}, NULL, DECANT_MISSING_KEY, "/a",
     "/a: expected a string, found NULL"},
    {"NULL with a length", {.key = "a", .kind = DECANT_STRING, .flags = DECANT_OPTIONAL, LENGTH}, {{.string = NULL}, 3, 0},
     NULL, DECANT_INVALID_VALUE, "/a", "/a: the pointer is NULL, and the length is 3"},
    {"a text of NULL with a length", {.key = "a", .kind = DECANT_TEXT}, {{.text = {NULL, 3}}, 0, 0}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: the pointer is NULL, and the length is 3"},
    {"an optional text of NULL with a length", {.key = "a", .kind = DECANT_TEXT, .flags = DECANT_OPTIONAL},
     {{.text = {NULL, 3}}, 0, 0}, NULL, DECANT_INVALID_VALUE, "/a", "/a: the pointer is NULL, and the length is 3"},

    {"a length that no string has", {.key = "a", .kind = DECANT_STRING, LENGTH}, {{.string = "x"}, SIZE_MAX, 0}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: the length is too large"},
    {"a length that no text has", {.key = "a", .kind = DECANT_TEXT}, {{.text = {"x", SIZE_MAX}}, 0, 0}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: the length is too large"},

    {"an enum", {.key = "a", .kind = DECANT_ENUM, .names = colors}, {{.i32 = GREEN}, 0, 0}, "{\"a\":\"green\"}", 0, 0, 0},
    {"an enum without a name", {.key = "a", .kind = DECANT_ENUM, .names = colors}, {{.i32 = 7}, 0, 0}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: no name has the value 7; the names are \"red\", \"green\", \"blue\""},
    {"an enum by a name that is another value's", {.key = "a", .kind = DECANT_ENUM, .names = repeated}, {{.i32 = 2}, 0, 0}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: no name has the value 2; the names are \"a\", \"a\", \"b\""},
    {"an enum behind equal names", {.key = "a", .kind = DECANT_ENUM, .names = repeated}, {{.i32 = 4}, 0, 0}, "{\"a\":\"b\"}", 0, 0, 0},
    {"an enum that has no names", {.key = "a", .kind = DECANT_ENUM, .names = no_names}, {{.i32 = 7}, 0, 0}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: no name has the value 7"},
    {"a name with an escape", {.key = "a", .kind = DECANT_ENUM, .names = odd_names}, {{.i32 = 2}, 0, 0}, "{\"a\":\"a\\\"b\"}",
     0, 0, 0},
    {"a name that is not UTF-8", {.key = "a", .kind = DECANT_ENUM, .names = odd_names}, {{.i32 = 1}, 0, 0}, NULL,
     DECANT_INVALID_UTF8, "/a", "/a: the string is not UTF-8"},
    {"flags", {.key = "a", .kind = DECANT_FLAGS, .names = access_names}, {{.u32 = 3}, 0, 0}, "{\"a\":[\"read\",\"write\"]}",
     0, 0, 0},
    {"no flags", {.key = "a", .kind = DECANT_FLAGS, .names = access_names}, {{.u32 = 0}, 0, 0}, "{\"a\":[]}", 0, 0, 0},
    {"flags by a name that is another's", {.key = "a", .kind = DECANT_FLAGS, .names = repeated}, {{.u32 = 7}, 0, 0}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: no name has the value 2; the names are \"a\", \"a\", \"b\""},
    {"flags beside such a name", {.key = "a", .kind = DECANT_FLAGS, .names = repeated}, {{.u32 = 5}, 0, 0}, "{\"a\":[\"a\",\"b\"]}", 0, 0,
     0},
    {"flags without a name", {.key = "a", .kind = DECANT_FLAGS, .names = access_names}, {{.u32 = 14}, 0, 0}, NULL,
     DECANT_INVALID_VALUE, "/a",
     "/a: no name has the value 12; the names are \"read\", \"write\", \"all\", \"read-only\""},

    {"raw", {.key = "a", .kind = DECANT_RAW}, {{.string = " [1, 2e5]"}, 0, 0}, "{\"a\": [1, 2e5]}", 0, 0, 0},
    {"raw, counted", {.key = "a", .kind = DECANT_RAW, LENGTH}, {{.string = "123"}, 2, 0}, "{\"a\":12}", 0, 0, 0},
    {"not JSON", {.key = "a", .kind = DECANT_RAW}, {{.string = "1,\"b\":2"}, 0, 0}, NULL, DECANT_INVALID_VALUE, "/a",
     "/a: the raw text is not one JSON value, or has more than 512 levels"},
    {"nothing raw", {.key = "a", .kind = DECANT_RAW}, {{.string = ""}, 0, 0}, NULL, DECANT_INVALID_VALUE, "/a",
     "/a: the raw text is not one JSON value, or has more than 512 levels"},
    {"a kind", {.key = "a", .kind = DECANT_KIND}, {{.i32 = DECANT_VALUE_STRING}, 0, 0}, "{\"a\":\"\"}", 0, 0, 0},
    {"no kind", {.key = "a", .kind = DECANT_KIND}, {{.i32 = 3}, 0, 0}, NULL, DECANT_INVALID_VALUE, "/a",
     "/a: no kind has the value 3"},
    {"a missing kind", {.key = "a", .kind = DECANT_KIND}, {{.i32 = 0}, 0, 0}, NULL, DECANT_MISSING_KEY, "/a",
     "/a: expected a value, found none"},

    {"optional, absent", {.key = "a", .kind = DECANT_STRING, .flags = DECANT_OPTIONAL}, {{0}, 0, 0}, "{}", 0, 0, 0},
    {"optional, zero", {.key = "a", .kind = DECANT_INT32, .flags = DECANT_OPTIONAL}, {{0}, 0, 0}, "{}", 0, 0, 0},
    {"optional, negative zero", {.key = "a", .kind = DECANT_DOUBLE, .flags = DECANT_OPTIONAL}, {{.real64 = -0.0}, 0, 0},
     "{\"a\":-0}", 0, 0, 0},
    {"optional, without a name for zero", {.key = "a", .kind = DECANT_ENUM, .flags = DECANT_OPTIONAL, .names = colors},
     {{0}, 0, 0}, "{}", 0, 0, 0},
    {"present, zero", {.key = "a", .kind = DECANT_INT32, .flags = DECANT_OPTIONAL, PRESENCE}, {{0}, 0, 1}, "{\"a\":0}", 0,
     0, 0},
    {"not present", {.key = "a", .kind = DECANT_INT32, .flags = DECANT_OPTIONAL, PRESENCE}, {{.i32 = 5}, 0, 0}, "{}", 0, 0, 0},
    {"present, NULL", {.key = "a", .kind = DECANT_STRING, .flags = DECANT_OPTIONAL, PRESENCE}, {{0}, 0, 1}, NULL,
     DECANT_MISSING_KEY, "/a", "/a: expected a string, found NULL"},
    {"required, not present", {.key = "a", .kind = DECANT_INT32, PRESENCE}, {{.i32 = 5}, 0, 0}, NULL, DECANT_MISSING_KEY,
     "/a", "/a: expected an integer, found none"},
    {"state absent", {.key = "a", .kind = DECANT_INT32, .flags = DECANT_OPTIONAL | DECANT_STATE, PRESENCE}, {{0}, 0, 0}, "{}",
     0, 0, 0},
    {"state null", {.key = "a", .kind = DECANT_INT32, .flags = DECANT_OPTIONAL | DECANT_STATE, PRESENCE}, {{0}, 0, 1},
     "{\"a\":null}", 0, 0, 0},
    {"state value", {.key = "a", .kind = DECANT_INT32, .flags = DECANT_OPTIONAL | DECANT_STATE, PRESENCE}, {{0}, 0, 2},
     "{\"a\":0}", 0, 0, 0},
    {"no state", {.key = "a", .kind = DECANT_INT32, .flags = DECANT_OPTIONAL | DECANT_STATE, PRESENCE}, {{0}, 0, 3}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: the state is 3; states are 0 to 2"},
    {"required, null", {.key = "a", .kind = DECANT_INT32, .flags = DECANT_STATE, PRESENCE}, {{0}, 0, 1}, NULL,
     DECANT_MISSING_KEY, "/a", "/a: expected an integer, found none"},

    {"a default", {.key = "a", .kind = DECANT_INT32, .flags = DECANT_DEFAULT, .default_value = &default_port},
     {{.i32 = 80}, 0, 0}, "{\"a\":80}", 0, 0, 0},
    {"not the default", {.key = "a", .kind = DECANT_INT32, .flags = DECANT_DEFAULT, .default_value = &default_port},
     {{.i32 = 0}, 0, 0}, "{\"a\":0}", 0, 0, 0},
    {"a default without a name", {.key = "a", .kind = DECANT_ENUM, .flags = DECANT_DEFAULT, .names = colors,
     .default_value = &unknown_default}, {{.i32 = -1}, 0, 0}, "{}", 0, 0, 0},
    {"a default that is not UTF-8", {.key = "a", .kind = DECANT_STRING, .flags = DECANT_DEFAULT,
     .default_value = broken_default}, {{.string = broken_default}, 0, 0}, "{}", 0, 0, 0},
    {"a default that is NaN", {.key = "a", .kind = DECANT_DOUBLE, .flags = DECANT_DEFAULT, .default_value = &nan_default},
     {{.real64 = NAN}, 0, 0}, "{}", 0, 0, 0},

    {"an array", {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_INT64, LENGTH}, {{.pointer = three_integers}, 3, 0},
     "{\"a\":[1,-2,3]}", 0, 0, 0},
    {"an empty array", {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_INT64, LENGTH}, {{0}, 0, 0}, "{\"a\":[]}", 0, 0, 0},
    {"an optional array", {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_INT64, .flags = DECANT_OPTIONAL, LENGTH},
     {{0}, 0, 0}, "{}", 0, 0, 0},
    {"an array of NULL", {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_INT64, LENGTH}, {{0}, 4, 0}, NULL,
     DECANT_INVALID_VALUE, "/a", "/a: the pointer is NULL, and the length is 4"},
    {"a length that no array has", {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_INT64, LENGTH},
     {{.pointer = three_integers}, SIZE_MAX, 0}, NULL, DECANT_INVALID_VALUE, "/a", "/a: the length is too large"},
    {"an array out of bounds", {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_STRING, .bounds = &five_to_nine, LENGTH},
     {{.pointer = two_strings}, 1, 0}, NULL, DECANT_INVALID_VALUE, "/a",
     "/a: expected an array of 2 to 3 elements, found 1"},
    {"an element out of bounds", {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_INT64, .bounds = &five_to_nine, LENGTH},
     {{.pointer = three_integers}, 3, 0}, NULL, DECANT_INVALID_VALUE, "/a/0",
     "/a/0: expected a number in 5 to 9, found the number 1"},
    {"an element of NULL", {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_STRING, LENGTH},
     {{.pointer = two_strings}, 2, 0}, NULL, DECANT_MISSING_KEY, "/a/1", "/a/1: expected a string, found NULL"},
    {"texts", {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_TEXT, LENGTH}, {{.pointer = two_texts}, 2, 0},
     "{\"a\":[\"a\\u0000b\",\"\"]}", 0, 0, 0},
    {"enums", {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_ENUM, .names = colors, LENGTH},
     {{.pointer = colors_and_none}, 2, 0}, NULL, DECANT_INVALID_VALUE, "/a/1",
     "/a/1: no name has the value 7; the names are \"red\", \"green\", \"blue\""},
    {"kinds", {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_KIND, LENGTH}, {{.pointer = kinds}, 6, 0},
     "{\"a\":[null,false,0,\"\",[],{}]}", 0, 0, 0},
    {"structs", {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_RECORD, .record = &point_record, LENGTH},
     {{.pointer = two_points}, 2, 0}, "{\"a\":[{\"x\":1,\"y\":2},{\"x\":3,\"y\":0.5}]}", 0, 0, 0},
    {"a fixed array", {.key = "a", .kind = DECANT_FIXED_ARRAY, .element = DECANT_INT8, .capacity = 3},
     {{.chars = "\1\2\3"}, 0, 0}, "{\"a\":[1,2,3]}", 0, 0, 0},
    {"a fixed array, counted", {.key = "a", .kind = DECANT_FIXED_ARRAY, .element = DECANT_INT8, .capacity = 3, LENGTH},
     {{.chars = "\1\2\3"}, 2, 0}, "{\"a\":[1,2]}", 0, 0, 0},
    {"a fixed array of too many", {.key = "a", .kind = DECANT_FIXED_ARRAY, .element = DECANT_INT8, .capacity = 3, LENGTH},
     {{.chars = "\1\2\3"}, 4, 0}, NULL, DECANT_INVALID_VALUE, "/a",
     "/a: expected an array of at most 3 elements, found 4"},
    {"a length that no fixed array has",
     {.key = "a", .kind = DECANT_FIXED_ARRAY, .element = DECANT_INT8, .capacity = 3, LENGTH}, {{.chars = "\1"}, SIZE_MAX, 0},
     NULL, DECANT_INVALID_VALUE, "/a", "/a: the length is too large"},
    {"a map", {.key = "a", .kind = DECANT_MAP, .record = &entry_record, LENGTH}, {{.pointer = two_entries}, 2, 0},
     "{\"a\":{\"a\":1,\"b\":2}}", 0, 0, 0},
    {"an empty map", {.key = "a", .kind = DECANT_MAP, .record = &entry_record, LENGTH}, {{0}, 0, 0}, "{\"a\":{}}", 0, 0, 0},
    {"a map without a key", {.key = "a", .kind = DECANT_MAP, .record = &entry_record, LENGTH},
     {{.pointer = bad_entries}, 2, 0}, NULL, DECANT_MISSING_KEY, "/a/1", "/a/1: expected a string, found NULL"},
    {"a length that no key has", {.key = "a", .kind = DECANT_MAP, .record = &entry_record, LENGTH},
     {{.pointer = endless_entries}, 1, 0}, NULL, DECANT_INVALID_VALUE, "/a/0", "/a/0: the length is too large"},
    {"a map of no keys", {.key = "a", .kind = DECANT_MAP, .record = &point_record, LENGTH}, {{.pointer = two_points}, 2, 0},
     NULL, DECANT_INVALID_RECORD, "/a", "/a: the record of the map's members has no DECANT_KEY"},
    {"a struct elsewhere", {.key = "a", .kind = DECANT_RECORD_POINTER, .record = &point_record},
     {{.pointer = two_points}, 0, 0}, "{\"a\":{\"x\":1,\"y\":2}}", 0, 0, 0},
    {"a struct nowhere", {.key = "a", .kind = DECANT_RECORD_POINTER, .record = &point_record}, {{0}, 0, 0}, NULL,
     DECANT_MISSING_KEY, "/a", "/a: expected an object, found NULL"},
    {"an optional struct in place", {.key = "a", .kind = DECANT_RECORD, .flags = DECANT_OPTIONAL, .record = &point_record},
     {{0}, 0, 0}, "{}", 0, 0, 0},

    {"a key with escapes", {.key = "a\"\n\xC3\xA9", .kind = DECANT_INT64}, {{.i64 = 1}, 0, 0},
     "{\"a\\\"\\n\xC3\xA9\":1}", 0, 0, 0},
    {"a counted key", {.key = "a\0b", .key_length = 3, .kind = DECANT_INT64}, {{.i64 = 1}, 0, 0}, "{\"a\\u0000b\":1}", 0, 0, 0},
    {"a key that is not UTF-8", {.key = "\xFF", .kind = DECANT_INT64, .flags = DECANT_OPTIONAL}, {{.i64 = 1}, 0, 0}, NULL,
     DECANT_INVALID_RECORD, "", "the record's key is not UTF-8"},
    {"a pointer", {.key = "/a~1b/c", .kind = DECANT_INT64, .flags = DECANT_POINTER}, {{.i64 = 1}, 0, 0},
     "{\"a/b\":{\"c\":1}}", 0, 0, 0},
    {"a pointer into an array", {.key = "/a/0", .kind = DECANT_INT64, .flags = DECANT_POINTER}, {{.i64 = 1}, 0, 0},
     "{\"a\":[1]}", 0, 0, 0},
    {"a pointer to a key that is a number", {.key = "/1", .kind = DECANT_INT64, .flags = DECANT_POINTER}, {{.i64 = 1}, 0, 0},
     "{\"1\":1}", 0, 0, 0},
    {"the value itself", {.key = "", .kind = DECANT_STRING, .flags = DECANT_POINTER}, {{.string = "x"}, 0, 0}, "\"x\"", 0, 0, 0},
    {"the value itself, absent", {.key = "", .kind = DECANT_STRING, .flags = DECANT_POINTER | DECANT_OPTIONAL}, {{0}, 0, 0},
     "null", 0, 0, 0},
    {"an error behind a pointer", {.key = "/a~1b/c", .kind = DECANT_DOUBLE, .flags = DECANT_POINTER}, {{.real64 = NAN}, 0, 0},
     NULL, DECANT_INVALID_VALUE, "/a~1b/c", "/a~1b/c: JSON has no infinity and no NaN"},
};

static void test_cases(void) {
  for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
    decant_field field = cases[at].field;
    const decant_record record = {.size = sizeof(struct one), .fields = &field, .field_count = 1};
    const unsigned before = failed;
    if (cases[at].json != NULL) {
      check_encoded(&record, &cases[at].value, cases[at].json, __LINE__);
    } else {
      check_error(&record, &cases[at].value, cases[at].status, cases[at].path, cases[at].message, __LINE__);
    }
    if (failed > before) printf("         %s\n", cases[at].name);
  }
}

/* ---------------------------------------------------------------------------------------------------
 * Several fields
 */

struct place {
  int64_t id;
  const char *city, *street, *country;
  double x, y;
  int32_t kind;
  bool has_x;
};
#define PLACE(a_key, a_kind, member, some_flags) \
  {.key = a_key, .kind = a_kind, .flags = some_flags, .offset = offsetof(struct place, member)}

static void test_pointers(void) {
  const decant_field fields[] = {
      PLACE("id", DECANT_INT64, id, 0),
      PLACE("/address/city", DECANT_STRING, city, DECANT_POINTER | DECANT_OPTIONAL),
      {.key = "/at/0", .kind = DECANT_DOUBLE, .flags = DECANT_POINTER | DECANT_OPTIONAL,
       .offset = offsetof(struct place, x), .presence_offset = offsetof(struct place, has_x)},
      PLACE("/at/1", DECANT_DOUBLE, y, DECANT_POINTER | DECANT_OPTIONAL),
      PLACE("/address/street", DECANT_STRING, street, DECANT_POINTER | DECANT_OPTIONAL),
      PLACE("/address/in/country", DECANT_STRING, country, DECANT_POINTER | DECANT_OPTIONAL),
      PLACE("/address", DECANT_KIND, kind, DECANT_POINTER | DECANT_OPTIONAL)};
  const decant_record record = {
      .size = sizeof(struct place), .fields = fields, .field_count = sizeof fields / sizeof *fields};
  struct place place = {1, "Ulm", "A\nB", "DE", 1.5, 2, DECANT_VALUE_OBJECT, true};
  check_encoded(&record, &place,
                "{\"id\":1,\"address\":{\"city\":\"Ulm\",\"street\":\"A\\nB\",\"in\":{\"country\":\"DE\"}},\"at\":[1.5,2]}",
                __LINE__);
  place.city = place.country = NULL;
  place.has_x = false;
  check_encoded(&record, &place, "{\"id\":1,\"address\":{\"street\":\"A\\nB\"},\"at\":[null,2]}", __LINE__);
  place.street = NULL;
  place.y = 0;
  check_encoded(&record, &place, "{\"id\":1,\"address\":{}}", __LINE__);
  place.kind = 0;
  check_encoded(&record, &place, "{\"id\":1}", __LINE__);
  place.street = "\xFF";
  check_error(&record, &place, DECANT_INVALID_UTF8, "/address/street", "/address/street: the string is not UTF-8",
              __LINE__);
}

/* Two fields of one value, which cannot both be written. */
static void test_shared_values(void) {
  static const char *const pairs[][3] = {
      {"a", "a", "/a"}, {"/a", "a", "/a"}, {"/a", "/a/b", "/a/b"}, {"/a/b", "/a", "/a"}, {"", "a", "/a"},
      {"/a~1b", "a/b", "/a~1b"}, {"a", "b", NULL}, {"/a/b", "/a/c", NULL}, {"/a", "/ab", NULL}, {"ab", "abc", NULL}};
  struct place place = {.id = 1, .kind = DECANT_VALUE_NUMBER};
  for (size_t at = 0; at < sizeof pairs / sizeof *pairs; at++) {
    decant_field fields[2] = {PLACE(pairs[at][0], DECANT_INT64, id, 0), PLACE(pairs[at][1], DECANT_DOUBLE, x, 0)};
    for (int one = 0; one < 2; one++) {
      if (pairs[at][one][0] == '/' || pairs[at][one][0] == 0) fields[one].flags = DECANT_POINTER;
    }
    decant_record record = {.size = sizeof place, .fields = fields, .field_count = 2};
    decant_error error = DECANT_ERROR_INIT;
    char *text = encoded(&record, &place, &error);
    if (pairs[at][2] == NULL) {
      check(text != NULL, "two values");
      free(text);
      continue;
    }
    check_error(&record, &place, DECANT_DUPLICATE_KEY, pairs[at][2], error.message, __LINE__);
    check(strstr(error.message, "another field has the same value, or a part of it") != NULL, "and why");
    /* A kind beside a value, in either order. */
    fields[1].kind = DECANT_KIND;
    fields[1].offset = offsetof(struct place, kind);
    text = encoded(&record, &place, &error);
    if (strcmp(pairs[at][1], "/a/b") == 0 || pairs[at][0][0] == 0) {
      check_text(text, NULL); /* the kind of a part of a number */
    } else if (strcmp(pairs[at][0], "/a/b") != 0) {
      check_text(text, strstr(pairs[at][0], "b") ? "{\"a/b\":1}" : "{\"a\":1}");
    }
    free(text);
  }
  const decant_field fields[] = {PLACE("a", DECANT_KIND, kind, 0), PLACE("a", DECANT_STRING, city, DECANT_OPTIONAL)};
  const decant_record record = {.size = sizeof place, .fields = fields, .field_count = 2};
  place.kind = DECANT_VALUE_NULL;
  check_encoded(&record, &place, "{\"a\":null}", __LINE__);
  place.city = "x";
  check_encoded(&record, &place, "{\"a\":\"x\"}", __LINE__);

  /* The kind of an absent part: of a number that is written, which has none, and of one that is not. */
  const decant_field parts[] = {PLACE("/a/b", DECANT_KIND, kind, DECANT_POINTER | DECANT_OPTIONAL),
                                PLACE("a", DECANT_INT64, id, DECANT_OPTIONAL)};
  const decant_record part = {.size = sizeof place, .fields = parts, .field_count = 2};
  place.kind = 0;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_encode(&part, &place, NULL, 0, NULL, &error) == DECANT_DUPLICATE_KEY, "the kind of a part");
  check_text(error.path, "/a/b");
  place.id = 0;
  check_encoded(&part, &place, "{}", __LINE__);

  /* A map without members that is the record itself, and the kind of a member: null would not be read. */
  struct counted {
    struct entry *entries;
    size_t count;
    int32_t kind;
  } none = {NULL, 0, 0};
  const decant_field whole[] = {
      {.key = "", .kind = DECANT_MAP, .flags = DECANT_POINTER | DECANT_OPTIONAL, .record = &entry_record,
       .offset = offsetof(struct counted, entries), .length_offset = offsetof(struct counted, count)},
      {.key = "b", .kind = DECANT_KIND, .flags = DECANT_OPTIONAL, .offset = offsetof(struct counted, kind)}};
  const decant_record empty = {.size = sizeof none, .fields = whole, .field_count = 2};
  check_encoded(&empty, &none, "{}", __LINE__);
}

/* An optional value of zeros beside its kind, which says that it is there: what was decoded is written so that it decodes. */
static void test_kinds_of_zeros(void) {
  static const decant_name shades[] = {{"none", 0}, {"dark", 1}, {NULL, 0}};
  static const struct {
    decant_field field;
    const char *json, *text;
  } cases[] = {
      {{.key = "a", .kind = DECANT_INT64, .flags = DECANT_FROM_TEXT}, "{\"a\":\"0\"}", "{\"a\":0}"},
      {{.key = "/a", .kind = DECANT_ENUM, .flags = DECANT_POINTER, .names = shades}, "{\"a\":\"none\"}", NULL},
      {{.key = "a", .kind = DECANT_RECORD, .record = &point_record}, "{\"a\":{\"x\":0,\"y\":0}}", NULL},
      {{.key = "a", .kind = DECANT_FIXED_ARRAY, .element = DECANT_INT32, .capacity = 2}, "{\"a\":[0,0]}", NULL},
      {{.key = "a", .kind = DECANT_BOOL}, "{\"a\":false}", NULL},
      {{.key = "a", .kind = DECANT_INT64}, "{\"a\":null}", NULL},
      {{.key = "a", .kind = DECANT_INT64}, "{}", NULL}};
  for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
    struct {
      double numbers[2];
      int32_t kind, part;
    } it;
    decant_field fields[] = {cases[at].field,
                             {.key = "a", .kind = DECANT_KIND, .flags = DECANT_OPTIONAL, .offset = 16},
                             {.key = "/a/x", .kind = DECANT_KIND, .flags = DECANT_OPTIONAL | DECANT_POINTER, .offset = 20}};
    fields[0].flags |= DECANT_OPTIONAL;
    const decant_record record = {
        .size = sizeof it, .fields = fields, .field_count = 2},
                        with_part = {.size = sizeof it, .fields = fields, .field_count = 3};
    const char *json = cases[at].json;
    check(decant_decode(&record, json, strlen(json), &it, NULL) == DECANT_OK, "zeros and their kind");
    check_encoded(&record, &it, cases[at].text ? cases[at].text : json, __LINE__);
    if (fields[0].kind == DECANT_RECORD) {
      check(decant_decode(&with_part, json, strlen(json), &it, NULL) == DECANT_OK, "and the kind of a part");
      check_error(&with_part, &it, DECANT_DUPLICATE_KEY, "/a/x",
                  "/a/x: another field has the same value, or a part of it", __LINE__);
    }
  }

  /* A member by its key, and an element by a pointer, that are one value: it is an object's. */
  const decant_field fields[] = {{.key = "/0", .kind = DECANT_INT32, .flags = DECANT_POINTER},
                                 {.key = "0", .kind = DECANT_KIND, .offset = 4}};
  const decant_record record = {.size = 8, .fields = fields, .field_count = 2};
  const int32_t it[] = {5, DECANT_VALUE_NUMBER};
  check_encoded(&record, it, "{\"0\":5}", __LINE__);
}

/* Keys of very many fields are looked up in parts: all of them differ, or two are equal, near or far from each other. */
static void test_many_fields(void) {
  enum { MOST = 2100 };
  static decant_field fields[MOST];
  static char keys[MOST][8];
  static bool values[MOST];
  const int count = has_fewer_rounds() ? 1100 : MOST;
  const decant_record record = {.size = sizeof values, .fields = fields, .field_count = (size_t)count};
  size_t expected = 1;
  for (int at = 0; at < count; at++) {
    expected += (size_t)snprintf(keys[at], sizeof keys[at], "k%d", at) + strlen("\"\":false,");
    fields[at] = (decant_field){.key = keys[at], .kind = DECANT_BOOL, .offset = (uint32_t)at};
  }
  decant_error error = DECANT_ERROR_INIT;
  size_t length = 0;
  check(decant_encode(&record, values, NULL, 0, &length, &error) == DECANT_OK && length == expected, "keys that differ");
  const int pairs[][2] = {{0, 1}, {count - 1, 0}, {77, count / 2}};
  for (size_t at = 0; at < sizeof pairs / sizeof *pairs; at++) {
    fields[pairs[at][0]].key = keys[pairs[at][1]];
    check(decant_encode(&record, values, NULL, 0, &length, &error) == DECANT_DUPLICATE_KEY && length == 0, "equal keys");
    char path[16];
    snprintf(path, sizeof path, "/%s", keys[pairs[at][1]]);
    check_text(error.path, path);
    fields[pairs[at][0]].key = keys[pairs[at][0]];
  }
}

/* Pointers that lead back, and too many of them. */
static void test_cycles(void) {
  struct tree tree = {.id = 1};
  tree.left = &tree;
  char path[256] = "";
  for (int at = 0; at < 33; at++) strcat(path, "/left");
  decant_error error = DECANT_ERROR_INIT;
  check(decant_encode(&tree_record, &tree, NULL, 0, NULL, &error) == DECANT_TOO_DEEP, "a cycle");
  check_text(error.path, path);
  check(strstr(error.message, "records nest more than 32 deep") != NULL, "and why");
  tree.left = NULL;
  tree.children = &tree;
  tree.child_count = 1;
  check(decant_encode(&tree_record, &tree, NULL, 0, NULL, &error) == DECANT_TOO_DEEP, "a cycle of arrays");
  struct tree deep[33] = {{.id = 0}};
  for (int at = 0; at < 32; at++) deep[at].left = &deep[at + 1];
  size_t length;
  check(decant_encode(&tree_record, &deep[0], NULL, 0, &length, &error) == DECANT_OK, "32 deep is fine");
  check(decant_encode(&tree_record, &deep[1], NULL, 0, &length, &error) == DECANT_OK, "and less");
}

/* Equal keys in a map are an error, in its first 256 members. */
static void test_equal_keys(void) {
  static struct entry entries[400];
  static char keys[400][8];
  struct one map = {.value = {.pointer = entries}};
  const decant_field field = {.key = "a", .kind = DECANT_MAP, .record = &entry_record, VALUE, LENGTH};
  const decant_record record = {.size = sizeof map, .fields = &field, .field_count = 1};
  for (int at = 0; at < 400; at++) {
    snprintf(keys[at], sizeof keys[at], "%d", at);
    entries[at].key = keys[at];
    entries[at].key_length = strlen(keys[at]);
  }
  decant_error error = DECANT_ERROR_INIT;
  size_t length;
  map.length = 400;
  check(decant_encode(&record, &map, NULL, 0, &length, &error) == DECANT_OK, "400 keys that differ");
  static const int pairs[][2] = {{0, 1}, {0, 255}, {254, 255}, {100, 7}};
  for (size_t at = 0; at < 4; at++) {
    struct entry *entry = &entries[pairs[at][0]];
    const struct entry before = *entry;
    entry->key = keys[pairs[at][1]];
    entry->key_length = strlen(entry->key);
    check(decant_encode(&record, &map, NULL, 0, &length, &error) == DECANT_DUPLICATE_KEY && length == 0, "equal keys");
    char path[16];
    snprintf(path, sizeof path, "/a/%d", pairs[at][1]);
    check_text(error.path, path);
    check(strstr(error.message, "another member of the map has the same key") != NULL, "and why");
    *entry = before;
  }
  entries[256].key = keys[255];
  entries[256].key_length = 3;
  check(decant_encode(&record, &map, NULL, 0, &length, &error) == DECANT_OK, "behind the first 256, keys are not compared");
}

/* After a failure, the buffer has the beginning of the text. */
static void test_beginning(void) {
  struct place place = {.id = 1, .city = "\xFF"};
  const decant_field fields[] = {PLACE("id", DECANT_INT64, id, 0), PLACE("city", DECANT_STRING, city, 0)};
  const decant_record record = {.size = sizeof place, .fields = fields, .field_count = 2};
  static const char beginning[] = "{\"id\":1,\"city\":";
  const size_t length = sizeof beginning - 1;
  char buffer[64] = "";
  check(decant_encode(&record, &place, buffer, sizeof buffer, NULL, NULL) == DECANT_INVALID_UTF8, "not UTF-8");
  check(memcmp(buffer, beginning, length) == 0 && strncmp(buffer + length, ",\"city", 6) != 0, "the key once");
  memset(buffer, 0, sizeof buffer);
  check(decant_encode_array(&record, &place, 1, buffer, sizeof buffer, NULL, NULL) == DECANT_INVALID_UTF8, "in an array");
  check(strchr(buffer, ']') == NULL, "the array does not end");
}

/* Raw text may be decoded with a deeper limit than it is written with. */
static void test_deep_raw(void) {
  struct holder { const char *raw; void *storage; } holder;
  static const decant_field field = {.key = "a", .kind = DECANT_RAW};
  static const decant_record record = {
      .size = sizeof holder, .fields = &field, .field_count = 1, .storage_offset = offsetof(struct holder, storage)};
  char json[2 * 513 + 7] = "{\"a\":";
  memset(json + 5, '[', 513);
  memset(json + 5 + 513, ']', 513);
  json[5 + 2 * 513] = '}';
  decant_options options = DECANT_OPTIONS_INIT;
  options.maximum_depth = 514;
  decant_error error = DECANT_ERROR_INIT;
  if (!check(decant_decode_with(&record, json, strlen(json), &holder, &options, &error) == DECANT_OK, "513 deep")) return;
  check(decant_encode(&record, &holder, NULL, 0, NULL, &error) == DECANT_INVALID_VALUE, "deeper than is written");
  check_text(error.message, "/a: the raw text is not one JSON value, or has more than 512 levels");
  decant_free(&record, &holder);
}

/* A pointer with more tokens than JSON may nest. */
static void test_deep_pointers(void) {
  static char key[4096];
  for (int at = 0; at < 600; at++) strcat(key, "/a");
  int64_t value = 1;
  decant_field field = {.key = key, .kind = DECANT_INT64, .flags = DECANT_POINTER};
  const decant_record record = {.size = sizeof value, .fields = &field, .field_count = 1};
  decant_error error = DECANT_ERROR_INIT;
  check(decant_encode(&record, &value, NULL, 0, NULL, &error) == DECANT_TOO_DEEP, "too many tokens");
  key[2 * 500] = 0;
  static char text[4096];
  size_t length = 0;
  check(decant_encode(&record, &value, text, sizeof text, &length, &error) == DECANT_OK, "500 tokens");
  value = 0;
  check(decant_decode(&record, text, length, &value, &error) == DECANT_OK && value == 1, "read again");
}

static void test_arrays(void) {
  char buffer[64];
  size_t length = 0;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_encode_array(&point_record, two_points, 2, buffer, sizeof buffer, &length, &error) == DECANT_OK, "an array");
  check_text(buffer, "[{\"x\":1,\"y\":2},{\"x\":3,\"y\":0.5}]");
  check(length == strlen(buffer), "its length");
  check(decant_encode_array(&point_record, NULL, 0, buffer, sizeof buffer, &length, &error) == DECANT_OK && length == 2,
        "an empty array");
  check_text(buffer, "[]");
  check(decant_encode_array(&point_record, two_points, 2, buffer, 5, &length, &error) == DECANT_BUFFER_TOO_SMALL &&
            length == 31, "too small");
  check_text(error.message, "the buffer is too small: 31 bytes are needed");
  check(decant_encode_array(&point_record, NULL, 1, buffer, 5, &length, &error) == DECANT_INVALID_ARGUMENT && length == 0,
        "no items");
  check(decant_encode_array(&point_record, two_points, SIZE_MAX, buffer, 5, &length, &error) == DECANT_INVALID_ARGUMENT,
        "too many");
  const struct point bad[] = {{1, 2}, {3, NAN}};
  check(decant_encode_array(&point_record, bad, 2, buffer, sizeof buffer, &length, &error) == DECANT_INVALID_VALUE, "NaN");
  check_text(error.path, "/1/y");
  char json[256];
  decant_error_json(&error, json, sizeof json);
  check_text(json,
             "{\"code\":205,\"name\":\"invalid value\",\"category\":\"data\",\"path\":\"/1/y\","
             "\"expected\":\"a finite number\",\"message\":\"JSON has no infinity and no NaN\"}");
}

static void test_arguments(void) {
  char buffer[64];
  size_t length = 7;
  decant_error error = DECANT_ERROR_INIT;
  const struct point point = {1, 2};
  check(decant_encode(&point_record, NULL, buffer, 64, &length, &error) == DECANT_INVALID_ARGUMENT && length == 0, "no value");
  check(decant_encode(&point_record, &point, NULL, 64, &length, &error) == DECANT_INVALID_ARGUMENT, "no buffer");
  check(decant_encode(&point_record, &point, buffer, SIZE_MAX, &length, &error) == DECANT_INVALID_ARGUMENT, "capacity");
  check(decant_encode(NULL, &point, buffer, 64, &length, &error) == DECANT_INVALID_RECORD, "no table");
  check_text(error.message, "invalid record: record is NULL");
  check(decant_encode(&point_record, &point, buffer, 64, NULL, NULL) == DECANT_OK, "neither length nor error");
  check_text(buffer, "{\"x\":1,\"y\":2}");
  check(decant_encode(&point_record, &point, buffer, 0, &length, NULL) == DECANT_BUFFER_TOO_SMALL && length == 13, "nothing fits");
  decant_field field = {.key = "a", .kind = 99};
  const decant_record bad = {.size = 8, .fields = &field, .field_count = 1};
  check(decant_encode(&bad, &point, buffer, 64, &length, &error) == DECANT_INVALID_RECORD, "a bad table");
  check_text(error.message, "invalid record: field 0 (\"a\"): kind is unknown");
}

/* The struct that a struct begins with: its members are those of the same object, in the order of the tables. */
static void test_flat(void) {
  struct base { int64_t id; const char *name; };
  struct middle { struct base base; bool ok; };
  struct row { double before; struct middle middle; int64_t last; void *storage; };
  static const decant_field base_fields[] = {
      {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct base, id)},
      {.key = "name", .kind = DECANT_STRING, .offset = offsetof(struct base, name), .flags = DECANT_OPTIONAL}};
  static const decant_record base = {.size = sizeof(struct base), .fields = base_fields, .field_count = 2};
  static const decant_field middle_fields[] = {
      {.key = "", .kind = DECANT_RECORD, .flags = DECANT_POINTER, .record = &base},
      {.key = "ok", .kind = DECANT_BOOL, .offset = offsetof(struct middle, ok)}};
  static const decant_record middle = {.size = sizeof(struct middle), .fields = middle_fields, .field_count = 2};
  static decant_field fields[] = {
      {.key = "before", .kind = DECANT_DOUBLE, .offset = offsetof(struct row, before)},
      {.key = "", .kind = DECANT_RECORD, .flags = DECANT_POINTER, .record = &middle,
       .offset = offsetof(struct row, middle)},
      {.key = "last", .kind = DECANT_INT64, .offset = offsetof(struct row, last)}};
  const decant_record record = {.size = sizeof(struct row), .fields = fields, .field_count = 3,
                                .storage_offset = offsetof(struct row, storage)};
  static const char *const texts[] = {
      "{\"before\":0.5,\"id\":1,\"name\":\"Ann\",\"ok\":true,\"last\":2}",
      "{\"before\":0.5,\"id\":1,\"ok\":true,\"last\":2}"};
  char buffer[128];
  for (int at = 0; at < 2; at++) {
    struct row row;
    size_t length;
    decant_error error = DECANT_ERROR_INIT;
    if (!check(decant_decode(&record, texts[at], strlen(texts[at]), &row, &error) == DECANT_OK, "it is decoded")) continue;
    check(decant_encode(&record, &row, buffer, sizeof buffer, &length, &error) == DECANT_OK, "and encoded");
    check_text(buffer, texts[at]);
    decant_free(&record, &row);
  }
  /* Every field is absent. */
  static const decant_field only = {.key = "", .kind = DECANT_RECORD, .flags = DECANT_POINTER, .record = &base};
  const decant_record alone = {.size = sizeof(struct base), .fields = &only, .field_count = 1};
  const struct base value = {7, NULL};
  check(decant_encode(&alone, &value, buffer, sizeof buffer, NULL, NULL) == DECANT_OK, "alone");
  check_text(buffer, "{\"id\":7}");
  /* What is wrong has the member's path. */
  const struct row bad = {0, {{1, "\xFF"}, true}, 2, NULL};
  decant_error error = DECANT_ERROR_INIT;
  check(decant_encode(&record, &bad, buffer, sizeof buffer, NULL, &error) == DECANT_INVALID_UTF8, "not text");
  check_text(error.path, "/name");
  /* A key that both structs have. */
  fields[2].key = "id";
  check(decant_encode(&record, &bad, buffer, sizeof buffer, NULL, &error) == DECANT_DUPLICATE_KEY, "one key twice");
  fields[2].key = "/last";
  fields[2].flags = DECANT_POINTER;
  check(decant_encode(&record, &bad, buffer, sizeof buffer, NULL, &error) == DECANT_DUPLICATE_KEY, "beside a pointer");
  fields[2].flags = 0;
  fields[2].key = "last";
}

/* Two fields of one key in a record inside others: in which of them they are is noticed. */
static void test_equal_keys_inside(void) {
  struct pair { int64_t a, b; };
  struct holder { int64_t id; struct pair in; struct pair *list; size_t count; void *storage; };
  decant_field some[] = {{.key = "x", .kind = DECANT_INT64, .offset = offsetof(struct pair, a)},
                         {.key = "y", .kind = DECANT_INT64, .offset = offsetof(struct pair, b)}};
  decant_field others[] = {some[0], some[1]};
  const decant_record pair = {.size = sizeof(struct pair), .fields = some, .field_count = 2};
  const decant_record element = {.size = sizeof(struct pair), .fields = others, .field_count = 2};
  const decant_field fields[] = {
      {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct holder, id)},
      {.key = "in", .kind = DECANT_RECORD, .offset = offsetof(struct holder, in), .record = &pair},
      {.key = "list", .kind = DECANT_ARRAY, .element = DECANT_RECORD, .offset = offsetof(struct holder, list),
       .length_offset = offsetof(struct holder, count), .record = &element}};
  const decant_record record = {.size = sizeof(struct holder), .fields = fields, .field_count = 3,
                                .storage_offset = offsetof(struct holder, storage)};
  struct pair list[] = {{0, 8}, {9, 0}};
  const struct holder value = {1, {0, 7}, list, 2, NULL};
  char buffer[100];
  decant_error error = DECANT_ERROR_INIT;
  check(decant_encode(&record, &value, buffer, sizeof buffer, NULL, &error) == DECANT_OK, error.message);
  check_text(buffer, "{\"id\":1,\"in\":{\"x\":0,\"y\":7},\"list\":[{\"x\":0,\"y\":8},{\"x\":9,\"y\":0}]}");
  others[1].key = "x";
  check(decant_encode(&record, &value, buffer, sizeof buffer, NULL, &error) == DECANT_DUPLICATE_KEY, "in an element");
  check_text(error.path, "/list/0/x");
  some[1].key = "x";
  check(decant_encode(&record, &value, buffer, sizeof buffer, NULL, &error) == DECANT_DUPLICATE_KEY, "in a record");
  check_text(error.path, "/in/x");
}

/* Strings of every length up to 80, with a character of every width at every place; what they read as again. */
static void test_strings(void) {
  static const char *const characters[] = {"\"", "\\", "\x01", "\x7F", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
  static const char *const broken[] = {"\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
                                       "\xE2\x82", "\xF0\x9F\x98"};
  struct text { decant_text text; void *storage; };
  const decant_field field = {.key = "", .kind = DECANT_TEXT, .flags = DECANT_POINTER};
  const decant_record record = {
      .size = sizeof(struct text), .fields = &field,
      .field_count = 1, .storage_offset = offsetof(struct text, storage)};
  char string[96], buffer[600];
  bool fine = true;
  for (size_t length = 0; length <= 80; length++) {
    for (size_t at = 0; at <= length; at++) {
      for (size_t which = 0; which < 15; which++) {
        const bool is_broken = which >= 7;
        const char *character = is_broken ? broken[which - 7] : characters[which];
        const size_t width = strlen(character);
        if (at + width > length) continue;
        memset(string, 'x', sizeof string);
        memcpy(string + at, character, width);
        struct text value = {{string, length}, NULL}, back;
        size_t count;
        memset(buffer, 0x55, sizeof buffer);
        const decant_status status = decant_encode(&record, &value, buffer, sizeof buffer, &count, NULL);
        if (is_broken) {
          fine = fine && status == DECANT_INVALID_UTF8;
          continue;
        }
        fine = fine && status == DECANT_OK && buffer[count] == 0 && buffer[count + 1] == 0x55;
        if (!fine || decant_decode(&record, buffer, count, &back, NULL) != DECANT_OK) {
          check(false, "a string");
          return;
        }
        fine = back.text.length == length && memcmp(back.text.bytes, string, length) == 0;
        decant_free(&record, &back);
      }
    }
  }
  check(fine, "strings of every length");
}

/* JSON in a string: every kind, what it is written as, and the beginning of that in buffers of every size; by the table that
 * its description makes, too. */
struct embedded_part {
  const char *name, *raw;
  int32_t *numbers;
  size_t number_count;
};
struct embedded {
  int64_t number;
  const char *text;
  struct embedded_part part;
  struct embedded_part *parts;
  size_t part_count;
  bool has_part;
  char letters[4];
  void *storage;
};
static const decant_field embedded_part_fields[] = {
    {.key = "name", .kind = DECANT_STRING, .offset = offsetof(struct embedded_part, name), .flags = DECANT_EMBEDDED},
    {.key = "raw", .kind = DECANT_RAW, .offset = offsetof(struct embedded_part, raw), .flags = DECANT_OPTIONAL},
    {.key = "numbers", .kind = DECANT_ARRAY, .element = DECANT_INT32, .offset = offsetof(struct embedded_part, numbers),
     .length_offset = offsetof(struct embedded_part, number_count), .flags = DECANT_EMBEDDED}};
static const decant_record embedded_part_record = {
    .size = sizeof(struct embedded_part), .fields = embedded_part_fields, .field_count = 3};
static const decant_field embedded_fields[] = {
    {.key = "number", .kind = DECANT_INT64, .offset = offsetof(struct embedded, number), .flags = DECANT_EMBEDDED},
    {.key = "text", .kind = DECANT_STRING, .offset = offsetof(struct embedded, text),
     .flags = DECANT_EMBEDDED | DECANT_OPTIONAL},
    {.key = "part", .kind = DECANT_RECORD, .offset = offsetof(struct embedded, part), .record = &embedded_part_record,
     .flags = DECANT_EMBEDDED | DECANT_OPTIONAL, .presence_offset = offsetof(struct embedded, has_part)},
    {.key = "parts", .kind = DECANT_ARRAY, .element = DECANT_RECORD, .offset = offsetof(struct embedded, parts),
     .length_offset = offsetof(struct embedded, part_count), .record = &embedded_part_record, .flags = DECANT_EMBEDDED},
    {.key = "letters", .kind = DECANT_CHARS, .capacity = 4, .offset = offsetof(struct embedded, letters),
     .flags = DECANT_EMBEDDED}};
static const decant_record embedded_record = {
    .size = sizeof(struct embedded), .fields = embedded_fields, .field_count = 5,
    .storage_offset = offsetof(struct embedded, storage)};

static void test_embedded(void) {
  static const char *const json[] = {
      "{\"number\":\"7\",\"text\":\"\\\"A\\\\n\\\\\\\"b\\\"\",\"part\":\"{\\\"name\\\":\\\"\\\\\\\"x\\\\\\\"\\\",\\\"raw\\\":[1,\\n"
      "\\t{\\\"a\\\":\\\"\\\\\\\\\\\"}],\\\"numbers\\\":\\\"[1,2,3]\\\"}\",\"parts\":\"[{\\\"name\\\":\\\"\\\\\\\"\\\\\\\\u00e9\\\\\\\"\\\","
      "\\\"numbers\\\":\\\"[]\\\"},{\\\"name\\\":\\\"\\\\\\\"\\\\\\\"\\\",\\\"numbers\\\":\\\"[-1]\\\"}]\",\"letters\":\"\\\"abc\\\"\"}",
      "{\"number\":\"-1\",\"parts\":\"[]\",\"letters\":\"\\\"\\\"\"}"};
  static char large[70000], text[70000], again[70000], description[2000];
  check(decant_record_check(&embedded_record, NULL) == DECANT_OK, "a table with JSON in strings");
  for (int round = 0; round < 3; round++) {
    /* The last one is long, so that it is measured before it is filled. */
    size_t size = (size_t)sprintf(large, "%s", json[round % 2]);
    if (round == 2) {
      size = (size_t)sprintf(large, "{\"number\":\"1\",\"letters\":\"\\\"\\\"\",\"parts\":\"[");
      for (int at = 0; at < 500; at++)
        size += (size_t)sprintf(large + size, "%s{\\\"name\\\":\\\"\\\\\\\"n%d\\\\\\\"\\\",\\\"numbers\\\":\\\"[%d,2]\\\"}",
                                at > 0 ? "," : "", at, at);
      size += (size_t)sprintf(large + size, "]\"}");
    }
    struct embedded value, back;
    decant_error error = DECANT_ERROR_INIT;
    check(decant_decode(&embedded_record, large, size, &value, &error) == DECANT_OK, "JSON in strings");
    check_text(error.message, "");
    if (round == 0) {
      check(value.number == 7 && value.has_part && value.part.number_count == 3 && value.part.numbers[2] == 3 &&
                value.part_count == 2 && value.parts[1].numbers[0] == -1,
            "its values");
      check_text(value.text, "A\n\"b");
      check_text(value.part.name, "x");
      check_text(value.part.raw, "[1,\n\t{\"a\":\"\\\\\"}]");
      check_text(value.parts[0].name, "\xc3\xa9");
      check_text(value.letters, "abc");
    }
    if (round == 2) {
      check(value.part_count == 500 && value.parts[499].numbers[0] == 499, "as many as there are");
      check_text(value.parts[499].name, "n499");
    }
    size_t length, other;
    check(decant_encode(&embedded_record, &value, text, sizeof text, &length, &error) == DECANT_OK, "is written");
    check(decant_decode(&embedded_record, text, length, &back, &error) == DECANT_OK, "and read again");
    check(decant_encode(&embedded_record, &back, again, sizeof again, &other, NULL) == DECANT_OK && length == other &&
              memcmp(text, again, length) == 0,
          "as it was");
    check(decant_encode(&embedded_record, &value, NULL, 0, &other, NULL) == DECANT_OK && other == length, "it is measured");
    for (size_t capacity = 1; capacity <= length; capacity += round == 2 ? 997 : 1) {
      memset(again, 0x55, sizeof again);
      const decant_status status = decant_encode(&embedded_record, &value, again, capacity, &other, NULL);
      check(status == (capacity < length ? DECANT_BUFFER_TOO_SMALL : DECANT_OK) && other == length &&
                memcmp(again, text, capacity) == 0 && again[capacity] == 0x55,
            "the beginning of the text");
    }
    check(decant_record_describe(&embedded_record, description, sizeof description, &other, NULL) == DECANT_OK &&
              strstr(description, "\"embedded\":true") != NULL,
          "a description has it");
    decant_schema *schema = NULL;
    check(decant_schema_parse(description, other, NULL, &schema, &error) == DECANT_OK, "which makes a table");
    const decant_record *made = decant_schema_record(schema);
    char *own = calloc(1, made->size);
    check(decant_decode(made, text, length, own, &error) == DECANT_OK, "that reads the same");
    check(decant_encode(made, own, again, sizeof again, &other, NULL) == DECANT_OK && other == length &&
              memcmp(text, again, length) == 0,
          "and writes it");
    decant_free(made, own);
    free(own);
    decant_schema_free(schema);
    decant_free(&embedded_record, &value);
    decant_free(&embedded_record, &back);
  }
  static const decant_field key[] = {{.kind = DECANT_KEY, .flags = DECANT_EMBEDDED}};
  const decant_record entry = {.size = 8, .fields = key, .field_count = 1};
  const decant_field map[] = {{.key = "m", .kind = DECANT_MAP, .length_offset = 8, .record = &entry}};
  const decant_record holder = {.size = 24, .fields = map, .field_count = 1, .storage_offset = 16};
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_check(&holder, &error) == DECANT_INVALID_RECORD, "a key is no document");
  check_text(error.message, "invalid record: field 0 in \"m\": DECANT_EMBEDDED of a DECANT_KEY");
}

int main(void) {
  test_embedded();
  test_everything();
  test_cases();
  test_pointers();
  test_shared_values();
  test_kinds_of_zeros();
  test_many_fields();
  test_cycles();
  test_equal_keys();
  test_beginning();
  test_deep_pointers();
  test_deep_raw();
  test_arrays();
  test_arguments();
  test_flat();
  test_equal_keys_inside();
  test_strings();
  return check_end();
}
