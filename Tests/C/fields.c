/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Rows that are made of the members: the same tables in C11 and in C++11 and later, beside rows that are written out.
 */
#include "check.h"

typedef enum color { RED, GREEN, BLUE = 7 } color;

struct place {
  double x, y;
};

struct entry {
  const char *name;
  int size;
};

struct all {
  bool flag;
  signed char i8;
  short i16;
  int i32;
  long il;
  long long i64;
  unsigned char u8;
  unsigned short u16;
  unsigned u32;
  unsigned long ul;
  unsigned long long u64;
  float real;
  double wide;
  const char *string;
  char *owned;
  char chars[12];
  decant_text text;
  int64_t *numbers;
  int number_count;
  const char **names;
  unsigned char name_count;
  double triple[3];
  int32_t some[4];
  uint16_t some_count;
  const char *pair[2];
  decant_text texts[2];
  color shade;
  uint32_t meals;
  int64_t at;
  int32_t day;
  const char *raw;
  struct place place;
  struct place *far_place;
  struct place *places;
  long place_count;
  struct place corners[2];
  struct entry *entries;
  size_t entry_count;
  color shades[3];
  size_t shade_count;
  bool has_age;
  int age;
  int kind;
  void *storage;
};

static const decant_name colors[] = {{"red", RED}, {"green", GREEN}, {"blue", BLUE}, {NULL, 0}};

static const decant_field place_fields[] = {DECANT_FIELD(struct place, x), DECANT_FIELD(struct place, y)};
static const decant_record place_record = DECANT_TABLE(struct place, place_fields);

static const decant_field entry_fields[] = {DECANT_FIELD_AS(struct entry, name, DECANT_KEY),
                                            DECANT_FIELD(struct entry, size, .key = "", .flags = DECANT_POINTER)};
static const decant_record entry_record = DECANT_TABLE(struct entry, entry_fields);

static const decant_field fields[] = {
    DECANT_FIELD(struct all, flag),
    DECANT_FIELD(struct all, i8),
    DECANT_FIELD(struct all, i16),
    DECANT_FIELD(struct all, i32),
    DECANT_FIELD(struct all, il),
    DECANT_FIELD(struct all, i64),
    DECANT_FIELD(struct all, u8),
    DECANT_FIELD(struct all, u16),
    DECANT_FIELD(struct all, u32),
    DECANT_FIELD(struct all, ul),
    DECANT_FIELD(struct all, u64),
    DECANT_FIELD(struct all, real),
    DECANT_FIELD(struct all, wide),
    DECANT_FIELD(struct all, string),
    DECANT_FIELD(struct all, owned, .key = "other key", .flags = DECANT_OPTIONAL),
    DECANT_FIELD(struct all, chars),
    DECANT_FIELD(struct all, text),
    DECANT_FIELD(struct all, numbers, DECANT_COUNT(struct all, number_count)),
    DECANT_FIELD(struct all, names, DECANT_COUNT(struct all, name_count), .flags = DECANT_NULL_ELEMENTS),
    DECANT_FIELD(struct all, triple),
    DECANT_FIELD(struct all, some, DECANT_COUNT(struct all, some_count)),
    DECANT_FIELD(struct all, pair),
    DECANT_FIELD(struct all, texts),
    DECANT_FIELD_AS(struct all, shade, DECANT_ENUM, .names = colors),
    DECANT_FIELD_AS(struct all, meals, DECANT_FLAGS, .names = colors, .flags = DECANT_OPTIONAL),
    DECANT_FIELD_AS(struct all, at, DECANT_TIME, .key = "created_at"),
    DECANT_FIELD_AS(struct all, day, DECANT_DATE),
    DECANT_FIELD_AS(struct all, raw, DECANT_RAW),
    DECANT_FIELD_AS(struct all, place, DECANT_RECORD, .record = &place_record),
    DECANT_FIELD_AS(struct all, far_place, DECANT_RECORD_POINTER, .record = &place_record),
    DECANT_FIELD_AS(struct all, places, DECANT_ARRAY, .element = DECANT_RECORD, .record = &place_record,
                    DECANT_COUNT(struct all, place_count)),
    DECANT_FIELD_AS(struct all, corners, DECANT_FIXED_ARRAY, .element = DECANT_RECORD, .record = &place_record),
    DECANT_FIELD_AS(struct all, entries, DECANT_MAP, .record = &entry_record, DECANT_COUNT(struct all, entry_count)),
    DECANT_FIELD_AS(struct all, shades, DECANT_FIXED_ARRAY, .element = DECANT_ENUM, .names = colors,
                    DECANT_COUNT(struct all, shade_count)),
    DECANT_FIELD(struct all, age, DECANT_PRESENCE(struct all, has_age), .flags = DECANT_OPTIONAL),
    DECANT_FIELD_AS(struct all, kind, DECANT_KIND, .key = "i8"),
};
static const decant_record record = DECANT_TABLE(struct all, fields, .storage_offset = offsetof(struct all, storage));

static const char json[] =
    "{\"flag\":true,\"i8\":-8,\"i16\":-16,\"i32\":-32,\"il\":-64,\"i64\":-65,\"u8\":8,\"u16\":16,\"u32\":32,"
    "\"ul\":64,\"u64\":65,\"real\":0.5,\"wide\":0.25,\"string\":\"s\",\"other key\":\"o\",\"chars\":\"abc\","
    "\"text\":\"t\",\"numbers\":[1,2],\"names\":[\"a\",null,\"b\"],\"triple\":[1.5,2.5,3.5],\"some\":[9,8],"
    "\"pair\":[\"p\",\"q\"],\"texts\":[\"x\",\"yz\"],\"shade\":\"blue\",\"meals\":[\"green\"],"
    "\"created_at\":\"1970-01-01T00:00:01Z\",\"day\":\"1970-01-03\",\"raw\":[1, 2],\"place\":{\"x\":1.5,\"y\":2.5},"
    "\"far_place\":{\"x\":3.5,\"y\":4.5},\"places\":[{\"x\":5.5,\"y\":6.5}],"
    "\"corners\":[{\"x\":1.5,\"y\":1.5},{\"x\":2.5,\"y\":2.5}],\"entries\":{\"a\":1,\"b\":2},"
    "\"shades\":[\"red\",\"green\"],\"age\":40}";

static void test_values(void) {
  struct all all;
  memset(&all, 0xA5, sizeof all);
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_check(&record, &error) == DECANT_OK, "the table is valid");
  check_text(error.message, "");
  if (!check(decant_decode(&record, json, sizeof json - 1, &all, &error) == DECANT_OK, "it decodes")) {
    puts(error.message);
    return;
  }
  check(all.flag && all.i8 == -8 && all.i16 == -16 && all.i32 == -32 && all.il == -64 && all.i64 == -65, "signed");
  check(all.u8 == 8 && all.u16 == 16 && all.u32 == 32 && all.ul == 64 && all.u64 == 65, "unsigned");
  check(all.real > 0.4f && all.real < 0.6f && all.wide > 0.2 && all.wide < 0.3, "reals");
  check_text(all.string, "s");
  check_text(all.owned, "o");
  check_text(all.chars, "abc");
  check_text(all.text.bytes, "t");
  check(all.number_count == 2 && all.numbers[0] == 1 && all.numbers[1] == 2, "numbers, counted by an int");
  check(all.name_count == 3 && all.names[1] == NULL, "names, counted by a byte");
  check_text(all.names[2], "b");
  check(all.triple[2] > 3.4 && all.some_count == 2 && all.some[1] == 8 && all.some[2] == 0, "fixed arrays");
  check_text(all.pair[1], "q");
  check_text(all.texts[1].bytes, "yz");
  check(all.shade == BLUE && all.meals == GREEN, "names of enums");
  check(all.at == 1000000 && all.day == 2, "times");
  check_text(all.raw, "[1, 2]");
  check(all.place.y > 2.4 && all.far_place->x > 3.4 && all.place_count == 1 && all.places[0].x > 5.4, "records");
  check(all.corners[1].y > 2.4, "an array of records");
  check(all.entry_count == 2 && all.entries[1].size == 2, "a map");
  check(all.shade_count == 2 && all.shades[1] == GREEN, "an array of enums");
  check(all.has_age && all.age == 40, "presence");
  check(all.kind == DECANT_VALUE_NUMBER, "a kind");

  char text[1024];
  size_t length;
  all.kind = 0;
  check(decant_encode(&record, &all, text, sizeof text, &length, &error) == DECANT_OK, "it encodes");
  check(length == sizeof json - 1, "as long");
  check_text(text, json);
  decant_free(&record, &all);
}

/* Rows as they are written out. */
static void test_rows(void) {
  static const struct {
    size_t at;
    const char *key;
    int kind, element;
    size_t offset, capacity;
  } rows[] = {
      {0, "flag", DECANT_BOOL, 0, offsetof(struct all, flag), 0},
      {4, "il", sizeof(long) == 8 ? DECANT_INT64 : DECANT_INT32, 0, offsetof(struct all, il), 0},
      {15, "chars", DECANT_CHARS, 0, offsetof(struct all, chars), 12},
      {16, "text", DECANT_TEXT, 0, offsetof(struct all, text), 0},
      {17, "numbers", DECANT_ARRAY, DECANT_INT64, offsetof(struct all, numbers), 0},
      {18, "names", DECANT_ARRAY, DECANT_STRING, offsetof(struct all, names), 0},
      {19, "triple", DECANT_FIXED_ARRAY, DECANT_DOUBLE, offsetof(struct all, triple), 3},
      {21, "pair", DECANT_FIXED_ARRAY, DECANT_STRING, offsetof(struct all, pair), 2},
      {22, "texts", DECANT_FIXED_ARRAY, DECANT_TEXT, offsetof(struct all, texts), 2},
      {31, "corners", DECANT_FIXED_ARRAY, DECANT_RECORD, offsetof(struct all, corners), 2},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    const decant_field *field = &fields[rows[at].at];
    check_text(field->key != NULL ? field->key : field->member, rows[at].key);
    check(field->kind == rows[at].kind && field->element == rows[at].element, rows[at].key);
    check(field->offset == rows[at].offset && field->capacity == rows[at].capacity, rows[at].key);
  }
  check(record.size == sizeof(struct all) && record.field_count == sizeof fields / sizeof *fields, "the record");
}

/* Counts of few bits are bounds. */
static void test_counts(void) {
  struct counted {
    uint8_t count;
    int8_t length;
    int16_t raw_length;
    int8_t key_count;
    int32_t *numbers;
    const char *text;
    const char *raw;
    void *storage;
  };
  static const decant_field counted_fields[] = {
      DECANT_FIELD(struct counted, numbers, DECANT_COUNT(struct counted, count)),
      DECANT_FIELD(struct counted, text, DECANT_COUNT(struct counted, length), .flags = DECANT_OPTIONAL),
      DECANT_FIELD_AS(struct counted, raw, DECANT_RAW, DECANT_COUNT(struct counted, raw_length),
                      .flags = DECANT_OPTIONAL)};
  static const decant_record counted =
      DECANT_TABLE(struct counted, counted_fields, .storage_offset = offsetof(struct counted, storage));
  static char long_json[80000];
  struct counted value;
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_check(&counted, &error) == DECANT_OK, "a count at offset 0");
  for (int round = 0; round < 6; round++) {
    static const int elements[] = {255, 256, 1, 1, 1, 1}, letters[] = {127, 0, 127, 128, 0, 0},
                     digits[] = {1, 1, 1, 1, 32767, 32768};
    char *end = long_json + sprintf(long_json, "{\"numbers\":[");
    for (int at = 0; at < elements[round]; at++) end += sprintf(end, at == 0 ? "%d" : ",%d", at);
    end += sprintf(end, "],\"text\":\"");
    for (int at = 0; at < letters[round]; at++) *end++ = 'x';
    end += sprintf(end, "\",\"raw\":");
    for (int at = 0; at < digits[round]; at++) *end++ = '1';
    *end++ = '}';
    decant_status status = decant_decode(&counted, long_json, (size_t)(end - long_json), &value, &error);
    if (round % 2 == 0) {
      if (!check(status == DECANT_OK, "as much as the count can say")) {
        puts(error.message);
        continue;
      }
      check(value.count == elements[round] && value.length == letters[round] && value.raw_length == digits[round],
            "counts");
      check(value.numbers[value.count - 1] == value.count - 1, "elements");
      size_t length;
      check(decant_encode(&counted, &value, NULL, 0, &length, &error) == DECANT_OK, "encoding");
      check(length == (size_t)(end - long_json), "the same text");
      decant_free(&counted, &value);
    } else {
      check(status == DECANT_INVALID_VALUE, "one more");
      const char *texts[] = {"expected an array of at most 255 elements, found 256",
                             "expected a string of at most 127 bytes, found the string",
                             "the value is longer than its length can say"};
      if (!check(strstr(error.message, texts[round / 2]) != NULL, "says why")) puts(error.message);
    }
  }
  value.count = 1;
  value.numbers = NULL;
  value.length = -1;
  value.text = "x";
  value.raw = NULL;
  value.raw_length = 0;
  int32_t number = 5;
  value.numbers = &number;
  char text[64];
  size_t length;
  check(decant_encode(&counted, &value, text, sizeof text, &length, &error) == DECANT_INVALID_VALUE, "-1 is no length");
  check_text(error.message, "/text: the length is too large");

  decant_field field = counted_fields[0];
  decant_record odd = counted;
  odd.fields = &field;
  odd.field_count = 1;
  static const uint16_t no_kinds[] = {DECANT_BOOL, DECANT_DOUBLE, DECANT_STRING, 99};
  for (size_t at = 0; at < sizeof no_kinds / sizeof *no_kinds; at++) {
    field.length_kind = no_kinds[at];
    check(decant_record_check(&odd, &error) == DECANT_INVALID_RECORD, "a count that is no integer");
    check_text(error.message, "invalid record: field 0 (\"numbers\"): length_kind is not that of an integer");
  }
  decant_field wide[3];
  memcpy(wide, counted_fields, sizeof wide);
  wide[0].length_kind = DECANT_INT64;
  odd.fields = wide;
  odd.field_count = 3;
  check(decant_record_check(&odd, &error) == DECANT_INVALID_RECORD, "a count that is wider");
  check_text(error.message, "invalid record: field 1 (\"text\"): it overlaps another field");
}

/* A record of another size than the member. */
static void test_extent(void) {
  struct holder {
    struct place place;
    struct place *places;
    size_t count;
    void *storage;
  };
  struct wider {
    struct place place;
    double z;
  };
  static const decant_field wider_fields[] = {DECANT_FIELD(struct wider, z)};
  static const decant_record wider = DECANT_TABLE(struct wider, wider_fields);
  static const decant_field rows[] = {
      DECANT_FIELD_AS(struct holder, place, DECANT_RECORD, .record = &wider),
      DECANT_FIELD_AS(struct holder, places, DECANT_ARRAY, .element = DECANT_RECORD, .record = &wider,
                      DECANT_COUNT(struct holder, count)),
      DECANT_FIELD_AS(struct holder, places, DECANT_RECORD_POINTER, .record = &wider),
      DECANT_FIELD_AS(struct holder, places, DECANT_ARRAY, .element = DECANT_INT64,
                      DECANT_COUNT(struct holder, count))};
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    decant_record lie = DECANT_TABLE(struct holder, rows, .storage_offset = offsetof(struct holder, storage));
    lie.fields = &rows[at];
    lie.field_count = 1;
    struct holder value;
    decant_error error = DECANT_ERROR_INIT;
    check(decant_record_check(&lie, &error) == DECANT_INVALID_RECORD, "a record of another size");
    if (!check(strstr(error.message, "extent is not the size of its record or element") != NULL, "says so")) {
      puts(error.message);
    }
    check(decant_decode(&lie, "{}", 2, &value, &error) == DECANT_INVALID_RECORD, "decoding looks, too");
  }
}

int main(void) {
  test_values();
  test_rows();
  test_counts();
  test_extent();
  return check_end();
}
