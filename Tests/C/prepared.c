/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Prepared tables: whatever a document is, decoding and encoding by one come to what they come to by the table itself.
 */
#include "check.h"

#ifdef WITHOUT_JANSSON
enum { ENGINES = 1 };
#else
enum { ENGINES = 2 };
#endif

struct point {
  int32_t x, y;
};
struct item {
  const char *sku;
  int64_t count;
};
struct order {
  int64_t id;
  const char *name;
  double score;
  bool is_paid;
  struct point at;
  struct item *items;
  size_t item_count;
  const char **tags;
  size_t tag_count;
  int32_t level;
  int8_t small;
  decant_text last;
  bool has_last;
  void *storage;
};

static const decant_name levels[] = {{"low", 1}, {"high", 2}, {NULL, 0}};
static const char *const others[] = {"eman", "Name2", NULL};

static const decant_field point_fields[] = {
    DECANT_FIELD(struct point, x), DECANT_FIELD(struct point, y, .flags = DECANT_OPTIONAL)};
static const decant_record point = DECANT_TABLE(struct point, point_fields);
static const decant_field item_fields[] = {
    DECANT_FIELD(struct item, sku), DECANT_FIELD(struct item, count, .flags = DECANT_OPTIONAL)};
static const decant_record item = DECANT_TABLE(struct item, item_fields);

#define FIELDS(name_options, key_of_id)                                                              \
  {                                                                                                  \
    DECANT_FIELD(struct order, id, .key = key_of_id), name_options,                                  \
        DECANT_FIELD(struct order, score, .flags = DECANT_OPTIONAL),                                 \
        DECANT_FIELD(struct order, is_paid, .key = "paid", .flags = DECANT_OPTIONAL),                \
        DECANT_FIELD_AS(struct order, at, DECANT_RECORD, .record = &point, .flags = DECANT_OPTIONAL), \
        DECANT_FIELD_AS(struct order, items, DECANT_ARRAY, .element = DECANT_RECORD, .record = &item, \
                        .flags = DECANT_OPTIONAL, DECANT_COUNT(struct order, item_count)),           \
        DECANT_FIELD(struct order, tags, DECANT_COUNT(struct order, tag_count), .flags = DECANT_OPTIONAL), \
        DECANT_FIELD_AS(struct order, level, DECANT_ENUM, .names = levels, .flags = DECANT_OPTIONAL), \
        DECANT_FIELD(struct order, small, .flags = DECANT_OPTIONAL),                                 \
        DECANT_FIELD(struct order, last, .flags = DECANT_OPTIONAL, DECANT_PRESENCE(struct order, has_last)) \
  }
#define NAME(...) DECANT_FIELD(struct order, name, __VA_ARGS__)
static const decant_field fields[] = FIELDS(NAME(.flags = DECANT_OPTIONAL), "id");
static const decant_field fields_with_others[] =
    FIELDS(NAME(.flags = DECANT_OPTIONAL, .other_keys = others), "the key of the order");
static const decant_field repeated_fields[] = FIELDS(NAME(.key = "id2", .flags = DECANT_OPTIONAL), "id");
static const decant_field escaped_fields[] = FIELDS(NAME(.key = "n\"ame", .flags = DECANT_OPTIONAL), "\303\244");
#define TABLE(name, rows, ...) \
  static const decant_record name = \
      DECANT_TABLE(struct order, rows, .storage_offset = offsetof(struct order, storage), __VA_ARGS__)
TABLE(order, fields, .flags = 0);
TABLE(closed, fields, .flags = DECANT_CLOSED);
TABLE(any_case, fields, .flags = DECANT_ANY_CASE);
TABLE(with_others, fields_with_others, .flags = 0);
TABLE(repeated, repeated_fields, .flags = 0);
TABLE(escaped, escaped_fields, .flags = 0);
static const struct order usual = {.name = "usual", .score = 1.5, .level = 2, .last = {"of old", 6}, .has_last = true};
TABLE(with_defaults, fields, .defaults = &usual);
static const decant_record *const tables[] = {&order,    &closed,  &any_case,     &with_others,
                                              &repeated, &escaped, &with_defaults};
enum { TABLES = sizeof tables / sizeof *tables };

static uint64_t state = 88172645463325252u;
static uint32_t below(uint32_t count) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 33) % count;
}

/* A document: members of the table and others, in some order. */
static char text[1 << 16];
static size_t length;
static void add(const char *what) {
  const size_t size = strlen(what);
  memcpy(text + length, what, size);
  length += size;
}

static void add_member(const char *key, const char *value) {
  if (text[length - 1] != '{') add(",");
  add("\"");
  add(key);
  add(below(8) == 0 ? "\" : " : "\":");
  add(value);
}

static const char *any(const char *const *values, uint32_t count) { return values[below(count)]; }

/* A value that mostly is what a key should have. */
static void add_any(const char *key, const char *const *values, uint32_t count) {
  static const char *const wrong[] = {"null", "[1,{\"a\":2}]", "\"x\"",  "1.5",       "{\"id\":\"a\"}",
                                      "200",  "[{}]",          "{\"y\":1}", "\"other\"", "9223372036854775808"};
  add_member(key, below(80) == 0 ? any(wrong, 10) : any(values, count));
}

#define ANY(key, ...)                                         \
  do {                                                        \
    static const char *const values[] = {__VA_ARGS__};        \
    add_any(key, values, sizeof values / sizeof *values);     \
  } while (0)

static void add_unknown(void) {
  static const char *const keys[] = {"ab", "abcd", "scare", "eman", "Name2", "tools", "unknown", "aid", "", "NAME",
                                     "a key that is longer than the others", "it\\u0065ms", "n\\u0061me", "\303\266"};
  static const char *const values[] = {"1", "null", "\"text of some length, that no field has\"", "{}", "[]",
                                       "{\"id\":7,\"name\":[true,false]}", "[{\"x\":1},{\"y\":2}]", "-1.5e3"};
  add_member(any(keys, sizeof keys / sizeof *keys), any(values, sizeof values / sizeof *values));
}

static void add_known(int field) {
  switch (field) {
    case 0:
      if (below(8) == 0) ANY("the key of the order", "17");
      if (below(8) == 0) ANY("\303\244", "18");
      ANY("id", "1", "-20", "123456789012345678", "9223372036854775807", "-9223372036854775807", "99999999999999999",
          "12345678");
      break;
    case 1: ANY(below(8) == 0 ? "n\\\"ame" : "name", "\"Ann\"", "\"\"", "\"with \\\"escapes\\\" \\u00e9\"", "null",
                "\"a name of more than thirty-two bytes, so that it is copied whole\""); break;
    case 2: ANY("score", "1", "0.25", "-123.456", "1e3", "1234567.891234", "null"); break;
    case 3: ANY("paid", "true", "false"); break;
    case 4: ANY("at", "{\"x\":1}", "{\"y\":2,\"x\":1}", "{\"x\":1,\"z\":[{}],\"y\":2}", "{\"z\":0,\"x\":-1,\"y\":null}",
                "{\"x\":1,\"x\":3,\"y\":2}", "{\"q\":5,\"x\":6,\"q\":7}", "null"); break;
    case 5: ANY("items", "[]", "[{\"sku\":\"a\",\"count\":2},{\"sku\":\"b\"}]", "[{\"n\":1,\"count\":2,\"sku\":\"c\"}]",
                "[{\"sku\":\"d\",\"sku\":\"e\"},{\"title\":{},\"sku\":\"f\",\"tag\":[],\"count\":12}]"); break;
    case 6: ANY("tags", "[]", "[\"a\",\"b\"]", "[\"\\n\"]"); break;
    case 7: ANY("level", "\"low\"", "\"high\""); break;
    case 8: ANY("small", "5", "-128"); break;
    default: ANY("last", "\"end\"", "\"\"");
  }
}

static void make_document(void) {
  static const char *const paddings[] = {"", "  ", "                                                  \n"};
  int fields_left[10];
  length = 0;
  add("{");
  for (int at = 0; at < 10; at++) fields_left[at] = at;
  /* Mostly in order; with others between them, or none. */
  const uint32_t disorder = below(4), unknown = below(3) * 2;
  for (uint32_t swaps = disorder == 0 ? below(12) : disorder == 1 ? 1 : 0; swaps > 0; swaps--) {
    const uint32_t a = below(10), b = below(10);
    const int field = fields_left[a];
    fields_left[a] = fields_left[b];
    fields_left[b] = field;
  }
  for (int at = 0; at < 10; at++) {
    for (uint32_t left = unknown == 0 ? 0 : below(unknown); left > 0; left--) add_unknown();
    if (below(24) != 0) add_known(fields_left[at]);
    if (below(32) == 0) add_known(fields_left[below(10)]);
  }
  while (below(8) == 0) add_unknown();
  if (below(3) == 0) {
    add_member("padding", "\"");
    for (uint32_t left = below(400); left > 0; left--) text[length++] = 'x';
    text[length++] = '"';
  }
  add("}");
  add(any(paddings, 3));
}

static void test_same(const decant_record *table, const decant_record *prepared) {
  decant_options options = DECANT_OPTIONS_INIT;
  const uint32_t way = below(8);
  options.duplicate_keys = way == 1 ? DECANT_KEEP_LAST : way == 2 ? DECANT_KEEP_NONE : DECANT_KEEP_FIRST;
  options.engine = way == 3 && ENGINES == 2 ? DECANT_JANSSON : DECANT_NATIVE;
  options.rejects_unknown = way == 4;
  struct order by_table, by_prepared;
  decant_error error = DECANT_ERROR_INIT, other = DECANT_ERROR_INIT;
  const bool is_plain = way > 5;
  const decant_status status =
      is_plain ? decant_decode(table, text, length, &by_table, &error)
               : decant_decode_with(table, text, length, &by_table, &options, &error);
  const decant_status same =
      is_plain ? decant_decode(prepared, text, length, &by_prepared, &other)
               : decant_decode_with(prepared, text, length, &by_prepared, &options, &other);
  if (!check(status == same, "the status")) printf("%d %d %.*s\n", status, same, (int)length, text);
  if (status != DECANT_OK || same != DECANT_OK) {
    check_text(other.message, error.message);
    check_text(other.path, error.path);
    if (status == DECANT_OK) decant_free(table, &by_table);
    if (same == DECANT_OK) decant_free(prepared, &by_prepared);
    return;
  }
  char texts[4][4096];
  size_t lengths[4];
  for (int at = 0; at < 4; at++) {
    /* Sometimes into a buffer that is too small. */
    const size_t capacity = below(8) == 0 ? below(200) : sizeof texts[at];
    const decant_record *const writer = at % 2 == 0 ? table : prepared;
    memset(texts[at], '#', sizeof texts[at]);
    const decant_status written = decant_encode(writer, at < 2 ? &by_table : &by_prepared, texts[at], capacity,
                                                &lengths[at], &error);
    check(written == (lengths[at] <= capacity ? DECANT_OK : DECANT_BUFFER_TOO_SMALL), "the text's status");
    check(lengths[at] == lengths[0], "the text's length");
    const size_t least = lengths[at] < capacity ? lengths[at] : capacity;
    if (at == 0) memset(texts[0] + least, '#', sizeof texts[0] - least);
    check(least < sizeof texts[at] && texts[at][least < lengths[at] ? capacity : lengths[at] + 1] == '#',
          "nothing is behind it");
  }
  for (int at = 1; at < 4; at++) {
    size_t common = 0;
    while (texts[at][common] != '#' && texts[0][common] != '#' && texts[at][common] == texts[0][common]) common++;
    if (!check(texts[at][common] == '#' || texts[0][common] == '#' || texts[at][common] == 0, "the texts"))
      printf("%.*s\n%s\n%s\n", (int)length, text, texts[0], texts[at]);
  }
  check(by_prepared.has_last == by_table.has_last && by_prepared.level == by_table.level, "the struct");
  decant_free(table, &by_table);
  decant_free(prepared, &by_prepared);
}

static void test_documents(void) {
  const decant_record *prepared[TABLES];
  decant_error error = DECANT_ERROR_INIT;
  for (int at = 0; at < TABLES; at++)
    if (!check(decant_record_prepare(tables[at], &prepared[at], &error) == DECANT_OK, error.message)) return;
  for (int round = rounds(20000); round > 0; round--) {
    const uint32_t table = below(TABLES);
    make_document();
    test_same(tables[table], prepared[table]);
  }
  for (int at = 0; at < TABLES; at++) decant_record_free(prepared[at]);
}

/* Arrays of many structs: as one text, which is that of all structs. */
static char array_text[1 << 21], array_json[1 << 21];

static void test_arrays(void) {
  decant_error error = DECANT_ERROR_INIT;
  for (int round = rounds(200); round > 0; round--) {
    const uint32_t table = below(TABLES), count = below(2) == 0 ? 60 + below(8) : below(200);
    const decant_record *prepared = NULL;
    if (!check(decant_record_prepare(tables[table], &prepared, &error) == DECANT_OK, error.message)) return;
    size_t size = 0;
    array_json[size++] = '[';
    for (uint32_t at = 0; at < count; at++) {
      make_document();
      struct order one;
      if (decant_decode(tables[table], text, length, &one, NULL) != DECANT_OK) continue;
      decant_free(tables[table], &one);
      if (size > 1) array_json[size++] = ',';
      memcpy(array_json + size, text, length);
      size += length;
    }
    array_json[size++] = ']';
    decant_array array[2];
    for (int at = 0; at < 2; at++) {
      const decant_record *const by = at == 0 ? tables[table] : prepared;
      check(decant_decode_array(by, NULL, array_json, size, &array[at], NULL, &error) == DECANT_OK, error.message);
      const struct order *const items = array[at].items;
      /* By the table and by the other one, in space that is enough and that is not. */
      for (int way = 0; way < 4; way++) {
        const decant_record *const writer = way % 2 == 0 ? tables[table] : prepared;
        const size_t capacity = way < 2 ? sizeof array_text : below((uint32_t)size + 1);
        size_t whole = 0, place = 1;
        memset(array_text, '#', sizeof array_text);
        const decant_status status =
            decant_encode_array(writer, items, array[at].count, array_text, capacity, &whole, &error);
        check(status == (whole <= capacity ? DECANT_OK : DECANT_BUFFER_TOO_SMALL), "its status");
        check(array_text[whole < capacity ? whole + 1 : capacity] == '#', "nothing is behind it");
        bool is_same = true;
        for (size_t item = 0; item < array[at].count; item++) {
          char one[4096];
          size_t part = 0;
          check(decant_encode(tables[table], &items[item], one, sizeof one, &part, &error) == DECANT_OK, error.message);
          for (size_t byte = 0; byte < part; byte++, place++)
            if (place < capacity && array_text[place] != one[byte]) is_same = false;
          place++;
        }
        check(is_same && whole == (array[at].count == 0 ? 2 : place), "the text of each struct");
      }
    }
    check(array[0].count == array[1].count, "as many structs");
    for (int at = 0; at < 2; at++) decant_array_free(&array[at], NULL);
    decant_record_free(prepared);
  }
}

/* Arrays of arrays. */
struct row {
  double *numbers;
  size_t count;
};
struct grid {
  struct row *rows;
  size_t count;
  void *storage;
};
static const decant_field row_fields[] = {{.key = "", .flags = DECANT_POINTER, .kind = DECANT_ARRAY,
                                           .element = DECANT_DOUBLE, .offset = offsetof(struct row, numbers),
                                           .length_offset = offsetof(struct row, count)}};
static const decant_record row = DECANT_TABLE(struct row, row_fields);
static const decant_field grid_fields[] = {DECANT_FIELD_AS(struct grid, rows, DECANT_ARRAY, .element = DECANT_RECORD,
                                                           .record = &row, DECANT_COUNT(struct grid, count))};
static const decant_record grid = DECANT_TABLE(struct grid, grid_fields, .storage_offset = offsetof(struct grid, storage));

static void test_grids(void) {
  static const char *const numbers[] = {"1", "-2.5", "65.613616999999977", "0.1", "1e300", "-123456789.123456789", "7e-3"};
  static const char *const wrong[] = {"\"1\"", "{}", "[1]", "1e999"};
  const decant_record *prepared = NULL;
  decant_error error = DECANT_ERROR_INIT, other = DECANT_ERROR_INIT;
  check(decant_record_prepare(&grid, &prepared, &error) == DECANT_OK, error.message);
  for (int round = rounds(2000); round > 0; round--) {
    const uint32_t rows = below(4) == 0 ? below(3000) : below(30);
    const bool has_wrong = below(4) == 0;
    length = 0;
    add("{\"rows\":[");
    for (uint32_t at = 0; at < rows && length < sizeof text - 400; at++) {
      add(at == 0 ? "[" : ",[");
      for (uint32_t count = below(5); count > 0; count--) {
        add(any(numbers, 7));
        if (count > 1) add(",");
      }
      add("]");
    }
    if (has_wrong) {
      add(rows == 0 ? "" : ",");
      if (below(2) == 0) {
        add("[");
        add(any(wrong, 4));
        add("]");
      } else {
        add(any(wrong, 2));
      }
    }
    add("]}");
    struct grid one, two;
    const decant_status status = decant_decode(&grid, text, length, &one, &error);
    check(decant_decode(prepared, text, length, &two, &other) == status, "the status");
    check((status != DECANT_OK) == has_wrong, "a wrong number");
    if (status != DECANT_OK) {
      check_text(other.message, error.message);
      continue;
    }
    const char *place = strchr(text, '[') + 1;
    bool is_same = one.count == two.count;
    for (size_t at = 0; is_same && at < one.count; at++) {
      is_same = one.rows[at].count == two.rows[at].count;
      place = strchr(place, '[');
      for (size_t number = 0; is_same && number < one.rows[at].count; number++) {
        char *end;
        const double real = strtod(place + 1, &end);
        is_same = one.rows[at].numbers[number] == real && two.rows[at].numbers[number] == real;
        place = end;
      }
      place++;
    }
    check(is_same, "the numbers");
    size_t size = 0;
    check(decant_encode(prepared, &one, array_text, sizeof array_text, &size, &error) == DECANT_OK, error.message);
    struct grid again;
    check(decant_decode(&grid, array_text, size, &again, &error) == DECANT_OK, error.message);
    is_same = again.count == one.count;
    for (size_t at = 0; is_same && at < one.count; at++)
      is_same = again.rows[at].count == one.rows[at].count &&
                (one.rows[at].count == 0 || memcmp(again.rows[at].numbers, one.rows[at].numbers,
                                                   one.rows[at].count * sizeof(double)) == 0);
    check(is_same, "written and read");
    decant_free(&grid, &again);
    decant_free(&grid, &one);
    decant_free(prepared, &two);
  }
  decant_record_free(prepared);
}

/* Fields that are no number, text, array or record of the plain kind: of any width, with a presence at 0, with bounds. */
struct odd {
  bool has_first;
  int32_t first;
  int32_t numbers[4];
  uint8_t id[16];
  int64_t last;
  int8_t small;
};
static const decant_bounds small_bounds = {.minimum = -100, .maximum = 100};
static const decant_field odd_fields[] = {
    DECANT_FIELD(struct odd, first, .flags = DECANT_OPTIONAL | DECANT_PRESENCE_AT_ZERO),
    DECANT_FIELD(struct odd, numbers, .flags = DECANT_OPTIONAL),
    DECANT_FIELD_AS(struct odd, id, DECANT_UUID, .flags = DECANT_OPTIONAL),
    DECANT_FIELD(struct odd, last),
    DECANT_FIELD(struct odd, small, .bounds = &small_bounds, .flags = DECANT_OPTIONAL)};
static const decant_record odd = DECANT_TABLE(struct odd, odd_fields);

static void test_odd(void) {
  const decant_record *prepared = NULL;
  decant_error error = DECANT_ERROR_INIT, other = DECANT_ERROR_INIT;
  check(decant_record_prepare(&odd, &prepared, &error) == DECANT_OK, error.message);
  for (int round = rounds(200); round > 0; round--) {
    static struct odd values[70];
    memset(values, 0, sizeof values);
    for (uint32_t at = 0; at < 70; at++) {
      /* Mostly zeros. */
      unsigned char *const bytes = (unsigned char *)values[at].numbers;
      for (size_t byte = 0; byte < sizeof values[at].numbers; byte++) bytes[byte] = below(6) == 0 ? 7 : 0;
      for (size_t byte = 0; byte < 16; byte++) values[at].id[byte] = below(9) == 0 ? 7 : 0;
      values[at].has_first = below(2) == 0;
      values[at].first = below(2) == 0 ? 3 : 0;
      values[at].small = (int8_t)(below(300) == 0 ? 120 : below(3));
    }
    static char texts[2][1 << 14];
    size_t lengths[2] = {0, 0};
    const uint32_t count = below(2) == 0 ? 70 : below(70);
    const decant_status status =
        decant_encode_array(&odd, values, count, texts[0], sizeof texts[0], &lengths[0], &error);
    check(decant_encode_array(prepared, values, count, texts[1], sizeof texts[1], &lengths[1], &other) == status,
          "the status");
    if (status != DECANT_OK) {
      check_text(other.message, error.message);
      continue;
    }
    check_text(texts[1], texts[0]);
    /* Each by itself, by the table alone. */
    size_t place = 1;
    for (uint32_t at = 0; at < count; at++) {
      char one[256];
      size_t length_of_one = 0;
      check(decant_encode(&odd, &values[at], one, sizeof one, &length_of_one, &error) == DECANT_OK, error.message);
      check(strncmp(texts[0] + place, one, length_of_one) == 0, "the text of each struct");
      place += length_of_one + 1;
    }
  }
  decant_record_free(prepared);
}

/* Lengths that no array has. */
struct lists {
  int32_t *numbers;
  size_t number_count;
  const char **texts;
  size_t text_count;
  struct point *points;
  size_t point_count;
};
static const decant_field lists_fields[] = {
    DECANT_FIELD(struct lists, numbers, DECANT_COUNT(struct lists, number_count)),
    DECANT_FIELD(struct lists, texts, DECANT_COUNT(struct lists, text_count)),
    DECANT_FIELD_AS(struct lists, points, DECANT_ARRAY, .element = DECANT_RECORD, .record = &point,
                    DECANT_COUNT(struct lists, point_count))};
static const decant_record lists = DECANT_TABLE(struct lists, lists_fields);

static void test_lengths(void) {
  static const char *const paths[] = {"/numbers", "/texts", "/points"};
  const decant_record *prepared = NULL;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_prepare(&lists, &prepared, &error) == DECANT_OK, error.message);
  for (int wrong = 0; wrong < 3; wrong++) {
    int32_t number = 1;
    const char *one = "a";
    struct point place = {1, 2};
    struct lists value = {&number, 1, &one, 1, &place, 1};
    *(wrong == 0 ? &value.number_count : wrong == 1 ? &value.text_count : &value.point_count) = SIZE_MAX;
    static char out[1 << 20];
    size_t size;
    for (int way = 0; way < 2; way++) {
      check(decant_encode(way == 0 ? &lists : prepared, &value, out, sizeof out, &size, &error) == DECANT_INVALID_VALUE,
            "a negative length");
      check_text(error.path, paths[wrong]);
    }
  }
  decant_record_free(prepared);
}

/* Two arrays that are long enough for a copy of their table, whose copies may be at one address. */
struct number {
  int64_t value;
};
struct pair {
  struct number *named;
  size_t named_count;
  struct number *alone;
  size_t alone_count;
};
static const decant_field named_fields[] = {DECANT_FIELD(struct number, value, .bounds = &small_bounds)};
static const decant_record named = DECANT_TABLE(struct number, named_fields);
static const decant_field alone_fields[] = {
    DECANT_FIELD(struct number, value, .key = "", .flags = DECANT_POINTER, .bounds = &small_bounds)};
static const decant_record alone = DECANT_TABLE(struct number, alone_fields);
static const decant_field pair_fields[] = {
    DECANT_FIELD_AS(struct pair, named, DECANT_ARRAY, .element = DECANT_RECORD, .record = &named,
                    DECANT_COUNT(struct pair, named_count)),
    DECANT_FIELD_AS(struct pair, alone, DECANT_ARRAY, .element = DECANT_RECORD, .record = &alone,
                    DECANT_COUNT(struct pair, alone_count))};
static const decant_record pair = DECANT_TABLE(struct pair, pair_fields);

static void test_copies(void) {
  struct number numbers[64] = {{0}};
  const struct pair value = {numbers, 64, numbers, 64};
  char out[2048], expected[2048] = "{\"named\":[";
  for (int at = 0; at < 64; at++) strcat(expected, at == 0 ? "{\"value\":0}" : ",{\"value\":0}");
  strcat(expected, "],\"alone\":[");
  for (int at = 0; at < 64; at++) strcat(expected, at == 0 ? "0" : ",0");
  strcat(expected, "]}");
  size_t size;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_encode(&pair, &value, out, sizeof out, &size, &error) == DECANT_OK, error.message);
  check_text(out, expected);
}

/* An empty array replaces that of the defaults. */
static void test_empty(void) {
  static struct item items[1] = {{"a", 1}};
  static const char *tags[1] = {"b"};
  static const struct order full = {.items = items, .item_count = 1, .tags = tags, .tag_count = 1};
  decant_record table = order;
  table.defaults = &full;
  const decant_record *prepared = NULL;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_prepare(&table, &prepared, &error) == DECANT_OK, error.message);
  /* Longer than what is read without an index. */
  length = 0;
  add("{\"id\":1,\"items\":[],\"tags\":[],\"padding\":\"");
  while (length < 900) add("x");
  add("\"}");
  for (int way = 0; way < 2; way++) {
    struct order out;
    check(decant_decode(way == 0 ? &table : prepared, text, length, &out, &error) == DECANT_OK, error.message);
    check(out.items == NULL && out.item_count == 0 && out.tags == NULL && out.tag_count == 0, "nothing");
    decant_free(&table, &out);
  }
  decant_record_free(prepared);
}

/* What a prepared table is, and what it is not. */
static void test_tables(void) {
  decant_error error = DECANT_ERROR_INIT;
  const decant_record *prepared = NULL;
  decant_record_free(NULL);
  decant_record_free(&order);
  check(decant_record_prepare(NULL, &prepared, &error) == DECANT_INVALID_RECORD, "no table");
  check(decant_record_prepare(&order, NULL, &error) == DECANT_INVALID_ARGUMENT, "no place for it");
  decant_record wrong = order;
  wrong.size = 0;
  check(decant_record_prepare(&wrong, &prepared, &error) == DECANT_INVALID_RECORD && prepared == NULL, "a wrong table");
  /* The rows and the keys are copied. */
  char key[] = "first";
  decant_field rows[] = {{.key = key, .kind = DECANT_INT32, .offset = offsetof(struct point, x)}};
  decant_record table = {.size = sizeof(struct point), .fields = rows, .field_count = 1};
  check(decant_record_prepare(&table, &prepared, &error) == DECANT_OK, error.message);
  check(decant_record_check(prepared, &error) == DECANT_OK, error.message);
  /* A copy of it is no table; one that is prepared again, and one that holds it, are. */
  struct point out = {0, 0};
  decant_record copy = *prepared;
  check(decant_decode(&copy, "{\"first\":1}", 11, &out, &error) == DECANT_INVALID_RECORD, "a copy");
  decant_record marked = table;
  marked.flags = prepared->flags;
  check(decant_decode(&marked, "{\"first\":1}", 11, &out, &error) == DECANT_INVALID_RECORD, "one with its flags");
  marked.field_size = prepared->field_size;
  check(decant_decode(&marked, "{\"first\":1}", 11, &out, &error) == DECANT_INVALID_RECORD, "one with its mark");
  const decant_record *again = NULL;
  check(decant_record_prepare(prepared, &again, &error) == DECANT_OK && again != prepared, "prepared again");
  check(decant_decode(again, "{\"a\":3,\"first\":1}", 17, &out, &error) == DECANT_OK && out.x == 1, "by that");
  decant_record_free(again);
  const decant_field holder_rows[] = {{.key = "in", .kind = DECANT_RECORD, .record = prepared}};
  const decant_record holder = {.size = sizeof(struct point), .fields = holder_rows, .field_count = 1};
  check(decant_decode(&holder, "{\"in\":{\"first\":5}}", 18, &out, &error) == DECANT_OK && out.x == 5, "inside");
  decant_record_free(prepared);
  /* One that is too large to be copied. */
  static decant_field many[1100];
  static char keys[1100][8];
  for (uint32_t at = 0; at < 1100; at++) {
    snprintf(keys[at], sizeof keys[at], "k%u", at);
    many[at] = (decant_field){.key = keys[at], .kind = DECANT_INT8, .offset = at, .flags = DECANT_OPTIONAL};
  }
  const decant_record large = {.size = sizeof keys, .fields = many, .field_count = 1100};
  check(decant_record_prepare(&large, &again, &error) == DECANT_OK && again == &large, "a large table");
  decant_record_free(again);
}

/* Streams, by a prepared table. */
static int take(void *context, int64_t line, const void *value, const decant_error *error) {
  int64_t *const sum = context;
  (void)line;
  if (value != NULL) *sum += ((const struct order *)value)->id;
  if (error != NULL && !check(value != NULL, error->message)) return 1;
  return 0;
}

static void test_lines(void) {
  const decant_record *prepared = NULL;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_prepare(&order, &prepared, &error) == DECANT_OK, error.message);
  static const char lines[] = "{\"id\":1}\n{\"a\":[{}],\"name\":\"Ann\",\"id\":2}\n{\"id\":3,\"b\":null,\"last\":\"x\"}\n";
  int64_t sum = 0;
  check(decant_decode_lines(prepared, lines, sizeof lines - 1, take, &sum, NULL, &error) == DECANT_OK, error.message);
  check(sum == 6, "all lines");
  decant_record_free(prepared);
}

int main(void) {
  test_tables();
  test_documents();
  test_arrays();
  test_grids();
  test_odd();
  test_lengths();
  test_copies();
  test_empty();
  test_lines();
  return check_end();
}
