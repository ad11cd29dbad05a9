/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Text in memory of its own, compact and pretty, beside the text in a buffer.
 */
#include "check.h"

struct note {
  const char *text;
  const char *raw;
  struct note *inner;
  void *storage;
};
static const decant_record record;
static const decant_field fields[] = {
    DECANT_FIELD(struct note, text), DECANT_FIELD_AS(struct note, raw, DECANT_RAW, .flags = DECANT_OPTIONAL),
    DECANT_FIELD_AS(struct note, inner, DECANT_RECORD_POINTER, .record = &record, .flags = DECANT_OPTIONAL)};
static const decant_record record =
    DECANT_TABLE(struct note, fields, .storage_offset = offsetof(struct note, storage));

/* Memory that counts what is out, and refuses from an allocation on. */
struct counting {
  size_t out, calls, refuses_at;
};
static void *allocate(void *state, size_t size) {
  struct counting *counting = state;
  if (++counting->calls == counting->refuses_at) return NULL;
  counting->out += size;
  return malloc(size);
}
static void deallocate(void *state, void *block, size_t size) {
  ((struct counting *)state)->out -= size;
  free(block);
}

static void test_lengths(void) {
  static char letters[70000], buffer[80000];
  memset(letters, '"', sizeof letters);
  static const size_t lengths[] = {0, 1, 500, 504, 505, 506, 507, 508, 509, 510, 600, 5000, 34999};
  for (size_t at = 0; at < sizeof lengths / sizeof *lengths; at++) {
    letters[lengths[at]] = 0;
    struct note note = {letters, NULL, NULL, NULL};
    decant_error error = DECANT_ERROR_INIT;
    size_t expected, length;
    check(decant_encode(&record, &note, buffer, sizeof buffer, &expected, &error) == DECANT_OK, "into a buffer");
    char *text;
    check(decant_encode_text(&record, &note, NULL, &text, &length, &error) == DECANT_OK, "into memory");
    check(length == expected && strlen(text) == length && !memcmp(text, buffer, length), "the same text");
    free(text);
    struct counting counting = {0, 0, 0};
    decant_memory memory = {allocate, deallocate, &counting};
    decant_options options = DECANT_OPTIONS_INIT;
    options.memory = &memory;
    check(decant_encode_text(&record, &note, &options, &text, NULL, &error) == DECANT_OK, "into memory of ours");
    check(counting.out > length && !strcmp(text, buffer), "which was asked");
    decant_text_free(text, &options);
    check(counting.out == 0, "and given back");
    for (int pretty = 0; pretty < 2; pretty++) {
      options.pretty = pretty;
      for (size_t call = 1; call <= 10; call++) {
        counting = (struct counting){0, 0, call};
        text = letters;
        decant_status status = decant_encode_text(&record, &note, &options, &text, &length, &error);
        if (status == DECANT_OK) {
          decant_text_free(text, &options);
        } else {
          check(status == DECANT_OUT_OF_MEMORY && text == letters, "no memory");
        }
        check(counting.out == 0, "nothing is left");
        check(status != DECANT_OK || counting.calls < call, "refused at all");
      }
    }
    letters[lengths[at]] = '"';
  }
}

static void test_pretty(void) {
  struct note inner = {"a: {b}, \"[c]\" \\", "{ }", NULL, NULL};
  struct note note = {"x", "{\"list\" : [1,\n 2.50, [ ], {} ],\"n\":null}", &inner, NULL};
  static const char expected[] =
      "{\n"
      "  \"text\": \"x\",\n"
      "  \"raw\": {\n"
      "    \"list\": [\n"
      "      1,\n"
      "      2.50,\n"
      "      [],\n"
      "      {}\n"
      "    ],\n"
      "    \"n\": null\n"
      "  },\n"
      "  \"inner\": {\n"
      "    \"text\": \"a: {b}, \\\"[c]\\\" \\\\\",\n"
      "    \"raw\": {}\n"
      "  }\n"
      "}";
  decant_options options = DECANT_OPTIONS_INIT;
  options.pretty = 1;
  decant_error error = DECANT_ERROR_INIT;
  char *text;
  size_t length;
  check(decant_encode_text(&record, &note, &options, &text, &length, &error) == DECANT_OK, "pretty");
  check_text(text, expected);
  check(length == sizeof expected - 1, "its length");
  decant_text_free(text, &options);

  struct note notes[2] = {{"x", NULL, NULL, NULL}, {"y", NULL, NULL, NULL}};
  check(decant_encode_array_text(&record, notes, 2, &options, &text, &length, &error) == DECANT_OK, "an array");
  check_text(text, "[\n  {\n    \"text\": \"x\"\n  },\n  {\n    \"text\": \"y\"\n  }\n]");
  decant_text_free(text, &options);
  check(decant_encode_array_text(&record, NULL, 0, &options, &text, &length, &error) == DECANT_OK, "an empty one");
  check_text(text, "[]");
  decant_text_free(text, &options);
  options.pretty = 0;
  check(decant_encode_array_text(&record, notes, 2, &options, &text, &length, &error) == DECANT_OK, "compact");
  check_text(text, "[{\"text\":\"x\"},{\"text\":\"y\"}]");
  decant_text_free(text, &options);

  /* Deep text stays linear. */
  static char deep[1200];
  for (int at = 0; at < 500; at++) deep[at] = '[', deep[at + 501] = ']';
  deep[500] = '1';
  note = (struct note){"x", deep, NULL, NULL};
  options.pretty = 1;
  check(decant_encode_text(&record, &note, &options, &text, &length, &error) == DECANT_OK, "deep");
  check(length < 1002 * 131, "at most 64 levels of spaces");
  struct note back;
  check(decant_decode(&record, text, length, &back, &error) == DECANT_OK, "is JSON");
  decant_free(&record, &back);
  decant_text_free(text, &options);
}

static void test_failures(void) {
  struct note note = {"\xFF", NULL, NULL, NULL};
  decant_error error = DECANT_ERROR_INIT;
  char *text = NULL;
  check(decant_encode_text(&record, &note, NULL, &text, NULL, &error) == DECANT_INVALID_UTF8 && !text, "not UTF-8");
  check_text(error.message, "/text: the string is not UTF-8");
  check(decant_encode_text(&record, NULL, NULL, &text, NULL, &error) == DECANT_INVALID_ARGUMENT, "no value");
  check(decant_encode_text(&record, &note, NULL, NULL, NULL, &error) == DECANT_INVALID_ARGUMENT, "no text");
  check_text(error.message, "text is NULL");
  check(decant_encode_text(NULL, &note, NULL, &text, NULL, &error) == DECANT_INVALID_RECORD, "no record");
  check(decant_encode_array_text(&record, NULL, 1, NULL, &text, NULL, &error) == DECANT_INVALID_ARGUMENT, "no items");
  decant_text_free(NULL, NULL);
  /* What a buffer lacks is said. */
  note.text = "0123456789";
  char small[8];
  size_t length;
  check(decant_encode(&record, &note, small, sizeof small, &length, &error) == DECANT_BUFFER_TOO_SMALL, "small");
  check(length == 21, "how much is needed");
  check_text(error.message, "the buffer is too small: 21 bytes are needed");
}

int main(void) {
  test_lengths();
  test_pretty();
  test_failures();
  return check_end();
}
