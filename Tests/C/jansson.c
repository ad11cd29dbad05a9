/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The tables over libjansson's trees: a tree that the program has, and the engine by option. The answers are
 * those of the native engine, without lines.
 */
#include "check.h"
#include "everything.h"

#include <jansson.h>

struct shop {
  int64_t id;
  const char *name;
  struct point at;
  struct entry *stock;
  size_t stock_count;
  double *prices;
  size_t price_count;
  int32_t color;
  const char *city;
  void *storage;
};

#define AT(member) offsetof(struct shop, member)
static const decant_field shop_fields[] = {
    {.key = "id", .kind = DECANT_INT64, .offset = AT(id)},
    {.key = "name", .kind = DECANT_STRING, .offset = AT(name)},
    {.key = "at", .kind = DECANT_RECORD, .offset = AT(at), .record = &point_record},
    {.key = "stock",
     .kind = DECANT_MAP,
     .offset = AT(stock),
     .length_offset = AT(stock_count),
     .record = &entry_record},
    {.key = "prices",
     .kind = DECANT_ARRAY,
     .element = DECANT_DOUBLE,
     .offset = AT(prices),
     .length_offset = AT(price_count)},
    {.key = "color", .kind = DECANT_ENUM, .offset = AT(color), .names = colors},
    {.key = "/address/0/city", .flags = DECANT_POINTER, .kind = DECANT_STRING, .offset = AT(city)}};
static const decant_record shop_record = {
    .size = sizeof(struct shop), .fields = shop_fields, .field_count = 7, .storage_offset = AT(storage)};

static const char json[] =
    "{\"id\":-5,\"name\":\"caf\\u00e9\",\"at\":{\"x\":1,\"y\":2.5},\"stock\":{\"a\":1,\"b\":2},"
    "\"prices\":[1,2.25],\"color\":\"green\",\"address\":[{\"city\":\"Ulm\"}]}";

static void check_shop(const struct shop *shop) {
  check(shop->id == -5 && shop->at.x == 1 && shop->at.y == 2.5, "numbers");
  check_text(shop->name, "caf\xC3\xA9");
  check(shop->stock_count == 2 && shop->stock[0].value + shop->stock[1].value == 3, "a map");
  check(shop->price_count == 2 && shop->prices[1] == 2.25, "an array");
  check(shop->color == GREEN, "a name");
  check_text(shop->city, "Ulm");
}

/* A struct in place and one that is pointed to accept the same values; so null, if a field is the value itself. The way
 * back is what decoding accepts. */
static void test_pointers_to_null(void) {
  struct holder { int32_t *kind; void *storage; } holder;
  static const decant_field itself = {.key = "", .kind = DECANT_KIND, .flags = DECANT_POINTER};
  static const decant_record inner = {.size = sizeof(int32_t), .fields = &itself, .field_count = 1};
  static const decant_field field = {.key = "a", .kind = DECANT_RECORD_POINTER, .record = &inner};
  static const decant_record record = {
      .size = sizeof holder, .fields = &field, .field_count = 1, .storage_offset = offsetof(struct holder, storage)};
  for (int engine = DECANT_NATIVE; engine <= DECANT_JANSSON; engine++) {
    decant_options options = DECANT_OPTIONS_INIT;
    options.engine = engine;
    char text[32] = "{\"a\":null}";
    if (!check(decant_decode_with(&record, text, strlen(text), &holder, &options, NULL) == DECANT_OK, "null")) continue;
    check(*holder.kind == DECANT_VALUE_NULL, "null is the value itself");
    check(decant_encode(&record, &holder, text, sizeof text, NULL, NULL) == DECANT_OK, "null is written");
    check_text(text, "{\"a\":null}");
    decant_free(&record, &holder);
  }
}

/* A value that is no object, and that several pointers lead through, is an error once: on both engines. */
static void test_obstacles(void) {
  static const decant_field fields[] = {
      {.key = "/a/x", .kind = DECANT_INT64, .flags = DECANT_POINTER},
      {.key = "/a/y", .kind = DECANT_INT64, .flags = DECANT_POINTER, .offset = 8},
      {.key = "/b/0/x", .kind = DECANT_INT64, .flags = DECANT_POINTER, .offset = 16},
      {.key = "/b/0/y/z", .kind = DECANT_INT64, .flags = DECANT_POINTER, .offset = 24},
      {.key = "a", .kind = DECANT_RECORD, .record = &point_record, .offset = 32}};
  const decant_record record = {.size = 32 + sizeof(struct point), .fields = fields, .field_count = 5};
  static const char *const values[] = {"5", "true", "\"s\"", "[]"};
  static const char *const said[] = {"the number 5", "true", "the string \"s\"", "an empty array"};
  for (size_t at = 0; at < 4; at++) {
    char text[64], expected[256], out[32 + sizeof(struct point)];
    snprintf(text, sizeof text, "{\"a\":%s,\"b\":[%s]}", values[at], values[at]);
    snprintf(expected, sizeof expected, "/a: expected an object, found %s\n/b/0: expected an object, found %s", said[at],
             said[at]);
    decant_error error = DECANT_ERROR_INIT;
    decant_options options = DECANT_OPTIONS_INIT;
    check(decant_decode_with(&record, text, strlen(text), out, &options, &error) == DECANT_MULTIPLE, text);
    check(error.error_count == 2, "two errors by the native engine");
    options.engine = DECANT_JANSSON;
    check(decant_decode_with(&record, text, strlen(text), out, &options, &error) == DECANT_MULTIPLE, text);
    check(error.error_count == 2, "two errors by libjansson");
    check_text(error.message, expected);
  }

  static const decant_field pair_fields[] = {
      {.key = "/x", .kind = DECANT_INT64, .flags = DECANT_POINTER},
      {.key = "/y", .kind = DECANT_INT64, .flags = DECANT_POINTER, .offset = 8}};
  static const decant_record pair_record = {.size = 16, .fields = pair_fields, .field_count = 2};
  static const decant_field map = {.key = "m", .kind = DECANT_MAP, .length_offset = 8, .record = &pair_record};
  static const decant_record pairs_record = {
      .size = 24, .fields = &map, .field_count = 1, .storage_offset = 16};
  static char text[2100];
  int64_t out[3];
  snprintf(text, sizeof text, "{\"m\":{\"%2000s\":5}}", "k");
  for (int engine = DECANT_NATIVE; engine <= DECANT_JANSSON; engine++) {
    decant_error error = DECANT_ERROR_INIT;
    decant_options options = DECANT_OPTIONS_INIT;
    options.engine = engine;
    check(decant_decode_with(&pairs_record, text, strlen(text), out, &options, &error) == DECANT_TYPE_MISMATCH,
          "at the end of a long path");
  }
}

/* A float is inside its bounds if they are the same numbers as floats, and an integer is rounded once, whichever engine
 * has read it. */
static void test_floats(void) {
  static const decant_bounds bounds = {.least = -0.1, .most = 0.1};
  static const decant_field field = {.key = "a", .kind = DECANT_FLOAT, .bounds = &bounds};
  static const decant_record record = {.size = sizeof(float), .fields = &field, .field_count = 1};
  static const struct {
    const char *json;
    decant_status status;
  } cases[] = {{"{\"a\":-0.1}", DECANT_OK},
               {"{\"a\":0.1}", DECANT_OK},
               {"{\"a\":-0.1000001}", DECANT_INVALID_VALUE},
               {"{\"a\":0.1000001}", DECANT_INVALID_VALUE},
               {"{\"a\":1e300}", DECANT_NUMBER_OUT_OF_RANGE}};
  for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
    for (int engine = DECANT_NATIVE; engine <= DECANT_JANSSON; engine++) {
      float value;
      char text[32];
      decant_options options = DECANT_OPTIONS_INIT;
      options.engine = engine;
      const char *json = cases[at].json;
      check(decant_decode_with(&record, json, strlen(json), &value, &options, NULL) == cases[at].status, json);
      if (cases[at].status != DECANT_OK) { continue; }
      check(decant_encode(&record, &value, text, sizeof text, NULL, NULL) == DECANT_OK, "and may be written");
      check_text(text, json);
    }
  }
  static const decant_field other = {.key = "a", .kind = DECANT_FLOAT};
  static const decant_record unbound = {.size = sizeof(float), .fields = &other, .field_count = 1};
  for (int engine = DECANT_NATIVE; engine <= DECANT_JANSSON; engine++) {
    float value = 0;
    decant_options options = DECANT_OPTIONS_INIT;
    options.engine = engine;
    /* As a double, it is a tie of two floats. Valgrind makes it a double before a float, so that it is no other one there
     * than this program's. */
    const char *tie = "{\"a\":9007199791611905}";
    volatile int64_t integer = 9007199791611905;
    const float expected = engine == DECANT_NATIVE ? 9007199791611905.0f : (float)integer;
    check(decant_decode_with(&unbound, tie, strlen(tie), &value, &options, NULL) == DECANT_OK &&
              value == expected,
          "an integer as a float");
  }
}

static int count_line(void *context, int64_t line, const void *value, const decant_error *error) {
  int64_t *counts = context;
  counts[value == NULL] += line;
  if (value == NULL) check(error->message[0] != 0, "a reason");
  return 0;
}

/* Documents of streams that libjansson refuses, each with a reason in words: nothing of it stays (valgrind and
 * AddressSanitizer tell), whether it is reported or not. */
static void test_streams(void) {
  static const char text[] = "{\"x\":1,\"y\":2}\n[1e999]\n{\"x\":1,\"x\":2}\n{\"x\":\n{\"x\":3,\"y\":4}\n[nul]\n";
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = DECANT_JANSSON;
  options.maximum_errors = 1;
  for (int framing = DECANT_LINES; framing <= DECANT_DOCUMENTS; framing += 2) {
    int64_t counts[2] = {0, 0};
    options.framing = framing;
    check(decant_decode_lines(&point_record, text, sizeof text - 1, count_line, counts, &options, NULL) == DECANT_OK,
          "a stream");
    check(counts[0] == (framing == DECANT_LINES ? 6 : 1) && counts[1] > 0, "its documents");
  }
  options.framing = DECANT_LINES;
  for (int keeps_rejects = 0; keeps_rejects < 2; keeps_rejects++) {
    struct ArrowArrayStream rows, rejects;
    struct ArrowArray batch;
    check(decant_read_arrow(&point_record, text, sizeof text - 1, &options, &rows, keeps_rejects ? &rejects : NULL,
                            NULL) == DECANT_OK, "columns");
    check(rows.get_next(&rows, &batch) == 0 && batch.length == 2, "two rows");
    batch.release(&batch);
    rows.release(&rows);
    if (keeps_rejects) rejects.release(&rejects);
  }
  for (int has_error = 0; has_error < 2; has_error++) {
    decant_error error = DECANT_ERROR_INIT;
    decant_document *document;
    decant_array array;
    struct point point;
    check(decant_parse("[nul]", 5, &options, &document, has_error ? &error : NULL) == DECANT_UNEXPECTED_BYTE, "a document");
    check(decant_decode_array(&point_record, "", "[nul]", 5, &array, &options, has_error ? &error : NULL) ==
              DECANT_UNEXPECTED_BYTE, "an array");
    check(decant_decode_with(&point_record, "[nul]", 5, &point, &options, has_error ? &error : NULL) ==
              DECANT_UNEXPECTED_BYTE, "a struct");
  }
}

static int keep_error(void *context, int64_t line, const void *value, const decant_error *error) {
  (void)line;
  if (value == NULL) *(decant_error *)context = *error;
  return 0;
}

/* What is around elements has its place in the stream, which libjansson could not tell. */
static void test_around_elements(void) {
  static const char text[] = "{\"a\":[{\"x\":1,\n\"y\":2}\n],\n\"b\":}";
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = DECANT_JANSSON;
  options.elements_at = "/a";
  decant_error error = DECANT_ERROR_INIT;
  decant_error last = DECANT_ERROR_INIT;
  decant_lines *lines = NULL;
  if (!check(decant_lines_open(&point_record, &options, &lines, &error) == DECANT_OK, "elements")) return;
  decant_lines_feed(lines, text, sizeof text - 1, keep_error, &last, &error);
  decant_lines_finish(lines, keep_error, &last, &error);
  decant_lines_close(lines);
  check(last.code == DECANT_UNEXPECTED_BYTE && last.line == 4 && last.column == 5 && last.offset == 28, "its place");
}

/* Elements that are null: all nulls of a tree are one node. */
static void test_null_elements(void) {
  static const decant_field field = {.key = "n", .kind = DECANT_FIXED_ARRAY, .element = DECANT_INT32, .capacity = 3,
                                     .flags = DECANT_NULL_ELEMENTS};
  static const decant_record record = {.size = 3 * sizeof(int32_t), .fields = &field, .field_count = 1};
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = DECANT_JANSSON;
  int32_t numbers[3] = {5, 5, 5};
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode_with(&record, "{\"n\":[null,7,null]}", 19, numbers, &options, &error) == DECANT_OK, "null elements");
  check(numbers[0] == 0 && numbers[1] == 7 && numbers[2] == 0, "are zeros");
  check(decant_decode_with(&record, "{\"n\":[null,\"x\",1]}", 18, numbers, &options, &error) == DECANT_TYPE_MISMATCH, "but not others");
  check_text(error.path, "/n/1");
  struct ArrowArrayStream rows;
  struct ArrowArray batch;
  check(decant_read_arrow(&record, "{\"n\":[null,7,null]}", 19, &options, &rows, NULL, NULL) == DECANT_OK, "as columns");
  if (check(rows.get_next(&rows, &batch) == 0 && batch.length == 1, "a row")) {
    const struct ArrowArray *elements = batch.children[0]->children[0];
    check(elements->null_count == 2 && (*(const uint8_t *)elements->buffers[0] & 7) == 2, "with its nulls");
    batch.release(&batch);
  }
  rows.release(&rows);
}

/* Members that no field names, of a tree that the program has. */
static void test_closed(void) {
  decant_record record = point_record;
  record.flags = DECANT_CLOSED;
  struct point point = {0};
  decant_error error = DECANT_ERROR_INIT;
  json_t *tree = json_pack("{s:i,s:i,s:i}", "x", 1, "Y", 2, "y", 3);
  if (!check(tree != NULL, "a tree")) return;
  check(decant_decode_jansson(&record, tree, &point, NULL, &error) == DECANT_UNKNOWN_KEY, "an unknown key");
  check_text(error.message, "/Y: unknown key \"Y\"; did you mean \"y\"?");
  json_object_del(tree, "Y");
  check(decant_decode_jansson(&record, tree, &point, NULL, &error) == DECANT_OK && point.y == 3, "none");
  json_decref(tree);
}

int main(void) {
  test_null_elements();
  struct shop shop;
  decant_error error = DECANT_ERROR_INIT;
  json_t *tree = json_loadb(json, sizeof json - 1, 0, NULL);
  if (check(decant_decode_jansson(&shop_record, tree, &shop, NULL, &error) == DECANT_OK, "a tree")) {
    check_shop(&shop);
    decant_free(&shop_record, &shop);
  }
  json_decref(tree);

  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = DECANT_JANSSON;
  if (check(decant_decode_with(&shop_record, json, sizeof json - 1, &shop, &options, &error) ==
                DECANT_OK, "by option")) {
    check_shop(&shop);
    decant_free_with(&shop_record, &shop, &options);
  }

  options.relaxations = DECANT_RELAX_COMMENTS;
  check(decant_decode_with(&shop_record, "{}", 2, &shop, &options, &error) == DECANT_UNSUPPORTED,
        "no relaxations");
  check_text(error.message, "libjansson reads RFC 8259 alone: relaxations need the native engine");
  options.relaxations = 0;

  tree = json_pack("{s:s, s:n, s:[i, s]}", "id", "x", "name", "prices", 1, "b");
  check(decant_decode_jansson(&shop_record, tree, &shop, NULL, &error) == DECANT_MULTIPLE, "wrong");
  check_text(error.path, "/id");
  check(error.line == 0 && error.offset == -1 && error.error_count == 7, "no lines");
  check(strncmp(error.message, "/id: expected an integer, found the string \"x\"\n"
                               "/name: expected a string, found null\n", 60) == 0, "the same words");
  json_decref(tree);
  check(decant_decode_jansson(&shop_record, NULL, &shop, NULL, &error) == DECANT_INVALID_ARGUMENT,
        "no tree");
  test_obstacles();
  test_pointers_to_null();
  test_floats();
  test_streams();
  test_around_elements();
  test_closed();
  return check_end();
}
