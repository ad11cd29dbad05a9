/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Arrays of pointers and arrays that end with NULL, parts that are left out and why, members that no field names, and
 * structs that begin with defaults: by both engines, in arrays and streams, and back. Rows that are written out, with the
 * extents of their members.
 */
#include "check.h"

#ifdef WITHOUT_JANSSON
enum { ENGINES = 1 };
#else
enum { ENGINES = 2 };
#endif

static decant_status decode(const decant_record *table, const char *json, int engine, void *out, decant_error *error) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  return decant_decode_with(table, json, strlen(json), out, &options, error);
}

/* Writes a struct, and frees it. */
static void check_encoded(const decant_record *table, void *value, const char *json) {
  decant_error error = DECANT_ERROR_INIT;
  char text[1024];
  check(decant_encode(table, value, text, sizeof text, NULL, &error) == DECANT_OK, json);
  check_text(error.message, "");
  check_text(text, json);
  decant_free(table, value);
}

/* ---- Pointers ---- */

struct node {
  int32_t id;
  const char *name;
  struct node **children; /* ends with NULL */
};
static const decant_record node_record;
static const decant_field node_fields[] = {
    DECANT_FIELD(struct node, id),
    DECANT_FIELD(struct node, name, .flags = DECANT_OPTIONAL),
    DECANT_FIELD_AS(struct node, children, DECANT_ARRAY, .element = DECANT_RECORD_POINTER, .record = &node_record,
                    .flags = DECANT_NULL_TERMINATED | DECANT_OPTIONAL)};
static const decant_record node_record = DECANT_TABLE(struct node, node_fields);

struct lists {
  const char **names; /* ends with NULL */
  struct node **nodes;
  int node_count;
  struct node *pair[2];
  const char **both; /* is counted, too */
  size_t both_count;
  void *storage;
};
static const decant_field list_fields[] = {
    DECANT_FIELD(struct lists, names, .flags = DECANT_NULL_TERMINATED),
    DECANT_FIELD_AS(struct lists, nodes, DECANT_ARRAY, .element = DECANT_RECORD_POINTER, .record = &node_record,
                    .flags = DECANT_NULL_ELEMENTS, DECANT_COUNT(struct lists, node_count)),
    DECANT_FIELD_AS(struct lists, pair, DECANT_FIXED_ARRAY, .element = DECANT_RECORD_POINTER, .record = &node_record),
    DECANT_FIELD(struct lists, both, .flags = DECANT_NULL_TERMINATED | DECANT_OPTIONAL,
                 DECANT_COUNT(struct lists, both_count))};
static const decant_record list_record =
    DECANT_TABLE(struct lists, list_fields, .storage_offset = offsetof(struct lists, storage));

static void test_pointers(int engine) {
  static const char json[] = "{\"names\":[\"a\",\"bb\"],\"nodes\":[{\"id\":1},null,{\"id\":2,\"name\":\"x\",\"children\":["
                             "{\"id\":3},{\"id\":4,\"children\":[]}]}],\"pair\":[{\"id\":5},{\"id\":6}],\"both\":[\"c\"]}";
  decant_error error = DECANT_ERROR_INIT;
  struct lists lists;
  check(decant_record_check(&list_record, &error) == DECANT_OK, "the table is valid");
  check_text(error.message, "");
  memset(&lists, 0xA5, sizeof lists);
  if (!check(decode(&list_record, json, engine, &lists, &error) == DECANT_OK, "pointers")) {
    puts(error.message);
    return;
  }
  check_text(lists.names[1], "bb");
  check(lists.names[2] == NULL && lists.node_count == 3 && lists.nodes[1] == NULL, "the ends");
  check(lists.nodes[2]->id == 2 && lists.nodes[2]->children[1]->id == 4, "inside");
  check(lists.nodes[2]->children[2] == NULL && lists.nodes[2]->children[1]->children[0] == NULL, "no more");
  check(lists.nodes[0]->children == NULL && lists.pair[1]->id == 6, "absent, and of fixed size");
  check(lists.both[0] != NULL && lists.both[1] == NULL && lists.both_count == 1, "counted and ended");
  check_encoded(&list_record, &lists, json);

  static const char empty[] = "{\"names\":[],\"nodes\":[],\"pair\":[{\"id\":5},{\"id\":6}]}";
  if (check(decode(&list_record, empty, engine, &lists, &error) == DECANT_OK, "empty ones")) {
    check(lists.names != NULL && lists.names[0] == NULL && lists.both == NULL, "an end alone");
    check_encoded(&list_record, &lists, empty);
  }
  static const struct {
    const char *json, *path, *what;
  } rows[] = {
      {"{\"names\":[null],\"nodes\":[],\"pair\":[{\"id\":5},{\"id\":6}]}", "/names/0", "expected a string, found null"},
      {"{\"names\":{},\"nodes\":[],\"pair\":[{\"id\":5},{\"id\":6}]}", "/names", "expected an array"},
      {"{\"names\":[],\"nodes\":[7],\"pair\":[{\"id\":5},{\"id\":6}]}", "/nodes/0", "expected an object, found the number 7"},
      {"{\"names\":[],\"nodes\":[{\"id\":1,\"children\":[{\"id\":\"x\"}]}],\"pair\":[{\"id\":5},{\"id\":6}]}",
       "/nodes/0/children/0/id", "expected an integer, found the string \"x\""},
      {"{\"names\":[],\"nodes\":[],\"pair\":[{\"id\":5},null]}", "/pair/1", "expected an object, found null"},
      {"{\"names\":[],\"nodes\":[],\"pair\":[{\"id\":5}]}", "/pair", "expected an array of exactly 2 elements, found 1"},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    memset(&lists, 0x5A, sizeof lists);
    const struct lists before = lists;
    check(decode(&list_record, rows[at].json, engine, &lists, &error) != DECANT_OK, rows[at].json);
    check_text(error.path, rows[at].path);
    if (!check(strstr(error.message, rows[at].what) != NULL, rows[at].what)) puts(error.message);
    check(!memcmp(&lists, &before, sizeof lists), "the struct is untouched");
  }
  /* Structs by hand. */
  struct node one = {1, NULL, NULL};
  lists = (struct lists){NULL, (struct node *[]){&one, NULL}, 2, {&one, NULL}, NULL, 0, NULL};
  char text[256];
  check(decant_encode(&list_record, &lists, text, sizeof text, NULL, &error) == DECANT_MISSING_KEY, "no element");
  check_text(error.message, "/pair/1: expected an object, found NULL");
  lists.pair[1] = &one;
  check_encoded(&list_record, &lists, "{\"names\":[],\"nodes\":[{\"id\":1},null],\"pair\":[{\"id\":1},{\"id\":1}]}");
}

/* A table of many elements in a large document, by its copy, and with blocks that are too small at first. */
static void test_many(int engine) {
  static char json[1200000];
  char *end = json + sprintf(json, "{\"names\":[");
  for (int at = 0; at < 30000; at++) end += sprintf(end, "%s\"name %d\"", at ? "," : "", at);
  end += sprintf(end, "],\"pair\":[{\"id\":5},{\"id\":6}],\"nodes\":[");
  for (int at = 0; at < 20000; at++) end += sprintf(end, "%s{\"id\":%d,\"name\":\"x%d\"}", at ? "," : "", at, at);
  sprintf(end, "]}");
  struct lists lists;
  decant_error error = DECANT_ERROR_INIT;
  if (!check(decode(&list_record, json, engine, &lists, &error) == DECANT_OK, "many")) {
    puts(error.message);
    return;
  }
  bool fine = lists.node_count == 20000 && lists.names[30000] == NULL;
  char name[32];
  for (int at = 0; at < 30000 && fine; at++) sprintf(name, "name %d", at), fine = !strcmp(lists.names[at], name);
  for (int at = 0; at < 20000 && fine; at++) {
    sprintf(name, "x%d", at);
    fine = lists.nodes[at]->id == at && !strcmp(lists.nodes[at]->name, name);
  }
  check(fine, "all of them");
  decant_free(&list_record, &lists);
}

/* ---- Parts that are left out ---- */

struct point {
  double x, y;
  const char *label;
};
static const decant_field point_fields[] = {DECANT_FIELD(struct point, x), DECANT_FIELD(struct point, y),
                                            DECANT_FIELD(struct point, label, .flags = DECANT_OPTIONAL)};
static const decant_record point_record = DECANT_TABLE(struct point, point_fields);
struct entry {
  const char *key;
  struct point point;
};
static const decant_field entry_fields[] = {
    DECANT_FIELD_AS(struct entry, key, DECANT_KEY),
    DECANT_FIELD_AS(struct entry, point, DECANT_RECORD, .key = "", .flags = DECANT_POINTER, .record = &point_record)};
static const decant_record entry_record = DECANT_TABLE(struct entry, entry_fields);
struct survey {
  struct point *points;
  size_t point_count;
  uint32_t left_out;
  int8_t ages[4];
  uint8_t age_count;
  uint32_t ages_left_out;
  const char **words;
  uint32_t words_left_out;
  struct entry *places;
  size_t place_count;
  uint32_t places_left_out;
  void *storage;
};
static const decant_bounds one_or_more = {.shortest = 1};
static const decant_field survey_fields[] = {
    DECANT_FIELD_AS(struct survey, points, DECANT_ARRAY, .element = DECANT_RECORD, .record = &point_record,
                    .flags = DECANT_LEAVE_OUT, DECANT_COUNT(struct survey, point_count),
                    DECANT_LEFT_OUT(struct survey, left_out), .bounds = &one_or_more),
    DECANT_FIELD(struct survey, ages, .flags = DECANT_LEAVE_OUT | DECANT_OPTIONAL, DECANT_COUNT(struct survey, age_count),
                 DECANT_LEFT_OUT(struct survey, ages_left_out)),
    DECANT_FIELD(struct survey, words, .flags = DECANT_LEAVE_OUT | DECANT_NULL_TERMINATED | DECANT_OPTIONAL,
                 DECANT_LEFT_OUT(struct survey, words_left_out)),
    DECANT_FIELD_AS(struct survey, places, DECANT_MAP, .record = &entry_record,
                    .flags = DECANT_LEAVE_OUT | DECANT_OPTIONAL, DECANT_COUNT(struct survey, place_count),
                    DECANT_LEFT_OUT(struct survey, places_left_out))};
static const decant_record survey_record =
    DECANT_TABLE(struct survey, survey_fields, .storage_offset = offsetof(struct survey, storage));

static void test_left_out(int engine) {
  static const char json[] =
      "{\"points\":[{\"x\":1,\"y\":2},{\"x\":\"1\",\"y\":2},7,{\"x\":3,\"y\":4,\"label\":\"a\"},{\"x\":5},{\"x\":5,\"y\":6,"
      "\"label\":1},{\"x\":7,\"y\":8,\"label\":\"bb\"}],\"ages\":[1,1000,null,-3],\"words\":[\"p\",5,\"q\\u0000\",\"r\"],"
      "\"places\":{\"home\":{\"x\":1,\"y\":2},\"work\":{\"x\":1},\"club\":{\"x\":3,\"y\":4}}}";
  decant_error error = DECANT_ERROR_INIT;
  struct survey survey;
  check(decant_record_check(&survey_record, &error) == DECANT_OK, "the table is valid");
  check_text(error.message, "");
  memset(&survey, 0xA5, sizeof survey);
  if (!check(decode(&survey_record, json, engine, &survey, &error) == DECANT_OK, "what fits")) {
    puts(error.message);
    return;
  }
  check(survey.point_count == 3 && survey.left_out == 4, "three points of seven");
  check(survey.points[1].x > 2.9 && survey.points[2].y > 7.9, "the right ones");
  check(survey.points[0].label == NULL, "nothing of another one is left");
  check_text(survey.points[2].label, "bb");
  check(survey.age_count == 2 && survey.ages[1] == -3 && survey.ages[2] == 0 && survey.ages_left_out == 2, "numbers");
  check_text(survey.words[1], "r");
  check(survey.words[2] == NULL && survey.words_left_out == 2, "strings");
  check(survey.place_count == 2 && survey.places_left_out == 1, "members");
  check_text(survey.places[1].key, "club");
  check_encoded(&survey_record, &survey,
                "{\"points\":[{\"x\":1,\"y\":2},{\"x\":3,\"y\":4,\"label\":\"a\"},{\"x\":7,\"y\":8,\"label\":\"bb\"}],"
                "\"ages\":[1,-3],\"words\":[\"p\",\"r\"],\"places\":{\"home\":{\"x\":1,\"y\":2},\"club\":{\"x\":3,\"y\":4}}}");
  if (check(decode(&survey_record, "{\"points\":[{\"x\":1,\"y\":2}]}", engine, &survey, &error) == DECANT_OK, "all")) {
    check(survey.left_out == 0 && survey.words_left_out == 0, "none left out");
    decant_free(&survey_record, &survey);
  }
  static const struct {
    const char *json, *path, *what;
  } rows[] = {
      {"{\"points\":[{\"x\":1}]}", "/points", "expected an array of at least 1 element, found 0"},
      {"{\"points\":[]}", "/points", "expected an array of at least 1 element, found 0"},
      {"{\"points\":7}", "/points", "expected an array, found the number 7"},
      {"{\"points\":[{\"x\":1,\"y\":1},8],\"ages\":true}", "/ages", "expected an array, found true"},
      {"{\"points\":[{\"x\":1,\"y\":1}],\"ages\":[1,2,3,4,5]}", "/ages", "expected an array of at most 4 elements, found 5"},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    memset(&survey, 0x5A, sizeof survey);
    const struct survey before = survey;
    check(decode(&survey_record, rows[at].json, engine, &survey, &error) != DECANT_OK, rows[at].json);
    check_text(error.path, rows[at].path);
    check(error.error_count == 1, "one error");
    if (!check(strstr(error.message, rows[at].what) != NULL, rows[at].what)) puts(error.message);
    check(!memcmp(&survey, &before, sizeof survey), "the struct is untouched");
  }
  /* Documents that are longer than a text that is read at once, with many parts. */
  static char large[400000];
  char *end = large + sprintf(large, "{\"points\":[");
  for (int at = 0; at < 9000; at++)
    end += sprintf(end, at % 3 == 1 ? "%s{\"x\":%d,\"label\":\"y\"}" : "%s{\"x\":%d,\"y\":2,\"label\":\"z\"}", at ? "," : "", at);
  sprintf(end, "]}");
  if (check(decode(&survey_record, large, engine, &survey, &error) == DECANT_OK, "many")) {
    check(survey.point_count == 6000 && survey.left_out == 3000, "two of three");
    check(survey.points[5999].x > 8997 && !strcmp(survey.points[5999].label, "z"), "the last one");
    decant_free(&survey_record, &survey);
  }
}

/* ---- Why parts are left out ---- */

static decant_options telling(int engine) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  options.tells_left_out = 1;
  return options;
}

static void check_reasons(const decant_error *error, int count, const char *const *paths) {
  char json[4096], path[64];
  check(error->code == DECANT_OK && error->error_count == count, "so many reasons");
  decant_error_json(error, json, sizeof json);
  for (int at = 0; at < count; at++) {
    snprintf(path, sizeof path, "\"path\":\"%s\"", paths[at]);
    if (!check(strstr(json, path) != NULL && strstr(error->message, paths[at]) != NULL, path)) puts(json);
  }
  if (count == 0) check_text(json, "{}");
}

static void test_reasons(int engine) {
  static const char json[] = "{\"points\":[{\"x\":1,\"y\":2},7,{\"x\":3,\"y\":4},{\"x\":5}],\"words\":[\"p\",5]}";
  static const char *const paths[] = {"/points/1", "/points/3/y", "/words/1"};
  decant_options options = telling(engine);
  decant_error error = DECANT_ERROR_INIT;
  struct survey survey;
  if (!check(decant_decode_with(&survey_record, json, strlen(json), &survey, &options, &error) == DECANT_OK, "fits")) {
    puts(error.message);
    return;
  }
  check(survey.left_out == 2 && survey.words_left_out == 1, "left out");
  check_reasons(&error, 3, paths);
  check_text(error.path, paths[0]);
  if (engine == DECANT_NATIVE) {
    check(error.line == 1 && error.column == 26, "the place of the first");
    check(!strncmp(error.message, "1:26: /points/1: expected an object, found the number 7", 55), error.message);
  }
  decant_free(&survey_record, &survey);
  static const char whole[] = "{\"points\":[{\"x\":1,\"y\":2}]}";
  check(decant_decode_with(&survey_record, whole, strlen(whole), &survey, &options, &error) == DECANT_OK, "all fits");
  check_reasons(&error, 0, NULL);
  check_text(error.message, "");
  decant_free(&survey_record, &survey);
  /* The first reason, and of a document that is read in another way. */
  options.maximum_errors = 1;
  check(decant_decode_with(&survey_record, json, strlen(json), &survey, &options, &error) == DECANT_OK, "the first");
  check_reasons(&error, 1, paths);
  decant_free(&survey_record, &survey);
  options.maximum_errors = 0;
  decant_document *document;
  if (check(decant_parse(json, strlen(json), &options, &document, &error) == DECANT_OK, "parsed")) {
    check(decant_decode_value(&survey_record, decant_root(document), &survey, &options, &error) == DECANT_OK, "a part");
    check_reasons(&error, 3, paths);
    decant_free(&survey_record, &survey);
    decant_document_free(document);
  }
  /* A failure is one, whatever is left out. The place of an element is that in the document. */
  static const struct {
    const char *json, *path;
    decant_status status;
  } rows[] = {
      {"{\"points\":[7,{\"x\":1,\"y\":2}],\"ages\":true}", "/ages", DECANT_TYPE_MISMATCH},
      {"{\"points\":[7,{\"x\":1,\"y\":2},{\"x\":1,\"y\":2,\"z\":3}]}", "/points/2/z", DECANT_UNKNOWN_KEY},
  };
  options.rejects_unknown = 1;
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    const char *text = rows[at].json;
    decant_status status = decant_decode_with(&survey_record, text, strlen(text), &survey, &options, &error);
    check(status == rows[at].status && error.code == status && error.error_count == 1, text);
    check_text(error.path, rows[at].path);
    status = decant_decode_with(&survey_record, text, strlen(text), &survey, &options, NULL);
    check(status == rows[at].status, "the same without an error");
  }
}

/* Parts in parts: what is left out of one is no reason to leave that one out. */
struct groups {
  struct survey *list;
  int count;
  uint32_t left_out;
  int id;
  void *storage;
};
static const decant_field group_fields[] = {
    DECANT_FIELD_AS(struct groups, list, DECANT_ARRAY, .element = DECANT_RECORD, .record = &survey_record,
                    .flags = DECANT_LEAVE_OUT, DECANT_COUNT(struct groups, count), DECANT_LEFT_OUT(struct groups, left_out),
                    .bounds = &one_or_more),
    DECANT_FIELD(struct groups, id)};
static const decant_record group_record =
    DECANT_TABLE(struct groups, group_fields, .storage_offset = offsetof(struct groups, storage));

static void test_parts_in_parts(int engine) {
  static const char json[] = "{\"id\":1,\"list\":[{\"points\":[7,{\"x\":1,\"y\":2}]},{\"points\":[8]}]}";
  static const char *const paths[] = {"/list/0/points/0", "/list/1/points/0", "/list/1/points"};
  decant_options options = telling(engine);
  decant_error error = DECANT_ERROR_INIT;
  struct groups groups;
  if (!check(decant_decode_with(&group_record, json, strlen(json), &groups, &options, &error) == DECANT_OK, "nested")) {
    puts(error.message);
    return;
  }
  check(groups.count == 1 && groups.left_out == 1 && groups.list[0].left_out == 1, "one of two");
  check_reasons(&error, 3, paths);
  decant_free(&group_record, &groups);
  check(decode(&group_record, "{\"id\":true,\"list\":[{\"points\":[7,{\"x\":1,\"y\":2}]}]}", engine, &groups, &error) ==
            DECANT_TYPE_MISMATCH,
        "one error");
  check_text(error.path, "/id");
}

static int check_line(void *count, int64_t line, const void *value, const decant_error *error) {
  const struct survey *survey = value;
  ++*(int *)count;
  switch (line) {
    case 1: check(survey != NULL && error == NULL && survey->left_out == 0, "a line that fits"); break;
    case 2:
      if (!check(survey != NULL && error != NULL, "a line of which something is left out")) break;
      check(survey->point_count == 1 && survey->left_out == 1, "left out");
      check(error->code == DECANT_OK && error->error_count == 1 && error->line == 2, "one reason");
      check(strstr(error->message, "/points/1: expected an object, found the number 7") != NULL, error->message);
      break;
    default: check(survey == NULL && error != NULL && error->code == DECANT_TYPE_MISMATCH, "a line that fails");
  }
  return 0;
}

static void test_reasons_of_lines(void) {
  static const char lines[] = "{\"points\":[{\"x\":1,\"y\":2}]}\n{\"points\":[{\"x\":1,\"y\":2},7]}\n{\"points\":7}\n";
  static const char elements[] = "[{\"points\":[{\"x\":1,\"y\":2}]},\n{\"points\":[{\"x\":1,\"y\":2},7]},\n{\"points\":7}]";
  decant_options options = telling(DECANT_NATIVE);
  int count = 0;
  check(decant_decode_lines(&survey_record, lines, strlen(lines), check_line, &count, &options, NULL) == DECANT_OK, "lines");
  options.elements_at = "";
  check(decant_decode_lines(&survey_record, elements, strlen(elements), check_line, &count, &options, NULL) == DECANT_OK,
        "elements");
  check(count == 6, "three each");
}

/* ---- Rows that are written out ---- */

struct machine {
  int port;
  double *weights;
  size_t weight_count;
  void *storage;
};

static void test_extents(void) {
  const decant_field right[] = {
      {.key = "port", .kind = DECANT_INT32, DECANT_AT(struct machine, port)},
      {.key = "weights", .kind = DECANT_ARRAY, .element = DECANT_DOUBLE, DECANT_AT_ELEMENTS(struct machine, weights),
       .length_offset = offsetof(struct machine, weight_count)}};
  decant_field wrong[] = {right[0], right[1]};
  decant_record record = {.size = sizeof(struct machine), .fields = right, .field_count = 2,
                          .storage_offset = offsetof(struct machine, storage)};
  decant_error error = DECANT_ERROR_INIT;
  struct machine machine;
  check(decant_record_check(&record, &error) == DECANT_OK, "extents");
  check(decode(&record, "{\"port\":1,\"weights\":[2]}", DECANT_NATIVE, &machine, &error) == DECANT_OK, "decoded");
  check(machine.port == 1 && machine.weights[0] > 1.9, "values");
  decant_free(&record, &machine);
  record.fields = wrong;
  /* The four bytes behind the port are padding, which nothing else tells, where pointers have eight bytes. */
  wrong[0].kind = DECANT_INT64;
  check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD, "an int is no int64_t");
  check_text(error.message, "invalid record: field 0 (\"port\"): extent is not the size of its kind");
  wrong[0].extent = 0;
  check(decant_record_check(&record, &error) == (sizeof(void *) == 8 ? DECANT_OK : DECANT_INVALID_RECORD),
        "without the extent it passes, if it only covers padding");
  wrong[0] = right[0];
  wrong[1].element = DECANT_FLOAT;
  check(decode(&record, "{\"port\":1,\"weights\":[2]}", DECANT_NATIVE, &machine, &error) == DECANT_INVALID_RECORD,
        "a double is no float");
}

/* ---- Members that no field names ---- */

struct extra {
  const char *key;
  int64_t value;
};
static const decant_field extra_fields[] = {
    DECANT_FIELD_AS(struct extra, key, DECANT_KEY),
    DECANT_FIELD(struct extra, value, .key = "", .flags = DECANT_POINTER)};
static const decant_record extra_record = DECANT_TABLE(struct extra, extra_fields);
struct open {
  int id;
  const char *name;
  const char *rest;
  size_t rest_length;
  struct extra *extras;
  int extra_count;
  void *storage;
};
static const decant_field raw_fields[] = {
    DECANT_FIELD(struct open, id), DECANT_FIELD_AS(struct open, rest, DECANT_RAW, .flags = DECANT_REST),
    DECANT_FIELD(struct open, name, .flags = DECANT_OPTIONAL)};
static const decant_field counted_fields[] = {
    DECANT_FIELD_AS(struct open, rest, DECANT_RAW, .flags = DECANT_REST, DECANT_COUNT(struct open, rest_length)),
    DECANT_FIELD(struct open, id), DECANT_FIELD(struct open, name, .flags = DECANT_OPTIONAL)};
static const decant_field map_fields[] = {
    DECANT_FIELD(struct open, id), DECANT_FIELD(struct open, name, .flags = DECANT_OPTIONAL),
    DECANT_FIELD_AS(struct open, extras, DECANT_MAP, .record = &extra_record, .flags = DECANT_REST,
                    DECANT_COUNT(struct open, extra_count))};
#define OPEN(list, ...) \
  DECANT_TABLE(struct open, list, .storage_offset = offsetof(struct open, storage), __VA_ARGS__)
static const decant_record raw_record = OPEN(raw_fields, .flags = DECANT_CLOSED);
static const decant_record counted_record = OPEN(counted_fields, .flags = 0);
static const decant_record map_record = OPEN(map_fields, .flags = DECANT_CLOSED);

static void test_rest(int engine) {
  static const char json[] = "{\"id\":1,\"x\": [1, {\"id\":2}],\"na\\u006de\":\"Ann\",\"y\\n\":null,\"x\":3}";
  decant_error error = DECANT_ERROR_INIT;
  struct open open;
  const decant_record *tables[] = {&raw_record, &counted_record, &map_record};
  for (int at = 0; at < 3; at++) {
    check(decant_record_check(tables[at], &error) == DECANT_OK, "the table is valid");
    check_text(error.message, "");
    memset(&open, 0xA5, sizeof open);
    if (check(decode(tables[at], "{\"name\":\"Bo\",\"id\":9}", engine, &open, &error) == DECANT_OK, "no others")) {
      check(at == 2 ? open.extras == NULL && open.extra_count == 0 : open.rest == NULL, "there are none");
      check_encoded(tables[at], &open, "{\"id\":9,\"name\":\"Bo\"}");
    }
  }
  for (int at = 0; at < 2; at++) {
    if (engine == DECANT_JANSSON) {
      decant_status status = decode(tables[at], "{\"id\":1,\"x\":[1]}", engine, &open, &error);
      if (!check(status == DECANT_UNSUPPORTED, "libjansson has no raw text")) printf("%d: %s\n", status, error.message);
      continue;
    }
    if (!check(decode(tables[at], json, engine, &open, &error) == DECANT_OK, "others")) {
      puts(error.message);
      continue;
    }
    check_text(open.rest, "{\"x\":[1, {\"id\":2}],\"y\\n\":null}");
    check_text(open.name, "Ann");
    check(at == 0 || open.rest_length == strlen(open.rest), "their length");
    check_encoded(tables[at], &open,
                  at == 0 ? "{\"id\":1,\"x\":[1, {\"id\":2}],\"y\\n\":null,\"name\":\"Ann\"}"
                          : "{\"x\":[1, {\"id\":2}],\"y\\n\":null,\"id\":1,\"name\":\"Ann\"}");
  }
  static const char numbers[] = "{\"a\":1,\"id\":2,\"b\\\"\":3,\"name\":\"Cy\",\"c\":4}";
  if (check(decode(&map_record, numbers, engine, &open, &error) == DECANT_OK, "a map")) {
    check(open.extra_count == 3 && open.extras[1].value == 3, "of three");
    check_text(open.extras[1].key, "b\"");
    check_encoded(&map_record, &open, "{\"id\":2,\"name\":\"Cy\",\"a\":1,\"b\\\"\":3,\"c\":4}");
  } else {
    puts(error.message);
  }
  check(decode(&map_record, "{\"a\":1,\"id\":2,\"b\":\"x\"}", engine, &open, &error) == DECANT_TYPE_MISMATCH, "a string");
  check_text(error.path, "/b");
  check(decode(&map_record, "[]", engine, &open, &error) == DECANT_TYPE_MISMATCH, "no object");
  check(error.error_count == 1, "once");
}

/* Structs that were made by hand. */
static void test_rest_of_structs(void) {
  static const struct {
    const char *rest, *text;
    decant_status status;
  } rows[] = {
      {NULL, "{\"id\":1}", DECANT_OK},
      {"{}", "{\"id\":1}", DECANT_OK},
      {" { } ", "{\"id\":1}", DECANT_OK},
      {" {\"a\" : {\"id\":1}, \"b\":\"id\"}\n", "{\"id\":1,\"a\" : {\"id\":1}, \"b\":\"id\"}", DECANT_OK},
      {"{\"id\":2}", "/rest", DECANT_DUPLICATE_KEY},
      {"{\"a\":[\"}\",{}],\"n\\u0061me\":2}", "/rest", DECANT_DUPLICATE_KEY},
      {"[1]", "/rest", DECANT_INVALID_VALUE},
      {"{\"a\":}", "/rest", DECANT_INVALID_VALUE},
      {"", "/rest", DECANT_INVALID_VALUE},
      {"{\"a\":1} 2", "/rest", DECANT_INVALID_VALUE},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    struct open open = {.id = 1, .rest = rows[at].rest};
    decant_error error = DECANT_ERROR_INIT;
    char text[256];
    decant_status status = decant_encode(&raw_record, &open, text, sizeof text, NULL, &error);
    check(status == rows[at].status, rows[at].text);
    if (status == DECANT_OK) check_text(text, rows[at].text);
  }
  struct extra extras[] = {{"a", 1}, {"name", 2}};
  struct open open = {.id = 1, .extras = extras, .extra_count = 2};
  decant_error error = DECANT_ERROR_INIT;
  char text[256];
  check(decant_encode(&map_record, &open, text, sizeof text, NULL, &error) == DECANT_DUPLICATE_KEY, "a field's key");
  check_text(error.path, "/name");
}

/* ---- Defaults ---- */

struct server {
  const char *host;
  uint16_t port;
  bool tls;
  char note[8];
};
struct config {
  struct server server;
  const char *name;
  const char **tags;
  size_t tag_count;
  int level;
  bool has_level;
  double rates[3];
  uint8_t rate_count;
  int unnamed;
  void *storage;
};
static const char *const default_tags[] = {"d", "e"};
static const struct config defaults = {.server = {"localhost", 80, true, "default"},
                                       .name = "main",
                                       .tags = (const char **)default_tags,
                                       .tag_count = 2,
                                       .level = 3,
                                       .has_level = true,
                                       .rates = {1, 2, 3},
                                       .rate_count = 3,
                                       .unnamed = 77};
#define OPT .flags = DECANT_OPTIONAL
static const decant_field server_fields[] = {
    DECANT_FIELD(struct server, host, OPT), DECANT_FIELD(struct server, port, OPT), DECANT_FIELD(struct server, tls, OPT),
    DECANT_FIELD(struct server, note, OPT)};
static const decant_record server_record = DECANT_TABLE(struct server, server_fields);
static const decant_field config_fields[] = {
    DECANT_FIELD_AS(struct config, server, DECANT_RECORD, .record = &server_record, OPT),
    DECANT_FIELD(struct config, name, OPT),
    DECANT_FIELD(struct config, tags, OPT, DECANT_COUNT(struct config, tag_count)),
    DECANT_FIELD(struct config, level, OPT, DECANT_PRESENCE(struct config, has_level)),
    DECANT_FIELD(struct config, rates, OPT, DECANT_COUNT(struct config, rate_count))};
static const decant_record config_record = DECANT_TABLE(
    struct config, config_fields, .storage_offset = offsetof(struct config, storage), .defaults = &defaults);

static void test_defaults(int engine) {
  decant_error error = DECANT_ERROR_INIT;
  struct config config;
  check(decant_record_check(&config_record, &error) == DECANT_OK, "the table is valid");
  memset(&config, 0xA5, sizeof config);
  if (check(decode(&config_record, "{}", engine, &config, &error) == DECANT_OK, "defaults alone")) {
    check(config.name == defaults.name && config.tags == defaults.tags && config.tag_count == 2, "pointers");
    check(config.level == 3 && !config.has_level && config.rates[2] > 2.9 && config.rate_count == 3, "numbers");
    check(config.server.host == defaults.server.host && config.server.port == 80 && config.unnamed == 77, "all");
    check_text(config.server.note, "default");
    check(config.storage == NULL || engine == DECANT_JANSSON || config.storage != NULL, "a block of its own");
    check_encoded(&config_record, &config, "{}");
  }
  static const char json[] = "{\"server\":{\"port\":8080,\"tls\":false,\"note\":\"n\"},\"tags\":[\"x\"],\"level\":0,\"rates\":[9]}";
  if (check(decode(&config_record, json, engine, &config, &error) == DECANT_OK, "over them")) {
    check_text(config.server.host, "localhost");
    check(config.server.port == 8080 && !config.server.tls, "a struct inside keeps what is absent");
    check(!memcmp(config.server.note, "n\0\0\0\0\0\0", 8), "nothing of the default is behind a text");
    check(config.tag_count == 1 && !strcmp(config.tags[0], "x"), "an array replaces all of it");
    check(config.level == 0 && config.has_level && config.unnamed == 77, "numbers");
    check(config.rate_count == 1 && config.rates[0] > 8.9 && config.rates[1] < 0.1, "in place, too");
    check_encoded(&config_record, &config, json);
  } else {
    puts(error.message);
  }
  if (check(decode(&config_record, "{\"name\":null,\"server\":null}", engine, &config, &error) == DECANT_OK, "nulls")) {
    check(config.name == defaults.name && config.server.port == 80, "are as absent");
    decant_free(&config_record, &config);
  }
  /* A file over another one. */
  struct config first, second;
  decant_record over = config_record;
  check(decode(&config_record, "{\"name\":\"one\",\"tags\":[\"p\",\"q\"]}", engine, &first, &error) == DECANT_OK, "one");
  over.defaults = &first;
  if (check(decode(&over, "{\"server\":{\"host\":\"h\"}}", engine, &second, &error) == DECANT_OK, "over it")) {
    check(second.name == first.name && second.tags == first.tags && second.tag_count == 2, "what it has");
    check_text(second.server.host, "h");
    char text[256];
    check(decant_encode(&over, &second, text, sizeof text, NULL, &error) == DECANT_OK, "what is new");
    check_text(text, "{\"server\":{\"host\":\"h\"}}");
    decant_free(&over, &second);
    check_text(first.name, "one");
  }
  decant_free(&config_record, &first);
  /* A failure leaves the struct as it was. */
  memset(&config, 0x5A, sizeof config);
  const struct config before = config;
  check(decode(&config_record, "{\"level\":\"x\"}", engine, &config, &error) == DECANT_TYPE_MISMATCH, "a string");
  check(!memcmp(&config, &before, sizeof config), "untouched");
}

static int total;
static int on_config(void *context, int64_t line, const void *value, const decant_error *error) {
  const struct config *config = value;
  (void)context;
  (void)line;
  (void)error;
  if (config != NULL) total += config->server.port + 1000 * config->level + (config->unnamed == 77);
  return 0;
}

static void test_defaults_of_many(int engine) {
  static const char lines[] = "{}\n{\"level\":1}\n{\"server\":{\"port\":5}}\n{\"server\":{}}\n";
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  total = 0;
  check(decant_decode_lines(&config_record, lines, sizeof lines - 1, on_config, NULL, &options, &error) == DECANT_OK, "lines");
  check(total == 80 + 3001 + 80 + 1001 + 5 + 3001 + 80 + 3001, "each begins anew");
  static char json[600000];
  char *end = json + sprintf(json, "[");
  for (int at = 0; at < 9000; at++)
    end += sprintf(end, at % 2 ? "%s{\"server\":{\"port\":%d,\"host\":\"h\"}}" : "%s{\"level\":%d,\"name\":\"n\"}", at ? "," : "", at);
  sprintf(end, "]");
  decant_array array;
  if (!check(decant_decode_array(&config_record, "", json, strlen(json), &array, &options, &error) == DECANT_OK, "many")) {
    puts(error.message);
    return;
  }
  const struct config *configs = array.items;
  bool fine = array.count == 9000;
  for (int at = 0; at < 9000 && fine; at++) {
    const struct config *one = &configs[at];
    fine = one->unnamed == 77 && one->rates[2] > 2.9 &&
           (at % 2 ? one->server.port == at && one->server.tls && one->level == 3 && one->name == defaults.name
                   : one->level == at && one->has_level && one->server.port == 80 && !strcmp(one->name, "n"));
  }
  check(fine, "each has them");
  decant_array_free(&array, &options);
}

/* ---- Tables that make no sense ---- */

static void test_tables(void) {
  static const struct {
    uint32_t flags;
    uint16_t kind, element;
    const char *what;
  } rows[] = {
      {DECANT_NULL_TERMINATED, DECANT_ARRAY, DECANT_INT32, "DECANT_NULL_TERMINATED of elements that are no pointers"},
      {DECANT_NULL_TERMINATED, DECANT_STRING, 0, "DECANT_NULL_TERMINATED of elements that are no pointers"},
      {DECANT_NULL_TERMINATED, DECANT_FIXED_ARRAY, DECANT_STRING, "of a field that is no DECANT_ARRAY"},
      {DECANT_NULL_TERMINATED | DECANT_NULL_ELEMENTS, DECANT_ARRAY, DECANT_STRING, "exclude each other"},
      {DECANT_LEAVE_OUT, DECANT_STRING, 0, "DECANT_LEAVE_OUT of a field that is no array or map"},
      {DECANT_LEAVE_OUT, DECANT_FIXED_ARRAY, DECANT_STRING, "whose elements are not counted"},
      {DECANT_LEAVE_OUT, DECANT_ARRAY, DECANT_STRING, "length_offset is missing"},
      {DECANT_REST, DECANT_STRING, 0, "DECANT_REST of a field that is no DECANT_RAW or _MAP"},
      {DECANT_REST | DECANT_OPTIONAL, DECANT_RAW, 0, "has no flags but DECANT_LEAVE_OUT, and no presence"},
      {1048576, DECANT_RAW, 0, "unknown flags"},
  };
  for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
    decant_field field = {.key = "a", .kind = rows[at].kind, .element = rows[at].element, .flags = rows[at].flags};
    field.capacity = rows[at].kind == DECANT_FIXED_ARRAY ? 1 : 0;
    const decant_record record = {.size = 32, .fields = &field, .field_count = 1, .storage_offset = 24};
    decant_error error = DECANT_ERROR_INIT;
    check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD, rows[at].what);
    if (!check(strstr(error.message, rows[at].what) != NULL, rows[at].what)) puts(error.message);
  }
  decant_error error = DECANT_ERROR_INIT;
  decant_field fields[3];
  memcpy(fields, raw_fields, sizeof fields);
  decant_record record = raw_record;
  record.fields = fields;
  fields[2] = fields[1], fields[2].offset = offsetof(struct open, name);
  check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD && strstr(error.message, "two fields have"), "twice");
  fields[2] = raw_fields[2], fields[2].key = "/name", fields[2].key_length = 0, fields[2].flags = DECANT_POINTER;
  check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD && strstr(error.message, "has a DECANT_POINTER"), "beside");
  memcpy(fields, survey_fields, sizeof fields);
  record = survey_record;
  record.fields = fields, record.field_count = 2;
  fields[0].left_out_offset = fields[1].left_out_offset;
  check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD && strstr(error.message, "overlaps"), "one place");
  fields[0].left_out_offset = sizeof(struct survey) - 2;
  check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD && strstr(error.message, "outside"), "outside");
  fields[0].left_out_offset = 0, fields[1].flags = 0;
  check(decant_record_check(&record, &error) == DECANT_INVALID_RECORD && strstr(error.message, "without"), "no flag");
  char text[64];
  size_t length;
  check(decant_record_describe(&list_record, text, sizeof text, &length, &error) == DECANT_INVALID_RECORD, "no words");
}

/* ---- In columns and descriptions ---- */

/* Whether the text in a row of a utf8 or a utf8_view is `expected`. */
static bool has_text(const struct ArrowArray *array, int64_t row, bool is_view, const char *expected) {
  int32_t length, place[2] = {0, 0};
  const char *text;
  if (is_view) {
    const char *view = (const char *)array->buffers[1] + 16 * row;
    memcpy(&length, view, 4);
    memcpy(place, view + 8, 8);
    text = length <= 12 ? view + 4 : (const char *)array->buffers[2 + place[0]] + place[1];
  } else {
    const int32_t *offsets = array->buffers[1];
    length = offsets[row + 1] - offsets[row];
    text = (const char *)array->buffers[2] + offsets[row];
  }
  return (size_t)length == strlen(expected) && memcmp(text, expected, (size_t)length) == 0;
}

static bool is_null_row(const struct ArrowArray *array, int64_t row) {
  const uint8_t *bits = array->buffers[0];
  return bits != NULL && (bits[row / 8] >> row % 8 & 1) == 0;
}

static void test_columns(uint32_t columns) {
  static const char description[] =
      "{\"closed\":true,\"fields\":[{\"key\":\"id\",\"kind\":\"int64\"},"
      "{\"key\":\"points\",\"kind\":\"array\",\"element\":\"record\",\"leave_out\":true,\"fields\":["
      "{\"key\":\"label\",\"kind\":\"string\",\"optional\":true},{\"key\":\"x\",\"kind\":\"double\"}]},"
      "{\"key\":\"tags\",\"kind\":\"array\",\"element\":\"text\",\"leave_out\":true},"
      "{\"key\":\"others\",\"kind\":\"raw\",\"rest\":true},"
      "{\"key\":\"ages\",\"kind\":\"map\",\"optional\":true,\"leave_out\":true,\"fields\":["
      "{\"kind\":\"key\"},{\"pointer\":\"\",\"kind\":\"int8\"}]}]}";
  static const char lines[] =
      "{\"id\":1,\"points\":[{\"x\":1},{\"label\":\"a text that is taken back\",\"x\":\"no\"},7,"
      "{\"x\":3,\"label\":\"a text of some length\"}],\"tags\":[\"a\",5,\"bb\"],\"z\": [1, 2],\"y\":null,"
      "\"ages\":{\"a\":1,\"b\":1000,\"c\":3}}\n"
      "{\"id\":2,\"points\":[{\"label\":\"lost\"}],\"tags\":[]}\n"
      "{\"id\":\"3\",\"points\":[7],\"tags\":[]}\n";
  const bool is_view = columns == 0;
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = DECANT_OPTIONS_INIT;
  decant_schema *schema;
  struct ArrowArrayStream rows, rejects;
  struct ArrowArray batch;
  options.columns = columns;
  if (!check(decant_schema_parse(description, strlen(description), NULL, &schema, &error) == DECANT_OK, "described")) {
    puts(error.message);
    return;
  }
  const decant_record *record = decant_schema_record(schema);
  char text[1024];
  size_t length;
  check(decant_record_check(record, &error) == DECANT_OK, "the table is valid");
  if (!check(decant_record_describe(record, text, sizeof text, &length, &error) == DECANT_OK, "and described"))
    puts(error.message);
  check(strstr(text, "\"leave_out\":true") != NULL && strstr(text, "\"rest\":true") != NULL, "its words");
  if (!check(decant_read_arrow(record, lines, strlen(lines), &options, &rows, &rejects, &error) == DECANT_OK, "columns")) {
    puts(error.message);
    decant_schema_free(schema);
    return;
  }
  struct ArrowSchema fields;
  check(rows.get_schema(&rows, &fields) == 0 && (fields.children[3]->flags & ARROW_FLAG_NULLABLE) != 0, "others may be null");
  check_text(fields.children[3]->name, "others");
  fields.release(&fields);
  if (check(rows.get_next(&rows, &batch) == 0 && batch.length == 2, "two rows")) {
    struct ArrowArray **c = batch.children;
    const int32_t *ends = c[1]->buffers[1];
    const struct ArrowArray *points = c[1]->children[0];
    check(ends[1] == 2 && ends[2] == 2 && points->length == 2, "two points of five");
    check(((const double *)points->children[1]->buffers[1])[1] > 2.9, "the second");
    check(is_null_row(points->children[0], 0) && has_text(points->children[0], 1, is_view, "a text of some length"), "labels");
    ends = c[2]->buffers[1];
    check(ends[1] == 2 && ends[2] == 2 && has_text(c[2]->children[0], 1, is_view, "bb"), "two tags");
    check(has_text(c[3], 0, is_view, "{\"z\":[1, 2],\"y\":null}") && is_null_row(c[3], 1), "the other members");
    ends = c[4]->buffers[1];
    check(ends[1] == 2 && is_null_row(c[4], 1) && c[4]->children[0]->length == 2, "two members of three");
    check(((const int8_t *)c[4]->children[0]->children[1]->buffers[1])[1] == 3, "the right ones");
    batch.release(&batch);
  }
  rows.release(&rows);
  if (check(rejects.get_next(&rejects, &batch) == 0 && batch.length == 1, "one reject")) {
    check(has_text(batch.children[3], 0, false, "/id"), "its path");
    batch.release(&batch);
  }
  rejects.release(&rejects);
  decant_schema_free(schema);
  /* Without a key. */
  static const char keyless[] = "{\"fields\":[{\"key\":\"id\",\"kind\":\"int64\"},{\"kind\":\"raw\",\"rest\":true}]}";
  if (!check(decant_schema_parse(keyless, strlen(keyless), NULL, &schema, &error) == DECANT_OK, "no key")) return;
  check(decant_record_describe(decant_schema_record(schema), text, sizeof text, &length, &error) == DECANT_OK, "no words");
  check_text(text, keyless);
  if (check(decant_read_arrow(decant_schema_record(schema), lines, strlen(lines), &options, &rows, NULL, &error) == DECANT_OK,
            "columns without a key")) {
    check(rows.get_schema(&rows, &fields) == 0 && strcmp(fields.children[1]->name, "rest") == 0, "its name");
    fields.release(&fields);
    rows.release(&rows);
  }
  decant_schema_free(schema);
}

/* Elements whose text is no document are left out, and are no errors beside other errors. */
static void test_left_out_documents(int engine) {
  struct line { int32_t number; };
  struct lines { struct line *lines; size_t count; uint32_t out; int32_t id; void *storage; } lines;
  static const decant_field line_fields[] = {DECANT_FIELD(struct line, number, .flags = DECANT_EMBEDDED)};
  static const decant_record line = DECANT_TABLE(struct line, line_fields);
  static const decant_field lines_fields[] = {
      DECANT_FIELD_AS(struct lines, lines, DECANT_ARRAY, .element = DECANT_RECORD, .record = &line, .flags = DECANT_LEAVE_OUT,
                      DECANT_COUNT(struct lines, count), DECANT_LEFT_OUT(struct lines, out)),
      DECANT_FIELD(struct lines, id)};
  static const decant_record record =
      DECANT_TABLE(struct lines, lines_fields, .storage_offset = offsetof(struct lines, storage));
  decant_error error = DECANT_ERROR_INIT;
  static const char json[] = "{\"lines\":[{\"number\":\"1\"},{\"number\":\"[\"},{\"number\":\"\"},{\"number\":2},"
                             "{\"number\":\"3\"}],\"id\":1}";
  if (check(decode(&record, json, engine, &lines, &error) == DECANT_OK, "two of them")) {
    check(lines.count == 2 && lines.out == 3 && lines.lines[1].number == 3, "the others are counted");
    decant_free(&record, &lines);
  }
  static const char wrong[] = "{\"lines\":[{\"number\":\"[\"},{\"number\":\"\"},{\"number\":2}],\"id\":\"x\"}";
  check(decode(&record, wrong, engine, &lines, &error) == DECANT_TYPE_MISMATCH, "another error");
  check(error.error_count == 1, "is the only one");
  check_text(error.path, "/id");
}

/* Errors of elements that are left out are not counted beside others, where no more is written, either. */
static void test_left_out_among_errors(int engine) {
  struct survey survey;
  static char json[4096];
  char *end = json + sprintf(json, "{\"points\":[{\"x\":1,\"y\":2}],\"ages\":[]");
  end += sprintf(end, ",\"places\":{\"a\":{\"x\":1,\"y\":2}");
  for (int at = 0; at < 30; at++) end += sprintf(end, ",\"k%d\":{\"x\":[],\"y\":{}}", at);
  sprintf(end, "},\"words\":\"no array\"}");
  for (size_t most = 0; most < 3; most++) {
    decant_options options = DECANT_OPTIONS_INIT;
    options.engine = engine;
    options.maximum_errors = most;
    decant_error error = DECANT_ERROR_INIT;
    check(decant_decode_with(&survey_record, json, strlen(json), &survey, &options, &error) == DECANT_TYPE_MISMATCH, "one error");
    check(error.error_count == 1, "is counted");
    check_text(error.path, "/words");
  }
  /* Many errors, and then elements that are left out. */
  end = json + sprintf(json, "{\"points\":7,\"ages\":7,\"places\":{");
  for (int at = 0; at < 30; at++) end += sprintf(end, "%s\"k%d\":{\"x\":[],\"y\":{}}", at ? "," : "", at);
  sprintf(end, "}}");
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  for (options.maximum_errors = 2; options.maximum_errors < 5; options.maximum_errors++) {
    decant_error error = DECANT_ERROR_INIT;
    check(decant_decode_with(&survey_record, json, strlen(json), &survey, &options, &error) == DECANT_MULTIPLE, "two errors");
    check(error.error_count == 2, "and no more");
  }
}

/* An element is kept if parts of its own are left out, also beside other errors. */
static void test_left_out_inside(int engine) {
  struct row { int32_t *numbers; size_t count; };
  struct rows { struct row *rows; size_t count; int32_t id; void *storage; } rows;
  static const decant_field row_fields[] = {
      DECANT_FIELD(struct row, numbers, .flags = DECANT_LEAVE_OUT, DECANT_COUNT(struct row, count))};
  static const decant_record row = DECANT_TABLE(struct row, row_fields);
  static const decant_field rows_fields[] = {
      DECANT_FIELD_AS(struct rows, rows, DECANT_ARRAY, .element = DECANT_RECORD, .record = &row, .flags = DECANT_LEAVE_OUT,
                      DECANT_COUNT(struct rows, count), .bounds = &one_or_more),
      DECANT_FIELD(struct rows, id)};
  static const decant_record record = DECANT_TABLE(struct rows, rows_fields, .storage_offset = offsetof(struct rows, storage));
  decant_error error = DECANT_ERROR_INIT;
  if (check(decode(&record, "{\"rows\":[{\"numbers\":[\"x\",1]}],\"id\":1}", engine, &rows, &error) == DECANT_OK, "kept")) {
    check(rows.count == 1 && rows.rows[0].count == 1 && rows.rows[0].numbers[0] == 1, "without its part");
    decant_free(&record, &rows);
  }
  check(decode(&record, "{\"rows\":[{\"numbers\":[\"x\",1]}],\"id\":[]}", engine, &rows, &error) == DECANT_TYPE_MISMATCH,
        "another error");
  check(error.error_count == 1, "is the only one");
  check_text(error.path, "/id");
}

/* The same of elements whose records are closed, whose members are looked at first. */
static void test_left_out_closed_documents(int engine) {
  struct inner { int32_t number; };
  struct line { struct inner inner; };
  struct lines { struct line *lines; size_t count; void *storage; } lines;
  static const decant_field inner_fields[] = {DECANT_FIELD(struct inner, number)};
  static const decant_record inner = DECANT_TABLE(struct inner, inner_fields, .flags = DECANT_CLOSED);
  static const decant_field line_fields[] = {
      DECANT_FIELD_AS(struct line, inner, DECANT_RECORD, .flags = DECANT_EMBEDDED, .record = &inner)};
  static const decant_record line = DECANT_TABLE(struct line, line_fields);
  static const decant_field fields[] = {DECANT_FIELD_AS(struct lines, lines, DECANT_ARRAY, .element = DECANT_RECORD,
                                                        .record = &line, .flags = DECANT_LEAVE_OUT,
                                                        DECANT_COUNT(struct lines, count))};
  static const decant_record record = DECANT_TABLE(struct lines, fields, .storage_offset = offsetof(struct lines, storage));
  decant_error error = DECANT_ERROR_INIT;
  static const char json[] = "{\"lines\":[{\"inner\":\"{\"},{\"inner\":\"\"},{\"inner\":7},"
                             "{\"inner\":\"{\\\"number\\\":5}\"}]}";
  if (check(decode(&record, json, engine, &lines, &error) == DECANT_OK, "one of them")) {
    check(lines.count == 1 && lines.lines[0].inner.number == 5, "the one that fits");
    decant_free(&record, &lines);
  } else {
    puts(error.message);
  }
  static const char unknown[] = "{\"lines\":[{\"inner\":\"{\"},{\"inner\":\"{\\\"x\\\":5}\"}]}";
  check(decode(&record, unknown, engine, &lines, &error) != DECANT_OK, "an unknown member is an error all the same");
  check(strstr(error.message, "unknown key") != NULL, "in a document of its own, too");
}

/* Elements have the rest of their own members, also where the array is the document; and the rest needs no key. */
static void test_rest_of_elements(void) {
  struct item { int64_t id; const char *rest; void *storage; };
  static const decant_field item_fields[] = {
      DECANT_FIELD(struct item, id), {.kind = DECANT_RAW, .flags = DECANT_REST, .offset = offsetof(struct item, rest)}};
  static const decant_record record =
      DECANT_TABLE(struct item, item_fields, .storage_offset = offsetof(struct item, storage));
  decant_error error = DECANT_ERROR_INIT;
  check(decant_record_check(&record, &error) == DECANT_OK, "the table is valid");
  static const char json[] = "[{\"id\":1,\"x\":2},{\"y\":[],\"id\":2}]";
  decant_array array;
  for (int at = 0; at < 2; at++) {
    if (!check(decant_decode_array(&record, at ? NULL : "", json, sizeof json - 1, &array, NULL, &error) == DECANT_OK, "items")) {
      puts(error.message);
      continue;
    }
    const struct item *items = array.items;
    check_text(items[0].rest, "{\"x\":2}");
    check_text(items[1].rest, "{\"y\":[]}");
    char text[64];
    check(decant_encode_array(&record, items, array.count, text, sizeof text, NULL, &error) == DECANT_OK, "written");
    check_text(text, "[{\"id\":1,\"x\":2},{\"id\":2,\"y\":[]}]");
    decant_array_free(&array, NULL);
  }
  check(decant_decode_array(&record, "", "[{\"x\":2}]", 9, &array, NULL, &error) == DECANT_MISSING_KEY, "an error");
  check_text(error.path, "/0/id");
  /* A record in place of the object cannot have a rest of its own. */
  const decant_field whole = {.key = "", .kind = DECANT_RECORD, .flags = DECANT_POINTER, .record = &record};
  const decant_record outer = {.size = sizeof(struct item), .fields = &whole, .field_count = 1};
  check(decant_record_check(&outer, &error) == DECANT_INVALID_RECORD, "a part with a rest");
}

/* The presence of an absent member of a struct that began with defaults is false, whichever way the table is walked. */
static int absent_levels;
struct depth { int32_t level; bool has_level; int32_t other; };
struct depths { struct depth depth; void *storage; };
static int on_depths(void *context, int64_t line, const void *value, const decant_error *error) {
  const struct depths *depths = value;
  (void)context, (void)line, (void)error;
  absent_levels += depths != NULL && depths->depth.level == 3 && !depths->depth.has_level;
  return 0;
}
static void test_presence_over_defaults(void) {
  static const struct depths defaults = {{3, true, 4}, NULL};
  static const decant_field depth_fields[] = {
      DECANT_FIELD(struct depth, level, OPT, DECANT_PRESENCE(struct depth, has_level)), DECANT_FIELD(struct depth, other, OPT)};
  static const decant_record depth = DECANT_TABLE(struct depth, depth_fields);
  static const decant_field fields[] = {DECANT_FIELD_AS(struct depths, depth, DECANT_RECORD, .record = &depth)};
  static const decant_record record = DECANT_TABLE(struct depths, fields, .defaults = &defaults);
  static char json[64000];
  char *end = json;
  for (int at = 0; at < 500; at++)
    end += sprintf(end, "{\"depth\":{\"level\":null,\"other\":1}}\n{\"depth\":{\"other\":1}}\n");
  decant_error error = DECANT_ERROR_INIT;
  check(decant_decode_lines(&record, json, strlen(json), on_depths, NULL, NULL, &error) == DECANT_OK, "lines");
  check(absent_levels == 1000, "have no level");
}

int main(void) {
  for (int engine = 0; engine < ENGINES; engine++) {
    test_pointers(engine);
    test_many(engine);
    test_left_out(engine);
    test_reasons(engine);
    test_parts_in_parts(engine);
    test_rest(engine);
    test_defaults(engine);
    test_left_out_inside(engine);
    test_left_out_documents(engine);
    test_left_out_among_errors(engine);
    test_left_out_closed_documents(engine);
    test_defaults_of_many(engine);
  }
  test_reasons_of_lines();
  test_extents();
  test_rest_of_structs();
  test_tables();
  test_columns(0);
  test_columns(DECANT_COLUMNS_UTF8);
  test_rest_of_elements();
  test_presence_over_defaults();
  return check_end();
}
