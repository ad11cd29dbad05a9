/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * A struct with a field of every kind, and its table.
 */
#ifndef EVERYTHING_H
#define EVERYTHING_H

#include <decant.h>
#include <stdbool.h>

enum color { RED = 1, GREEN = 2, BLUE = 40 };
enum { BREAKFAST = 1, LUNCH = 2, DINNER = 4 };

struct point {
  double x, y;
};

struct entry {
  const char *key;
  size_t key_length;
  int32_t value;
};

struct tree {
  int32_t id;
  struct tree *left;
  struct tree *children;
  size_t child_count;
};

struct everything {
  bool flag;
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
  const char *string;
  size_t string_length;
  decant_text text;
  char chars[8];
  int32_t color;
  uint32_t meals;
  const char *raw;
  size_t raw_length;
  int32_t kind;
  struct point point;
  struct point *maybe;
  double *numbers;
  size_t number_count;
  struct point *points;
  size_t point_count;
  const char **names;
  size_t name_count;
  int32_t triple[3];
  int16_t few[4];
  size_t few_count;
  struct entry *map;
  size_t map_count;
  int64_t from_text;
  const char *city; /* of /address/city */
  int32_t port;     /* 80 unless told */
  const char *host; /* "localhost" unless told */
  int32_t level;
  bool has_level;
  uint8_t level_state;
  struct tree tree;
  void *storage;
};

static const decant_name colors[] = {{"red", RED}, {"green", GREEN}, {"blue", BLUE}, {NULL, 0}};
static const decant_name meals[] = {
    {"breakfast", BREAKFAST}, {"lunch", LUNCH}, {"dinner", DINNER}, {NULL, 0}};

static const decant_field point_fields[] = {
    {.key = "x", .kind = DECANT_DOUBLE, .offset = offsetof(struct point, x)},
    {.key = "y", .kind = DECANT_DOUBLE, .offset = offsetof(struct point, y)}};
static const decant_record point_record = {
    .size = sizeof(struct point), .fields = point_fields, .field_count = 2};

static const decant_field entry_fields[] = {
    {.kind = DECANT_KEY,
     .offset = offsetof(struct entry, key),
     .length_offset = offsetof(struct entry, key_length)},
    {.key = "",
     .flags = DECANT_POINTER,
     .kind = DECANT_INT32,
     .offset = offsetof(struct entry, value)}};
static const decant_record entry_record = {
    .size = sizeof(struct entry), .fields = entry_fields, .field_count = 2};

static const decant_record tree_record;
static const decant_field tree_fields[] = {
    {.key = "id", .kind = DECANT_INT32, .offset = offsetof(struct tree, id)},
    {.key = "left",
     .kind = DECANT_RECORD_POINTER,
     .flags = DECANT_OPTIONAL,
     .offset = offsetof(struct tree, left),
     .record = &tree_record},
    {.key = "children",
     .kind = DECANT_ARRAY,
     .element = DECANT_RECORD,
     .flags = DECANT_OPTIONAL,
     .offset = offsetof(struct tree, children),
     .length_offset = offsetof(struct tree, child_count),
     .record = &tree_record}};
static const decant_record tree_record = {
    .size = sizeof(struct tree), .fields = tree_fields, .field_count = 3};

static const int32_t default_port = 80;
static const decant_bounds percent = {.minimum = 1, .maximum = 100};
static const decant_bounds short_text = {.shortest = 1, .longest = 12};

#define AT(member) offsetof(struct everything, member)
static const decant_field everything_fields[] = {
    {.key = "flag", .kind = DECANT_BOOL, .offset = AT(flag)},
    {.key = "i8", .kind = DECANT_INT8, .offset = AT(i8)},
    {.key = "i16", .kind = DECANT_INT16, .offset = AT(i16)},
    {.key = "i32", .kind = DECANT_INT32, .offset = AT(i32), .bounds = &percent},
    {.key = "i64", .kind = DECANT_INT64, .offset = AT(i64)},
    {.key = "u8", .kind = DECANT_UINT8, .offset = AT(u8)},
    {.key = "u16", .kind = DECANT_UINT16, .offset = AT(u16)},
    {.key = "u32", .kind = DECANT_UINT32, .offset = AT(u32)},
    {.key = "u64", .kind = DECANT_UINT64, .offset = AT(u64)},
    {.key = "real32", .kind = DECANT_FLOAT, .offset = AT(real32)},
    {.key = "real64", .kind = DECANT_DOUBLE, .offset = AT(real64)},
    {.key = "string",
     .kind = DECANT_STRING,
     .offset = AT(string),
     .length_offset = AT(string_length),
     .bounds = &short_text},
    {.key = "text", .kind = DECANT_TEXT, .offset = AT(text), .flags = DECANT_OPTIONAL},
    {.key = "chars", .kind = DECANT_CHARS, .offset = AT(chars), .capacity = 8},
    {.key = "color", .kind = DECANT_ENUM, .offset = AT(color), .names = colors},
    {.key = "meals", .kind = DECANT_FLAGS, .offset = AT(meals), .names = meals},
    {.key = "raw", .kind = DECANT_RAW, .offset = AT(raw), .length_offset = AT(raw_length)},
    {.key = "kind", .kind = DECANT_KIND, .offset = AT(kind)},
    {.key = "point", .kind = DECANT_RECORD, .offset = AT(point), .record = &point_record},
    {.key = "maybe",
     .kind = DECANT_RECORD_POINTER,
     .offset = AT(maybe),
     .record = &point_record,
     .flags = DECANT_OPTIONAL},
    {.key = "numbers",
     .kind = DECANT_ARRAY,
     .element = DECANT_DOUBLE,
     .offset = AT(numbers),
     .length_offset = AT(number_count)},
    {.key = "points",
     .kind = DECANT_ARRAY,
     .element = DECANT_RECORD,
     .record = &point_record,
     .offset = AT(points),
     .length_offset = AT(point_count)},
    {.key = "names",
     .kind = DECANT_ARRAY,
     .element = DECANT_STRING,
     .offset = AT(names),
     .length_offset = AT(name_count)},
    {.key = "triple",
     .kind = DECANT_FIXED_ARRAY,
     .element = DECANT_INT32,
     .offset = AT(triple),
     .capacity = 3},
    {.key = "few",
     .kind = DECANT_FIXED_ARRAY,
     .element = DECANT_INT16,
     .offset = AT(few),
     .length_offset = AT(few_count),
     .capacity = 4},
    {.key = "map",
     .kind = DECANT_MAP,
     .record = &entry_record,
     .offset = AT(map),
     .length_offset = AT(map_count)},
    {.key = "from_text", .kind = DECANT_INT64, .offset = AT(from_text), .flags = DECANT_FROM_TEXT},
    {.key = "/address/city", .kind = DECANT_STRING, .offset = AT(city), .flags = DECANT_POINTER},
    {.key = "port",
     .kind = DECANT_INT32,
     .offset = AT(port),
     .flags = DECANT_DEFAULT,
     .default_value = &default_port},
    {.key = "host",
     .kind = DECANT_STRING,
     .offset = AT(host),
     .flags = DECANT_DEFAULT,
     .default_value = "localhost"},
    {.key = "level",
     .kind = DECANT_INT32,
     .offset = AT(level),
     .flags = DECANT_OPTIONAL | DECANT_STATE,
     .presence_offset = AT(level_state)},
    {.key = "tree", .kind = DECANT_RECORD, .offset = AT(tree), .record = &tree_record}};
static const decant_record everything_record = {
    .size = sizeof(struct everything), .fields = everything_fields,
    .field_count = sizeof everything_fields / sizeof *everything_fields, .storage_offset = AT(storage)};
#undef AT

static const char everything_json[] =
    "{\"flag\":true,\"i8\":-128,\"i16\":-32768,\"i32\":100,\"i64\":-9223372036854775808,\"u8\":255,"
    "\"u16\":65535,\"u32\":4294967295,\"u64\":18446744073709551615,\"real32\":0.1,\"real64\":1e-7,"
    "\"string\":\"a\\u0000\\u00e9\\n\",\"text\":\"text\",\"chars\":\"1234567\",\"color\":\"blue\","
    "\"meals\":[\"lunch\",\"dinner\"],\"raw\":{\"a\" : [1, {} ] },\"kind\":null,"
    "\"point\":{\"x\":1.5,\"y\":-2},\"maybe\":{\"y\":4,\"x\":3},\"numbers\":[1,2.5,-3e2],"
    "\"points\":[{\"x\":1,\"y\":2},{\"x\":3,\"y\":4}],\"names\":[\"Ann\",\"\",\"B\\\"b\"],"
    "\"triple\":[7,8,9],\"few\":[1,2],\"map\":{\"one\":1,\"tw\\u006f\":2,\"one\":3},"
    "\"from_text\":\"-42\",\"address\":{\"city\":\"Ulm\"},\"level\":null,"
    "\"tree\":{\"id\":1,\"left\":{\"id\":2},\"children\":[{\"id\":3,\"children\":[{\"id\":4}]}]}}";

#endif
