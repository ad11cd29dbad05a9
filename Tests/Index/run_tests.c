// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Runs of plain values into structs (decant_runs.h), against what libc makes of the same texts, and of structs into text.
// Documents, blocks and texts are in memory of exactly their size, so that sanitizers see every byte too many; what a run
// leaves, because it is near the end, or not plain, has to be where the run says that it stopped.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decant_numbers.h"
#include "decant_runs.h"
#include "failure.h"

static long checks, failures;

static void expect(bool holds, const char *what, const char *json) {
  checks++;
  if (holds) return;
  if (++failures <= 20) printf("failed: %s: %s\n", what, json);
  after_failure();
}

static uint64_t state = 88172645463325252u;

static uint64_t below(uint64_t limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % limit;
}

struct inner {
  int8_t small;
  float single;
};

struct outer {
  int64_t integer;
  double real;
  struct {
    const char *bytes;
    size_t length;
  } text;
  struct inner inner;
  double *reals;
  size_t real_count;
  uint32_t natural;
  bool flag, has_flag;
};

#define STEP(type, field, what, ...)                                                         \
  {                                                                                          \
    .name = (const uint8_t *)",\"" #field "\":" + 2, .offset = offsetof(struct type, field), \
    .kind = (what), .run = (what), .is_member = true, __VA_ARGS__                            \
  }
static decant_field_step inner_steps[] = {STEP(inner, small, DECANT_RUN_INT8, .element = 0),
                                          STEP(inner, single, DECANT_RUN_FLOAT, .element = 0)};
static const decant_record_steps inner_record = {inner_steps, 2,     sizeof(struct inner),
                                                 false,       false, true};
static decant_field_step outer_steps[] = {
    STEP(outer, integer, DECANT_RUN_INT64, .is_optional = true),
    STEP(outer, real, DECANT_RUN_DOUBLE, .is_optional = true),
    STEP(outer, text, DECANT_RUN_TEXT, .is_optional = true),
    STEP(outer, inner, DECANT_RUN_RECORD, .record = &inner_record),
    STEP(outer, reals, DECANT_RUN_ARRAY, .element = DECANT_RUN_DOUBLE, .shift = 3,
         .length_offset = offsetof(struct outer, real_count)),
    STEP(outer, natural, DECANT_RUN_UINT32, .is_optional = true),
    STEP(outer, flag, DECANT_RUN_BOOL, .presence_offset = offsetof(struct outer, has_flag))};
enum { FIELDS = sizeof outer_steps / sizeof outer_steps[0] };
static const decant_record_steps outer_record = {outer_steps, FIELDS, sizeof(struct outer),
                                                 false,       false,  true};

// Records of an array, of which some hold others, also as arrays of arrays.
struct row {
  double *numbers;
  size_t count;
};
struct item {
  int64_t id;
  const char *name;
  struct inner at;
  struct row *rows;
  size_t row_count;
  struct inner *parts;
  size_t part_count;
  bool flag, has_flag;
};
static decant_field_step row_steps[] = {{.name = (const uint8_t *)",\"\":" + 2,
                                         .key = {.length = UINT32_MAX},
                                         .run = DECANT_RUN_ARRAY,
                                         .element = DECANT_RUN_DOUBLE,
                                         .shift = 3,
                                         .is_itself = true,
                                         .length_offset = offsetof(struct row, count)}};
static const decant_record_steps row_record = {row_steps, 1, sizeof(struct row), true, true, true};
static decant_field_step item_steps[] = {
    STEP(item, id, DECANT_RUN_INT64, .is_optional = true, .may_lack = true),
    STEP(item, name, DECANT_RUN_STRING, .is_optional = true, .may_lack = true),
    STEP(item, at, DECANT_RUN_RECORD, .record = &inner_record),
    STEP(item, rows, DECANT_RUN_RECORDS, .record = &row_record, .shift = 3,
         .length_offset = offsetof(struct item, row_count)),
    STEP(item, parts, DECANT_RUN_RECORDS, .record = &inner_record, .shift = 2, .is_optional = true,
         .may_lack = true, .length_offset = offsetof(struct item, part_count)),
    STEP(item, flag, DECANT_RUN_BOOL, .is_optional = true, .may_lack = true,
         .presence_offset = offsetof(struct item, has_flag))};
enum { ITEM_FIELDS = sizeof item_steps / sizeof item_steps[0] };
static const decant_record_steps item_record = {item_steps, ITEM_FIELDS, sizeof(struct item),
                                                false,      false,       true};

// What runs leave to the reader.
static size_t store_doubles(const decant_context *context, uint64_t node, size_t count,
                            void *place) {
  (void)count;
  const double real =
      strtod((const char *)context->text + decant_slot_offset(context->slots[node]), NULL);
  memcpy(place, &real, sizeof real);
  return 1;
}

static void make_keys(decant_field_step *steps, size_t count) {
  for (size_t at = 0; at < count; at++)
    steps[at].key =
        decant_key_step_make(steps[at].name, strcspn((const char *)steps[at].name, "\""));
}

// A number of some digits, with a fraction if `places` are allowed.
static size_t add_number(char *to, size_t digits, size_t places, bool may_be_negative) {
  uint64_t most = 1;
  for (size_t digit = below(digits) + 1; digit > 0; digit--) most *= 10;
  size_t length = (size_t)sprintf(to, "%s%llu", may_be_negative && below(2) != 0 ? "-" : "",
                                  (unsigned long long)below(most));
  if (places == 0 || below(4) == 0) return length;
  to[length++] = '.';
  for (size_t place = below(places) + 1; place > 0; place--) to[length++] = (char)('0' + below(10));
  to[length] = 0;
  return length;
}

// A text and what it spells.
static size_t add_text(char *to, char *spelt) {
  static const char *const parts[][2] = {{"a", "a"},
                                         {"text", "text"},
                                         {"\\n", "\n"},
                                         {"\\\"", "\""},
                                         {"\\u0041", "A"},
                                         {"\xC3\xA9", "\xC3\xA9"},
                                         {"\\u00e9", "\xC3\xA9"},
                                         {"longer than eight", "longer than eight"}};
  size_t length = 0;
  *spelt = 0;
  const size_t kinds = below(4) == 0 ? 8 : 2;
  for (size_t part = below(16); part > 0; part--) {
    const size_t which = below(kinds);
    length += (size_t)sprintf(to + length, "%s", parts[which][0]);
    strcat(spelt, parts[which][1]);
  }
  return length;
}

static void check_document(const char *kernel) {
  char json[4096] = "", numbers[4][64], reals[16][64], spelt[512] = "";
  const bool is_padded = below(2) != 0, is_null = below(8) == 0;
  const size_t count = below(12);
  size_t length = 0;
  add_number(numbers[0], 18, 0, true);
  add_number(numbers[1], 9, 6, true);
  add_number(numbers[2], 3, 0, true);
  add_number(numbers[3], 4, 3, true);
  // Members up to any, so that a value of each kind is at the end of some document.
  const size_t members = below(3) == 0 ? below(FIELDS) + 1 : FIELDS;
  const uint64_t natural = below(1ull << 33);
  for (size_t member = 0; member < members; member++) {
    char *const to = json + length;
    const char *const comma = member > 0 ? "," : "{";
    switch (member) {
      case 0:
        length += (size_t)sprintf(to, "%s\"integer\":%s", comma, is_null ? "null" : numbers[0]);
        break;
      case 1: length += (size_t)sprintf(to, "%s\"real\":%s", comma, numbers[1]); break;
      case 2:
        length += (size_t)sprintf(to, "%s\"text\":\"", comma);
        length += add_text(json + length, spelt);
        json[length++] = '"';
        break;
      case 3:
        length += (size_t)sprintf(to, "%s\"inner\":{\"small\":%s,\"single\":%s}", comma, numbers[2],
                                  numbers[3]);
        break;
      case 4:
        length += (size_t)sprintf(to, "%s\"reals\":[", comma);
        for (size_t at = 0; at < count; at++) {
          add_number(reals[at], 7, 7, true);
          length += (size_t)sprintf(json + length, "%s%s", at > 0 ? "," : "", reals[at]);
        }
        json[length++] = ']';
        break;
      case 5:
        length += (size_t)sprintf(to, "%s\"natural\":%llu", comma, (unsigned long long)natural);
        break;
      default: length += (size_t)sprintf(to, "%s\"flag\":true", comma);
    }
  }
  if (is_padded)
    length +=
        (size_t)sprintf(json + length, ",\"other\":\"that is behind what the table asks for\"");
  length += (size_t)sprintf(json + length, "}");

  uint8_t *const text = malloc(length);
  memcpy(text, json, length);
  decant_context context;
  memset(&context, 0, sizeof context);
  context.text = text;
  context.length = length;
  context.rules.maximum_depth = 64;
  context.rules.maximum_bytes = UINT64_MAX;
  expect(decant_index_build_with(kernel, &context) == DECANT_INDEX_OK, "valid", json);
  const size_t size = below(4) == 0 ? below(200) : length + 8 * count + 64;
  uint8_t *const block = malloc(size != 0 ? size : 1);
  decant_struct_run run = {{block, block + size, NULL}, store_doubles};
  decant_nesting nesting = {0, 32, 0, 4096};
  struct outer out;
  memset(&out, 0, sizeof out);
  size_t field = 0;
  uint64_t key = 2;
  decant_run_members(&run, &nesting, &context, &outer_record, &field, &key,
                     decant_slot_high(context.slots[0]) & DECANT_NEXT, &out);
  if (field < members) {
    expect(decant_key_step_is_at(&context, key, outer_steps[field].key, outer_steps[field].name),
           "it stops at a field", json);
  }
  expect(run.block.next <= run.block.end, "the block", json);
  if (field > 0)
    expect(out.integer == (is_null ? 0 : strtoll(numbers[0], NULL, 10)), "an integer", json);
  if (field > 1) {
    const double real = strtod(numbers[1], NULL);
    expect(memcmp(&out.real, &real, sizeof real) == 0, "a real", json);
  }
  if (field > 2) {
    expect(
        out.text.length == strlen(spelt) && memcmp(out.text.bytes, spelt, out.text.length + 1) == 0,
        "a text", json);
  }
  if (field > 3) {
    const float single = strtof(numbers[3], NULL);
    expect(out.inner.small == atoi(numbers[2]) &&
               memcmp(&out.inner.single, &single, sizeof single) == 0,
           "a record", json);
    expect(nesting.records == 1 && nesting.depth == 0, "records are counted", json);
  } else {
    expect(nesting.records == 0, "a record that is left does not count", json);
  }
  if (field > 4) {
    expect(out.real_count == count && (uintptr_t)out.reals % 8 == 0, "an array", json);
    for (size_t at = 0; at < count; at++) {
      const double real = strtod(reals[at], NULL);
      expect(memcmp(&out.reals[at], &real, sizeof real) == 0, "an element", json);
    }
  }
  if (field > 5) expect(natural <= UINT32_MAX && out.natural == natural, "a natural number", json);
  expect(out.has_flag == (field > 6) && out.flag == (field > 6), "a presence", json);
  // Far from the document's end, with space, everything plain is taken; but reals, where quotients are rounded twice.
  const bool is_plain = strlen(is_null ? "" : numbers[0]) <= 16 && is_padded &&
                        natural <= UINT32_MAX && atoi(numbers[2]) >= INT8_MIN &&
                        atoi(numbers[2]) <= INT8_MAX;
  if (DECANT_ROUNDS_ONCE && is_plain && size > length)
    expect(field == members, "all plain values", json);
  free(block);
  decant_index_discard(&context);
  free(text);
}

// MARK: Records

// An item as it is written, and the same with other members, in another order.
struct texts {
  char written[1 << 16], read[1 << 16];
  size_t written_length, read_length;
};

static void add_both(struct texts *texts, const char *text) {
  texts->written_length += (size_t)sprintf(texts->written + texts->written_length, "%s", text);
  texts->read_length += (size_t)sprintf(texts->read + texts->read_length, "%s", text);
}

static void add_others(struct texts *texts) {
  static const char *const others[] = {"\"other\":[1,{\"id\":2}],", "\"x\":null,",
                                       "\"names\":\"id\",", "\"\":{},"};
  while (below(4) == 0)
    texts->read_length += (size_t)sprintf(texts->read + texts->read_length, "%s", others[below(4)]);
}

static void make_inner(char *to) {
  sprintf(to, "{\"small\":%d,\"single\":%d.5}", (int)below(256) - 128, (int)below(100));
}

// Members of an item, each "" if the item has none of the kind.
static void make_members(char members[ITEM_FIELDS][2048]) {
  for (size_t at = 0; at < ITEM_FIELDS; at++) members[at][0] = 0;
  const uint64_t id = below(1ull << below(60));
  if (id != 0)
    sprintf(members[0], "\"id\":%s%llu", below(2) != 0 ? "-" : "", (unsigned long long)id);
  if (below(4) != 0) {
    char *to = members[1] + sprintf(members[1], "\"name\":\"");
    for (uint64_t left = below(80); left > 0; left--)
      to += sprintf(to, "%s", below(40) == 0 ? "\\n" : below(40) == 0 ? "\xC3\xA9" : "a");
    sprintf(to, "\"");
  }
  make_inner(members[2] + sprintf(members[2], "\"at\":"));
  char *to = members[3] + sprintf(members[3], "\"rows\":[");
  for (uint64_t rows = below(4); rows > 0; rows--) {
    to += sprintf(to, "[");
    for (uint64_t left = below(4); left > 0; left--)
      to += sprintf(to, "%s%s", below(2) != 0 ? "65.61361699999998" : "-1.25", left > 1 ? "," : "");
    to += sprintf(to, "]%s", rows > 1 ? "," : "");
  }
  sprintf(to, "]");
  to = members[4];
  const uint64_t count = below(4);
  for (uint64_t part = 0; part < count; part++) {
    to += sprintf(to, "%s", part == 0 ? "\"parts\":[" : ",");
    make_inner(to);
    to += strlen(to);
  }
  if (count > 0) sprintf(to, "]");
  if (below(2) != 0) sprintf(members[5], "\"flag\":%s", below(2) != 0 ? "true" : "false");
}

static void add_item(struct texts *texts, bool is_mixed) {
  char members[ITEM_FIELDS][2048];
  size_t order[ITEM_FIELDS];
  make_members(members);
  for (size_t at = 0; at < ITEM_FIELDS; at++) order[at] = at;
  for (size_t at = 0; is_mixed && at < ITEM_FIELDS; at++) {
    const size_t other = below(ITEM_FIELDS), kept = order[at];
    order[at] = order[other];
    order[other] = kept;
  }
  add_both(texts, "{");
  for (size_t at = 0; at < ITEM_FIELDS; at++) {
    if (is_mixed) add_others(texts);
    if (members[at][0] != 0)
      texts->written_length +=
          (size_t)sprintf(texts->written + texts->written_length, "%s,", members[at]);
    if (members[order[at]][0] != 0)
      texts->read_length +=
          (size_t)sprintf(texts->read + texts->read_length, "%s,", members[order[at]]);
  }
  texts->written_length -= texts->written[texts->written_length - 1] == ',';
  texts->read_length -= texts->read[texts->read_length - 1] == ',';
  add_both(texts, "}");
}

// Writes structs into a text of some capacity.
static void check_written(const struct item *items, size_t count, const struct texts *texts,
                          const size_t *ends, size_t capacity) {
  uint8_t *const text = malloc(capacity + 1);
  memset(text, '#', capacity + 1);
  decant_text_run run = {text, text + capacity, '['};
  const size_t written = decant_run_write_records(&run, &item_record, items, count, 32);
  const size_t length = (size_t)(run.next - text);
  expect(length == ends[written] && memcmp(text, texts->written, length) == 0, "it is written",
         texts->written);
  expect(written <= count && text[capacity] == '#', "no byte too many", texts->written);
  // Numbers of any length are in space for the longest.
  if (capacity > ends[count] + 64) {
    expect(written == count, "all is written", texts->written);
    for (size_t at = length; at <= capacity; at++)
      expect(text[at] == '#', "no byte behind it", texts->written);
  }
  free(text);
}

static void check_records(const char *kernel) {
  static struct texts texts;
  static size_t ends[32];
  const bool is_mixed = below(2) != 0;
  const size_t count = below(20) + 1;
  texts.written_length = texts.read_length = 0;
  ends[0] = 0;
  for (size_t at = 0; at < count; at++) {
    add_both(&texts, at == 0 ? "[" : ",");
    add_item(&texts, is_mixed && below(3) != 0);
    ends[at + 1] = texts.written_length;
  }
  // Padding, so that nothing is near the end.
  texts.read_length += (size_t)sprintf(texts.read + texts.read_length, "%60s]", "");
  uint8_t *const json = malloc(texts.read_length);
  memcpy(json, texts.read, texts.read_length);
  decant_context context;
  memset(&context, 0, sizeof context);
  context.text = json;
  context.length = texts.read_length;
  context.rules.maximum_depth = 64;
  context.rules.maximum_bytes = UINT64_MAX;
  expect(decant_index_build_with(kernel, &context) == DECANT_INDEX_OK, "valid", texts.read);
  const size_t size = 4 * texts.read_length;
  uint8_t *const block = malloc(size);
  struct item *const items = calloc(count, sizeof *items);
  decant_struct_run run = {{block, block + size, NULL}, store_doubles};
  decant_nesting nesting = {0, 32, 0, 4096};
  uint64_t node = 2;
  const size_t read =
      decant_run_records(&run, &nesting, &context, &item_record, &node, count, items);
  // Where a quotient is rounded twice, a run ends at the first real.
  expect(read == count || (!DECANT_ROUNDS_ONCE && read < count), "all records", texts.read);
  if (read == count) {
    check_written(items, count, &texts, ends, texts.written_length + 65);
    check_written(items, count, &texts, ends, below(texts.written_length + 1));
    check_written(items, count, &texts, ends, texts.written_length);
  }
  // In less space it stops at an item, which is counted no more.
  run.block = (decant_block_run){block, block + below(size), NULL};
  nesting = (decant_nesting){0, 32, 0, 4096};
  memset(items, 0, count * sizeof *items);
  node = 2;
  const size_t less =
      decant_run_records(&run, &nesting, &context, &item_record, &node, count, items);
  if (less < count) {
    uint64_t wanted = 2;
    size_t records = 0;
    for (size_t at = 0; at < less; at++) {
      wanted = decant_slot_after(context.slots, wanted);
      records += 2 + items[at].row_count + items[at].part_count;
    }
    expect(node == wanted, "it stops at a record", texts.read);
    expect(nesting.records == records, "records that are left do not count", texts.read);
  }
  free(items);
  free(block);
  decant_index_discard(&context);
  free(json);
}

// Lines in columns: what is added without slots is what a run adds from slots, and the other lines are left to be linked.

enum { SHEET_FIELDS = 9, SHEET_ROWS = 24 };

#define KEY(key, what, ...)                                                      \
  {                                                                              \
    .name = (const uint8_t *)",\"" key "\":" + 2, .kind = (what), .run = (what), \
    .is_member = true, __VA_ARGS__                                               \
  }
static decant_field_step part_steps[] = {KEY("n", DECANT_RUN_INT16, .element = 0),
                                         KEY("t", DECANT_RUN_UTF8, .element = 0)};
static const decant_record_steps part_record = {part_steps, 2, 0, false, false, true};
static decant_field_step sheet_steps[] = {KEY("id", DECANT_RUN_INT64, .element = 0),
                                          KEY("a longer key", DECANT_RUN_DOUBLE, .element = 0),
                                          KEY("part", DECANT_RUN_RECORD, .record = &part_record),
                                          KEY("l", DECANT_RUN_ARRAY, .element = DECANT_RUN_DOUBLE),
                                          KEY("t", DECANT_RUN_ARRAY, .element = DECANT_RUN_UTF8),
                                          KEY("s", DECANT_RUN_VIEW, .element = 0),
                                          KEY("b", DECANT_RUN_BOOL, .element = 0),
                                          KEY("at", DECANT_RUN_TIME, .element = 0),
                                          KEY("d", DECANT_RUN_DECIMAL, .element = 0)};
static const decant_record_steps sheet_record = {sheet_steps, SHEET_FIELDS, 0, false, false, true};

// The columns of a record, and the lines that did not become rows.
struct sheet {
  decant_column root, fields[SHEET_FIELDS], part[2], elements[2];
  size_t left[2 * SHEET_ROWS], left_count, lines;
};

static void make_column(decant_column *column, uint8_t kind, size_t rows, size_t text) {
  *column = (decant_column){.capacity = rows, .kind = kind, .scale = 3, .precision = 9};
  column->values = calloc(rows + 1, 16);
  column->text = malloc(text);
  column->text_capacity = text;
}

static void make_sheet(struct sheet *sheet, size_t rows, size_t elements, size_t text) {
  memset(sheet, 0, sizeof *sheet);
  sheet->root = (decant_column){.capacity = rows,
                                .children = sheet->fields,
                                .record = &sheet_record,
                                .kind = DECANT_RUN_RECORD};
  for (size_t at = 0; at < SHEET_FIELDS; at++)
    make_column(&sheet->fields[at], sheet_steps[at].kind, rows, text);
  for (size_t at = 0; at < 2; at++) {
    make_column(&sheet->part[at], part_steps[at].kind, rows, text);
    make_column(&sheet->elements[at], sheet_steps[3 + at].element, elements, text);
    sheet->fields[3 + at].children = &sheet->elements[at];
  }
  sheet->fields[2].children = sheet->part;
  sheet->fields[2].record = &part_record;
}

static void free_sheet(struct sheet *sheet) {
  for (decant_column *column = sheet->fields; column < sheet->elements + 2; column++) {
    free(column->values);
    free(column->text);
  }
}

static void cut_column(decant_column *column, size_t rows) {
  const int32_t *ends = (const int32_t *)(const void *)column->values;
  column->count = rows;
  if (column->kind == DECANT_RUN_UTF8) column->text_count = (size_t)ends[rows];
  if (column->kind == DECANT_RUN_ARRAY) cut_column(column->children, (size_t)ends[rows]);
  if (column->kind != DECANT_RUN_VIEW) return;
  column->text_count = 0;
  for (size_t row = 0; row < rows; row++)
    if (ends[4 * row] > 12) column->text_count = (size_t)(ends[4 * row + 3] + ends[4 * row]);
}

static void cut_sheet(struct sheet *sheet) {
  for (size_t at = 0; at < SHEET_FIELDS; at++) cut_column(&sheet->fields[at], sheet->root.count);
  for (size_t at = 0; at < 2; at++) cut_column(&sheet->part[at], sheet->root.count);
}

static bool same_rows(const decant_column *a, const decant_column *b) {
  static const uint8_t widths[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
  const size_t width = a->kind == DECANT_RUN_UTF8 || a->kind == DECANT_RUN_ARRAY     ? 4
                       : a->kind == DECANT_RUN_VIEW || a->kind == DECANT_RUN_DECIMAL ? 16
                       : a->kind == DECANT_RUN_TIME                                  ? 8
                       : a->kind == DECANT_RUN_RECORD                                ? 0
                                                      : widths[a->kind];
  return a->count == b->count && a->text_count == b->text_count &&
         memcmp(a->values, b->values, width * (a->count + (width == 4))) == 0 &&
         (a->text_count == 0 || memcmp(a->text, b->text, a->text_count) == 0);
}

static void read_sheet(struct sheet *sheet, const char *kernel, const uint8_t *text, size_t length,
                       bool takes_lines) {
  decant_context context;
  memset(&context, 0, sizeof context);
  context.rules.maximum_depth = 64;
  context.rules.maximum_bytes = UINT64_MAX;
  void *const memory = malloc(decant_line_index_size(&context.rules));
  decant_line_index *const index = decant_line_index_make(memory, kernel);
  decant_line_index_begin(index, text, length);
  const decant_columns columns = {text + length, NULL, 0, sizeof(decant_column)};
  for (decant_line line;; decant_line_index_end_line(&context)) {
    if (takes_lines) {
      decant_column_lines lines = {.most_rows = sheet->root.capacity - sheet->root.count,
                                   .most_line = SIZE_MAX,
                                   .most_bytes = SIZE_MAX,
                                   .look = SIZE_MAX};
      decant_columns_add_lines(index, &columns, &sheet->root, &lines);
      sheet->lines += lines.lines;
      if (lines.is_stopped) cut_sheet(sheet);
    }
    const bool is_line = decant_line_index_next(index, &context, &line);
    sheet->lines += line.blanks;
    if (!is_line) break;
    sheet->lines++;
    // A line may be read by itself because of another one.
    decant_context alone = context;
    decant_context *const read = line.is_linked ? &context : &alone;
    size_t field = 0;
    uint64_t key = 2;
    if (!line.is_linked) {
      memset(&alone, 0, sizeof alone);
      alone.text = text + line.start;
      alone.length = line.end - line.start;
      alone.rules = context.rules;
    }
    if ((line.is_linked || decant_index_build_with(kernel, &alone) == DECANT_INDEX_OK) &&
        sheet->root.count < sheet->root.capacity &&
        decant_slot_high(read->slots[0]) >= DECANT_OBJECT) {
      decant_nesting nesting = {0, 32, 0, 4096};
      decant_columns_fill(&columns, &nesting, read, &sheet->root, &field, &key,
                          decant_slot_high(read->slots[0]) & DECANT_NEXT);
      sheet->root.count += field == SHEET_FIELDS;
      cut_sheet(sheet);
    }
    if (!line.is_linked) decant_index_discard(&alone);
    if (field != SHEET_FIELDS) sheet->left[sheet->left_count++] = line.start;
  }
  free(memory);
}

static size_t add_line(char *to) {
  char *at = to, spelt[512];
  at += sprintf(at, "{\"id\":");
  at += add_number(at, 18, below(30) == 0 ? 2 : 0, true);
  at += sprintf(at, ",\"a longer key\":");
  at += add_number(at, 6, 4, true);
  at += sprintf(at, "%s,\"part\":{\"n\":", below(20) == 0 ? "e2" : "");
  at += add_number(at, 4, 0, true);
  at += sprintf(at, ",\"t\":\"");
  at += add_text(at, spelt);
  at += sprintf(at, "\"},\"l\":[");
  for (size_t count = below(6), left = count; left > 0; left--) {
    if (left != count) *at++ = ',';
    at += add_number(at, 4, 3, below(9) == 0);
  }
  at += sprintf(at, "],\"t\":[");
  for (size_t count = below(4), left = count; left > 0; left--) {
    at += sprintf(at, "%s\"", left != count ? "," : "");
    at += add_text(at, spelt);
    *at++ = '"';
  }
  at += sprintf(at, "],\"s\":\"");
  at += add_text(at, spelt);
  at += sprintf(at, "\",\"b\":%s,\"at\":\"2026-01-%02dT03:04:05.678Z\",\"d\":",
                below(2) != 0 ? "true" : "false", (int)below(28) + 1);
  at += add_number(at, 5, 3, true);
  if (below(20) == 0) at += sprintf(at, ",\"more\":null");
  return (size_t)(at + sprintf(at, "%s}", below(9) == 0 ? " " : "") - to);
}

static void check_lines(const char *kernel) {
  static char made[SHEET_ROWS * 4096];
  static struct sheet sheets[2];
  static const char bytes[] = "\"\\{}[],: 0190-+.eEtfnu\x01\x80\n";
  size_t length = 0;
  for (size_t lines = below(SHEET_ROWS) + 1; lines > 0; lines--) {
    const size_t first = length;
    if (below(8) == 0) made[length++] = '\n';
    length += add_line(made + length);
    // One byte is another, or is gone.
    if (below(3) == 0) {
      char *const place = made + first + below(length - first);
      if (below(2) != 0) {
        *place = bytes[below(sizeof bytes - 1)];
      } else {
        memmove(place, place + 1, (size_t)(made + length-- - place) - 1);
      }
    }
    if (lines > 1 || below(2) != 0) made[length++] = '\n';
  }
  uint8_t *const text = malloc(length);
  memcpy(text, made, length);
  made[length] = 0;
  // Where there is not enough space, lines are left, too.
  const size_t rows = below(4) == 0 ? below(SHEET_ROWS) + 1 : 2 * SHEET_ROWS;
  const size_t elements = below(4) == 0 ? below(3 * SHEET_ROWS) + 1 : 8 * SHEET_ROWS;
  const size_t space = below(4) == 0 ? below(64 * SHEET_ROWS) + 1 : sizeof made;
  for (int of = 0; of < 2; of++) {
    make_sheet(&sheets[of], rows, elements, space);
    read_sheet(&sheets[of], kernel, text, length, of == 1);
  }
  const struct sheet *const a = &sheets[0], *const b = &sheets[1];
  bool same = a->root.count == b->root.count && a->lines == b->lines &&
              a->left_count == b->left_count &&
              memcmp(a->left, b->left, a->left_count * sizeof *a->left) == 0;
  for (size_t at = 0; same && at < SHEET_FIELDS; at++)
    same = same_rows(&a->fields[at], &b->fields[at]);
  for (size_t at = 0; same && at < 2; at++)
    same = same_rows(&a->part[at], &b->part[at]) && same_rows(&a->elements[at], &b->elements[at]);
  expect(same, "lines in columns", made);
  for (int of = 0; of < 2; of++) free_sheet(&sheets[of]);
  free(text);
}

int main(int count, char **arguments) {
  if (count > 1 && arguments[1][0] != '-') state += strtoull(arguments[1], NULL, 10);
  const bool is_quick = count > 1 && strcmp(arguments[1], "--quick") == 0;
  make_keys(inner_steps, 2);
  make_keys(outer_steps, FIELDS);
  make_keys(item_steps, ITEM_FIELDS);
  make_keys(part_steps, 2);
  make_keys(sheet_steps, SHEET_FIELDS);
  const decant_rules rules = {.maximum_depth = 64};
  const bool has_lines = decant_line_index_size(&rules) != 0;
  const char *kernel;
  for (size_t at = 0; (kernel = decant_index_kernel_name(at)) != NULL; at++)
    for (int round = 0; round < (is_quick ? 1000 : 20000); round++) {
      check_document(kernel);
      if (round % 8 == 0) check_records(kernel);
      if (round % 8 == 4 && has_lines && strcmp(kernel, "scalar") != 0) check_lines(kernel);
    }
  printf("%ld passed, %ld failed\n", checks - failures, failures);
  return failures != 0;
}
