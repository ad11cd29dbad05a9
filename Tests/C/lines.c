/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Streams of documents: the same lines, numbers, errors and order from one buffer, from chunks cut anywhere, and
 * from pieces. Everything a stream hands out is written down as text, and texts are compared.
 */
#include "check.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------------
 * A model with all that a block holds, and what a stream says of it
 */

struct event {
  int64_t id;
  const char *name;
  size_t name_length;
  double *scores;
  size_t score_count;
  bool done;
  void *storage;
};

static const decant_field event_fields[] = {
    {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct event, id), .flags = 0},
    {.key = "name",
     .kind = DECANT_STRING,
     .offset = offsetof(struct event, name),
     .length_offset = offsetof(struct event, name_length),
     .flags = DECANT_OPTIONAL},
    {.key = "scores",
     .kind = DECANT_ARRAY,
     .element = DECANT_DOUBLE,
     .offset = offsetof(struct event, scores),
     .length_offset = offsetof(struct event, score_count),
     .flags = DECANT_OPTIONAL},
    {.key = "done",
     .kind = DECANT_BOOL,
     .offset = offsetof(struct event, done),
     .flags = DECANT_OPTIONAL}};
static const decant_record event_record = {.size = sizeof(struct event),
                                           .fields = event_fields,
                                           .field_count = 4,
                                           .storage_offset = offsetof(struct event, storage)};

/* A text that grows. */
struct text {
  char *bytes;
  size_t length, capacity;
  int64_t stop_at; /* the line at which the stream is ended; 0: none */
  int lines, failures;
};

static void add(struct text *text, const char *bytes, size_t length) {
  if (text->length + length + 1 > text->capacity) {
    text->capacity = 2 * (text->length + length + 1);
    text->bytes = realloc(text->bytes, text->capacity);
  }
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = 0;
}

static int write_down(void *context, int64_t line, const void *value, const decant_error *error) {
  struct text *text = context;
  char row[4096];
  int length = 0;
  text->lines++;
  if (value != NULL) {
    const struct event *event = value;
    length = sprintf(row, "%lld: %lld %d %zu", (long long)line, (long long)event->id, event->done,
                     event->name_length);
    add(text, row, (size_t)length);
    if (event->name != NULL) add(text, event->name, event->name_length);
    for (size_t at = 0; at < event->score_count; at++) {
      length = sprintf(row, " %.17g", event->scores[at]);
      add(text, row, (size_t)length);
    }
    add(text, "\n", 1);
  } else {
    text->failures++;
    length =
        snprintf(row, sizeof row, "%lld: error %d at %lld, %lld:%lld %s\n%s\n", (long long)line,
                 (int)error->code, (long long)error->offset, (long long)error->line,
                 (long long)error->column, error->path, error->message);
    add(text, row, (size_t)length);
  }
  return line == text->stop_at;
}

static struct text whole(const char *json, size_t length, const decant_options *options) {
  struct text text = {0};
  add(&text, "", 0);
  check(decant_decode_lines(&event_record, json, length, write_down, &text, options, NULL) ==
            DECANT_OK,
        "a stream");
  return text;
}

static bool same(struct text a, struct text b) {
  return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

/* ---------------------------------------------------------------------------------------------------
 * Chunks
 */

static uint64_t state = 1;
static size_t up_to(size_t most) { /* xorshift */
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (size_t)(state % most) + 1;
}

/* Feeds a stream in chunks of `size` bytes, or of random sizes up to that. Each chunk is a block of its own, so that
 * no byte behind it can be read unnoticed. */
static struct text in_chunks(const char *json, size_t length, size_t size, bool is_random,
                             const decant_options *options) {
  struct text text = {0};
  add(&text, "", 0);
  decant_lines *lines = NULL;
  check(decant_lines_open(&event_record, options, &lines, NULL) == DECANT_OK, "a stream opens");
  for (size_t at = 0; at < length;) {
    size_t count = is_random ? up_to(size) : size;
    if (count > length - at) count = length - at;
    char *chunk = malloc(count);
    memcpy(chunk, json + at, count);
    decant_lines_feed(lines, chunk, count, write_down, &text, NULL);
    free(chunk);
    at += count;
  }
  int64_t line = 0, offset = 0;
  decant_lines_place(lines, &line, &offset);
  check(offset >= 0 && offset <= (int64_t)length &&
            (length == 0 || json[offset > 0 ? offset - 1 : 0] == '\n' || offset == 0),
        "what was not handed out begins at a line");
  decant_lines_finish(lines, write_down, &text, NULL);
  decant_lines_close(lines);
  return text;
}

static const char stream[] =
    "{\"id\":1,\"name\":\"Ann\",\"scores\":[1,2.5],\"done\":true}\n"
    "{\"done\":false,\"name\":\"B\\u00e9\\n\\ud83d\\ude00\",\"id\":2}\r\n"
    "\n"
    "  \t\r\n"
    "{\"id\":\"3\",\"name\":7}\n"
    "{\"id\":4,\"scores\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,0.1]}\n"
    "{\"id\":5}TRAILER\n"
    "{\"id\":6,\"name\":\"\xc3\xa9\xf0\x9f\x98\x80\"}\n"
    "{\"id\":7,\"name\":\"\xc3\"}\n"
    "{\"id\":8,\"name\":\"a\0b\"}\n"
    "[1,2]\n"
    "{\"id\":9,\"name\":\"\\u12\n"
    "34\"}\n"
    "\xef\xbb\xbf{\"id\":10}\n"
    "{\"id\":11,\"extra\":{\"deep\":[[[[{}]]]]},\"scores\":[]}\n"
    "{\"id\":12,\"name\":\"last, without a line feed\"}";

static void test_chunks(void) {
  const size_t length = sizeof stream - 1;
  struct text expected = whole(stream, length, NULL);
  check(expected.lines == 14 && expected.failures == 8, "good lines and bad ones");
  for (size_t size = 1; size <= 70; size++) {
    struct text text = in_chunks(stream, length, size, false, NULL);
    check(same(expected, text), "in chunks of one size");
    free(text.bytes);
  }
  for (int round = 0; round < rounds(200); round++) {
    struct text text = in_chunks(stream, length, 1 + (size_t)round, true, NULL);
    check(same(expected, text), "in chunks of random sizes");
    free(text.bytes);
  }
  free(expected.bytes);
}

/* ---------------------------------------------------------------------------------------------------
 * Many lines with one index
 */

/* Lines of the stream above and others, in any order, some of them with a byte that is not theirs; or the same as the
 * elements of an array, on one line or on several. Cut into chunks that are too small for an index of many lines or
 * elements, they say the same as a whole. */
static void test_index(bool is_array) {
  static const char *const rows[] = {
      "{\"id\":1,\"name\":\"Ann\",\"scores\":[1,2.5],\"done\":true}",
      "{\"done\":false,\"name\":\"B\\u00e9\\n\\ud83d\\ude00\",\"id\":-2e0}",
      "{\"id\":-3,\"name\":\"\xc3\xa9\xf0\x9f\x98\x80\",\"scores\":[1e5,-2.5E-3,0]}",
      "{\"id\":4,\"other\":{\"id\":[{\"id\":5}]},\"id\":6}",
      "",
      " \t",
      "{\"id\":7}",
      "{\"id\":8,\"name\":\"a longer name, so that lines differ in their length, and blocks of "
      "bytes end "
      "anywhere\"}",
      "{\"id\":\"9\"}",
      "{\"name\":10}",
      "{\"id\":11}TRAILER",
      "{\"id\":12,\"name\":\"\xc3\"}",
      "{\"id\":13,\"name\":\"half",
      "[1,2"};
  enum { ROWS = sizeof rows / sizeof rows[0], LINES = 120, MANY = 2000 };
  static char json[MANY * 128 + 64];
  for (int round = 0; round < rounds(300); round++) {
    size_t length = is_array ? (size_t)sprintf(json, "{\"n\":0,\"items\":[") : 0;
    const size_t most = round % 3 == 0 ? 8 : ROWS; /* without bad ones, too */
    const bool has_lines = !is_array || up_to(2) == 1;
    /* Now and then, one chunk that several indexes take. */
    const bool is_large = is_array && round % 25 == 0;
    for (int line = 0; line < (is_large ? MANY : LINES); line++) {
      const char *row = rows[up_to(most) - 1];
      if (is_array && (row[0] == 0 || row[0] == ' ')) row = "{\"id\":0 } ";
      const size_t start = length, size = strlen(row);
      memcpy(json + length, row, size);
      length += size;
      if (round % 3 == 2 && size > 0 && up_to(5) == 1) {
        json[start + up_to(size) - 1] = "\"\\{}[]:,\0\x1f\n01-x\xc3"[up_to(16) - 1];
      }
      if (is_array) json[length++] = ',';
      if (has_lines && up_to(4) == 1) json[length++] = '\r';
      if (has_lines) json[length++] = '\n';
    }
    if (is_array) {
      /* Behind the last comma, or instead of it. */
      while (json[length - 1] != ',') length--;
      if (up_to(9) != 1) length--;
      memcpy(json + length, "],\"m\":[1]}", 10);
      length += 10;
    } else if (up_to(2) == 1) {
      length--;
    }
    decant_options options = DECANT_OPTIONS_INIT;
    options.maximum_bytes = up_to(3) == 1 ? 60 : 0;
    options.maximum_depth = up_to(3) == 1 ? 3 : 0;
    options.duplicate_keys = (int32_t)up_to(3) - 1;
    options.relaxations = up_to(4) == 1 ? DECANT_RELAX_COMMENTS : 0;
    if (is_array) {
      options.elements_at = "/items";
      if (options.duplicate_keys == DECANT_KEEP_LAST) options.duplicate_keys = DECANT_KEEP_FIRST;
      options.relaxations = up_to(8) == 1 ? DECANT_RELAX_TRAILING_COMMAS : 0;
    }
    options.redacts_input = up_to(4) == 1;
    options.first_offset = (int64_t)up_to(1000);
    struct text alone = {0}, text = {0}, chunks = {0};
    decant_lines *lines[2] = {NULL, NULL};
    check(decant_lines_open(&event_record, &options, &lines[0], NULL) == DECANT_OK &&
              decant_lines_open(&event_record, &options, &lines[1], NULL) == DECANT_OK,
          "streams open");
    for (size_t at = 0, count; at < length; at += count) {
      count = up_to(1000);
      if (count > length - at) count = length - at;
      decant_lines_feed(lines[0], json + at, count, write_down, &alone, NULL);
    }
    for (size_t at = 0, count; at < length; at += count) {
      count = is_large ? length : 1000 + up_to(3000);
      if (count > length - at) count = length - at;
      decant_lines_feed(lines[1], json + at, count, write_down, &chunks, NULL);
    }
    decant_lines_finish(lines[0], write_down, &alone, NULL);
    decant_lines_finish(lines[1], write_down, &chunks, NULL);
    decant_decode_lines(&event_record, json, length, write_down, &text, &options, NULL);
    check(same(alone, text) && same(alone, chunks), "with one index, line by line, and in chunks");
    decant_lines_close(lines[0]);
    decant_lines_close(lines[1]);
    free(alone.bytes), free(text.bytes), free(chunks.bytes);
  }
}

/* ---------------------------------------------------------------------------------------------------
 * Byte order marks, records, documents, elements
 */

/* A stream in every size of chunk up to 40 bytes, and in random ones, says the same as a whole. */
static struct text every_way(const char *json, size_t length, const decant_options *options) {
  struct text expected = whole(json, length, options);
  for (size_t size = 1; size <= 60; size++) {
    struct text text = {0};
    add(&text, "", 0);
    decant_lines *lines = NULL;
    check(decant_lines_open(&event_record, options, &lines, NULL) == DECANT_OK, "a stream opens");
    for (size_t at = 0, count; at < length; at += count) {
      count = size <= 40 ? size : up_to(3 * size);
      if (count > length - at) count = length - at;
      char *chunk = malloc(count);
      memcpy(chunk, json + at, count);
      decant_lines_feed(lines, chunk, count, write_down, &text, NULL);
      free(chunk);
    }
    decant_lines_finish(lines, write_down, &text, NULL);
    decant_lines_close(lines);
    check(same(expected, text), "framed, in chunks");
    if (!same(expected, text)) printf("%zu: %s\nnot: %s\n", size, text.bytes, expected.bytes);
    free(text.bytes);
  }
  return expected;
}

static void check_stream(const char *json, const decant_options *options, const char *expected) {
  struct text text = every_way(json, strlen(json), options);
  check_text(text.bytes, expected);
  free(text.bytes);
}

static void test_marks(void) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.skips_byte_order_mark = 1;
  check_stream("\xef\xbb\xbf{\"id\":1}\n{\"id\":true}", &options,
               "1: 1 0 0\n"
               "2: error 201 at 18, 2:7 /id\n2:7: /id: expected an integer, found true\n"
               "  {\"id\":true}\n        ^~~~\n");
  check_stream("{\"id\":1}\n\xef\xbb\xbf{\"id\":2}", &options,
               "1: 1 0 0\n"
               "2: error 110 at 9, 2:1 \n2:1: the input begins with a byte order mark; the option 'relaxations' can allow it\n"
               "  \\ufeff{\"id\":2}\n  ^~~~~~\n");
  check_stream("\xef\xbb{}", &options,
               "1: error 101 at 0, 1:1 \n1:1: expected a value, found byte 0xef\n  \\xef\\xbb{}\n  ^~~~\n");
  check_stream("\xef\xbb\xbf", &options, "");
  /* Bytes that are no white space are shown, whatever they are. */
  check_stream("\x01 \n", &options,
               "1: error 101 at 0, 1:1 \n1:1: expected a value, found byte 0x01\n  \\u0001 \n  ^~~~~~\n");
  /* The mark is a character of its line, as it is in a document. */
  check_stream("\xef\xbb\xbf{\"id\":true}\n{\"id\":false}\n", &options,
               "1: error 201 at 9, 1:8 /id\n1:8: /id: expected an integer, found true\n"
               "  {\"id\":true}\n        ^~~~\n"
               "2: error 201 at 21, 2:7 /id\n2:7: /id: expected an integer, found false\n"
               "  {\"id\":false}\n        ^~~~~\n");
  options.elements_at = "";
  check_stream("\xef\xbb\xbf[{\"id\":1},{\"id\":true}]", &options,
               "1: 1 0 0\n"
               "1: error 201 at 19, 1:18 /1/id\n1:18: /1/id: expected an integer, found true\n"
               "  {\"id\":true}\n        ^~~~\n");
  options.elements_at = "/a";
  check_stream("\xef\xbb\xbf{\"b\":x,\"a\":[\xef\xbb\xbf{}]}", &options,
               "1: error 110 at 15, 1:14 \n1:14: the input begins with a byte order mark; the option 'relaxations' can allow it\n"
               "  \\ufeff{}\n  ^~~~~~\n"
               "1: error 101 at 8, 1:7 \n1:7: expected a value, found 'x'\n"
               "  \\ufeff{\"b\":x,\"a\":[…]}\n             ^\n");
  options.elements_at = NULL;
  options.first_offset = 5; /* a piece that is not the first */
  struct text text = whole("\xef\xbb\xbf{}", 5, &options);
  check(text.failures == 1, "a mark in the middle of a stream");
  free(text.bytes);
}

/* A document that is refused before it is read has the place and the stream's name in both texts, too. */
static int check_refusal(void *count, int64_t line, const void *value, const decant_error *error) {
  char json[512] = "";
  check(line == 7 && value == NULL, "the document is refused");
  check_text(error->message, "feed:7:1: expected a record separator (1E) before the document");
  decant_error_json(error, json, sizeof json);
  check_text(json,
             "{\"code\":101,\"name\":\"unexpected byte\",\"category\":\"syntax\",\"source\":\"feed\",\"path\":\"\","
             "\"location\":{\"offset\":90,\"line\":7,\"column\":1},"
             "\"expected\":\"a record separator (1E)\","
             "\"message\":\"expected a record separator (1E) before the document\"}");
  ++*(int *)count;
  return 0;
}

static void test_refusals(void) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.framing = DECANT_RECORDS;
  options.source_name = "feed";
  options.first_line = 7;
  options.first_offset = 90;
  int count = 0;
  decant_decode_lines(&event_record, "{\"id\":1}\n", 9, check_refusal, &count, &options, NULL);
  check(count == 1, "one document is refused");
}

static void test_records(void) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.framing = DECANT_RECORDS;
  check_stream("\x1e{\"id\":1}\n\x1e\x1e{\n\"id\":\"2\"}\n\x1e \n\x1e{\"id\":3}", &options,
               "1: 1 0 0\n"
               "2: error 201 at 19, 3:6 /id\n3:6: /id: expected an integer, found the string \"2\"\n"
               "  \"id\":\"2\"}\n       ^~~\n"
               "5: 3 0 0\n");
  check_stream("{\"id\":1}\n\x1e" "17\x1e" "17 \x1e{\"id\":", &options,
               "1: error 101 at 0, 1:1 \n1:1: expected a record separator (1E) before the document\n"
               "2: error 102 at 10, 2:2 \n2:2: the record may be cut short: expected white space after a number or "
               "a literal\n"
               "2: error 201 at 13, 2:5 \n2:5: expected an object, found the number 17\n  17 \n  ^~\n"
               "2: error 102 at 23, 2:15 \n2:15: the input ends too early: expected a value; the object begins at "
               "2:9\n  {\"id\":\n        ^\n");
}

static void test_documents(void) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.framing = DECANT_DOCUMENTS;
  check_stream(" {\"id\":1,\"name\":\"}\\\"{\"}{\"id\":2}\n{\n\"id\":\"3\"} {\"id\":4}", &options,
               "1: 1 0 3}\"{\n1: 2 0 0\n"
               "2: error 201 at 39, 3:6 /id\n3:6: /id: expected an integer, found the string \"3\"\n"
               "  \"id\":\"3\"}\n       ^~~\n"
               "3: 4 0 0\n");
  check_stream("[1]\"a\\\"{\"12 {\"id\":1}}{\"id\":", &options,
               "1: error 201 at 0, 1:1 \n1:1: expected an object, found an array\n  [1]\n  ^\n"
               "1: error 201 at 3, 1:4 \n1:4: expected an object, found the string \"a\\\"{\"\n"
               "  \"a\\\"{\"\n  ^~~~~~\n"
               "1: error 201 at 9, 1:10 \n1:10: expected an object, found the number 12\n  12\n  ^~\n"
               "1: 1 0 0\n"
               "1: error 101 at 20, 1:21 \n1:21: expected a value, found '}'\n  }\n  ^\n"
               "1: error 102 at 27, 1:28 \n1:28: the input ends too early: expected a value; the object begins at "
               "1:22\n  {\"id\":\n        ^\n");
}

static void test_elements(void) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.elements_at = "/a~1b/1/items";
  check_stream("{\"items\":[{\"id\":0}],\"a\\u002fb\":[[],{\"n\":[[\"]\"]],\"items\":[ {\"id\":1},{\"id\":\"]\"}\n,\t"
               "{\"id\":3,\"name\":\"],[\\\"\"} ],\"items\":5}]}\n",
               &options,
               "1: 1 0 0\n"
               "1: error 201 at 73, 1:74 /a~1b/1/items/1/id\n1:74: /a~1b/1/items/1/id: expected an integer, found the string \"]\"\n"
               "  {\"id\":\"]\"}\n        ^~~\n"
               "2: 3 0 4],[\"\n");
  options.elements_at = "";
  check_stream("[{\"id\":1},null,{\"id\":true}]", &options,
               "1: 1 0 0\n1: error 201 at 10, 1:11 /1\n1:11: /1: expected an object, found null\n"
               "  null\n  ^~~~\n"
               "1: error 201 at 21, 1:22 /2/id\n1:22: /2/id: expected an integer, found true\n"
               "  {\"id\":true}\n        ^~~~\n");
  check_stream("[{\"id\":1} {\"id\":2}]", &options,
               "1: error 109 at 10, 1:11 \n1:11: expected ',' or ']', found '{'\n"
               "  {\"id\":1} {\"id\":2}\n           ^\n");
  check_stream("[]", &options, "");
  check_stream(" [ \n ] ", &options, "");
  check_stream("[{\"id\":1}]x", &options,
               "1: 1 0 0\n1: error 109 at 10, 1:11 \n1:11: expected the end of the input, found 'x'\n  […]x\n     ^\n");
  check_stream("[{\"id\":1},\n{\"id\":2}", &options,
               "1: 1 0 0\n2: 2 0 0\n"
               "2: error 102 at 19, 2:9 \n2:9: the input ends too early: expected ',' or ']'; the array begins at "
               "1:1\n  […\n    ^\n");
  check_stream("[{\"id\":1},\n", &options,
               "1: 1 0 0\n"
               "2: error 102 at 11, 2:1 \n2:1: the input ends too early: expected a value; the array begins at 1:1\n"
               "  […\n    ^\n");
  check_stream("[\n", &options,
               "2: error 102 at 2, 2:1 \n2:1: the input ends too early: expected a value or ']'; the array begins at "
               "1:1\n  [\n   ^\n");
  check_stream("[{\"id\":1},{\"id\":true}", &options,
               "1: 1 0 0\n1: error 201 at 16, 1:17 /1/id\n1:17: /1/id: expected an integer, found true\n"
               "  {\"id\":true}\n        ^~~~\n"
               "1: error 102 at 21, 1:22 \n1:22: the input ends too early: expected ',' or ']'; the array begins at "
               "1:1\n  […\n    ^\n");
  check_stream("[{\"id\":1},,{\"id\":2},]", &options,
               "1: 1 0 0\n1: error 101 at 10, 1:11 \n1:11: expected a value, found ','\n  ,\n  ^\n1: 2 0 0\n"
               "1: error 101 at 20, 1:21 \n1:21: expected a value, found ']'\n  ]\n  ^\n");
  options.relaxations = DECANT_RELAX_TRAILING_COMMAS;
  check_stream("[{\"id\":1},]", &options, "1: 1 0 0\n");
  options.relaxations = 0;
  options.elements_at = "/items";
  check_stream("{\"items\":{}}", &options,
               "1: error 201 at 9, 1:10 /items\n1:10: /items: expected an array, found an empty object\n"
               "  {\"items\":{}}\n           ^\n");
  check_stream("{\"item\":[{\"id\":1}]}", &options,
               "1: error 202 at 0, 1:1 /items\n1:1: /items: the key is missing; is \"item\" a misspelling of it?\n"
               "  {\"item\":[{\"id\":1}]}\n  ^\n  the object has \"item\"\n");
  check_stream("{\"n\":01,\"items\":[{\"id\":1}\n ,{\"id\":2}],\"m\":02}", &options,
               "1: 1 0 0\n2: 2 0 0\n"
               "1: error 104 at 6, 1:7 \n1:7: numbers have no leading zeros, found '1'\n"
               "  {\"n\":01,\"items\":[…],\"m\":02}\n        ^\n");
  check_stream("{\"items\":[{\"id\":1}\n ,{\"id\":2}],\"m\":02}", &options,
               "1: 1 0 0\n2: 2 0 0\n"
               "2: error 104 at 36, 2:18 \n2:18: numbers have no leading zeros, found '2'\n"
               "  {\"items\":[…],\"m\":02}\n                    ^\n");
  check_stream("{\"items\":[{\"id\":1}\n ],\"m\":\n {", &options,
               "1: 1 0 0\n"
               "3: error 102 at 29, 3:3 \n3:3: the input ends too early: expected a quoted key or '}'; the object "
               "begins at 3:2\n   {\n    ^\n");
  check_stream("{\"items\":[{\"id\":1}},\"m\":2]", &options,
               "1: 1 0 0\n"
               "1: error 101 at 18, 1:19 \n1:19: expected ',' or ']', found '}'\n"
               "  {\"items\":[…},\"m\":2]\n             ^\n");
  check_stream("", &options, "1: error 401 at 0, 1:1 \n1:1: the input is empty\n");
  options.first_offset = 1000; /* what is before the elements is where it was */
  check_stream("{\"n\":01,\"items\":[{\"id\":1}],\"m\":02}", &options,
               "1: 1 0 0\n"
               "1: error 104 at 1006, 1:7 \n1:7: numbers have no leading zeros, found '1'\n"
               "  {\"n\":01,\"items\":[…],\"m\":02}\n        ^\n");
  options.first_offset = 0;
  options.duplicate_keys = DECANT_KEEP_NONE;
  check_stream("{\"items\":[{\"id\":1}],\"items\":[]}", &options,
               "1: 1 0 0\n"
               "1: error 207 at 20, 1:21 /items\n1:21: /items: duplicate key \"items\"; first occurrence at 1:2\n"
               "  {\"items\":[…],\"items\":[]}\n               ^~~~~~~\n");
  check_stream("{\"items\":[{},{\"id\":{\"a\":1,\"a\":2}}]}", &options,
               "1: error 202 at 10, 1:11 /items/0/id\n1:11: /items/0/id: the key is missing\n"
               "  {}\n  ^\n"
               "1: error 207 at 26, 1:27 /items/1/id/a\n"
               "1:27: /items/1/id/a: duplicate key \"a\"; first occurrence at 1:21\n"
               "  {\"id\":{\"a\":1,\"a\":2}}\n               ^~~\n");
  decant_error error = DECANT_ERROR_INIT;
  decant_lines *lines = NULL;
  options.duplicate_keys = DECANT_KEEP_LAST;
  check(decant_lines_open(&event_record, &options, &lines, &error) == DECANT_UNSUPPORTED,
        "the last of several arrays");
  options = (decant_options)DECANT_OPTIONS_INIT;
  options.elements_at = "items";
  check(decant_lines_open(&event_record, &options, &lines, &error) == DECANT_INVALID_POINTER,
        "no pointer");
  options.elements_at = "/items";
  options.framing = DECANT_RECORDS;
  check(decant_lines_open(&event_record, &options, &lines, &error) == DECANT_INVALID_ARGUMENT,
        "elements of records");
  options = (decant_options)DECANT_OPTIONS_INIT;
  options.framing = 3;
  check(decant_lines_open(&event_record, &options, &lines, &error) == DECANT_INVALID_ARGUMENT,
        "an unknown framing");
  options.framing = DECANT_DOCUMENTS;
  options.relaxations = DECANT_RELAX_COMMENTS;
  check(decant_lines_open(&event_record, &options, &lines, &error) == DECANT_UNSUPPORTED &&
            lines == NULL,
        "comments between documents");
}

/* Documents in every framing, as they are and damaged, in chunks and as a whole; and elements as
 * decant_decode_array() has them. */
static void test_random_framings(void) {
  static const char *const rows[] = {
      "{\"id\":1,\"name\":\"Ann\",\"scores\":[1,2.5],\"done\":true}",
      "{\"id\":-2,\"name\":\"\\u00e9]},[{\\\"\"}",
      "{\"id\":3,\"other\":{\"id\":[{\"id\":5}]}}",
      " {\"id\":4}\n",
      "{\"id\":5,\"name\":\"\xc3\xa9\xf0\x9f\x98\x80\"}"};
  static const char *const starts[] = {"{\"n\":[],\"items\":[", "", "\xef\xbb\xbf"};
  static const char *const before[] = {"", "\x1e", ""}, *const behind[] = {",", "\n", ""};
  static const char *const ends[] = {"],\"m\":{}}", "", ""};
  for (int round = 0; round < rounds(450); round++) {
    const int framing = round % 3; /* elements, records, documents */
    decant_options options = DECANT_OPTIONS_INIT;
    options.framing = framing;
    options.skips_byte_order_mark = 1;
    options.elements_at = framing == 0 ? "/items" : NULL;
    options.maximum_bytes = up_to(4) == 1 ? 40 : 0;
    char json[4096];
    size_t length = (size_t)sprintf(json, "%s", starts[framing]);
    const size_t count = up_to(20);
    for (size_t at = 0; at < count; at++) {
      length += (size_t)sprintf(json + length, "%s%s%s", before[framing], rows[up_to(5) - 1],
                                at + 1 < count || framing != 0 ? behind[framing] : "");
    }
    length += (size_t)sprintf(json + length, "%s", ends[framing]);
    const bool is_damaged = round % 2 == 1;
    if (is_damaged) json[up_to(length) - 1] = "\"\\{}[]:,\0\x1f\n01-x\xc3"[up_to(16) - 1];
    struct text text = every_way(json, length, &options);
    if (!is_damaged && options.maximum_bytes == 0) {
      check(text.failures == 0 && (size_t)text.lines == count, "every document is handed out");
    }
    if (!is_damaged && framing == 0) {
      decant_array array;
      check(decant_decode_array(&event_record, "/items", json, length, &array, NULL, NULL) ==
                    DECANT_OK &&
                array.count == (size_t)text.lines,
            "as many elements as the array has");
      decant_array_free(&array, NULL);
    }
    free(text.bytes);
  }
}

/* What a stream of documents says, looked for naively: where an invalid document ends, and where the stream goes on. Of
 * lines that begin with brackets alone. */
static size_t naive_end(const char *json, size_t length, size_t start, bool *is_broken) {
  char open[200] = "", last = 0;
  size_t depth = 0;
  bool in_string = false;
  *is_broken = true;
  for (size_t at = start; at < length; at++) {
    const char byte = json[at];
    if (in_string) {
      if (byte == '\n') return at;
      if (byte == '\\') at++;
      if (at < length && json[at] == '\n') return at;
      in_string = byte != '"';
    } else if (byte == '"') {
      in_string = true;
    } else if (byte == '{' || byte == '[') {
      const bool begins_line = at > 0 && json[at - 1] == '\n';
      const bool in_array = memchr(open, '[', depth) != NULL;
      if (depth > 0 && begins_line && last != '[' && last != ':' && !(last == ',' && in_array)) return at;
      open[depth++] = byte;
    } else if (byte == '}' || byte == ']') {
      if (open[--depth] != (byte == '}' ? '{' : '[')) return at + 1;
      if (depth == 0) {
        *is_broken = false;
        return at + 1;
      }
    }
    if (byte != ' ' && byte != '\n') last = byte;
  }
  return length;
}

/* Damages one of a document's first `last` bytes, which is not blank: one of `bytes` is in its place, or before it; or it is missing;
 * or all from it on. Returns the document's size. */
static size_t damage(char *document, size_t size, int kind, size_t last, const char *bytes) {
  size_t at = up_to(last);
  while (document[at] == ' ' || document[at] == '\t') at++;
  const char byte = bytes[up_to(strlen(bytes)) - 1];
  if (kind < 2) {
    document[at] = byte;
  } else if (kind < 4) {
    memmove(document + at + 1, document + at, size++ - at);
    document[at] = byte;
  } else if (kind < 6) {
    memmove(document + at, document + at + 1, size-- - at);
  } else {
    document[at] = '\n';
    size = at + 1;
  }
  return size;
}

/* One fault in a stream of documents: the document that has it is lost, and at most one more; no other is handed out;
 * one that is damaged is told as soon as its end is known, and wherever the stream is cut. */
static int count_ids(void *context, int64_t line, const void *value, const decant_error *error) {
  int *counts = context;
  (void)line, (void)error;
  if (value == NULL) {
    counts[0]++;
  } else {
    const int64_t id = ((const struct event *)value)->id;
    check(id >= 0 && id < 30, "a document of the stream");
    counts[1 + id]++;
  }
  return 0;
}

static void test_recovery(void) {
  static const char *const shapes[] = {
      "{\"id\":%d,\"name\":\"A\\\"n{n\",\"scores\":[1,2.5],\"done\":true}\n",
      "{\n  \"id\": %d,\n  \"scores\": [\n    1,\n    2\n  ]\n}\n",
      "{\"id\":%d,\"other\":{\"a\":[{},{\"b\":[[1]]}]}}\r\n"};
  decant_options options = DECANT_OPTIONS_INIT;
  options.framing = DECANT_DOCUMENTS;
  int most_lost = 0;
  for (int round = 0; round < rounds(3000); round++) {
    char json[4096], document[256];
    size_t length = 0, size = 0;
    const int count = 12, shape = round % 3, faulty = round / 3 % 10;
    for (int id = 0; id < count; id++) {
      size = (size_t)sprintf(document, shapes[shape], id);
      if (id == faulty) {
        size = damage(document, size, round % 7, size - 3, "{}[]\"");
      }
      memcpy(json + length, document, size);
      length += size;
    }
    int counts[31] = {0};
    check(decant_decode_lines(&event_record, json, length, count_ids, counts, &options, NULL) == DECANT_OK, "a stream");
    int lost = 0;
    for (int id = 0; id < count; id++) {
      lost += counts[1 + id] == 0;
      check(counts[1 + id] <= 1 || id == faulty, "a document is handed out once");
    }
    check(lost <= 2, "at most one more document is lost");
    if (lost > 2) printf("%d lost:\n%.*s\n", lost, (int)length, json);
    if (lost > most_lost) most_lost = lost;
    free(every_way(json, length, &options).bytes);
  }
  check(rounds(6000) < 6000 || most_lost == 2, "one more may be lost");
}

/* Every document and every failure of a damaged stream is where a naive reader finds it. */
struct found_at {
  int64_t line, offset;
  bool is_good;
};
struct finds {
  struct found_at at[64];
  int count;
};
static int note_find(void *context, int64_t line, const void *value, const decant_error *error) {
  struct finds *finds = context;
  (void)error;
  if (finds->count < 64) finds->at[finds->count++] = (struct found_at){line, 0, value != NULL};
  return 0;
}

static void test_naive_recovery(void) {
  static const char *const rows[] = {"{\"id\":1}\n", "{\"id\":2,\n", "{\"id\":[3}\n", "{\"id\":4]}\n", "{\"name\":\"x}\n",
                                     "[\n", "{\"scores\":[\n", "{\"scores\":[1,2],\"id\":5}\n", "{\"name\":\"x\\\n",
                                     "{\"id\":6}{\"id\":7}\n", "{\"a\":\n", "{\"id\":8", "}\n"};
  decant_options options = DECANT_OPTIONS_INIT;
  options.framing = DECANT_DOCUMENTS;
  for (int round = 0; round < rounds(2000); round++) {
    char json[1024] = "";
    for (size_t count = up_to(14); count > 0; count--) strcat(json, rows[up_to(12) - 1]);
    const size_t length = strlen(json);
    struct finds expected = {.count = 0}, found = {.count = 0};
    int64_t line = 1;
    for (size_t at = 0; at < length;) {
      if (json[at] == ' ' || json[at] == '\n') {
        line += json[at++] == '\n';
        continue;
      }
      bool is_broken;
      size_t end = naive_end(json, length, at, &is_broken);
      decant_error error = DECANT_ERROR_INIT;
      struct event event = {0};
      const bool is_good = decant_decode(&event_record, json + at, end - at, &event, &error) == DECANT_OK;
      if (is_good) decant_free(&event_record, &event);
      check(!is_good || !is_broken, "what is cut short is invalid");
      expected.at[expected.count++] = (struct found_at){line, 0, is_good};
      for (; at < end; at++) line += json[at] == '\n';
      const bool is_line = at < length && json[at - 1] == '\n' && (json[at] == '{' || json[at] == '[');
      while (is_broken && !is_line && at < length) {
        while (at < length && json[at] != '\n') at++;
        if (at == length) break;
        at++, line++;
        if (json[at] == '{' || json[at] == '[') break;
      }
    }
    decant_decode_lines(&event_record, json, length, note_find, &found, &options, NULL);
    bool fine = found.count == expected.count;
    for (int at = 0; at < found.count && fine; at++)
      fine = found.at[at].line == expected.at[at].line && found.at[at].is_good == expected.at[at].is_good;
    if (!check(fine, "as a naive reader finds them")) printf("%d, not %d:\n%s\n", found.count, expected.count, json);
    free(every_way(json, length, &options).bytes);
  }
}

/* An invalid document is told when its end is known, and one that is too long when that is known: not at the end. */
static void test_early(void) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.framing = DECANT_DOCUMENTS;
  static const struct {
    const char *before, *telling;
  } rows[] = {{"{\"id\":1\n", "{"}, {"{\"name\":\"x}", "\n"}, {"{\"scores\":[1", "}"}, {"{\"id\":1", "]"},
              {"{\"a\":[{\"b\":1}\n", "["}, {"\"quote", "\n"}, {"WARN:", " "}};
  for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
    int counts[31] = {0};
    decant_lines *lines = NULL;
    check(decant_lines_open(&event_record, &options, &lines, NULL) == DECANT_OK, "a stream opens");
    decant_lines_feed(lines, rows[row].before, strlen(rows[row].before), count_ids, counts, NULL);
    check(counts[0] == 0, "a document that may go on");
    decant_lines_feed(lines, rows[row].telling, 1, count_ids, counts, NULL);
    check(counts[0] == 1, "is told where it cannot");
    decant_lines_feed(lines, "\n{\"id\":7}\n", 10, count_ids, counts, NULL);
    check(counts[1 + 7] == (rows[row].telling[0] != '['), "and the stream goes on");
    decant_lines_close(lines);
  }
  options.maximum_bytes = 100;
  for (int has_elements = 0; has_elements < 2; has_elements++) {
    options.framing = has_elements ? DECANT_LINES : DECANT_DOCUMENTS;
    options.elements_at = has_elements ? "" : NULL;
    int counts[31] = {0};
    decant_lines *lines = NULL;
    check(decant_lines_open(&event_record, &options, &lines, NULL) == DECANT_OK, "a stream opens");
    if (has_elements) decant_lines_feed(lines, "[", 1, count_ids, counts, NULL);
    decant_lines_feed(lines, "{\"scores\":[1", 12, count_ids, counts, NULL);
    for (int at = 0; at < 1200; at++) decant_lines_feed(lines, ",2", 2, count_ids, counts, NULL);
    check(counts[0] == 1, "a document that is too long is told once, before it ends");
    const char *rest = has_elements ? "]},{\"id\":3}]" : "]}{\"id\":3}";
    decant_lines_feed(lines, rest, strlen(rest), count_ids, counts, NULL);
    decant_lines_finish(lines, count_ids, counts, NULL);
    check(counts[0] == 1 && counts[1 + 3] == 1, "and its neighbour is read");
    decant_lines_close(lines);
  }
}

/* One fault in an element costs that element and at most one more, however elements are indented. Left out is what makes
 * something else of the elements behind it: an array that is opened or not closed, whose elements they then are by their
 * commas, and a brace for the bracket of an array, whose end then ends theirs. */
static void test_elements_recovery(void) {
  static const char *const shapes[] = {
      "{\"id\":%d,\"name\":\"A\\\"n{n\",\"scores\":[1,2.5],\"done\":true}",
      "  {\"id\":%d,\"other\":{\"a\":[{},{\"b\":[[1]]}]}}",
      ("  {\n    \"id\": %d,\n    \"scores\": [\n      1,\n      2\n    ],\n    \"other\": {\n      \"a\": [\n        {\n"
       "          \"b\": 1\n        },\n        {}\n      ]\n    }\n  }"),
      "\t{\n\t\t\"id\": %d,\n\t\t\"other\": {\"a\": {}}\n\t}",
      "  {\"id\":%d,\"name\":\"x\"}\n  "}; /* a comma begins the next line */
  static const struct {
    const char *pointer, *before, *behind;
  } around[] = {{"", "[\n", "\n]"}, {"/items", "{\"type\":\"x\",\"items\":[\n", "\n],\"n\":{\"x\":[\n  1]}}"}};
  int most_lost = 0;
  for (int round = 0; round < rounds(6000); round++) {
    char json[8192], element[512];
    const int count = 10, shape = round % 5, faulty = 1 + round / 5 % 8, place = round % 2;
    size_t length = (size_t)sprintf(json, "%s", around[place].before);
    for (int id = 0; id < count; id++) {
      size_t size = (size_t)sprintf(element, shapes[shape], id);
      if (id == faulty) {
        do {
          size = (size_t)sprintf(element, shapes[shape], id);
          size = damage(element, size, (int)up_to(6) - 1, size, "}]\"");
          element[size] = 0;
        } while (strstr(element, ":}1") || strstr(element, ": }\n"));
      }
      memcpy(json + length, element, size);
      length += size;
      if (id < count - 1) length += (size_t)sprintf(json + length, shape == 4 ? "," : ",\n");
    }
    length += (size_t)sprintf(json + length, "%s", around[place].behind);
    decant_options options = DECANT_OPTIONS_INIT;
    options.elements_at = around[place].pointer;
    int counts[31] = {0};
    check(decant_decode_lines(&event_record, json, length, count_ids, counts, &options, NULL) == DECANT_OK, "a stream");
    int lost = 0;
    for (int id = 0; id < count; id++) {
      lost += counts[1 + id] == 0;
      check(counts[1 + id] <= 1 || id == faulty, "an element is handed out once");
    }
    check(lost <= 2, "at most one more element is lost");
    if (lost > 2) printf("%d lost:\n%.*s\n", lost, (int)length, json);
    if (lost > most_lost) most_lost = lost;
    if (round % 10 == 0) free(every_way(json, length, &options).bytes);
  }
  check(rounds(6000) < 6000 || most_lost == 2, "one more may be lost");
}

/* A line feed in a string ends its document, wherever it is in the blocks that are looked at together. */
static void test_feeds(void) {
  for (size_t length = 0; length < 200; length++) {
    for (int has_elements = 0; has_elements < 2; has_elements++) {
      char json[512], name[200];
      memset(name, 'x', length);
      sprintf(json, "%s{\"id\":1,\"name\":\"%.*s\n{\"id\":2}%s\n{\"id\":3}%s", has_elements ? "[\n" : "",
              (int)length, name, has_elements ? "," : "", has_elements ? "]" : "");
      decant_options options = DECANT_OPTIONS_INIT;
      options.framing = has_elements ? DECANT_LINES : DECANT_DOCUMENTS;
      options.elements_at = has_elements ? "" : NULL;
      int counts[31] = {0};
      decant_decode_lines(&event_record, json, strlen(json), count_ids, counts, &options, NULL);
      check(counts[0] == 1 && counts[1 + 2] == 1 && counts[1 + 3] == 1, "the documents behind a line feed in a string");
    }
  }
}

/* One rule for byte order marks: at the first byte of a stream, by either option; elsewhere the document behind one
 * fails. */
static void test_mark_rule(void) {
  static const char *const starts[] = {"", "\x1e", "", "["}, *const between[] = {"\n", "\n\x1e", "\n", ",\n"};
  static const char *const ends[] = {"\n", "\n", "\n", "]"};
  for (int form = 0; form < 4; form++) {
    for (int option = 0; option < 3; option++) {
      for (int place = 0; place < 3; place++) { /* nowhere, at the beginning, before the second document */
        decant_options options = DECANT_OPTIONS_INIT;
        options.framing = form == 3 ? DECANT_LINES : form;
        options.elements_at = form == 3 ? "" : NULL;
        options.skips_byte_order_mark = option == 1;
        options.relaxations = option == 2 ? DECANT_RELAX_BYTE_ORDER_MARK : 0;
        char json[128];
        sprintf(json, "%s%s{\"id\":1}%s%s{\"id\":2}%s%s", place == 1 ? "\xef\xbb\xbf" : "", starts[form], between[form],
                place == 2 ? "\xef\xbb\xbf" : "", between[form], "{\"id\":3}");
        strcat(json, ends[form]);
        int counts[31] = {0};
        decant_decode_lines(&event_record, json, strlen(json), count_ids, counts, &options, NULL);
        /* An array is looked for in a document. */
        const bool has_none = form == 3 && place == 1 && option == 0;
        check(counts[1 + 2] == (place != 2 && !has_none) && counts[1 + 3] == !has_none,
              "the documents behind a mark");
        check(counts[0] == (place == 2 || (place == 1 && option == 0)), "a mark that is refused");
        if (counts[0] != (place == 2 || (place == 1 && option == 0))) printf("%d %d %d: %d\n", form, option, place, counts[0]);
        free(every_way(json, strlen(json), &options).bytes);
      }
    }
  }
  decant_options options = DECANT_OPTIONS_INIT;
  for (int framing = 0; framing < 3; framing++) {
    options.framing = framing;
    options.relaxations = DECANT_RELAX_BYTE_ORDER_MARK;
    check_stream("\xef\xbb\xbf\n", &options, "");
  }
}

/* A stream ends where its function says so; the rest is nobody's. */
static void test_end(void) {
  struct text text = {.stop_at = 2};
  decant_lines *lines = NULL;
  check(decant_lines_open(&event_record, NULL, &lines, NULL) == DECANT_OK, "a stream opens");
  check(decant_lines_feed(lines, stream, sizeof stream - 1, write_down, &text, NULL) == DECANT_OK,
        "ending a stream is no failure");
  check(text.lines == 2, "the function ended the stream");
  int64_t line = 0, offset = 0;
  decant_lines_place(lines, &line, &offset);
  check(line == 3 && stream[offset] == '\n' && stream[offset - 1] == '\n',
        "the place behind its last line");
  check(decant_lines_feed(lines, stream, 10, write_down, &text, NULL) == DECANT_OK &&
            decant_lines_finish(lines, write_down, &text, NULL) == DECANT_OK && text.lines == 2,
        "nothing comes after the end");
  decant_lines_close(lines);
  decant_lines_close(NULL);
  free(text.bytes);
}

/* A stream is finished once: what is around the elements is checked once, and bytes that come later are refused, not
 * taken for a line of their own. */
static void test_finished(void) {
  static const char *const streams[] = {"{\"id\": 1", "[{\"id\": 1}"};
  for (int at = 0; at < 2; at++) {
    struct text text = {0};
    decant_options options = DECANT_OPTIONS_INIT;
    options.elements_at = at == 1 ? "" : NULL;
    decant_lines *lines = NULL;
    decant_error error = DECANT_ERROR_INIT;
    check(decant_lines_open(&event_record, &options, &lines, NULL) == DECANT_OK, "a stream opens");
    decant_lines_feed(lines, streams[at], strlen(streams[at]), write_down, &text, NULL);
    decant_lines_finish(lines, write_down, &text, NULL);
    const int count = text.lines;
    check(count == at + 1, "the unfinished line, and what is wrong around the elements");
    int64_t line = 0, offset = 0;
    decant_lines_place(lines, &line, &offset);
    check(line == 1 && offset == (int64_t)strlen(streams[at]), "the place is the end of the stream");
    check(decant_lines_finish(lines, write_down, &text, &error) == DECANT_OK && text.lines == count,
          "finished once more, a stream has nothing");
    check(decant_lines_feed(lines, "{}\n", 3, write_down, &text, &error) == DECANT_INVALID_ARGUMENT &&
              text.lines == count,
          "no bytes come behind a finished stream");
    check_text(error.message, "the stream is finished");
    check(decant_lines_feed(lines, "", 0, write_down, &text, &error) == DECANT_OK, "but none may");
    decant_lines_close(lines);
    free(text.bytes);
  }
}

/* ---------------------------------------------------------------------------------------------------
 * Pieces
 */

static void test_pieces(void) {
  const size_t length = sizeof stream - 1;
  struct text expected = whole(stream, length, NULL);
  for (size_t count = 1; count <= 9; count++) {
    decant_piece pieces[9];
    const size_t made = decant_split_lines(stream, length, count, pieces);
    check(made >= 1 && made <= count, "as many pieces as asked for, at most");
    struct text text = {0};
    const char *next = stream;
    for (size_t at = 0; at < made; at++) {
      check(pieces[at].json == next && pieces[at].length > 0, "pieces follow one another");
      next += pieces[at].length;
      check(next == stream + length || next[-1] == '\n', "and end at lines");
      decant_options options = DECANT_OPTIONS_INIT;
      options.first_line = pieces[at].first_line;
      options.first_offset = pieces[at].first_offset;
      decant_decode_lines(&event_record, pieces[at].json, pieces[at].length, write_down, &text,
                          &options, NULL);
    }
    check(next == stream + length && same(expected, text), "pieces say what the whole says");
    free(text.bytes);
  }
  free(expected.bytes);
  decant_piece piece;
  check(decant_split_lines(NULL, 5, 1, &piece) == 0 && decant_split_lines("a", 0, 1, &piece) == 0 &&
            decant_split_lines("a", 1, 0, &piece) == 0 && decant_split_lines("a", 1, 1, NULL) == 0,
        "nothing is no piece");
  check(decant_split_lines("\n\n", 2, 1, &piece) == 1 && piece.length == 2 && piece.first_line == 1,
        "one piece");
  decant_piece lines[3];
  for (size_t count = SIZE_MAX / 2 - 1; count < SIZE_MAX / 2 + 3; count++) {
    check(decant_split_lines("1\n2\n3", 5, count, lines) == 3 && lines[2].first_line == 3, "a line each");
  }
  check(decant_split_lines("1\n2\n3", 5, SIZE_MAX, lines) == 3 && lines[2].first_offset == 4, "a line each");
  /* Line feeds are counted in blocks; more than a byte of them, and a rest. */
  enum { FEEDS = 64 * 300 + 17 };
  char *feeds = malloc(FEEDS + 1);
  memset(feeds, '\n', FEEDS);
  feeds[FEEDS] = '1';
  decant_piece pair[2];
  check(decant_split_lines(feeds, FEEDS + 1, 2, pair) == 2 &&
            pair[1].first_line == (int64_t)pair[0].length + 1,
        "lines are counted");
  free(feeds);
}

/* ---------------------------------------------------------------------------------------------------
 * Limits, memory, arguments
 */

/* Lines at the limit, one more, and far more, whole and in chunks. */
static void test_long_lines(void) {
  enum { LONG = 20000 };
  decant_options options = DECANT_OPTIONS_INIT;
  options.maximum_bytes = 100;
  char *json = malloc(3 * LONG);
  size_t length = 0;
  for (int line = 1; line <= 3; line++) { /* of 99, 100 and 101 bytes */
    length +=
        (size_t)sprintf(json + length, "{\"id\":%d,\"name\":\"%0*d\"}\n", line, 98 + line - 18, 0);
  }
  length += (size_t)sprintf(json + length, "{\"id\":4,\"name\":\"%0*d\"}\n{\"id\":5}\n%*d", LONG, 0,
                            LONG, 1);
  struct text expected = whole(json, length, &options);
  check(expected.lines == 6 && expected.failures == 3,
        "what is too long fails, and its neighbours do not");
  check(strstr(expected.bytes, "4: error 302 at ") != NULL &&
            strstr(expected.bytes, "5: 5 0 0\n") != NULL,
        "with its place");
  for (size_t size = 1; size <= 4096; size = size * 3 + 1) {
    struct text text = in_chunks(json, length, size, false, &options);
    check(same(expected, text), "long lines in chunks");
    if (!same(expected, text)) printf("%zu: %s\n", size, text.bytes);
    free(text.bytes);
  }
  free(expected.bytes);
  free(json);
}

/* A line has nothing of the line before, whichever way it is read. */
static void test_neighbours(void) {
  for (int size = 0; size <= 800; size += 800) { /* with an index, too */
    char json[2048];
    const int length =
        sprintf(json,
                "{\"id\":1,\"name\":\"Ann\",\"scores\":[1],\"done\":true,\"pad\":\"%0*d\"}\n"
                "{\"id\":2,\"pad\":\"%0*d\"}\n",
                size, 0, size, 0);
    struct text text = whole(json, (size_t)length, NULL);
    check_text(text.bytes, "1: 1 1 3Ann 1\n2: 2 0 0\n");
    free(text.bytes);
  }
}

/* Memory of the caller's: every block comes back, and after the first lines none is asked for. */
struct heap {
  int blocks, requests, left;
};
static void *take(void *context, size_t size) {
  struct heap *heap = context;
  if (heap->left-- <= 0) return NULL;
  heap->blocks++;
  heap->requests++;
  return malloc(size);
}
/* The allocation behind as many fails, and no other. */
static void *take_but_one(void *context, size_t size) {
  struct heap *heap = context;
  if (heap->left-- == 0) return NULL;
  heap->blocks++;
  return malloc(size);
}
static void give(void *context, void *block, size_t size) {
  struct heap *heap = context;
  (void)size;
  heap->blocks--;
  free(block);
}

static void test_memory(void) {
  struct heap heap = {0, 0, 1000};
  const decant_memory memory = {take, give, &heap};
  decant_options options = DECANT_OPTIONS_INIT;
  options.memory = &memory;
  enum { LINES = 500 };
  char *json = malloc(LINES * 64);
  size_t length = 0;
  for (int line = 1; line <= LINES; line++) {
    length += (size_t)sprintf(json + length,
                              "{\"id\":%d,\"name\":\"event\",\"scores\":[1,2,3,4,5]}\n", line);
  }
  struct text expected = whole(json, length, NULL);
  check(expected.lines == LINES && expected.failures == 0, "lines");
  struct text text = in_chunks(json, length, 100, false, &options);
  check(same(expected, text), "lines in memory of the caller's");
  check(heap.blocks == 0, "every block comes back");
  check(heap.requests <= 6, "lines share their memory");
  free(text.bytes);
  heap = (struct heap){0, 0, 1000};
  text = in_chunks(json, length, 4096, false, &options);
  check(same(expected, text) && heap.blocks == 0 && heap.requests <= 6, "and their index");
  free(text.bytes);
  /* Wherever memory ends, lines fail alone. */
  for (int round = 0; round <= 13; round++) {
    const int left = round / 2;
    const size_t size = round % 2 == 0 ? 100 : 4096;
    heap = (struct heap){0, 0, left};
    decant_lines *lines = NULL;
    text = (struct text){0};
    if (decant_lines_open(&event_record, &options, &lines, NULL) == DECANT_OK) {
      for (size_t at = 0; at < length; at += size) {
        decant_lines_feed(lines, json + at, length - at < size ? length - at : size, write_down,
                          &text, NULL);
      }
      decant_lines_finish(lines, write_down, &text, NULL);
      check(text.lines == LINES, "every line is handed out");
      decant_lines_close(lines);
    } else {
      check(lines == NULL, "no stream without memory");
    }
    check(heap.blocks == 0, "every block comes back, also when there are few");
    free(text.bytes);
  }
  free(expected.bytes);
  free(json);
}

/* One allocation fails, wherever: the elements of an array are handed out, but for one that is longer than a chunk, and what
 * is around them has an error of its own. */
static void test_memory_of_elements(void) {
  static const char *const befores[] = {
      "{\"type\":\"x\",\"a\":[{\"items\":[{\"id\":9}]}],\"it\\u0065ms\":[",
      "[[{\"id\":9}],{\"items\":[", "{\"other\":1,\"items\":{\"items\":[", "\n["};
  static const char *const pointers[] = {"/items", "/1/items", "/items/items", ""}, *const ends[] = {"]}", "]}]", "]}}", "]"};
  for (size_t form = 0; form < 4; form++) {
    for (int wide = 0; wide < 2; wide++) {
      /* Between the first bytes, so that they are kept in several allocations. */
      char json[16384] = "";
      const size_t space = wide ? 9000 : 0;
      memcpy(json, befores[form], 1);
      memset(json + 1, ' ', space);
      sprintf(json + 1 + space, "%s{\"id\":0},{\"id\":1},{\"id\":2}%s", befores[form] + 1, ends[form]);
      for (size_t size = 1; size <= 5000; size = size < 12 ? size + 1 : size * 9) {
        for (int until = 0; until < 8; until++) {
          struct heap heap = {0, 0, until};
          const decant_memory failing = {take_but_one, give, &heap};
          decant_options options = DECANT_OPTIONS_INIT;
          options.memory = &failing;
          options.elements_at = pointers[form];
          int counts[31] = {0};
          decant_lines *lines = NULL;
          if (decant_lines_open(&event_record, &options, &lines, NULL) != DECANT_OK) continue;
          for (size_t at = 0; at < strlen(json); at += size) {
            const size_t left = strlen(json) - at;
            decant_lines_feed(lines, json + at, left < size ? left : size, count_ids, counts, NULL);
          }
          decant_lines_finish(lines, count_ids, counts, NULL);
          check(counts[1] + counts[2] + counts[3] >= 2 && counts[0] <= 1, "one failure of memory is one error");
          check(counts[1] + counts[2] + counts[3] + counts[0] >= 3, "and costs one element at most");
          decant_lines_close(lines);
          check(heap.blocks == 0, "every block comes back");
        }
      }
    }
  }
}

/* A fixed buffer has what fits; what does not fails, line by line. */
static void test_buffer(void) {
  char buffer[24];
  decant_options options = DECANT_OPTIONS_INIT;
  options.buffer = buffer;
  options.buffer_size = sizeof buffer;
  const char *json =
      "{\"id\":1,\"name\":\"short\"}\n{\"id\":2,\"name\":\"a name that is far too "
      "long\"}\n{\"id\":3}\n";
  struct text text = whole(json, strlen(json), &options);
  check(text.lines == 3 && text.failures == 1 && strstr(text.bytes, "2: error 502") != NULL,
        "a line that does not fit the buffer");
  free(text.bytes);
}

static void test_arguments(void) {
  decant_error error = DECANT_ERROR_INIT;
  decant_lines *lines = NULL;
  check(decant_lines_open(NULL, NULL, &lines, &error) == DECANT_INVALID_RECORD && lines == NULL,
        "no table");
  check(decant_lines_open(&event_record, NULL, NULL, &error) == DECANT_INVALID_ARGUMENT,
        "no place for the stream");
  decant_options options = DECANT_OPTIONS_INIT;
  options.first_line = -1;
  check(decant_lines_open(&event_record, &options, &lines, &error) == DECANT_INVALID_ARGUMENT,
        "a negative line");
  check_text(error.message, "first_line or first_offset is negative");
  options.first_line = 0;
  check(decant_lines_open(&event_record, NULL, &lines, NULL) == DECANT_OK, "a stream opens");
  struct text text = {0};
  check(
      decant_lines_feed(NULL, "1", 1, write_down, &text, &error) == DECANT_INVALID_ARGUMENT &&
          decant_lines_feed(lines, NULL, 1, write_down, &text, &error) == DECANT_INVALID_ARGUMENT &&
          decant_lines_feed(lines, "1", 1, NULL, &text, &error) == DECANT_INVALID_ARGUMENT &&
          decant_lines_finish(lines, NULL, &text, &error) == DECANT_INVALID_ARGUMENT &&
          decant_lines_finish(NULL, write_down, &text, &error) == DECANT_INVALID_ARGUMENT,
      "what is NULL");
  check(
      decant_lines_feed(lines, NULL, 0, write_down, &text, &error) == DECANT_OK && text.lines == 0,
      "no bytes");
  decant_lines_close(lines);
  int64_t line = 7, offset = 7;
  decant_lines_place(NULL, &line, &offset);
  check(line == 0 && offset == -1, "no stream has no place");
  /* Places far beyond 32 bits, where there are such offsets. */
  options = (decant_options)DECANT_OPTIONS_INIT;
  options.first_line = (int64_t)1 << 40;
  options.first_offset = INT64_MAX - 3;
  text = whole("{}\n{\"id\":true}\n", 14, &options);
  check(text.failures == 2, "the largest places");
  free(text.bytes);
}

/* ---------------------------------------------------------------------------------------------------
 * Members in the table's order and in others: whatever a stream keeps of a table, its lines are the documents that
 * decant_decode() reads one by one.
 */

struct inner {
  int64_t x;
  int64_t y;
};
struct ordered {
  int64_t none, a, b, ab, eight, nine, other_nine, twenty, again, at_pointer;
  struct inner inner;
  struct inner *inners;
  size_t inner_count;
  int64_t last;
  void *storage;
};
#define INTEGER(type, name, text) \
  { .key = text, .kind = DECANT_INT64, .flags = DECANT_OPTIONAL, .offset = offsetof(type, name) }
static const decant_field inner_fields[] = {INTEGER(struct inner, x, "x"),
                                            INTEGER(struct inner, y, "y")};
static const decant_record inner_record = {
    .size = sizeof(struct inner), .fields = inner_fields, .field_count = 2};
static const decant_field ordered_fields[] = {
    INTEGER(struct ordered, none, ""),
    INTEGER(struct ordered, a, "a"),
    INTEGER(struct ordered, b, "b"),
    INTEGER(struct ordered, ab, "ab"),
    INTEGER(struct ordered, eight, "abcdefgh"),
    INTEGER(struct ordered, nine, "abcdefghi"),
    INTEGER(struct ordered, other_nine, "abcdefghj"),
    INTEGER(struct ordered, twenty, "abcdefghijklmnopqrst"),
    INTEGER(struct ordered, again, "a"),
    {.key = "/inner/y",
     .kind = DECANT_INT64,
     .flags = DECANT_OPTIONAL | DECANT_POINTER,
     .offset = offsetof(struct ordered, at_pointer)},
    {.key = "inner",
     .kind = DECANT_RECORD,
     .flags = DECANT_OPTIONAL,
     .offset = offsetof(struct ordered, inner),
     .record = &inner_record},
    {.key = "inners",
     .kind = DECANT_ARRAY,
     .element = DECANT_RECORD,
     .flags = DECANT_OPTIONAL,
     .offset = offsetof(struct ordered, inners),
     .length_offset = offsetof(struct ordered, inner_count),
     .record = &inner_record},
    INTEGER(struct ordered, last, "last")};
static const decant_record ordered_record = {
    .size = sizeof(struct ordered), .fields = ordered_fields,
    .field_count = 13, .storage_offset = offsetof(struct ordered, storage)};

static const char *const ordered_members[] = {"\"\":%d",
                                              "\"a\":%d",
                                              "\"b\":%d",
                                              "\"ab\":%d",
                                              "\"abcdefgh\":%d",
                                              "\"abcdefghi\":%d",
                                              "\"abcdefghj\":%d",
                                              "\"abcdefghijklmnopqrst\":%d",
                                              "\"inner\":{\"x\":%d,\"y\":7}",
                                              "\"inners\":[{\"y\":%d},{\"x\":1,\"y\":2},{}]",
                                              "\"last\":%d",
                                              "\"\\u0061\":%d",
                                              "\"abcdefghijklmnopqrsT\":%d",
                                              "\"c\":{\"a\":%d}",
                                              "\"a\":\"%d\""};
enum { ORDERED = 11, MEMBERS = sizeof ordered_members / sizeof ordered_members[0] };

static size_t add_ordered(char *to) {
  const char *members[64];
  size_t count = 0;
  const size_t disorder = up_to(4) - 1;
  for (size_t at = 0; at < ORDERED; at++) {
    if (disorder > 0 && up_to(8) == 1) members[count++] = ordered_members[up_to(MEMBERS) - 1];
    if (disorder == 0 || up_to(6) > 1) members[count++] = ordered_members[at];
  }
  if (disorder == 3 && count > 1) {
    const size_t from = up_to(count) - 1, with = up_to(count) - 1;
    const char *member = members[from];
    members[from] = members[with];
    members[with] = member;
  }
  size_t length = (size_t)sprintf(to, "{");
  for (size_t at = 0; at < count; at++) {
    if (at > 0) to[length++] = ',';
    length += (size_t)sprintf(to + length, members[at], (int)up_to(1000));
  }
  return length + (size_t)sprintf(to + length, "}\n");
}

struct expected_order {
  const char *json;
  int lines, different;
};

static int compare_order(void *context, int64_t line, const void *value,
                         const decant_error *error) {
  struct expected_order *expected = context;
  struct ordered one;
  const size_t length = strcspn(expected->json, "\n");
  (void)line;
  (void)error;
  expected->lines++;
  const bool is_read =
      decant_decode(&ordered_record, expected->json, length, &one, NULL) == DECANT_OK;
  bool is_same = is_read == (value != NULL);
  if (is_read && value != NULL) {
    const struct ordered *other = value;
    is_same = memcmp(&one, other, offsetof(struct ordered, inners)) == 0 &&
              one.inner_count == other->inner_count && one.last == other->last &&
              (one.inner_count == 0 ||
               memcmp(one.inners, other->inners, one.inner_count * sizeof *one.inners) == 0);
  }
  if (is_read) decant_free(&ordered_record, &one);
  if (!is_same && expected->different++ == 0)
    printf("different: %.*s\n", (int)length, expected->json);
  expected->json += length + 1;
  return 0;
}

static void test_orders(void) {
  enum { LINES = 4000 };
  char *json = malloc(LINES * 512);
  size_t length = 0;
  for (int line = 0; line < LINES; line++) length += add_ordered(json + length);
  json[length] = 0;
  struct expected_order expected = {json, 0, 0};
  decant_decode_lines(&ordered_record, json, length, compare_order, &expected, NULL, NULL);
  check(expected.lines == LINES && expected.different == 0, "lines with members in any order");
  free(json);
}

/* A table that is too large to be prepared for a stream is read as it is. */
static int add_last(void *context, int64_t line, const void *value, const decant_error *error) {
  (void)line;
  (void)error;
  if (value != NULL) *(int64_t *)context += ((const int64_t *)value)[1199];
  return 0;
}

static void test_large_table(void) {
  enum { FIELDS = 1200 };
  decant_field *fields = calloc(FIELDS, sizeof *fields);
  char(*keys)[8] = calloc(FIELDS, sizeof *keys);
  char *json = malloc(2 * FIELDS * 16);
  size_t length = 0;
  for (int field = 0; field < FIELDS; field++) {
    sprintf(keys[field], "k%d", field);
    fields[field] = (decant_field){
        .key = keys[field], .kind = DECANT_INT64, .offset = (uint32_t)(field * sizeof(int64_t))};
  }
  for (int line = 0; line < 2; line++) {
    for (int field = 0; field < FIELDS; field++)
      length +=
          (size_t)sprintf(json + length, "%c\"%s\":%d", field > 0 ? ',' : '{', keys[field], field);
    length += (size_t)sprintf(json + length, "}\n");
  }
  const decant_record record = {.size = FIELDS * sizeof(int64_t), .fields = fields, .field_count = FIELDS};
  int64_t sum = 0;
  check(decant_decode_lines(&record, json, length, add_last, &sum, NULL, NULL) == DECANT_OK &&
            sum == 2 * 1199,
        "a table of many fields");
  free(json);
  free(keys);
  free(fields);
}

/* A record that holds more records than a prepared table has. */
enum { RECORDS = 72 };
static int add_inner(void *context, int64_t line, const void *value, const decant_error *error) {
  (void)line;
  (void)error;
  if (value != NULL) *(int64_t *)context += ((const int64_t *)value)[RECORDS - 1];
  return 0;
}

static void test_many_records(void) {
  static char keys[RECORDS][8];
  static decant_field inner[RECORDS], fields[RECORDS];
  static decant_record records[RECORDS];
  char json[RECORDS * 24];
  for (int at = 0; at < RECORDS; at++) {
    sprintf(keys[at], "k%d", at);
    inner[at] = (decant_field){.key = "n", .kind = DECANT_INT64};
    records[at] = (decant_record){.size = sizeof(int64_t), .fields = &inner[at], .field_count = 1};
    fields[at] = (decant_field){.key = keys[at],
                                .kind = DECANT_RECORD,
                                .offset = (uint32_t)(at * sizeof(int64_t)),
                                .record = &records[at]};
  }
  for (int count = RECORDS - 8; count <= RECORDS; count++) {
    const decant_record record = {
        .size = RECORDS * sizeof(int64_t), .fields = fields, .field_count = (size_t)count};
    char *end = json;
    for (int at = 0; at < RECORDS; at++)
      end += sprintf(end, "%c\"k%d\":{\"n\":%d}", at > 0 ? ',' : '{', at, at);
    end += sprintf(end, "}\n");
    int64_t sum = 0;
    check(decant_decode_lines(&record, json, (size_t)(end - json), add_inner, &sum, NULL, NULL) == DECANT_OK &&
              sum == (count == RECORDS ? RECORDS - 1 : 0),
          "a table of many records");
  }
}

/* Numbers of few digits are those of strtod, to the bit: as fields, as elements, and at the end of a text. */
struct reals {
  double real;
  double *reals;
  size_t count;
  void *storage;
};

static int compare_reals(void *context, int64_t line, const void *value, const decant_error *error) {
  char(*texts)[16] = context;
  const struct reals *found = value;
  const double expected = strtod(texts[line - 1], NULL);
  (void)error;
  check(found != NULL && found->count == 3 && memcmp(&found->real, &expected, sizeof expected) == 0 &&
            memcmp(found->reals, &expected, sizeof expected) == 0 &&
            memcmp(found->reals + 2, &expected, sizeof expected) == 0,
        texts[line - 1]);
  return 0;
}

static void test_reals(void) {
  static const decant_field fields[] = {
      {.key = "real", .kind = DECANT_DOUBLE, .offset = offsetof(struct reals, real)},
      {.key = "reals",
       .kind = DECANT_ARRAY,
       .element = DECANT_DOUBLE,
       .offset = offsetof(struct reals, reals),
       .length_offset = offsetof(struct reals, count)}};
  static const decant_record record = {
      .size = sizeof(struct reals), .fields = fields,
      .field_count = 2, .storage_offset = offsetof(struct reals, storage)};
  enum { LINES = 20000 };
  char *json = malloc(LINES * 96), (*texts)[16] = calloc(LINES, sizeof *texts);
  size_t length = 0;
  for (int line = 0; line < LINES; line++) {
    const char *form = up_to(8) == 1 ? "%s%u.%0*ue-3" : "%s%u.%0*u";
    const int fraction = (int)up_to(5);
    size_t most = 1, whole = 1;
    for (int digit = 0; digit < fraction; digit++) most *= 10;
    for (size_t digit = up_to(5); digit > 0; digit--) whole *= 10;
    if (up_to(16) == 1) {
      sprintf(texts[line], "%s%u", up_to(2) == 1 ? "-" : "", (unsigned)(up_to(whole) - 1));
    } else {
      sprintf(texts[line], form, up_to(2) == 1 ? "-" : "", (unsigned)(up_to(whole) - 1), fraction,
              (unsigned)(up_to(most) - 1));
    }
    length += (size_t)sprintf(json + length, "{\"real\":%s,\"reals\":[%s,1.5,%s]}\n", texts[line],
                              texts[line], texts[line]);
  }
  decant_decode_lines(&record, json, length, compare_reals, texts, NULL, NULL);
  free(json);
  free(texts);
}

/* The members of a map, whose records begin with what is no member: their key. */
struct member {
  const char *key;
  int64_t number;
};
struct members {
  struct member *all;
  size_t count;
  void *storage;
};

static int add_members(void *context, int64_t line, const void *value, const decant_error *error) {
  const struct members *members = value;
  struct text *text = context;
  (void)line;
  (void)error;
  for (size_t at = 0; members != NULL && at < members->count; at++) {
    char part[32];
    add(text, part, (size_t)sprintf(part, "%s=%d ", members->all[at].key, (int)members->all[at].number));
  }
  return 0;
}

static void test_maps(void) {
  static const decant_field member_fields[] = {
      {.kind = DECANT_KEY, .offset = offsetof(struct member, key)},
      {.key = "n", .kind = DECANT_INT64, .offset = offsetof(struct member, number)}};
  static const decant_record member_record = {
      .size = sizeof(struct member), .fields = member_fields, .field_count = 2};
  static const decant_field fields[] = {{.key = "map",
                                         .kind = DECANT_MAP,
                                         .record = &member_record,
                                         .offset = offsetof(struct members, all),
                                         .length_offset = offsetof(struct members, count)}};
  static const decant_record record = {
      .size = sizeof(struct members), .fields = fields,
      .field_count = 1, .storage_offset = offsetof(struct members, storage)};
  const char *line = "{\"map\":{\"a\":{\"n\":1},\"b\":{\"m\":0,\"n\":2},\"c\":{\"n\":3,\"m\":0}}}\n";
  struct text json = {0}, found = {0}, expected = {0};
  for (int at = 0; at < 40; at++) {
    add(&json, line, strlen(line));
    add(&expected, "a=1 b=2 c=3 ", 12);
  }
  check(decant_decode_lines(&record, json.bytes, json.length, add_members, &found, NULL, NULL) == DECANT_OK &&
            found.length == expected.length && memcmp(found.bytes, expected.bytes, found.length) == 0,
        "maps of records in lines");
  free(json.bytes);
  free(found.bytes);
  free(expected.bytes);
}

/* Every kind with every value: as a line of many, whose plain members are stored at once, and as a document alone, whose
 * members are in another order than the table's. */
struct any {
  int64_t before;
  union {
    int64_t number;
    double real;
    decant_text text;
    char characters[16];
    struct inner inner;
    int16_t fixed[8];
    void *pointer;
  } value;
  size_t count;
  int64_t after;
  bool is_there;
  void *storage;
};

static const decant_name any_names[] = {{"a", 1}, {"bc", -2}, {NULL, 0}};
static const struct any_kind {
  uint16_t kind, element;
  bool is_counted, has_pointers;
} any_kinds[] = {{DECANT_BOOL, 0, false, false},
                 {DECANT_INT8, 0, false, false},
                 {DECANT_INT16, 0, false, false},
                 {DECANT_INT32, 0, false, false},
                 {DECANT_INT64, 0, false, false},
                 {DECANT_UINT8, 0, false, false},
                 {DECANT_UINT16, 0, false, false},
                 {DECANT_UINT32, 0, false, false},
                 {DECANT_UINT64, 0, false, false},
                 {DECANT_FLOAT, 0, false, false},
                 {DECANT_DOUBLE, 0, false, false},
                 {DECANT_STRING, 0, true, true},
                 {DECANT_TEXT, 0, true, true},
                 {DECANT_TEXT, 0, false, true},
                 {DECANT_CHARS, 0, true, false},
                 {DECANT_ENUM, 0, false, false},
                 {DECANT_FLAGS, 0, false, false},
                 {DECANT_RAW, 0, true, true},
                 {DECANT_KIND, 0, false, false},
                 {DECANT_RECORD, 0, false, false},
                 {DECANT_RECORD_POINTER, 0, false, true},
                 {DECANT_FIXED_ARRAY, DECANT_INT16, true, false},
                 {DECANT_ARRAY, DECANT_BOOL, true, true},
                 {DECANT_ARRAY, DECANT_INT8, true, true},
                 {DECANT_ARRAY, DECANT_UINT16, true, true},
                 {DECANT_ARRAY, DECANT_INT32, true, true},
                 {DECANT_ARRAY, DECANT_INT64, true, true},
                 {DECANT_ARRAY, DECANT_UINT64, true, true},
                 {DECANT_ARRAY, DECANT_FLOAT, true, true},
                 {DECANT_ARRAY, DECANT_DOUBLE, true, true},
                 {DECANT_ARRAY, DECANT_STRING, true, true},
                 {DECANT_ARRAY, DECANT_TEXT, true, true},
                 {DECANT_ARRAY, DECANT_RAW, true, true},
                 {DECANT_ARRAY, DECANT_KIND, true, true},
                 {DECANT_ARRAY, DECANT_RECORD, true, true}};

static const char *const any_values[] = {"null",
                                         "true",
                                         "false",
                                         "0",
                                         "-0",
                                         "7",
                                         "-7",
                                         "127",
                                         "-128",
                                         "128",
                                         "255",
                                         "256",
                                         "32767",
                                         "-32769",
                                         "65535",
                                         "2147483647",
                                         "-2147483649",
                                         "4294967295",
                                         "12345678",
                                         "-123456789",
                                         "1234567890123456",
                                         "12345678901234567",
                                         "-9223372036854775808",
                                         "9223372036854775807",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "0.5",
                                         "-0.0",
                                         "1234.567",
                                         "12345.6789",
                                         "-123456789.012345",
                                         "0.1234567890123456",
                                         "1e2",
                                         "-1.5E-3",
                                         "1e400",
                                         "3.4e39",
                                         "1.0",
                                         "\"\"",
                                         "\"a\"",
                                         "\"bc\"",
                                         "\"caf\xC3\xA9\"",
                                         "\"\\n\"",
                                         "\"a\\u00e9\\ud83d\\ude00\\\\b\"",
                                         "\"a text of 32 bytes, without end .\"",
                                         "\"a text of 33 bytes, without an end\"",
                                         "\"a text of more bytes than are copied at once: they are "
                                         "many, and there is\\tan escape behind them all\"",
                                         "\"a text of more bytes than are copied at once: they are "
                                         "many, and there is no escape behind any of them\"",
                                         "[]",
                                         "[1]",
                                         "[1,-2,3]",
                                         "[1.5,2,1e1,-0.25,1234567,12345678]",
                                         "[300]",
                                         "[true,false]",
                                         "[\"a\",\"bc\"]",
                                         "[\"a\",\"\\u0062c\",\"\"]",
                                         "[1,null]",
                                         "[null]",
                                         "[\"a\",1]",
                                         "[[1],2]",
                                         "[{},{\"x\":1}]",
                                         "[{\"x\":1,\"y\":2}]",
                                         "{}",
                                         "{\"x\":1,\"y\":2}",
                                         "{\"y\":2,\"x\":1}",
                                         "{\"x\":1,\"y\":null}",
                                         "{\"x\":1,\"y\":\"2\"}",
                                         "{\"x\":1,\"x\":3,\"y\":2}"};
enum { ANY_VALUES = sizeof any_values / sizeof any_values[0] };

struct any_lines {
  const decant_record *record;
  const struct any_kind *kind;
  int lines, different;
};

/* Whether errors say the same of their values, wherever these are. */
static bool same_reason(const decant_error *a, const decant_error *b) {
  const char *reasons[2] = {strstr(a->message, a->path), strstr(b->message, b->path)};
  const size_t length = reasons[0] != NULL ? strcspn(reasons[0], "\n") : 0;
  return reasons[0] != NULL && reasons[1] != NULL && strncmp(reasons[0], reasons[1], length) == 0;
}

static int compare_any(void *context, int64_t line, const void *value, const decant_error *error) {
  struct any_lines *all = context;
  const char *const text = any_values[(line - 1) % ANY_VALUES];
  char json[512];
  const int length =
      sprintf(json, "{\"other\":[],\"after\":%d,\"value\":%s,\"before\":5}", (int)line, text);
  struct any alone;
  memset(&alone, 0, sizeof alone);
  decant_error other = DECANT_ERROR_INIT;
  const decant_status status = decant_decode(all->record, json, (size_t)length, &alone, &other);
  bool is_same = (status == DECANT_OK) == (value != NULL);
  if (is_same && value == NULL) {
    is_same = error->code == other.code && strcmp(error->path, other.path) == 0 &&
              same_reason(error, &other) && error->line == line;
  } else if (is_same) {
    const struct any *one = value;
    char texts[2][1024];
    size_t lengths[2] = {0};
    const decant_status written =
        decant_encode(all->record, one, texts[0], sizeof texts[0], &lengths[0], NULL);
    is_same = decant_encode(all->record, &alone, texts[1], sizeof texts[1], &lengths[1], NULL) == written &&
              lengths[0] == lengths[1] && memcmp(texts[0], texts[1], lengths[0]) == 0 &&
              one->before == 5 && one->after == line && one->is_there == alone.is_there &&
              one->count == alone.count;
    if (!all->kind->has_pointers && memcmp(&one->value, &alone.value, sizeof alone.value) != 0)
      is_same = false;
  }
  if (status == DECANT_OK) decant_free(all->record, &alone);
  all->lines++;
  if (!is_same && all->different++ == 0)
    printf("different: kind %d of %d, %s\n", all->kind->kind, all->kind->element, text);
  return 0;
}

static void test_kinds(void) {
  for (size_t at = 0; at < 2 * (sizeof any_kinds / sizeof any_kinds[0]); at++) {
    const struct any_kind *const kind = &any_kinds[at / 2];
    const decant_field fields[] = {
        {.key = "before", .kind = DECANT_INT64, .offset = offsetof(struct any, before)},
        {.key = "value",
         .kind = kind->kind,
         .element = kind->element,
         .flags = at % 2 ? DECANT_OPTIONAL : 0,
         .offset = offsetof(struct any, value),
         .length_offset = kind->is_counted ? offsetof(struct any, count) : 0,
         .presence_offset = at % 2 ? offsetof(struct any, is_there) : 0,
         .capacity = kind->kind == DECANT_CHARS         ? 16
                     : kind->kind == DECANT_FIXED_ARRAY ? 8
                                                        : 0,
         .record = kind->kind == DECANT_RECORD || kind->kind == DECANT_RECORD_POINTER ||
                           kind->element == DECANT_RECORD
                       ? &inner_record
                       : NULL,
         .names = kind->kind == DECANT_ENUM || kind->kind == DECANT_FLAGS ? any_names : NULL},
        {.key = "after", .kind = DECANT_INT64, .offset = offsetof(struct any, after)}};
    const decant_record record = {
        .size = sizeof(struct any), .fields = fields,
        .field_count = 3, .storage_offset = offsetof(struct any, storage)};
    decant_error error = DECANT_ERROR_INIT;
    if (!check(decant_record_check(&record, &error) == DECANT_OK, error.message)) continue;
    struct text json = {0};
    for (int line = 0; line < 2 * ANY_VALUES; line++) {
      char row[512];
      const int length = sprintf(row, "{\"before\":5,\"value\":%s,\"after\":%d}\n",
                                 any_values[line % ANY_VALUES], line + 1);
      add(&json, row, (size_t)length);
    }
    struct any_lines all = {&record, kind, 0, 0};
    decant_decode_lines(&record, json.bytes, json.length, compare_any, &all, NULL, NULL);
    check(all.lines == 2 * ANY_VALUES && all.different == 0, "values of every kind in lines");
    free(json.bytes);
  }
}

int main(void) {
  test_kinds();
  test_orders();
  test_maps();
  test_reals();
  test_large_table();
  test_many_records();
  test_chunks();
  test_index(false);
  test_index(true);
  test_marks();
  test_records();
  test_refusals();
  test_documents();
  test_elements();
  test_random_framings();
  test_recovery();
  test_naive_recovery();
  test_early();
  test_elements_recovery();
  test_feeds();
  test_mark_rule();
  test_end();
  test_finished();
  test_pieces();
  test_long_lines();
  test_neighbours();
  test_memory();
  test_memory_of_elements();
  test_buffer();
  test_arguments();
  return check_end();
}
