/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Structs filled through tables: every kind of field, every way to be wrong, and tables that make no sense.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

#include "check.h"
#include "everything.h"

#include <math.h>
#include <stdlib.h>
#ifndef __wasm__
#include <sys/mman.h>
#endif
#include <time.h>
#include <unistd.h>

/* The whole struct, as everything_json says. */
static void check_everything(const struct everything *it, bool native) {
  check(it->flag && it->i8 == INT8_MIN && it->i16 == INT16_MIN && it->i32 == 100, "signed");
  check(it->i64 == INT64_MIN && it->u8 == UINT8_MAX && it->u16 == UINT16_MAX, "64 bits, unsigned");
  check(it->u32 == UINT32_MAX, "32 bits, unsigned");
  if (native) check(it->u64 == UINT64_MAX, "the largest integer");
  check(it->real32 == 0.1f && it->real64 == 1e-7, "reals");
  check(it->string_length == 5 && memcmp(it->string, "a\0\xC3\xA9\n", 6) == 0, "a string with a NUL");
  check(it->text.length == 4, "a counted text");
  check_text(it->text.bytes, "text");
  check_text(it->chars, "1234567");
  check(it->color == BLUE && it->meals == (LUNCH | DINNER), "names");
  if (native) {
    check_text(it->raw, "{\"a\" : [1, {} ] }");
    check(it->raw_length == 17 && it->kind == DECANT_VALUE_NULL, "raw text and kind");
  }
  check(it->point.x == 1.5 && it->point.y == -2, "a struct in place");
  if (check(it->maybe != NULL, "a struct elsewhere")) check(it->maybe->x == 3, "its member");
  check(it->number_count == 3 && it->numbers[2] == -300, "an array of numbers");
  check(it->point_count == 2 && it->points[1].y == 4, "an array of structs");
  if (check(it->name_count == 3, "an array of strings")) {
    check_text(it->names[0], "Ann");
    check_text(it->names[1], "");
    check_text(it->names[2], "B\"b");
  }
  check(it->triple[0] == 7 && it->triple[2] == 9, "a fixed array");
  check(it->few_count == 2 && it->few[1] == 2 && it->few[2] == 0, "a fixed array, not full");
  if (check(it->map_count == 2, "a map: the first of two equal keys counts")) {
    check_text(it->map[0].key, "one");
    check(it->map[0].value == 1 && it->map[1].value == 2, "a map's values");
    check_text(it->map[1].key, "two");
    check(it->map[1].key_length == 3, "a key's length");
  }
  check(it->from_text == -42, "a number from text");
  check_text(it->city, "Ulm");
  check(it->port == 80, "a default number");
  check_text(it->host, "localhost");
  check(it->level == 0 && it->level_state == 1, "null is not absent");
  check(it->tree.id == 1 && it->tree.left->id == 2 && it->tree.left->left == NULL, "a tree");
  check(it->tree.child_count == 1 && it->tree.children[0].children[0].id == 4, "its children");
}

static void test_everything(void) {
  struct everything it;
  decant_error error = DECANT_ERROR_INIT;
  check_text(decant_status_name(decant_record_check(&everything_record, &error)), "ok");
  memset(&it, 0xAA, sizeof it);
  decant_status status =
      decant_decode(&everything_record, everything_json, sizeof everything_json - 1, &it, &error);
  if (!check(status == DECANT_OK, "everything decodes")) {
    printf("%s\n", error.message);
    return;
  }
  check_everything(&it, true);
  decant_free(&everything_record, &it);
  check(it.storage == NULL, "a freed struct has no storage");
  decant_free(&everything_record, &it);
  decant_free(&everything_record, NULL);
  decant_free(NULL, &it);
}

/* The same from a fixed buffer, which must be as large as it must be. */
static void test_buffer(void) {
  static _Alignas(16) char buffer[1 << 12];
  decant_options options = DECANT_OPTIONS_INIT;
  options.buffer = buffer;
  size_t smallest = 0;
  for (size_t size = 0; size <= sizeof buffer; size++) {
    struct everything it, before;
    decant_error error = DECANT_ERROR_INIT;
    memset(&it, 0xAA, sizeof it);
    memcpy(&before, &it, sizeof it);
    memset(buffer, 0x55, sizeof buffer);
    options.buffer_size = size;
    decant_status status = decant_decode_with(
        &everything_record, everything_json, sizeof everything_json - 1, &it, &options, &error);
    for (size_t at = size; at < size + 8 && at < sizeof buffer; at++) {
      if (buffer[at] != 0x55) check(false, "nothing is written behind the buffer");
    }
    if (status == DECANT_OK) {
      if (smallest == 0) check_everything(&it, true);
      if (smallest == 0) smallest = size;
    } else {
      if (smallest != 0 || status != DECANT_BUFFER_TOO_SMALL) check(false, "a small buffer is a status");
      if (memcmp(&it, &before, sizeof it) != 0) check(false, "out is untouched");
    }
  }
  check(smallest > 100 && smallest < 1000, "some size is enough");
}

/* ---------------------------------------------------------------------------------------------------
 * What is wrong with a document
 */

struct user {
  int64_t id;
  const char *name;
  uint8_t age;
  struct point at;
  int32_t *scores;
  size_t score_count;
  int32_t color;
  void *storage;
};

static const decant_field user_fields[] = {
    {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct user, id)},
    {.key = "name", .kind = DECANT_STRING, .offset = offsetof(struct user, name)},
    {.key = "age", .kind = DECANT_UINT8, .offset = offsetof(struct user, age), .flags = DECANT_OPTIONAL},
    {.key = "at",
     .kind = DECANT_RECORD,
     .offset = offsetof(struct user, at),
     .record = &point_record,
     .flags = DECANT_OPTIONAL},
    {.key = "scores",
     .kind = DECANT_ARRAY,
     .element = DECANT_INT32,
     .offset = offsetof(struct user, scores),
     .length_offset = offsetof(struct user, score_count),
     .flags = DECANT_OPTIONAL},
    {.key = "color",
     .kind = DECANT_ENUM,
     .offset = offsetof(struct user, color),
     .names = colors,
     .flags = DECANT_OPTIONAL}};
static const decant_record user_record = {
    .size = sizeof(struct user), .fields = user_fields,
    .field_count = 6, .storage_offset = offsetof(struct user, storage)};

static const struct {
  const char *json;
  decant_status code;
  const char *path;
  const char *message;
} failures[] = {
    {"{\"id\":\"5\",\"name\":\"T\"}", DECANT_TYPE_MISMATCH, "/id",
     "1:7: /id: expected an integer, found the string \"5\"\n"
     "  {\"id\":\"5\",\"name\":\"T\"}\n"
     "        ^~~"},
    {"{\"id\":5}", DECANT_MISSING_KEY, "/name",
     "1:1: /name: the key is missing\n"
     "  {\"id\":5}\n"
     "  ^\n"
     "  the object has \"id\""},
    {"{\"id\":5,\"Name\":\"T\"}", DECANT_MISSING_KEY, "/name",
     "1:1: /name: the key is missing; is \"Name\" a misspelling of it?\n"
     "  {\"id\":5,\"Name\":\"T\"}\n"
     "  ^\n"
     "  the object has \"id\", \"Name\""},
    {"{\"id\":5,\"name\":null}", DECANT_MISSING_KEY, "/name",
     "1:16: /name: expected a string, found null\n"
     "  {\"id\":5,\"name\":null}\n"
     "                 ^~~~"},
    {"{\n \"id\": 1.5, \"name\": \"\"}", DECANT_NOT_AN_INTEGER, "/id",
     "2:8: /id: not an integer: 1.5\n"
     "   \"id\": 1.5, \"name\": \"\"}\n"
     "         ^~~"},
    {"{\"id\":1,\"name\":\"\",\"age\":300}", DECANT_NUMBER_OUT_OF_RANGE, "/age",
     "1:25: /age: expected a number in 0 to 255, found the number 300\n"
     "  {\"id\":1,\"name\":\"\",\"age\":300}\n"
     "                          ^~~"},
    {"{\"id\":1,\"name\":\"\",\"at\":{\"x\":1}}", DECANT_MISSING_KEY, "/at/y",
     "1:24: /at/y: the key is missing\n"
     "  {\"id\":1,\"name\":\"\",\"at\":{\"x\":1}}\n"
     "                         ^\n"
     "  the object has \"x\""},
    {"{\"id\":1,\"name\":\"\",\"at\":[]}", DECANT_TYPE_MISMATCH, "/at",
     "1:24: /at: expected an object, found an empty array\n"
     "  {\"id\":1,\"name\":\"\",\"at\":[]}\n"
     "                         ^"},
    {"{\"id\":1,\"name\":\"\",\"color\":\"pink\"}", DECANT_INVALID_VALUE, "/color",
     "1:27: /color: the string \"pink\" is not one of \"red\", \"green\", \"blue\"\n"
     "  {\"id\":1,\"name\":\"\",\"color\":\"pink\"}\n"
     "                            ^~~~~~"},
    {"{\"id\":1,\"name\":\"\",\"scores\":[1,\"a\",null,2.5]}", DECANT_MULTIPLE, "/scores/1",
     "1:31: /scores/1: expected an integer, found the string \"a\"\n"
     "  {\"id\":1,\"name\":\"\",\"scores\":[1,\"a\",null,2.5]}\n"
     "                                ^~~\n"
     "1:35: /scores/2: expected an integer, found null\n"
     "  {\"id\":1,\"name\":\"\",\"scores\":[1,\"a\",null,2.5]}\n"
     "                                    ^~~~\n"
     "1:40: /scores/3: not an integer: 2.5\n"
     "  {\"id\":1,\"name\":\"\",\"scores\":[1,\"a\",null,2.5]}\n"
     "                                         ^~~"},
    {"{\"name\":\"\\u001b[\\ud83d\\ude00\\\\\"}", DECANT_MISSING_KEY, "/id",
     "1:1: /id: the key is missing\n"
     "  {\"name\":\"\\u001b[\\ud83d\\ude00\\\\\"}\n"
     "  ^\n"
     "  the object has \"name\""},
    {"{\"id\":\"\\u001b[\\ud83d\\ude00\\\\\",\"name\":\"\"}", DECANT_TYPE_MISMATCH, "/id",
     "1:7: /id: expected an integer, found the string \"\\u001b[\xF0\x9F\x98\x80\\\\\"\n"
     "  {\"id\":\"\\u001b[\\ud83d\\ude00\\\\\",\"name\":\"\"}\n"
     "        ^~~~~~~~~~~~~~~~~~~~~~~"},
    {"[]", DECANT_TYPE_MISMATCH, "", "1:1: expected an object, found an empty array\n  []\n  ^"},
    {"{\"id\":5,", DECANT_UNEXPECTED_END, "",
     "1:9: the input ends too early: expected a quoted key; the object begins at 1:1\n"
     "  {\"id\":5,\n"
     "          ^"},
    {"{\"id\":5}}", DECANT_TRAILING_BYTES, "", 
     "1:9: expected the end of the input, found '}'\n"
     "  {\"id\":5}}\n"
     "          ^"},
    {" ", DECANT_EMPTY_INPUT, "", "1:2: the input is empty"},
};

static void test_failures(void) {
  for (size_t at = 0; at < sizeof failures / sizeof *failures; at++) {
    struct user user, before;
    decant_error error = DECANT_ERROR_INIT;
    memset(&user, 0xAA, sizeof user);
    memcpy(&before, &user, sizeof user);
    decant_status status =
        decant_decode(&user_record, failures[at].json, strlen(failures[at].json), &user, &error);
    check_text(decant_status_name(status), decant_status_name(failures[at].code));
    check(error.code == status, "the error's code is the status");
    check_text(error.path, failures[at].path);
    check_text(error.message, failures[at].message);
    check(memcmp(&user, &before, sizeof user) == 0, "out is untouched");
    check(decant_decode(&user_record, failures[at].json, strlen(failures[at].json), &user, NULL) ==
              status, "no error struct is needed");
  }
}

/* Bounds as C programs write them: an end that excludes nothing is the largest number of its type. */
static void test_bounds(void) {
  struct row {
    const char *name;
    uint64_t count;
    int32_t port;
    void *storage;
  } row;
  static const decant_bounds not_empty = {.shortest = 1, .longest = SIZE_MAX};
  static const decant_bounds positive = {.minimum = 1, .maximum = INT64_MAX};
  static const decant_bounds small = {.minimum = 10, .maximum = 20};
  static const decant_field fields[] = {
      {.key = "name", .kind = DECANT_STRING, .offset = offsetof(struct row, name), .bounds = &not_empty},
      {.key = "count", .kind = DECANT_UINT64, .offset = offsetof(struct row, count), .bounds = &positive},
      {.key = "port",
       .kind = DECANT_INT32,
       .offset = offsetof(struct row, port),
       .flags = DECANT_FROM_TEXT,
       .bounds = &small}};
  static const decant_record record = {
      .size = sizeof row, .fields = fields, .field_count = 3, .storage_offset = offsetof(struct row, storage)};
  static const char largest[] = "{\"name\":\"Ann\",\"count\":18446744073709551615,\"port\":\"20\"}";
  if (check(decant_decode(&record, largest, sizeof largest - 1, &row, NULL) == DECANT_OK, "inside")) {
    check(row.count == UINT64_MAX && row.port == 20, "the largest numbers");
    decant_free(&record, &row);
  }
  decant_error error = DECANT_ERROR_INIT;
  static const char outside[] = "{\"name\":\"\",\"count\":0,\"port\":\"21\"}";
  check(decant_decode(&record, outside, sizeof outside - 1, &row, &error) == DECANT_MULTIPLE && error.error_count == 3,
        "outside");
  check(strstr(error.message, "/name: expected a string of at least 1 byte, found the string \"\"\n") != NULL &&
            strstr(error.message, "/count: expected a number of at least 1, found the number 0\n") != NULL,
        "ends that exclude nothing are left out");
  static const char text[] = "{\"name\":\"Ann\",\"count\":1,\"port\":\"21\"}";
  check(decant_decode(&record, text, sizeof text - 1, &row, &error) == DECANT_INVALID_VALUE, "a number in a string");
  check_text(error.message,
             "1:32: /port: expected a number in 10 to 20, found the string \"21\"\n"
             "  {\"name\":\"Ann\",\"count\":1,\"port\":\"21\"}\n"
             "                                 ^~~~");
}

/* Ends that are given are meant, whatever their numbers are. */
static void test_ends(void) {
  static const struct {
    decant_bounds bounds;
    int kind;
    const char *value, *range;
  } rows[] = {
      {{.ends = DECANT_HAS_MINIMUM | DECANT_HAS_MAXIMUM}, DECANT_INT64, "0", NULL},
      {{.ends = DECANT_HAS_MINIMUM | DECANT_HAS_MAXIMUM}, DECANT_INT64, "1", "expected the number 0, found"},
      {{.ends = DECANT_HAS_MAXIMUM}, DECANT_INT8, "-1", NULL},
      {{.ends = DECANT_HAS_MAXIMUM}, DECANT_INT8, "1", "a number in -128 to 0,"},
      {{.ends = DECANT_HAS_MINIMUM}, DECANT_INT64, "-1", "at least 0"},
      {{.maximum = INT64_MAX, .ends = DECANT_HAS_MAXIMUM}, DECANT_UINT64, "9223372036854775807", NULL},
      {{.maximum = INT64_MAX, .ends = DECANT_HAS_MAXIMUM}, DECANT_UINT64, "9223372036854775808",
       "at most 9223372036854775807"},
      {{.minimum = 5, .maximum = -5, .ends = DECANT_HAS_MAXIMUM}, DECANT_INT64, "-7", NULL},
      {{.minimum = 5, .ends = DECANT_HAS_MAXIMUM}, DECANT_INT64, "1", "at most 0"},
      {{.ends = DECANT_HAS_LEAST | DECANT_HAS_MOST}, DECANT_DOUBLE, "0.5", "expected the number 0, found"},
      {{.ends = DECANT_HAS_LEAST | DECANT_HAS_MOST}, DECANT_DOUBLE, "-0.0", NULL},
      {{.ends = DECANT_HAS_MOST}, DECANT_FLOAT, "0.5", "at most 0"},
      {{.ends = DECANT_HAS_LEAST}, DECANT_INT64, "-1", NULL},
      {{.ends = DECANT_HAS_LONGEST}, DECANT_TEXT, "\"\"", NULL},
      {{.ends = DECANT_HAS_LONGEST}, DECANT_TEXT, "\"a\"", "exactly 0 bytes"},
      {{.longest = 1, .ends = DECANT_HAS_SHORTEST}, DECANT_TEXT, "\"abc\"", NULL}};
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    const decant_field field = {.key = "a", .kind = (uint16_t)rows[row].kind, .bounds = &rows[row].bounds};
    struct { int64_t value[2]; void *storage; } out;
    const decant_record record = {
        .size = sizeof out, .fields = &field, .field_count = 1, .storage_offset = 16};
    char json[64];
    snprintf(json, sizeof json, "{\"a\":%s}", rows[row].value);
    decant_error error = DECANT_ERROR_INIT;
    const decant_status status = decant_decode(&record, json, strlen(json), &out, &error);
    if (status == DECANT_OK) decant_free(&record, &out);
    if (!check(status == (rows[row].range == NULL ? DECANT_OK : DECANT_INVALID_VALUE), "the status")) {
      printf("%s: %s\n", json, error.message);
    }
    if (status != DECANT_OK && rows[row].range != NULL) check(strstr(error.message, rows[row].range) != NULL, "the range");
  }
  static const decant_bounds unknown[] = {{.ends = 64}, {.reserved = 1}};
  for (int row = 0; row < 2; row++) {
    const decant_field field = {.key = "a", .kind = DECANT_INT64, .bounds = &unknown[row]};
    const decant_record record = {.size = 8, .fields = &field, .field_count = 1};
    int64_t value;
    decant_error error = DECANT_ERROR_INIT;
    check(decant_decode(&record, "{\"a\":1}", 7, &value, &error) == DECANT_INVALID_RECORD, "of a later version");
    check_text(error.message, "invalid record: field 0 (\"a\"): unknown ends of its bounds");
  }
}

/* A required struct that is null is missing, whatever its first field is. */
static void test_null_struct(void) {
  static const decant_field inner_fields[2][1] = {
      {{.key = "x", .kind = DECANT_INT32}}, {{.key = "/x", .kind = DECANT_INT32, .flags = DECANT_POINTER}}};
  for (int at = 0; at < 2; at++) {
    const decant_record inner = {.size = sizeof(int32_t), .fields = inner_fields[at], .field_count = 1};
    const decant_field field = {.key = "at", .kind = DECANT_RECORD, .record = &inner};
    const decant_record record = {.size = sizeof(int32_t), .fields = &field, .field_count = 1};
    int32_t value;
    decant_error error = DECANT_ERROR_INIT;
    check(decant_decode(&record, "{\"at\":null}", 11, &value, &error) == DECANT_MISSING_KEY, "null is missing");
    check_text(error.path, "/at");
  }
}

/* What is no object is one error, however many members of it the table has. */
static void test_obstacles(void) {
  struct place {
    int64_t id, x, y;
  };
  static const decant_field fields[] = {
      {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct place, id)},
      {.key = "/at/x", .kind = DECANT_INT64, .offset = offsetof(struct place, x),
       .flags = DECANT_POINTER},
      {.key = "/at/y", .kind = DECANT_INT64, .offset = offsetof(struct place, y),
       .flags = DECANT_POINTER}};
  static const decant_record record = {.size = sizeof(struct place), .fields = fields, .field_count = 3};
  struct place place;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode(&record, "1", 1, &place, &error) == DECANT_TYPE_MISMATCH, "a number");
  check_text(error.message, "1:1: expected an object, found the number 1\n  1\n  ^");
  const char *json = "{\"id\":[],\"at\":3}";
  check(decant_decode(&record, json, strlen(json), &place, &error) == DECANT_MULTIPLE &&
            error.error_count == 2,
        "two values are wrong");
  json = "{\"id\":1,\"at\":{\"x\":{},\"y\":{}}}";
  check(decant_decode(&record, json, strlen(json), &place, &error) == DECANT_MULTIPLE &&
            error.error_count == 2,
        "two others");

  struct list {
    struct point *points;
    size_t count;
    int64_t first, last;
    void *storage;
  };
  static const decant_field list_fields[] = {
      {.key = "first", .kind = DECANT_INT64, .offset = offsetof(struct list, first)},
      {.key = "", .kind = DECANT_ARRAY, .element = DECANT_RECORD, .record = &point_record,
       .length_offset = offsetof(struct list, count), .flags = DECANT_POINTER},
      {.key = "last", .kind = DECANT_INT64, .offset = offsetof(struct list, last)}};
  static const decant_record list_record = {
      .size = sizeof(struct list), .fields = list_fields,
      .field_count = 3, .storage_offset = offsetof(struct list, storage)};
  struct list list;
  json = "[1,2,3,4,5,6,7,8,9]";
  check(decant_decode(&list_record, json, strlen(json), &list, &error) == DECANT_MULTIPLE && error.error_count == 10,
        "many between two members");
}

static void test_many_errors(void) {
  char json[8192] = "{\"id\":1,\"name\":\"\",\"scores\":[";
  for (int at = 0; at < 1000; at++) strcat(json, at ? ",{}" : "{}");
  strcat(json, "]}");
  struct user user;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode(&user_record, json, strlen(json), &user, &error) == DECANT_MULTIPLE, "many");
  check(error.error_count == 1000, "all of them are counted");
  check(strlen(error.message) < sizeof error.message, "the message ends");
  decant_options options = DECANT_OPTIONS_INIT;
  options.maximum_errors = 2;
  options.source_name = "x.json";
  decant_decode_with(&user_record, json, strlen(json), &user, &options, &error);
  check_text(error.message,
             "x.json:1:29: /scores/0: expected an integer, found an empty object\n"
             "  {\"id\":1,\"name\":\"\",\"scores\":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},"
             "{},{},{}\xE2\x80\xA6\n"
             "                              ^\n"
             "x.json:1:32: /scores/1: expected an integer, found an empty object\n"
             "  {\"id\":1,\"name\":\"\",\"scores\":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},"
             "{},{},{}\xE2\x80\xA6\n"
             "                                 ^\n"
             "\xE2\x80\xA6 and 998 more errors");
}

/* ---------------------------------------------------------------------------------------------------
 * Tables and arguments that make no sense
 */

static void check_bad(const decant_record *record, const char *message, int line) {
  static _Alignas(16) char out[4096], before[4096];
  memset(out, 0x11, sizeof out);
  memset(before, 0x11, sizeof before);
  decant_error error = DECANT_ERROR_INIT;
  decant_status status = decant_decode(record, "{}", 2, out, &error);
  check_at(status == DECANT_INVALID_RECORD, "a bad table is a status", line);
  check_text_at(error.message, message, line);
  check_at(memcmp(out, before, sizeof out) == 0, "out is untouched", line);
}
#define bad(message, bytes, storage, ...)                                       \
  do {                                                                          \
    decant_field fields[] = {__VA_ARGS__};                                      \
    decant_record record = {.size = bytes,                                      \
                            .fields = fields,                                   \
                            .field_count = sizeof fields / sizeof *fields,      \
                            .storage_offset = storage};                         \
    check_bad(&record, "invalid record: " message, __LINE__);        \
  } while (0)

static void test_bad_tables(void) {
  check_bad(NULL, "invalid record: record is NULL", __LINE__);
  decant_record none = {.size = 8, .fields = NULL, .field_count = 1};
  check_bad(&none, "invalid record: fields is NULL", __LINE__);
  bad("size is 0", 0, 0, {.key = "a", .kind = DECANT_INT32});
  bad("size is too large", SIZE_MAX, 0, {.key = "a", .kind = DECANT_INT32});
  bad("storage_offset is outside the struct", 16, 20 - sizeof(void *), {.key = "a", .kind = DECANT_INT32});
  bad("field 0 (\"a\"): kind is unknown", 16, 0, {.key = "a"});
  bad("field 0 (\"a\"): kind is unknown", 16, 0, {.key = "a", .kind = 99});
  bad("field 0 (\"a\"): offset is outside the struct", 16, 0,
      {.key = "a", .kind = DECANT_INT64, .offset = 9});
  bad("field 0 (\"a\"): offset is outside the struct", 16, 0,
      {.key = "a", .kind = DECANT_BOOL, .offset = UINT32_MAX});
  bad("field 1 (\"b\"): it overlaps another field", 16, 0, {.key = "a", .kind = DECANT_INT64},
      {.key = "b", .kind = DECANT_INT32, .offset = 4});
  bad("field 0 (\"a\"): it overlaps the storage", 16, 8,
      {.key = "a", .kind = DECANT_INT64, .offset = 4});
  bad("field 0: key is NULL", 16, 8, {.kind = DECANT_INT64});
  bad("field 0: key is NULL", 16, 8, {.kind = DECANT_INT64, .flags = DECANT_POINTER});
  static const decant_field number[] = {{.key = "n", .kind = DECANT_INT32}};
  static const decant_record numbers = {.size = 4, .fields = number, .field_count = 1};
  bad("field 0: key is NULL", 16, 8, {.kind = DECANT_RECORD, .flags = DECANT_POINTER, .record = &numbers});
  bad("it has strings, arrays or maps, and no storage_offset", 16, 0,
      {.key = "a", .kind = DECANT_STRING});
  bad("field 0 (\"a\"): length_offset is outside the struct", 16, 8,
      {.key = "a", .kind = DECANT_STRING, .length_offset = 20 - sizeof(size_t)});
  bad("field 0 (\"a\"): presence_offset is outside the struct", 16, 8,
      {.key = "a", .kind = DECANT_STRING, .presence_offset = 16});
  bad("field 0 (\"a\"): length_offset is missing", 16, 8,
      {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_INT32});
  bad("field 0 (\"a\"): element is not a kind that arrays have", 32, 8,
      {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_MAP, .offset = 16, .length_offset = 24});
  static const decant_record no_size = {.size = 0, .fields = NULL, .field_count = 0};
  bad("field 0 (\"a\"): record is NULL", 32, 8, {.key = "a", .kind = DECANT_RECORD});
  bad("field 0 (\"a\"): record is NULL", 32, 8,
      {.key = "a", .kind = DECANT_FIXED_ARRAY, .element = DECANT_RECORD, .capacity = 2});
  bad("field 0 (\"a\"): the size of its record is 0", 32, 8,
      {.key = "a", .kind = DECANT_RECORD, .record = &no_size});
  bad("field 0 (\"a\"): the size of its record is 0", 32, 8,
      {.key = "a", .kind = DECANT_FIXED_ARRAY, .element = DECANT_RECORD, .capacity = 2, .record = &no_size});
  bad("field 0 (\"a\"): element is not a kind that arrays have", 32, 8,
      {.key = "a", .kind = DECANT_FIXED_ARRAY, .element = DECANT_MAP, .capacity = 2});
  bad("field 0 (\"a\"): capacity is 0", 32, 8,
      {.key = "a", .kind = DECANT_FIXED_ARRAY, .element = DECANT_RECORD, .record = &no_size});
  bad("field 0 (\"a\"): names is NULL", 32, 8, {.key = "a", .kind = DECANT_ENUM});
  bad("field 0 (\"a\"): capacity is 0", 32, 8, {.key = "a", .kind = DECANT_CHARS});
  bad("field 0 (\"a\"): offset is outside the struct", 32, 8,
      {.key = "a", .kind = DECANT_FIXED_ARRAY, .element = DECANT_TEXT, .capacity = UINT32_MAX});
  bad("field 0 (\"a\"): key is not a JSON Pointer (RFC 6901)", 32, 8,
      {.key = "a", .kind = DECANT_BOOL, .flags = DECANT_POINTER});
  bad("field 0 (\"/~2\"): key is not a JSON Pointer (RFC 6901)", 32, 8,
      {.key = "/~2", .kind = DECANT_BOOL, .flags = DECANT_POINTER});
  bad("field 0 (\"a\"): unknown flags", 32, 8,
      {.key = "a", .kind = DECANT_BOOL, .flags = 1u << 31});
  bad("field 0 (\"a\"): DECANT_DEFAULT without a default_value", 32, 8,
      {.key = "a", .kind = DECANT_BOOL, .flags = DECANT_DEFAULT});
  bad("field 0 (\"a\"): default_value has no NUL", 32, 8,
      {.key = "a", .kind = DECANT_CHARS, .capacity = 4, .flags = DECANT_DEFAULT, .default_value = "full"});
  bad("field 0 (\"a\"): DECANT_STATE without a presence_offset", 32, 8,
      {.key = "a", .kind = DECANT_BOOL, .offset = 1, .flags = DECANT_OPTIONAL | DECANT_STATE});
  bad("field 0: a DECANT_KEY is for the record of a map", 32, 8, {.kind = DECANT_KEY});

  decant_field itself[] = {{.key = "a", .kind = DECANT_RECORD}};
  decant_record holder = {.size = 16, .fields = itself, .field_count = 1};
  itself[0].record = &holder;
  check_bad(&holder, "invalid record: field 0 (\"a\"): the record holds itself", __LINE__);

  decant_field odd[] = {{.key = "\xFF", .kind = DECANT_BOOL, .flags = DECANT_OPTIONAL}};
  decant_record odd_record = {.size = 16, .fields = odd, .field_count = 1};
  char out[16];
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode(&odd_record, "{}", 2, out, &error) == DECANT_INVALID_RECORD, "not UTF-8");
}

/* ---------------------------------------------------------------------------------------------------
 * Strings that nothing counts end at a NUL byte, so that none is accepted inside
 */

struct nul_item {
  const char *text;
  size_t text_length;
  char chars[16];
  size_t chars_length;
  const char **list;
  size_t list_count;
  decant_text *texts;
  size_t text_count;
  struct nul_member *map;
  size_t map_count;
  void *storage;
};
struct nul_member {
  const char *key;
  size_t key_length;
  int64_t value;
};

static int take_error(void *context, int64_t line, const void *value, const decant_error *error) {
  (void)line;
  if (value == NULL) *(decant_error *)context = *error;
  return 0;
}

static void test_nul(void) {
#define NUL(member) offsetof(struct nul_item, member)
  static const decant_field bare_members[] = {
      {.kind = DECANT_KEY, .offset = offsetof(struct nul_member, key)},
      {.key = "", .kind = DECANT_INT64, .flags = DECANT_POINTER, .offset = offsetof(struct nul_member, value)}};
  static const decant_field counted_members[] = {
      {.kind = DECANT_KEY, .offset = offsetof(struct nul_member, key), .flags = DECANT_LENGTH_AT_ZERO,
       .length_offset = offsetof(struct nul_member, key_length)},
      {.key = "", .kind = DECANT_INT64, .flags = DECANT_POINTER, .offset = offsetof(struct nul_member, value)}};
  static const decant_record bare_member = {
      .size = sizeof(struct nul_member), .fields = bare_members, .field_count = 2};
  static const decant_record counted_member = {
      .size = sizeof(struct nul_member), .fields = counted_members, .field_count = 2};
  static const struct {
    decant_field field;
    const char *json, *path, *message;
  } rows[] = {
      {{.key = "a", .kind = DECANT_STRING, .offset = NUL(text)}, "{\"a\":\"admin\\u0000evil\"}", "/a",
       "/a: the string \"admin\\u0000evil\" has a NUL byte, where a C string ends\n"},
      {{.key = "a", .kind = DECANT_STRING, .offset = NUL(text), .length_offset = NUL(text_length)},
       "{\"a\":\"admin\\u0000evil\"}", NULL, NULL},
      {{.key = "a", .kind = DECANT_CHARS, .capacity = 16, .offset = NUL(chars)}, "{\"a\":\"root\\u0000x\"}", "/a",
       "/a: the string \"root\\u0000x\" has a NUL byte, where a C string ends\n"},
      {{.key = "a", .kind = DECANT_CHARS, .capacity = 16, .offset = NUL(chars), .length_offset = NUL(chars_length)},
       "{\"a\":\"root\\u0000x\"}", NULL, NULL},
      {{.key = "a", .kind = DECANT_ARRAY, .element = DECANT_STRING, .offset = NUL(list), .length_offset = NUL(list_count)},
       "{\"a\":[\"\",\"\\u0000\"]}", "/a/1", "/a/1: the string \"\\u0000\" has a NUL byte, where a C string ends\n"},
      {{.key = "a", .kind = DECANT_ARRAY, .element = DECANT_TEXT, .offset = NUL(texts), .length_offset = NUL(text_count)},
       "{\"a\":[\"\",\"\\u0000\"]}", NULL, NULL},
      {{.key = "a", .kind = DECANT_MAP, .record = &bare_member, .offset = NUL(map), .length_offset = NUL(map_count)},
       "{\"a\":{\"x\":1,\"x\\u0000y\":2}}", "/a/x",
       "/a/x\\u0000y: the key has a NUL byte, where a C string ends\n"},
      {{.key = "a", .kind = DECANT_MAP, .record = &counted_member, .offset = NUL(map), .length_offset = NUL(map_count)},
       "{\"a\":{\"x\":1,\"x\\u0000y\":2}}", NULL, NULL}};
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    const decant_record record = {
        .size = sizeof(struct nul_item), .fields = &rows[at].field, .field_count = 1, .storage_offset = NUL(storage)};
    /* A short document, one that is too long to be read without an index, an array of many, a line, and a part. */
    char wide[1024];
    sprintf(wide, "%*s%s%*s", 300, "", rows[at].json, 300, "");
    for (int way = 0; way < 6; way++) {
      struct nul_item it;
      decant_error error = DECANT_ERROR_INIT;
      decant_options options = DECANT_OPTIONS_INIT;
      decant_document *document = NULL;
      decant_status status;
      /* libjansson refuses keys with NUL bytes itself. */
      if (way == 4 && rows[at].field.kind == DECANT_MAP) continue;
#ifdef WITHOUT_JANSSON
      if (way == 4) continue;
#endif
      if (way == 4) options.engine = DECANT_JANSSON;
      if (way == 4) options.duplicate_keys = DECANT_KEEP_LAST;
      switch (way) {
        case 0: status = decant_decode(&record, rows[at].json, strlen(rows[at].json), &it, &error); break;
        case 1: status = decant_decode(&record, wide, strlen(wide), &it, &error); break;
        case 2:
        case 4: status = decant_decode_with(&record, rows[at].json, strlen(rows[at].json), &it, &options, &error); break;
        case 3:
          status = decant_decode_lines(&record, rows[at].json, strlen(rows[at].json), take_error, &error, NULL, NULL);
          if (status == DECANT_OK) status = error.code;
          break;
        default:
          decant_parse(rows[at].json, strlen(rows[at].json), NULL, &document, NULL);
          status = decant_decode_value(&record, decant_root(document), &it, NULL, &error);
      }
      if (rows[at].path == NULL) {
        if (!check(status == DECANT_OK, "what is counted may have a NUL")) printf("%s\n", error.message);
        if (way != 3 && status == DECANT_OK) {
          check(rows[at].field.kind != DECANT_STRING || it.text_length == 10, "its length");
          check(rows[at].field.kind != DECANT_CHARS || it.chars_length == 6, "the length of chars");
          check(rows[at].field.kind != DECANT_ARRAY || it.texts[1].length == 1, "a text");
          check(rows[at].field.kind != DECANT_MAP || it.map[1].key_length == 3, "a key");
          decant_free(&record, &it);
        }
      } else {
        check_text(decant_status_name(status), "invalid value");
        check_text(error.path, rows[at].path);
        char message[128];
        sprintf(message, "%s", rows[at].message);
        if (way == 4) message[strlen(message) - 1] = 0;
        if (!check(strstr(error.message, message) != NULL, message)) printf("%s\n", error.message);
      }
      decant_document_free(document);
    }
  }
}

/* What a field does not need stays zero, as a table that is checked by itself is asked. */
static void test_needless(void) {
  static const decant_name names[] = {{"a", 1}, {NULL, 0}};
  static const int64_t five = 5;
  static const struct {
    decant_field field;
    const char *message;
  } rows[] = {
      {{.key = "a", .kind = DECANT_INT64, .default_value = &five}, "default_value without DECANT_DEFAULT"},
      {{.key = "a", .kind = DECANT_INT64, .capacity = 77}, "capacity is for DECANT_CHARS, _FIXED_ARRAY, _FIXED_BASE64 and _DECIMAL"},
      {{.key = "a", .kind = DECANT_STRING, .names = names}, "names are for DECANT_ENUM and DECANT_FLAGS"},
      {{.key = "a", .kind = DECANT_INT64, .element = DECANT_INT8},
       "element is for DECANT_ARRAY and DECANT_FIXED_ARRAY"},
      {{.key = "a", .kind = DECANT_ARRAY, .element = DECANT_INT8, .length_offset = 8, .record = &point_record},
       "record is for fields that hold records"}};
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    const decant_record record = {.size = 24, .fields = &rows[at].field, .field_count = 1, .storage_offset = 16};
    decant_error error = DECANT_ERROR_INIT;
    char message[128];
    sprintf(message, "invalid record: field 0 (\"a\"): %s", rows[at].message);
    check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD, message);
    check_text(error.message, message);
  }
}

/* What later versions may use is refused, in every call and for every kind of field; so are rows of another size. */
static void test_reserved(void) {
  static const decant_field names[] = {
      {.key = "a", .kind = DECANT_INT64},
      {.key = "a", .kind = DECANT_CHARS, .capacity = 8},
      {.key = "a", .kind = DECANT_INT64, .flags = DECANT_OPTIONAL | DECANT_POINTER | DECANT_FROM_TEXT}};
  static const char json[] = "{\"a\":1}";
  for (size_t at = 0; at < 2 * sizeof names / sizeof *names; at++) {
    decant_field field = names[at / 2];
    decant_record record = {.size = 8, .fields = &field, .field_count = 1};
    const char *where = "invalid record: field 0 (\"a\"): scale of a field that is no DECANT_DECIMAL";
    if (at % 2 == 0) field.scale = 1;
    if (at % 2 == 1) record.flags = 1u << 30, where = "invalid record: unknown flags";
    int64_t out = 7;
    size_t length;
    decant_error error = DECANT_ERROR_INIT;
    check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD, "what is reserved is 0");
    check_text(error.message, where);
    check(decant_decode(&record, json, sizeof json - 1, &out, &error) == DECANT_INVALID_RECORD && out == 7, "decoding");
    check_text(error.message, where);
    check(decant_encode(&record, &out, NULL, 0, &length, &error) == DECANT_INVALID_RECORD, "encoding");
    struct ArrowArrayStream rows;
    check(decant_read_arrow(&record, json, sizeof json - 1, NULL, &rows, NULL, &error) == DECANT_INVALID_RECORD,
          "columns");
    const decant_field outer = {.key = "o", .kind = DECANT_RECORD, .record = &record};
    const decant_record holder = {.size = 8, .fields = &outer, .field_count = 1};
    check(decant_record_check(&holder, &error) == DECANT_INVALID_RECORD, "in a record inside");
  }
  decant_record record = {.size = 8, .fields = names, .field_count = 1};
  int64_t out = 7;
  decant_error error = DECANT_ERROR_INIT;
  record.field_size = sizeof(decant_field) - 8;
  check(decant_decode(&record, json, sizeof json - 1, &out, &error) == DECANT_INVALID_RECORD && out == 7, "other rows");
  check_text(error.message, "invalid record: field_size is not the sizeof(decant_field) of this library");
  record.field_size = sizeof(decant_field);
  check(decant_decode(&record, json, sizeof json - 1, &out, &error) == DECANT_OK && out == 1, "rows of this version");
}

/* Fields in no order, in structs of more bytes than are looked at at a time. */
static void test_order(void) {
  enum { COUNT = 3001 };
  static decant_field fields[COUNT];
  for (int at = 0; at < COUNT; at++)
    fields[at] = (decant_field){.key = "a", .kind = DECANT_INT64, .offset = 8 * (uint32_t)(at * 7 % COUNT)};
  decant_record record = {
      .size = 8 * COUNT + sizeof(void *), .fields = fields, .field_count = COUNT, .storage_offset = 8 * COUNT};
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_check(&record, &error) == DECANT_OK, "fields in no order");
  record.storage_offset = 8 * 700;
  check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD, "the storage, shared");
  check_text(error.message, "invalid record: field 100 (\"a\"): it overlaps the storage");
  record.storage_offset = 8 * COUNT;
  fields[727].offset = fields[699].offset - 3;
  check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD, "a field, shared");
  check_text(error.message, "invalid record: field 727 (\"a\"): it overlaps another field");
  decant_field large[] = {{.key = "b", .kind = DECANT_BOOL, .offset = 16384},
                          {.key = "a", .kind = DECANT_CHARS, .capacity = 16384}};
  record = (decant_record){.size = 16385, .fields = large, .field_count = 2};
  check(decant_record_check(&record, &error) == DECANT_OK, "behind many bytes");
  large[1].capacity++;
  check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD, "the last of many bytes, shared");
  check_text(error.message, "invalid record: field 1 (\"a\"): it overlaps another field");
  /* However large the struct is: 1.5 GB, or on 32 bits as much as they have room for. */
  const int shift = sizeof(size_t) > 4 ? 19 : 16;
  for (int at = 0; at < COUNT; at++) {
    fields[at] = (decant_field){
        .key = "a", .kind = DECANT_CHARS, .capacity = 1 << shift, .offset = (uint32_t)(at * 7 % COUNT) << shift};
  }
  record = (decant_record){.size = (size_t)COUNT << shift, .fields = fields, .field_count = COUNT};
  const clock_t start = clock();
  check(decant_record_check(&record, &error) == DECANT_OK, "a large struct in no order");
  check(has_fewer_rounds() || clock() - start < CLOCKS_PER_SEC, "is checked at once");
}

static void test_arguments(void) {
  struct point out;
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = DECANT_OPTIONS_INIT;
  check(decant_decode(&point_record, NULL, 1, &out, &error) == DECANT_INVALID_ARGUMENT, "no bytes");
  check(decant_decode(&point_record, NULL, 0, &out, &error) == DECANT_EMPTY_INPUT, "none at all");
  check(decant_decode(&point_record, "{}", 2, NULL, &error) == DECANT_INVALID_ARGUMENT, "no out");
  check(decant_decode(&point_record, "{}", SIZE_MAX, &out, &error) == DECANT_INVALID_ARGUMENT, "size");
  options.size = 8;
  check(decant_decode_with(&point_record, "{}", 2, &out, &options, &error) ==
            DECANT_INVALID_ARGUMENT, "a strange size of options");
  options.size = sizeof options;
  options.engine = 9;
  check(decant_decode_with(&point_record, "{}", 2, &out, &options, &error) ==
            DECANT_INVALID_ARGUMENT, "a strange engine");
  options = (decant_options)DECANT_OPTIONS_INIT;
  options.maximum_depth = 1;
  check(decant_decode_with(&point_record, "[[]]", 4, &out, &options, &error) == DECANT_TOO_DEEP, "deep");
  options.maximum_bytes = 3;
  check(decant_decode_with(&point_record, "[[]]", 4, &out, &options, &error) == DECANT_TOO_LARGE,
        "large");
  error.size = 4;
  error.code = 7;
  check(decant_decode(&point_record, "{", 1, &out, &error) == DECANT_UNEXPECTED_END, "status");
  check(error.code == 7, "an error struct of unknown size is not written to");
  check(decant_decode_lines(&point_record, "{}", 2, NULL, NULL, NULL, NULL) ==
            DECANT_INVALID_ARGUMENT, "no function");
  check(decant_decode_array(NULL, "", "[]", 2, NULL, NULL, NULL) == DECANT_INVALID_ARGUMENT, "NULLs");
}

/* What one field accepts, and where it says what it does not. */
static void test_limits(void) {
  static const decant_bounds digit = {.minimum = 1, .maximum = 9}, real = {.least = 0.5, .most = 1.5};
  static const decant_bounds one_or_two = {.shortest = 1, .longest = 2};
  static const decant_record nothing = {.size = 8, .fields = NULL, .field_count = 0};
  static const decant_field kind_itself = {.key = "", .kind = DECANT_KIND, .flags = DECANT_POINTER};
  static const decant_field number_itself = {.key = "", .kind = DECANT_INT64, .flags = DECANT_POINTER};
  static const decant_record kind = {.size = 8, .fields = &kind_itself, .field_count = 1};
  static const decant_record number = {.size = 8, .fields = &number_itself, .field_count = 1};
  static const struct {
    decant_field field;
    const char *json;
    decant_status status;
    const char *path;
  } rows[] = {
      {{.key = "a", .kind = DECANT_INT64, .bounds = &digit}, "{\"a\":9}", DECANT_OK, ""},
      {{.key = "a", .kind = DECANT_INT64, .bounds = &digit}, "{\"a\":0}", DECANT_INVALID_VALUE, "/a"},
      {{.key = "a", .kind = DECANT_UINT8, .bounds = &digit}, "{\"a\":10}", DECANT_INVALID_VALUE, "/a"},
      {{.key = "a", .kind = DECANT_DOUBLE, .bounds = &real}, "{\"a\":1.5}", DECANT_OK, ""},
      {{.key = "a", .kind = DECANT_DOUBLE, .bounds = &real}, "{\"a\":1.75}", DECANT_INVALID_VALUE, "/a"},
      {{.key = "a", .kind = DECANT_INT64}, "{\"a\":null}", DECANT_MISSING_KEY, "/a"},
      {{.key = "a", .kind = DECANT_STRING, .bounds = &one_or_two}, "{\"a\":\"\\u0041b\"}", DECANT_OK, ""},
      {{.key = "a", .kind = DECANT_STRING, .bounds = &one_or_two}, "{\"a\":\"\"}", DECANT_INVALID_VALUE, "/a"},
      {{.key = "a", .kind = DECANT_TEXT, .bounds = &one_or_two}, "{\"a\":\"abc\"}", DECANT_INVALID_VALUE, "/a"},
      {{.key = "a", .kind = DECANT_ARRAY, .element = DECANT_INT32, .length_offset = 16, .bounds = &one_or_two},
       "{\"a\":[1,2]}", DECANT_OK, ""},
      {{.key = "a", .kind = DECANT_ARRAY, .element = DECANT_INT32, .length_offset = 16, .bounds = &one_or_two},
       "{\"a\":[]}", DECANT_INVALID_VALUE, "/a"},
      {{.key = "a", .kind = DECANT_ARRAY, .element = DECANT_INT32, .length_offset = 16, .bounds = &one_or_two},
       "{\"a\":[1,2,3]}", DECANT_INVALID_VALUE, "/a"},
      {{.key = "a", .kind = DECANT_ARRAY, .element = DECANT_INT32, .length_offset = 16}, "{\"a\":[1,null]}",
       DECANT_TYPE_MISMATCH, "/a/1"},
      {{.key = "a", .kind = DECANT_FIXED_ARRAY, .element = DECANT_INT32, .capacity = 2}, "{\"a\":[1]}",
       DECANT_INVALID_VALUE, "/a"},
      {{.key = "a", .kind = DECANT_FIXED_ARRAY, .element = DECANT_INT32, .capacity = 2, .length_offset = 16},
       "{\"a\":[1]}", DECANT_OK, ""},
      {{.key = "a", .kind = DECANT_FIXED_ARRAY, .element = DECANT_INT32, .capacity = 2, .length_offset = 16},
       "{\"a\":[1,2,3]}", DECANT_INVALID_VALUE, "/a"},
      {{.key = "a", .kind = DECANT_MAP, .record = &entry_record, .length_offset = 16, .bounds = &one_or_two},
       "{\"a\":{\"x\":1,\"y\":2}}", DECANT_OK, ""},
      {{.key = "a", .kind = DECANT_MAP, .record = &entry_record, .length_offset = 16, .bounds = &one_or_two},
       "{\"a\":{}}", DECANT_INVALID_VALUE, "/a"},
      {{.key = "a", .kind = DECANT_FLAGS, .names = meals}, "{\"a\":[\"lunch\",\"dinner\",\"tea\"]}",
       DECANT_INVALID_VALUE, "/a/2"},
      {{.key = "a", .kind = DECANT_RECORD_POINTER, .record = &nothing}, "{\"a\":{}}", DECANT_OK, ""},
      {{.key = "a", .kind = DECANT_RECORD_POINTER, .record = &nothing}, "{\"a\":null}", DECANT_MISSING_KEY, "/a"},
      {{.key = "a", .kind = DECANT_RECORD, .record = &kind}, "{\"a\":null}", DECANT_OK, ""},
      {{.key = "a", .kind = DECANT_RECORD_POINTER, .record = &kind}, "{\"a\":null}", DECANT_OK, ""},
      {{.key = "a", .kind = DECANT_RECORD_POINTER, .record = &number}, "{\"a\":null}", DECANT_MISSING_KEY, "/a"},
      {{.key = "/a/b", .kind = DECANT_INT64, .flags = DECANT_POINTER | DECANT_OPTIONAL}, "{\"a\":null}",
       DECANT_OK, ""},
      {{.key = "/a/b", .kind = DECANT_INT64, .flags = DECANT_POINTER | DECANT_OPTIONAL}, "{\"a\":5}",
       DECANT_TYPE_MISMATCH, "/a"},
      {{.key = "/a/1", .kind = DECANT_INT64, .flags = DECANT_POINTER}, "{\"a\":[1,2]}", DECANT_OK, ""},
      {{.key = "/a/1", .kind = DECANT_INT64, .flags = DECANT_POINTER}, "{\"a\":[1]}", DECANT_MISSING_ELEMENT,
       "/a/1"},
      {{.key = "/a/01", .kind = DECANT_INT64, .flags = DECANT_POINTER}, "{\"a\":[1,2]}", DECANT_TYPE_MISMATCH,
       "/a"},
      {{.key = "/a/999999999999999999", .kind = DECANT_INT64, .flags = DECANT_POINTER}, "{\"a\":[1]}",
       DECANT_MISSING_ELEMENT, "/a/999999999999999999"},
      {{.key = "/a/9223372036854775807", .kind = DECANT_INT64, .flags = DECANT_POINTER}, "{\"a\":[1]}",
       DECANT_MISSING_ELEMENT, "/a/9223372036854775807"},
      {{.key = "/a/9223372036854775808", .kind = DECANT_INT64, .flags = DECANT_POINTER}, "{\"a\":[1]}",
       DECANT_TYPE_MISMATCH, "/a"},
      {{.key = "/a/99999999999999999999", .kind = DECANT_INT64, .flags = DECANT_POINTER}, "{\"a\":[1]}",
       DECANT_TYPE_MISMATCH, "/a"},
      {{.key = "/a~1b/~0", .kind = DECANT_INT64, .flags = DECANT_POINTER}, "{\"a/b\":{\"~\":1}}", DECANT_OK, ""},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    _Alignas(8) char out[32], before[32];
    const decant_record record = {
        .size = sizeof out, .fields = &rows[at].field, .field_count = 1, .storage_offset = 24};
    decant_error error = DECANT_ERROR_INIT;
    memset(out, 0x55, sizeof out);
    memcpy(before, out, sizeof out);
    const decant_status status = decant_decode(&record, rows[at].json, strlen(rows[at].json), out, &error);
    if (status != rows[at].status) printf("%s\n", rows[at].json);
    check_text(decant_status_name(status), decant_status_name(rows[at].status));
    if (status == DECANT_OK) {
      decant_free(&record, out);
    } else {
      check_text(error.path, rows[at].path);
      check(memcmp(out, before, sizeof out) == 0, "out is untouched");
    }
  }
}

/* A text with escapes has its length, and a value that is plain its presence. */
static void test_counts(void) {
  struct counts {
    decant_text text;
    int64_t number;
    bool has_number, has_text;
    void *storage;
  } out;
  static const decant_field fields[] = {
      {.key = "text", .kind = DECANT_TEXT, .offset = offsetof(struct counts, text),
       .presence_offset = offsetof(struct counts, has_text)},
      {.key = "number", .kind = DECANT_INT64, .flags = DECANT_OPTIONAL, .offset = offsetof(struct counts, number),
       .presence_offset = offsetof(struct counts, has_number)}};
  static const decant_record record = {
      .size = sizeof out, .fields = fields, .field_count = 2, .storage_offset = offsetof(struct counts, storage)};
  static const char *const texts[] = {
      "{\"text\":\"a\\nb\",\"number\":5}", "{\"number\":5,\"text\":\"\\u0061\\n\\u0062\"}",
      "{\"number\":5,\"number\":6,\"text\":\"a\\nb\"}", "{\"number\":5,\"a\":[[0]],\"text\":\"a\\nb\"}",
      "{\"text\":\"a\\nb\",\"a\":[[0]],\"number\":5,\"b\":{\"c\":[]}}"};
  for (size_t at = 0; at < sizeof texts / sizeof texts[0]; at++) {
    memset(&out, 0, sizeof out);
    if (!check(decant_decode(&record, texts[at], strlen(texts[at]), &out, NULL) == DECANT_OK, "a text")) continue;
    check_text(out.text.bytes, "a\nb");
    check(out.text.length == 3 && out.number == 5 && out.has_number && out.has_text, "its length, and both are there");
    decant_free(&record, &out);
  }
  if (check(decant_decode(&record, "{\"text\":\"\"}", 11, &out, NULL) == DECANT_OK, "an empty text")) {
    check(out.text.length == 0 && out.number == 0 && !out.has_number, "and no number");
    decant_free(&record, &out);
  }
}

/* What is accepted is said in the singular where it is one, and once where both ends are the same. */
static void test_words_of_bounds(void) {
  static const decant_bounds one_byte = {.shortest = 1, .longest = 1};
  static const decant_bounds five = {.minimum = 5, .maximum = 5};
  static const decant_field fields[] = {
      {.key = "pair", .kind = DECANT_FIXED_ARRAY, .element = DECANT_INT8, .capacity = 2},
      {.key = "one", .kind = DECANT_FIXED_ARRAY, .element = DECANT_INT8, .capacity = 1, .offset = 2},
      {.key = "few", .kind = DECANT_CHARS, .capacity = 2, .offset = 3},
      {.key = "byte", .kind = DECANT_CHARS, .capacity = 8, .offset = 5, .bounds = &one_byte},
      {.key = "five", .kind = DECANT_INT8, .offset = 13, .bounds = &five}};
  static const decant_record record = {.size = 16, .fields = fields, .field_count = 5};
  static const char json[] = "{\"pair\":[1],\"one\":[],\"few\":\"xy\",\"byte\":\"xy\",\"five\":6}";
  static const char *const lines[] = {
      "/pair: expected an array of exactly 2 elements, found 1\n",
      "/one: expected an array of exactly 1 element, found 0\n",
      "/few: expected a string of at most 1 byte, found the string \"xy\"\n",
      "/byte: expected a string of exactly 1 byte, found the string \"xy\"\n",
      "/five: expected the number 5, found the number 6\n"};
  char out[16];
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode(&record, json, sizeof json - 1, out, &error) == DECANT_MULTIPLE && error.error_count == 5,
        "out of bounds");
  for (size_t at = 0; at < sizeof lines / sizeof lines[0]; at++)
    check(strstr(error.message, lines[at]) != NULL, lines[at]);
}

/* Two fields of one key are one member's value, also where the document has the key twice. */
static void test_fields_of_one_key(void) {
  struct {
    int64_t a, b;
  } out;
  static const decant_field fields[] = {{.key = "a", .kind = DECANT_INT64},
                                        {.key = "a", .kind = DECANT_INT64, .offset = 8}};
  static const decant_record record = {.size = sizeof out, .fields = fields, .field_count = 2};
  check(decant_decode(&record, "{\"a\":1,\"a\":2}", 13, &out, NULL) == DECANT_OK && out.a == 1 && out.b == 1,
        "both have the first");
}

/* A key that comes after a map in its record is the key of its own member. */
static void test_map_in_map(void) {
  struct outer {
    struct entry *inner;
    size_t inner_count;
    const char *key;
  };
  struct maps {
    struct outer *map;
    size_t count;
    void *storage;
  } out;
  static const decant_field outer_fields[] = {
      {.key = "", .flags = DECANT_POINTER, .kind = DECANT_MAP, .record = &entry_record,
       .offset = offsetof(struct outer, inner), .length_offset = offsetof(struct outer, inner_count)},
      {.kind = DECANT_KEY, .offset = offsetof(struct outer, key)}};
  static const decant_record outer_record = {
      .size = sizeof(struct outer), .fields = outer_fields, .field_count = 2};
  static const decant_field fields[] = {
      {.key = "", .flags = DECANT_POINTER, .kind = DECANT_MAP, .record = &outer_record,
       .offset = offsetof(struct maps, map), .length_offset = offsetof(struct maps, count)}};
  static const decant_record record = {
      .size = sizeof out, .fields = fields, .field_count = 1, .storage_offset = offsetof(struct maps, storage)};
  const char *json = "{\"a\":{\"x\":1,\"y\":2},\"b\":{\"z\":3}}";
  if (!check(decant_decode(&record, json, strlen(json), &out, NULL) == DECANT_OK, "maps of maps")) return;
  check(out.count == 2 && out.map[0].inner_count == 2 && out.map[1].inner[0].value == 3, "all their members");
  check_text(out.map[0].key, "a");
  check_text(out.map[0].inner[1].key, "y");
  check_text(out.map[1].key, "b");
  decant_free(&record, &out);
}

/* At most twenty names are told, and as many whole errors as `details` has room for. */
static void test_long_reports(void) {
  static char texts[21][4], json[8192];
  static decant_name names[22];
  for (int at = 0; at < 21; at++) {
    sprintf(texts[at], "n%d", at);
    names[at] = (decant_name){texts[at], at};
  }
  const decant_field field = {.key = "a", .kind = DECANT_ENUM, .names = names};
  const decant_record record = {.size = 16, .fields = &field, .field_count = 1};
  char out[16];
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode(&record, "{\"a\":\"m\"}", 9, out, &error) == DECANT_INVALID_VALUE, "no such name");
  check(strstr(error.message, "\"n19\"") != NULL && strstr(error.message, "\"n20\"") == NULL, "twenty names");
  names[0].name = NULL;
  check(decant_decode(&record, "{\"a\":\"m\"}", 9, out, &error) == DECANT_INVALID_VALUE, "no name");
  check(strstr(error.message, "/a: the string \"m\" is not an accepted value\n") != NULL, "no names are told");

  strcpy(json, "{\"id\":1,\"name\":\"\",\"scores\":[");
  for (int at = 0; at < 1000; at++) strcat(json, at ? ",{}" : "{}");
  strcat(json, "]}");
  struct user user;
  check(decant_decode(&user_record, json, strlen(json), &user, &error) == DECANT_MULTIPLE, "many errors");
  static char text[16384];
  const size_t length = decant_error_json(&error, text, sizeof text);
  check(length > 1000 && length < sizeof text && strstr(text, "}],\"omitted\":") != NULL, "the last of them is whole");

  strcpy(json, "{\"id\":1,\"name\":\"\",\"scores\":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}]}");
  check(decant_decode(&user_record, json, strlen(json), &user, &error) == DECANT_MULTIPLE, "sixteen errors");
  check(decant_error_json(&error, text, sizeof text) < sizeof text, "their JSON");
  check(strstr(text, "\"path\":\"/scores/15\"") != NULL && strstr(text, "omitted") == NULL, "all of them");
}

/* Names have values of 32 bits. A table is checked for others by itself; a document that has no such name is decoded. */
static void test_wide_names(void) {
  static const decant_name names[] = {{"a", INT32_MIN}, {"b", UINT32_MAX}, {"c", INT64_C(1) << 32}, {NULL, 0}};
  const decant_field fields[] = {
      {.key = "enum", .kind = DECANT_ENUM, .names = names, .flags = DECANT_OPTIONAL},
      {.key = "flags", .kind = DECANT_FLAGS, .offset = 4, .names = names, .flags = DECANT_OPTIONAL}};
  const decant_record record = {.size = 8, .fields = fields, .field_count = 2};
  uint32_t out[2] = {7, 7};
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD, "a name of 33 bits");
  check_text(error.message, "invalid record: field 0 (\"enum\"): a name's value does not fit into 32 bits");
  static const char narrow[] = "{\"enum\":\"b\",\"flags\":[\"a\"]}";
  check(decant_decode(&record, narrow, sizeof narrow - 1, out, &error) == DECANT_OK, "names of 32 bits");
  check(out[0] == UINT32_MAX && out[1] == UINT32_C(1) << 31, "their values");
  static const char wide[] = "{\"enum\":\"c\",\"flags\":[\"a\",\"c\"]}";
  check(decant_decode(&record, wide, sizeof wide - 1, out, &error) == DECANT_MULTIPLE, "both are wide");
  check(out[0] == UINT32_MAX && error.error_count == 2, "nothing is written");
  check_text(error.message,
             "1:9: /enum: the name's value does not fit into 32 bits\n"
             "  {\"enum\":\"c\",\"flags\":[\"a\",\"c\"]}\n          ^~~\n"
             "1:26: /flags/1: the name's value does not fit into 32 bits\n"
             "  {\"enum\":\"c\",\"flags\":[\"a\",\"c\"]}\n                           ^~~");
}

/* What is wrong with a record inside others, and which field holds it: the nearest that has a name. */
static void test_faults_inside(void) {
  decant_field inner[] = {{.key = "x", .kind = DECANT_INT32}};
  decant_record inside = {.size = 4, .fields = inner, .field_count = 1};
  const decant_field element = {.key = "",
                                .kind = DECANT_ARRAY,
                                .element = DECANT_RECORD,
                                .flags = DECANT_POINTER,
                                .length_offset = 8,
                                .record = &inside};
  const decant_record row = {.size = 16, .fields = &element, .field_count = 1};
  decant_field fields[] = {
      {.key = "id", .kind = DECANT_INT64},
      {.key = "at", .kind = DECANT_RECORD, .offset = 8, .record = &inside},
      {.key = "rows", .kind = DECANT_ARRAY, .element = DECANT_RECORD, .offset = 16, .length_offset = 24, .record = &row}};
  decant_record record = {.size = 40, .fields = fields, .field_count = 3, .storage_offset = 32};
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_check(&record, &error) == DECANT_OK, error.message);
  inner[0].offset = 4;
  decant_record_check(&record, &error);
  check_text(error.message, "invalid record: field 0 (\"x\") in \"at\": offset is outside the struct");
  inner[0].offset = 0;
  inner[0].kind = 999;
  decant_record_check(&record, &error);
  check_text(error.message, "invalid record: field 0 (\"x\") in \"at\": kind is unknown");
  inner[0].kind = DECANT_INT32;
  inner[0].scale = 1;
  decant_record_check(&record, &error);
  check_text(error.message, "invalid record: field 0 (\"x\") in \"at\": scale of a field that is no DECANT_DECIMAL");
  inner[0].scale = 0;
  inner[0].key = NULL;
  decant_record_check(&record, &error);
  check_text(error.message, "invalid record: field 0 in \"at\": key is NULL");
  inner[0].key = "x";
  inner[0].offset = 4;
  fields[1].record = NULL;
  fields[1].kind = DECANT_INT32;
  decant_record_check(&record, &error);
  check_text(error.message, "invalid record: field 0 (\"x\") in \"rows\": offset is outside the struct");
  inside.fields = NULL;
  decant_record_check(&record, &error);
  check_text(error.message, "invalid record: \"rows\": fields is NULL");
  inner[0] = (decant_field){.kind = DECANT_KEY};
  inside = (decant_record){.size = sizeof(char *), .fields = inner, .field_count = 1};
  fields[1] = (decant_field){
      .key = "map", .kind = DECANT_MAP, .offset = 8, .length_offset = 32, .record = &inside};
  decant_record_check(&record, &error);
  check_text(error.message, "invalid record: field 0 in \"rows\": a DECANT_KEY is for the record of a map");
}

/* An end of 0 that would let nothing in is none. */
static void test_bounds_of_one_end(void) {
  static const decant_bounds bounds[] = {
      {.minimum = 1}, {.maximum = -1}, {.least = 0.5}, {.most = -0.5}, {.shortest = 2}, {.minimum = 0, .maximum = 3}};
  static const struct {
    int bounds, kind;
    const char *inside, *outside, *range;
  } rows[] = {
      {0, DECANT_INT64, "9223372036854775807", "0", "expected a number of at least 1, found the number 0\n"},
      {1, DECANT_INT64, "-9223372036854775808", "0", "expected a number of at most -1, found the number 0\n"},
      {0, DECANT_UINT64, "18446744073709551615", "0", "expected a number of at least 1, found the number 0\n"},
      {2, DECANT_DOUBLE, "1e300", "0.25", "expected a number of at least 0.5, found the number 0.25\n"},
      {3, DECANT_DOUBLE, "-1e300", "0", "expected a number of at most -0.5, found the number 0\n"},
      {4, DECANT_STRING, "\"Ann\"", "\"A\"", "expected a string of at least 2 bytes, found the string \"A\"\n"},
      {5, DECANT_INT64, "0", "-1", "expected a number in 0 to 3, found the number -1\n"}};
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    const decant_field field = {.key = "a", .kind = (uint16_t)rows[at].kind, .bounds = &bounds[rows[at].bounds]};
    const decant_record record = {.size = 16, .fields = &field, .field_count = 1, .storage_offset = 8};
    char json[64], text[64];
    int64_t out[2];
    size_t length;
    decant_error error = DECANT_ERROR_INIT;
    check(decant_record_check(&record, &error) == DECANT_OK, "one end is enough");
    sprintf(json, "{\"a\":%s}", rows[at].inside);
    if (check(decant_decode(&record, json, strlen(json), out, &error) == DECANT_OK, json)) {
      check(decant_encode(&record, out, text, sizeof text, &length, &error) == DECANT_OK, "it is written, too");
      decant_free(&record, out);
    }
    sprintf(json, "{\"a\":%s}", rows[at].outside);
    check(decant_decode(&record, json, strlen(json), out, &error) == DECANT_INVALID_VALUE, json);
    if (!check(strstr(error.message, rows[at].range) != NULL, rows[at].range)) printf("%s\n", error.message);
  }
}

/* A message that is too long ends with a whole error, and says how many follow. */
static void test_message_end(void) {
  enum { LIMITS = 12 };
  static char keys[LIMITS][24];
  static decant_field fields[LIMITS];
  static const decant_bounds bounds = {.minimum = 1};
  char json[1024], *end = json;
  *end++ = '{';
  for (int at = 0; at < LIMITS; at++) {
    sprintf(keys[at], "limit_number_%d", at);
    fields[at] = (decant_field){.key = keys[at], .kind = DECANT_INT32, .offset = 4 * (uint32_t)at, .bounds = &bounds};
    end += sprintf(end, "%s\n  \"limit_number_%d\": -%d", at ? "," : "", at, at + 1);
  }
  strcpy(end, "\n}");
  char source[1200];
  for (int length = 1; length < 1150; length += length < 200 ? 1 : 50) {
    for (int most = 3; most <= 64; most += 61) {
      int32_t out[LIMITS];
      const decant_record record = {.size = sizeof out, .fields = fields, .field_count = LIMITS};
      decant_error error = DECANT_ERROR_INIT;
      decant_options options = DECANT_OPTIONS_INIT;
      memset(source, 's', sizeof source);
      source[length] = 0;
      options.source_name = source;
      options.maximum_errors = (size_t)most;
      check(decant_decode_with(&record, json, strlen(json), out, &options, &error) == DECANT_MULTIPLE, "errors");
      const char *last = strrchr(error.message, '\n'), *line = error.message;
      int told = 0;
      for (; (line = strstr(line, "in 1 to 2147483647, found the number -")) != NULL; line++)
        told += strchr(line, '\n') != NULL;
      if (told == 0) {
        check(strlen(error.message) == 1023,
              "one error that is too long");
      } else if (told < error.error_count) {
        char note[64];
        sprintf(note, "\n\u2026 and %d more error%s", LIMITS - told, LIMITS - told == 1 ? "" : "s");
        if (!check_at(last != NULL && strcmp(last, note) == 0, "how many follow", length))
          printf("%s\n", error.message);
      } else {
        check(told == LIMITS, "all of them");
      }
    }
  }
}

/* An error of zeros is written, as one with its size is. */
static void test_error_of_zeros(void) {
  decant_error error;
  memset(&error, 0, sizeof error);
  struct user user;
  check(decant_decode(&user_record, "{\"id\":1,\"name\":\"\"}", 18, &user, &error) == DECANT_OK && error.size == 0,
        "nothing is written on success");
  decant_free(&user_record, &user);
  check(decant_decode(&user_record, "{", 1, &user, &error) == DECANT_UNEXPECTED_END, "a failure");
  check(error.size == sizeof error && error.code == DECANT_UNEXPECTED_END && error.message[0] == '1', "is told");
  memset(&error, 0, sizeof error);
  error.size = 8;
  check(decant_decode(&user_record, "{", 1, &user, &error) == DECANT_UNEXPECTED_END && error.message[0] == 0,
        "another size is another struct's");
}

/* Bounds that let nothing in. A table is checked for them by itself. */
static void test_closed_bounds(void) {
  static const decant_bounds closed[] = {
      {.minimum = 2, .maximum = 1}, {.least = 0.5, .most = 0.25}, {.least = -1, .most = NAN}, {.shortest = 2, .longest = 1}};
  for (size_t at = 0; at < sizeof closed / sizeof *closed; at++) {
    const decant_field fields[] = {
        {.key = "a", .kind = DECANT_BOOL},
        {.key = "b", .kind = DECANT_DOUBLE, .offset = 8, .bounds = &closed[at], .flags = DECANT_OPTIONAL}};
    const decant_record record = {.size = 16, .fields = fields, .field_count = 2};
    double out[2];
    decant_error error = DECANT_ERROR_INIT;
    check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD, "closed bounds");
    check_text(error.message, "invalid record: field 1 (\"b\"): its bounds let nothing in");
    check(decant_decode(&record, "{\"a\":true}", 10, out, &error) == DECANT_OK, "no value");
  }
}

struct twice {
  struct twice *left, *right;
  void *storage;
};

static const decant_record chain_record;
static const decant_field chain_field = {.key = "a", .kind = DECANT_RECORD_POINTER, .flags = DECANT_OPTIONAL,
                                         .offset = offsetof(struct twice, left), .record = &chain_record};
static const decant_record chain_record = {
    .size = sizeof(struct twice), .fields = &chain_field, .field_count = 1};

/* A document that goes deeper than records may nest: 32 deep, the outermost not counted. */
static void test_depth(void) {
  char json[2048] = "";
  for (int at = 0; at < 100; at++) strcat(json, "{\"id\":1,\"left\":");
  strcat(json, "null");
  for (int at = 0; at < 100; at++) strcat(json, "}");
  for (int depth = 32; depth <= 33; depth++) {
    char twice[512] = "";
    struct twice chain;
    for (int at = 0; at < depth; at++) strcat(twice, "{\"a\":");
    strcat(twice, "{}");
    for (int at = 0; at < depth; at++) strcat(twice, "}");
    const decant_record record = {
        .size = sizeof chain, .fields = &chain_field,
        .field_count = 1, .storage_offset = offsetof(struct twice, storage)};
    const decant_status status = decant_decode(&record, twice, strlen(twice), &chain, NULL);
    check(status == (depth == 32 ? DECANT_OK : DECANT_TOO_DEEP), "32 deep");
    if (status == DECANT_OK) decant_free(&record, &chain);
  }
  const decant_field fields[] = {
      {.key = "", .flags = DECANT_POINTER, .kind = DECANT_RECORD, .record = &tree_record}};
  decant_record record = {
      .size = sizeof(struct tree) + 8, .fields = fields, .field_count = 1, .storage_offset = sizeof(struct tree)};
  char out[sizeof(struct tree) + 8];
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode(&record, json, strlen(json), out, &error) == DECANT_TOO_DEEP, "too deep");
}

/* Two fields of one value, which do so again: at the bottom it would be looked at two billion times. */
static const decant_record twice_record;
static const decant_field twice_fields[] = {
    {.key = "a", .kind = DECANT_RECORD_POINTER, .flags = DECANT_OPTIONAL,
     .offset = offsetof(struct twice, left), .record = &twice_record},
    {.key = "/a", .kind = DECANT_RECORD_POINTER, .flags = DECANT_OPTIONAL | DECANT_POINTER,
     .offset = offsetof(struct twice, right), .record = &twice_record}};
static const decant_record twice_record = {
    .size = sizeof(struct twice), .fields = twice_fields,
    .field_count = 2, .storage_offset = offsetof(struct twice, storage)};

static void test_doubling(void) {
  struct twice out;
  char json[1024] = "";
  for (int at = 0; at < 31; at++) strcat(json, "{\"a\":");
  strcat(json, "null");
  for (int at = 0; at < 31; at++) strcat(json, "}");
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode(&twice_record, json, strlen(json), &out, &error) == DECANT_TOO_DEEP, "too many records");
  check(strstr(error.message, "refer to one value too often") != NULL, "and why");
  check(decant_decode(&twice_record, "{\"a\":{\"a\":{}}}", 14, &out, &error) == DECANT_OK, "a few are fine");
  check(out.right->left != NULL && out.left->right->right == NULL, "both ways");
  decant_free(&twice_record, &out);
}

/* ---------------------------------------------------------------------------------------------------
 * Arrays and streams
 */

static void test_arrays(void) {
  const char *json = "{\"users\":[{\"id\":1,\"name\":\"A\"},{\"id\":2,\"name\":\"B\"}]}";
  decant_array users;
  decant_error error = DECANT_ERROR_INIT;
  if (check(decant_decode_array(&user_record, "/users", json, strlen(json), &users, NULL, &error) ==
                DECANT_OK, "an array")) {
    const struct user *items = users.items;
    check(users.count == 2 && items[1].id == 2 && items[1].storage == NULL, "its elements");
    check_text(items[1].name, "B");
    decant_array_free(&users, NULL);
    decant_array_free(&users, NULL);
    check(users.items == NULL && users.count == 0, "a freed array is empty");
  }
  check(decant_decode_array(&user_record, NULL, "[]", 2, &users, NULL, &error) == DECANT_OK &&
            users.count == 0 && users.items == NULL, "an empty array");
  decant_array_free(&users, NULL);
  static const char *const pointers[] = {"users", "/~2", "/users/~"};
  for (int at = 0; at < 3; at++) {
    check(decant_decode_array(&user_record, pointers[at], json, strlen(json), &users, NULL, &error) ==
              DECANT_INVALID_POINTER, pointers[at]);
    check_text(error.message, "pointer is not a JSON Pointer (RFC 6901)");
  }
  check(decant_decode_array(&user_record, "/x", json, strlen(json), &users, NULL, &error) ==
            DECANT_MISSING_KEY, "no array there");
  check_text(error.message,
             "1:1: /x: the key is missing\n"
             "  {\"users\":[{\"id\":1,\"name\":\"A\"},{\"id\":2,\"name\":\"B\"}]}\n"
             "  ^\n"
             "  the object has \"users\"");
}

struct stream {
  int values, errors, last_line, stop_after;
};

static int on_line(void *context, int64_t line, const void *value, const decant_error *error) {
  struct stream *stream = context;
  stream->last_line = (int)line;
  if (value != NULL) {
    const struct user *user = value;
    stream->values++;
    check(user->id == line, "a line's value");
  } else {
    stream->errors++;
    check_text(error->message,
               "3:7: /id: expected an integer, found true\n"
               "  {\"id\":true}\n"
               "        ^~~~\n"
               "3:1: /name: the key is missing\n"
               "  {\"id\":true}\n"
               "  ^\n"
               "  the object has \"id\"");
    check(error->offset == 37 && error->line == 3, "a line's place in the stream");
  }
  return stream->values == stream->stop_after;
}

static void test_lines(void) {
  decant_error error = DECANT_ERROR_INIT;
  struct stream stream = {0, 0, 0, 9};
  const char *json = "{\"id\":1,\"name\":\"A\"}\r\n         \n{\"id\":true}\n  \n{\"id\":5,\"name\":\"E\"}";
  check(decant_decode_lines(&user_record, json, strlen(json), on_line, &stream, NULL, &error) == DECANT_OK,
        "a stream");
  check(stream.values == 2 && stream.errors == 1 && stream.last_line == 5, "all its lines");
  stream = (struct stream){0, 0, 0, 9};
  json = "\r\n{\"id\":2,\"name\":\"A\"}\r\n\r\n \t\r\n{\"id\":5,\"name\":\"E\"}\r\n\r\n";
  check(decant_decode_lines(&user_record, json, strlen(json), on_line, &stream, NULL, &error) == DECANT_OK,
        "lines that end with CR LF");
  check(stream.values == 2 && stream.errors == 0 && stream.last_line == 5, "blank ones are no documents");
  json = "{\"id\":1,\"name\":\"A\"}\n{\"id\":2,\"name\":\"B\"}";
  stream = (struct stream){0, 0, 0, 1};
  decant_decode_lines(&user_record, json, strlen(json), on_line, &stream, NULL, &error);
  check(stream.values == 1 && stream.errors == 0 && stream.last_line == 1, "it ends when told to");
}

/* What is wrong with a table is returned by the call, once; no line is decoded. */
static void test_lines_of_bad_tables(void) {
  decant_field fields[8];
  check(user_record.field_count <= sizeof fields / sizeof *fields, "the fields fit");
  memcpy(fields, user_record.fields, user_record.field_count * sizeof *fields);
  decant_record record = user_record;
  record.fields = fields;
  record.storage_offset = 0;
  const char *json = "{\"id\":1,\"name\":\"A\"}\n{\"id\":2,\"name\":\"B\"}\n";
  decant_error error = DECANT_ERROR_INIT;
  struct stream stream = {0, 0, 0, 9};
  const char *message = "invalid record: it has strings, arrays or maps, and no storage_offset";
  check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD, "strings without storage");
  check_text(error.message, message);
  error.message[0] = 0;
  check(decant_decode_lines(&record, json, strlen(json), on_line, &stream, NULL, &error) ==
            DECANT_INVALID_RECORD, "lines of strings without storage");
  check_text(error.message, message);
  check(stream.values == 0 && stream.errors == 0, "no line is decoded");
  char buffer[64];
  decant_options options = DECANT_OPTIONS_INIT;
  options.buffer = buffer;
  options.buffer_size = sizeof buffer;
  check(decant_decode_lines(&record, json, strlen(json), on_line, &stream, &options, &error) == DECANT_OK,
        "a buffer is a storage");
  check(stream.values == 2 && stream.errors == 0, "every line is decoded");
  fields[0].kind = 99;
  stream = (struct stream){0, 0, 0, 9};
  check(decant_decode_lines(&record, json, strlen(json), on_line, &stream, &options, &error) ==
            DECANT_INVALID_RECORD, "an unknown kind");
  check(stream.values == 0 && stream.errors == 0, "no line is decoded");
}

/* One rule for fields and maps, measured or not. */
/* A small struct is filled in one walk, and in other ways with memory of the caller's, and in a buffer with less room
 * than the text: the same comes out. */
struct small {
  int64_t a;
  const char *b;
  size_t b_length;
  decant_text c;
  int32_t d;
  bool e;
  void *storage;
};

static void *take(void *state, size_t size) { return state ? NULL : malloc(size); }
static void give(void *state, void *block, size_t size) {
  (void)state;
  (void)size;
  free(block);
}

static void test_small(void) {
  static const decant_field fields[] = {
      {.key = "a", .kind = DECANT_INT64, .offset = offsetof(struct small, a)},
      {.key = "b", .kind = DECANT_STRING, .flags = DECANT_OPTIONAL, .offset = offsetof(struct small, b),
       .length_offset = offsetof(struct small, b_length)},
      {.key = "c", .kind = DECANT_TEXT, .flags = DECANT_OPTIONAL, .offset = offsetof(struct small, c)},
      {.key = "d", .kind = DECANT_INT32, .flags = DECANT_OPTIONAL, .offset = offsetof(struct small, d)},
      {.key = "e", .kind = DECANT_BOOL, .flags = DECANT_OPTIONAL, .offset = offsetof(struct small, e)}};
  static const decant_record record = {
      .size = sizeof(struct small), .fields = fields,
      .field_count = 5, .storage_offset = offsetof(struct small, storage)};
  static const decant_memory memory = {take, give, NULL};
  static const struct {
    const char *json;
    decant_status status;
    int64_t a;
    const char *b, *c;
    int32_t d;
    bool e;
  } cases[] = {
      {"{\"a\":1,\"b\":\"x\",\"c\":\"y\",\"d\":2,\"e\":true}", 0, 1, "x", "y", 2, true},
      {"{\"e\":true,\"d\":2,\"c\":\"y\",\"b\":\"x\",\"a\":1}", 0, 1, "x", "y", 2, true},
      {"{\"a\":-12345678901,\"b\":null,\"c\":null,\"d\":null,\"e\":null}", 0, -12345678901, NULL, NULL, 0,
       false},
      {"{\"a\":1}", 0, 1, NULL, NULL, 0, false},
      {"{\"z\":[{}],\"a\":1,\"z\":{},\"c\":\"\"}", 0, 1, NULL, "", 0, false},
      {"{\"a\":1,\"a\":2,\"b\":\"x\",\"b\":\"y\",\"c\":\"1\"}", 0, 1, "x", "1", 0, false},
      {"{\"c\":\"1\",\"a\":1,\"c\":\"2\",\"b\":\"x\"}", 0, 1, "x", "1", 0, false},
      {"{\"\\u0061\":1,\"b\":\"\\n\"}", 0, 1, "\n", NULL, 0, false},
      {"{\"a\":1,\"d\":2147483648}", DECANT_NUMBER_OUT_OF_RANGE, 0, NULL, NULL, 0, false},
      {"{\"a\":1.5}", DECANT_NOT_AN_INTEGER, 0, NULL, NULL, 0, false},
      {"{\"a\":1,\"b\":\"x\",\"e\":0}", DECANT_TYPE_MISMATCH, 0, NULL, NULL, 0, false},
      {"{\"b\":\"x\"}", DECANT_MISSING_KEY, 0, NULL, NULL, 0, false},
      {"[1]", DECANT_TYPE_MISMATCH, 0, NULL, NULL, 0, false}};
  for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
    for (int way = 0; way < 4; way++) {
      struct small out, before;
      memset(&out, 0x55, sizeof out);
      memcpy(&before, &out, sizeof out);
      const size_t length = strlen(cases[at].json);
      char buffer[128];
      memset(buffer, 0x55, sizeof buffer);
      decant_options options = DECANT_OPTIONS_INIT;
      if (way == 1) options.memory = &memory;
      if (way > 1) {
        options.buffer = buffer;
        options.buffer_size = way == 2 ? length : 4;
      }
      const decant_status status =
          way == 0 ? decant_decode(&record, cases[at].json, length, &out, NULL)
                   : decant_decode_with(&record, cases[at].json, length, &out, &options, NULL);
      if (!check(status == cases[at].status, cases[at].json)) continue;
      check(buffer[way > 1 ? options.buffer_size : 0] == 0x55, "nothing is written behind the buffer");
      if (status != DECANT_OK) {
        check(memcmp(&out, &before, sizeof out) == 0, "out is untouched");
        continue;
      }
      check(out.a == cases[at].a && out.d == cases[at].d && out.e == cases[at].e, cases[at].json);
      check_text(out.b, cases[at].b);
      check_text(out.c.bytes, cases[at].c);
      check(out.b_length == (out.b ? strlen(out.b) : 0), "a length");
      if (way > 1) check(out.storage == NULL, "nothing to free");
      decant_free_with(&record, &out, way == 0 ? NULL : &options);
    }
  }
  /* Nothing to store: no storage. */
  struct point point;
  check(decant_decode(&point_record, "{\"x\":1,\"y\":2}", 13, &point, NULL) == DECANT_OK && point.x == 1 &&
            point.y == 2, "a struct without storage");
}

static void test_duplicates(void) {
  struct pair {
    int32_t a, b;
    struct entry *map;
    size_t count;
    void *storage;
  } pair;
  const decant_field fields[] = {
      {.key = "a", .kind = DECANT_INT32, .offset = offsetof(struct pair, a)},
      {.key = "b", .kind = DECANT_INT32, .offset = offsetof(struct pair, b)},
      {.key = "",
       .flags = DECANT_POINTER,
       .kind = DECANT_MAP,
       .record = &entry_record,
       .offset = offsetof(struct pair, map),
       .length_offset = offsetof(struct pair, count)}};
  decant_record record = {
      .size = sizeof(struct pair), .fields = fields,
      .field_count = 3, .storage_offset = offsetof(struct pair, storage)};
  static char json[2048];
  decant_options options = DECANT_OPTIONS_INIT;
  decant_error error = DECANT_ERROR_INIT;
  for (int large = 0; large < 2; large++) {
    int length = sprintf(json, "%*s{\"b\":1,\"a\":2,\"\\u0061\":3,\"b\":4}", large * 1000, "");
    for (int rule = DECANT_KEEP_FIRST; rule <= DECANT_KEEP_LAST; rule++) {
      options.duplicate_keys = rule;
      bool last = rule == DECANT_KEEP_LAST;
      if (!check(decant_decode_with(&record, json, (size_t)length, &pair, &options, &error) == DECANT_OK,
                 "duplicates")) {
        continue;
      }
      check(pair.a == (last ? 3 : 2) && pair.b == (last ? 4 : 1), "of fields");
      check(pair.count == 2 && pair.map[0].value == (last ? 3 : 1), "of a map");
      check(pair.map[1].value == (last ? 4 : 2), "of a map, the other");
      decant_free(&record, &pair);
    }
    options.duplicate_keys = DECANT_KEEP_NONE;
    check(decant_decode_with(&record, json, (size_t)length, &pair, &options, &error) ==
              DECANT_DUPLICATE_KEY, "refused");
  }
}

/* Long arrays, whose block is estimated by their first elements: these are like all the others, need
 * more of their text, or need less of it, so that the estimate is too small. Element n has a name and
 * tags that begin with n. */
struct item {
  int64_t number;
  decant_text name;
  const char **tags;
  size_t tag_count;
};
static const decant_field item_fields[] = {
    {.key = "number", .kind = DECANT_INT64, .offset = offsetof(struct item, number)},
    {.key = "name", .kind = DECANT_TEXT, .offset = offsetof(struct item, name)},
    {.key = "tags", .kind = DECANT_ARRAY, .element = DECANT_STRING, .offset = offsetof(struct item, tags),
     .length_offset = offsetof(struct item, tag_count)}};
static const decant_record item_record = {
    .size = sizeof(struct item), .fields = item_fields, .field_count = 3};

enum { ITEMS = 500 };
enum { ALIKE, MORE, LESS, SHAPES };
static int name_zeros(int shape, int n) { return shape == MORE && n < 16 ? 300 : 20; }
static int other_zeros(int shape, int n) { return shape == LESS && n < 16 ? 1000 : 1; }
static int tags(int shape, int n) { return shape == ALIKE ? 2 : n % 7; }

static void test_long_arrays(void) {
  static char json[1 << 20], name[512];
  decant_error error = DECANT_ERROR_INIT;
  for (int shape = 0; shape < SHAPES; shape++) {
    size_t length = 0;
    for (int n = 0; n < ITEMS; n++) {
      length += (size_t)sprintf(json + length, "%s{\"other\":\"%0*d\",", n ? "," : "[",
                                other_zeros(shape, n), 0);
      length += (size_t)sprintf(json + length, "\"number\":%d,\"name\":\"%d%0*d\",\"tags\":[", n, n,
                                name_zeros(shape, n), 0);
      for (int tag = 0; tag < tags(shape, n); tag++) {
        length += (size_t)sprintf(json + length, "%s\"%d\\n%d\"", tag ? "," : "", n, tag);
      }
      length += (size_t)sprintf(json + length, "]}");
    }
    json[length++] = ']';
    decant_array array;
    if (!check(decant_decode_array(&item_record, "", json, length, &array, NULL, &error) == DECANT_OK,
               "a long array")) {
      continue;
    }
    const struct item *items = array.items;
    bool fine = array.count == ITEMS;
    for (int n = 0; fine && n < ITEMS; n++) {
      const size_t expected = (size_t)sprintf(name, "%d%0*d", n, name_zeros(shape, n), 0);
      fine = items[n].number == n && items[n].tag_count == (size_t)tags(shape, n) &&
             items[n].name.length == expected && !strcmp(items[n].name.bytes, name);
      for (int tag = 0; fine && tag < tags(shape, n); tag++) {
        sprintf(name, "%d\n%d", n, tag);
        fine = !strcmp(items[n].tags[tag], name);
      }
    }
    check(fine, "all of it");
    decant_array_free(&array, NULL);
    /* The last name is a number. */
    char *last = json + length;
    while (strncmp(last, "\"name\":\"", 8) != 0) last--;
    last[7] = '1';
    last[8] = ',';
    memmove(last + 9, strstr(last, "\"tags\""), strlen(strstr(last, "\"tags\"")) + 1);
    check(decant_decode_array(&item_record, "", json, strlen(json), &array, NULL, &error) ==
              DECANT_TYPE_MISMATCH, "the last element is wrong");
    memset(json, 0, sizeof json);
  }
}

/* What RFC 8259 forbids is read where it is allowed, and nothing else is. */
static void test_relaxations(void) {
  struct loose {
    double real;
    const char *text;
    size_t text_length;
    const char *raw;
    void *storage;
  } loose;
  static const decant_field fields[] = {
      {.key = "real", .kind = DECANT_DOUBLE, .offset = offsetof(struct loose, real)},
      {.key = "text", .kind = DECANT_STRING, .offset = offsetof(struct loose, text),
       .length_offset = offsetof(struct loose, text_length)},
      {.key = "raw", .kind = DECANT_RAW, .offset = offsetof(struct loose, raw)}};
  static const decant_record record = {
      .size = sizeof(struct loose), .fields = fields,
      .field_count = 3, .storage_offset = offsetof(struct loose, storage)};
  static const struct {
    uint32_t needs;
    const char *json, *raw;
  } rows[] = {
      {DECANT_RELAX_COMMENTS, "{\"real\":1, // one\n\"text\":\"t\"/**/,\"raw\":[1/*,*/]}//", "[1/*,*/]"},
      {DECANT_RELAX_COMMENTS, "{\"real\":1,\"text\":\"t\",\"raw\":[1/*]*/]}", "[1/*]*/]"},
      {DECANT_RELAX_COMMENTS, "{\"real\":1,\"text\":\"t\",\"raw\":{\"a\":[[]//]}\n]/*}*/}}",
       "{\"a\":[[]//]}\n]/*}*/}"},
      {DECANT_RELAX_TRAILING_COMMAS, "{\"real\":1,\"text\":\"t\",\"raw\":[1,],}", "[1,]"},
      {DECANT_RELAX_NON_FINITE_NUMBERS, "{\"real\":-Infinity,\"text\":\"t\",\"raw\":[NaN]}", "[NaN]"},
      {DECANT_RELAX_BYTE_ORDER_MARK, "\xEF\xBB\xBF{\"real\":1,\"text\":\"t\",\"raw\":[]}", "[]"},
      {DECANT_RELAX_LONE_SURROGATES, "{\"real\":1,\"text\":\"\\udfff\",\"raw\":\"\\ud800\"}", "\"\\ud800\""},
  };
  static char json[2048];
  decant_options options = DECANT_OPTIONS_INIT;
  decant_error error = DECANT_ERROR_INIT;
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    for (int large = 0; large < 2; large++) {
      int length = sprintf(json, "%s%*s", rows[at].json, large * 1000, large ? "\n" : "");
      options.relaxations = rows[at].needs;
      if (check(decant_decode_with(&record, json, (size_t)length, &loose, &options, &error) == DECANT_OK,
                rows[at].json)) {
        bool infinite = rows[at].needs == DECANT_RELAX_NON_FINITE_NUMBERS;
        check(infinite ? loose.real < -1e308 && loose.real * 0 != 0 : loose.real == 1, "the number");
        check_text(loose.text, rows[at].needs == DECANT_RELAX_LONE_SURROGATES ? "\xEF\xBF\xBD" : "t");
        check(loose.text_length == strlen(loose.text), "its length");
        check_text(loose.raw, rows[at].raw);
        decant_free(&record, &loose);
      } else {
        printf("%s\n", error.message);
      }
      options.relaxations = 31 & ~rows[at].needs;
      decant_status status = decant_decode_with(&record, json, (size_t)length, &loose, &options, &error);
      check(status / 100 == 1, "with every other relaxation");
      decant_document *document;
      check(decant_parse(json, (size_t)length, &options, &document, &error) == status, "as a document");
      options.relaxations = rows[at].needs;
      if (check(decant_parse(json, (size_t)length, &options, &document, &error) == DECANT_OK, "parsed")) {
        decant_document_free(document);
      }
    }
  }
  options.relaxations = 32;
  check(decant_decode_with(&record, json, strlen(json), &loose, &options, &error) ==
            DECANT_INVALID_ARGUMENT, "an unknown relaxation");
  const char *twice = "{/* { */\"a\":[{\"b\":1,\n\"b\":2,}]}";
  options.relaxations = DECANT_RELAX_COMMENTS | DECANT_RELAX_TRAILING_COMMAS;
  options.duplicate_keys = DECANT_KEEP_NONE;
  check(decant_decode_with(&record, twice, strlen(twice), &loose, &options, &error) ==
            DECANT_DUPLICATE_KEY, "a duplicate");
  check_text(error.path, "/a/0/b");
}

/* A report without the document's values: for logs that must not have them. */
static void test_redaction(void) {
  static const struct {
    const char *json, *message;
  } rows[] = {
      {"{\"id\":\"secret\",\"name\":\"\",\"nmae\":1}", "1:7: /id: expected an integer, found a string"},
      {"{\"id\":12345678901234567890123,\"name\":\"\"}", "1:7: /id: expected a number in -9223372036854775808 to 9223372036854775807, found a number"},
      {"{\"id\":1,\"nmae\":\"secret\"}", "1:1: /name: the key is missing"},
      {"{\"id\":secret}", "1:7: expected a value"},
      {"[", "1:2: the input ends too early: expected a value or ']'; the array begins at 1:1"},
      {"{\"id\":1,\"id\":2}", "1:9: /id: duplicate key; first occurrence at 1:2"},
  };
  struct user user;
  decant_options options = DECANT_OPTIONS_INIT;
  decant_error error = DECANT_ERROR_INIT;
  options.duplicate_keys = DECANT_KEEP_NONE;
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    char json[1024];
    options.redacts_input = 1;
    check(decant_decode_with(&user_record, rows[at].json, strlen(rows[at].json), &user, &options, &error) !=
              DECANT_OK, "wrong");
    check_text(error.message, rows[at].message);
    check(decant_error_json(&error, json, sizeof json) < sizeof json, "as JSON");
    check(!strstr(json, "secret") && !strstr(json, "1234567890") && !strstr(json, "nmae"), "redacted");
    options.redacts_input = 0;
    decant_decode_with(&user_record, rows[at].json, strlen(rows[at].json), &user, &options, &error);
    check(strchr(error.message, '\n') != NULL, "else with the source line");
  }
}

/* Programs that know fewer options, and programs that know more. */
static void test_sizes_of_options(void) {
  struct {
    decant_options known;
    int64_t unknown;
  } options = {DECANT_OPTIONS_INIT, 0};
  struct user user;
  decant_error error = DECANT_ERROR_INIT;
  const char *json = "{\"id\":\"x\", // and\n\"name\":\"\"}";
  options.known.relaxations = DECANT_RELAX_COMMENTS;
  options.known.redacts_input = 1;
  options.known.size = offsetof(decant_options, relaxations);
  check(decant_decode_with(&user_record, json, strlen(json), &user, &options.known, &error) ==
            DECANT_UNEXPECTED_BYTE, "what is behind the size is not looked at");
  options.known.size = offsetof(decant_options, relaxations) - 1;
  check(decant_decode_with(&user_record, json, strlen(json), &user, &options.known, &error) ==
            DECANT_INVALID_ARGUMENT, "shorter than the first");
  options.known.size = sizeof options;
  check(decant_decode_with(&user_record, json, strlen(json), &user, &options.known, &error) ==
            DECANT_TYPE_MISMATCH, "options of later versions, unused");
  check_text(error.message, "1:7: /id: expected an integer, found a string");
  options.unknown = 1;
  check(decant_decode_with(&user_record, json, strlen(json), &user, &options.known, &error) ==
            DECANT_INVALID_ARGUMENT, "options of later versions");
}

/* A document much larger than its table is read by a copy of the table: members in the table's order, in another one,
 * and missing, as in a document of its own. */
static void test_large_document(void) {
  struct item {
    int64_t id;
    const char *name;
    double score;
  };
  struct items {
    struct item *all;
    size_t count;
    void *storage;
  } out;
  static const decant_field item_fields[] = {
      {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct item, id)},
      {.key = "name", .kind = DECANT_STRING, .flags = DECANT_OPTIONAL, .offset = offsetof(struct item, name)},
      {.key = "score", .kind = DECANT_DOUBLE, .flags = DECANT_OPTIONAL, .offset = offsetof(struct item, score)}};
  static const decant_record item_record = {
      .size = sizeof(struct item), .fields = item_fields, .field_count = 3};
  static const decant_field fields[] = {{.key = "items",
                                         .kind = DECANT_ARRAY,
                                         .element = DECANT_RECORD,
                                         .record = &item_record,
                                         .offset = offsetof(struct items, all),
                                         .length_offset = offsetof(struct items, count)}};
  static const decant_record record = {
      .size = sizeof out, .fields = fields, .field_count = 1, .storage_offset = offsetof(struct items, storage)};
  static const char *const forms[] = {"{\"id\":%d,\"name\":\"n%d\",\"score\":%d.5}",
                                      "{\"name\":\"n%2$d\",\"id\":%1$d,\"score\":%3$d.5}",
                                      "{\"score\":%3$d.5,\"name\":\"n%2$d\",\"x\":0,\"id\":%1$d}",
                                      "{\"id\":%d,\"more\":[{\"id\":0}],\"id\":-1}"};
  enum { ITEMS = 4000 };
  /* Each half begins with records of one order, as long as the walk looks for it. */
  char *json = malloc(ITEMS * 64);
  size_t length = (size_t)sprintf(json, "{\"items\":[");
  for (int at = 0; at < ITEMS; at++) {
    const int form = at < ITEMS / 4 ? 0 : at < ITEMS / 2 ? 2 : at % 4;
    length += (size_t)sprintf(json + length, forms[form], at, at, at);
    json[length++] = at == ITEMS - 1 ? ']' : ',';
  }
  json[length++] = '}';
  check(decant_decode(&record, json, length, &out, NULL) == DECANT_OK && out.count == ITEMS, "a large document");
  int wrong = 0;
  for (int at = 0; at < ITEMS; at++) {
    const struct item *item = &out.all[at];
    const bool is_short = at >= ITEMS / 2 && at % 4 == 3;
    char name[16];
    sprintf(name, "n%d", at);
    wrong += item->id != at || (item->name == NULL) != is_short || (!is_short && strcmp(item->name, name) != 0) ||
             item->score != (is_short ? 0 : at + 0.5);
  }
  check(wrong == 0, "all its records");
  decant_free(&record, &out);

  json[length - 6] = '!';
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode(&record, json, length, &out, &error) != DECANT_OK && error.offset == (int64_t)length - 6,
        "the place of what is wrong with it");
  free(json);
}

/* Arrays whose elements may be null, as structs and back. */
struct nulls {
  int32_t *numbers;
  size_t number_count;
  const char **names;
  size_t name_count;
  decant_text texts[2];
  struct nulls_point {
    double x, y;
  } *points;
  size_t point_count;
  void *storage;
};
static void null_elements(void) {
  static const decant_field point_fields[] = {
      {.key = "x", .kind = DECANT_DOUBLE, .offset = offsetof(struct nulls_point, x)},
      {.key = "y", .kind = DECANT_DOUBLE, .offset = offsetof(struct nulls_point, y)}};
  static const decant_record point = {.size = sizeof(struct nulls_point), .fields = point_fields, .field_count = 2};
  decant_field fields[] = {
      {.key = "numbers", .kind = DECANT_ARRAY, .element = DECANT_INT32, .flags = DECANT_NULL_ELEMENTS,
       .offset = offsetof(struct nulls, numbers), .length_offset = offsetof(struct nulls, number_count)},
      {.key = "names", .kind = DECANT_ARRAY, .element = DECANT_STRING, .flags = DECANT_NULL_ELEMENTS,
       .offset = offsetof(struct nulls, names), .length_offset = offsetof(struct nulls, name_count)},
      {.key = "texts", .kind = DECANT_FIXED_ARRAY, .element = DECANT_TEXT, .flags = DECANT_NULL_ELEMENTS, .capacity = 2,
       .offset = offsetof(struct nulls, texts)},
      {.key = "points", .kind = DECANT_ARRAY, .element = DECANT_RECORD, .flags = DECANT_NULL_ELEMENTS, .record = &point,
       .offset = offsetof(struct nulls, points), .length_offset = offsetof(struct nulls, point_count)}};
  const decant_record record = {.size = sizeof(struct nulls), .fields = fields, .field_count = 4,
                                .storage_offset = offsetof(struct nulls, storage)};
  static const char json[] =
      "{\"numbers\":[1,null,3],\"names\":[null,\"b\",null],\"texts\":[null,\"a\"],\"points\":[null,{\"x\":1,\"y\":2},null]}";
  struct nulls value;
  memset(&value, 0xA5, sizeof value);
  decant_error error = DECANT_ERROR_INIT;
  if (!check(decant_decode(&record, json, strlen(json), &value, &error) == DECANT_OK, "elements that are null")) {
    printf("%s\n", error.message);
    return;
  }
  check(value.number_count == 3 && value.numbers[0] == 1 && value.numbers[1] == 0 && value.numbers[2] == 3, "numbers");
  check(value.name_count == 3 && value.names[0] == NULL && value.names[2] == NULL, "no names");
  check_text(value.names[1], "b");
  check(value.texts[0].bytes == NULL && value.texts[0].length == 0 && value.texts[1].length == 1, "counted text");
  check(value.point_count == 3 && value.points[0].x == 0 && value.points[1].y == 2 && value.points[2].y == 0, "records");
  char text[256];
  check(decant_encode(&record, &value, text, sizeof text, NULL, &error) == DECANT_OK, "written again");
  check_text(text, "{\"numbers\":[1,0,3],\"names\":[null,\"b\",null],\"texts\":[null,\"a\"],\"points\":[{\"x\":0,\"y\":0},"
                   "{\"x\":1,\"y\":2},{\"x\":0,\"y\":0}]}");
  decant_free(&record, &value);
  static const char wrong[] = "{\"numbers\":[null,\"x\"],\"names\":[],\"texts\":[null,null],\"points\":[null,{\"x\":null,\"y\":1}]}";
  check(decant_decode(&record, wrong, strlen(wrong), &value, &error) == DECANT_MULTIPLE && error.error_count == 2,
        "nulls elsewhere");
  for (int at = 0; at < 4; at++) fields[at].flags = 0;
  check(decant_decode(&record, json, strlen(json), &value, &error) == DECANT_MULTIPLE && error.error_count == 6,
        "without the flag");
  fields[0] = (decant_field){.key = "n", .kind = DECANT_INT32, .flags = DECANT_NULL_ELEMENTS};
  check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD, "what is no array");
  check_text(error.message, "invalid record: field 0 (\"n\"): DECANT_NULL_ELEMENTS of a field that is no array");
}

/* Dates and times: what they are in each unit, what is none, and back. */
struct times {
  int64_t micro, second, milli, nano, epoch;
  int32_t day;
  int64_t *list;
  size_t count;
  void *storage;
};
static void times(void) {
  static const decant_field fields[] = {
      {.key = "us", .kind = DECANT_TIME, .offset = offsetof(struct times, micro)},
      {.key = "s", .kind = DECANT_TIME, .offset = offsetof(struct times, second), .flags = DECANT_SECONDS},
      {.key = "ms", .kind = DECANT_TIME, .offset = offsetof(struct times, milli), .flags = DECANT_MILLISECONDS | DECANT_OPTIONAL},
      {.key = "ns", .kind = DECANT_TIME, .offset = offsetof(struct times, nano), .flags = DECANT_NANOSECONDS},
      {.key = "e", .kind = DECANT_TIME, .offset = offsetof(struct times, epoch), .flags = DECANT_MILLISECONDS | DECANT_EPOCH},
      {.key = "d", .kind = DECANT_DATE, .offset = offsetof(struct times, day)},
      {.key = "l", .kind = DECANT_ARRAY, .element = DECANT_TIME, .flags = DECANT_NULL_ELEMENTS | DECANT_SECONDS,
       .offset = offsetof(struct times, list), .length_offset = offsetof(struct times, count)}};
  static const decant_record record = {.size = sizeof(struct times), .fields = fields, .field_count = 7,
                                       .storage_offset = offsetof(struct times, storage)};
  check(decant_record_check(&record, NULL) == DECANT_OK, "a table of times");
  static const char json[] =
      "{\"us\":\"2024-02-29T23:59:60.1234567+00:00\",\"s\":\"1969-12-31T23:59:59.9Z\",\"ms\":\"2026-11-27T01:02:03.5+01:30\","
      "\"ns\":\"1969-12-31T23:59:59.999999999z\",\"e\":1700000000123,\"d\":\"1969-12-30\",\"l\":[\"1970-01-01T00:00:01Z\",null]}";
  struct times value;
  decant_error error = DECANT_ERROR_INIT;
  if (!check(decant_decode(&record, json, strlen(json), &value, &error) == DECANT_OK, "times")) {
    printf("%s\n", error.message);
    return;
  }
  check(value.micro == INT64_C(1709251200123456), "a leap second is the second after it, and digits that are finer are dropped");
  check(value.second == -1 && value.nano == -1 && value.day == -2, "times before 1970 are rounded down");
  check(value.milli == INT64_C(1795735923500) && value.epoch == INT64_C(1700000000123), "milliseconds");
  check(value.count == 2 && value.list[0] == 1 && value.list[1] == 0, "elements");
  char text[512];
  check(decant_encode(&record, &value, text, sizeof text, NULL, &error) == DECANT_OK, "written");
  check_text(text, "{\"us\":\"2024-03-01T00:00:00.123456Z\",\"s\":\"1969-12-31T23:59:59Z\",\"ms\":\"2026-11-26T23:32:03.5Z\","
                   "\"ns\":\"1969-12-31T23:59:59.999999999Z\",\"e\":1700000000123,\"d\":\"1969-12-30\","
                   "\"l\":[\"1970-01-01T00:00:01Z\",\"1970-01-01T00:00:00Z\"]}");
  struct times again;
  check(decant_decode(&record, text, strlen(text), &again, NULL) == DECANT_OK && again.micro == value.micro &&
            again.nano == value.nano && again.day == value.day, "and read again");
  decant_free(&record, &again);
  value.second = INT64_C(253402300800);
  check(decant_encode(&record, &value, text, sizeof text, NULL, &error) == DECANT_INVALID_VALUE, "the year 10000 is not written");
  decant_free(&record, &value);

  static const struct {
    uint16_t kind;
    uint32_t flags;
    const char *json;
    decant_status status;
    const char *message;
  } wrong[] = {
      {DECANT_TIME, 0, "{\"t\":\"2023-02-29T00:00:00Z\"}", DECANT_INVALID_VALUE,
       "1:6: /t: expected a date and time by RFC 3339, found the string \"2023-02-29T00:00:00Z\""},
      {DECANT_TIME, 0, "{\"t\":\"2023-02-28 00:00:00Z\"}", DECANT_INVALID_VALUE, NULL},
      {DECANT_TIME, 0, "{\"t\":\"2023-02-28T00:00:00\"}", DECANT_INVALID_VALUE, NULL},
      {DECANT_TIME, 0, "{\"t\":\"2023-02-28\"}", DECANT_INVALID_VALUE, NULL},
      {DECANT_TIME, 0, "{\"t\":1700000000}", DECANT_TYPE_MISMATCH,
       "1:6: /t: expected a date and time by RFC 3339, found the number 1700000000"},
      {DECANT_TIME, DECANT_NANOSECONDS, "{\"t\":\"2300-01-01T00:00:00Z\"}", DECANT_NUMBER_OUT_OF_RANGE,
       "1:6: /t: the time does not fit into 64 bits of its unit"},
      {DECANT_TIME, DECANT_EPOCH, "{\"t\":\"2023-02-28T00:00:00Z\"}", DECANT_TYPE_MISMATCH,
       "1:6: /t: expected an integer, found the string \"2023-02-28T00:00:00Z\""},
      {DECANT_TIME, DECANT_EPOCH, "{\"t\":1.5}", DECANT_NOT_AN_INTEGER, NULL},
      {DECANT_TIME, 0, "{\"t\":null}", DECANT_MISSING_KEY, NULL},
      {DECANT_DATE, 0, "{\"t\":\"2024-02-29junk\"}", DECANT_INVALID_VALUE,
       "1:6: /t: expected a date by RFC 3339, found the string \"2024-02-29junk\""},
      {DECANT_DATE, 0, "{\"t\":\"2024-13-01\"}", DECANT_INVALID_VALUE, NULL},
      {DECANT_DATE, 0, "{\"t\":20240229}", DECANT_TYPE_MISMATCH, NULL},
  };
  for (size_t at = 0; at < sizeof wrong / sizeof *wrong; at++) {
    const decant_field field = {.key = "t", .kind = wrong[at].kind, .flags = wrong[at].flags};
    const decant_record one = {.size = 8, .fields = &field, .field_count = 1};
    int64_t time = 7;
    check(decant_decode(&one, wrong[at].json, strlen(wrong[at].json), &time, &error) == wrong[at].status && time == 7, wrong[at].json);
    if (wrong[at].message != NULL) {
      check(strncmp(error.message, wrong[at].message, strlen(wrong[at].message)) == 0, wrong[at].message);
      if (strncmp(error.message, wrong[at].message, strlen(wrong[at].message)) != 0) printf("%s\n", error.message);
    }
  }
  const decant_field number = {.key = "t", .kind = DECANT_INT64, .flags = DECANT_SECONDS},
                     both = {.key = "t", .kind = DECANT_TIME, .flags = DECANT_SECONDS | DECANT_NANOSECONDS};
  const decant_record no_time = {.size = 8, .fields = &number, .field_count = 1},
                      two_units = {.size = 8, .fields = &both, .field_count = 1};
  check(decant_record_check(&no_time, &error) == DECANT_INVALID_RECORD, "a unit of a number");
  check_text(error.message, "invalid record: field 0 (\"t\"): a unit of time of a field that is no DECANT_TIME");
  check(decant_record_check(&two_units, &error) == DECANT_INVALID_RECORD, "two units");
  check_text(error.message, "invalid record: field 0 (\"t\"): several units of time");
}

/* Texts that count as null, scalars as text, and times without a zone. */
struct spelled {
  const char *name;
  size_t length;
  char code[8];
  int64_t number, time;
  bool has_number;
  decant_text *list;
  size_t count;
  void *storage;
};
static void spellings(void) {
  static const char *const nulls[] = {"", "NA", "a null of more than twelve bytes", NULL};
  static const decant_field fields[] = {
      {.key = "name", .kind = DECANT_STRING, .offset = offsetof(struct spelled, name), .null_texts = nulls,
       .length_offset = offsetof(struct spelled, length), .flags = DECANT_AS_TEXT | DECANT_OPTIONAL | DECANT_NULL_TEXTS},
      {.key = "code", .kind = DECANT_CHARS, .offset = offsetof(struct spelled, code), .capacity = 8,
       .flags = DECANT_AS_TEXT | DECANT_OPTIONAL},
      {.key = "number", .kind = DECANT_INT64, .offset = offsetof(struct spelled, number), .null_texts = nulls,
       .presence_offset = offsetof(struct spelled, has_number), .flags = DECANT_OPTIONAL | DECANT_NULL_TEXTS},
      {.key = "time", .kind = DECANT_TIME, .offset = offsetof(struct spelled, time),
       .flags = DECANT_ZONELESS | DECANT_MILLISECONDS | DECANT_OPTIONAL},
      {.key = "list", .kind = DECANT_ARRAY, .element = DECANT_TEXT, .offset = offsetof(struct spelled, list),
       .length_offset = offsetof(struct spelled, count), .null_texts = nulls,
       .flags = DECANT_AS_TEXT | DECANT_OPTIONAL | DECANT_NULL_ELEMENTS | DECANT_NULL_TEXTS}};
  static const decant_record record = {.size = sizeof(struct spelled), .fields = fields, .field_count = 5,
                                       .storage_offset = offsetof(struct spelled, storage)};
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_check(&record, &error) == DECANT_OK, error.message);
  static const char json[] = "{\"name\":-1.50e2,\"code\":true,\"number\":\"N\\u0041\",\"time\":\"1969-12-31T23:59:59.5\","
                             "\"list\":[1,\"NA\",null,false,\"\\u0041\",\"\"]}";
  struct spelled value;
  memset(&value, 0xA5, sizeof value);
  if (!check(decant_decode(&record, json, strlen(json), &value, &error) == DECANT_OK, "spellings")) {
    printf("%s\n", error.message);
    return;
  }
  check_text(value.name, "-1.50e2");
  check(value.length == 7 && !value.has_number && value.number == 0 && value.time == -500, "null, and a time without a zone");
  check_text(value.code, "true");
  check(value.count == 6 && value.list[1].bytes == NULL && value.list[2].bytes == NULL && value.list[5].bytes == NULL,
        "elements that are null");
  check_text(value.list[0].bytes, "1");
  check_text(value.list[3].bytes, "false");
  check_text(value.list[4].bytes, "A");
  char text[256];
  check(decant_encode(&record, &value, text, sizeof text, NULL, &error) == DECANT_OK, "written");
  check_text(text, "{\"name\":\"-1.50e2\",\"code\":\"true\",\"time\":\"1969-12-31T23:59:59.5\","
                   "\"list\":[\"1\",null,null,\"false\",\"A\",null]}");
  value.name = "NA";
  value.length = 2;
  check(decant_encode(&record, &value, text, sizeof text, NULL, &error) == DECANT_INVALID_VALUE, "what would be null");
  check_text(error.message, "/name: the string counts as null");
  decant_free(&record, &value);

  static const struct {
    const char *json, *message;
    decant_status status;
  } wrong[] = {
      {"{\"name\":[]}", "1:9: /name: expected a string, a number or a boolean, found an empty array", DECANT_TYPE_MISMATCH},
      {"{\"code\":12345678}", "1:9: /code: ", DECANT_INVALID_VALUE},
      {"{\"number\":\"x\"}", "1:11: /number: expected an integer, found the string \"x\"", DECANT_TYPE_MISMATCH},
      {"{\"time\":\"1970-01-01T00:00:00Z\"}", "1:9: /time: expected a date and time without a zone, found the string",
       DECANT_INVALID_VALUE},
      {"{\"time\":\"NA\"}", "1:9: /time: expected a date and time without a zone", DECANT_INVALID_VALUE},
      {"{\"list\":[1,{}]}", "1:12: /list/1: expected a string, a number or a boolean, found an empty object",
       DECANT_TYPE_MISMATCH}};
  for (size_t at = 0; at < sizeof wrong / sizeof *wrong; at++) {
    check(decant_decode(&record, wrong[at].json, strlen(wrong[at].json), &value, &error) == wrong[at].status, wrong[at].json);
    if (!check(strncmp(error.message, wrong[at].message, strlen(wrong[at].message)) == 0, wrong[at].message))
      printf("%s\n", error.message);
  }

  /* The other engine has no text of numbers. */
  decant_options jansson = DECANT_OPTIONS_INIT;
  jansson.engine = DECANT_JANSSON;
  static const char booleans[] = "{\"name\":true,\"number\":\"NA\"}", number[] = "{\"name\":1}";
  if (decant_decode_with(&record, booleans, strlen(booleans), &value, &jansson, &error) == DECANT_OK) {
    check_text(value.name, "true");
    check(!value.has_number, "null by the other engine");
    decant_free(&record, &value);
    check(decant_decode_with(&record, number, strlen(number), &value, &jansson, &error) == DECANT_UNSUPPORTED, "a number's text");
    check_text(error.message, "/name: the engine does not keep raw text");
  } else {
    check(error.code == DECANT_UNSUPPORTED, "the other engine");
  }

  static const struct {
    decant_field field;
    const char *message;
  } invalid[] = {
      {{.key = "x", .kind = DECANT_INT64, .flags = DECANT_AS_TEXT}, "DECANT_AS_TEXT of a field that is no string"},
      {{.key = "x", .kind = DECANT_INT64, .flags = DECANT_ZONELESS}, "DECANT_ZONELESS of a field that is no DECANT_TIME"},
      {{.key = "x", .kind = DECANT_INT64, .flags = DECANT_NULL_TEXTS | DECANT_OPTIONAL}, "DECANT_NULL_TEXTS without null_texts"},
      {{.key = "x", .kind = DECANT_INT64, .flags = DECANT_NULL_TEXTS, .null_texts = nulls},
       "DECANT_NULL_TEXTS of a field that is never null"},
      {{.key = "x", .kind = DECANT_INT64, .flags = DECANT_OPTIONAL, .null_texts = nulls}, "null_texts without DECANT_NULL_TEXTS"},
      {{.key = "x", .kind = DECANT_INT64, .zone = "UTC"}, "zone is for a DECANT_TIME with a zone"},
      {{.key = "x", .kind = DECANT_TIME, .flags = DECANT_ZONELESS, .zone = "UTC"}, "zone is for a DECANT_TIME with a zone"}};
  for (size_t at = 0; at < sizeof invalid / sizeof *invalid; at++) {
    const decant_record one = {.size = 8, .fields = &invalid[at].field, .field_count = 1};
    char message[128];
    snprintf(message, sizeof message, "invalid record: field 0 (\"x\"): %s", invalid[at].message);
    check(decant_record_check(&one, &error) == DECANT_INVALID_RECORD, invalid[at].message);
    check_text(error.message, message);
  }
}

/* Decimals, UUIDs and base64: what is stored, what is not, and back. */
struct binary {
  decant_decimal price, whole;
  uint8_t id[16], key[3];
  decant_text bytes;
  decant_decimal *list;
  size_t count;
  void *storage;
};
static bool is_decimal(decant_decimal value, uint64_t low, int64_t high) { return value.low == low && value.high == high; }
static void binaries(void) {
  static const decant_field fields[] = {
      {.key = "price", .kind = DECANT_DECIMAL, .capacity = 9, .scale = 2, .offset = offsetof(struct binary, price)},
      {.key = "whole", .kind = DECANT_DECIMAL, .offset = offsetof(struct binary, whole), .flags = DECANT_FROM_TEXT | DECANT_OPTIONAL},
      {.key = "id", .kind = DECANT_UUID, .offset = offsetof(struct binary, id), .flags = DECANT_OPTIONAL},
      {.key = "key", .kind = DECANT_FIXED_BASE64, .capacity = 3, .offset = offsetof(struct binary, key), .flags = DECANT_OPTIONAL},
      {.key = "bytes", .kind = DECANT_BASE64, .offset = offsetof(struct binary, bytes), .flags = DECANT_OPTIONAL},
      {.key = "list", .kind = DECANT_ARRAY, .element = DECANT_DECIMAL, .scale = 3, .offset = offsetof(struct binary, list),
       .length_offset = offsetof(struct binary, count), .flags = DECANT_OPTIONAL}};
  static const decant_record record = {.size = sizeof(struct binary), .fields = fields, .field_count = 6,
                                       .storage_offset = offsetof(struct binary, storage)};
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_check(&record, &error) == DECANT_OK, error.message);
  static const char json[] =
      "{\"price\":-12.5e0,\"whole\":\"-99999999999999999999999999999999999999\",\"id\":\"F81D4FAE-7dec-11d0-a765-00a0c91e6bf6\","
      "\"key\":\"\\u0041P8B\",\"bytes\":\"QQBC\\/w==\",\"list\":[1,0.001,-0]}";
  struct binary value;
  memset(&value, 0xA5, sizeof value);
  if (!check(decant_decode(&record, json, strlen(json), &value, &error) == DECANT_OK, "binaries")) {
    printf("%s\n", error.message);
    return;
  }
  check(is_decimal(value.price, (uint64_t)-1250, -1), "a decimal");
  check(is_decimal(value.whole, UINT64_C(0xF675DDC000000001), INT64_C(-0x4B3B4CA85A86C47B)), "38 digits");
  static const uint8_t id[] = {0xf8, 0x1d, 0x4f, 0xae, 0x7d, 0xec, 0x11, 0xd0, 0xa7, 0x65, 0, 0xa0, 0xc9, 0x1e, 0x6b, 0xf6};
  check(memcmp(value.id, id, 16) == 0 && memcmp(value.key, "\0\xFF\x01", 3) == 0, "a UUID, and three bytes");
  check(value.bytes.length == 4 && memcmp(value.bytes.bytes, "A\0B\xFF", 5) == 0, "bytes, and a NUL behind them");
  check(value.count == 3 && is_decimal(value.list[0], 1000, 0) && is_decimal(value.list[1], 1, 0) && is_decimal(value.list[2], 0, 0),
        "decimals of an array");
  char text[512];
  check(decant_encode(&record, &value, text, sizeof text, NULL, &error) == DECANT_OK, "written");
  check_text(text, "{\"price\":-12.50,\"whole\":-99999999999999999999999999999999999999,\"id\":\"f81d4fae-7dec-11d0-a765-00a0c91e6bf6\","
                   "\"key\":\"AP8B\",\"bytes\":\"QQBC/w==\",\"list\":[1.000,0.001,0.000]}");
  value.price = (decant_decimal){.low = 1000000000};
  check(decant_encode(&record, &value, text, sizeof text, NULL, &error) == DECANT_INVALID_VALUE, "ten digits");
  check_text(error.message, "/price: the number has more digits than the decimal");
  value.price.low = 999999999;
  value.whole = (decant_decimal){.high = INT64_MIN};
  check(decant_encode(&record, &value, text, sizeof text, NULL, &error) == DECANT_INVALID_VALUE, "39 digits");
  check_text(error.message, "/whole: the number has more digits than the decimal");
  decant_free(&record, &value);
  static const char few[] = "{\"price\":0}";
  check(decant_decode(&record, few, strlen(few), &value, &error) == DECANT_OK, "what is absent");
  check(decant_encode(&record, &value, text, sizeof text, NULL, &error) == DECANT_OK, "is not written");
  check_text(text, "{\"price\":0.00}");
  decant_free(&record, &value);

  static const struct {
    const char *json, *message;
    decant_status status;
  } wrong[] = {
      {"{\"price\":1.001}", "1:10: /price: the number has more digits behind the point than the decimal", DECANT_INVALID_VALUE},
      {"{\"price\":10000000}", "1:10: /price: the number has more digits than the decimal", DECANT_NUMBER_OUT_OF_RANGE},
      {"{\"price\":1e999999999999}", "1:10: /price: the number has more digits than the decimal", DECANT_NUMBER_OUT_OF_RANGE},
      {"{\"price\":\"1\"}", "1:10: /price: expected a number, found the string \"1\"", DECANT_TYPE_MISMATCH},
      {"{\"price\":0,\"whole\":\"1x\"}", "1:20: /whole: the string \"1x\" is not a number", DECANT_INVALID_VALUE},
      {"{\"price\":0,\"id\":\"x\"}", "1:17: /id: expected a UUID, found the string \"x\"", DECANT_INVALID_VALUE},
      {"{\"price\":0,\"id\":1}", "1:17: /id: expected a UUID, found the number 1", DECANT_TYPE_MISMATCH},
      {"{\"price\":0,\"key\":\"QQ==\"}", "1:18: /key: expected base64 of as many bytes as the field has", DECANT_INVALID_VALUE},
      {"{\"price\":0,\"bytes\":\"QR==\"}", "1:20: /bytes: expected base64, found the string \"QR==\"", DECANT_INVALID_VALUE},
      {"{\"price\":0,\"list\":[1,0.0001]}", "1:22: /list/1: the number has more digits behind the point than the decimal",
       DECANT_INVALID_VALUE}};
  for (size_t at = 0; at < sizeof wrong / sizeof *wrong; at++) {
    memset(&value, 0xA5, sizeof value);
    struct binary before = value;
    check(decant_decode(&record, wrong[at].json, strlen(wrong[at].json), &value, &error) == wrong[at].status &&
              memcmp(&value, &before, sizeof value) == 0, wrong[at].json);
    if (!check(strncmp(error.message, wrong[at].message, strlen(wrong[at].message)) == 0, wrong[at].message))
      printf("%s\n", error.message);
  }

  /* The other engine has exact integers alone. */
  decant_options jansson = DECANT_OPTIONS_INIT;
  jansson.engine = DECANT_JANSSON;
  static const char integers[] = "{\"price\":-7,\"whole\":\"1e3\",\"bytes\":\"QUI=\"}", real[] = "{\"price\":1.5}";
  const decant_status status = decant_decode_with(&record, integers, strlen(integers), &value, &jansson, &error);
  if (status == DECANT_OK) {
    check(is_decimal(value.price, (uint64_t)-700, -1) && is_decimal(value.whole, 1000, 0) && value.bytes.length == 2, "jansson");
    decant_free(&record, &value);
    check(decant_decode_with(&record, real, strlen(real), &value, &jansson, &error) == DECANT_UNSUPPORTED, "a real");
  } else {
    check(status == DECANT_UNSUPPORTED, "the other engine");
  }

  static const struct {
    decant_field field;
    const char *message;
  } invalid[] = {
      {{.key = "x", .kind = DECANT_DECIMAL, .capacity = 39}, "a DECANT_DECIMAL has at most 38 digits"},
      {{.key = "x", .kind = DECANT_DECIMAL, .capacity = 3, .scale = 4}, "scale is more than the digits of the decimal"},
      {{.key = "x", .kind = DECANT_FIXED_BASE64}, "capacity is 0"},
      {{.key = "x", .kind = DECANT_UUID, .scale = 1}, "scale of a field that is no DECANT_DECIMAL"},
      {{.key = "x", .kind = DECANT_UUID, .capacity = 16}, "capacity is for DECANT_CHARS, _FIXED_ARRAY, _FIXED_BASE64 and _DECIMAL"}};
  for (size_t at = 0; at < sizeof invalid / sizeof *invalid; at++) {
    const decant_record one = {.size = 16, .fields = &invalid[at].field, .field_count = 1};
    char message[128];
    snprintf(message, sizeof message, "invalid record: field 0 (\"x\"): %s", invalid[at].message);
    check(decant_record_check(&one, &error) == DECANT_INVALID_RECORD, invalid[at].message);
    check_text(error.message, message);
  }
}

/* A kind that is wider than the member: what the table says of the struct can show it. */
static void test_wrong_width(void) {
  struct config {
    int port;
    int is_admin;
    char name[6], last;
  };
#define ROW(m, k) {.key = #m, .kind = k, .offset = offsetof(struct config, m)}
#define SIZED(m, k) {.key = #m, .kind = k, .offset = offsetof(struct config, m), .extent = sizeof(((struct config *)0)->m)}
  static const struct {
    decant_field fields[2];
    const char *message;
  } rows[] = {
      {{ROW(port, DECANT_INT64), ROW(is_admin, DECANT_INT32)}, "it overlaps another field"},
      {{ROW(is_admin, DECANT_INT32), ROW(last, DECANT_INT32)}, "offset is outside the struct"},
      {{SIZED(port, DECANT_INT64), {.key = "n", .kind = DECANT_CHARS, .capacity = 4, .offset = 8}},
       "extent is not the size of its kind"},
      {{SIZED(is_admin, DECANT_BOOL), SIZED(port, DECANT_INT32)}, "extent is not the size of its kind"},
      {{SIZED(port, DECANT_INT32), {.key = "n", .kind = DECANT_CHARS, .capacity = 7, .offset = 8, .extent = 6}},
       "extent is not the size of its kind"},
      {{SIZED(port, DECANT_INT32), {.key = "n", .kind = DECANT_CHARS, .capacity = 6, .offset = 8, .extent = 6}}, NULL}};
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    const decant_record record = {.size = sizeof(struct config), .fields = rows[at].fields, .field_count = 2};
    decant_error error = DECANT_ERROR_INIT;
    const decant_status status = decant_record_check(&record, &error);
    if (!check(status == (rows[at].message == NULL ? DECANT_OK : DECANT_INVALID_RECORD), "a wrong width"))
      printf("%zu: %s\n", at, error.message);
    if (rows[at].message != NULL && !check(strstr(error.message, rows[at].message) != NULL, rows[at].message))
      puts(error.message);
  }
#undef ROW
#undef SIZED
}

/* Bounds and defaults of times, dates and decimals are values as they are stored; in documents alone, in lines, and when
 * they are written. */
struct stored {
  int64_t at;
  int32_t day;
  _Alignas(16) int64_t price[2];
};

static int count_rows(void *context, int64_t line, const void *value, const decant_error *error) {
  (void)line, (void)error;
  *(int *)context += value != NULL;
  return 0;
}

static void stored_bounds(void) {
  static const int64_t at = 1000, price[2] = {150, 0};
  static const int32_t day = 19782;
  static const decant_bounds of_at = {.minimum = 0, .ends = DECANT_HAS_MINIMUM};
  static const decant_bounds of_day = {.minimum = 19782, .maximum = 19782};
  static const decant_bounds of_price = {.minimum = -100, .maximum = 1025, .ends = 3};
  const decant_field fields[] = {
      {.key = "at", .kind = DECANT_TIME, .flags = DECANT_DEFAULT | DECANT_MILLISECONDS,
       .offset = offsetof(struct stored, at), .default_value = &at, .bounds = &of_at},
      {.key = "day", .kind = DECANT_DATE, .flags = DECANT_DEFAULT,
       .offset = offsetof(struct stored, day), .default_value = &day, .bounds = &of_day},
      {.key = "price", .kind = DECANT_DECIMAL, .capacity = 9, .scale = 2, .flags = DECANT_DEFAULT,
       .offset = offsetof(struct stored, price), .default_value = price, .bounds = &of_price}};
  const decant_record record = {.size = sizeof(struct stored), .fields = fields, .field_count = 3};
  const struct {
    const char *json, *message;
  } cases[] = {
      {"{}", NULL},
      {"{\"at\":\"1970-01-01T00:00:00Z\",\"day\":\"2024-02-29\",\"price\":10.25}", NULL},
      {"{\"at\":null,\"day\":null,\"price\":-1}", NULL},
      {"{\"at\":\"1969-12-31T23:59:59.999Z\"}", "expected a time of at least \"1970-01-01T00:00:00Z\""},
      {"{\"day\":\"2024-03-01\"}", "expected the date \"2024-02-29\", found the string \"2024-03-01\""},
      {"{\"price\":10.26}", "expected a number in -1.00 to 10.25, found the number 10.26"},
      {"{\"price\":-1000000}", "expected a number in -1.00 to 10.25"}};
  for (size_t at_case = 0; at_case < sizeof cases / sizeof *cases; at_case++) {
    struct stored value = {0};
    decant_error error = DECANT_ERROR_INIT;
    const char *json = cases[at_case].json;
    const decant_status status = decant_decode(&record, json, strlen(json), &value, &error);
    int rows = 0;
    decant_decode_lines(&record, json, strlen(json), count_rows, &rows, NULL, NULL);
    check((status == DECANT_OK) == (rows == 1), json);
    if (cases[at_case].message == NULL) {
      check(status == DECANT_OK && value.day == day, json);
      check(value.price[0] == (at_case == 0 ? 150 : at_case == 1 ? 1025 : -100), json);
    } else {
      check(status == DECANT_INVALID_VALUE && strstr(error.message, cases[at_case].message) != NULL, error.message);
    }
  }
  char buffer[256];
  size_t length;
  decant_error error = DECANT_ERROR_INIT;
  struct stored value = {.at = -1, .day = day, .price = {1026, 0}};
  check(decant_encode(&record, &value, buffer, sizeof buffer, &length, &error) == DECANT_INVALID_VALUE, "a time is written");
  check(strstr(error.message, "expected a time of at least \"1970-01-01T00:00:00Z\", found \"1969-12-31T23:59:59.999Z\"") != NULL,
        error.message);
  value.at = 0;
  check(decant_encode(&record, &value, buffer, sizeof buffer, &length, &error) == DECANT_INVALID_VALUE, "a decimal is written");
  check(strstr(error.message, "expected a number in -1.00 to 10.25, found 10.26") != NULL, error.message);
  value.price[0] = 1025;
  check(decant_encode(&record, &value, buffer, sizeof buffer, &length, &error) == DECANT_OK, "what is inside is written");
}

/* Times at the ends of what 64 bits and RFC 3339 can say. */
static void times_at_the_ends(void) {
  static const int64_t times[] = {INT64_MIN, INT64_MIN + 1, -9223372036000000001, -9223372036000000000, -1, 0, INT64_MAX};
  static const decant_field in_nanoseconds = {.key = "t", .kind = DECANT_TIME, .flags = DECANT_NANOSECONDS};
  static const decant_field in_seconds = {.key = "t", .kind = DECANT_TIME, .flags = DECANT_SECONDS};
  const decant_record record = {.size = 8, .fields = &in_nanoseconds, .field_count = 1};
  const decant_record seconds = {.size = 8, .fields = &in_seconds, .field_count = 1};
  decant_error error = DECANT_ERROR_INIT;
  char text[64];
  size_t length;
  for (size_t at = 0; at < sizeof times / sizeof *times; at++) {
    int64_t found = 5;
    check(decant_encode(&record, &times[at], text, sizeof text, &length, &error) == DECANT_OK, "a time is written");
    if (!check(decant_decode(&record, text, length, &found, &error) == DECANT_OK && found == times[at], "and read"))
      puts(text);
  }
  static const char too_early[] = "{\"t\":\"1677-09-21T00:12:43.145224191Z\"}";
  static const char too_late[] = "{\"t\":\"2262-04-11T23:47:16.854775808Z\"}";
  int64_t time;
  check(decant_decode(&record, too_early, sizeof too_early - 1, &time, &error) == DECANT_NUMBER_OUT_OF_RANGE, too_early);
  check(decant_decode(&record, too_late, sizeof too_late - 1, &time, &error) == DECANT_NUMBER_OUT_OF_RANGE, too_late);
  time = 253402300800;
  check(decant_encode(&seconds, &time, text, sizeof text, &length, &error) == DECANT_INVALID_VALUE, "the year 10000");
  check_text(error.message, "/t: the year is not in 0 to 9999");
}

#ifndef __wasm__
/* A text whose last brace closes the inner object. It ends at the end of a page; the one behind cannot be read. */
static void test_missing_last_brace(void) {
  struct inner { int64_t b; };
  struct outer { int64_t a; struct inner inner; } out;
  const decant_field inner_fields[] = {{.key = "b", .kind = DECANT_INT64, .offset = offsetof(struct inner, b)}};
  const decant_record inner = {.size = sizeof(struct inner), .fields = inner_fields, .field_count = 1};
  const decant_field fields[] = {
      {.key = "a", .kind = DECANT_INT64, .offset = offsetof(struct outer, a)},
      {.key = "inner", .kind = DECANT_RECORD, .offset = offsetof(struct outer, inner), .record = &inner}};
  const decant_record record = {.size = sizeof(struct outer), .fields = fields, .field_count = 2};
  static const char *const texts[] = {"{\"a\":1,\"inner\":{\"b\":2}", "{\"inner\":{\"b\":2}",
                                      "{\"x\":1,\"inner\":{\"c\":3,\"b\":2}"};
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  check(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0, "two pages");
  for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) {
    const size_t length = strlen(texts[at]);
    char *text = memcpy(pages + page - length, texts[at], length);
    check(decant_decode(&record, text, length, &out, NULL) == DECANT_UNEXPECTED_END, "without the last brace");
  }
  munmap(pages, 2 * page);
}
#endif

int main(void) {
#ifndef __wasm__
  test_missing_last_brace();
#endif
  test_wrong_width();
  null_elements();
  times();
  spellings();
  binaries();
  test_large_document();
  test_everything();
  test_long_arrays();
  test_small();
  test_duplicates();
  test_buffer();
  test_failures();
  test_bounds();
  test_ends();
  test_null_struct();
  test_obstacles();
  test_many_errors();
  test_bad_tables();
  test_nul();
  test_needless();
  test_reserved();
  test_order();
  test_arguments();
  test_limits();
  test_counts();
  test_words_of_bounds();
  test_fields_of_one_key();
  test_map_in_map();
  test_long_reports();
  test_wide_names();
  test_closed_bounds();
  test_bounds_of_one_end();
  test_message_end();
  test_error_of_zeros();
  test_faults_inside();
  test_depth();
  test_doubling();
  test_arrays();
  test_lines();
  test_lines_of_bad_tables();
  test_relaxations();
  test_redaction();
  test_sizes_of_options();
  stored_bounds();
  times_at_the_ends();
  return check_end();
}
