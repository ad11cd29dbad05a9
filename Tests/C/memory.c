/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * What a document may take: a few bytes of JSON that are large structs, rows or documents in memory. The bound holds for
 * the whole document, whatever its values are in, by default and where the options say it.
 */
#define _POSIX_C_SOURCE 200809L

#include "check.h"

struct large {
  int64_t id;
  char pad[4088];
};
static const decant_field large_fields[] = {{.key = "id", .kind = DECANT_INT64, .flags = DECANT_OPTIONAL}};
static const decant_record large_record = {
    .size = sizeof(struct large), .fields = large_fields, .field_count = 1};

struct list {
  struct large *items;
  size_t count;
  struct large *map;
  size_t map_count;
  const char *text;
  void *storage;
};
static const decant_field list_fields[] = {
    {.key = "items", .kind = DECANT_ARRAY, .element = DECANT_RECORD, .record = &large_record,
     .flags = DECANT_OPTIONAL, .offset = offsetof(struct list, items),
     .length_offset = offsetof(struct list, count)},
    {.key = "map", .kind = DECANT_MAP, .record = &large_record, .flags = DECANT_OPTIONAL,
     .offset = offsetof(struct list, map), .length_offset = offsetof(struct list, map_count)},
    {.key = "text", .kind = DECANT_STRING, .flags = DECANT_OPTIONAL,
     .offset = offsetof(struct list, text)}};
static const decant_record list_record = {
    .size = sizeof(struct list), .fields = list_fields, .field_count = 3,
    .storage_offset = offsetof(struct list, storage)};

/* A chain of structs, each of which holds a large one. */
struct link {
  char pad[4088];
  struct link *next;
};
static const decant_record link_record;
static const decant_field link_fields[] = {
    {.key = "next", .kind = DECANT_RECORD_POINTER, .record = &link_record, .flags = DECANT_OPTIONAL,
     .offset = offsetof(struct link, next)}};
static const decant_record link_record = {
    .size = sizeof(struct link), .fields = link_fields, .field_count = 1};

/* malloc, and how much of it there was at once. */
static size_t live, peak;
static void *counted_allocate(void *state, size_t size) {
  (void)state;
  live += size;
  if (live > peak) peak = live;
  return malloc(size);
}
static void counted_deallocate(void *state, void *block, size_t size) {
  (void)state;
  live -= size;
  free(block);
}
static const decant_memory counted = {counted_allocate, counted_deallocate, NULL};

/* `before`, so many times `part` with commas between, `behind`. */
static char *repeated(const char *before, const char *part, size_t count, const char *behind) {
  const size_t length = strlen(part);
  char *json = malloc(strlen(before) + count * (length + 1) + strlen(behind) + 1);
  if (json == NULL) abort();
  char *at = stpcpy(json, before);
  for (size_t index = 0; index < count; index++) {
    if (index > 0) *at++ = ',';
    memcpy(at, part, length);
    at += length;
  }
  strcpy(at, behind);
  return json;
}

static decant_options options_of(int32_t engine, size_t maximum) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  options.maximum_memory = maximum;
  return options;
}

/* Whether a document that would take much more is refused within `limit` bytes, by malloc and by other memory. */
static void refuses(const char *json, int32_t engine, size_t maximum, size_t limit,
                    const char *message) {
  struct list out = {0};
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = options_of(engine, maximum);
  check(decant_decode_with(&list_record, json, strlen(json), &out, &options, &error) == DECANT_TOO_LARGE,
        "it takes too much");
  if (message != NULL) check_text(error.message, message);
  options.memory = &counted;
  peak = 0;
  check(decant_decode_with(&list_record, json, strlen(json), &out, &options, &error) == DECANT_TOO_LARGE,
        "and by other memory");
  check(peak <= limit && live == 0, "little was allocated");
  check(out.items == NULL && out.storage == NULL, "the struct is as it was");
}

static void accepts(const char *json, int32_t engine, size_t maximum) {
  struct list out;
  decant_options options = options_of(engine, maximum);
  for (int by_other = 0; by_other < 2; by_other++) {
    options.memory = by_other ? &counted : NULL;
    if (check(decant_decode_with(&list_record, json, strlen(json), &out, &options, NULL) == DECANT_OK,
              "it does not take too much")) {
      decant_free_with(&list_record, &out, &options);
    }
  }
}

static void test_values(int32_t engine) {
  char *json = repeated("{\"items\":[", "{}", 100000, "]}");
  refuses(json, engine, 0, 20 << 20, NULL);
  refuses(json, engine, (size_t)300 << 20, 20 << 20, NULL);
  if (!has_fewer_rounds()) accepts(json, engine, SIZE_MAX);
  free(json);
  json = repeated("{\"items\":[", "{}", 1000, "]}");
  accepts(json, engine, 0);
  accepts(json, engine, 5 << 20);
  refuses(json, engine, 1 << 20, 1 << 20, NULL);
  free(json);
  /* Equal keys, of which jansson has one. */
  json = repeated("{\"map\":{", "\"k\":{}", 20000, "}}");
  if (engine == DECANT_NATIVE) refuses(json, engine, 1 << 20, 2 << 20, NULL);
  free(json);
  /* Small documents, which are filled without an index. */
  refuses("{\"items\":[{},{}]}", engine, 8192, 8192,
          engine == DECANT_NATIVE
              ? "1:10: /items: decoding takes too much memory: the limit is 8192 bytes\n"
                "  {\"items\":[{},{}]}\n           ^"
              : "/items: decoding takes too much memory: the limit is 8192 bytes");
  accepts("{\"items\":[{}]}", engine, 8192);
}

static void test_strings(int32_t engine) {
  char *json = repeated("{\"text\":\"", "0123456789", 100, "\"}");
  accepts(json, engine, 0);
  accepts(json, engine, 2000);
  refuses(json, engine, 900, 900, NULL);
  free(json);
  refuses("{\"text\":\"0123456789\"}", engine, 8, 8, NULL);
}

/* The index alone takes more than there may be. */
static void test_index(void) {
  char *json = repeated("[", "1", 1000, "]");
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = options_of(DECANT_NATIVE, 4096);
  decant_document *document = NULL;
  check(decant_parse(json, strlen(json), &options, &document, &error) == DECANT_TOO_LARGE, "the index");
  check(strstr(error.message, ": decoding takes too much memory: the limit is 4096 bytes\n") != NULL, "words");
  options.maximum_memory = 16384;
  check(decant_parse(json, strlen(json), &options, &document, &error) == DECANT_OK, "it fits");
  decant_document_free(document);
  /* The index fits; text and strings do not. */
  options.maximum_memory = 9000;
  check(decant_parse(json, strlen(json), &options, &document, &error) == DECANT_TOO_LARGE, "the text");
  free(json);
}

static void test_parts(void) {
  char *json = repeated("{\"items\":[", "{}", 1000, "]}");
  decant_document *document = NULL;
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = options_of(DECANT_NATIVE, 1 << 20);
  struct list out;
  check(decant_parse(json, strlen(json), NULL, &document, &error) == DECANT_OK, "a document");
  const decant_value root = decant_root(document);
  check(decant_decode_value(&list_record, root, &out, &options, &error) == DECANT_TOO_LARGE, "a part");
  check_text(error.path, "/items");
  check(decant_decode_value(&list_record, root, &out, NULL, &error) == DECANT_OK, "by default");
  decant_free(&list_record, &out);
  decant_document_free(document);
  free(json);
}

static void test_arrays(void) {
  char *json = repeated("[", "{}", 100000, "]");
  decant_error error = DECANT_ERROR_INIT;
  decant_array array;
  check(decant_decode_array(&large_record, "", json, strlen(json), &array, NULL, &error) ==
            DECANT_TOO_LARGE, "an array");
  check(error.line == 1 && error.column == 1, "its place");
  free(json);
}

static void test_chains(void) {
  static const decant_field head_fields[] = {
      {.key = "", .flags = DECANT_POINTER, .kind = DECANT_RECORD_POINTER, .record = &link_record}};
  struct head { struct link *first; void *storage; } out;
  static const decant_record head_record = {
      .size = sizeof(struct head), .fields = head_fields, .field_count = 1,
      .storage_offset = offsetof(struct head, storage)};
  const char *json = "{\"next\":{\"next\":{\"next\":{}}}}";
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = options_of(DECANT_NATIVE, 3 * 4200);
  check(decant_decode_with(&head_record, json, strlen(json), &out, &options, &error) ==
            DECANT_TOO_LARGE, "the fourth struct");
  check_text(error.path, "/next/next/next");
  options.maximum_memory = 4 * 4200;
  check(decant_decode_with(&head_record, json, strlen(json), &out, &options, &error) == DECANT_OK,
        "four fit");
  decant_free(&head_record, &out);
}

/* ---------------------------------------------------------------------------------------------------
 * Streams
 */

struct seen {
  int values, errors;
  decant_status status;
};
static int see(void *context, int64_t line, const void *value, const decant_error *error) {
  struct seen *seen = context;
  (void)line;
  if (value != NULL) seen->values++;
  if (error != NULL) {
    seen->errors++;
    seen->status = error->code;
  }
  return 0;
}

/* A line that takes too much fails, and the stream goes on; a block that a line before needed changes nothing. */
static void test_lines(int32_t engine) {
  char *items = repeated("{\"items\":[", "{}", 100, "]}\n{}\n{\"items\":[{}]}\n");
  char *lines = malloc(2 * strlen(items) + 1);
  if (lines == NULL) abort();
  strcpy(stpcpy(lines, items), items);
  struct seen seen = {0};
  decant_options options = options_of(engine, 20000);
  options.memory = &counted;
  peak = 0;
  check(decant_decode_lines(&list_record, lines, strlen(lines), see, &seen, &options, NULL) ==
            DECANT_OK, "lines");
  check(seen.values == 4 && seen.errors == 2 && seen.status == DECANT_TOO_LARGE, "two of six fail");
  options.maximum_memory = 0;
  seen = (struct seen){0};
  decant_decode_lines(&list_record, lines, strlen(lines), see, &seen, &options, NULL);
  check(seen.values == 6 && live == 0, "none fails by default");
  free(lines);
  free(items);
}

/* ---------------------------------------------------------------------------------------------------
 * Columns
 */

struct row {
  int64_t id;
  void *items;
  size_t count;
  double grid[1000];
  bool has_grid;
};
static const decant_field grid_fields[] = {
    {.key = "grid", .kind = DECANT_FIXED_ARRAY, .element = DECANT_DOUBLE, .capacity = 1000,
     .flags = DECANT_OPTIONAL, .offset = offsetof(struct row, grid),
     .presence_offset = offsetof(struct row, has_grid)},
    {.key = "id", .kind = DECANT_INT64, .flags = DECANT_OPTIONAL, .offset = offsetof(struct row, id)}};
static const decant_record grid_record = {
    .size = sizeof(struct row), .fields = grid_fields, .field_count = 2};
static const decant_field row_fields[] = {
    {.key = "id", .kind = DECANT_INT64, .flags = DECANT_OPTIONAL, .offset = offsetof(struct row, id)},
    {.key = "items", .kind = DECANT_ARRAY, .element = DECANT_RECORD, .record = &grid_record,
     .flags = DECANT_OPTIONAL, .offset = offsetof(struct row, items),
     .length_offset = offsetof(struct row, count)}};
static const decant_record row_record = {
    .size = sizeof(struct row), .fields = row_fields, .field_count = 2};

/* Reads all of a stream: rows, batches and rejects, whose codes are `status`. */
static int64_t read_columns(const decant_record *record, const char *json, size_t maximum,
                            int64_t *rejected, int *batches, decant_status status) {
  decant_options options = options_of(DECANT_NATIVE, maximum);
  options.memory = &counted;
  struct ArrowArrayStream rows, rejects;
  int64_t count = 0;
  *rejected = *batches = 0;
  peak = 0;
  if (!check(decant_read_arrow(record, json, strlen(json), &options, &rows, &rejects, NULL) == DECANT_OK,
             "streams")) {
    return 0;
  }
  struct ArrowArray batch;
  while (rows.get_next(&rows, &batch) == 0 && batch.release != NULL) {
    count += batch.length;
    ++*batches;
    batch.release(&batch);
  }
  while (rejects.get_next(&rejects, &batch) == 0 && batch.release != NULL) {
    *rejected += batch.length;
    const int32_t *codes = batch.children[4]->buffers[1];
    for (int64_t row = 0; row < batch.length; row++) check(codes[row] == status, "the code");
    batch.release(&batch);
  }
  rows.release(&rows);
  rejects.release(&rejects);
  check(live == 0, "everything was given back");
  return count;
}

static void test_columns(void) {
  int64_t rejected;
  int batches;
  /* 60 KB of small elements would be 160 MB of columns. */
  char *json = repeated("{\"id\":1}\n{\"items\":[", "{}", 20000, "]}\n{\"id\":3}\n{\"items\":[{}]}");
  check(read_columns(&row_record, json, 0, &rejected, &batches, DECANT_TOO_LARGE) == 3, "three rows");
  check(rejected == 1, "one reject");
  check(peak < (size_t)330 << 20, "a block, and the larger one that it moves to");
  if (!has_fewer_rounds()) {
    check(read_columns(&row_record, json, (size_t)400 << 20, &rejected, &batches, 0) == 4, "all rows");
  }
  free(json);
  /* Rows that are null take their full width, too: a batch ends before they would take too much. */
  enum { ROWS = 5000 };
  char *lines = malloc(ROWS * 3 + 1);
  if (lines == NULL) abort();
  for (int row = 0; row < ROWS; row++) memcpy(lines + 3 * row, "{}\n", 4);
  check(read_columns(&grid_record, lines, 4 << 20, &rejected, &batches, 0) == ROWS, "all rows");
  check(rejected == 0 && batches > 8, "in more batches");
  check(peak < (size_t)9 << 20, "each of which is small");
  /* A single row is more than there may be; others are not. */
  check(read_columns(&grid_record, "{}\n{}\n", 4096, &rejected, &batches, DECANT_TOO_LARGE) == 0, "no row");
  check(rejected == 2, "two rejects");
  check(read_columns(&grid_record, "{}\n{}\n", 12000, &rejected, &batches, 0) == 2, "two rows");
  check(batches == 2, "in two batches");
  free(lines);
}

/* A line that fails after it has asked for much leaves the memory to the next one. */
static void test_columns_after_failure(void) {
  int64_t rejected;
  int batches;
  char *json = repeated("{\"items\":[", "{}", 400, ",true]}\n");
  char *lines = malloc(2 * strlen(json) + 64);
  if (lines == NULL) abort();
  strcpy(stpcpy(lines, json), "{\"id\":1,\"items\":[{\"id\":2},{\"id\":3}]}\n");
  check(read_columns(&row_record, lines, 4 << 20, &rejected, &batches, DECANT_TYPE_MISMATCH) == 1,
        "a row behind a failure");
  free(lines);
  free(json);
}

static void test_schemas(void) {
  char *json = repeated("{\"fields\":[", "{\"key\":\"a\",\"kind\":\"int8\"}", 1000, "]}");
  decant_schema *schema = NULL;
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = options_of(DECANT_NATIVE, 64 << 10);
  check(decant_schema_parse(json, strlen(json), &options, &schema, &error) == DECANT_TOO_LARGE,
        "a description");
  options.maximum_memory = 4 << 20;
  check(decant_schema_parse(json, strlen(json), &options, &schema, &error) == DECANT_OK, "it fits");
  decant_schema_free(schema);
  free(json);
}

int main(void) {
  const int32_t engines[] = {DECANT_NATIVE, DECANT_JANSSON};
  for (int index = 0; index < 2; index++) {
    struct list out;
    decant_options options = options_of(engines[index], 0);
    if (decant_decode_with(&list_record, "{}", 2, &out, &options, NULL) != DECANT_OK) continue;
    decant_free_with(&list_record, &out, &options);
    test_values(engines[index]);
    test_strings(engines[index]);
    test_lines(engines[index]);
  }
  test_index();
  test_parts();
  test_arrays();
  test_chains();
  test_columns();
  test_columns_after_failure();
  test_schemas();
  return check_end();
}
