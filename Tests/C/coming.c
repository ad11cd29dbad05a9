/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * What the pages for users of cJSON and jansson say of what is accepted, by these libraries and by Decant.
 */
#include <cjson/cJSON.h>
#include <jansson.h>
#include <limits.h>

#include "check.h"

struct value {
  int number;
  int64_t wide;
  double real;
  uint64_t natural;
  const char *string;
  decant_text text;
  void *storage;
};

enum kind { NUMBER, WIDE, REAL, NATURAL, STRING, TEXT, INTEGRAL, KINDS };
#define AT(member) DECANT_FIELD(struct value, member, .key = "a")
static const decant_field fields[KINDS] = {
    AT(number), AT(wide), AT(real), AT(natural), AT(string), AT(text),
    DECANT_FIELD(struct value, number, .key = "a", .flags = DECANT_INTEGRAL)};

/* What Decant makes of the member `a` of a document. */
static decant_status decode(const char *json, enum kind kind, struct value *out) {
  decant_record record = {.size = sizeof *out, .fields = &fields[kind], .field_count = 1,
                          .storage_offset = offsetof(struct value, storage)};
  return decant_decode(&record, json, strlen(json), out, NULL);
}

static void test_decant(void) {
  static const struct {
    const char *json;
    enum kind kind;
    decant_status status;
  } rows[] = {
      {"{\"A\":1}", NUMBER, DECANT_MISSING_KEY},
      {"{\"a\":1,\"a\":2}", NUMBER, DECANT_OK},
      {"{\"a\":1} x", NUMBER, DECANT_TRAILING_BYTES},
      {"\xEF\xBB\xBF{\"a\":1}", NUMBER, DECANT_BYTE_ORDER_MARK},
      {"{\"a\":01}", NUMBER, DECANT_INVALID_NUMBER},
      {"{\"a\":1.}", NUMBER, DECANT_INVALID_NUMBER},
      {"{\"a\":1.0}", NUMBER, DECANT_NOT_AN_INTEGER},
      {"{\"a\":1.0}", INTEGRAL, DECANT_OK},
      {"{\"a\":1e3}", INTEGRAL, DECANT_OK},
      {"{\"a\":1.5}", NUMBER, DECANT_NOT_AN_INTEGER},
      {"{\"a\":1.5}", INTEGRAL, DECANT_NOT_AN_INTEGER},
      {"{\"a\":4294967296}", NUMBER, DECANT_NUMBER_OUT_OF_RANGE},
      {"{\"a\":80000000000}", NUMBER, DECANT_NUMBER_OUT_OF_RANGE},
      {"{\"a\":9007199254740993}", WIDE, DECANT_OK},
      {"{\"a\":1e400}", REAL, DECANT_NUMBER_OUT_OF_RANGE},
      {"{\"b\":1e400,\"a\":1}", NUMBER, DECANT_OK},
      {"{\"a\":1}", REAL, DECANT_OK},
      {"{\"a\":9223372036854775808}", NATURAL, DECANT_OK},
      {"{\"a\":\"\xFF\"}", STRING, DECANT_INVALID_UTF8},
      {"{\"a\":\"\\ud800\"}", STRING, DECANT_LONE_SURROGATE},
      {"{\"a\":\"\\u0000x\"}", STRING, DECANT_INVALID_VALUE},
      {"{\"a\":\"\\u0000x\"}", TEXT, DECANT_OK},
      {"{\"a\":\"x\ty\"}", STRING, DECANT_CONTROL_CHARACTER},
      {"\f{\"a\":1}", NUMBER, DECANT_UNEXPECTED_BYTE},
      {"{\"a\":NaN}", REAL, DECANT_UNEXPECTED_BYTE},
      {"{\"a\":1,}", NUMBER, DECANT_UNEXPECTED_BYTE},
      {"/* */{\"a\":1}", NUMBER, DECANT_UNEXPECTED_BYTE},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    struct value value;
    decant_status status = decode(rows[at].json, rows[at].kind, &value);
    if (!check(status == rows[at].status, rows[at].json)) printf("status %d\n", status);
    if (status != DECANT_OK) continue;
    if (rows[at].kind == WIDE) check(value.wide == 9007199254740993, "exact");
    if (rows[at].kind == NATURAL) check(value.natural == 9223372036854775808u, "exact");
    if (at == 1) check(value.number == 1, "the first");
    free(value.storage);
  }
}

static void test_cjson(void) {
  static const struct {
    const char *json, *text;
  } rows[] = {
      {"{\"PORT\":1}", "{\"PORT\":1}"},
      {"{\"a\":1} x", "{\"a\":1}"},
      {"\xEF\xBB\xBF{\"a\":1}", "{\"a\":1}"},
      {"[01]", "[1]"},
      {"[1.]", "[1]"},
      {"[1e400]", "[null]"},
      {"[9007199254740993]", "[9.00719925474099e+15]"},
      {"[\"\xFF\"]", "[\"\xFF\"]"},
      {"[\"\\u0000x\"]", "[\"\"]"},
      {"[\"a\tb\"]", "[\"a\\tb\"]"},
      {"\f[1]", "[1]"},
      {"[\"\\ud800\"]", NULL},
      {"[NaN]", NULL},
      {"/* */[1]", NULL},
      {"[1,]", NULL},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    cJSON *tree = cJSON_Parse(rows[at].json);
    char *text = tree != NULL ? cJSON_PrintUnformatted(tree) : NULL;
    check_text(text, rows[at].text);
    free(text);
    cJSON_Delete(tree);
  }
  static const struct {
    const char *json;
    int number;
  } numbers[] = {{"{\"PORT\":1}", 1},    {"{\"port\":1,\"port\":2}", 1}, {"{\"port\":1.0}", 1}, {"{\"port\":1e3}", 1000},
                 {"{\"port\":1.5}", 1}, {"{\"port\":4294967296}", INT_MAX}};
  for (size_t at = 0; at < sizeof numbers / sizeof *numbers; at++) {
    cJSON *tree = cJSON_Parse(numbers[at].json);
    const cJSON *item = cJSON_GetObjectItem(tree, "port");
    check(item != NULL && item->valueint == numbers[at].number, numbers[at].json);
    cJSON_Delete(tree);
  }
  /* What its writer makes of large integers is read back. */
  static const double written[] = {3000000000.0, 999999999999999.0, 1e15, 1795732158000000.0, 4503599627370496.0};
  for (size_t at = 0; at < sizeof written / sizeof *written; at++) {
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddNumberToObject(tree, "a", written[at]);
    char *text = cJSON_PrintUnformatted(tree);
    decant_field field = fields[WIDE];
    field.flags |= DECANT_INTEGRAL;
    decant_record record = {.size = sizeof(struct value), .fields = &field, .field_count = 1};
    struct value value;
    check(decant_decode(&record, text, strlen(text), &value, NULL) == DECANT_OK, text);
    check(value.wide == (int64_t)written[at], text);
    free(text);
    cJSON_Delete(tree);
  }
}

static void test_jansson(void) {
  static const struct {
    const char *json;
    bool isAccepted;
  } rows[] = {
      {"1", false},          {"\"x\"", false},       {"{\"a\":1,\"a\":2}", true}, {"[\"\\u0000x\"]", false},
      {"[1e400]", false},    {"[01]", false},        {"[9223372036854775808]", false},
      {"[1] x", false},      {"\xEF\xBB\xBF[1]", false}, {"[1,]", false},         {"[NaN]", false},
      {"/* */[1]", false},   {"[\"\xFF\"]", false},  {"[\"\\ud800\"]", false},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    json_t *tree = json_loads(rows[at].json, 0, NULL);
    check((tree != NULL) == rows[at].isAccepted, rows[at].json);
    json_decref(tree);
  }
  json_t *tree = json_loads("{\"a\":1,\"a\":2,\"real\":1.0,\"wide\":80000000000}", 0, NULL);
  int number = 0;
  double real;
  check(json_unpack(tree, "{s:i}", "a", &number) == 0 && number == 2, "the last");
  check(json_unpack(tree, "{s:f}", "a", &real) != 0, "an integer is no real");
  check(json_unpack(tree, "{s:i}", "real", &number) != 0, "a real is no integer");
  check(json_unpack(tree, "{s:i}", "wide", &number) == 0 && number == (int)80000000000, "truncated");
  json_decref(tree);
}

int main(void) {
  test_decant();
  test_cjson();
  test_jansson();
  return check_end();
}
