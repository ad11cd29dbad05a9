/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The C interface as a C program sees it: version, status names, the layout of the error.
 * The last line is "N passed, N failed".
 */
#include <decant.h>

#include <stdio.h>
#include <string.h>

static unsigned passed, failed;

static void check(int fine, const char *what) {
  if (fine) {
    passed++;
  } else {
    failed++;
    printf("FAILED: %s\n", what);
  }
}

/* Every status that the header declares. */
static const struct {
  decant_status status;
  const char *name;
} statuses[] = {
    {DECANT_OK, "ok"},
    {DECANT_UNEXPECTED_BYTE, "unexpected byte"},
    {DECANT_UNEXPECTED_END, "unexpected end"},
    {DECANT_INVALID_LITERAL, "invalid literal"},
    {DECANT_INVALID_NUMBER, "invalid number"},
    {DECANT_CONTROL_CHARACTER, "control character"},
    {DECANT_INVALID_ESCAPE, "invalid escape"},
    {DECANT_LONE_SURROGATE, "lone surrogate"},
    {DECANT_INVALID_UTF8, "invalid UTF-8"},
    {DECANT_TRAILING_BYTES, "trailing bytes"},
    {DECANT_BYTE_ORDER_MARK, "byte order mark"},
    {DECANT_NUMBER_OVERFLOW, "number overflow"},
    {DECANT_TYPE_MISMATCH, "type mismatch"},
    {DECANT_MISSING_KEY, "missing key"},
    {DECANT_NUMBER_OUT_OF_RANGE, "number out of range"},
    {DECANT_NOT_AN_INTEGER, "not an integer"},
    {DECANT_INVALID_VALUE, "invalid value"},
    {DECANT_CUSTOM, "custom"},
    {DECANT_DUPLICATE_KEY, "duplicate key"},
    {DECANT_MISSING_ELEMENT, "missing element"},
    {DECANT_UNKNOWN_KEY, "unknown key"},
    {DECANT_MULTIPLE, "multiple"},
    {DECANT_TOO_DEEP, "too deep"},
    {DECANT_TOO_LARGE, "too large"},
    {DECANT_EMPTY_INPUT, "empty input"},
    {DECANT_INVALID_POINTER, "invalid pointer"},
    {DECANT_UNSUPPORTED, "unsupported"},
    {DECANT_INVALID_ARGUMENT, "invalid argument"},
    {DECANT_INVALID_RECORD, "invalid record"},
    {DECANT_OUT_OF_MEMORY, "out of memory"},
    {DECANT_BUFFER_TOO_SMALL, "buffer too small"},
};

static void test_version(void) {
  int major = -1, minor = -1, patch = -1;
  char rest;
  check(sscanf(decant_version(), "%d.%d.%d%c", &major, &minor, &patch, &rest) == 3,
        "the version has three numbers");
  check(major * 10000 + minor * 100 + patch == decant_version_number(),
        "text and number are the same version");
  check(decant_version_number() == DECANT_VERSION_NUMBER, "header and library are of one version");
}

static void test_status_names(void) {
  for (size_t at = 0; at < sizeof statuses / sizeof *statuses; at++) {
    const char *name = decant_status_name(statuses[at].status);
    if (strcmp(name, statuses[at].name) != 0) printf("%d is \"%s\"\n", (int)statuses[at].status, name);
    check(strcmp(name, statuses[at].name) == 0, statuses[at].name);
  }
  check(strcmp(decant_status_name(-1), "unknown status") == 0, "-1 is no status");
  check(strcmp(decant_status_name(INT32_MAX), "unknown status") == 0, "INT32_MAX is no status");
}

static void test_error(void) {
  decant_error error = {sizeof error, DECANT_OK, 0, 0, 0, 0, "", "", ""};
  check(error.size == sizeof(decant_error), "an error begins with its size");
  check(offsetof(decant_error, size) == 0, "the size is the first member");
  check(offsetof(decant_error, details) == sizeof(decant_error) - 2048, "the details are the last");
  check(offsetof(decant_error, message) == offsetof(decant_error, details) - 1024,
        "the message before them");
  check(offsetof(decant_error, path) == offsetof(decant_error, message) - 256, "the path before it");
}

static void test_error_json(void) {
  static const char expected[] =
      "{\"code\":404,\"name\":\"invalid argument\",\"category\":\"input\",\"path\":\"\","
      "\"message\":\"json or out is NULL, or length is too large\"}";
  decant_error error = DECANT_ERROR_INIT;
  char json[256];
  check(decant_error_json(&error, json, sizeof json) == 2 && strcmp(json, "{}") == 0,
        "an error that nothing wrote as JSON");
  decant_decode(NULL, NULL, 1, NULL, &error);
  size_t length = decant_error_json(&error, json, sizeof json);
  check(length == strlen(expected) && strcmp(json, expected) == 0, "an error as JSON");
  check(decant_error_json(&error, NULL, 0) == length, "its length, without a buffer");
  check(decant_error_json(&error, json, 6) == length && strcmp(json, "{\"cod") == 0,
        "it is cut where the buffer ends");
  memset(json, 0, sizeof json);
  check(decant_error_json(&error, json, SIZE_MAX) == length && strcmp(json, expected) == 0,
        "a capacity above half the address space");
  check(decant_error_json(NULL, json, sizeof json) == 2 && strcmp(json, "{}") == 0,
        "no error as JSON");
  error.size = 8;
  check(decant_error_json(&error, json, sizeof json) == 2, "an error of an unknown size as JSON");
}

/* A program may have written over an error: nothing after its texts is read. */
static void test_error_json_overwritten(void) {
  struct {
    decant_error error;
    char behind[64];
  } written;
  char json[16384];
  for (unsigned round = 0; round < 4000; round++) {
    memset(&written, 'x', sizeof written);
    unsigned state = round + 1;
    for (size_t at = 0; round % 4 > 0 && at < sizeof written.error.details; at++) {
      state = state * 1103515245u + 12345;
      written.error.details[at] = (char)(state >> 16 & (round % 4 == 1 ? 0xFF : 0x7F));
    }
    /* As the facts of an error begin; in each fourth round its parts end at places that can be. */
    if (round % 4 > 0) written.error.details[0] = 1;
    for (uint16_t part = 0; round % 4 == 3 && part < 8; part++) {
      const uint16_t end = (uint16_t)(100 + 220 * part);
      memcpy(written.error.details + 8 + 2 * part, &end, sizeof end);
    }
    written.behind[sizeof written.behind - 1] = '\0';
    written.error.size = sizeof written.error;
    written.error.error_count = round % 2 ? INT32_MAX : 1;
    const size_t length = decant_error_json(&written.error, json, sizeof json);
    if (round % 4 == 0) {
      check(length > 1280 && length < 1280 + 200, "the path and the message end with their space");
    }
    check(length < sizeof json, "an error that a program has written over as JSON");
  }
}

/* Every error is a line, however many there are, and none of its text is cut. */
static void test_error_text(void) {
  static const decant_bounds ports = {.minimum = 1};
  static const decant_field fields[] = {
      {.key = "port", .kind = DECANT_UINT16, .bounds = &ports},
      {.key = "ratio", .kind = DECANT_FLOAT, .offset = 4},
      {.key = "id", .kind = DECANT_INT64, .offset = 8},
      {.key = "grade", .kind = DECANT_CHARS, .capacity = 4, .offset = 16}};
  static const decant_record record = {.size = 24, .fields = fields, .field_count = 4};
  static const char json[] = "{\"port\":70000,\"ratio\":1e39,\n \"id\":99999999999999999999,\"grade\":\"four\"}";
  static const char expected[] =
      "a.json:1:9: /port: expected a number in 1 to 65535, found the number 70000\n"
      "a.json:1:23: /ratio: expected a number that a float can hold, found the number 1e39\n"
      "a.json:2:7: /id: expected a number in -9223372036854775808 to 9223372036854775807, "
      "found the number 99999999999999999999\n"
      "a.json:2:36: /grade: expected a string of at most 3 bytes, found the string \"four\"";
  decant_options options = DECANT_OPTIONS_INIT;
  options.source_name = "a.json";
  char text[1024];
  size_t length = decant_error_text(&record, NULL, json, sizeof json - 1, &options, text, sizeof text);
  check(length == strlen(expected) && strcmp(text, expected) == 0, "all errors");
  check(decant_error_text(&record, NULL, json, sizeof json - 1, &options, NULL, 0) == length, "their length");
  check(decant_error_text(&record, NULL, json, sizeof json - 1, &options, text, 7) == length &&
            strcmp(text, "a.json") == 0, "as much as fits");

  /* Many more than a decant_error has space for. */
  enum { elements = 300 };
  static char long_json[elements * 24 + 3], all[elements * 200];
  size_t end = 0;
  for (int at = 0; at < elements; at++)
    end += (size_t)sprintf(long_json + end, "%c{\"port\":0,\"ratio\":1}", at == 0 ? '[' : ',');
  end += (size_t)sprintf(long_json + end, "]");
  options.source_name = NULL;
  options.maximum_errors = 3 * elements;
  length = decant_error_text(&record, "", long_json, end, &options, all, sizeof all);
  size_t lines = 1;
  for (const char *at = all; (at = strchr(at, '\n')) != NULL; at++) lines++;
  check(length == strlen(all) && lines == 3 * elements, "of every element");
  check(strstr(all, "/299/grade: the key is missing") != NULL, "to the last one");
  options.maximum_errors = 2;
  decant_error_text(&record, "", long_json, end, &options, all, sizeof all);
  check(strcmp(strchr(all, '\n') + 1, "1:2: /0/id: the key is missing\n… and 898 more errors") == 0, "the rest counted");

  check(decant_error_text(&record, "", "[]", 2, NULL, text, sizeof text) == 0 && *text == '\0', "no error");
  decant_error_text(&record, NULL, "[1,", 3, NULL, text, sizeof text);
  check(strncmp(text, "1:4: ", 5) == 0 && strchr(text, '\n') == NULL, "a document that ends early");
  decant_error_text(&record, "x", "[]", 2, NULL, text, sizeof text);
  check(strcmp(text, "pointer is not a JSON Pointer (RFC 6901)") == 0, "an invalid pointer");
  decant_error_text(&record, NULL, NULL, 1, NULL, text, sizeof text);
  check(strcmp(text, "json is NULL, or length is too large") == 0, "no document");
  decant_error_text(NULL, NULL, "[]", 2, NULL, text, sizeof text);
  check(strncmp(text, "invalid record: ", 16) == 0, "no table");
  options.framing = 9;
  decant_error_text(&record, NULL, "[]", 2, &options, text, sizeof text);
  check(*text != '\0' && strchr(text, '\n') == NULL, "unknown options");
}

/* What a binding knows of the options is written, and the rest is not. */
static void test_options_init(void) {
  static const decant_options expected = DECANT_OPTIONS_INIT;
  decant_options options;
  memset(&options, 0xAA, sizeof options);
  check(decant_options_init(NULL, 0) == sizeof options, "the size of the options");
  check(decant_options_init(&options, sizeof options) == sizeof options, "all of them");
  check(memcmp(&options, &expected, sizeof options) == 0, "are as DECANT_OPTIONS_INIT writes them");
  memset(&options, 0xAA, sizeof options);
  const size_t part = offsetof(decant_options, maximum_depth);
  decant_options_init(&options, part);
  check(options.size == part && options.engine == 0 && (options.maximum_depth & 0xFF) == 0xAA, "a part");
  check(decant_options_init(&options, SIZE_MAX) == sizeof options && options.size == sizeof options, "and more");
}

int main(void) {
  test_error_text();
  test_options_init();
  test_error_json();
  test_error_json_overwritten();
  test_version();
  test_status_names();
  test_error();
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}
