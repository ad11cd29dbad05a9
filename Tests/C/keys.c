/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * What old documents need: keys that were renamed, keys in other letters, integers with a point or an exponent.
 */
#include "check.h"

#ifdef WITHOUT_JANSSON
enum { ENGINES = 1 };
#else
enum { ENGINES = 2 };
#endif

struct config {
  int64_t port;
  const char *host;
  int32_t age;
  void *storage;
};

static const char *const ports[] = {"Port", "tcp_port", NULL};
static const char *const hosts[] = {"/old/host", "/names/1", NULL};
static const char *const none[] = {NULL};

static const decant_field fields[] = {
    DECANT_FIELD(struct config, port, .other_keys = ports, .flags = DECANT_OPTIONAL),
    DECANT_FIELD(struct config, host, .key = "/new/host", .flags = DECANT_POINTER | DECANT_OPTIONAL,
                 .other_keys = hosts),
    DECANT_FIELD(struct config, age, .other_keys = none, .flags = DECANT_OPTIONAL)};
static const decant_record record =
    DECANT_TABLE(struct config, fields, .storage_offset = offsetof(struct config, storage));
static const decant_record closed =
    DECANT_TABLE(struct config, fields, .storage_offset = offsetof(struct config, storage), .flags = DECANT_CLOSED);
static const decant_record any_case =
    DECANT_TABLE(struct config, fields, .storage_offset = offsetof(struct config, storage), .flags = DECANT_ANY_CASE);
static const decant_record any_case_closed = DECANT_TABLE(struct config, fields,
                                                          .storage_offset = offsetof(struct config, storage),
                                                          .flags = DECANT_ANY_CASE | DECANT_CLOSED);

/* Decodes with both engines, from text and as a tree; the results have to be the same. */
static decant_status decode(const decant_record *table, const char *json, struct config *out, decant_error *error) {
  decant_options options = DECANT_OPTIONS_INIT;
  decant_status status = decant_decode_with(table, json, strlen(json), out, &options, error);
  options.engine = ENGINES == 2 ? DECANT_JANSSON : DECANT_NATIVE;
  struct config other;
  decant_error other_error = DECANT_ERROR_INIT;
  decant_status other_status = decant_decode_with(table, json, strlen(json), &other, &options, &other_error);
  if (!check(other_status == status, "both engines agree")) puts(json);
  if (status == DECANT_OK && other_status == DECANT_OK) {
    check(out->port == other.port && out->age == other.age, "on numbers");
    check((out->host == NULL) == (other.host == NULL) && (out->host == NULL || !strcmp(out->host, other.host)),
          "on strings");
  }
  if (other_status == DECANT_OK) decant_free(table, &other);
  return status;
}

static void test_other_keys(void) {
  static const struct {
    const char *json;
    int64_t port;
    const char *host;
  } rows[] = {
      {"{}", 0, NULL},
      {"{\"port\":1}", 1, NULL},
      {"{\"Port\":2}", 2, NULL},
      {"{\"tcp_port\":3}", 3, NULL},
      {"{\"tcp_port\":3,\"Port\":2}", 2, NULL},
      {"{\"tcp_port\":3,\"Port\":2,\"port\":1}", 1, NULL},
      {"{\"port\":null,\"tcp_port\":3}", 3, NULL},
      {"{\"port\":null,\"Port\":null,\"tcp_port\":3}", 3, NULL},
      {"{\"tcp_port\":3,\"Port\":null}", 3, NULL},
      {"{\"port\":null,\"Port\":null}", 0, NULL},
      {"{\"Port\":null}", 0, NULL},
      {"{\"new\":{\"host\":null},\"old\":null,\"names\":[\"a\",\"b\"]}", 0, "b"},
      {"{\"tcp\\u005fport\":3}", 3, NULL},
      {"{\"new\":{\"host\":\"n\"}}", 0, "n"},
      {"{\"old\":{\"host\":\"o\"}}", 0, "o"},
      {"{\"names\":[\"a\",\"b\"]}", 0, "b"},
      {"{\"old\":{\"host\":\"o\"},\"new\":{\"host\":\"n\"}}", 0, "n"},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    struct config config;
    decant_error error = DECANT_ERROR_INIT;
    const decant_record *tables[] = {&record, &closed};
    for (int closes = 0; closes < 2; closes++) {
      if (!check(decode(tables[closes], rows[at].json, &config, &error) == DECANT_OK, rows[at].json)) {
        puts(error.message);
        continue;
      }
      check(config.port == rows[at].port, rows[at].json);
      check_text(config.host, rows[at].host);
      decant_free(&record, &config);
    }
  }
  struct config config;
  decant_error error = DECANT_ERROR_INIT;
  check(decode(&record, "{\"tcp_port\":true}", &config, &error) == DECANT_TYPE_MISMATCH, "a value under another key");
  check(decode(&closed, "{\"tcp_prt\":1}", &config, &error) == DECANT_UNKNOWN_KEY, "a misspelled other key");
  check_text(error.message, "1:2: /tcp_prt: unknown key \"tcp_prt\"; did you mean \"tcp_port\"?\n"
                            "  {\"tcp_prt\":1}\n   ^~~~~~~~~");

  /* Written by the key. */
  struct config value = {5, "h", 0, NULL};
  char text[128];
  size_t length;
  check(decant_encode(&record, &value, text, sizeof text, &length, &error) == DECANT_OK, "encoding");
  check_text(text, "{\"port\":5,\"new\":{\"host\":\"h\"}}");

  /* In a document that is so large that the table is copied, and in lines. */
  static char big[400000];
  char *end = big;
  *end++ = '[';
  for (int at = 0; at < 10000; at++) {
    end += sprintf(end, "%s{\"%s\":%d,\"age\":1}", at == 0 ? "" : ",", at % 3 == 0 ? "port" : ports[at % 3 - 1], at);
  }
  *end++ = ']';
  decant_array array;
  check(decant_decode_array(&record, "", big, (size_t)(end - big), &array, NULL, &error) == DECANT_OK, "an array");
  bool fine = array.count == 10000;
  for (size_t at = 0; at < array.count; at++) fine = fine && ((struct config *)array.items)[at].port == (int64_t)at;
  check(fine, "all of its elements");
  decant_array_free(&array, NULL);

  /* Tables that are not valid. */
  static const char *const broken[] = {"/a", "b", NULL};
  decant_field field = fields[1];
  decant_record odd = record;
  odd.fields = &field;
  odd.field_count = 1;
  field.other_keys = broken;
  check(decant_record_check(&odd, &error) == DECANT_INVALID_RECORD, "another key that is no pointer");
  check_text(error.message,
             "invalid record: field 0 (\"/new/host\"): one of other_keys is not a JSON Pointer (RFC 6901)");
}

static void test_any_case(void) {
  static const struct {
    const char *json;
    int64_t port;
    int32_t age;
  } rows[] = {
      {"{\"PORT\":1,\"Age\":2}", 1, 2},
      {"{\"PORT\":1,\"port\":2}", 2, 0},
      {"{\"PORT\":1,\"pORT\":2}", 1, 0},
      {"{\"TCP_Port\":3,\"aGE\":4}", 3, 4},
      {"{\"\\u0050ort\":3,\"AG\\u0045\":4}", 3, 4},
      {"{\"age\":1,\"PoRt\":null}", 0, 1},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    const decant_record *tables[] = {&any_case, &any_case_closed};
    for (int closes = 0; closes < 2; closes++) {
      struct config config;
      decant_error error = DECANT_ERROR_INIT;
      if (!check(decode(tables[closes], rows[at].json, &config, &error) == DECANT_OK, rows[at].json)) {
        puts(error.message);
        continue;
      }
      check(config.port == rows[at].port && config.age == rows[at].age, rows[at].json);
      decant_free(&record, &config);
    }
  }
  struct config config;
  decant_error error = DECANT_ERROR_INIT;
  check(decode(&record, "{\"PORT\":1}", &config, &error) == DECANT_OK && config.port == 0, "without the flag");
  decant_free(&record, &config);
  check(decode(&closed, "{\"PORT\":1}", &config, &error) == DECANT_UNKNOWN_KEY, "and closed");
  check(decode(&any_case_closed, "{\"PORTS\":1}", &config, &error) == DECANT_UNKNOWN_KEY, "another key");
  /* Of ASCII letters alone: a bracket and a brace differ by the same bit, and so do two of UTF-8's bytes. */
  struct odd {
    int a, b;
  };
  static const decant_field odd_fields[] = {
      DECANT_FIELD(struct odd, a, .key = "[\xC3\xA9", .flags = DECANT_OPTIONAL),
      DECANT_FIELD(struct odd, b, .key = "@x", .flags = DECANT_OPTIONAL)};
  static const decant_record odd = DECANT_TABLE(struct odd, odd_fields, .flags = DECANT_ANY_CASE);
  static const char json[] = "{\"{\xC3\xA9\":1,\"[\xC3\x89\":2,\"`X\":3,\"@X\":4}";
  struct odd value;
  check(decant_decode(&odd, json, sizeof json - 1, &value, &error) == DECANT_OK, "other bytes");
  check(value.a == 0 && value.b == 4, "are not letters");
}

static void test_integral(void) {
  struct numbers {
    int64_t i64;
    uint64_t u64;
    int8_t i8;
    int64_t at;
    int32_t list[2];
  };
  static const decant_bounds to_ten = {.maximum = 10, .ends = DECANT_HAS_MAXIMUM};
  static const decant_field rows[] = {
      DECANT_FIELD(struct numbers, i64, .flags = DECANT_INTEGRAL | DECANT_OPTIONAL),
      DECANT_FIELD(struct numbers, u64, .flags = DECANT_INTEGRAL | DECANT_OPTIONAL),
      DECANT_FIELD(struct numbers, i8, .flags = DECANT_INTEGRAL | DECANT_OPTIONAL | DECANT_FROM_TEXT, .bounds = &to_ten),
      DECANT_FIELD_AS(struct numbers, at, DECANT_TIME,
                      .flags = DECANT_INTEGRAL | DECANT_OPTIONAL | DECANT_EPOCH | DECANT_SECONDS),
      DECANT_FIELD(struct numbers, list, .flags = DECANT_INTEGRAL | DECANT_OPTIONAL)};
  static const decant_record table = DECANT_TABLE(struct numbers, rows);
  static const struct {
    const char *key, *number;
    decant_status status;
    int64_t value;
  } numbers[] = {
      {"i64", "1.795732158e+15", DECANT_OK, 1795732158000000},
      {"i64", "3.000000000e9", DECANT_OK, 3000000000},
      {"i64", "1e15", DECANT_OK, 1000000000000000},
      {"i64", "5.0", DECANT_OK, 5},
      {"i64", "-50e-1", DECANT_OK, -5},
      {"i64", "0.005e3", DECANT_OK, 5},
      {"i64", "-0.0", DECANT_OK, 0},
      {"i64", "0e999999999", DECANT_OK, 0},
      {"i64", "0.0000e-99", DECANT_OK, 0},
      {"i64", "5.5", DECANT_NOT_AN_INTEGER, 0},
      {"i64", "1e-1", DECANT_NOT_AN_INTEGER, 0},
      {"i64", "15e-1", DECANT_NOT_AN_INTEGER, 0},
      {"i64", "1e19", DECANT_NUMBER_OUT_OF_RANGE, 0},
      {"u64", "1e19", DECANT_OK, -8446744073709551616},
      {"u64", "1e20", DECANT_NUMBER_OUT_OF_RANGE, 0},
      {"u64", "-1.0", DECANT_NUMBER_OUT_OF_RANGE, 0},
      {"u64", "-0.0", DECANT_OK, 0},
      {"i8", "1e1", DECANT_OK, 10},
      {"i8", "1.1e1", DECANT_INVALID_VALUE, 0},
      {"i8", "-128.0", DECANT_OK, -128},
      {"i8", "-129.0", DECANT_NUMBER_OUT_OF_RANGE, 0},
      {"i8", "\"7.0\"", DECANT_OK, 7},
      {"i8", "\"7.5\"", DECANT_NOT_AN_INTEGER, 0},
      {"at", "1.795732158e9", DECANT_OK, 1795732158},
  };
  for (size_t at = 0; at < sizeof numbers / sizeof *numbers; at++) {
    char json[128];
    int length = sprintf(json, "{\"%s\":%s}", numbers[at].key, numbers[at].number);
    for (int engine = 0; engine < ENGINES; engine++) {
      struct numbers value;
      decant_error error = DECANT_ERROR_INIT;
      decant_options options = DECANT_OPTIONS_INIT;
      options.engine = engine;
      decant_status status = decant_decode_with(&table, json, (size_t)length, &value, &options, &error);
      if (!check(status == numbers[at].status, json)) printf("%d: %s\n", status, error.message);
      if (status != DECANT_OK) continue;
      int64_t found = !strcmp(numbers[at].key, "i64")   ? value.i64
                      : !strcmp(numbers[at].key, "u64") ? (int64_t)value.u64
                      : !strcmp(numbers[at].key, "i8")  ? value.i8
                                                        : value.at;
      check(found == numbers[at].value, json);
    }
  }
  /* The native engine knows no double between. */
  static const char *const exact[] = {"9223372036854775807.0", "922337203685477580.7e1", "9.223372036854775807E18"};
  for (size_t at = 0; at < 3; at++) {
    char json[128];
    int length = sprintf(json, "{\"i64\":%s}", exact[at]);
    struct numbers value;
    check(decant_decode(&table, json, (size_t)length, &value, NULL) == DECANT_OK && value.i64 == INT64_MAX, json);
  }
  struct numbers value;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode(&table, "{\"list\":[1.0,2e0]}", 18, &value, &error) == DECANT_OK, "elements");
  check(value.list[0] == 1 && value.list[1] == 2, "of an array");
  check(decant_decode(&table, "{\"i64\":5.5}", 11, &value, &error) == DECANT_NOT_AN_INTEGER, "the text");
  check_text(error.message, "1:8: /i64: not an integer: 5.5\n  {\"i64\":5.5}\n         ^~~");
  /* A column is as a struct is. */
  struct ArrowArrayStream stream;
  static const char lines[] = "{\"i64\":1e3}\n{\"i64\":2.0}\n";
  check(decant_read_arrow(&table, lines, sizeof lines - 1, NULL, &stream, NULL, &error) == DECANT_OK, "columns");
  struct ArrowArray batch;
  check(stream.get_next(&stream, &batch) == 0 && batch.length == 2, "two rows");
  const int64_t *column = batch.children[0]->buffers[1];
  check(column[0] == 1000 && column[1] == 2, "of integers");
  batch.release(&batch);
  stream.release(&stream);

  decant_field odd = rows[0];
  odd.kind = DECANT_DOUBLE;
  decant_record wrong = table;
  wrong.fields = &odd;
  wrong.field_count = 1;
  check(decant_record_check(&wrong, &error) == DECANT_INVALID_RECORD, "a real");
  check_text(error.message, "invalid record: field 0 (\"i64\"): DECANT_INTEGRAL of a field that is no integer");
}

/* A description says the same. */
static void test_schema(void) {
  char text[1024];
  size_t length;
  decant_error error = DECANT_ERROR_INIT;
  if (!check(decant_record_describe(&any_case_closed, text, sizeof text, &length, &error) == DECANT_OK, "described")) {
    puts(error.message);
    return;
  }
  check_text(text, "{\"closed\":true,\"any_case\":true,\"fields\":["
                   "{\"key\":\"port\",\"kind\":\"int64\",\"optional\":true,\"other_keys\":[\"Port\",\"tcp_port\"]},"
                   "{\"pointer\":\"/new/host\",\"kind\":\"string\",\"optional\":true,"
                   "\"other_keys\":[\"/old/host\",\"/names/1\"]},"
                   "{\"key\":\"age\",\"kind\":\"int32\",\"optional\":true,\"other_keys\":[]}]}");
  decant_schema *schema;
  if (!check(decant_schema_parse(text, length, NULL, &schema, &error) == DECANT_OK, "parsed")) {
    puts(error.message);
    return;
  }
  const decant_record *table = decant_schema_record(schema);
  int64_t *value = malloc(table->size);
  check(decant_decode(table, "{\"TCP_PORT\":7}", 14, value, &error) == DECANT_OK && value[0] == 7, "accepts the same");
  decant_free(table, value);
  free(value);
  char again[1024];
  check(decant_record_describe(table, again, sizeof again, &length, &error) == DECANT_OK, "described again");
  check_text(again, text);
  decant_schema_free(schema);
}

/* A key that is found in another case: of equal keys the one that counts, and never the key of another field. */
static void test_case_of_repeated_keys(void) {
  static const struct {
    const char *json;
    int64_t first, last;
  } rows[] = {
      {"{\"AGE\":1,\"AGE\":2}", 1, 2},
      {"{\"AGE\":1,\"Age\":2}", 1, 1},
      {"{\"AGE\":1,\"Age\":2,\"A\\u0047E\":3}", 1, 3},
      {"{\"age\":5,\"AGE\":1}", 5, 5},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    for (int rule = DECANT_KEEP_FIRST; rule <= DECANT_KEEP_LAST; rule++) {
      decant_options options = DECANT_OPTIONS_INIT;
      options.duplicate_keys = rule;
      struct config config;
      decant_error error = DECANT_ERROR_INIT;
      check(decant_decode_with(&any_case, rows[at].json, strlen(rows[at].json), &config, &options, &error) == DECANT_OK,
            rows[at].json);
      check(config.age == (rule == DECANT_KEEP_FIRST ? rows[at].first : rows[at].last), rows[at].json);
      decant_free(&any_case, &config);
    }
  }
  struct both { int64_t lower, upper; } both;
  static const decant_field two[] = {DECANT_FIELD(struct both, lower, .key = "id", .flags = DECANT_OPTIONAL),
                                     DECANT_FIELD(struct both, upper, .key = "ID", .flags = DECANT_OPTIONAL)};
  static const decant_record table = DECANT_TABLE(struct both, two, .flags = DECANT_ANY_CASE);
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode(&table, "{\"id\":3}", 8, &both, &error) == DECANT_OK, "the key of one field");
  check(both.lower == 3 && both.upper == 0, "is not another's");
  check(decant_decode(&table, "{\"Id\":3}", 8, &both, &error) == DECANT_OK, "the key of none");
  check(both.lower == 3 && both.upper == 3, "is that of both");
}

/* A record at the pointer "" is looked up by its own flag; so are the members that a closed record around it knows. */
static void test_case_of_parts(void) {
  struct part { int64_t id; };
  struct whole { struct part part; int64_t other; } whole;
  static const decant_field part_fields[] = {DECANT_FIELD(struct part, id, .flags = DECANT_OPTIONAL)};
  for (int flags = 0; flags < 4; flags++) {
    const decant_record part = DECANT_TABLE(struct part, part_fields, .flags = flags & 1 ? DECANT_ANY_CASE : 0);
    const decant_field whole_fields[] = {
        DECANT_FIELD_AS(struct whole, part, DECANT_RECORD, .key = "", .flags = DECANT_POINTER, .record = &part),
        DECANT_FIELD(struct whole, other, .flags = DECANT_OPTIONAL)};
    const decant_record record =
        DECANT_TABLE(struct whole, whole_fields, .flags = DECANT_CLOSED | (flags & 2 ? DECANT_ANY_CASE : 0));
    decant_error error = DECANT_ERROR_INIT;
    check(decant_decode(&record, "{\"ID\":4}", 8, &whole, &error) == (flags & 1 ? DECANT_OK : DECANT_UNKNOWN_KEY), "a part's");
    if (flags & 1) check(whole.part.id == 4, "is read");
    check(decant_decode(&record, "{\"OTHER\":4}", 11, &whole, &error) == (flags & 2 ? DECANT_OK : DECANT_UNKNOWN_KEY), "its own");
  }
}

/* A null under the key: the other keys count, in lines and in large documents, too, where tables are prepared. */
static int nulls;
static int on_null(void *context, int64_t line, const void *value, const decant_error *error) {
  const struct config *config = value;
  (void)context, (void)line, (void)error;
  nulls += config != NULL && config->port == 7 && config->age == 1;
  return 0;
}
static void test_nulls_in_many(void) {
  static char json[64000];
  char *end = json;
  for (int at = 0; at < 1000; at++) end += sprintf(end, "{\"port\":null,\"tcp_port\":7,\"age\":1}\n");
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode_lines(&record, json, strlen(json), on_null, NULL, NULL, &error) == DECANT_OK, "lines");
  check(nulls == 1000, "each by its other key");
  for (char *at = json; at < end - 1; at++) if (*at == '\n') *at = ',';
  memmove(json + 1, json, (size_t)(end - json));
  json[0] = '[', end[0] = ']', end[1] = 0;
  decant_array array;
  if (check(decant_decode_array(&record, "", json, strlen(json), &array, NULL, &error) == DECANT_OK, "an array")) {
    const struct config *configs = array.items;
    size_t right = 0;
    for (size_t at = 0; at < array.count; at++) right += configs[at].port == 7;
    check(right == 1000, "the same");
    decant_array_free(&array, NULL);
  }
}

int main(void) {
  test_other_keys();
  test_any_case();
  test_integral();
  test_schema();
  test_case_of_repeated_keys();
  test_case_of_parts();
  test_nulls_in_many();
  return check_end();
}
