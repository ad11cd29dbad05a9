/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Loops that a program in C writes around the verbs of documents and records.
 */
#include "CUses.h"

#include <decant.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct record {
  int64_t id;
  bool on;
};

static const decant_field good_fields[] = {
    {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct record, id)},
};
static const decant_field bad_fields[] = {
    {.key = "id", .kind = DECANT_BOOL, .offset = offsetof(struct record, on)},
};
static const decant_record good = {
    .size = sizeof(struct record), .fields = good_fields, .field_count = 1};
static const decant_record bad = {
    .size = sizeof(struct record), .fields = bad_fields, .field_count = 1};

/* Four kilobytes, of which `{}` says nothing. */
static const decant_field large_fields[] = {
    {.key = "id", .kind = DECANT_INT64, .flags = DECANT_OPTIONAL},
};
static const decant_record large = {.size = 4096, .fields = large_fields, .field_count = 1};

#define COLUMN(name) \
  { .key = name, .kind = DECANT_INT64, .flags = DECANT_OPTIONAL }
#define COLUMNS(ten)                                                                   \
  COLUMN(ten "0"), COLUMN(ten "1"), COLUMN(ten "2"), COLUMN(ten "3"), COLUMN(ten "4"), \
      COLUMN(ten "5"), COLUMN(ten "6"), COLUMN(ten "7"), COLUMN(ten "8"), COLUMN(ten "9")

static size_t get(decant_value array, const char *key) {
  size_t found = 0;
  decant_iterator elements = decant_iterate(array);
  while (decant_next(&elements)) {
    found += decant_value_kind(decant_get(elements.value, key)) == DECANT_VALUE_NUMBER ? 1 : 3;
  }
  return found;
}

static size_t wrong_numbers(decant_value array) {
  size_t found = 0;
  decant_iterator elements = decant_iterate(array);
  while (decant_next(&elements)) {
    double number;
    found += decant_get_double(decant_get(elements.value, "name"), &number) != DECANT_OK;
  }
  return found;
}

static size_t raw(decant_value array) {
  size_t found = 0;
  decant_iterator elements = decant_iterate(array);
  while (decant_next(&elements)) {
    size_t length = 0;
    if (decant_get_raw(elements.value, &length) != NULL) found += length;
  }
  return found;
}

/* The index of the n-th look-up. The stride has no divisor in common with any count below it. */
static size_t place(int use, size_t n, size_t count) {
  if (use == USE_ELEMENT_LOOP_BACKWARDS) return count - 1 - n;
  return use == USE_ELEMENT_LOOP_SHUFFLED ? (size_t)(n * 2654435761u % count) : n;
}

static size_t element_loop(int use, decant_value array) {
  size_t found = 0;
  for (size_t i = 0; i < decant_count(array); i++) {
    int64_t id = 0;
    const decant_value element = decant_element(array, place(use, i, decant_count(array)));
    if (decant_get_int64(decant_get(element, "id"), &id) == DECANT_OK) found += (size_t)id & 3;
  }
  return found + 1;
}

static size_t pointers(decant_value array, const char *key) {
  size_t found = 0;
  for (size_t i = 0; i < decant_count(array); i++) {
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/%zu/%s", i, key);
    found += (size_t)decant_value_kind(decant_at(array, pointer)) + 1;
  }
  return found;
}

static size_t decode_values(const decant_record *record, decant_value array, decant_error *error) {
  size_t found = 1;
  decant_iterator elements = decant_iterate(array);
  while (decant_next(&elements)) {
    struct record it;
    found += (size_t)decant_decode_value(record, elements.value, &it, NULL, error);
  }
  return found;
}

static size_t error_json(decant_value array) {
  char buffer[4096];
  size_t found = 0;
  decant_iterator elements = decant_iterate(array);
  while (decant_next(&elements)) {
    struct record it;
    decant_error error = DECANT_ERROR_INIT;
    decant_decode_value(&bad, elements.value, &it, NULL, &error);
    found += decant_error_json(&error, buffer, sizeof buffer);
  }
  return found;
}

/* The errors of as many documents of one record each. */
static size_t error_json_alone(decant_value array, const decant_options *options) {
  static const char text[] = "{\"id\":1234567,\"name\":\"Ann\"}";
  char buffer[4096];
  size_t found = 0;
  decant_iterator elements = decant_iterate(array);
  while (decant_next(&elements)) {
    struct record it;
    decant_error error = DECANT_ERROR_INIT;
    decant_decode_with(&bad, text, sizeof text - 1, &it, options, &error);
    found += decant_error_json(&error, buffer, sizeof buffer);
  }
  return found;
}

static size_t decode_array(const decant_record *record, const char *json, size_t length,
                           const decant_options *options) {
  decant_array array = {NULL, 0, NULL};
  decant_error error = DECANT_ERROR_INIT;
  const decant_status status =
      decant_decode_array(record, NULL, json, length, &array, options, &error);
  const size_t found = array.count + (size_t)status;
  if (status == DECANT_OK) decant_array_free(&array, options);
  return found;
}

static int line(void *context, int64_t number, const void *value, const decant_error *error) {
  (void)number;
  *(size_t *)context += value != NULL ? 1 : strlen(error->message);
  return 0;
}

static size_t decode_lines(const decant_record *record, const char *json, size_t length,
                           const decant_options *options) {
  size_t found = 0;
  decant_decode_lines(record, json, length, line, &found, options, NULL);
  return found;
}

/* Forty columns k00 to k39; where lines are to fail, another that none of them has. Rows and rejects are counted. */
static size_t columns(bool fails, const char *json, size_t length, const decant_options *options) {
  decant_field fields[41] = {COLUMNS("k0"),
                             COLUMNS("k1"),
                             COLUMNS("k2"),
                             COLUMNS("k3"),
                             {.key = "none", .kind = DECANT_INT64}};
  for (uint32_t at = 0; at < 41; at++) fields[at].offset = at * 8;
  const decant_record record = {
      .size = sizeof(int64_t[41]), .fields = fields, .field_count = fails ? 41 : 40};
  struct ArrowArrayStream streams[2];
  size_t found = 0;
  if (decant_read_arrow(&record, json, length, options, &streams[0], &streams[1], NULL) !=
      DECANT_OK) {
    return 0;
  }
  for (int at = 0; at < 2; at++) {
    struct ArrowArray batch;
    while (streams[at].get_next(&streams[at], &batch) == 0 && batch.release != NULL) {
      found += (size_t)batch.length;
      batch.release(&batch);
    }
    streams[at].release(&streams[at]);
  }
  return found;
}

/* Tables of documents of which everything is wrong. */
struct list {
  const int64_t *tags;
  size_t count;
  void *storage;
};

#define INTEGER(name, at) \
  { .key = name, .kind = DECANT_INT64, .offset = 8 * at }
static const decant_field integer_fields[] = {INTEGER("a", 0), INTEGER("b", 1), INTEGER("c", 2),
                                              INTEGER("d", 3), INTEGER("e", 4), INTEGER("f", 5),
                                              INTEGER("g", 6), INTEGER("h", 7)};
static const decant_field list_fields[] = {{.key = "tags",
                                            .kind = DECANT_ARRAY,
                                            .element = DECANT_INT64,
                                            .offset = offsetof(struct list, tags),
                                            .length_offset = offsetof(struct list, count)}};
static const decant_record tables[] = {
    [TABLE_FIELDS] = {.size = sizeof(int64_t[8]), .fields = integer_fields, .field_count = 8},
    [TABLE_LIST] = {.size = sizeof(struct list),
                    .fields = list_fields,
                    .field_count = 1,
                    .storage_offset = offsetof(struct list, storage)},
    [TABLE_ID] = {.size = sizeof(struct record), .fields = good_fields, .field_count = 1},
};

static int count_document(void *context, int64_t number, const void *value,
                          const decant_error *error) {
  struct verb_result *result = context;
  (void)number;
  result->found += value != NULL ? 1 : strlen(error->message);
  *(value != NULL ? &result->good : &result->bad) += 1;
  return 0;
}

static void alone_verb(const decant_record *table, const char *json, size_t length,
                       const decant_options *options, struct verb_result *result) {
  for (const char *end = json + length, *next; json < end; json = next + 1) {
    union {
      int64_t integers[8];
      struct list list;
    } out;
    decant_error error = DECANT_ERROR_INIT;
    next = memchr(json, '\n', (size_t)(end - json));
    if (next == NULL) next = end;
    const bool fails =
        decant_decode_with(table, json, (size_t)(next - json), &out, options, &error) != DECANT_OK;
    count_document(result, 0, fails ? NULL : &out, &error);
    if (!fails) decant_free_with(table, &out, options);
  }
}

static void stream_verb(const decant_record *table, const char *json, size_t length, size_t chunk,
                        const decant_options *options, struct verb_result *result) {
  if (chunk == 0) {
    decant_decode_lines(table, json, length, count_document, result, options, NULL);
    return;
  }
  decant_lines *lines;
  if (decant_lines_open(table, options, &lines, NULL) != DECANT_OK) return;
  for (size_t at = 0; at < length; at += chunk) {
    const size_t size = chunk < length - at ? chunk : length - at;
    decant_lines_feed(lines, json + at, size, count_document, result, NULL);
  }
  decant_lines_finish(lines, count_document, result, NULL);
  decant_lines_close(lines);
}

struct source {
  const char *json;
  size_t length, chunk;
};

static ptrdiff_t read_source(void *context, char *buffer, size_t capacity) {
  struct source *source = context;
  size_t size = source->chunk < source->length ? source->chunk : source->length;
  if (size > capacity) size = capacity;
  memcpy(buffer, source->json, size);
  source->json += size;
  source->length -= size;
  return (ptrdiff_t)size;
}

static void column_verb(const decant_record *table, const char *json, size_t length, size_t chunk,
                        const decant_options *options, struct verb_result *result) {
  struct ArrowArrayStream streams[2];
  struct source source = {json, length, chunk};
  const decant_status status =
      chunk == 0 ? decant_read_arrow(table, json, length, options, &streams[0], &streams[1], NULL)
                 : decant_read_arrow_from(table, read_source, &source, options, &streams[0],
                                          &streams[1], NULL);
  if (status != DECANT_OK) return;
  for (int at = 0; at < 2; at++) {
    struct ArrowArray batch;
    while (streams[at].get_next(&streams[at], &batch) == 0 && batch.release != NULL) {
      result->found += (size_t)batch.length;
      *(at == 0 ? &result->good : &result->bad) += (size_t)batch.length;
      batch.release(&batch);
    }
    streams[at].release(&streams[at]);
  }
}

struct verb_result verb_in_c(int verb, int table, const char *json, size_t length, size_t chunk,
                             int32_t engine) {
  struct verb_result result = {0, 0, 0};
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  if (engine == DECANT_JANSSON) options.duplicate_keys = DECANT_KEEP_NONE;
  if (verb == VERB_DOCUMENTS || verb == VERB_COLUMNS_OF_DOCUMENTS)
    options.framing = DECANT_DOCUMENTS;
  if (verb == VERB_ELEMENTS || verb == VERB_COLUMNS_OF_ELEMENTS) options.elements_at = "";
  const decant_record *record = &tables[table];
  if (verb == VERB_ARRAY) {
    decant_array array = {NULL, 0, NULL};
    decant_error error = DECANT_ERROR_INIT;
    const decant_status status =
        decant_decode_array(record, NULL, json, length, &array, &options, &error);
    result = (struct verb_result){array.count + (size_t)status, array.count, status != DECANT_OK};
    if (status == DECANT_OK) decant_array_free(&array, &options);
  } else if (verb == VERB_ALONE) {
    alone_verb(record, json, length, &options, &result);
  } else if (verb >= VERB_COLUMNS) {
    column_verb(record, json, length, chunk, &options, &result);
  } else {
    stream_verb(record, json, length, chunk, &options, &result);
  }
  return result;
}

static size_t use_document(int use, decant_value array, const decant_options *options) {
  decant_error error = DECANT_ERROR_INIT;
  switch (use) {
    case USE_GET: return get(array, "id");
    case USE_GET_MISSING: return get(array, "nick");
    case USE_NUMBER_OF_A_STRING: return wrong_numbers(array);
    case USE_POINTERS: return pointers(array, "id");
    case USE_POINTERS_MISSING: return pointers(array, "nick/name");
    case USE_RAW: return raw(array);
    case USE_DECODE_VALUE: return decode_values(&good, array, &error);
    case USE_DECODE_VALUE_FAILING: return decode_values(&bad, array, &error);
    case USE_DECODE_VALUE_FAILING_UNASKED: return decode_values(&bad, array, NULL);
    case USE_ERROR_JSON: return error_json(array);
    case USE_ERROR_JSON_ALONE: return error_json_alone(array, options);
    default: return element_loop(use, array);
  }
}

size_t use_in_c(int use, const char *json, size_t length, int32_t engine) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  if (engine == DECANT_JANSSON) options.duplicate_keys = DECANT_KEEP_LAST;
  switch (use) {
    case USE_DECODE_ARRAY: return decode_array(&good, json, length, &options);
    case USE_DECODE_ARRAY_FAILING: return decode_array(&bad, json, length, &options);
    case USE_DECODE_ARRAY_LARGE: return decode_array(&large, json, length, &options);
    case USE_DECODE_LINES: return decode_lines(&good, json, length, &options);
    case USE_DECODE_LINES_FAILING: return decode_lines(&bad, json, length, &options);
    case USE_DECODE_DOCUMENTS:
      options.framing = DECANT_DOCUMENTS;
      return decode_lines(&good, json, length, &options);
    case USE_COLUMNS:
    case USE_COLUMNS_FAILING: return columns(use == USE_COLUMNS_FAILING, json, length, &options);
    default: break;
  }
  decant_document *document;
  if (decant_parse(json, length, &options, &document, NULL) != DECANT_OK) return 0;
  decant_value array = decant_root(document);
  if (decant_value_kind(array) == DECANT_VALUE_OBJECT) {
    decant_iterator members = decant_iterate(array);
    if (decant_next(&members)) array = members.value;
  }
  const size_t found = use_document(use, array, &options);
  decant_document_free(document);
  return found;
}
