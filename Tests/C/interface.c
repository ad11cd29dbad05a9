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

int main(void) {
  test_error_json();
  test_version();
  test_status_names();
  test_error();
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}
