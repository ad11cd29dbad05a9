/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Members that no field names: records with DECANT_CLOSED, and options with rejects_unknown, by every way in.
 */
#include "check.h"

/* ---------------------------------------------------------------------------------------------------
 * Tables
 */

struct point {
  int32_t x, y;
};
static const decant_field point_fields[] = {
    {.key = "x", .kind = DECANT_INT32, .offset = offsetof(struct point, x)},
    {.key = "y", .kind = DECANT_INT32, .offset = offsetof(struct point, y), .flags = DECANT_OPTIONAL}};
static const decant_record open_point = {.size = sizeof(struct point), .fields = point_fields, .field_count = 2};
static const decant_record closed_point = {
    .size = sizeof(struct point), .fields = point_fields, .field_count = 2, .flags = DECANT_CLOSED};

struct entry {
  const char *key;
  struct point point;
};
static const decant_field entry_fields[] = {
    {.key = "ignored", .kind = DECANT_KEY, .offset = offsetof(struct entry, key)},
    {.key = "",
     .flags = DECANT_POINTER,
     .kind = DECANT_RECORD,
     .offset = offsetof(struct entry, point),
     .record = &open_point}};
static const decant_record entry_record = {
    .size = sizeof(struct entry), .fields = entry_fields, .field_count = 2, .flags = DECANT_CLOSED};

struct shape {
  struct point at;
  struct point *maybe;
  struct point *points;
  size_t point_count;
  struct point pair[2];
  struct entry *map;
  size_t map_count;
  int32_t level, kind, size;
  void *storage;
};
#define AT(member) offsetof(struct shape, member)
static const decant_field shape_fields[] = {
    {.key = "at", .kind = DECANT_RECORD, .offset = AT(at), .record = &open_point, .flags = DECANT_OPTIONAL},
    {.key = "maybe",
     .kind = DECANT_RECORD_POINTER,
     .offset = AT(maybe),
     .record = &closed_point,
     .flags = DECANT_OPTIONAL},
    {.key = "points",
     .kind = DECANT_ARRAY,
     .element = DECANT_RECORD,
     .offset = AT(points),
     .length_offset = AT(point_count),
     .record = &closed_point,
     .flags = DECANT_OPTIONAL},
    {.key = "pair",
     .kind = DECANT_FIXED_ARRAY,
     .element = DECANT_RECORD,
     .capacity = 2,
     .offset = AT(pair),
     .record = &closed_point,
     .flags = DECANT_OPTIONAL},
    {.key = "map",
     .kind = DECANT_MAP,
     .offset = AT(map),
     .length_offset = AT(map_count),
     .record = &entry_record,
     .flags = DECANT_OPTIONAL},
    {.key = "/log~1s/level", .kind = DECANT_INT32, .offset = AT(level), .flags = DECANT_OPTIONAL | DECANT_POINTER},
    {.key = "kind", .kind = DECANT_KIND, .offset = AT(kind), .flags = DECANT_OPTIONAL},
    {.key = "size", .kind = DECANT_INT32, .offset = AT(size), .flags = DECANT_OPTIONAL}};
static const decant_record shape_record = {
    .size = sizeof(struct shape), .fields = shape_fields, .field_count = 8,
    .storage_offset = AT(storage), .flags = DECANT_CLOSED};
/* The same, which is closed where the options say so. */
static const decant_record open_shape = {
    .size = sizeof(struct shape), .fields = shape_fields, .field_count = 8, .storage_offset = AT(storage)};

/* Documents, and the paths of their unknown members in order; "" if there are none. What is unknown where the options ask
 * for it is after a bar. */
static const struct {
  const char *json, *unknown;
} documents[] = {
    {"{}", ""},
    {"[]", ""},
    {"{\"at\":{\"x\":1},\"maybe\":{\"x\":1,\"y\":2},\"points\":[{\"x\":1},{\"y\":2,\"x\":1}],"
     "\"pair\":[{\"x\":1},{\"x\":2}],\"map\":{\"a\":{\"x\":1},\"z\":{\"y\":1,\"x\":2}},\"log/s\":{\"level\":1,\"o\":2},"
     "\"kind\":[{\"free\":1}],\"size\":3}",
     ""},
    {"{\"size\":1,\"kind\":null,\"at\":{\"y\":1,\"x\":1},\"log/s\":{\"level\":3}}", ""},
    {"{\"si\\u007ae\":1,\"l\\u006fg\\/s\":{\"level\":3}}", ""},
    {"{\"syze\":1}", "/syze "},
    {"{\"at\":{\"x\":1,\"z\":2},\"size\":1,\"Size\":2}", "/Size |/at/z /Size "},
    {"{\"maybe\":{\"x\":1,\"z\":2}}", "/maybe/z "},
    {"{\"points\":[{\"x\":1,\"a\":1},{\"x\":2},{\"b\":1,\"x\":2,\"c\":3}]}", "/points/0/a /points/2/b /points/2/c "},
    {"{\"pair\":[{\"x\":1,\"a\":1},{\"x\":2}]}", "/pair/0/a "},
    /* The record of a map is checked with the record at its pointer "". Its DECANT_KEY names nothing. */
    {"{\"map\":{\"ignored\":{\"x\":1,\"ignored\":2},\"b\":{\"x\":1,\"y\":2,\"key\":3}}}",
     "/map/ignored/ignored /map/b/key "},
    {"{\"\":1,\"log\":2,\"log~1s\":3,\"/log~1s/level\":4,\"s\\u0000ize\":5,\"siz\":6,\"sizes\":7}",
     "/ /log /log~01s /~1log~01s~1level /s\\u0000ize /siz /sizes "},
    {"{\"\\u0073ize\\u0000\":1,\"\\ud83d\\ude00\":2}", "/size\\u0000 /\xf0\x9f\x98\x80 "}};

/* The paths of an error. */
static const char *paths(decant_status status, const decant_error *error) {
  static char text[1024], json[8192];
  *text = 0;
  if (status == DECANT_OK) return text;
  decant_error_json(error, json, sizeof json);
  for (const char *at = json; (at = strstr(at, "\"code\":209")) != NULL; at++) {
    const char *path = strstr(at, "\"path\":\"") + 8, *end = strchr(path, '"');
    sprintf(text + strlen(text), "%.*s ", (int)(end - path), path);
  }
  return text;
}

/* ---------------------------------------------------------------------------------------------------
 * Every way in
 */

static void expect_at(const char *json, const char *expected, decant_status status, const decant_error *error,
                      int line) {
  const char *found = paths(status, error);
  if (strcmp(found, expected) != 0) printf("in %s:\n", json);
  check_text_at(found, expected, line);
}
#define expect(json, expected, status, error) expect_at(json, expected, status, error, __LINE__)

static int take(void *context, int64_t line, const void *value, const decant_error *error) {
  (void)line;
  (void)value;
  if (error != NULL) *(decant_error *)context = *error;
  return 0;
}

static void a_document(const decant_record *record, const char *json, const char *expected, decant_options options) {
  struct shape shape, before;
  size_t length = strlen(json);
  for (options.engine = DECANT_NATIVE; options.engine <= DECANT_JANSSON; options.engine++) {
    /* libjansson has no keys with NUL. */
    if (options.engine == DECANT_JANSSON && strstr(json, "u0000") != NULL) continue;
    memset(&shape, 7, sizeof shape);
    before = shape;
    decant_error error = DECANT_ERROR_INIT;
    decant_status status = decant_decode_with(record, json, length, &shape, &options, &error);
    if (status == DECANT_UNSUPPORTED) break; /* without libjansson */
    expect(json, expected, status, &error);
    check(status == DECANT_OK || memcmp(&shape, &before, sizeof shape) == 0, "written on success only");
    if (status == DECANT_OK) decant_free(record, &shape);

    char space[4096];
    decant_options fixed = options;
    fixed.buffer = space;
    fixed.buffer_size = sizeof space;
    error.code = DECANT_OK;
    status = decant_decode_with(record, json, length, &shape, &fixed, &error);
    expect(json, expected, status, &error);

    decant_document *document;
    if (check(decant_parse(json, length, &options, &document, NULL) == DECANT_OK, "a document")) {
      status = decant_decode_value(record, decant_root(document), &shape, &options, &error);
      expect(json, expected, status, &error);
      if (status == DECANT_OK) decant_free(record, &shape);
      decant_document_free(document);
    }

    decant_error last = DECANT_ERROR_INIT;
    check(decant_decode_lines(record, json, length, take, &last, &options, &error) == DECANT_OK, "lines");
    expect(json, expected, last.code, &last);
    /* Many short lines are read with one index. */
    char text[16384];
    size_t used = 0;
    for (int copy = 0; copy < 12; copy++) used += (size_t)sprintf(text + used, "%s\n", json);
    memset(&last, 0, sizeof last);
    check(decant_decode_lines(record, text, used, take, &last, &options, &error) == DECANT_OK, "many lines");
    expect(json, expected, last.code, &last);

    struct ArrowArrayStream rows, rejects;
    decant_options columns = options;
    if (check(decant_read_arrow(record, text, used, &columns, &rows, &rejects, &error) == DECANT_OK, "columns")) {
      struct ArrowArray batch = {0}, bad = {0};
      check(rows.get_next(&rows, &batch) == 0 && rejects.get_next(&rejects, &bad) == 0, "batches");
      int64_t good = batch.release != NULL ? batch.length : 0, wrong = bad.release != NULL ? bad.length : 0;
      bool fails = *expected != 0 || *json == '[';
      check(good == (fails ? 0 : 12) && wrong == (fails ? 12 : 0), "rows and rejects");
      if (*expected != 0 && wrong > 0) {
        check(((const int32_t *)bad.children[4]->buffers[1])[0] == DECANT_UNKNOWN_KEY, "the code");
      }
      if (batch.release != NULL) batch.release(&batch);
      if (bad.release != NULL) bad.release(&bad);
      rows.release(&rows);
      rejects.release(&rejects);
    }
  }
}

static void every_way(void) {
  for (size_t at = 0; at < sizeof documents / sizeof *documents; at++) {
    char always[256];
    const char *bar = strchr(documents[at].unknown, '|'), *asked = bar != NULL ? bar + 1 : documents[at].unknown;
    sprintf(always, "%.*s", (int)(bar != NULL ? bar - documents[at].unknown : 255), documents[at].unknown);
    decant_options options = DECANT_OPTIONS_INIT;
    a_document(&shape_record, documents[at].json, always, options);
    options.rejects_unknown = 1;
    a_document(&shape_record, documents[at].json, asked, options);
    a_document(&open_shape, documents[at].json, asked, options);
  }
}

/* ---------------------------------------------------------------------------------------------------
 * Arrays and elements: what is around them is nobody's record
 */

static void around(void) {
  static const char json[] = "{\"type\":\"list\",\"items\":[{\"x\":1},{\"x\":2,\"z\":3}],\"total\":2}";
  static const char fine[] = "{\"type\":\"list\",\"items\":[{\"x\":1},{\"x\":2}],\"total\":2}";
  decant_options options = DECANT_OPTIONS_INIT;
  options.rejects_unknown = 1;
  decant_error error = DECANT_ERROR_INIT;
  decant_array array;
  decant_status status =
      decant_decode_array(&open_point, "/items", json, sizeof json - 1, &array, &options, &error);
  expect(json, "/items/1/z ", status, &error);
  if (check(decant_decode_array(&open_point, "/items", fine, sizeof fine - 1, &array, &options, &error) == DECANT_OK,
            "an array")) {
    check(array.count == 2, "of two");
    decant_array_free(&array, NULL);
  }
  options.elements_at = "/items";
  decant_error last = DECANT_ERROR_INIT;
  check(decant_decode_lines(&open_point, fine, sizeof fine - 1, take, &last, &options, &error) == DECANT_OK, "elements");
  expect(fine, "", last.code, &last);
  check(decant_decode_lines(&open_point, json, sizeof json - 1, take, &last, &options, &error) == DECANT_OK, "elements");
  expect(json, "/items/1/z ", last.code, &last);
}

/* ---------------------------------------------------------------------------------------------------
 * Parts at the pointer "", and fields that take all members
 */

struct span {
  char bytes[24];
};
static bool keep(void *context, const char *value, size_t length, void *member, char message[256]) {
  (void)context, (void)message;
  if (length >= sizeof(struct span)) return false;
  memcpy(((struct span *)member)->bytes, value, length);
  return true;
}

static void parts(void) {
  struct part {
    struct point point;
    int32_t id;
    const char *raw;
    void *storage;
  } part;
  static const decant_field fields[] = {
      {.key = "id", .kind = DECANT_INT32, .offset = offsetof(struct part, id)},
      {.key = "",
       .kind = DECANT_RECORD,
       .flags = DECANT_POINTER,
       .offset = offsetof(struct part, point),
       .record = &closed_point},
      {.key = "",
       .kind = DECANT_RAW,
       .flags = DECANT_POINTER,
       .offset = offsetof(struct part, raw)}};
  decant_record record = {.size = sizeof part,
                          .fields = fields,
                          .field_count = 2,
                          .storage_offset = offsetof(struct part, storage),
                          .flags = DECANT_CLOSED};
  static const char json[] = "{\"x\":1,\"id\":2,\"y\":3}", more[] = "{\"x\":1,\"id\":2,\"idd\":3}";
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode(&record, json, sizeof json - 1, &part, &error) == DECANT_OK && part.point.y == 3, "two records");
  check(decant_decode(&record, more, sizeof more - 1, &part, &error) == DECANT_UNKNOWN_KEY, "closed");
  check_text(error.message,
             "1:15: /idd: unknown key \"idd\"; did you mean \"id\"?\n"
             "  {\"x\":1,\"id\":2,\"idd\":3}\n"
             "                ^~~~~");
  check(error.offset == 14 && error.line == 1 && error.column == 15, "the key's place");
  check_text(error.path, "/idd");
  /* The flags of the record around it count alone. */
  record.flags = 0;
  check(decant_decode(&record, more, sizeof more - 1, &part, &error) == DECANT_OK, "open");
  record.flags = DECANT_CLOSED;
  record.field_count = 3;
  check(decant_decode(&record, more, sizeof more - 1, &part, &error) == DECANT_OK, "a field with all members");
  check_text(part.raw, more);
  decant_free(&record, &part);
  static const decant_conversion whole = {.decode = keep};
  static const decant_field span_fields[] = {{.key = "",
                                              .kind = DECANT_CONVERTED,
                                              .flags = DECANT_POINTER,
                                              .extent = sizeof(struct span),
                                              .conversion = &whole}};
  static const decant_record span_record = {
      .size = sizeof(struct span), .fields = span_fields, .field_count = 1, .flags = DECANT_CLOSED};
  struct span span;
  check(decant_decode(&span_record, json, sizeof json - 1, &span, &error) == DECANT_OK, error.message);
  check_text(span.bytes, json);

  /* A record that is a part of itself by a pointer never ends, and has no other names. */
  struct self {
    struct self *self;
    int32_t id;
    void *storage;
  } self;
  static decant_record self_record;
  static const decant_field self_fields[] = {
      {.key = "id", .kind = DECANT_INT32, .offset = offsetof(struct self, id)},
      {.key = "",
       .kind = DECANT_RECORD_POINTER,
       .flags = DECANT_POINTER,
       .offset = offsetof(struct self, self),
       .record = &self_record}};
  self_record = (decant_record){.size = sizeof self, .fields = self_fields, .field_count = 2,
                                .storage_offset = offsetof(struct self, storage), .flags = DECANT_CLOSED};
  static const char endless[] = "{\"id\":1,\"ie\":2}";
  check(decant_decode(&self_record, endless, sizeof endless - 1, &self, &error) == DECANT_MULTIPLE &&
            error.error_count == 2 && strstr(error.message, "1:9: /ie: unknown key \"ie\"") != NULL,
        "a part of itself");
}

/* ---------------------------------------------------------------------------------------------------
 * Large objects and tables, budgets, and the flags
 */

static void large(void) {
  enum { FIELDS = 300, MEMBERS = 20000 };
  static char keys[FIELDS][16];
  static decant_field fields[FIELDS];
  for (int at = 0; at < FIELDS; at++) {
    sprintf(keys[at], "field%d", at);
    fields[at] = (decant_field){
        .key = keys[at], .kind = DECANT_INT32, .offset = (uint32_t)at * 4, .flags = DECANT_OPTIONAL};
  }
  decant_record record = {
      .size = FIELDS * 4, .fields = fields, .field_count = FIELDS, .flags = DECANT_CLOSED};
  static int32_t out[FIELDS];
  static char json[MEMBERS * 24];
  int count = rounds(MEMBERS);
  for (int unknown = 0; unknown < 2; unknown++) {
    size_t length = 0;
    /* Backwards, some of them again and again. */
    for (int at = count; at-- > 0;) {
      length += (size_t)sprintf(json + length, "%c\"%s%d\":%d", length == 0 ? '{' : ',',
                                unknown ? "feild" : "field", at % FIELDS, at);
    }
    json[length++] = '}';
    decant_error error = DECANT_ERROR_INIT;
    decant_status status = decant_decode(&record, json, length, out, &error);
    if (!unknown) {
      check(status == DECANT_OK && out[7] % FIELDS == 7, "all are known");
    } else {
      check(status == DECANT_MULTIPLE && error.error_count == count, "none is");
      decant_options options = DECANT_OPTIONS_INIT;
      options.maximum_errors = 1;
      status = decant_decode_with(&record, json, length, out, &options, &error);
      check(status == DECANT_UNKNOWN_KEY && error.error_count == 1, "the first alone");
      check(strstr(error.message, "; did you mean \"field") != NULL, "with the nearest key");
    }
  }
}

static void flags(void) {
  decant_record record = open_point;
  decant_error error = DECANT_ERROR_INIT;
  struct point point;
  record.flags = 4;
  check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD, "a flag that is not known");
  check_text(error.message, "invalid record: unknown flags");
  check(decant_decode(&record, "{\"x\":1}", 7, &point, &error) == DECANT_INVALID_RECORD, "in a call");
  check(decant_record_check(&closed_point, &error) == DECANT_OK, "one that is");
  /* Writing does not ask. */
  char text[64];
  size_t length;
  point = (struct point){1, 0};
  check(decant_encode(&closed_point, &point, text, sizeof text, &length, &error) == DECANT_OK, "a text");
  check_text(text, "{\"x\":1}");
}

/* ---------------------------------------------------------------------------------------------------
 * Descriptions
 */

static void described(void) {
  char text[2048], again[2048];
  decant_schema *schema = NULL;
  decant_error error = DECANT_ERROR_INIT;
  size_t length;
  if (!check(decant_record_describe(&shape_record, text, sizeof text, &length, &error) == DECANT_OK, "a description"))
    return;
  check(strncmp(text, "{\"closed\":true,\"fields\":[", 25) == 0, "of a closed record");
  check(strstr(text, "\"element\":\"record\",\"optional\":true,\"closed\":true,\"fields\":[") != NULL, "and one in it");
  if (!check(decant_schema_parse(text, length, NULL, &schema, &error) == DECANT_OK, text)) {
    printf("%s\n", error.message);
    return;
  }
  const decant_record *record = decant_schema_record(schema);
  check(record->flags == DECANT_CLOSED && record->fields[0].record->flags == 0 &&
            record->fields[2].record->flags == DECANT_CLOSED,
        "the flags");
  decant_record_describe(record, again, sizeof again, &length, &error);
  check_text(again, text);
  void *out = calloc(1, record->size);
  check(decant_decode(record, "{\"Size\":1}", 10, out, &error) == DECANT_UNKNOWN_KEY, "it is followed");
  free(out);
  decant_schema_free(schema);
  static const char *wrong[] = {"{\"fields\":[],\"closed\":1}", "{\"fields\":[],\"Closed\":true}",
                                "{\"fields\":[{\"key\":\"a\",\"kind\":\"int8\",\"closed\":true}]}"};
  static const char *why[] = {
      "1:23: /closed: expected a boolean, found the number 1",
      "1:23: /Closed: its key is not \"fields\", \"closed\" or \"any_case\"",
      "1:46: /fields/0/closed: says nothing about a field of this kind"};
  for (int at = 0; at < 3; at++) {
    check(decant_schema_parse(wrong[at], strlen(wrong[at]), NULL, &schema, &error) != DECANT_OK, wrong[at]);
    check(strncmp(error.message, why[at], strlen(why[at])) == 0, error.message);
  }
}

int main(void) {
  every_way();
  around();
  parts();
  large();
  flags();
  described();
  return check_end();
}
