/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Columns: what each kind of field is in Arrow, batches and their ownership, lines that fail, memory that fails.
 */
#include "check.h"
#include "everything.h"

#include <errno.h>
#ifndef __wasm__
#include <pthread.h>
#endif
#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------------
 * A consumer
 */

static struct ArrowSchema schema_of(struct ArrowArrayStream *stream) {
  struct ArrowSchema schema = {0};
  check(stream->get_schema(stream, &schema) == 0 && schema.release != NULL, "a schema");
  return schema;
}

static bool next(struct ArrowArrayStream *stream, struct ArrowArray *batch) {
  check(stream->get_next(stream, batch) == 0, "a batch");
  check(stream->get_last_error(stream) == NULL, "no error");
  return batch->release != NULL;
}

static bool is_null(const struct ArrowArray *array, int64_t row) {
  const uint8_t *bits = array->buffers[0];
  return bits != NULL && (bits[row / 8] >> row % 8 & 1) == 0;
}

#define VALUE(type, array, row) (((const type *)(array)->buffers[1])[row])

/* Whether the text in a row of a utf8_view is `expected`. */
static bool is_view(const struct ArrowArray *array, int64_t row, const char *expected) {
  const char *view = (const char *)array->buffers[1] + 16 * row;
  int32_t length, place[2];
  memcpy(&length, view, 4);
  memcpy(place, view + 8, 8);
  const char *text =
      length <= 12 ? view + 4 : (const char *)array->buffers[2 + place[0]] + place[1];
  return (size_t)length == strlen(expected) && memcmp(text, expected, (size_t)length) == 0 &&
         (length <= 12 || memcmp(view + 4, expected, 4) == 0);
}

/* The same of a utf8. */
static bool is_text(const struct ArrowArray *array, int64_t row, const char *expected) {
  const int32_t *offsets = array->buffers[1];
  size_t length = (size_t)(offsets[row + 1] - offsets[row]);
  return length == strlen(expected) &&
         memcmp((const char *)array->buffers[2] + offsets[row], expected, length) == 0;
}

/* Opens both streams; true if that succeeds. */
static bool open_with(const decant_record *record, const char *json, decant_options *options,
                      struct ArrowArrayStream *rows, struct ArrowArrayStream *rejects) {
  return check(
      decant_read_arrow(record, json, strlen(json), options, rows, rejects, NULL) == DECANT_OK,
      "the streams open");
}

/* ---------------------------------------------------------------------------------------------------
 * Every kind
 */

/* All fields of `everything` but the tree, which holds itself. */
#define FIELDS (sizeof everything_fields / sizeof *everything_fields - 1)
static const decant_record all_record = {
    .size = sizeof(struct everything), .fields = everything_fields, .field_count = FIELDS};

static const char all_json[] =
    "{\"flag\":true,\"i8\":-8,\"i16\":-16,\"i32\":32,\"i64\":-64,\"u8\":8,\"u16\":16,\"u32\":32,"
    "\"u64\":18446744073709551615,\"real32\":0.5,\"real64\":0.1,\"string\":\"Ann\",\"text\":"
    "\"thirteen bytes\",\"chars\":\"seven\",\"color\":\"blue\",\"meals\":[\"lunch\",\"dinner\"],"
    "\"raw\":[1, 2],\"kind\":[],\"point\":{\"x\":1,\"y\":2},\"maybe\":{\"x\":3,\"y\":4},"
    "\"numbers\":[1,2,3],\"points\":[{\"x\":5,\"y\":6},{\"x\":7,\"y\":8}],"
    "\"names\":[\"a\",\"b\\n\"],\"triple\":[1,2,3],\"few\":[4,5],"
    "\"map\":{\"k\":1,\"l\":2},\"from_text\":\"77\",\"address\":{\"city\":\"Bern\"},"
    "\"level\":3,\"port\":81,\"host\":\"h\"}\n"
    "{\"flag\":\"wrong\"}\n";

static const struct ArrowSchema *child(const struct ArrowSchema *schema, const char *name) {
  for (int64_t at = 0; at < schema->n_children; at++) {
    if (strcmp(schema->children[at]->name, name) == 0) return schema->children[at];
  }
  check(false, name);
  return schema;
}

static void every_kind(void) {
  static const struct {
    const char *name, *format;
    bool is_nullable;
  } expected[] = {{"flag", "b", false},          {"i8", "c", false},     {"i16", "s", false},
                  {"i32", "i", false},           {"i64", "l", false},    {"u8", "C", false},
                  {"u16", "S", false},           {"u32", "I", false},    {"u64", "L", false},
                  {"real32", "f", false},        {"real64", "g", false}, {"string", "vu", false},
                  {"text", "vu", true},          {"chars", "vu", false}, {"color", "i", false},
                  {"meals", "I", false},         {"raw", "vu", false},   {"kind", "i", false},
                  {"point", "+s", false},        {"maybe", "+s", true},  {"numbers", "+l", false},
                  {"points", "+l", false},       {"names", "+l", false}, {"triple", "+w:3", false},
                  {"few", "+l", false},          {"map", "+m", false},   {"from_text", "l", false},
                  {"/address/city", "vu", false}};
  struct ArrowArrayStream rows, rejects;
  decant_options options = DECANT_OPTIONS_INIT;
  options.columns = DECANT_COLUMNS_LINE;
  if (!open_with(&all_record, all_json, &options, &rows, &rejects)) return;
  struct ArrowSchema schema = schema_of(&rows);
  check_text(schema.format, "+s");
  check(schema.n_children == (int64_t)FIELDS + 1, "a column for each field, and one for the line");
  for (size_t at = 0; at < sizeof expected / sizeof *expected; at++) {
    const struct ArrowSchema *column = child(&schema, expected[at].name);
    check_text(column->format, expected[at].format);
    check((column->flags & ARROW_FLAG_NULLABLE) == (expected[at].is_nullable ? 2 : 0),
          expected[at].name);
  }
  check_text(child(&schema, "color")->dictionary->format, "u");
  check_text(child(&schema, "numbers")->children[0]->format, "g");
  const struct ArrowSchema *entries = child(&schema, "map")->children[0];
  check_text(entries->name, "entries");
  check_text(entries->children[0]->name, "key");
  check_text(entries->children[1]->format, "i");
  const char *metadata = child(&schema, "meals")->metadata;
  int32_t pairs = 0;
  if (check(metadata != NULL, "flags have metadata")) memcpy(&pairs, metadata, 4);
  check(pairs == 3, "their kind, names and values");
  check_text(schema.children[FIELDS]->name, "_line");
  /* A child that was moved outlives its parent. */
  struct ArrowSchema moved = *schema.children[0];
  schema.children[0]->release = NULL;
  schema.release(&schema);
  check(schema.release == NULL, "a released schema says so");
  check_text(moved.name, "flag");
  moved.release(&moved);

  struct ArrowArray batch;
  if (check(next(&rows, &batch), "one batch")) {
    check(batch.length == 1 && batch.null_count == 0, "of one row");
    struct ArrowArray **columns = batch.children;
    check((VALUE(uint8_t, columns[0], 0) & 1) == 1, "bool");
    check(VALUE(int8_t, columns[1], 0) == -8 && VALUE(int16_t, columns[2], 0) == -16, "int8, 16");
    check(VALUE(int32_t, columns[3], 0) == 32 && VALUE(int64_t, columns[4], 0) == -64, "int32, 64");
    check(VALUE(uint64_t, columns[8], 0) == UINT64_MAX, "uint64");
    check(VALUE(float, columns[9], 0) == 0.5f && VALUE(double, columns[10], 0) == 0.1, "reals");
    check(is_view(columns[11], 0, "Ann") && columns[11]->n_buffers == 3, "a short string");
    check(is_view(columns[12], 0, "thirteen bytes") && columns[12]->n_buffers == 4, "a long one");
    check(((const int64_t *)columns[12]->buffers[3])[0] == 14, "how much text there is");
    check(is_view(columns[13], 0, "seven"), "chars");
    check(VALUE(int32_t, columns[14], 0) == 2 &&
              is_text(columns[14]->dictionary, VALUE(int32_t, columns[14], 0), "blue"),
          "an enum");
    check(VALUE(uint32_t, columns[15], 0) == (LUNCH | DINNER), "flags");
    check(is_view(columns[16], 0, "[1, 2]"), "raw");
    check(VALUE(int32_t, columns[17], 0) == DECANT_VALUE_ARRAY, "a kind");
    check(VALUE(double, columns[18]->children[1], 0) == 2, "a record");
    check(VALUE(double, columns[19]->children[0], 0) == 3 && !is_null(columns[19], 0), "a pointer");
    check(VALUE(int32_t, columns[20], 1) == 3 && VALUE(double, columns[20]->children[0], 2) == 3,
          "an array");
    check(VALUE(double, columns[21]->children[0]->children[1], 1) == 8, "an array of records");
    check(is_view(columns[22]->children[0], 1, "b\n"), "an array of strings");
    check(columns[23]->n_buffers == 1 && VALUE(int32_t, columns[23]->children[0], 2) == 3,
          "a fixed array");
    check(VALUE(int32_t, columns[24], 1) == 2 && VALUE(int16_t, columns[24]->children[0], 1) == 5,
          "one that is counted");
    check(is_view(columns[25]->children[0]->children[0], 1, "l") &&
              VALUE(int32_t, columns[25]->children[0]->children[1], 1) == 2,
          "a map");
    check(VALUE(int64_t, columns[26], 0) == 77, "a number from text");
    check(is_view(columns[27], 0, "Bern"), "a pointer's value");
    check(VALUE(int64_t, columns[FIELDS], 0) == 1, "the line");
    /* A child that was moved outlives its parent, and both are released once. */
    struct ArrowArray text = *columns[12];
    columns[12]->release = NULL;
    batch.release(&batch);
    check(batch.release == NULL, "a released batch says so");
    check(is_view(&text, 0, "thirteen bytes"), "a column that was moved");
    text.release(&text);
  }
  check(!next(&rows, &batch), "and no other");
  check(!next(&rows, &batch), "asked again, too");
  struct ArrowSchema names = schema_of(&rejects);
  static const char *const reject_columns[] = {"line", "line_offset", "offset", "path",
                                               "code", "message",     "text",   "count"};
  for (int64_t at = 0; at < 8; at++) check_text(names.children[at]->name, reject_columns[at]);
  names.release(&names);
  if (check(next(&rejects, &batch), "a batch of rejects")) {
    int64_t start = (int64_t)(strchr(all_json, '\n') + 1 - all_json);
    check(batch.length == 1, "one reject");
    check(VALUE(int64_t, batch.children[0], 0) == 2, "its line");
    check(VALUE(int64_t, batch.children[1], 0) == start, "its line's byte");
    check(VALUE(int64_t, batch.children[2], 0) == start + 8, "its byte");
    check(is_text(batch.children[3], 0, "/flag"), "its path");
    check(VALUE(int32_t, batch.children[4], 0) == DECANT_TYPE_MISMATCH, "its code");
    check(is_text(batch.children[5], 0, "expected a boolean, found the string \"wrong\""),
          "its message");
    check(is_text(batch.children[6], 0, "{\"flag\":\"wrong\"}"), "its line's text");
    batch.release(&batch);
  }
  rejects.release(&rejects);
  rows.release(&rows);
  check(rows.release == NULL && rejects.release == NULL, "released streams say so");
}

/* A row that fails at its last field, between two that do not: nothing of it stays in any column. */
static void taken_back(void) {
  char json[4096];
  const size_t good = (size_t)(strchr(all_json, '\n') + 1 - all_json);
  char *end = json + sprintf(json, "%.*s%.*s", (int)good, all_json, (int)good, all_json);
  /* A string is no port. */
  memcpy(strstr(json + good, "\"port\":81"), "\"port\":\"\"", 9);
  /* And without its text, so that a null is taken back. */
  char *text = strstr(json + good, "\"text\"");
  memcpy(text, "\"tixt\"", 6);
  end += sprintf(end, "%.*s", (int)good, all_json);
  memcpy(strstr(end - good, "\"port\":81"), "\"port\":\"\"", 9); /* and with it */
  sprintf(end, "%.*s", (int)good, all_json);
  struct ArrowArrayStream rows, rejects;
  if (!open_with(&all_record, json, NULL, &rows, &rejects)) return;
  struct ArrowArray batch;
  if (check(next(&rows, &batch) && batch.length == 2, "two rows")) {
    struct ArrowArray **c = batch.children;
    check(VALUE(int32_t, c[20], 2) == 6 && c[20]->children[0]->length == 6 &&
              VALUE(double, c[20]->children[0], 3) == 1,
          "elements");
    check(c[21]->children[0]->children[0]->length == 4, "elements that are records");
    check(VALUE(int32_t, c[25], 2) == 4 && c[25]->children[0]->length == 4, "members");
    check(c[23]->children[0]->length == 6, "elements of a fixed array");
    check(is_view(c[12], 1, "thirteen bytes") && !is_null(c[12], 1) && c[12]->null_count == 0,
          "a null that is taken back");
    check(((const int64_t *)c[12]->buffers[3])[0] == 28, "text that is taken back");
    batch.release(&batch);
  }
  if (check(next(&rejects, &batch) && batch.length == 2, "two rejects")) {
    check(is_text(batch.children[3], 1, "/port"), "their path");
    batch.release(&batch);
  }
  rows.release(&rows);
  rejects.release(&rejects);
}

/* ---------------------------------------------------------------------------------------------------
 * Values as structs have them
 */

struct inner {
  int64_t x;
  decant_text note;
  struct {
    double y;
    bool last;
  } deep;
};

struct plain_row {
  int8_t i8;
  int16_t i16;
  int32_t i32;
  int64_t i64;
  uint8_t u8;
  uint16_t u16;
  uint32_t u32;
  uint64_t u64;
  float real32;
  double real64;
  decant_text text;
  bool flag;
  struct inner part;
  double *reals;
  size_t real_count;
  decant_text *words;
  size_t word_count;
  int64_t *wholes;
  size_t whole_count;
  void *storage;
};

static const decant_field deep_fields[] = {
    {.key = "y", .kind = DECANT_DOUBLE, .offset = 0},
    {.key = "last", .kind = DECANT_BOOL, .offset = sizeof(double)}};
static const decant_record deep_record = {
    .size = sizeof(((struct inner *)0)->deep), .fields = deep_fields, .field_count = 2};
static const decant_field part_fields[] = {
    {.key = "x", .kind = DECANT_INT64, .offset = offsetof(struct inner, x)},
    {.key = "note", .kind = DECANT_TEXT, .offset = offsetof(struct inner, note)},
    {.key = "deep",
     .kind = DECANT_RECORD,
     .offset = offsetof(struct inner, deep),
     .record = &deep_record}};
static const decant_record part_record = {
    .size = sizeof(struct inner), .fields = part_fields, .field_count = 3};

#define PLAIN(name, what, member) \
  { .key = name, .kind = what, .offset = offsetof(struct plain_row, member) }
#define LIST(name, what, member, length)                \
  {                                                     \
    .key = name, .kind = DECANT_ARRAY, .element = what, \
    .offset = offsetof(struct plain_row, member),       \
    .length_offset = offsetof(struct plain_row, length) \
  }
static const decant_field plain_fields[] = {PLAIN("i8", DECANT_INT8, i8),
                                            PLAIN("i16", DECANT_INT16, i16),
                                            PLAIN("i32", DECANT_INT32, i32),
                                            PLAIN("i64", DECANT_INT64, i64),
                                            PLAIN("u8", DECANT_UINT8, u8),
                                            PLAIN("u16", DECANT_UINT16, u16),
                                            PLAIN("u32", DECANT_UINT32, u32),
                                            PLAIN("u64", DECANT_UINT64, u64),
                                            PLAIN("real32", DECANT_FLOAT, real32),
                                            PLAIN("real64", DECANT_DOUBLE, real64),
                                            PLAIN("text", DECANT_TEXT, text),
                                            PLAIN("a key of many bytes", DECANT_BOOL, flag),
                                            {.key = "part",
                                             .kind = DECANT_RECORD,
                                             .offset = offsetof(struct plain_row, part),
                                             .record = &part_record},
                                            LIST("reals", DECANT_DOUBLE, reals, real_count),
                                            LIST("words", DECANT_TEXT, words, word_count),
                                            LIST("wholes", DECANT_INT64, wholes, whole_count)};
#undef PLAIN
#undef LIST
enum { PLAIN_FIELDS = sizeof plain_fields / sizeof *plain_fields };
static const decant_record plain_record = {
    .size = sizeof(struct plain_row), .fields = plain_fields,
    .field_count = PLAIN_FIELDS, .storage_offset = offsetof(struct plain_row, storage)};

static uint64_t dice_state = 7;
static size_t dice(size_t sides) {
  dice_state = dice_state * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(dice_state >> 33) % sides;
}

/* A value of one of these, or, seldom, of any of all. */
static const char *const numbers[] = {"0",
                                      "-0",
                                      "7",
                                      "-8",
                                      "127",
                                      "128",
                                      "-128",
                                      "-129",
                                      "255",
                                      "256",
                                      "32767",
                                      "-32768",
                                      "65535",
                                      "65536",
                                      "2147483647",
                                      "2147483648",
                                      "-2147483648",
                                      "4294967295",
                                      "4294967296",
                                      "12345678",
                                      "123456789",
                                      "-1234567890123456",
                                      "12345678901234567",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "-9223372036854775808",
                                      "18446744073709551615",
                                      "18446744073709551616"};
static const char *const reals[] = {"0.0",
                                    "-0.0",
                                    "1.5",
                                    "-1.5",
                                    "0.1",
                                    "3.14159",
                                    "1234.567",
                                    "12345.678",
                                    "0.0000001",
                                    "123456789.25",
                                    "1.23456789012345",
                                    "1.234567890123456",
                                    "98765432.1234567",
                                    "5e-324",
                                    "1e400",
                                    "-2.5e3",
                                    "0.30000000000000004",
                                    "123456789012345",
                                    "1234567890123456",
                                    "16777217",
                                    "7",
                                    "-0"};
static const char *const texts[] = {
    "\"\"",
    "\"a\"",
    "\"twelve bytes\"",
    "\"thirteen byte\"",
    "\"esc\\n\"",
    "\"caf\xC3\xA9\"",
    "\"a text of more than thirty-two bytes, so that it is copied otherwise\"",
    "\"escapes \\u00e9 in a text that is long\""};
static const char *const others[] = {"null", "true", "false", "[]", "{}", "[1]", "\"1\""};
#define ANY(list) list[dice(sizeof list / sizeof *list)]

static char *add_value(char *to, int kind) {
  if (dice(150) == 0) return to + sprintf(to, "%s", ANY(others));
  switch (kind) {
    case DECANT_TEXT: return to + sprintf(to, "%s", ANY(texts));
    case DECANT_BOOL: return to + sprintf(to, "%s", dice(2) ? "true" : "false");
    case DECANT_FLOAT:
    case DECANT_DOUBLE: return to + sprintf(to, "%s", dice(12) ? ANY(reals) : ANY(numbers));
    case DECANT_INT64: return to + sprintf(to, "%s", dice(9) ? numbers[dice(23)] : ANY(numbers));
    default: return to + sprintf(to, "%s", dice(30) ? numbers[dice(3)] : ANY(numbers));
  }
}

static char *add_record(char *to, const decant_record *record) {
  *to++ = '{';
  const size_t first = dice(40) == 0 ? dice(record->field_count) : 0;
  for (size_t index = 0; index < record->field_count; index++) {
    const decant_field *field = &record->fields[(first + index) % record->field_count];
    if (dice(300) == 0) to += sprintf(to, "\"other\":[{}],");
    to += sprintf(to, "\"%s\":", field->key);
    if (field->kind == DECANT_RECORD && dice(80) != 0) {
      to = add_record(to, field->record);
    } else if (field->kind == DECANT_ARRAY && dice(80) != 0) {
      *to++ = '[';
      for (size_t count = dice(6); count > 0; count--) {
        to = add_value(to, field->element);
        if (count > 1) *to++ = ',';
      }
      *to++ = ']';
    } else {
      to = add_value(to, field->kind);
    }
    *to++ = index + 1 < record->field_count ? ',' : '}';
  }
  return to;
}

static bool same_text(const struct ArrowArray *array, int64_t row, decant_text text,
                      uint32_t columns) {
  char expected[128];
  memcpy(expected, text.bytes, text.length);
  expected[text.length] = 0;
  return columns & DECANT_COLUMNS_UTF8 ? is_text(array, row, expected)
                                       : is_view(array, row, expected);
}

static bool is_bit(const struct ArrowArray *array, int64_t row) {
  return (((const uint8_t *)array->buffers[1])[row / 8] >> row % 8 & 1) != 0;
}

/* Whether a row of a batch is a struct, to the sign of its zeros. */
static bool same_row(const struct ArrowArray *batch, int64_t row, const struct plain_row *values,
                     uint32_t columns) {
#define SAME(type, index, member) \
  (memcmp(&VALUE(type, c[index], row), &values->member, sizeof(type)) == 0)
  struct ArrowArray **c = batch->children;
  bool same = SAME(int8_t, 0, i8) && SAME(int16_t, 1, i16) && SAME(int32_t, 2, i32) &&
              SAME(int64_t, 3, i64) && SAME(uint8_t, 4, u8) && SAME(uint16_t, 5, u16) &&
              SAME(uint32_t, 6, u32) && SAME(uint64_t, 7, u64) && SAME(float, 8, real32) &&
              SAME(double, 9, real64) && same_text(c[10], row, values->text, columns) &&
              is_bit(c[11], row) == values->flag;
#undef SAME
  struct ArrowArray **part = c[12]->children, **deep = part[2]->children;
  same = same && VALUE(int64_t, part[0], row) == values->part.x &&
         same_text(part[1], row, values->part.note, columns) &&
         memcmp(&VALUE(double, deep[0], row), &values->part.deep.y, 8) == 0 &&
         is_bit(deep[1], row) == values->part.deep.last;
  const size_t counts[] = {values->real_count, values->word_count, values->whole_count};
  for (int list = 0; list < 3; list++) {
    const struct ArrowArray *column = c[13 + list], *elements = column->children[0];
    const int32_t from = VALUE(int32_t, column, row), to = VALUE(int32_t, column, row + 1);
    same = same && (size_t)(to - from) == counts[list];
    for (int32_t at = 0; same && at < to - from; at++) {
      same = list == 0   ? memcmp(&VALUE(double, elements, from + at), &values->reals[at], 8) == 0
             : list == 1 ? same_text(elements, from + at, values->words[at], columns)
                         : VALUE(int64_t, elements, from + at) == values->wholes[at];
    }
  }
  return same;
}

/* Every row is the struct that decant_decode makes of its line, and every line that it refuses a reject. */
static void like_structs(uint32_t columns) {
  const int lines = rounds(4000);
  char *made = malloc((size_t)lines * 4096), *end = made;
  for (int line = 0; line < lines; line++) {
    end = add_record(end, &plain_record);
    *end++ = '\n';
  }
  /* Nothing is behind the last line, so that what reads too far is seen. */
  const size_t length = (size_t)(end - made) - 1;
  char *json = malloc(length);
  memcpy(json, made, length);
  free(made);
  decant_options options = DECANT_OPTIONS_INIT;
  options.columns = columns;
  options.batch_rows = rounds(700);
  struct ArrowArrayStream rows, rejects;
  struct ArrowArray batch = {0};
  int64_t row = 0, refused = 0, accepted = 0, told = 0;
  if (!check(decant_read_arrow(&plain_record, json, length, &options, &rows, &rejects, NULL) ==
                 DECANT_OK,
             "the streams open")) {
    return;
  }
  bool same = true;
  for (const char *at = json; same && at < json + length;) {
    const char *feed = memchr(at, '\n', (size_t)(json + length - at));
    if (feed == NULL) feed = json + length;
    struct plain_row values;
    if (decant_decode(&plain_record, at, (size_t)(feed - at), &values, NULL) == DECANT_OK) {
      accepted++;
      if (row == batch.length) {
        if (batch.release != NULL) batch.release(&batch);
        row = 0;
        if (!check(next(&rows, &batch), "a batch for the next row")) break;
      }
      same = check(same_row(&batch, row++, &values, columns), "a row like its struct");
      if (!same) fprintf(stderr, "%.*s\n", (int)(feed - at), at);
      decant_free(&plain_record, &values);
    } else {
      refused++;
    }
    at = feed + 1;
  }
  if (batch.release != NULL) batch.release(&batch);
  check(!same || !next(&rows, &batch), "no row more");
  while (next(&rejects, &batch)) {
    told += batch.length;
    batch.release(&batch);
  }
  check(!same || told == refused, "a reject for each line that is refused");
  check(accepted > lines / 8 && refused > lines / 8, "lines of both kinds");
  rows.release(&rows);
  rejects.release(&rejects);
  free(json);
}

/* Whether two columns have the same rows. */
static bool same_column(const struct ArrowSchema *schema, const struct ArrowArray *a,
                        const struct ArrowArray *b) {
  if (a->length != b->length || a->null_count != b->null_count) return false;
  const char *format = schema->format;
  const size_t rows = (size_t)a->length;
  bool same = true;
  if (strcmp(format, "vu") == 0) {
    for (int64_t row = 0; row < a->length && same; row++) {
      const char *views[] = {(const char *)a->buffers[1] + 16 * row, (const char *)b->buffers[1] + 16 * row};
      int32_t length, place[2][2];
      memcpy(&length, views[0], 4);
      same = memcmp(views[0], views[1], length <= 12 ? 16 : 8) == 0;
      if (!same || length <= 12) continue;
      for (int of = 0; of < 2; of++) memcpy(place[of], views[of] + 8, 8);
      same = memcmp((const char *)a->buffers[2 + place[0][0]] + place[0][1],
                    (const char *)b->buffers[2 + place[1][0]] + place[1][1], (size_t)length) == 0;
    }
  } else if (format[0] == 'u' || strcmp(format, "+l") == 0) {
    const int32_t *ends = a->buffers[1];
    same = memcmp(ends, b->buffers[1], 4 * (rows + 1)) == 0;
    if (same && format[0] == 'u') same = memcmp(a->buffers[2], b->buffers[2], (size_t)ends[rows]) == 0;
  } else if (format[0] != '+') {
    const bool is_half = format[0] == 'i' || strcmp(format, "tdD") == 0;
    const size_t bits = format[0] == 'b' ? 1 : format[0] == 'd' ? 128 : is_half ? 32 : 64;
    same = rows == 0 || memcmp(a->buffers[1], b->buffers[1], (rows * bits + 7) / 8) == 0;
  }
  for (int64_t at = 0; at < a->n_children && same; at++)
    same = same_column(schema->children[at], a->children[at], b->children[at]);
  return same;
}

/* Whether two streams have the same batches. */
static bool same_stream(struct ArrowArrayStream *a, struct ArrowArrayStream *b, int64_t *rows) {
  struct ArrowSchema schema = schema_of(a);
  struct ArrowArray batches[2];
  bool same = true;
  while (same) {
    const bool more = next(a, &batches[0]);
    same = next(b, &batches[1]) == more;
    if (!more || !same) break;
    same = same_column(&schema, &batches[0], &batches[1]);
    *rows += batches[0].length;
    batches[0].release(&batches[0]);
    batches[1].release(&batches[1]);
  }
  schema.release(&schema);
  return same;
}

/* Lines that have what a table has, in its order, become rows without being linked. No byte may be another in such a line:
 * where documents nest no deeper than five levels, all lines are linked, and the rows and rejects are the same. */
static void lines_in_order(uint32_t columns) {
  static const char description[] =
      "{\"fields\":[{\"key\":\"id\",\"kind\":\"int64\"},{\"key\":\"a longer key\",\"kind\":\"double\"},"
      "{\"key\":\"user\",\"kind\":\"record\",\"fields\":[{\"key\":\"n\",\"kind\":\"text\"},"
      "{\"key\":\"at\",\"kind\":\"time\",\"unit\":\"ms\"}]},"
      "{\"key\":\"l\",\"kind\":\"array\",\"element\":\"double\"},{\"key\":\"t\",\"kind\":\"array\",\"element\":\"text\"},"
      "{\"key\":\"e\",\"kind\":\"array\",\"element\":\"int64\"},{\"key\":\"d\",\"kind\":\"date\"},"
      "{\"key\":\"c\",\"kind\":\"decimal\",\"precision\":9,\"scale\":2},{\"key\":\"b\",\"kind\":\"bool\"},"
      "{\"key\":\"w\",\"kind\":\"text\"}]}";
  static const char line[] =
      "{\"id\":-17,\"a longer key\":2.5,\"user\":{\"n\":\"Ann\",\"at\":\"2026-01-02T03:04:05.678Z\"},"
      "\"l\":[1.5,-2,30.25],\"t\":[\"a\",\"fourteen bytes\"],\"e\":[],\"d\":\"2026-01-02\",\"c\":-1.25,\"b\":false,"
      "\"w\":\"a text of many more bytes than thirty-two\"}";
  static const char bytes[] = "\"\\{}[],: \t0190-+.eEntfu\x01\x7F\x80\xC3/";
  decant_schema *parsed;
  if (!check(decant_schema_parse(description, strlen(description), NULL, &parsed, NULL) == DECANT_OK, "a table"))
    return;
  const decant_record *record = decant_schema_record(parsed);
  const size_t length = strlen(line), ways = 2 * (sizeof bytes - 1) + 1, step = has_fewer_rounds() ? 37 : 1;
  decant_options options[2] = {DECANT_OPTIONS_INIT, DECANT_OPTIONS_INIT};
  options[0].columns = options[1].columns = columns;
  options[1].maximum_depth = 5;
  int64_t rows = 0, rejects = 0, expected = 0;
  for (size_t change = 0; change < length * ways; change += step, expected += 5) {
    /* Lines as they are, and between them one with a byte that is another, that is new, or that is gone. */
    const size_t at = change / ways, way = change % ways;
    const bool is_new = way % 2 == 1, is_gone = way == ways - 1;
    char json[6 * sizeof line + 8], *end = json;
    end += sprintf(end, "%s\n%s\n\n", line, line);
    memcpy(end, line, at);
    end += at;
    if (!is_gone) *end++ = bytes[way / 2];
    end += sprintf(end, "%s\n%s\n%s", line + at + !is_new, line, line);
    struct ArrowArrayStream streams[2][2];
    bool same = true;
    for (int of = 0; of < 2; of++)
      same = same && decant_read_arrow(record, json, (size_t)(end - json), &options[of], &streams[of][0],
                                       &streams[of][1], NULL) == DECANT_OK;
    if (!check(same, "the streams open")) break;
    same = same_stream(&streams[0][0], &streams[1][0], &rows) && same_stream(&streams[0][1], &streams[1][1], &rejects);
    if (!check(same, "rows and rejects as of lines that are linked")) fprintf(stderr, "%.*s\n", (int)(end - json), json);
    for (int of = 0; of < 4; of++) streams[of / 2][of % 2].release(&streams[of / 2][of % 2]);
  }
  for (int64_t most = 1; most <= 20; most++) {
    char json[20 * sizeof line + 1], *end = json;
    for (int count = 0; count < 20; count++) end += sprintf(end, "%s\n", line);
    options[0].maximum_rows = most;
    options[0].batch_rows = most % 3 * 4;
    struct ArrowArrayStream some;
    struct ArrowArray batch;
    int64_t found = 0;
    if (!open_with(record, json, &options[0], &some, NULL)) break;
    for (; next(&some, &batch); batch.release(&batch)) found += batch.length;
    check(found == most, "as many rows as are wanted");
    some.release(&some);
  }
  check(rows + rejects == expected && rejects > expected / 20 && rejects < expected / 5, "lines of both kinds");
  decant_schema_free(parsed);
}

/* Two names of one value are one entry of the dictionary. */
static void aliases(void) {
  static const decant_name names[] = {{"red", 1}, {"rouge", 1}, {"green", 2}, {NULL, 0}};
  static const decant_field fields[] = {{.key = "color", .kind = DECANT_ENUM, .names = names}};
  static const decant_record record = {.size = sizeof(int32_t), .fields = fields, .field_count = 1};
  struct ArrowArrayStream rows;
  struct ArrowArray batch;
  static const char json[] = "{\"color\":\"rouge\"}\n{\"color\":\"green\"}\n{\"color\":\"red\"}";
  if (!check(decant_read_arrow(&record, json, strlen(json), NULL, &rows, NULL, NULL) == DECANT_OK,
             "aliases"))
    return;
  if (check(next(&rows, &batch) && batch.length == 3, "three rows")) {
    const struct ArrowArray *colors = batch.children[0];
    check(colors->dictionary->length == 2 && is_text(colors->dictionary, 1, "green"), "two names");
    check(VALUE(int32_t, colors, 0) == 0 && VALUE(int32_t, colors, 1) == 1 &&
              VALUE(int32_t, colors, 2) == 0,
          "their places");
    batch.release(&batch);
  }
  rows.release(&rows);
}

/* The key of a map is never null, whatever flags its field has. */
static void keys_of_maps(void) {
  struct member {
    const char *key;
    int32_t value;
  };
  static const decant_field member_fields[] = {
      {.key = "key", .kind = DECANT_KEY, .flags = DECANT_OPTIONAL},
      {.key = "value", .kind = DECANT_INT32, .offset = offsetof(struct member, value)}};
  static const decant_record member = {
      .size = sizeof(struct member), .fields = member_fields, .field_count = 2};
  static const decant_field field = {
      .key = "map", .kind = DECANT_MAP, .length_offset = 8, .record = &member};
  static const decant_record record = {.size = 16, .fields = &field, .field_count = 1};
  struct ArrowArrayStream rows;
  if (!check(decant_read_arrow(&record, "", 0, NULL, &rows, NULL, NULL) == DECANT_OK, "a map"))
    return;
  struct ArrowSchema schema = schema_of(&rows);
  const struct ArrowSchema *entries = schema.children[0]->children[0];
  check(strcmp(schema.children[0]->format, "+m") == 0 && entries->flags == 0, "its entries");
  check(entries->children[0]->flags == 0, "its key");
  schema.release(&schema);
  rows.release(&rows);
}

/* Each name is that of its value: where a name has two values, and where a value is written with a sign and without. */
static void names_of_values(const decant_name *names, int32_t standard,
                            const char *const expected[4]) {
  const decant_field fields[] = {{.key = "n",
                                  .kind = DECANT_ENUM,
                                  .names = names,
                                  .flags = DECANT_DEFAULT,
                                  .default_value = &standard}};
  const decant_record record = {.size = sizeof(int32_t), .fields = fields, .field_count = 1};
  static const char json[] = "{\"n\":\"b\"}\n{\"n\":\"x\"}\n{\"n\":\"y\"}\n{}";
  struct ArrowArrayStream rows;
  struct ArrowArray batch;
  if (!check(decant_read_arrow(&record, json, strlen(json), NULL, &rows, NULL, NULL) == DECANT_OK,
             "names of values"))
    return;
  if (check(next(&rows, &batch) && batch.length == 4, "four rows")) {
    const struct ArrowArray *column = batch.children[0];
    for (int64_t row = 0; row < 4; row++) {
      check(is_text(column->dictionary, VALUE(int32_t, column, row), expected[row]),
            "the first name of its value");
    }
    batch.release(&batch);
  }
  rows.release(&rows);
}

static void values_of_names(void) {
  static const decant_name twice[] = {{"b", 5}, {"x", 1}, {"x", 2}, {"y", 2}, {NULL, 0}};
  names_of_values(twice, 2, (const char *const[]){"b", "x", "y", "y"});
  static const decant_name wide[] = {{"x", 1}, {"b", 0xFFFFFFFF}, {"y", -1}, {NULL, 0}};
  names_of_values(wide, -1, (const char *const[]){"b", "x", "b", "b"});
  static const decant_name wider[] = {{"x", 1}, {"b", (int64_t)1 << 32}, {NULL, 0}};
  static const decant_field field = {.key = "n", .kind = DECANT_ENUM, .names = wider};
  static const decant_record record = {.size = sizeof(int32_t), .fields = &field, .field_count = 1};
  struct ArrowArrayStream rows;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_read_arrow(&record, "", 0, NULL, &rows, NULL, &error) == DECANT_INVALID_RECORD,
        "a value of more than 32 bits");
  check_text(error.message, "invalid record: field 0 (\"n\"): a name's value does not fit into 32 bits");
  /* Of equal names the first counts, so that a value may have none. */
  static const decant_name other[] = {{"x", 1}, {"x", 2}, {NULL, 0}};
  static const int32_t standard = 2;
  const decant_field nameless = {.key = "n",
                                 .kind = DECANT_ENUM,
                                 .names = other,
                                 .flags = DECANT_DEFAULT,
                                 .default_value = &standard};
  const decant_record nameless_record = {.size = sizeof(int32_t), .fields = &nameless, .field_count = 1};
  check(decant_read_arrow(&nameless_record, "", 0, NULL, &rows, NULL, &error) == DECANT_INVALID_RECORD,
        "a default whose name is another value's");
  check_text(error.message, "invalid record: field 0 (\"n\"): default_value has no name");
}

/* What is handed out as text is UTF-8: of a value with a comment that is not, neither the bytes nor a row. */
static void raw_text(void) {
  static const decant_field field = {.key = "r", .kind = DECANT_RAW};
  static const decant_record record = {
      .size = 2 * sizeof(char *), .fields = &field, .field_count = 1, .storage_offset = sizeof(char *)};
  static const char json[] =
      "{\"r\":[1,/*\xc3\xa9*/2]}\n{\"r\":[1,/*\xff*/2]}\n{\"r\":[3]/*\xff*/}";
  decant_options options = DECANT_OPTIONS_INIT;
  options.relaxations = DECANT_RELAX_COMMENTS;
  struct ArrowArrayStream rows, rejects;
  struct ArrowArray batch;
  if (!open_with(&record, json, &options, &rows, &rejects)) return;
  if (check(next(&rows, &batch) && batch.length == 2, "two rows")) {
    check(is_view(batch.children[0], 0, "[1,/*\xc3\xa9*/2]") && is_view(batch.children[0], 1, "[3]"), "their text");
    batch.release(&batch);
  }
  if (check(next(&rejects, &batch) && batch.length == 1, "one reject")) {
    struct ArrowArray **c = batch.children;
    check(VALUE(int64_t, c[0], 0) == 2 && VALUE(int32_t, c[4], 0) == DECANT_INVALID_UTF8, "its line and code");
    check(is_text(c[3], 0, "/r") && is_text(c[5], 0, "a comment in the value is not UTF-8"), "its path and message");
    batch.release(&batch);
  }
  rows.release(&rows);
  rejects.release(&rejects);
  /* A struct is the same. */
  const char *raw[2];
  const char *line = json;
  for (int at = 0; at < 3; at++) {
    const char *end = strchr(line, '\n') != NULL ? strchr(line, '\n') : line + strlen(line);
    decant_status status = decant_decode_with(&record, line, (size_t)(end - line), raw, &options, NULL);
    check(status == (at == 1 ? DECANT_INVALID_UTF8 : DECANT_OK), "as structs");
    if (status == DECANT_OK) decant_free(&record, raw);
    line = end + 1;
  }
}

/* ---------------------------------------------------------------------------------------------------
 * Nulls, batches, order
 */

struct row {
  int64_t id;
  const char *name;
  struct point *at;
  int32_t pair[2];
  bool ok;
};
static const decant_field row_fields[] = {
    {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct row, id)},
    {.key = "name",
     .kind = DECANT_STRING,
     .offset = offsetof(struct row, name),
     .flags = DECANT_OPTIONAL},
    {.key = "at",
     .kind = DECANT_RECORD_POINTER,
     .offset = offsetof(struct row, at),
     .record = &point_record,
     .flags = DECANT_OPTIONAL},
    {.key = "pair",
     .kind = DECANT_FIXED_ARRAY,
     .element = DECANT_INT32,
     .capacity = 2,
     .offset = offsetof(struct row, pair),
     .flags = DECANT_OPTIONAL},
    {.key = "ok",
     .kind = DECANT_BOOL,
     .offset = offsetof(struct row, ok),
     .flags = DECANT_OPTIONAL}};
static const decant_record row_record = {.size = sizeof(struct row), .fields = row_fields, .field_count = 5};

#define LONG_NAME "a name of more than twelve bytes"
static const char some_json[] =
    "{\"id\":0,\"name\":\"" LONG_NAME
    "\",\"at\":{\"x\":1,\"y\":2},\"pair\":[1,2],\"ok\":true}\n"
    "{\"id\":1}\r\n"
    "{\"id\":2,\"name\":\"" LONG_NAME
    "!\",\"at\":{\"x\":1}}\n"
    "\n"
    "{\"name\":\"\\u0061 name of more than twelve bytes\",\"id\":3,\"ok\":true}\n"
    "{\"id\":4,\"name\":\"" LONG_NAME
    "\",\"pair\":[3,4,5]}\n"
    "{\"id\":5,\"name\":\"" LONG_NAME "\",\"pair\":[3,4],\"at\":null}";
static const int64_t some_ids[] = {0, 1, 3, 5};

/* What all batches say, in either order of the streams. */
static void some_rows(int64_t batch_rows, uint32_t columns, bool rejects_first) {
  struct ArrowArrayStream rows, rejects;
  decant_options options = DECANT_OPTIONS_INIT;
  options.batch_rows = batch_rows;
  options.columns = columns;
  if (!open_with(&row_record, some_json, &options, &rows, &rejects)) return;
  struct ArrowArray batch;
  int64_t refused = 0;
  if (rejects_first) {
    while (next(&rejects, &batch)) refused += batch.length, batch.release(&batch);
  }
  int64_t row = 0;
  while (next(&rows, &batch)) {
    check(batch_rows == 0 || batch.length <= batch_rows, "a batch is not too large");
    struct ArrowArray **c = batch.children;
    for (int64_t at = 0; at < batch.length; at++, row++) {
      int64_t id = some_ids[row];
      check(VALUE(int64_t, c[0], at) == id, "the row");
      check(is_null(c[1], at) == (id == 1), "whether its name is null");
      check(id == 1 || (columns & DECANT_COLUMNS_UTF8 ? is_text : is_view)(c[1], at, LONG_NAME),
            "its name");
      check(is_null(c[2], at) == (id != 0), "whether its record is null");
      check(is_null(c[3], at) == (id != 0 && id != 5), "whether its pair is null");
      check(id != 5 || VALUE(int32_t, c[3]->children[0], 2 * at + 1) == 4, "its pair");
      check(is_null(c[4], at) == (id == 1 || id == 5), "whether its flag is null");
      check(is_null(c[4], at) || (VALUE(uint8_t, c[4], at / 8) >> at % 8 & 1) == 1, "its flag");
    }
    for (int64_t column = 0; column < batch.n_children; column++) {
      int64_t nulls = 0;
      for (int64_t at = 0; at < batch.length; at++) nulls += is_null(c[column], at);
      check(c[column]->null_count == nulls && c[column]->length == batch.length, "its nulls");
    }
    check(c[3]->children[0]->length == 2 * batch.length, "elements of a fixed array");
    if (columns & DECANT_COLUMNS_BORROW) {
      check(batch.length < 1 || some_ids[row - batch.length] != 0 ||
                (const char *)c[1]->buffers[2] == some_json,
            "text that is borrowed");
    }
    batch.release(&batch);
  }
  check(row == 4, "all rows");
  while (next(&rejects, &batch)) refused += batch.length, batch.release(&batch);
  check(refused == 2, "all rejects");
  if (rejects_first) rows.release(&rows);
  rejects.release(&rejects);
  if (!rejects_first) rows.release(&rows);
}

/* Reading ends behind a row: the rejects are those of the lines before it. */
static void first_rows(int64_t maximum_rows, int64_t batch_rows, bool rejects_first) {
  struct ArrowArrayStream rows, rejects;
  struct ArrowArray batch;
  decant_options options = DECANT_OPTIONS_INIT;
  options.batch_rows = batch_rows;
  options.maximum_rows = maximum_rows;
  if (!open_with(&row_record, some_json, &options, &rows, &rejects)) return;
  int64_t read = 0, refused = 0;
  for (int round = 0; round < 2; round++) {
    if ((round == 0) == rejects_first) {
      while (next(&rejects, &batch)) refused += batch.length, batch.release(&batch);
    } else {
      while (next(&rows, &batch)) read += batch.length, batch.release(&batch);
    }
  }
  check(read == (maximum_rows < 4 ? maximum_rows : 4), "so many rows");
  check(refused == (maximum_rows < 3 ? 0 : maximum_rows == 3 ? 1 : 2), "rejects before the last row");
  rows.release(&rows);
  rejects.release(&rejects);
}

/* ---------------------------------------------------------------------------------------------------
 * Streams that are dropped, and refused calls
 */

static void dropped(void) {
  struct ArrowArrayStream rows, rejects, moved;
  struct ArrowArray batch, kept;
  decant_options options = DECANT_OPTIONS_INIT;
  options.batch_rows = 1;
  if (!open_with(&row_record, some_json, &options, &rows, &rejects)) return;
  next(&rows, &kept);
  moved = rows; /* the consumer's */
  rows.release = NULL;
  moved.release(&moved);
  int64_t refused = 0;
  while (next(&rejects, &batch)) refused += batch.length, batch.release(&batch);
  check(refused == 2, "rejects go on without rows");
  rejects.release(&rejects);
  check(is_view(kept.children[1], 0, LONG_NAME), "a batch outlives its stream");
  kept.release(&kept);

  if (!open_with(&row_record, some_json, &options, &rows, &rejects)) return;
  next(&rejects, &batch);
  batch.release(&batch);
  rejects.release(&rejects);
  rows.release(&rows); /* with batches that wait */

  if (open_with(&row_record, some_json, NULL, NULL, &rejects)) {
    check(next(&rejects, &batch) && batch.length == 2, "rejects alone");
    batch.release(&batch);
    rejects.release(&rejects);
  }
  if (open_with(&row_record, some_json, NULL, &rows, NULL)) {
    check(next(&rows, &batch) && batch.length == 4, "rows alone");
    batch.release(&batch);
    rows.release(&rows);
  }
  if (open_with(&row_record, "\n  \n", NULL, &rows, &rejects)) {
    check(!next(&rows, &batch) && !next(&rejects, &batch), "no rows, no rejects");
    rows.release(&rows);
    rejects.release(&rejects);
  }
}

static void refused(void) {
  struct ArrowArrayStream rows = {0}, rejects = {0};
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = DECANT_OPTIONS_INIT;
  check(
      decant_read_arrow(&row_record, "{}", 2, NULL, NULL, NULL, &error) == DECANT_INVALID_ARGUMENT,
      "no stream");
  check(decant_read_arrow(&row_record, NULL, 2, NULL, &rows, &rejects, &error) ==
            DECANT_INVALID_ARGUMENT,
        "no json");
  check(decant_read_arrow(NULL, "{}", 2, NULL, &rows, &rejects, &error) == DECANT_INVALID_RECORD,
        "no table");
  options.columns = 8;
  check(decant_read_arrow(&row_record, "{}", 2, &options, &rows, &rejects, &error) ==
            DECANT_INVALID_ARGUMENT,
        "an unknown flag");
  options.columns = 0;
  options.framing = 3;
  check(decant_read_arrow(&row_record, "{}", 2, &options, &rows, &rejects, &error) ==
            DECANT_INVALID_ARGUMENT,
        "an unknown framing");
  options.framing = DECANT_LINES;
  options.elements_at = "rows";
  check(decant_read_arrow(&row_record, "{}", 2, &options, &rows, &rejects, &error) ==
            DECANT_INVALID_POINTER,
        "no pointer");
  options.elements_at = NULL;
  options.batch_rows = -1;
  check(decant_read_arrow(&row_record, "{}", 2, &options, &rows, &rejects, &error) ==
            DECANT_INVALID_ARGUMENT,
        "fewer rows than none");
  check(decant_read_arrow(&tree_record, "{}", 2, NULL, &rows, &rejects, &error) ==
            DECANT_INVALID_RECORD,
        "a record that holds itself");
  check_text(error.message,
             "invalid record: field 1 (\"left\"): a record that holds itself has no columns");
  /* The field is told as one of its own record, not of the one that it holds. */
  decant_field outer[2] = {{.key = "x", .kind = DECANT_INT64},
                           {.key = "inner", .kind = DECANT_RECORD_POINTER, .offset = 8}};
  decant_field inner = {.key = "outer", .kind = DECANT_RECORD_POINTER};
  const decant_record outer_record = {
      .size = 24, .fields = outer, .field_count = 2, .storage_offset = 16};
  const decant_record inner_record = {.size = 8, .fields = &inner, .field_count = 1};
  struct ArrowArrayStream both = {0};
  check(decant_read_arrow(&outer_record, "{}", 2, NULL, &both, &both, &error) == DECANT_INVALID_ARGUMENT &&
            both.release == NULL,
        "one struct for rows and rejects");
  check_text(error.message, "rows and rejects are one struct");
  outer[1].record = &inner_record;
  inner.record = &outer_record;
  check(decant_read_arrow(&outer_record, "{}", 2, NULL, &rows, &rejects, &error) == DECANT_INVALID_RECORD,
        "two records that hold one another");
  check_text(error.message,
             "invalid record: field 0 (\"outer\"): a record that holds itself has no columns");
  /* As many names as a dictionary has, and one more. */
  static decant_name many[4098];
  for (int at = 0; at < 4097; at++) many[at] = (decant_name){"name", at};
  const decant_field wide = {.key = "a", .kind = DECANT_ENUM, .names = many};
  const decant_record wide_record = {.size = 4, .fields = &wide, .field_count = 1};
  check(decant_read_arrow(&wide_record, "{}", 2, NULL, &rows, &rejects, &error) ==
            DECANT_INVALID_RECORD,
        "an enum of 4,097 names");
  check_text(error.message, "invalid record: field 0 (\"a\"): more than 4096 names");
  /* What a struct can have and a dictionary cannot. */
  static const decant_name names[] = {{"red", 0}, {"green", 1}, {NULL, 0}}, bytes[] = {{"\xFF", 0}, {NULL, 0}};
  static const int32_t unknown = -1;
  decant_field color = {.key = "color",
                        .kind = DECANT_ENUM,
                        .names = names,
                        .flags = DECANT_DEFAULT,
                        .default_value = &unknown};
  const decant_record color_record = {.size = 4, .fields = &color, .field_count = 1};
  check(decant_read_arrow(&color_record, "{}", 2, NULL, &rows, &rejects, &error) == DECANT_INVALID_RECORD,
        "a default that no name has");
  check_text(error.message, "invalid record: field 0 (\"color\"): default_value has no name");
  color.flags = 0;
  color.names = bytes;
  check(decant_read_arrow(&color_record, "{}", 2, NULL, &rows, &rejects, &error) == DECANT_INVALID_RECORD,
        "a name that is not text");
  check_text(error.message, "invalid record: field 0 (\"color\"): a name is not UTF-8");
  /* Nor can a column be called so. */
  static const decant_field unnamed = {.key = "\xFF", .kind = DECANT_BOOL, .flags = DECANT_OPTIONAL};
  static const decant_record unnamed_record = {.size = 1, .fields = &unnamed, .field_count = 1};
  check(decant_read_arrow(&unnamed_record, "{}", 2, NULL, &rows, &rejects, &error) == DECANT_INVALID_RECORD,
        "a key that is not text");
  check(strstr(error.message, "key is not UTF-8") != NULL, "which the message says");
  check(rows.release == NULL && rejects.release == NULL, "nothing was written");
}

/* A stream that comes in chunks of at most `size` bytes, each a block of its own, and fails at a place. */
struct source {
  const char *json;
  size_t length, at, size, fails_at;
};
static size_t reads;
static ptrdiff_t read_chunk(void *context, char *buffer, size_t capacity) {
  struct source *source = context;
  reads++;
  check(capacity > 0, "space for a byte");
  if (source->at == source->fails_at) {
    source->fails_at = SIZE_MAX; /* once */
    return -EPIPE;
  }
  size_t count = source->length - source->at;
  if (count > source->size) count = source->size;
  if (count > capacity) count = capacity;
  if (source->at < source->fails_at && count > source->fails_at - source->at)
    count = source->fails_at - source->at;
  memcpy(buffer, source->json + source->at, count);
  source->at += count;
  return (ptrdiff_t)count;
}

/* ---------------------------------------------------------------------------------------------------
 * Memory that fails
 */

struct arena {
  long blocks, bytes, calls, fails_at;
  bool once;
};
static void *allocate(void *state, size_t size) {
  struct arena *arena = state;
  arena->calls++;
  if (arena->fails_at != 0 &&
      (arena->calls == arena->fails_at || (!arena->once && arena->calls > arena->fails_at)))
    return NULL;
  arena->blocks++;
  arena->bytes += (long)size;
  void *block = malloc(size);
  memset(block, 0xA5, size);
  return block;
}
static void deallocate(void *state, void *block, size_t size) {
  struct arena *arena = state;
  arena->blocks--;
  arena->bytes -= (long)size;
  memset(block, 0x5A, size);
  free(block);
}

/* Reads all, in either order; a failure must be ENOMEM, and where memory fails once the rest must follow. Returns
 * whether no allocation failed. */
static bool with_arena(struct arena *arena, const decant_record *record, const char *json,
                       int64_t expected, bool rejects_first, const decant_options *form) {
  decant_memory memory = {allocate, deallocate, arena};
  decant_options options = DECANT_OPTIONS_INIT;
  struct source source = {json, strlen(json), 0, 7, SIZE_MAX};
  if (form != NULL) options = *form;
  const bool borrows = options.columns == DECANT_COLUMNS_BORROW;
  options.memory = &memory;
  options.batch_rows = 3;
  struct ArrowArrayStream rows, rejects, *streams[2] = {&rows, &rejects};
  decant_status status =
      form == NULL || borrows
          ? decant_read_arrow(record, json, strlen(json), &options, &rows, &rejects, NULL)
          : decant_read_arrow_from(record, read_chunk, &source, &options, &rows, &rejects, NULL);
  if (status != DECANT_OK) {
    check(status == DECANT_OUT_OF_MEMORY, "the streams do not open");
    check(arena->blocks == 0 && arena->bytes == 0, "without a trace");
    return false;
  }
  bool failed_once = false;
  int64_t found = 0;
  struct ArrowSchema schema;
  for (int side = 0; side < 2; side++) {
    struct ArrowArrayStream *stream = streams[rejects_first ? 1 - side : side];
    int number = stream->get_schema(stream, &schema);
    if (number == 0) {
      schema.release(&schema);
    } else {
      check(number == ENOMEM, "no schema");
      failed_once = true;
    }
    for (int tries = 0; tries < 3;) {
      struct ArrowArray batch;
      number = stream->get_next(stream, &batch);
      if (number != 0) {
        check(number == ENOMEM && stream->get_last_error(stream) != NULL, "a failure, with words");
        failed_once = true;
        tries++;
        continue;
      }
      if (batch.release == NULL) break;
      if (stream == &rows) {
        found += batch.length;
        const struct ArrowArray *name = batch.children[1];
        for (int64_t row = 0; record == &row_record && row < batch.length; row++)
          check(is_null(name, row) || is_view(name, row, LONG_NAME), "every row is as it was");
      }
      batch.release(&batch);
    }
  }
  if (arena->once || !failed_once) check(found == expected, "no row is lost");
  rows.release(&rows);
  rejects.release(&rejects);
  check(arena->blocks == 0 && arena->bytes == 0, "all memory is given back, with its sizes");
  return !failed_once && arena->calls < arena->fails_at;
}

/* In each framing, with a row that fails. */
#define FRAMED_ROW "{\"id\":2,\"name\":\"" LONG_NAME "\"}"
static const char *const framed_json[] = {
    "{\"n\":[1,2],\"rows\":[{\"id\":1}, " FRAMED_ROW ",{\"id\":[]}],\"m\":{}}x",
    "\x1e{\"id\":1}\n\x1e" FRAMED_ROW "\n\x1e{\"id\":[]}\n\x1e 12",
    "{\"id\":1}" FRAMED_ROW "\n{\"id\":[]} true"};

static void failing_memory(void) {
  for (int way = 0; way < 4; way++) {
    for (long at = 1;; at++) {
      struct arena arena = {0, 0, 0, at, way & 1};
      if (with_arena(&arena, &row_record, some_json, 4, way & 2, NULL)) break;
    }
    decant_options borrowing = DECANT_OPTIONS_INIT;
    borrowing.columns = DECANT_COLUMNS_BORROW;
    for (long at = 1;; at++) {
      struct arena arena = {0, 0, 0, at, way & 1};
      if (with_arena(&arena, &row_record, some_json, 4, way & 2, &borrowing)) break;
    }
    for (long at = 1;; at++) {
      struct arena arena = {0, 0, 0, at, way & 1};
      if (with_arena(&arena, &all_record, all_json, 1, way & 2, NULL)) break;
    }
    for (int framing = 0; framing < 3; framing++) {
      decant_options form = DECANT_OPTIONS_INIT;
      form.framing = framing;
      form.elements_at = framing == 0 ? "/rows" : NULL;
      for (long at = 1;; at++) {
        struct arena arena = {0, 0, 0, at, way & 1};
        if (with_arena(&arena, &row_record, framed_json[framing], 2, way & 2, &form)) break;
      }
    }
  }
}

/* Memory that has no large blocks. */
static void *allocate_small(void *state, size_t size) {
  return size > (size_t)1 << 24 ? NULL : allocate(state, size);
}

/* The first rows promise more elements than 32 bits can count, and than there is memory for. */
static void promised(void) {
  static const decant_field field = {.key = "a",
                                     .kind = DECANT_FIXED_ARRAY,
                                     .element = DECANT_INT8,
                                     .capacity = 1000,
                                     .flags = DECANT_OPTIONAL};
  static const decant_record record = {.size = 1000, .fields = &field, .field_count = 1};
  const size_t count = 2150000;
  char *json = malloc(3 * count);
  for (size_t row = 0; row < count; row++) memcpy(json + 3 * row, "{}\n", 3);
  struct arena arena = {0, 0, 0, 0, false};
  decant_memory memory = {allocate_small, deallocate, &arena};
  decant_options options = DECANT_OPTIONS_INIT;
  options.memory = &memory;
  options.batch_rows = (int64_t)1 << 22;
  struct ArrowArrayStream rows;
  struct ArrowArray batch;
  if (check(decant_read_arrow(&record, json, 3 * count, &options, &rows, NULL, NULL) == DECANT_OK, "many elements")) {
    check(rows.get_next(&rows, &batch) == ENOMEM, "too many");
    rows.release(&rows);
  }
  check(arena.blocks == 0, "all memory is given back");
  free(json);
}

/* ---------------------------------------------------------------------------------------------------
 * Streams that are read in chunks
 */

/* What both streams say, as text. */
static char *told(struct ArrowArrayStream *rows, struct ArrowArrayStream *rejects, int *failures) {
  size_t used = 0, capacity = 1 << 16;
  char *text = calloc(1, capacity);
  struct ArrowArray batch;
  for (int side = 0; side < 2; side++) {
    struct ArrowArrayStream *stream = side == 0 ? rows : rejects;
    for (int number;;) {
      if ((number = stream->get_next(stream, &batch)) != 0) {
        check(number == EPIPE &&
                  strcmp(stream->get_last_error(stream), "the input could not be read") == 0,
              "the reader's number");
        if (++*failures > 3) break;
        continue;
      }
      if (batch.release == NULL) break;
      for (int64_t row = 0; row < batch.length && used < capacity - 2048; row++) {
        struct ArrowArray **c = batch.children;
        if (side == 0) {
          const int32_t *ends = c[1]->buffers[1];
          used += (size_t)sprintf(
              text + used, "%lld %d %.*s %lld\n", (long long)VALUE(int64_t, c[0], row),
              is_null(c[1], row), (int)(ends[row + 1] - ends[row]),
              (const char *)c[1]->buffers[2] + ends[row], (long long)VALUE(int64_t, c[5], row));
        } else {
          const int32_t *ends = c[5]->buffers[1];
          used += (size_t)sprintf(
              text + used, "%lld %lld %lld %d %.*s\n", (long long)VALUE(int64_t, c[0], row),
              (long long)VALUE(int64_t, c[1], row), (long long)VALUE(int64_t, c[2], row),
              VALUE(int32_t, c[4], row), (int)(ends[row + 1] - ends[row]),
              (const char *)c[5]->buffers[2] + ends[row]);
        }
      }
      batch.release(&batch);
    }
  }
  rows->release(rows);
  rejects->release(rejects);
  return text;
}

static char *whole(const char *json, size_t length, decant_options *options) {
  struct ArrowArrayStream rows, rejects;
  int failures = 0;
  check(decant_read_arrow(&row_record, json, length, options, &rows, &rejects, NULL) == DECANT_OK,
        "a whole stream");
  return told(&rows, &rejects, &failures);
}

/* A reader that fails each time it is asked: both streams hand out what is complete, and then tell of it. */
static ptrdiff_t read_broken(void *context, char *buffer, size_t capacity) {
  struct source *source = context;
  const size_t fails_at = source->fails_at;
  const ptrdiff_t count = read_chunk(context, buffer, capacity);
  source->fails_at = fails_at;
  return count;
}

static void broken(bool rejects_first) {
  static const char json[] = "{\"id\":1}\n{\"id\":[]}\n{\"id\":2}\n{\"id\":3";
  struct source source = {json, strlen(json), 0, 7, strlen(json)};
  struct ArrowArrayStream rows, rejects, *streams[2] = {&rows, &rejects};
  if (!check(decant_read_arrow_from(&row_record, read_broken, &source, NULL, &rows, &rejects,
                                    NULL) == DECANT_OK,
             "a stream that breaks"))
    return;
  for (int turn = 0; turn < 2; turn++) {
    const int side = rejects_first ? 1 - turn : turn;
    struct ArrowArray batch;
    if (check(next(streams[side], &batch), "what is complete")) {
      check(batch.length == (side == 0 ? 2 : 1), "all of it");
      batch.release(&batch);
    }
    for (int again = 0; again < 2; again++)
      check(streams[side]->get_next(streams[side], &batch) == EPIPE, "the reader's number");
  }
  rejects.release(&rejects);
  rows.release(&rows);
}

/* Of a line that is too long as much may be kept as the window has, but for a byte: more than that byte is read at once. */
static void much_at_once(void) {
  const size_t length = 3 << 20;
  char *json = malloc(length);
  memset(json, ' ', length);
  json[0] = '1';
  memcpy(json + length - 9, "\n{\"id\":7}", 9);
  for (size_t limit = (1 << 20) - 1030; limit < (1 << 20) - 1020; limit++) {
    struct source source = {json, length, 0, length, SIZE_MAX};
    decant_options options = DECANT_OPTIONS_INIT;
    options.maximum_bytes = limit;
    struct ArrowArrayStream rows;
    struct ArrowArray batch;
    reads = 0;
    if (!check(decant_read_arrow_from(&row_record, read_chunk, &source, &options, &rows, NULL,
                                      NULL) == DECANT_OK,
               "a line that is too long"))
      break;
    if (check(next(&rows, &batch) && batch.length == 1, "the line behind it")) batch.release(&batch);
    check(reads < 10, "few reads");
    rows.release(&rows);
  }
  free(json);
}

static void chunks(void) {
  static char json[1 << 16];
  size_t length = 0;
  for (int part = 0; part < 6; part++) {
    length += (size_t)sprintf(json + length, "%s\n", some_json);
    length += (size_t)sprintf(json + length, "{\"id\":1}TRAILER\r\n \t\n{\"id\":\"\xff\"}\n");
    length += (size_t)sprintf(json + length, "{\"id\":7,\"name\":\"%200s\"}\n%300s\n", "long", " ");
  }
  length += (size_t)sprintf(json + length, "{\"id\":\"%3000s\"}\n%4000s\n", "longer", "");
  length += (size_t)sprintf(json + length, "{\"id\":\"behind\"}\n{\"id\":9}");
  for (size_t limit = 0; limit <= 150; limit += 150) {
    decant_options options = DECANT_OPTIONS_INIT;
    options.columns = DECANT_COLUMNS_UTF8 | DECANT_COLUMNS_LINE;
    options.batch_rows = 5;
    options.maximum_bytes = limit;
    options.first_line = 11;
    options.first_offset = 1000;
    char *expected = whole(json, length, &options);
    for (size_t size = 1; size <= 71; size += has_fewer_rounds() ? 5 : 1) {
      for (int fails = 0; fails < 2; fails++) {
        struct source source = {json, length, 0, size == 71 ? length : size,
                                fails ? length / 2 : SIZE_MAX};
        struct ArrowArrayStream rows, rejects;
        int failures = 0;
        check(decant_read_arrow_from(&row_record, read_chunk, &source, &options, &rows, &rejects,
                                     NULL) == DECANT_OK,
              "a stream in chunks");
        char *found = told(&rows, &rejects, &failures);
        check(strcmp(found, expected) == 0, "chunks are as the whole");
        check(failures == fails, "and fail as often as their reader");
        free(found);
      }
    }
    free(expected);
    /* Pieces, each for a thread. */
    options.maximum_bytes = 0;
    expected = whole(json, length, &options);
    for (size_t count = 1; count < 10; count++) {
      decant_piece pieces[9];
      size_t made = decant_split_lines(json, length, count, pieces), rows = 0;
      char *all = calloc(1, 1 << 17);
      for (int side = 0; side < 2; side++) {
        for (size_t at = 0; at < made; at++) {
          options.first_line = 10 + pieces[at].first_line;
          options.first_offset = 1000 + pieces[at].first_offset;
          char *part = whole(pieces[at].json, pieces[at].length, &options);
          /* Lines of rows have four words, of which none is a number of five digits. */
          size_t used = 0;
          for (char *line = part; *line != 0; line = strchr(line, '\n') + 1) {
            int numbers = 0;
            long long a, b, c;
            numbers = sscanf(line, "%lld %lld %lld", &a, &b, &c);
            if ((numbers == 3 && b >= 1000) == (side == 1)) {
              size_t width = (size_t)(strchr(line, '\n') + 1 - line);
              strncat(all, line, width);
              used += width;
            }
          }
          rows += used;
          free(part);
        }
      }
      check(strcmp(all, expected) == 0 && rows == strlen(expected), "pieces are as the whole");
      free(all);
    }
    free(expected);
  }
  much_at_once();
  broken(false);
  broken(true);
  decant_options options = DECANT_OPTIONS_INIT;
  options.skips_byte_order_mark = 1;
  options.columns = DECANT_COLUMNS_UTF8 | DECANT_COLUMNS_LINE;
  static const char marked[] = "\xef\xbb\xbf{\"id\":1}\n\xef\xbb\xbf{\"id\":2}\n";
  char *expected = whole(marked, strlen(marked), &options);
  check(strncmp(expected, "1 1  1\n2 12 12 ", 15) == 0, "a byte order mark at the beginning alone");
  for (size_t size = 1; size < 9; size++) {
    struct source source = {marked, strlen(marked), 0, size, SIZE_MAX};
    struct ArrowArrayStream chunked, rejects;
    int failures = 0;
    decant_read_arrow_from(&row_record, read_chunk, &source, &options, &chunked, &rejects, NULL);
    char *found = told(&chunked, &rejects, &failures);
    check(strcmp(found, expected) == 0, "wherever it is cut");
    free(found);
  }
  free(expected);
  options.columns = DECANT_COLUMNS_BORROW;
  struct ArrowArrayStream rows;
  check(decant_read_arrow_from(&row_record, read_chunk, NULL, &options, &rows, NULL, NULL) ==
            DECANT_INVALID_ARGUMENT,
        "nothing to borrow from");
  check(decant_read_arrow_from(&row_record, NULL, NULL, NULL, &rows, NULL, NULL) ==
            DECANT_INVALID_ARGUMENT,
        "no function");
}

/* ---------------------------------------------------------------------------------------------------
 * Elements, records, documents: the rows and the failures that decant_decode_lines() hands out
 */

struct framed {
  int64_t id;
  const char *name;
  size_t name_length;
  void *storage;
};
static const decant_field framed_fields[] = {
    {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct framed, id)},
    {.key = "name",
     .kind = DECANT_STRING,
     .offset = offsetof(struct framed, name),
     .length_offset = offsetof(struct framed, name_length),
     .flags = DECANT_OPTIONAL}};
static const decant_record framed_record = {
    .size = sizeof(struct framed), .fields = framed_fields,
    .field_count = 2, .storage_offset = offsetof(struct framed, storage)};

/* Rows, and behind them what failed. */
struct account {
  char rows[1 << 14], failures[1 << 15];
  size_t rows_used, failures_used;
};

static int account_for(void *context, int64_t line, const void *value, const decant_error *error) {
  struct account *account = context;
  const struct framed *row = value;
  if (row != NULL) {
    account->rows_used +=
        (size_t)sprintf(account->rows + account->rows_used, "%lld: %lld %.*s\n", (long long)line,
                        (long long)row->id, (int)row->name_length, row->name ? row->name : "");
  } else {
    account->failures_used +=
        (size_t)sprintf(account->failures + account->failures_used, "%lld: %d at %lld %s\n",
                        (long long)line, error->code, (long long)error->offset, error->path);
  }
  return 0;
}

/* The text in a row of a utf8_view, of which the long one may be in any buffer. */
static const char *view_at(const struct ArrowArray *array, int64_t row, int32_t *length) {
  const char *view = (const char *)array->buffers[1] + 16 * row;
  int32_t place[2];
  memcpy(length, view, 4);
  memcpy(place, view + 8, 8);
  return *length <= 12 ? view + 4 : (const char *)array->buffers[2 + place[0]] + place[1];
}

static void account_for_columns(struct account *account, struct ArrowArrayStream *rows,
                                struct ArrowArrayStream *rejects) {
  struct ArrowArray batch;
  while (next(rows, &batch)) {
    for (int64_t row = 0; row < batch.length; row++) {
      int32_t length = 0;
      struct ArrowArray **c = batch.children;
      const char *name = is_null(c[1], row) ? "" : view_at(c[1], row, &length);
      account->rows_used += (size_t)sprintf(account->rows + account->rows_used, "%lld: %lld %.*s\n",
                                            (long long)VALUE(int64_t, c[2], row),
                                            (long long)VALUE(int64_t, c[0], row), length, name);
    }
    batch.release(&batch);
  }
  while (next(rejects, &batch)) {
    for (int64_t row = 0; row < batch.length; row++) {
      struct ArrowArray **c = batch.children;
      const int32_t *ends = c[3]->buffers[1];
      account->failures_used +=
          (size_t)sprintf(account->failures + account->failures_used, "%lld: %d at %lld %.*s\n",
                          (long long)VALUE(int64_t, c[0], row), VALUE(int32_t, c[4], row),
                          (long long)VALUE(int64_t, c[2], row), (int)(ends[row + 1] - ends[row]),
                          (const char *)c[3]->buffers[2] + ends[row]);
    }
    batch.release(&batch);
  }
  rows->release(rows);
  rejects->release(rejects);
}

static unsigned long long chance = 88172645463325252u;
static size_t up_to(size_t most) {
  chance ^= chance << 13;
  chance ^= chance >> 7;
  chance ^= chance << 17;
  return (size_t)(chance % most);
}

static void compare(const struct account *a, const struct account *b, const char *json) {
  bool same_rows = check(strcmp(a->rows, b->rows) == 0, "the rows of every framing");
  bool same_failures = check(strcmp(a->failures, b->failures) == 0, "and its failures");
  if (same_rows && same_failures) return;
  printf("%s\n--- expected\n%s%s--- found\n%s%s", json, a->rows, a->failures, b->rows, b->failures);
}

static void framings(void) {
  static const char *const parts[] = {"{\"id\":1}",
                                      "{\"id\":2,\"name\":\"a name of more than twelve bytes\"}",
                                      "{\"name\":\"with \\\"},]\\n[ and an escape\",\"id\":3}",
                                      "{\"id\":\"no\"}",
                                      " {\"id\":4}\n",
                                      "{\"name\":\"\xc3\xa9\xf0\x9f\x98\x80\",\"id\":5}",
                                      "{\"id\":1.5}",
                                      "[]",
                                      "{\"id\":6,\"id\":7}"};
  static const char *const starts[] = {"{\"n\":[],\"items\":[", "\x1e", ""};
  static const char *const between[] = {",", "\n\x1e", ""};
  static const char *const ends[] = {"],\"m\":{}}", "\n", ""};
  struct account *expected = malloc(sizeof *expected), *found = malloc(sizeof *found);
  for (int round = 0; round < rounds(600); round++) {
    const int framing = round % 3;
    char json[4096];
    size_t length = up_to(2) ? (size_t)sprintf(json, "\xef\xbb\xbf") : 0;
    length += (size_t)sprintf(json + length, "%s", starts[framing]);
    for (size_t count = up_to(20), at = 0; at < count; at++) {
      length += (size_t)sprintf(json + length, "%s%s", at > 0 ? between[framing] : "",
                                parts[up_to(sizeof parts / sizeof *parts)]);
    }
    length += (size_t)sprintf(json + length, "%s", ends[framing]);
    if (round % 2 == 1 && length > 0) json[up_to(length)] = "\"\\{}[]:,\0\x1f\n01-x\xc3"[up_to(16)];
    decant_options options = DECANT_OPTIONS_INIT;
    options.framing = framing;
    options.elements_at = framing == 0 ? "/items" : NULL;
    options.skips_byte_order_mark = 1;
    options.duplicate_keys = up_to(2) ? DECANT_KEEP_NONE : DECANT_KEEP_FIRST;
    options.first_line = up_to(2) ? 11 : 0;
    options.maximum_bytes = up_to(4) == 0 ? 40 : 0;
    options.maximum_rejects = 1;
    *expected = (struct account){.rows_used = 0};
    check(decant_decode_lines(&framed_record, json, length, account_for, expected, &options,
                              NULL) == DECANT_OK,
          "as structs");
    options.maximum_rejects = 0;
    options.columns = DECANT_COLUMNS_LINE;
    options.batch_rows = (int64_t)up_to(4);
    struct ArrowArrayStream rows, rejects;
    for (int borrows = 0; borrows < 2; borrows++) {
      options.columns ^= borrows ? DECANT_COLUMNS_BORROW : 0;
      *found = (struct account){.rows_used = 0};
      if (check(decant_read_arrow(&framed_record, json, length, &options, &rows, &rejects, NULL) ==
                    DECANT_OK,
                "as columns"))
        account_for_columns(found, &rows, &rejects);
      compare(expected, found, json);
    }
    options.columns = DECANT_COLUMNS_LINE;
    for (size_t size = 1; size <= 70; size += 1 + up_to(12)) {
      struct source source = {json, length, 0, size, SIZE_MAX};
      *found = (struct account){.rows_used = 0};
      if (check(decant_read_arrow_from(&framed_record, read_chunk, &source, &options, &rows,
                                       &rejects, NULL) == DECANT_OK,
                "as columns, in chunks"))
        account_for_columns(found, &rows, &rejects);
      compare(expected, found, json);
    }
  }
  free(expected);
  free(found);
}

/* The document around elements is a reject without a line's byte and without text. */
static void around(void) {
  static const char json[] = "{\"rows\":[{\"id\":1},\n{\"id\":\"secret\"}],\"m\":tru}";
  decant_options options = DECANT_OPTIONS_INIT;
  options.elements_at = "/rows";
  struct ArrowArrayStream rows, rejects;
  struct ArrowArray batch;
  if (!open_with(&row_record, json, &options, &rows, &rejects)) return;
  if (check(next(&rejects, &batch) && batch.length == 2, "two rejects")) {
    struct ArrowArray **c = batch.children;
    check(VALUE(int64_t, c[0], 0) == 2 && VALUE(int64_t, c[1], 0) == 19, "an element's place");
    check(is_text(c[3], 0, "/rows/1/id") && is_text(c[6], 0, "{\"id\":\"secret\"}"),
          "its path, and its text");
    check(VALUE(int64_t, c[0], 1) == 2 && is_null(c[1], 1) && is_null(c[6], 1),
          "the document's line");
    check(VALUE(int32_t, c[4], 1) == DECANT_INVALID_LITERAL && VALUE(int64_t, c[7], 1) == 1,
          "and its code");
    batch.release(&batch);
  }
  check(next(&rows, &batch) && batch.length == 1, "one row");
  batch.release(&batch);
  rows.release(&rows);
  rejects.release(&rejects);
  options.maximum_rejects = 1;
  if (!open_with(&row_record, json, &options, &rows, &rejects)) return;
  if (check(next(&rejects, &batch) && batch.length == 2, "one reject, and the others")) {
    check(VALUE(int64_t, batch.children[7], 1) == 1 && is_null(batch.children[0], 1), "one other");
    batch.release(&batch);
  }
  rows.release(&rows);
  rejects.release(&rejects);
}

/* ---------------------------------------------------------------------------------------------------
 * Many rows, two threads
 */

#ifndef __wasm__
/* Unoptimised, a reader takes more than the 128 KB that musl gives a thread. */
static int start_thread(pthread_t *thread, void *(*function)(void *), void *context) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  const int code = pthread_create(thread, &attributes, function, context);
  pthread_attr_destroy(&attributes);
  return code;
}

static void *read_all(void *context) {
  struct ArrowArrayStream *stream = context;
  struct ArrowArray batch;
  int64_t *found = malloc(sizeof *found);
  *found = 0;
  while (stream->get_next(stream, &batch) == 0 && batch.release != NULL) {
    *found += batch.length;
    batch.release(&batch);
  }
  stream->release(stream);
  return found;
}
#endif

static void many_rows(void) {
  /* As many as make three batches of 65,536 rows, or of 4,096 where a row is dear. */
  const int count = has_fewer_rounds() ? 12500 : 200000;
  decant_options options = DECANT_OPTIONS_INIT;
  options.batch_rows = 4096;
  char *json = malloc((size_t)count * 64), *end = json;
  int64_t bad = 0;
  for (int row = 0; row < count; row++) {
    if (row % 7 == 0) {
      end += sprintf(end, "{\"id\":%d.5}\n", row);
      bad++;
    } else {
      end += sprintf(end, "{\"id\":%d,\"name\":\"the name of row %d\"}\n", row, row);
    }
  }
  size_t length = (size_t)(end - json);
  struct ArrowArrayStream rows;
  struct ArrowArray batch;
  if (check(decant_read_arrow(&row_record, json, length, has_fewer_rounds() ? &options : NULL, &rows,
                              NULL, NULL) == DECANT_OK,
            "many rows")) {
    int64_t sum = 0, expected = 0, batches = 0;
    for (int row = 0; row < count; row++) expected += row % 7 == 0 ? 0 : row;
    for (; next(&rows, &batch); batches++) {
      for (int64_t at = 0; at < batch.length; at++) sum += VALUE(int64_t, batch.children[0], at);
      check(is_null(batch.children[2], batch.length - 1), "a record that is null");
      char name[40];
      sprintf(name, "the name of row %lld",
              (long long)VALUE(int64_t, batch.children[0], batch.length - 1));
      check(is_view(batch.children[1], batch.length - 1, name), "the last name of a batch");
      /* Columns may outlive their batch, in any order. */
      struct ArrowArray id = *batch.children[0], names = *batch.children[1];
      const int64_t last = batch.length - 1;
      batch.children[0]->release = batch.children[1]->release = NULL;
      batch.release(&batch);
      check(is_view(&names, last, name), "names whose batch was released");
      names.release(&names);
      check(VALUE(int64_t, &id, last) > 0, "numbers whose batch was released");
      id.release(&id);
    }
    check(sum == expected && batches == 3, "their sum, in all batches");
    rows.release(&rows);
  }
#ifndef __wasm__
  struct ArrowArrayStream rejects;
  options.batch_rows = 1000;
  if (check(decant_read_arrow(&row_record, json, length, &options, &rows, &rejects, NULL) ==
                DECANT_OK,
            "a stream for each thread")) {
    pthread_t thread;
    check(start_thread(&thread, read_all, &rejects) == 0, "a thread");
    int64_t *first = read_all(&rows);
    void *second;
    pthread_join(thread, &second);
    check(*first == count - bad && *(int64_t *)second == bad, "both have all that is theirs");
    free(first);
    free(second);
  }
#else
  (void)bad;
#endif
  free(json);
}

/* What the rows of a piece, and its rejects, have in their columns, byte for byte. */
struct bytes {
  char *start;
  size_t count, capacity;
};
static void append(struct bytes *bytes, const void *more, size_t count) {
  if (bytes->count + count > bytes->capacity) {
    bytes->capacity = 2 * (bytes->count + count);
    bytes->start = realloc(bytes->start, bytes->capacity);
  }
  if (count > 0) memcpy(bytes->start + bytes->count, more, count);
  bytes->count += count;
}

struct part {
  decant_piece piece;
  int64_t batch_rows;
  struct bytes columns[6]; /* of rows: id, name, line; of rejects: line, offset, message */
};

static void append_text(struct bytes *bytes, const struct ArrowArray *array) {
  const int32_t *ends = array->buffers[1];
  for (int64_t row = 0; row < array->length; row++) {
    const int32_t length = is_null(array, row) ? -1 : ends[row + 1] - ends[row];
    append(bytes, &length, sizeof length);
    if (length > 0) append(bytes, (const char *)array->buffers[2] + ends[row], (size_t)length);
  }
}

static void *read_part(void *context) {
  struct part *part = context;
  decant_options options = DECANT_OPTIONS_INIT;
  options.first_line = part->piece.first_line;
  options.first_offset = part->piece.first_offset;
  options.batch_rows = part->batch_rows;
  options.columns = DECANT_COLUMNS_LINE | DECANT_COLUMNS_UTF8;
  struct ArrowArrayStream rows, rejects;
  struct ArrowArray batch;
  if (decant_read_arrow(&row_record, part->piece.json, part->piece.length, &options, &rows,
                        &rejects, NULL) != DECANT_OK)
    return NULL;
  while (rows.get_next(&rows, &batch) == 0 && batch.release != NULL) {
    append(&part->columns[0], batch.children[0]->buffers[1], 8 * (size_t)batch.length);
    append_text(&part->columns[1], batch.children[1]);
    append(&part->columns[2], batch.children[5]->buffers[1], 8 * (size_t)batch.length);
    batch.release(&batch);
  }
  while (rejects.get_next(&rejects, &batch) == 0 && batch.release != NULL) {
    append(&part->columns[3], batch.children[0]->buffers[1], 8 * (size_t)batch.length);
    append(&part->columns[4], batch.children[2]->buffers[1], 8 * (size_t)batch.length);
    append_text(&part->columns[5], batch.children[5]);
    batch.release(&batch);
  }
  rejects.release(&rejects);
  rows.release(&rows);
  return NULL;
}

/* Pieces, each read by a thread of its own: their batches, one behind the other, are those of one thread. */
static void pieces_on_threads(void) {
  const int row_count = rounds(20000);
  char *json = malloc((size_t)row_count * 64), *end = json;
  for (int row = 0; row < row_count; row++) {
    end += row % 7 == 3    ? sprintf(end, "{\"id\":%d,\"name\":%d}\n", row, row)
           : row % 11 == 5 ? sprintf(end, "{\"id\":%d}\n\n", row)
           : row % 13 == 1 ? sprintf(end, "{\"id\":%d,\n", row)
                           : sprintf(end, "{\"id\":%d,\"name\":\"the name \\\\ %d\"}\n", row, row);
  }
  struct part whole = {.piece = {json, (size_t)(end - json), 1, 0}, .batch_rows = 0};
  read_part(&whole);
  check(whole.columns[0].count > (size_t)(8 * row_count / 2) && whole.columns[3].count > (size_t)(8 * row_count / 7),
        "rows and rejects");
  for (size_t count = 1; count <= 9; count++) {
    decant_piece pieces[9];
    struct part parts[9];
    size_t made = decant_split_lines(json, whole.piece.length, count, pieces);
#ifndef __wasm__
    pthread_t threads[9];
#endif
    for (size_t at = 0; at < made; at++) {
      parts[at] = (struct part){.piece = pieces[at], .batch_rows = (int64_t)(at * 100)};
#ifdef __wasm__
      read_part(&parts[at]);
#else
      check(start_thread(&threads[at], read_part, &parts[at]) == 0, "a thread");
#endif
    }
    struct bytes all[6] = {{NULL, 0, 0}};
    for (size_t at = 0; at < made; at++) {
#ifndef __wasm__
      pthread_join(threads[at], NULL);
#endif
      for (int column = 0; column < 6; column++) {
        append(&all[column], parts[at].columns[column].start, parts[at].columns[column].count);
        free(parts[at].columns[column].start);
      }
    }
    for (int column = 0; column < 6; column++) {
      check(all[column].count == whole.columns[column].count &&
                memcmp(all[column].start, whole.columns[column].start, all[column].count) == 0,
            "the bytes of one thread");
      free(all[column].start);
    }
  }
  for (int column = 0; column < 6; column++) free(whole.columns[column].start);
  free(json);
}

/* ---------------------------------------------------------------------------------------------------
 * Who owns what streams need, and threads with a lock of their own
 */

/* Columns that are not called as their keys are: in their schema, and in descriptions. */
static void named_columns(void) {
  static const char json[] =
      "{\"fields\":[{\"pointer\":\"/user/city\",\"column\":\"city\",\"kind\":\"string\"},"
      "{\"key\":\"id\",\"column\":\"\u00e9\",\"kind\":\"int64\"},"
      "{\"key\":\"at\",\"kind\":\"record\",\"fields\":[{\"key\":\"x\",\"column\":\"y\",\"kind\":\"int64\"}]}]}";
  decant_schema *parsed;
  decant_error error = DECANT_ERROR_INIT;
  if (!check(decant_schema_parse(json, strlen(json), NULL, &parsed, &error) == DECANT_OK, "names of columns")) return;
  char text[sizeof json];
  check(decant_record_describe(decant_schema_record(parsed), text, sizeof text, NULL, NULL) == DECANT_OK, "described");
  check_text(text, json);
  struct ArrowArrayStream rows;
  if (open_with(decant_schema_record(parsed), "{\"user\":{\"city\":\"x\"},\"id\":1,\"at\":{\"x\":1}}", NULL, &rows, NULL)) {
    struct ArrowSchema schema = schema_of(&rows);
    check_text(schema.children[0]->name, "city");
    check_text(schema.children[1]->name, "\u00e9");
    check_text(schema.children[2]->name, "at");
    check_text(schema.children[2]->children[0]->name, "y");
    schema.release(&schema);
    struct ArrowArray batch;
    if (check(next(&rows, &batch) && batch.length == 1, "a row")) batch.release(&batch);
    rows.release(&rows);
  }
  decant_schema_free(parsed);
  static const decant_field field = {.key = "a", .kind = DECANT_BOOL, .column = "\xff"};
  static const decant_record record = {.size = 1, .fields = &field, .field_count = 1};
  check(decant_read_arrow(&record, "", 0, NULL, &rows, NULL, &error) == DECANT_INVALID_RECORD, "a name that is not text");
  check_text(error.message, "invalid record: field 0 (\"a\"): column is not UTF-8");
}

/* Lists whose elements may be null: numbers, text, records, and of fixed size. */
static void null_elements(void) {
  static const char json[] =
      "{\"fields\":[{\"key\":\"n\",\"kind\":\"array\",\"element\":\"int32\",\"null_elements\":true,\"minimum\":0},"
      "{\"key\":\"s\",\"kind\":\"array\",\"element\":\"string\",\"optional\":true,\"null_elements\":true},"
      "{\"key\":\"r\",\"kind\":\"array\",\"element\":\"record\",\"null_elements\":true,\"fields\":[{\"key\":\"x\",\"kind\":"
      "\"double\"}]},"
      "{\"key\":\"f\",\"kind\":\"fixed_array\",\"element\":\"double\",\"null_elements\":true,\"capacity\":3}]}";
  static const char lines[] =
      "{\"n\":[1,null,3],\"s\":[null,\"" LONG_NAME "\",\"b\"],\"r\":[{\"x\":1},null],\"f\":[0.5,null,2]}\n"
      "{\"n\":[null,\"x\"],\"s\":[null],\"r\":[],\"f\":[null,null,null]}\n"
      "{\"n\":[],\"s\":null,\"r\":[null,null],\"f\":[1,2,3]}\n"
      "{\"n\":[7,-1],\"r\":[],\"f\":[1,2,3]}\n"
      "{\"n\":[8,9,null],\"r\":[null,{\"x\":2}],\"f\":[null,1,2]}\n"
      "{\"n\":null,\"r\":[],\"f\":[1,2,3]}\n";
  decant_schema *parsed;
  decant_error error = DECANT_ERROR_INIT;
  if (!check(decant_schema_parse(json, strlen(json), NULL, &parsed, &error) == DECANT_OK, "lists with nulls")) {
    printf("%s\n", error.message);
    return;
  }
  const decant_record *record = decant_schema_record(parsed);
  char text[sizeof json + 64];
  check(decant_record_describe(record, text, sizeof text, NULL, NULL) == DECANT_OK, "described");
  check_text(text, json);
  for (int64_t batch_rows = 0; batch_rows < 3; batch_rows++) {
    for (uint32_t columns = 0; columns < 5; columns += columns == 0 ? 2 : columns) {
      decant_options options = DECANT_OPTIONS_INIT;
      options.batch_rows = batch_rows;
      options.columns = columns;
      struct ArrowArrayStream rows, rejects;
      if (!open_with(record, lines, &options, &rows, &rejects)) break;
      struct ArrowSchema schema = schema_of(&rows);
      for (int64_t at = 0; at < 4; at++)
        check(schema.children[at]->children[0]->flags & ARROW_FLAG_NULLABLE, "elements that may be null");
      schema.release(&schema);
      static const int32_t numbers[] = {1, -1, 3, 8, 9, -1};
      static const double xs[] = {1, -1, -1, -1, -1, 2}, fs[] = {0.5, -1, 2, 1, 2, 3, -1, 1, 2};
      int64_t n = 0, r = 0, f = 0;
      struct ArrowArray batch;
      while (next(&rows, &batch)) {
        struct ArrowArray **c = batch.children;
        const struct ArrowArray *x = c[2]->children[0]->children[0];
        int64_t nulls = 0;
        for (int64_t at = 0; at < c[0]->children[0]->length; at++, n++) {
          check(is_null(c[0]->children[0], at) == (numbers[n] < 0), "whether a number is null");
          check(numbers[n] < 0 || VALUE(int32_t, c[0]->children[0], at) == numbers[n], "a number");
          nulls += numbers[n] < 0;
        }
        check(c[0]->children[0]->null_count == nulls, "the nulls of a list");
        for (int64_t at = 0; at < c[2]->children[0]->length; at++, r++) {
          check(is_null(c[2]->children[0], at) == (xs[r] < 0), "whether a record is null");
          check(xs[r] < 0 || VALUE(double, x, at) == xs[r], "its field");
        }
        check(c[3]->children[0]->length == 3 * batch.length && x->length == c[2]->children[0]->length, "as many elements");
        for (int64_t at = 0; at < 3 * batch.length; at++, f++)
          check(is_null(c[3]->children[0], at) == (fs[f] < 0) && (fs[f] < 0 || VALUE(double, c[3]->children[0], at) == fs[f]),
                "an element of a fixed list");
        if (batch_rows == 0) {
          check(c[1]->children[0]->length == 3 && is_null(c[1]->children[0], 0) &&
                    (columns & DECANT_COLUMNS_UTF8 ? is_text : is_view)(c[1]->children[0], 1, LONG_NAME),
                "text among nulls");
        }
        batch.release(&batch);
      }
      check(n == 6 && r == 6 && f == 9, "the rows that are accepted");
      int64_t refused = 0;
      while (next(&rejects, &batch)) refused += batch.length, batch.release(&batch);
      check(refused == 3, "and those that are not");
      rows.release(&rows);
      rejects.release(&rejects);
    }
  }
  decant_schema_free(parsed);
}

/* Dates and times. */
static void times(void) {
  static const char json[] =
      "{\"fields\":[{\"key\":\"a\",\"kind\":\"time\"},{\"key\":\"b\",\"kind\":\"time\",\"optional\":true,\"unit\":\"s\"},"
      "{\"key\":\"c\",\"kind\":\"time\",\"unit\":\"ms\",\"epoch\":true},{\"key\":\"d\",\"kind\":\"array\",\"element\":\"time\",\"unit\":"
      "\"ns\"},{\"key\":\"e\",\"kind\":\"date\"}]}";
  static const char lines[] =
      "{\"a\":\"1970-01-01T00:00:01.5Z\",\"b\":null,\"c\":77,\"d\":[\"1970-01-01T00:00:00.000000001Z\"],\"e\":\"1970-01-02\"}\n"
      "{\"a\":\"1970-01-01\",\"b\":null,\"c\":77,\"d\":[],\"e\":\"1970-01-02\"}\n"
      "{\"a\":\"1970-01-01T00:00:01Z\",\"c\":78,\"d\":[\"x\"],\"e\":\"1970-01-02\"}\n";
  static const char *const formats[] = {"tsu:UTC", "tss:UTC", "tsm:UTC", "+l", "tdD"};
  decant_schema *parsed;
  if (!check(decant_schema_parse(json, strlen(json), NULL, &parsed, NULL) == DECANT_OK, "times")) return;
  char text[sizeof json];
  check(decant_record_describe(decant_schema_record(parsed), text, sizeof text, NULL, NULL) == DECANT_OK, "described");
  check_text(text, json);
  struct ArrowArrayStream rows, rejects;
  if (open_with(decant_schema_record(parsed), lines, NULL, &rows, &rejects)) {
    struct ArrowSchema schema = schema_of(&rows);
    for (int at = 0; at < 5; at++) check_text(schema.children[at]->format, formats[at]);
    check_text(schema.children[3]->children[0]->format, "tsn:UTC");
    schema.release(&schema);
    struct ArrowArray batch;
    if (check(next(&rows, &batch) && batch.length == 1, "a row of times")) {
      struct ArrowArray **c = batch.children;
      check(VALUE(int64_t, c[0], 0) == 1500000 && is_null(c[1], 0) && VALUE(int64_t, c[2], 0) == 77, "in their units");
      check(VALUE(int64_t, c[3]->children[0], 0) == 1 && VALUE(int32_t, c[4], 0) == 1, "an element, and a day");
      batch.release(&batch);
    }
    if (check(next(&rejects, &batch) && batch.length == 2, "what is no time")) {
      check(is_text(batch.children[3], 0, "/a") && is_text(batch.children[3], 1, "/d/0"), "and where");
      check(is_text(batch.children[5], 0, "expected a date and time by RFC 3339, found the string \"1970-01-01\""), "and why");
      batch.release(&batch);
    }
    rows.release(&rows);
    rejects.release(&rejects);
  }
  decant_schema_free(parsed);
  decant_error error = DECANT_ERROR_INIT;
  static const char wrong[] = "{\"fields\":[{\"key\":\"a\",\"kind\":\"time\",\"unit\":\"m\"}]}";
  check(decant_schema_parse(wrong, strlen(wrong), NULL, &parsed, &error) == DECANT_INVALID_VALUE, "an unknown unit");
  check(strncmp(error.message, "1:44: /fields/0/unit: is not a unit of time; those are s, ms, us and ns", 70) == 0, error.message);
}

static void count_release(void *context) { ++*(int *)context; }

/* What streams refer to is released once, after both. */
static void owned(void) {
  for (int way = 0; way < 6; way++) {
    int released = 0;
    decant_options options = DECANT_OPTIONS_INIT;
    options.release = count_release;
    options.release_context = &released;
    options.batch_rows = 1;
    struct ArrowArrayStream rows, rejects;
    struct ArrowArray batch;
    check(decant_read_arrow(&tree_record, "{}", 2, &options, &rows, &rejects, NULL) == DECANT_INVALID_RECORD &&
              released == 0,
          "not after a failure");
    const bool has_rows = way % 3 != 1, has_rejects = way % 3 != 2;
    struct source source = {some_json, strlen(some_json), 0, 7, SIZE_MAX};
    const decant_status status =
        way < 3 ? decant_read_arrow(&row_record, some_json, strlen(some_json), &options, has_rows ? &rows : NULL,
                                    has_rejects ? &rejects : NULL, NULL)
                : decant_read_arrow_from(&row_record, read_chunk, &source, &options, has_rows ? &rows : NULL,
                                         has_rejects ? &rejects : NULL, NULL);
    if (!check(status == DECANT_OK, "streams with an owner")) return;
    if (has_rejects && next(&rejects, &batch)) batch.release(&batch);
    if (has_rows && has_rejects) {
      if (way == 0) rows.release(&rows);
      if (way == 3) rejects.release(&rejects);
      check(released == 0, "not before both are released");
    }
    if (has_rows && rows.release != NULL) rows.release(&rows);
    if (has_rejects && rejects.release != NULL) rejects.release(&rejects);
    check(released == 1, "once");
  }
}

/* Two columns of one name are refused with both fields, however many there are. */
static void equal_names(void) {
  static decant_field fields[300];
  static char keys[300][8];
  for (int at = 0; at < 300; at++) {
    sprintf(keys[at], "k%d", at);
    fields[at] = (decant_field){.key = keys[at], .kind = DECANT_INT64, .offset = (uint32_t)at * 8};
  }
  decant_record record = {.size = 2400, .fields = fields};
  struct ArrowArrayStream rows;
  for (int count = 2; count <= 300; count += 149) {
    record.field_count = (size_t)count;
    for (int way = 0; way < 2; way++) {
      /* The same key; or a column that is called as another's key is. */
      decant_field *last = &fields[count - 1];
      const decant_field before = *last;
      if (way == 0) last->key = "k0";
      if (way == 1) last->column = "k0";
      decant_error error = DECANT_ERROR_INIT;
      check(decant_read_arrow(&record, "{}", 2, NULL, &rows, NULL, &error) == DECANT_INVALID_RECORD, "one name");
      char expected[128];
      snprintf(expected, sizeof expected,
               "invalid record: field %d (\"%s\"): its column has the same name as that of field 0", count - 1, last->key);
      check_text(error.message, expected);
      *last = before;
    }
    if (check(decant_read_arrow(&record, "{}", 2, NULL, &rows, NULL, NULL) == DECANT_OK, "other names")) rows.release(&rows);
  }
  /* Fields of one key may have columns of their own names. */
  fields[1].key = "k0";
  fields[1].column = "k0_again";
  record.field_count = 2;
  if (check(decant_read_arrow(&record, "{}", 2, NULL, &rows, NULL, NULL) == DECANT_OK, "two names")) rows.release(&rows);
  fields[1].column = "_line";
  decant_options options = DECANT_OPTIONS_INIT;
  options.columns = DECANT_COLUMNS_LINE;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_read_arrow(&record, "{}", 2, &options, &rows, NULL, &error) == DECANT_INVALID_RECORD, "the line's name");
  check_text(error.message, "invalid record: field 1 (\"k0\"): its column has the name of the column of lines");
}

/* A function that returns more than it was asked for, or no number of errno.h. */
static ptrdiff_t returned;
static ptrdiff_t read_wrong(void *context, char *buffer, size_t capacity) {
  int *calls = context;
  if (++*calls == 1) {
    memcpy(buffer, "{\"id\":1}\n", 9);
    return 9;
  }
  return returned > 0 ? (ptrdiff_t)capacity + returned : returned;
}

static void wrong_counts(void) {
  static const ptrdiff_t counts[] = {1, PTRDIFF_MAX / 2, PTRDIFF_MIN, INT32_MIN, (ptrdiff_t)INT32_MIN + 1,
                                     INT32_MIN + 2, -EPIPE, -3, -2, -1};
  for (size_t at = 0; at < sizeof counts / sizeof *counts; at++) {
    int calls = 0;
    returned = counts[at];
    struct ArrowArrayStream rows, rejects;
    struct ArrowArray batch;
    if (!check(decant_read_arrow_from(&row_record, read_wrong, &calls, NULL, &rows, &rejects, NULL) == DECANT_OK,
               "a reader that is wrong"))
      return;
    if (check(next(&rows, &batch) && batch.length == 1, "what is complete")) batch.release(&batch);
    const int number = rows.get_next(&rows, &batch);
    check(number == (returned < 0 && returned > INT32_MIN ? (int)-returned : EIO), "a number of errno.h");
    check(strcmp(rows.get_last_error(&rows), returned > 0
                     ? "the function that reads returned more bytes than it was asked for"
                     : "the input could not be read") == 0,
          "and why");
    check(rejects.get_next(&rejects, &batch) == number, "for rejects, too");
    rows.release(&rows);
    rejects.release(&rejects);
  }
}

#ifndef __wasm__
/* A reader that needs a lock which another thread holds while it uses the other stream, as Python's threads do. */
struct guarded {
  pthread_mutex_t lock;
  pthread_mutex_t place;
  pthread_cond_t moved;
  int reads;
  struct ArrowArrayStream *rows;
  int64_t found;
};

static ptrdiff_t read_guarded(void *context, char *buffer, size_t capacity) {
  struct guarded *guarded = context;
  (void)capacity;
  pthread_mutex_lock(&guarded->place);
  const int read = guarded->reads++;
  pthread_cond_signal(&guarded->moved);
  pthread_mutex_unlock(&guarded->place);
  pthread_mutex_lock(&guarded->lock);
  pthread_mutex_unlock(&guarded->lock);
  static const char json[] = "{\"id\":1}\n{\"id\":[]}\n";
  if (read == 3) return 0;
  memcpy(buffer, json, sizeof json - 1);
  return sizeof json - 1;
}

static void *read_rows(void *context) {
  struct guarded *guarded = context;
  struct ArrowArray batch;
  while (next(guarded->rows, &batch)) guarded->found += batch.length, batch.release(&batch);
  return NULL;
}

static void other_stream_while_reading(void) {
  struct guarded guarded = {.reads = 0, .found = 0};
  pthread_mutex_init(&guarded.lock, NULL);
  pthread_mutex_init(&guarded.place, NULL);
  pthread_cond_init(&guarded.moved, NULL);
  int released = 0;
  decant_options options = DECANT_OPTIONS_INIT;
  options.release = count_release;
  options.release_context = &released;
  struct ArrowArrayStream rows, rejects;
  if (!check(decant_read_arrow_from(&row_record, read_guarded, &guarded, &options, &rows, &rejects, NULL) == DECANT_OK,
             "a reader with a lock"))
    return;
  guarded.rows = &rows;
  pthread_mutex_lock(&guarded.lock);
  pthread_t thread;
  start_thread(&thread, read_rows, &guarded);
  pthread_mutex_lock(&guarded.place);
  while (guarded.reads == 0) pthread_cond_wait(&guarded.moved, &guarded.place);
  pthread_mutex_unlock(&guarded.place);
  /* The other thread is in the reader, and waits for the lock. None of these waits for the other thread. */
  struct ArrowSchema schema;
  check(rejects.get_schema(&rejects, &schema) == 0, "a schema while the reader waits");
  schema.release(&schema);
  check(rejects.get_last_error(&rejects) == NULL, "no failure");
  rejects.release(&rejects);
  check(rejects.release == NULL, "released");
  pthread_mutex_unlock(&guarded.lock);
  pthread_join(thread, NULL);
  check(guarded.found == 3, "all rows");
  check(released == 0, "rows own what they need");
  rows.release(&rows);
  check(released == 1, "until they are released");
  pthread_cond_destroy(&guarded.moved);
  pthread_mutex_destroy(&guarded.place);
  pthread_mutex_destroy(&guarded.lock);
}
#endif

/* The rule of byte order marks is that of streams (lines.c): at the first byte, by either option; and one fault in the first
 * of many documents, lines or elements loses at most one more. */
static void counted(const decant_record *record, const char *json, const decant_options *options, int64_t *rows,
                    int64_t *rejects) {
  struct ArrowArrayStream streams[2];
  int64_t counts[2] = {0, 0};
  check(decant_read_arrow(record, json, strlen(json), options, &streams[0], &streams[1], NULL) == DECANT_OK, "columns");
  for (int at = 0; at < 2; at++) {
    struct ArrowArray batch;
    while (next(&streams[at], &batch)) {
      counts[at] += batch.length;
      batch.release(&batch);
    }
    streams[at].release(&streams[at]);
  }
  *rows = counts[0];
  *rejects = counts[1];
}

static void streams_of_columns(void) {
  static const decant_field fields[] = {{.key = "id", .kind = DECANT_INT64}};
  static const decant_record record = {.size = 8, .fields = fields, .field_count = 1};
  static const char *const starts[] = {"", "\x1e", "", "["}, *const between[] = {"\n", "\n\x1e", "\n", ",\n"};
  static const char *const ends[] = {"\n", "\n", "\n", "]"}, mark[] = "\xef\xbb\xbf";
  for (int form = 0; form < 4; form++) {
    decant_options options = DECANT_OPTIONS_INIT;
    options.framing = form == 3 ? DECANT_LINES : form;
    options.elements_at = form == 3 ? "" : NULL;
    int64_t rows, rejects;
    for (int option = 0; option < 3; option++) {
      for (int place = 0; place < 3; place++) { /* nowhere, at the beginning, before the second document */
        options.skips_byte_order_mark = option == 1;
        options.relaxations = option == 2 ? DECANT_RELAX_BYTE_ORDER_MARK : 0;
        char json[128];
        sprintf(json, "%s%s{\"id\":1}%s%s{\"id\":2}%s%s%s", place == 1 ? mark : "", starts[form], between[form],
                place == 2 ? mark : "", between[form], "{\"id\":3}", ends[form]);
        counted(&record, json, &options, &rows, &rejects);
        const bool is_refused = place == 1 && option == 0, has_none = form == 3 && is_refused;
        /* Before the first separator a mark is a record of its own. */
        const int64_t lost = form == 1 && is_refused ? 0 : has_none ? 3 : rejects;
        check(rejects == (place == 2 || is_refused) && rows == 3 - lost, "a mark");
      }
    }
    static const char *const faults[] = {"{\"id\":[0}", "{\"id\":0", "{\"id\":0]}", "{\"id\":\"0}", "{\"id:0}"};
    for (size_t fault = 0; fault < 5; fault++) {
      static char json[40000];
      size_t length = (size_t)sprintf(json, "%s%s", starts[form], faults[fault]);
      for (int id = 1; id <= 1000; id++) length += (size_t)sprintf(json + length, "%s{\"id\":%d}", between[form], id);
      sprintf(json + length, "%s", ends[form]);
      options.skips_byte_order_mark = 0;
      options.relaxations = 0;
      counted(&record, json, &options, &rows, &rejects);
      if (!check(rows >= 999 && rejects >= 1, "one fault in the first of a thousand"))
        printf("%d %d: %d rows, %d rejects\n", form, (int)fault, (int)rows, (int)rejects);
    }
  }
}

/* Columns of JSON in strings, copied or not; and the place of the field in a reject. */
static void embedded(void) {
  static const decant_field inner[] = {
      {.key = "a", .kind = DECANT_INT64, .offset = 0},
      {.key = "name", .kind = DECANT_STRING, .offset = 8, .flags = DECANT_OPTIONAL}};
  static const decant_record entry = {.size = 16, .fields = inner, .field_count = 2};
  static const decant_field outer[] = {
      {.key = "id", .kind = DECANT_INT64, .offset = 0},
      {.key = "log", .kind = DECANT_RECORD, .offset = 8, .record = &entry, .flags = DECANT_EMBEDDED | DECANT_OPTIONAL},
      {.key = "list", .kind = DECANT_ARRAY, .element = DECANT_INT32, .offset = 24, .length_offset = 32,
       .flags = DECANT_EMBEDDED | DECANT_OPTIONAL}};
  static const decant_record record = {.size = 40, .fields = outer, .field_count = 3};
  static const char json[] =
      "{\"id\":1,\"log\":\"{\\\"a\\\":1,\\\"name\\\":\\\"more than twelve bytes\\\"}\",\"list\":\"[1,2,3]\"}\n"
      "{\"id\":2,\"log\":\"{\\\"a\\\":\\\"x\\\"}\"}\n"
      "{\"id\":3,\"log\":null}\n"
      "{\"id\":4,\"log\":\"{\\\"a\\\":4}\",\"list\":\"[4\"}\n"
      "{\"id\":5,\"log\":\"{\\\"name\\\":\\\"short\\\",\\\"a\\\":5}\",\"list\":\"[]\"}\n";
  for (uint32_t flags = 0; flags < 2; flags++) {
    decant_options options = DECANT_OPTIONS_INIT;
    options.columns = flags == 0 ? 0 : DECANT_COLUMNS_BORROW;
    struct ArrowArrayStream rows, rejects;
    decant_error error = DECANT_ERROR_INIT;
    check(decant_read_arrow(&record, json, strlen(json), &options, &rows, &rejects, &error) == DECANT_OK, "columns");
    struct ArrowArray batch, refused;
    check(next(&rows, &batch) && batch.length == 3, "rows");
    const struct ArrowArray *log = batch.children[1], *list = batch.children[2];
    check(is_null(log, 1) && !is_null(log, 0) && ((const int64_t *)log->children[0]->buffers[1])[2] == 5, "a record");
    check(is_view(log->children[1], 0, "more than twelve bytes") && is_view(log->children[1], 2, "short"), "its texts");
    const int32_t *ends = list->buffers[1];
    check(ends[1] == 3 && ends[3] == 3 && ((const int32_t *)list->children[0]->buffers[1])[2] == 3, "a list");
    batch.release(&batch);
    check(next(&rejects, &refused) && refused.length == 2, "rejects");
    check(is_text(refused.children[3], 0, "/log") && is_text(refused.children[3], 1, "/list"), "the paths of the fields");
    check(is_text(refused.children[5], 0,
                  "in the inner document, 1:6: /a: expected an integer, found the string \"x\""),
          "the inner place");
    refused.release(&refused);
    rows.release(&rows);
    rejects.release(&rejects);
  }
}

int main(void) {
  named_columns();
  null_elements();
  times();
  owned();
  equal_names();
  wrong_counts();
#ifndef __wasm__
  other_stream_while_reading();
#endif
  every_kind();
  taken_back();
  for (uint32_t columns = 0; columns < 5; columns += columns == 0 ? 2 : columns) {
    like_structs(columns);
    lines_in_order(columns | DECANT_COLUMNS_LINE);
  }
  aliases();
  values_of_names();
  keys_of_maps();
  raw_text();
  for (int64_t size = 0; size < 5; size++) {
    for (uint32_t columns = 0; columns < 5; columns += columns == 0 ? 2 : columns) {
      some_rows(size, columns, false);
      some_rows(size, columns, true);
    }
    for (int64_t most = 1; most < 6; most++) {
      first_rows(most, size, false);
      first_rows(most, size, true);
    }
  }
  dropped();
  refused();
  failing_memory();
  promised();
  chunks();
  framings();
  around();
  many_rows();
  embedded();
  streams_of_columns();
  pieces_on_threads();
  return check_end();
}
