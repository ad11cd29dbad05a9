/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Text out: to functions and into memory that grows, and JSON that is built without a struct. Each text is that of
 * decant_encode(), whatever takes it, and each call in the wrong order is the writer's failure.
 */
#include "check.h"

#include <math.h>

/* ---- What takes texts ---- */

struct sink {
  char *text;
  size_t length, capacity;
  int calls, fails_at;
  size_t longest;
};
static decant_status write_to(void *context, const char *text, size_t length) {
  struct sink *sink = context;
  sink->calls++;
  if (sink->calls == sink->fails_at) return -7;
  if (length > sink->longest) sink->longest = length;
  if (sink->length + length + 1 > sink->capacity) {
    sink->capacity = 2 * (sink->length + length + 1);
    sink->text = realloc(sink->text, sink->capacity);
  }
  memcpy(sink->text + sink->length, text, length);
  sink->length += length;
  sink->text[sink->length] = 0;
  return DECANT_OK;
}

/* Memory that ends after so many blocks, and counts those that are used. */
static int blocks_left = 1 << 30, blocks_used;
static void *allocate(void *state, size_t size) {
  (void)state;
  if (blocks_left-- <= 0) return NULL;
  blocks_used++;
  return malloc(size);
}
static void deallocate(void *state, void *block, size_t size) {
  (void)state;
  (void)size;
  if (block != NULL) blocks_used--;
  free(block);
}
static const decant_memory memory = {allocate, deallocate, NULL};

static uint64_t state = 88172645463325252u;
static unsigned dice(unsigned sides) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (unsigned)(state >> 33) % sides;
}

/* ---- Structs ---- */

struct inner {
  const char *text;
  double number;
};
struct outer {
  int64_t id;
  char *name;
  struct inner inner; /* as a string of JSON */
  struct inner *items;
  int item_count;
  const char *rest;
  void *storage;
};
static const decant_field inner_fields[] = {DECANT_FIELD(struct inner, text), DECANT_FIELD(struct inner, number)};
static const decant_record inner_record = DECANT_TABLE(struct inner, inner_fields);
static const decant_field outer_fields[] = {
    DECANT_FIELD(struct outer, id), DECANT_FIELD(struct outer, name, .flags = DECANT_OPTIONAL),
    DECANT_FIELD_AS(struct outer, inner, DECANT_RECORD, .flags = DECANT_EMBEDDED, .record = &inner_record),
    DECANT_FIELD_AS(struct outer, items, DECANT_ARRAY, .element = DECANT_RECORD, .record = &inner_record,
                    DECANT_COUNT(struct outer, item_count)),
    DECANT_FIELD_AS(struct outer, rest, DECANT_RAW, .flags = DECANT_REST)};
static const decant_record outer_record =
    DECANT_TABLE(struct outer, outer_fields, .storage_offset = offsetof(struct outer, storage));

static char long_text[5000];

static void test_structs(int round) {
  char text[20];
  for (int at = 0; at < 20; at++) text[at] = "ab\"\\\n\xC3\xA9 /x"[dice(11)];
  text[19] = 0;
  /* Not cut in a character. */
  for (int at = 0; at < 19; at++)
    if ((text[at] & 0x80) != 0 && !(at < 18 && text[at] == '\xC3' && text[at + 1] == '\xA9') &&
        !(at > 0 && text[at] == '\xA9' && text[at - 1] == '\xC3'))
      text[at] = '-';
  struct inner items[60];
  for (int at = 0; at < 60; at++) items[at] = (struct inner){round % 5 ? text : long_text + dice(4999), dice(1000) / 8.0};
  struct outer outer = {(int64_t)state, round % 3 ? text : long_text, {text, 0.5}, items, (int)dice(60), "{\"x\":[1,{}],\"y\":[]}", NULL};
  static char expected[400000];
  size_t length;
  decant_error error = DECANT_ERROR_INIT;
  if (!check(decant_encode(&outer_record, &outer, expected, sizeof expected, &length, &error) == DECANT_OK, "compact")) {
    puts(error.message);
    return;
  }
  decant_options options = DECANT_OPTIONS_INIT;
  for (int pretty = 0; pretty < 2; pretty++) {
    options.pretty = pretty;
    char *whole = NULL;
    check(decant_encode_text(&outer_record, &outer, &options, &whole, &length, &error) == DECANT_OK, "into memory");
    if (!pretty) check_text(whole, expected);
    struct sink sink = {0};
    check(decant_encode_to(&outer_record, &outer, write_to, &sink, &options, &error) == DECANT_OK, "to a function");
    check_text(sink.text, whole);
    check(sink.length == length && sink.longest <= 1024, "in pieces");
    const int calls = sink.calls;
    sink = (struct sink){.text = sink.text, .capacity = sink.capacity, .fails_at = 1 + (int)dice((unsigned)calls)};
    check(decant_encode_to(&outer_record, &outer, write_to, &sink, &options, &error) == -7, "which may fail");
    check(sink.calls == sink.fails_at && error.code == DECANT_CUSTOM, "and is not called again");
    check_text(error.message, "the function that writes has ended the text");

    /* The same by a writer, as an element. */
    decant_writer writer;
    memset(&writer, 0xA5, sizeof writer);
    decant_writer_to_text(&writer, &options, &error);
    decant_writer_struct(&writer, &outer_record, &outer);
    char *other = NULL;
    size_t other_length = 0;
    check(decant_writer_finish(&writer, &other, &other_length) == DECANT_OK, "by a writer");
    check_text(other, whole);
    check(other_length == length, "as long");
    decant_text_free(other, &options);
    decant_text_free(whole, &options);
    free(sink.text);
  }
}

static void test_arrays(void) {
  struct inner items[3] = {{"a", 1}, {"b", 2}, {"c", 3}};
  decant_error error = DECANT_ERROR_INIT;
  struct sink sink = {0};
  check(decant_encode_array_to(&inner_record, items, 3, write_to, &sink, NULL, &error) == DECANT_OK, "an array");
  check_text(sink.text, "[{\"text\":\"a\",\"number\":1},{\"text\":\"b\",\"number\":2},{\"text\":\"c\",\"number\":3}]");
  sink.length = 0;
  check(decant_encode_array_to(&inner_record, NULL, 0, write_to, &sink, NULL, &error) == DECANT_OK, "an empty one");
  check_text(sink.text, "[]");
  items[1].text = "\xFF";
  check(decant_encode_array_to(&inner_record, items, 3, write_to, &sink, NULL, &error) == DECANT_INVALID_UTF8, "no text");
  check_text(error.path, "/1/text");
  check(decant_encode_array_to(&inner_record, NULL, 3, write_to, &sink, NULL, &error) == DECANT_INVALID_ARGUMENT, "NULL");
  check(decant_encode_to(&inner_record, items, NULL, &sink, NULL, &error) == DECANT_INVALID_ARGUMENT, "no function");
  check(decant_encode_to(NULL, items, write_to, &sink, NULL, &error) == DECANT_INVALID_RECORD, "no table");
  free(sink.text);
}

/* ---- Without a struct ---- */

static void write_all(decant_writer *writer) {
  decant_writer_object(writer);
  decant_writer_key(writer, "null");
  decant_writer_null(writer);
  decant_writer_key_counted(writer, "b\"ol", 4);
  decant_writer_bool(writer, true);
  decant_writer_key(writer, "numbers");
  decant_writer_array(writer);
  decant_writer_int64(writer, INT64_MIN);
  decant_writer_uint64(writer, UINT64_MAX);
  decant_writer_double(writer, 0.1);
  decant_writer_double(writer, 1e300);
  decant_writer_end(writer);
  decant_writer_key(writer, "");
  decant_writer_array(writer);
  decant_writer_end(writer);
  decant_writer_key(writer, "texts");
  decant_writer_array(writer);
  decant_writer_string(writer, "a\n");
  decant_writer_string_counted(writer, "b\0c", 3);
  decant_writer_string(writer, NULL);
  decant_writer_string_counted(writer, NULL, 0);
  decant_writer_string_counted(writer, "", 0);
  decant_writer_object(writer);
  decant_writer_end(writer);
  decant_writer_end(writer);
  decant_writer_key(writer, "raw");
  decant_writer_raw(writer, "{\"x\": [1]}", 10);
  const struct inner inner = {"t", 2};
  decant_writer_key(writer, "struct");
  decant_writer_struct(writer, &inner_record, &inner);
  decant_writer_end(writer);
}
static const char all[] =
    "{\"null\":null,\"b\\\"ol\":true,\"numbers\":[-9223372036854775808,18446744073709551615,0.1,1e+300],\"\":[],"
    "\"texts\":[\"a\\n\",\"b\\u0000c\",null,null,\"\",{}],\"raw\":{\"x\": [1]},\"struct\":{\"text\":\"t\",\"number\":2}}";
static const char pretty_all[] =
    "{\n  \"null\": null,\n  \"b\\\"ol\": true,\n  \"numbers\": [\n    -9223372036854775808,\n    18446744073709551615,\n"
    "    0.1,\n    1e+300\n  ],\n  \"\": [],\n  \"texts\": [\n    \"a\\n\",\n    \"b\\u0000c\",\n    null,\n    null,\n"
    "    \"\",\n    {}\n  ],\n  \"raw\": {\n    \"x\": [\n      1\n    ]\n  },\n  \"struct\": {\n    \"text\": \"t\",\n"
    "    \"number\": 2\n  }\n}";

static void test_writer(void) {
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = DECANT_OPTIONS_INIT;
  options.memory = &memory;
  for (int pretty = 0; pretty < 2; pretty++) {
    options.pretty = pretty;
    const char *expected = pretty ? pretty_all : all;
    const size_t count = strlen(expected);
    decant_writer writer;
    size_t length;
    for (size_t capacity = 0; capacity <= count + 1; capacity++) {
      char *buffer = malloc(count + 2);
      memset(buffer, '~', count + 2);
      decant_writer_to_buffer(&writer, buffer, capacity, &options, &error);
      write_all(&writer);
      const decant_status status = decant_writer_finish(&writer, NULL, &length);
      check(status == (capacity < count ? DECANT_BUFFER_TOO_SMALL : DECANT_OK) && length == count, "into a buffer");
      const size_t fits = capacity < count ? capacity : count;
      check(memcmp(buffer, expected, fits) == 0, "as much as fits");
      check(buffer[fits] == (capacity > count ? 0 : '~') && buffer[count + 1] == '~', "and nothing behind it");
      free(buffer);
    }
    decant_writer_to_buffer(&writer, NULL, 0, &options, &error);
    write_all(&writer);
    check(decant_writer_finish(&writer, NULL, &length) == DECANT_OK && length == count, "measured");

    for (blocks_left = 0;; blocks_left++) {
      const int left = blocks_left;
      char *text = NULL;
      decant_writer_to_text(&writer, &options, &error);
      write_all(&writer);
      const decant_status status = decant_writer_finish(&writer, &text, &length);
      blocks_left = left;
      if (status == DECANT_OK) {
        check_text(text, expected);
        check(length == count && blocks_used == 1, "one block");
        decant_text_free(text, &options);
        check(blocks_used == 0, "given back");
        break;
      }
      check(status == DECANT_OUT_OF_MEMORY && text == NULL && blocks_used == 0, "no memory");
    }
    check(blocks_left == 1, "a short text takes a block alone");
    blocks_left = 1 << 30;
    decant_writer_to_text(&writer, &options, &error);
    write_all(&writer);
    check(decant_writer_finish(&writer, NULL, NULL) == DECANT_OK && blocks_used == 0, "not wanted");

    struct sink sink = {0};
    decant_writer_to_function(&writer, write_to, &sink, &options, &error);
    write_all(&writer);
    check(decant_writer_finish(&writer, NULL, &length) == DECANT_OK && length == count, "to a function");
    check_text(sink.text, expected);
    check(blocks_used == 0, "without memory");
    free(sink.text);
  }
  /* Far more than a piece; and a function that ends it. */
  struct sink sink = {0};
  decant_writer writer;
  decant_writer_to_function(&writer, write_to, &sink, NULL, &error);
  decant_writer_array(&writer);
  for (int at = 0; at < 10000; at++) decant_writer_int64(&writer, at);
  decant_writer_string(&writer, long_text);
  decant_writer_end(&writer);
  size_t length;
  check(decant_writer_finish(&writer, NULL, &length) == DECANT_OK && length == sink.length, "long");
  check(sink.longest <= 1024 && sink.length > 50000, "in pieces");
  decant_document *document;
  check(decant_parse(sink.text, sink.length, NULL, &document, &error) == DECANT_OK, "JSON");
  int64_t number = 0;
  check(decant_count(decant_root(document)) == 10001, "of so many");
  decant_get_int64(decant_element(decant_root(document), 9999), &number);
  check(number == 9999, "in order");
  /* A part of it. */
  char text[64];
  decant_writer_to_buffer(&writer, text, sizeof text, NULL, &error);
  decant_writer_array(&writer);
  decant_writer_value(&writer, decant_element(decant_root(document), 77));
  decant_writer_end(&writer);
  check(decant_writer_finish(&writer, NULL, NULL) == DECANT_OK, "a part");
  check_text(text, "[77]");
  decant_document_free(document);
  sink.length = 0, sink.calls = 0, sink.fails_at = 2;
  decant_writer_to_function(&writer, write_to, &sink, NULL, &error);
  decant_writer_array(&writer);
  int values = 0;
  while (values < 100000 && decant_writer_int64(&writer, 1000000) == DECANT_OK) values++;
  check(values > 200 && values < 400, "the call says so");
  check(decant_writer_end(&writer) == -7 && decant_writer_finish(&writer, NULL, NULL) == -7, "and those behind it");
  check(error.code == DECANT_CUSTOM, "and the error");
  free(sink.text);
}

/* ---- Failures ---- */

enum call { OBJECT, ARRAY, END, KEY, VALUE, BAD_KEY, BAD_TEXT, BAD_NUMBER, BAD_RAW, BAD_STRUCT, NO_STRUCT, NO_KEY };
static decant_status make(decant_writer *writer, enum call call) {
  static const struct inner broken = {"\xFF", 1};
  switch (call) {
    case OBJECT: return decant_writer_object(writer);
    case ARRAY: return decant_writer_array(writer);
    case END: return decant_writer_end(writer);
    case KEY: return decant_writer_key(writer, "k");
    case VALUE: return decant_writer_int64(writer, 1);
    case BAD_KEY: return decant_writer_key(writer, "\xFF");
    case BAD_TEXT: return decant_writer_string(writer, "\xFF");
    case BAD_NUMBER: return decant_writer_double(writer, NAN);
    case BAD_RAW: return decant_writer_raw(writer, "1 2", 3);
    case BAD_STRUCT: return decant_writer_struct(writer, &inner_record, &broken);
    case NO_STRUCT: return decant_writer_struct(writer, &inner_record, NULL);
    case NO_KEY: return decant_writer_key(writer, NULL);
  }
  return 0;
}

static void test_failures(void) {
  static const struct {
    enum call calls[5];
    int count;
    decant_status status;
    const char *message;
  } rows[] = {
      {{END}, 1, DECANT_INVALID_ARGUMENT, "nothing is to be ended"},
      {{KEY}, 1, DECANT_INVALID_ARGUMENT, "a value has to come next"},
      {{VALUE, VALUE}, 2, DECANT_INVALID_ARGUMENT, "the value is complete"},
      {{VALUE, END}, 2, DECANT_INVALID_ARGUMENT, "the value is complete"},
      {{OBJECT, VALUE}, 2, DECANT_INVALID_ARGUMENT, "a key or the end of the object has to come next"},
      {{OBJECT, KEY, KEY}, 3, DECANT_INVALID_ARGUMENT, "a value has to come next"},
      {{OBJECT, KEY, END}, 3, DECANT_INVALID_ARGUMENT, "a value has to come next"},
      {{OBJECT, KEY, VALUE, VALUE}, 4, DECANT_INVALID_ARGUMENT, "a key or the end of the object has to come next"},
      {{ARRAY, KEY}, 2, DECANT_INVALID_ARGUMENT, "an element or the end of the array has to come next"},
      {{ARRAY, END, END}, 3, DECANT_INVALID_ARGUMENT, "the value is complete"},
      {{ARRAY, VALUE}, 2, DECANT_INVALID_ARGUMENT, "the value is not complete"},
      {{VALUE}, 0, DECANT_INVALID_ARGUMENT, "the value is not complete"},
      {{OBJECT, BAD_KEY}, 2, DECANT_INVALID_UTF8, "the key is not UTF-8"},
      {{OBJECT, NO_KEY}, 2, DECANT_INVALID_ARGUMENT, "key is NULL"},
      {{ARRAY, BAD_TEXT}, 2, DECANT_INVALID_UTF8, "the string is not UTF-8"},
      {{ARRAY, BAD_NUMBER}, 2, DECANT_INVALID_VALUE, "JSON has no infinity and no NaN"},
      {{ARRAY, BAD_RAW}, 2, DECANT_INVALID_VALUE, "the raw text is not one JSON value, or has more than 512 levels"},
      {{ARRAY, BAD_STRUCT}, 2, DECANT_INVALID_UTF8, "/text: the string is not UTF-8"},
      {{ARRAY, NO_STRUCT}, 2, DECANT_INVALID_ARGUMENT, "value is NULL"},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    for (int grows = 0; grows < 2; grows++) {
      decant_error error = DECANT_ERROR_INIT;
      decant_writer writer;
      char text[64], *whole = NULL;
      size_t length = 7;
      decant_options options = DECANT_OPTIONS_INIT;
      options.memory = &memory;
      if (grows) decant_writer_to_text(&writer, &options, &error);
      else decant_writer_to_buffer(&writer, text, sizeof text, NULL, &error);
      decant_status status = DECANT_OK;
      for (int call = 0; call < rows[at].count; call++) status = make(&writer, rows[at].calls[call]);
      if (status != DECANT_OK) {
        check(status == rows[at].status, rows[at].message);
        check(decant_writer_object(&writer) == status && decant_writer_end(&writer) == status, "it stays");
      }
      check(decant_writer_finish(&writer, &whole, &length) == rows[at].status, rows[at].message);
      check_text(error.message, rows[at].message);
      check(error.code == rows[at].status && length == 7 && whole == NULL && blocks_used == 0, "nothing is handed out");
    }
  }
  decant_error error = DECANT_ERROR_INIT;
  decant_writer writer;
  static char text[4096];
  decant_writer_to_buffer(&writer, text, sizeof text, NULL, &error);
  for (int level = 0; level < 512; level++) check(decant_writer_array(&writer) == DECANT_OK, "a level");
  decant_writer copy = writer;
  (void)copy;
  for (int level = 0; level < 512; level++) check(decant_writer_end(&writer) == DECANT_OK, "its end");
  size_t length;
  check(decant_writer_finish(&writer, NULL, &length) == DECANT_OK && length == 1024, "512 levels");
  check(decant_writer_null(&writer) == DECANT_INVALID_ARGUMENT, "nothing behind the end");
  decant_writer_to_buffer(&writer, text, sizeof text, NULL, &error);
  for (int level = 0; level < 512; level++) decant_writer_array(&writer);
  check(decant_writer_array(&writer) == DECANT_TOO_DEEP, "no more");
  check(error.offset == 512, "and where");
  check(decant_writer_finish(&writer, NULL, NULL) == DECANT_TOO_DEEP, "which stays");
  check(decant_writer_to_buffer(&writer, NULL, 5, NULL, &error) == DECANT_INVALID_ARGUMENT, "no buffer");
  check(decant_writer_null(&writer) == DECANT_INVALID_ARGUMENT, "nothing is written");
  check(decant_writer_to_function(&writer, NULL, NULL, NULL, &error) == DECANT_INVALID_ARGUMENT, "no function");
  check(decant_writer_finish(&writer, NULL, NULL) == DECANT_INVALID_ARGUMENT, "nor that");
  check(decant_writer_to_text(NULL, NULL, &error) == DECANT_INVALID_ARGUMENT, "no writer");
  check(decant_writer_null(NULL) == DECANT_INVALID_ARGUMENT && decant_writer_finish(NULL, NULL, NULL) == DECANT_INVALID_ARGUMENT,
        "nor here");
  decant_options options = DECANT_OPTIONS_INIT;
  options.size = 3;
  check(decant_writer_to_text(&writer, &options, &error) == DECANT_INVALID_ARGUMENT, "options of no size");
  check(decant_writer_finish(&writer, NULL, NULL) == DECANT_INVALID_ARGUMENT, "as said");
}

/* A writer that has ended owns nothing: a second end releases nothing, and takes no length back. */
static void test_second_end(void) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.memory = &memory;
  decant_error error = DECANT_ERROR_INIT;
  decant_writer writer;
  const int before = blocks_used;
  char *text = NULL;
  size_t length = 0;
  decant_writer_to_text(&writer, &options, &error);
  decant_writer_string(&writer, long_text);
  check(decant_writer_finish(&writer, &text, &length) == DECANT_OK && blocks_used == before + 1, "a text");
  char *other = NULL;
  size_t other_length = 7;
  check(decant_writer_finish(&writer, &other, &other_length) == DECANT_INVALID_ARGUMENT, "which is complete");
  check(other == NULL && other_length == 7, "and nobody else's");
  if (check(blocks_used == before + 1, "the text is there still")) decant_text_free(text, &options);
  check(blocks_used == before, "and released once");
  for (int wants = 0; wants < 2; wants++) {
    decant_writer_to_text(&writer, &options, &error);
    decant_writer_array(&writer);
    decant_writer_string(&writer, long_text);
    check(decant_writer_finish(&writer, wants ? &text : NULL, NULL) == DECANT_INVALID_ARGUMENT, "no end of the array");
    check(blocks_used == before, "nothing is left");
    if (blocks_used != before) continue;
    check(decant_writer_finish(&writer, NULL, NULL) == DECANT_INVALID_ARGUMENT, "the same failure");
    if (!check(blocks_used == before, "nothing is released twice")) blocks_used = before;
  }
  char buffer[4] = "abc";
  decant_writer_to_buffer(&writer, buffer, 2, NULL, &error);
  decant_writer_int64(&writer, 12345);
  check(decant_writer_finish(&writer, NULL, &length) == DECANT_BUFFER_TOO_SMALL && length == 5, "too small");
  check(decant_writer_finish(&writer, NULL, &length) == DECANT_BUFFER_TOO_SMALL && length == 5, "as it was");
}

/* The place of a failure is one in the text as it is laid out. */
static void test_place_of_failure(void) {
  char text[64];
  for (int pretty = 0; pretty < 2; pretty++) {
    decant_options options = DECANT_OPTIONS_INIT;
    options.pretty = pretty;
    decant_error error = DECANT_ERROR_INIT;
    decant_writer writer;
    decant_writer_to_buffer(&writer, text, sizeof text, &options, &error);
    decant_writer_array(&writer);
    decant_writer_int64(&writer, 1);
    check(decant_writer_double(&writer, NAN) == DECANT_INVALID_VALUE, "no number");
    const char *const begun = pretty ? "[\n  1" : "[1";
    check(error.offset == (int64_t)strlen(begun), "the place");
    check(decant_writer_finish(&writer, NULL, NULL) == DECANT_INVALID_VALUE, "the failure");
    check_text(text, begun);
  }
}

/* Random calls: what is accepted is JSON. */
static void test_random(void) {
  static char text[1 << 16];
  for (int round = rounds(20000); round > 0; round--) {
    decant_writer writer;
    decant_error error = DECANT_ERROR_INIT;
    decant_options options = DECANT_OPTIONS_INIT;
    options.pretty = (int32_t)dice(2);
    decant_writer_to_buffer(&writer, text, sizeof text, &options, &error);
    size_t length;
    int calls = 1 + (int)dice(40), level = 0;
    bool isObject[64] = {false}, hasKey = false, done = false, fine = true;
    for (int call = 0; call < calls && !done && fine; call++) {
      /* Most often a call that may come. */
      const bool needsKey = level > 0 && isObject[level] && !hasKey;
      unsigned what = dice(100);
      enum call next = what < 2 ? (enum call)dice(5) : needsKey ? (what < 75 ? KEY : END)
                       : level > 0 && !hasKey && what > 80      ? END
                       : what < 25                              ? OBJECT
                       : what < 50                              ? ARRAY
                                                                : VALUE;
      const bool may = next == KEY ? needsKey : next == END ? level > 0 && !hasKey : !needsKey;
      fine = make(&writer, next) == DECANT_OK;
      check(fine == may, "what may come next");
      if (!fine) break;
      if (next == OBJECT || next == ARRAY) isObject[++level] = next == OBJECT, hasKey = false;
      else if (next == KEY) hasKey = true;
      else if (next == END) level--, hasKey = false;
      else hasKey = false;
      done = level == 0;
    }
    const decant_status status = decant_writer_finish(&writer, NULL, &length);
    check((status == DECANT_OK) == (fine && done), "the end");
    if (status != DECANT_OK) continue;
    decant_document *document;
    if (!check(decant_parse(text, length, NULL, &document, &error) == DECANT_OK, "JSON")) printf("%.*s\n", (int)length, text);
    else decant_document_free(document);
  }
}

int main(void) {
  memset(long_text, 'x', sizeof long_text - 1);
  for (int at = 0; at < 4999; at += 97) long_text[at] = '"';
  for (int round = 0; round < rounds(400); round++) test_structs(round);
  test_arrays();
  test_writer();
  test_failures();
  test_second_end();
  test_place_of_failure();
  test_random();
  return check_end();
}
