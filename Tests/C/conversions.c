/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Members that a program's own functions make of values: sizes such as "16 MiB" and colors as arrays, in structs, arrays
 * and streams, and back, with the program's words where it refuses one.
 */
#include "check.h"

#ifdef WITHOUT_JANSSON
enum { ENGINES = 1 };
#else
enum { ENGINES = 2 };
#endif

/* "16 MiB" as bytes. */
static int calls;
static bool size_from(void *context, const char *value, size_t length, void *member, char message[256]) {
  calls++;
  check(context == &calls, "the context");
  uint64_t zero = 0;
  check(!memcmp(member, &zero, sizeof zero), "the member is zeros");
  uint64_t number = 0;
  size_t at = 0;
  for (; at < length && value[at] >= '0' && value[at] <= '9'; at++) number = 10 * number + (uint64_t)(value[at] - '0');
  const char *unit = value + at;
  const size_t left = length - at;
  if (at == 0) {
    if (length != 0) snprintf(message, 256, "\"%.*s\" is no size, such as \"16 MiB\"", (int)length, value);
    return false;
  }
  if (left == 4 && !memcmp(unit, " MiB", 4)) number <<= 20;
  else if (left != 0) {
    snprintf(message, 256, "the unit \"%.*s\" is unknown", (int)left, unit);
    return false;
  }
  memcpy(member, &number, sizeof number);
  return true;
}
static bool size_to(void *context, const void *member, char *value, size_t capacity, size_t *length, char message[256]) {
  uint64_t number;
  memcpy(&number, member, sizeof number);
  check(context == &calls, "the context");
  if (number == 13) {
    strcpy(message, "13 is not written");
    return false;
  }
  if (number == 14) return false;
  if (number >= 1000000) {  /* as many digits as it says */
    *length = (size_t)(number / 1000);
    if (*length <= capacity) memset(value, '1', *length);
    return true;
  }
  *length = (size_t)snprintf(value, capacity, "%llu", (unsigned long long)number);
  return true;
}
static const decant_conversion size = {size_from, size_to, &calls, 1, 0};

/* [r,g,b] as three bytes, of raw JSON. */
struct color { uint8_t r, g, b; };
static bool color_from(void *context, const char *value, size_t length, void *member, char message[256]) {
  (void)context, (void)message;
  static const decant_field fields[] = {
      {.key = "/0", .kind = DECANT_UINT8, .flags = DECANT_POINTER, .offset = 0},
      {.key = "/1", .kind = DECANT_UINT8, .flags = DECANT_POINTER, .offset = 1},
      {.key = "/2", .kind = DECANT_UINT8, .flags = DECANT_POINTER, .offset = 2}};
  static const decant_record record = {.size = 3, .fields = fields, .field_count = 3};
  decant_error error = DECANT_ERROR_INIT;
  if (decant_decode(&record, value, length, member, &error) == DECANT_OK) return true;
  snprintf(message, 256, "no color: %.200s", error.path);
  return false;
}
static bool color_to(void *context, const void *member, char *value, size_t capacity, size_t *length, char message[256]) {
  const struct color *color = member;
  (void)context, (void)message;
  *length = (size_t)snprintf(value, capacity, color->r == 255 ? "[%d,%d" : "[%d,%d,%d]", color->r, color->g, color->b);
  return true;
}
static const decant_conversion color = {color_from, color_to, NULL, 0, 0};
static const decant_conversion color_in = {color_from, NULL, NULL, 0, 0};

struct limits {
  uint64_t memory, disk;
  uint64_t *steps;
  size_t step_count;
  const char *name;
  void *storage;
};
static const decant_field limit_fields[] = {
    DECANT_FIELD_AS(struct limits, memory, DECANT_CONVERTED, .conversion = &size),
    DECANT_FIELD_AS(struct limits, disk, DECANT_CONVERTED, .conversion = &size, .flags = DECANT_OPTIONAL),
    DECANT_FIELD_AS(struct limits, steps, DECANT_ARRAY, .element = DECANT_CONVERTED, .conversion = &size,
                    .flags = DECANT_OPTIONAL, DECANT_COUNT(struct limits, step_count)),
    DECANT_FIELD(struct limits, name, .flags = DECANT_OPTIONAL)};
static const decant_record limit_record =
    DECANT_TABLE(struct limits, limit_fields, .storage_offset = offsetof(struct limits, storage));

struct paint {
  struct color color, others[2];
};
static const decant_field paint_fields[] = {
    DECANT_FIELD_AS(struct paint, color, DECANT_CONVERTED, .conversion = &color),
    DECANT_FIELD_AS(struct paint, others, DECANT_FIXED_ARRAY, .element = DECANT_CONVERTED, .conversion = &color)};
static const decant_record paint_record = DECANT_TABLE(struct paint, paint_fields);

static decant_status decode(const decant_record *table, const char *json, int engine, void *out, decant_error *error) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  return decant_decode_with(table, json, strlen(json), out, &options, error);
}

static void test_texts(int engine) {
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_check(&limit_record, &error) == DECANT_OK, "the table is valid");
  check_text(error.message, "");
  struct limits limits;
  memset(&limits, 0xA5, sizeof limits);
  static const char json[] = "{\"memory\":\"16 M\\u0069B\",\"steps\":[\"1\",\"2 MiB\"],\"name\":\"n\"}";
  calls = 0;
  if (check(decode(&limit_record, json, engine, &limits, &error) == DECANT_OK, "sizes")) {
    check(limits.memory == 16 << 20 && limits.disk == 0 && limits.steps[1] == 2 << 20, "in bytes");
    check(calls >= 3, "by the function");
    check_text(limits.name, "n");
    char text[64];
    limits.memory = 5;
    limits.steps[1] = 7;
    check(decant_encode(&limit_record, &limits, text, sizeof text, NULL, &error) == DECANT_OK, "encoding");
    check_text(text, "{\"memory\":\"5\",\"steps\":[\"1\",\"7\"],\"name\":\"n\"}");
    decant_free(&limit_record, &limits);
  } else {
    puts(error.message);
  }
  static const struct {
    const char *json, *path, *what;
    decant_status status;
  } rows[] = {
      {"{\"memory\":\"big\"}", "/memory", "\"big\" is no size, such as \"16 MiB\"", DECANT_CUSTOM},
      {"{\"memory\":\"\"}", "/memory", "is not accepted", DECANT_CUSTOM},
      {"{\"memory\":\"1\",\"steps\":[\"1\",\"2 KiB\"]}", "/steps/1", "the unit \" KiB\" is unknown", DECANT_CUSTOM},
      {"{\"memory\":16}", "/memory", "expected a string, found the number 16", DECANT_TYPE_MISMATCH},
      {"{\"memory\":null}", "/memory", "expected a string, found null", DECANT_MISSING_KEY},
      {"{}", "/memory", "the key is missing", DECANT_MISSING_KEY},
      {"{\"memory\":\"x\",\"disk\":\"1 x\"}", "/memory", "the unit \" x\" is unknown", DECANT_MULTIPLE},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    memset(&limits, 0x5A, sizeof limits);
    const struct limits before = limits;
    check(decode(&limit_record, rows[at].json, engine, &limits, &error) == rows[at].status, rows[at].json);
    check_text(error.path, rows[at].path);
    if (!check(strstr(error.message, rows[at].what) != NULL, rows[at].what)) puts(error.message);
    check(!memcmp(&limits, &before, sizeof limits), "the struct is untouched");
  }
  /* Left out, and in an optional field that is null. */
  decant_field fields[4];
  memcpy(fields, limit_fields, sizeof fields);
  fields[2].flags |= DECANT_LEAVE_OUT;
  decant_record table = limit_record;
  table.fields = fields;
  if (check(decode(&table, "{\"memory\":\"1\",\"disk\":null,\"steps\":[\"x\",\"3\",4]}", engine, &limits, &error) ==
                DECANT_OK, "left out")) {
    check(limits.step_count == 1 && limits.steps[0] == 3 && limits.disk == 0, "but one");
    decant_free(&table, &limits);
  }
}

static void test_raw(void) {
  decant_error error = DECANT_ERROR_INIT;
  struct paint paint;
  check(decant_record_check(&paint_record, &error) == DECANT_OK, "the table is valid");
  static const char json[] = "{\"color\":[1,2,3],\"others\":[[4,5,6],[7,8,9]]}";
  check(decode(&paint_record, json, DECANT_NATIVE, &paint, &error) == DECANT_OK, "colors");
  check(paint.color.b == 3 && paint.others[1].g == 8, "of bytes");
  char text[64];
  check(decant_encode(&paint_record, &paint, text, sizeof text, NULL, &error) == DECANT_OK, "encoding");
  check_text(text, json);
  check(decode(&paint_record, "{\"color\":[1,2],\"others\":[[1,2,3],{}]}", DECANT_NATIVE, &paint, &error) == DECANT_MULTIPLE,
        "no colors");
  check(error.error_count == 2 && strstr(error.message, "/color: no color: /2") && strstr(error.message, "/others/1: no color"),
        "each with its words");
  char json_error[1024];
  decant_error_json(&error, json_error, sizeof json_error);
  check(strstr(json_error, "\"code\":206") != NULL, "and its code");
  if (ENGINES == 2) {
    check(decode(&paint_record, json, DECANT_JANSSON, &paint, &error) != DECANT_OK, "libjansson has no raw text");
    check(strstr(error.message, "the engine does not keep raw text") != NULL, "and the error says so");
  }
  paint.color.r = 255;
  check(decant_encode(&paint_record, &paint, text, sizeof text, NULL, &error) == DECANT_INVALID_VALUE, "no JSON");
  check_text(error.path, "/color");
  decant_field field = {.key = "a", .kind = DECANT_CONVERTED, .extent = 3, .conversion = &color_in};
  decant_record table = {.size = 3, .fields = &field, .field_count = 1};
  check(decant_encode(&table, &paint, text, sizeof text, NULL, &error) == DECANT_INVALID_RECORD, "one way");
  check_text(error.message, "/a: its conversion has no encode");
  const decant_conversion none = {NULL, NULL, NULL, 0, 0}, later = {color_from, NULL, NULL, 0, 1};
  field.conversion = &none;
  check(decant_record_check(&table, &error) == DECANT_INVALID_RECORD, "no function");
  field.conversion = &later;
  check(decant_record_check(&table, &error) == DECANT_INVALID_RECORD, "what is reserved");
  field.conversion = NULL;
  check(decant_record_check(&table, &error) == DECANT_INVALID_RECORD, "no conversion");
  field.conversion = &color, field.extent = 0;
  check(decant_record_check(&table, &error) == DECANT_INVALID_RECORD && strstr(error.message, "extent is 0"), "no size");
}

static void test_encoding(void) {
  decant_error error = DECANT_ERROR_INIT;
  static char text[8000];
  size_t length;
  struct limits limits = {.memory = 13};
  check(decant_encode(&limit_record, &limits, text, sizeof text, NULL, &error) == DECANT_CUSTOM, "refused");
  check_text(error.message, "/memory: 13 is not written");
  limits.memory = 14;
  check(decant_encode(&limit_record, &limits, text, sizeof text, NULL, &error) == DECANT_CUSTOM, "without a word");
  check_text(error.message, "/memory: the value is not accepted");
  for (size_t digits = 1000; digits < 1100; digits += 99) {
    limits.memory = 1000 * digits;
    if (check(decant_encode(&limit_record, &limits, text, sizeof text, &length, &error) == DECANT_OK, "long")) {
      check(length == digits + strlen("{\"memory\":\"\"}") && text[digits + 10] == '1' && text[digits + 11] == '"', "all of it");
    }
  }
}

/* A number that counts how often it is asked for. */
static bool number_to(void *context, const void *member, char *value, size_t capacity, size_t *length, char message[256]) {
  int *const calls = context;
  (void)member, (void)message;
  *length = (size_t)snprintf(value, capacity, "%d", ++*calls);
  return true;
}
static bool number_from(void *context, const char *value, size_t length, void *member, char message[256]) {
  (void)context, (void)value, (void)length, (void)member, (void)message;
  return true;
}
static decant_status append(void *context, const char *text, size_t length) {
  strncat(context, text, length);
  return DECANT_OK;
}

/* A conversion is called once for each text, however long the text is and wherever it goes, also within strings. */
static void test_one_call(void) {
  int calls = 0;
  const decant_conversion number = {number_from, number_to, &calls, 0, 0};
  static struct numbered { uint8_t number, embedded; char filler[2000]; } value;
  const decant_field inner_fields[] = {
      {.key = "i", .kind = DECANT_CONVERTED, .extent = 1, .conversion = &number, .flags = DECANT_EMBEDDED}};
  const decant_record inner = {.size = 1, .fields = inner_fields, .field_count = 1};
  const decant_field fields[] = {
      {.key = "n", .kind = DECANT_CONVERTED, .extent = 1, .conversion = &number},
      {.key = "e", .kind = DECANT_RECORD, .record = &inner, .flags = DECANT_EMBEDDED,
       .offset = offsetof(struct numbered, embedded)},
      {.key = "f", .kind = DECANT_CHARS, .capacity = 2000, .offset = offsetof(struct numbered, filler)}};
  const decant_record record = {.size = sizeof value, .fields = fields, .field_count = 3};
  memset(value.filler, 'a', 1999);
  static char expected[3000], text[3000];
  for (int pretty = 0; pretty < 2; pretty++) {
    sprintf(expected, pretty ? "{\n  \"n\": 1,\n  \"e\": \"{\\\"i\\\":\\\"2\\\"}\",\n  \"f\": \"%s\"\n}"
                             : "{\"n\":1,\"e\":\"{\\\"i\\\":\\\"2\\\"}\",\"f\":\"%s\"}", value.filler);
    decant_options options = DECANT_OPTIONS_INIT;
    options.pretty = pretty;
    size_t length;
    char *whole = NULL;
    calls = 0;
    if (check(decant_encode_text(&record, &value, &options, &whole, &length, NULL) == DECANT_OK, "in a block")) {
      check_text(whole, expected);
      check(calls == 2 && length == strlen(expected), "with one call for each value");
      decant_text_free(whole, &options);
    }
    calls = 0;
    text[0] = 0;
    check(decant_encode_to(&record, &value, append, text, &options, NULL) == DECANT_OK && calls == 2, "to a function");
    check_text(text, expected);
    for (size_t capacity = 0; capacity < 30 && !pretty; capacity++) {
      calls = 0;
      memset(text, 'x', sizeof text);
      check(decant_encode(&record, &value, text, capacity, &length, NULL) == DECANT_BUFFER_TOO_SMALL && calls == 2 &&
            length == strlen(expected) && memcmp(text, expected, capacity) == 0 && text[capacity] == 'x', "in a small buffer");
    }
  }
}

/* A value that is refused once: the error does not speak of memory. */
static bool number_then(void *context, const char *value, size_t length, void *member, char message[256]) {
  (void)value, (void)length, (void)member, (void)message;
  return ++*(int *)context != 1;
}
static void test_refused_once(void) {
  int calls = 0;
  const decant_conversion once = {number_then, NULL, &calls, 0, 0};
  const decant_field field = {.key = "n", .kind = DECANT_CONVERTED, .extent = 1, .conversion = &once};
  const decant_record record = {.size = 1, .fields = &field, .field_count = 1};
  uint8_t value = 7;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode(&record, "{\"n\":1}", 7, &value, &error) == DECANT_CUSTOM && value == 7, "refused");
  check_text(error.message, "a conversion refused a value, and then accepted it");
}

static int64_t sum;
static int on_limits(void *context, int64_t line, const void *value, const decant_error *error) {
  const struct limits *limits = value;
  (void)context, (void)line;
  if (limits != NULL) sum += (int64_t)(limits->memory + limits->step_count);
  else sum += 1000 * error->code;
  return 0;
}

int main(void) {
  for (int engine = 0; engine < ENGINES; engine++) test_texts(engine);
  test_raw();
  test_encoding();
  test_one_call();
  test_refused_once();
  static const char lines[] = "{\"memory\":\"1\"}\n{\"memory\":\"x\"}\n{\"steps\":[\"1\",\"2\"],\"memory\":\"3\"}\n";
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode_lines(&limit_record, lines, sizeof lines - 1, on_limits, NULL, NULL, &error) == DECANT_OK, "lines");
  check(sum == 1 + 206000 + 5, "each by itself");
  struct ArrowArrayStream rows;
  check(decant_read_arrow(&limit_record, "", 0, NULL, &rows, NULL, &error) == DECANT_INVALID_RECORD &&
            strstr(error.message, "a DECANT_CONVERTED has no columns") != NULL, "no columns");
  char text[64];
  size_t length;
  check(decant_record_describe(&limit_record, text, sizeof text, &length, &error) == DECANT_INVALID_RECORD, "no description");
  return check_end();
}
