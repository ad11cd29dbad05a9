/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Looking into documents: look-ups that can be chained, exact leaves, strings, walks, parts into structs.
 */
#include "check.h"

#include <stdlib.h>
#include <time.h>

#include "everything.h"

static const char json[] =
    "{\"user\":{\"name\":\"Z\\u00fc\\u0000\\n\",\"k\\\"y\":[1,-2.5,\"\",true,null]},"
    "\"big\":18446744073709551615,\"at\":{\"x\":1,\"y\":2},\"~/\":{\"a\":{}}}";

static void test_values(int32_t engine) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  decant_error error = DECANT_ERROR_INIT;
  decant_document *document = NULL;
  const char *text = engine == DECANT_NATIVE ? json : "{\"user\":{\"name\":\"Z\\u00fc\\u0000\\n\","
      "\"k\\\"y\":[1,-2.5,\"\",true,null]},\"at\":{\"x\":1,\"y\":2},\"~/\":{\"a\":{}}}";
  if (!check(decant_parse(text, strlen(text), &options, &document, &error) == DECANT_OK, "it parses")) {
    printf("%s\n", error.message);
    return;
  }
  decant_value root = decant_root(document);
  decant_value user = decant_get(root, "user");
  decant_value list = decant_get(user, "k\"y");
  check(decant_value_kind(root) == DECANT_VALUE_OBJECT, "an object");
  check(decant_count(root) == (engine == DECANT_NATIVE ? 4 : 3) && decant_count(list) == 5, "counts");
  size_t length = 99;
  const char *name = decant_get_string(decant_get(user, "name"), &length);
  check(length == 5 && memcmp(name, "Z\xC3\xBC\0\n", 6) == 0, "a string");
  check(decant_get_string(decant_element(list, 2), &length) != NULL && length == 0, "an empty string");
  check(decant_get_string(list, &length) == NULL, "an array is no string");

  int64_t integer = 7;
  double real = 7;
  bool flag = false;
  check(decant_get_int64(decant_element(list, 0), &integer) == DECANT_OK && integer == 1, "an integer");
  check(decant_get_int64(decant_element(list, 1), &integer) == DECANT_NOT_AN_INTEGER, "no integer");
  check(decant_get_double(decant_element(list, 1), &real) == DECANT_OK && real == -2.5, "a real");
  check(decant_get_bool(decant_element(list, 3), &flag) == DECANT_OK && flag, "a boolean");
  check(decant_get_bool(decant_element(list, 4), &flag) == DECANT_TYPE_MISMATCH, "null");
  check(integer == 1, "untouched");
  decant_value none = decant_element(decant_get(decant_get(root, "x"), "y"), 3);
  check(decant_value_kind(none) == DECANT_VALUE_MISSING, "look-ups chain");
  check(decant_get_int64(none, &integer) == DECANT_MISSING_KEY && decant_count(none) == 0, "missing");
  check(decant_value_kind(decant_element(list, 5)) == DECANT_VALUE_MISSING, "past the end");
  check(decant_value_kind(decant_at(root, "/user/k\"y/3")) == DECANT_VALUE_BOOL, "a pointer");
  check(decant_value_kind(decant_at(root, "/~0~1/a")) == DECANT_VALUE_OBJECT, "a pointer's escapes");
  check(decant_value_kind(decant_at(root, "nonsense")) == DECANT_VALUE_MISSING, "not a pointer");
  check(decant_value_kind(decant_at(root, "")) == DECANT_VALUE_OBJECT, "the whole document");

  unsigned members = 0;
  decant_iterator iterator = decant_iterate(user);
  while (decant_next(&iterator)) {
    members++;
    if (iterator.key_length == 3) check_text(iterator.key, "k\"y");
    if (iterator.key_length == 4) check_text(iterator.key, "name");
  }
  check(members == 2 && iterator.key == NULL, "a walk over members");
  unsigned elements = 0;
  for (iterator = decant_iterate(list); decant_next(&iterator); elements++) {}
  check(elements == 5, "a walk over elements");
  check(!decant_next(&iterator) && !decant_next(&iterator), "a walk that has ended has ended");
  iterator = decant_iterate(decant_element(list, 0));
  check(!decant_next(&iterator), "a number has no elements");

  struct point point;
  check(decant_decode_value(&point_record, decant_get(root, "at"), &point, NULL, &error) == DECANT_OK &&
            point.y == 2, "a part into a struct");
  check(decant_decode_value(&point_record, list, &point, NULL, &error) == DECANT_TYPE_MISMATCH, "wrong");
  check(decant_decode_value(&point_record, none, &point, NULL, &error) == DECANT_INVALID_ARGUMENT, "none");
  if (engine == DECANT_NATIVE) {
    uint64_t big = 0;
    check(decant_get_uint64(decant_get(root, "big"), &big) == DECANT_OK && big == UINT64_MAX, "big");
    check(decant_get_int64(decant_get(root, "big"), &integer) == DECANT_NUMBER_OUT_OF_RANGE, "too big");
    const char *raw = decant_get_raw(decant_get(root, "at"), &length);
    check(length == 13 && memcmp(raw, "{\"x\":1,\"y\":2}", 13) == 0, "raw text");
  }
  decant_document_free(document);
}

/* Elements that fail to decode, one by one. */
enum { ELEMENTS = 500 };

static size_t write_elements(char *json, size_t count, size_t *offsets) {
  char *at = json;
  at += sprintf(at, "{\"a\":[[],{\"b\":1}],\"~/\u00fc\":[");
  for (size_t n = 0; n < count; n++) {
    at += sprintf(at, "%s%s{\"x\":\"\xC3\xBC\",\"id\":", n ? "," : "", n % 7 == 6 ? "\n" : " ");
    if (offsets != NULL) offsets[n] = (size_t)(at - json);
    at += sprintf(at, "\"%zu\"}", n);
  }
  at += sprintf(at, "]}");
  return (size_t)(at - json);
}

static void check_element(decant_value list, const char *json, const size_t *offsets, size_t n, bool places) {
  static const decant_field fields[] = {{.key = "id", .kind = DECANT_INT64}};
  static const decant_record record = {.size = 8, .fields = fields, .field_count = 1};
  decant_error error = DECANT_ERROR_INIT;
  int64_t out;
  char path[64];
  check(decant_decode_value(&record, decant_element(list, n), &out, NULL, &error) == DECANT_TYPE_MISMATCH,
        "a string is no integer");
  sprintf(path, "/~0~1\xC3\xBC/%zu/id", n);
  check_text(error.path, path);
  check(strstr(error.message, path) != NULL, "the message has the path");
  if (!places) return;
  int64_t line = 1, column = 1;
  for (size_t at = 0; at < offsets[n]; at++) {
    column += (json[at] & 0xC0) != 0x80;
    if (json[at] == '\n') {
      line++;
      column = 1;
    }
  }
  check(error.offset == (int64_t)offsets[n] && error.line == line && error.column == column, "the place");
}

static void test_paths(int32_t engine) {
  static char json[ELEMENTS * 40];
  static size_t offsets[ELEMENTS];
  size_t length = write_elements(json, ELEMENTS, offsets);
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  decant_error error = DECANT_ERROR_INIT;
  decant_document *document = NULL;
  if (!check(decant_parse(json, length, &options, &document, &error) == DECANT_OK, "it parses")) return;
  decant_value list = decant_at(decant_root(document), "/~0~1\xC3\xBC");
  const bool places = engine == DECANT_NATIVE;
  for (size_t n = 0; n < ELEMENTS; n++) check_element(list, json, offsets, n, places);
  for (size_t n = ELEMENTS; n-- > 0;) check_element(list, json, offsets, n, places);
  for (size_t n = 0; n < ELEMENTS; n++) check_element(list, json, offsets, n * 211 % ELEMENTS, places);
  struct point point;
  check(decant_decode_value(&point_record, decant_at(decant_root(document), "/a/0"), &point, NULL, &error) ==
            DECANT_TYPE_MISMATCH, "an array is no point");
  check_text(error.path, "/a/0");
  check(decant_decode_value(&point_record, decant_at(decant_root(document), "/a/1"), &point, NULL, &error) ==
            DECANT_MULTIPLE, "two members are missing");
  check_text(error.path, "/a/1/x");
  check(decant_decode_value(&point_record, decant_root(document), &point, NULL, &error) == DECANT_MULTIPLE,
        "the whole document");
  check_text(error.path, "/x");
  decant_document_free(document);
}

/* libjansson has one node for every null: only of one that is alone is the path known. */
static void test_paths_of_null(int32_t engine) {
  static const struct {
    const char *json, *native, *jansson;
  } rows[] = {{"{\"a\":[0,null]}", "/a/1", "/a/1"}, {"{\"a\":[0,null],\"b\":null}", "/a/1", ""}};
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    decant_error error = DECANT_ERROR_INIT;
    decant_document *document = NULL;
    struct point point;
    if (!check(decant_parse(rows[at].json, strlen(rows[at].json), &options, &document, &error) == DECANT_OK,
               "it parses")) {
      continue;
    }
    check(decant_decode_value(&point_record, decant_at(decant_root(document), "/a/1"), &point, NULL, &error) ==
              DECANT_TYPE_MISMATCH, "null is no point");
    check_text(error.path, engine == DECANT_NATIVE ? rows[at].native : rows[at].jansson);
    if (*error.path == 0) check_text(error.message, "expected an object, found null");
    decant_document_free(document);
  }
}

#ifndef WITHOUT_TIMES
/* Seconds that failing at each of `count` elements takes. */
static double time_errors(int32_t engine, size_t count) {
  char *json = malloc(count * 40);
  size_t length = write_elements(json, count, NULL);
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  decant_error error = DECANT_ERROR_INIT;
  decant_document *document = NULL;
  double seconds = -1;
  if (check(decant_parse(json, length, &options, &document, &error) == DECANT_OK, "it parses")) {
    struct point point;
    const clock_t start = clock();
    decant_iterator at = decant_iterate(decant_at(decant_root(document), "/~0~1\xC3\xBC"));
    while (decant_next(&at)) decant_decode_value(&point_record, at.value, &point, NULL, &error);
    seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    decant_document_free(document);
  }
  free(json);
  return seconds;
}

static void test_linear_errors(int32_t engine) {
  const double one = time_errors(engine, 4000), eight = time_errors(engine, 32000);
  /* Linear is 8, quadratic is 64. */
  if (!check(eight < 24 * one + 0.1, "errors one by one are linear")) printf("%g s, %g s\n", one, eight);
}

#endif

/* Memory that counts itself. */
struct counted {
  size_t now, most;
};

static void *count_allocate(void *state, size_t size) {
  struct counted *bytes = state;
  bytes->now += size;
  if (bytes->now > bytes->most) bytes->most = bytes->now;
  return malloc(size);
}

static void count_release(void *state, void *block, size_t size) {
  ((struct counted *)state)->now -= size;
  free(block);
}

/* A document of at most ten times its bytes, while it is read and then: `open` as often as `close`. */
static void check_memory(const char *open, const char *close, size_t times) {
  const size_t opening = strlen(open), closing = strlen(close), length = times * (opening + closing) + 2;
  char *json = malloc(length + 1), *at = json;
  /* Pairs that do not nest are the elements of an array. */
  if (closing == 0) *at++ = '[';
  for (size_t time = 0; time < times; time++) at = (char *)memcpy(at, open, opening) + opening;
  if (closing == 0) *at++ = '0', *at++ = ']';
  for (size_t time = 0; time < times; time++) at = (char *)memcpy(at, close, closing) + closing;
  struct counted bytes = {0, 0};
  decant_memory memory = {count_allocate, count_release, &bytes};
  decant_options options = DECANT_OPTIONS_INIT;
  options.memory = &memory;
  options.maximum_depth = SIZE_MAX;
  decant_document *document = NULL;
  decant_error error = DECANT_ERROR_INIT;
  const size_t size = (size_t)(at - json);
  if (check(decant_parse(json, size, &options, &document, &error) == DECANT_OK, "it parses")) {
    if (!check(bytes.most <= 10 * size + 10000, "no more memory than the manual says")) {
      printf("%zu bytes for %zu of %s\n", bytes.most, size, open);
    }
    decant_document_free(document);
  } else {
    printf("%s\n", error.message);
  }
  check(bytes.now == 0, "all of it is given back");
  free(json);
}

static void test_memory(void) {
  static const char *const pairs[][2] = {
      {"[", "]"}, {"{\"\":[", "]}"}, {"[],", ""}, {"{},", ""}, {"\"\",", ""}, {"1,", ""}, {"[1,\"a\\n\"],", ""}};
  for (size_t at = 0; at < sizeof pairs / sizeof *pairs; at++) {
    for (size_t times = 1; times <= 200000; times *= 20) check_memory(pairs[at][0], pairs[at][1], times);
  }
}

/* A pointer's tokens have any length; those with escapes at most 255 bytes. */
static void test_long_tokens(void) {
  static char pointer[5010], json[5100];
  static const size_t lengths[] = {254, 255, 256, 5000};
  for (size_t at = 0; at < 2 * sizeof lengths / sizeof *lengths; at++) {
    const size_t length = lengths[at / 2];
    const bool is_escaped = at % 2 != 0, is_pointer = !is_escaped || length <= 255;
    memset(pointer, 'k', length + 1);
    memcpy(pointer + length + 1, "/0", 3);
    pointer[0] = '/';
    sprintf(json, "{\"%.*s%s\":[5]}", (int)length - (is_escaped ? 2 : 0), pointer + 1, is_escaped ? "~" : "");
    if (is_escaped) memcpy(pointer + length - 1, "~0", 2);
    decant_document *document = NULL;
    if (!check(decant_parse(json, strlen(json), NULL, &document, NULL) == DECANT_OK, "it parses")) return;
    int64_t value = 0;
    const decant_status found = decant_get_int64(decant_at(decant_root(document), pointer), &value);
    check(found == (is_pointer ? DECANT_OK : DECANT_MISSING_KEY) && value == (is_pointer ? 5 : 0), "a long token");
    const decant_field field = {.key = pointer, .kind = DECANT_INT64, .flags = DECANT_POINTER};
    const decant_record record = {.size = sizeof value, .fields = &field, .field_count = 1};
    value = 0;
    check(decant_decode_value(&record, decant_root(document), &value, NULL, NULL) ==
              (is_pointer ? DECANT_OK : DECANT_INVALID_RECORD), "and of a table");
    check(value == (is_pointer ? 5 : 0), "its value");
    decant_document_free(document);
  }
}

/* Errors of a part have no values if the document was read so, or if the part is. */
static void test_redaction(void) {
  static const decant_field field = {.key = "a", .kind = DECANT_INT64};
  static const decant_record record = {.size = sizeof(int64_t), .fields = &field, .field_count = 1};
  for (int way = 0; way < 4; way++) {
    decant_options document_options = DECANT_OPTIONS_INIT, options = DECANT_OPTIONS_INIT;
    document_options.redacts_input = way & 1;
    options.redacts_input = way & 2;
    decant_error error = DECANT_ERROR_INIT;
    decant_document *document = NULL;
    int64_t out;
    if (!check(decant_parse("{\"a\":\"secret\"}", 14, &document_options, &document, NULL) == DECANT_OK, "it parses")) return;
    check(decant_decode_value(&record, decant_root(document), &out, &options, &error) == DECANT_TYPE_MISMATCH, "wrong");
    check_text(error.message, way == 0 ? "1:6: /a: expected an integer, found the string \"secret\"\n"
                                         "  {\"a\":\"secret\"}\n       ^~~~~~~~"
                                       : "1:6: /a: expected an integer, found a string");
    decant_document_free(document);
  }
}

static void test_nothing(void) {
  decant_value none = {NULL, 0};
  decant_iterator iterator = decant_iterate(none);
  decant_document *document = NULL;
  decant_error error = DECANT_ERROR_INIT;
  check(!decant_next(&iterator) && !decant_next(NULL), "a walk over nothing");
  check(decant_value_kind(none) == DECANT_VALUE_MISSING, "zeros are missing");
  check(decant_value_kind(decant_get(none, "a")) == DECANT_VALUE_MISSING, "so is all in it");
  check(decant_value_kind(decant_get(none, NULL)) == DECANT_VALUE_MISSING, "no key");
  check(decant_value_kind(decant_root(NULL)) == DECANT_VALUE_MISSING, "no document");
  check(decant_get_string(none, NULL) == NULL && decant_get_raw(none, NULL) == NULL, "no text");
  check(decant_parse("{", 1, NULL, &document, &error) == DECANT_UNEXPECTED_END, "a bad document");
  check(decant_parse("{}", 2, NULL, NULL, &error) == DECANT_INVALID_ARGUMENT, "no out");
  check(document == NULL, "out is untouched");
  decant_document_free(NULL);
}

int main(void) {
  test_values(DECANT_NATIVE);
  test_paths(DECANT_NATIVE);
  test_paths_of_null(DECANT_NATIVE);
#ifndef WITHOUT_JANSSON
  test_values(DECANT_JANSSON);
  test_paths(DECANT_JANSSON);
  test_paths_of_null(DECANT_JANSSON);
#endif
#ifndef WITHOUT_TIMES
  if (!has_fewer_rounds()) test_linear_errors(DECANT_NATIVE);
#ifndef WITHOUT_JANSSON
  if (!has_fewer_rounds()) test_linear_errors(DECANT_JANSSON);
#endif
#endif
  test_memory();
  test_long_tokens();
  test_redaction();
  test_nothing();
  return check_end();
}
