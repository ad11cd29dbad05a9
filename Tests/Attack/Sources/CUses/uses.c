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
