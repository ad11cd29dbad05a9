/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Tables that are made at run time: what a description says, what is wrong with one, and the descriptions of tables.
 */
#include "check.h"
#include "everything.h"

#include <math.h>
#include <stdlib.h>

static decant_schema *parse(const char *json) {
  decant_schema *schema = NULL;
  decant_error error = DECANT_ERROR_INIT;
  if (!check(decant_schema_parse(json, strlen(json), NULL, &schema, &error) == DECANT_OK, json))
    printf("%s\n", error.message);
  return schema;
}

static char *described(const decant_record *record) {
  size_t length = 0;
  check(decant_record_describe(record, NULL, 0, &length, NULL) == DECANT_OK, "a length");
  char *text = malloc(length + 1);
  check(decant_record_describe(record, text, length + 1, &length, NULL) == DECANT_OK, "a text");
  check(strlen(text) == length, "of that length");
  return text;
}

/* ---------------------------------------------------------------------------------------------------
 * What is said
 */

static void a_table(void) {
  decant_schema *schema = parse(
      "{\"fields\":[{\"k\\u0065y\":\"i\\u0064\",\"kind\":\"int\\u00332\",\"minimum\":1},"
      "{\"key\":\"name\",\"kind\":\"string\",\"optional\":true,\"longest\":5},"
      "{\"key\":\"kind\",\"kind\":\"enum\",\"names\":[\"view\",\"purchase\"],\"default\":"
      "\"purchase\"},"
      "{\"key\":\"flags\",\"kind\":\"flags\",\"names\":[\"a\",\"b\",\"c\"],\"optional\":true},"
      "{\"pointer\":\"/user/"
      "at\",\"kind\":\"record\",\"fields\":[{\"key\":\"x\",\"kind\":\"double\","
      "\"maximum\":2.5}]},"
      "{\"key\":\"greeting\",\"kind\":\"string\",\"default\":\"hello\"}]}");
  if (schema == NULL) return;
  const decant_record *record = decant_schema_record(schema);
  check(record->field_count == 6 && decant_record_check(record, NULL) == DECANT_OK, "a table");
  const decant_field *fields = record->fields;
  check_text(fields[0].key, "id");
  char *value = calloc(1, record->size);
  static const char json[] =
      "{\"id\":7,\"name\":\"Ann\",\"flags\":[\"c\",\"a\"],\"user\":{\"at\":{\"x\":2}}}";
  decant_error error = DECANT_ERROR_INIT;
  if (check(decant_decode(record, json, strlen(json), value, &error) == DECANT_OK, "a struct")) {
    check(*(int32_t *)(void *)(value + fields[0].offset) == 7, "an integer");
    check_text(*(char **)(void *)(value + fields[1].offset), "Ann");
    check(*(size_t *)(void *)(value + fields[1].length_offset) == 3, "its length");
    check(*(int32_t *)(void *)(value + fields[2].offset) == 1, "an enum's default");
    check(*(uint32_t *)(void *)(value + fields[3].offset) == 5, "flags");
    check(value[fields[3].presence_offset] == 1, "their presence");
    check(*(double *)(void *)(value + fields[4].offset) == 2, "a record at a pointer");
    check_text(*(char **)(void *)(value + fields[5].offset), "hello");
    decant_free(record, value);
  }
  static const char wrong[] = "{\"id\":0,\"name\":\"Annabel\",\"user\":{\"at\":{\"x\":2.75}}}";
  check(decant_decode(record, wrong, strlen(wrong), value, &error) == DECANT_MULTIPLE &&
            error.error_count == 3,
        "bounds");
  free(value);
  decant_schema_free(schema);
}

/* One end of a bound is enough. */
static void one_bound(void) {
  decant_schema *schema = parse(
      "{\"fields\":[{\"key\":\"a\",\"kind\":\"string\",\"shortest\":2},{\"key\":\"b\",\"kind\":"
      "\"int32\","
      "\"minimum\":2}]}");
  if (schema == NULL) return;
  const decant_record *record = decant_schema_record(schema);
  void *value = calloc(1, record->size);
  check(decant_decode(record, "{\"a\":\"abc\",\"b\":3}", 17, value, NULL) == DECANT_OK, "inside");
  decant_free(record, value);
  check(
      decant_decode(record, "{\"a\":\"a\",\"b\":3}", 15, value, NULL) == DECANT_INVALID_VALUE &&
          decant_decode(record, "{\"a\":\"ab\",\"b\":1}", 16, value, NULL) == DECANT_INVALID_VALUE,
      "outside");
  free(value);
  decant_schema_free(schema);
  /* The other end excludes nothing: no integer of 64 bits, and no infinity where those are read. */
  schema = parse(
      "{\"fields\":[{\"key\":\"a\",\"kind\":\"uint64\",\"minimum\":1},{\"key\":\"b\",\"kind\":"
      "\"double\",\"minimum\":1}]}");
  if (schema == NULL) return;
  uint64_t numbers[8];
  decant_options options = DECANT_OPTIONS_INIT;
  options.relaxations = DECANT_RELAX_NON_FINITE_NUMBERS;
  static const char largest[] = "{\"a\":18446744073709551615,\"b\":Infinity}";
  check(decant_decode_with(decant_schema_record(schema), largest, sizeof largest - 1, numbers, &options, NULL) ==
            DECANT_OK,
        "the largest numbers");
  decant_schema_free(schema);
}

/* Tables whose bounds, flags and defaults a description has to say in its own way. */
static void odd_tables(void) {
  static const decant_name both[] = {{"ab", 3}, {"bc", 6}, {NULL, 0}};
  static const decant_bounds at_least = {.least = 0.5, .most = INFINITY}, any = {.least = -INFINITY, .most = INFINITY},
                             none = {.least = NAN, .most = 1}, natural = {.maximum = INT64_MAX};
  static const uint32_t all = 7;
  static const int32_t unknown = -1;
  decant_field fields[] = {
      {.key = "a", .kind = DECANT_DOUBLE, .offset = 0, .bounds = &at_least},
      {.key = "b", .kind = DECANT_DOUBLE, .offset = 8, .bounds = &any},
      {.key = "c",
       .kind = DECANT_FLAGS,
       .offset = 16,
       .names = both,
       .flags = DECANT_DEFAULT,
       .default_value = &all},
      {.key = "d",
       .kind = DECANT_INT32,
       .offset = 20,
       .bounds = &natural,
       .flags = DECANT_DEFAULT,
       .default_value = &unknown}};
  const decant_record record = {.size = 24, .fields = fields, .field_count = 4};
  char *text = described(&record);
  check_text(text,
             "{\"fields\":[{\"key\":\"a\",\"kind\":\"double\",\"minimum\":0.5},{\"key\":\"b\",\"kind\":\"double\"},"
             "{\"key\":\"c\",\"kind\":\"flags\",\"names\":{\"ab\":3,\"bc\":6},\"default\":[\"ab\",\"bc\"]},"
             "{\"key\":\"d\",\"kind\":\"int32\",\"minimum\":0,"
             "\"default\":-1}]}");
  decant_schema *schema = parse(text);
  if (schema != NULL) {
    char *again = described(decant_schema_record(schema));
    check_text(again, text);
    free(again);
  }
  free(text);
  decant_schema_free(schema);
  fields[0].bounds = &none;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_describe(&record, NULL, 0, NULL, &error) == DECANT_INVALID_RECORD, "bounds without JSON");
  check_text(error.message, "invalid record: field 0 (\"a\"): its bounds have no JSON");
}

/* 0 and 0 are bounds in a description, and come back as they were. */
static void zeros_as_bounds(void) {
  static const char *const kinds[] = {"int8", "uint64", "float", "double"};
  char text[256];
  for (int kind = 0; kind < 4; kind++) {
    snprintf(text, sizeof text, "{\"fields\":[{\"key\":\"a\",\"kind\":\"%s\",\"minimum\":0,\"maximum\":0}]}",
             kinds[kind]);
    decant_schema *schema = parse(text);
    if (schema == NULL) continue;
    const decant_record *record = decant_schema_record(schema);
    char *again = described(record);
    check_text(again, text);
    free(again);
    int64_t value[2];
    decant_error error = DECANT_ERROR_INIT;
    check(decant_decode(record, "{\"a\":0}", 7, value, &error) == DECANT_OK, "0");
    check(decant_decode(record, "{\"a\":1}", 7, value, &error) == DECANT_INVALID_VALUE, "1");
    check(strstr(error.message, "expected the number 0, found") != NULL, "why");
    decant_schema_free(schema);
  }
  decant_schema *schema = parse("{\"fields\":[{\"key\":\"a\",\"kind\":\"text\",\"longest\":0}]}");
  if (schema == NULL) return;
  struct { decant_text text; void *storage; } out;
  check(decant_decode(decant_schema_record(schema), "{\"a\":\"b\"}", 9, &out, NULL) == DECANT_INVALID_VALUE, "one byte");
  check(decant_decode(decant_schema_record(schema), "{\"a\":\"\"}", 8, &out, NULL) == DECANT_OK, "empty");
  decant_free(decant_schema_record(schema), &out);
  decant_schema_free(schema);
}

/* A description of a table's description is the same, and both accept the same. */
static void there_and_back(void) {
  const decant_record all = {
      .size = sizeof(struct everything), .fields = everything_fields,
      .field_count = sizeof everything_fields / sizeof *everything_fields - 1};
  char *first = described(&all);
  check(strstr(first, "\"default\":80") != NULL, "its defaults");
  decant_schema *schema = parse(first);
  if (schema != NULL) {
    char *second = described(decant_schema_record(schema));
    check_text(second, first);
    free(second);
  }
  /* What says nothing in a table is not in its description. */
  static const decant_bounds bounds = {1, 2, 1, 2, 3, 4, 0, 0};
  const decant_field odd_field = {
      .key = "a", .kind = DECANT_BOOL, .flags = DECANT_FROM_TEXT, .capacity = 3, .bounds = &bounds};
  const decant_record odd_record = {.size = 1, .fields = &odd_field, .field_count = 1};
  char *odd = described(&odd_record);
  check_text(odd, "{\"fields\":[{\"key\":\"a\",\"kind\":\"bool\"}]}");
  decant_schema_free(parse(odd));
  free(odd);
  /* A value with a sign has the name of the same one without. */
  static const decant_name wide[] = {{"a", 0xFFFFFFFF}, {NULL, 0}};
  static const int32_t standard = -1;
  const decant_field wide_field = {.key = "a",
                                   .kind = DECANT_ENUM,
                                   .names = wide,
                                   .flags = DECANT_DEFAULT,
                                   .default_value = &standard};
  const decant_record wide_record = {.size = sizeof(int32_t), .fields = &wide_field, .field_count = 1};
  char *named = described(&wide_record);
  check_text(named,
             "{\"fields\":[{\"key\":\"a\",\"kind\":\"enum\",\"names\":{\"a\":4294967295},\"default\":\"a\"}]}");
  decant_schema_free(parse(named));
  free(named);
  char small[20];
  size_t length = 0;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_describe(&all, small, sizeof small, &length, &error) == DECANT_BUFFER_TOO_SMALL &&
            length == strlen(first) && memcmp(small, first, sizeof small) == 0,
        "the beginning of a text");
  char too_small[80];
  snprintf(too_small, sizeof too_small, "the buffer is too small: %zu bytes are needed", length);
  check_text(error.message, too_small);
  free(first);
  decant_schema_free(schema);
  check(decant_record_describe(&tree_record, NULL, 0, NULL, &error) == DECANT_INVALID_RECORD,
        "a record that holds itself");
  check_text(error.message, "invalid record: field 1 (\"left\"): a record that holds itself has no description");
}

/* ---------------------------------------------------------------------------------------------------
 * What is wrong
 */

static const struct {
  const char *json;
  decant_status status;
  const char *message;
} wrong[] = {
    {"[]", DECANT_TYPE_MISMATCH, "1:1: expected an object, found an empty array\n  []\n  ^"},
    {"{}", DECANT_MISSING_KEY, "1:1: the key \"fields\" is missing\n  {}\n  ^"},
    {"{\"fields\":[],\"strict\":true}", DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[],\"key\":\"a\"}", DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[],\"f\\u0069elds\":[]}", DECANT_DUPLICATE_KEY, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"bool\",\"kind\":\"int8\"}]}", DECANT_DUPLICATE_KEY, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"chars\",\"capacity\":2,\"default\":\"ab\"}]}",
     DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":3}", DECANT_TYPE_MISMATCH,
     "1:11: /fields: expected an array, found the number 3\n  {\"fields\":3}\n            ^"},
    {"{\"fields\":[{\"key\":\"a\"}]}", DECANT_MISSING_KEY,
     "1:12: /fields/0: the key \"kind\" is missing\n  {\"fields\":[{\"key\":\"a\"}]}\n             "
     "^"},
    {"{\"fields\":[{\"kind\":\"bool\"}]}", DECANT_MISSING_KEY,
     "1:12: /fields/0: the key \"key\" or \"pointer\" is missing\n  "
     "{\"fields\":[{\"kind\":\"bool\"}]}\n"
     "             ^"},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"int\"}]}", DECANT_INVALID_VALUE,
     "1:30: /fields/0/kind: is not a kind of field; the kinds are bool, int8, int16, int32, int64, uint8, uint16, uint32, "
     "uint64, float, double, string, text, chars, enum, flags, raw, kind, record, record_pointer, array, fixed_array, "
     "map, key, time, date, decimal, uuid, base64 and fixed_base64\n  "
     "{\"fields\":[{\"key\":\"a\",\"kind\":\"int\"}]}\n"
     "                               ^~~~~"},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"bool\",\"optinal\":true}]}", DECANT_INVALID_VALUE,
     NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"int8\",\"default\":300}]}", DECANT_NUMBER_OUT_OF_RANGE,
     NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"array\",\"default\":[]}]}", DECANT_INVALID_VALUE,
     NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"enum\",\"default\":\"x\"}]}", DECANT_INVALID_VALUE,
     NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"enum\",\"names\":3}]}", DECANT_TYPE_MISMATCH, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"enum\",\"names\":{\"x\":4294967296}}]}",
     DECANT_NUMBER_OUT_OF_RANGE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"uint64\",\"maximum\":18446744073709551615}]}",
     DECANT_NUMBER_OUT_OF_RANGE,
     "1:49: /fields/0/maximum: does not fit into an int64_t\n  "
     "{\"fields\":[{\"key\":\"a\",\"kind\":\"uint64\",\"maximum\":18446744073709551615}]}\n"
     "                                                  ^~~~~~~~~~~~~~~~~~~~"},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"float\",\"minimum\":-1e400}]}", DECANT_NUMBER_OUT_OF_RANGE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"float\",\"minimum\":\"1\"}]}", DECANT_TYPE_MISMATCH, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"string\",\"longest\":-1}]}", DECANT_NUMBER_OUT_OF_RANGE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"enum\"}]}", DECANT_INVALID_RECORD,
     "1:12: /fields/0: names is NULL\n  {\"fields\":[{\"key\":\"a\",\"kind\":\"enum\"}]}\n         "
     "    ^"},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"record\",\"fields\":[{\"key\":\"b\",\"kind\":"
     "\"chars\"}]}]}",
     DECANT_INVALID_RECORD,
     "1:49: /fields/0/fields/0: capacity is 0\n"
     "  "
     "{\"fields\":[{\"key\":\"a\",\"kind\":\"record\",\"fields\":[{\"key\":\"b\",\"kind\":"
     "\"chars\"}]}]}\n"
     "                                                  ^"},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"record\"}]}", DECANT_INVALID_RECORD, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"fixed_array\",\"element\":\"bool\",\"capacity\":"
     "4294967295}]}",
     DECANT_INVALID_RECORD, NULL},
    {"{\"fields\":[{\"pointer\":\"a\",\"kind\":\"bool\"}]}", DECANT_INVALID_RECORD, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"pointer\":\"/a\",\"kind\":\"bool\"}]}", DECANT_INVALID_VALUE,
     NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"int8\",\"minimum\":2,\"maximum\":1}]}",
     DECANT_INVALID_RECORD,
     "1:12: /fields/0: its bounds let nothing in\n  "
     "{\"fields\":[{\"key\":\"a\",\"kind\":\"int8\",\"minimum\":2,\"maximum\":1}]}\n             ^"},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"string\",\"default\":\"a\\u0000b\"}]}",
     DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"chars\",\"capacity\":4,\"default\":\"a\\u0000b\"}]}",
     DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"enum\",\"names\":[\"\\u0000\"]}]}",
     DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"flags\",\"names\":[\"\",\"\",\"\",\"\",\"\",\"\",\"\","
     "\"\",\"\","
     "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\","
     "\"\",\"\","
     "\"\",\"\",\"\",\"\"]}]}",
     DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"bool\",\"minimum\":1}]}", DECANT_INVALID_VALUE,
     "1:47: /fields/0/minimum: says nothing about a field of this kind\n  "
     "{\"fields\":[{\"key\":\"a\",\"kind\":\"bool\",\"minimum\":1}]}\n"
     "                                                ^"},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"string\",\"maximum\":1}]}", DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"raw\",\"longest\":1}]}", DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"int8\",\"shortest\":1}]}", DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"m\",\"kind\":\"map\",\"fields\":[{\"kind\":\"key\",\"longest\":3}]}]}",
     DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"int8\",\"names\":[\"x\"]}]}", DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"int8\",\"fields\":[]}]}", DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"string\",\"capacity\":3}]}", DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"int8\",\"element\":\"int8\"}]}", DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"array\",\"element\":\"int8\",\"counted\":true}]}",
     DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"a\",\"kind\":\"bool\",\"from_text\":true}]}", DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[{\"key\":\"m\",\"kind\":\"map\",\"fields\":[{\"key\":\"k\",\"kind\":\"key\"}]}]}",
     DECANT_INVALID_VALUE, NULL},
    {"{\"fields\":[", DECANT_UNEXPECTED_END, NULL},
    {"", DECANT_EMPTY_INPUT, NULL}};

static void what_is_wrong(void) {
  for (size_t at = 0; at < sizeof wrong / sizeof *wrong; at++) {
    decant_schema *schema = NULL;
    decant_error error = DECANT_ERROR_INIT;
    decant_status status =
        decant_schema_parse(wrong[at].json, strlen(wrong[at].json), NULL, &schema, &error);
    if (!check(status == wrong[at].status && error.code == status && schema == NULL,
               wrong[at].json))
      printf("%d: %s\n", status, error.message);
    if (wrong[at].message != NULL) check_text(error.message, wrong[at].message);
  }
  /* Deeper than records nest. */
  char deep[4096] = "{\"fields\":[";
  for (int level = 0; level < 40; level++)
    strcat(deep, "{\"key\":\"a\",\"kind\":\"record\",\"fields\":[");
  for (int level = 0; level < 40; level++) strcat(deep, "]}");
  strcat(deep, "]}");
  decant_schema *schema = NULL;
  check(decant_schema_parse(deep, strlen(deep), NULL, &schema, NULL) == DECANT_TOO_DEEP, "40 deep");
  check(decant_schema_parse(NULL, 1, NULL, &schema, NULL) == DECANT_INVALID_ARGUMENT, "NULL");
  check(decant_schema_record(NULL) == NULL, "no schema has no table");
  decant_schema_free(NULL);
}

/* ---------------------------------------------------------------------------------------------------
 * Memory that fails
 */

static long until_failure, blocks;
static void *allocate(void *state, size_t size) {
  (void)state;
  if (until_failure-- == 0) return NULL;
  blocks++;
  return malloc(size);
}
static void deallocate(void *state, void *block, size_t size) {
  (void)state;
  (void)size;
  blocks--;
  free(block);
}

static void failing_memory(void) {
  static const char json[] =
      "{\"fields\":[{\"key\":\"a\",\"kind\":\"enum\",\"names\":{\"x\":1},\"default\":\"x\"},"
      "{\"key\":\"b\",\"kind\":\"map\",\"fields\":[{\"kind\":\"key\"},{\"pointer\":\"\",\"kind\":"
      "\"int8\","
      "\"maximum\":3}]}]}";
  decant_memory memory = {allocate, deallocate, NULL};
  decant_options options = DECANT_OPTIONS_INIT;
  options.memory = &memory;
  for (long at = 0;; at++) {
    until_failure = at;
    decant_schema *schema = NULL;
    decant_status status = decant_schema_parse(json, strlen(json), &options, &schema, NULL);
    if (status == DECANT_OK) {
      check(at > 5, "there were allocations that failed");
      decant_schema_free(schema);
      check(blocks == 0, "all memory is given back");
      return;
    }
    check(status == DECANT_OUT_OF_MEMORY && schema == NULL && blocks == 0, "without a trace");
  }
}

/* ---------------------------------------------------------------------------------------------------
 * Hostile descriptions: what a few bytes of them say may be large, not what reading them takes
 */

static size_t used, most;

static void *counted(void *state, size_t size) {
  (void)state;
  used += size;
  if (used > most) most = used;
  return malloc(size);
}

static void not_counted(void *state, void *block, size_t size) {
  (void)state;
  used -= size;
  free(block);
}

/* Fields, again and again. */
static char *repeated(const char *field, int count) {
  char *text = malloc((size_t)count * (strlen(field) + 16) + 32), *end = text;
  end += sprintf(end, "{\"fields\":[");
  for (int at = 0; at < count; at++) {
    if (at > 0) *end++ = ',';
    end += sprintf(end, field, at);
  }
  strcpy(end, "]}");
  return text;
}

static void hostile(void) {
  static const struct {
    const char *field;
    int count;
    decant_status status;
  } rows[] = {
      {"{\"key\":\"k%d\",\"kind\":\"chars\",\"capacity\":1900000000,\"default\":\"x\"}", 1, DECANT_OK},
      {"{\"key\":\"k%d\",\"kind\":\"chars\",\"capacity\":1900000000,\"default\":\"x\"}", 3, DECANT_INVALID_RECORD},
      {"{\"key\":\"k%d\",\"kind\":\"chars\",\"capacity\":1000000}", 2000, DECANT_OK},
      {"{\"key\":\"k%d\",\"kind\":\"array\",\"element\":\"record\",\"fields\":[{\"key\":\"a\",\"kind\":\"chars\","
       "\"capacity\":2000000000}]}",
       1000, DECANT_OK},
      {"{\"key\":\"k%d\",\"kind\":\"fixed_array\",\"element\":\"double\",\"capacity\":200000000}", 1, DECANT_OK},
      {"{\"key\":\"k%d\",\"kind\":\"int8\"}", 100000, DECANT_OK},
      {"{\"key\":\"k%d\",\"kind\":\"int8\"}", 100001, DECANT_INVALID_RECORD},
  };
  const decant_memory memory = {counted, not_counted, NULL};
  decant_options options = DECANT_OPTIONS_INIT;
  options.memory = &memory;
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    char *text = repeated(rows[at].field, has_fewer_rounds() && rows[at].count == 1000 ? 10 : rows[at].count);
    decant_schema *schema = NULL;
    decant_error error = DECANT_ERROR_INIT;
    used = most = 0;
    const decant_status status = decant_schema_parse(text, strlen(text), &options, &schema, &error);
    /* 32 bits have no room for structs of gigabytes. */
    if (sizeof(size_t) > 4 || strstr(rows[at].field, "00000") == NULL)
      check_text(decant_status_name(status), decant_status_name(rows[at].status));
    if (!check(most <= 16 * strlen(text) + 4096, "memory is linear in the text"))
      printf("%zu bytes for %zu\n", most, strlen(text));
    decant_schema_free(schema);
    check(used == 0, "all of it is given back");
    free(text);
  }
}

/* Text of fixed size with a default: its bytes, and zeros behind them. */
static void defaults_of_chars(void) {
  decant_schema *schema = parse(
      "{\"fields\":[{\"key\":\"a\",\"kind\":\"chars\",\"capacity\":64,\"default\":\"Ulm\"}]}");
  if (schema == NULL) return;
  char out[64];
  const decant_record *record = decant_schema_record(schema);
  memset(out, 0x55, sizeof out);
  if (check(record->size == 72 || record->size == 64, "a struct")) {
    char *value = malloc(record->size);
    check(decant_decode(record, "{}", 2, value, NULL) == DECANT_OK, "nothing is there");
    check(memcmp(value, "Ulm", 4) == 0 && value[63] == 0, "the default");
    size_t length;
    check(decant_encode(record, value, out, sizeof out, &length, NULL) == DECANT_OK, "written");
    check_text(out, "{\"a\":\"Ulm\"}");
    free(value);
  }
  decant_schema_free(schema);
}

int main(void) {
  hostile();
  defaults_of_chars();
  a_table();
  one_bound();
  odd_tables();
  zeros_as_bounds();
  there_and_back();
  what_is_wrong();
  failing_memory();
  return check_end();
}
