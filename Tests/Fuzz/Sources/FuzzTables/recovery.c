// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Streams with one fault. The input chooses documents, each with a number, how they are laid out, and what is done to one
// byte of one of them:
//
//   {"id":0,"m":[1]}                  the fault takes a bracket
//   {"id":1,"m":[{"n":"]"}}     <-
//   {"id":2}
//
// The document that has the fault is lost, or it is no fault, and at most one more. All others are handed out once, in
// order, with their text and their line. And the stream says the same wherever it is cut into chunks.

#include "FuzzTables.h"

#include <decant.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCUMENTS = 8, LONGEST = 1 << 14, ENOUGH = LONGEST / 4, EVENTS = 256 };

struct choices {
  const uint8_t *next, *end;
  uint64_t state;
};

// The input's bytes; behind them, what follows from them.
static uint8_t take(struct choices *choices) {
  if (choices->next < choices->end) {
    choices->state = choices->state * 31 + *choices->next;
    return *choices->next++;
  }
  choices->state ^= choices->state << 13;
  choices->state ^= choices->state >> 7;
  choices->state ^= choices->state << 17;
  return (uint8_t)(choices->state >> 24);
}

static size_t below(struct choices *choices, size_t limit) {
  const size_t high = take(choices);
  return (high << 8 | take(choices)) % limit;
}

// MARK: - Documents

struct stream {
  char text[LONGEST];
  size_t length;
  size_t starts[DOCUMENTS + 1], ends[DOCUMENTS];
  int64_t lines[DOCUMENTS];
  bool has_elements, is_pretty;
  int indentation;
};

static void add(struct stream *stream, const char *text) {
  const size_t length = strlen(text);
  if (stream->length + length > LONGEST) abort();
  memcpy(stream->text + stream->length, text, length);
  stream->length += length;
}

static void add_line(struct stream *stream, int depth) {
  if (!stream->is_pretty) return;
  add(stream, "\n");
  for (int at = 0; at < stream->indentation + 2 * depth; at++) add(stream, " ");
}

static void add_value(struct stream *stream, struct choices *choices, int depth) {
  static const char *const scalars[] = {
      "0",        "-1.5e3",      "true",       "null",     "\"\"",
      "\"text\"", "\"]}\"",      "\"[{\\\"\"", "\"\\\\\"", "\"\\u00e9\xC3\xA9\"",
      "\"},{\"",  "\"a, b: c\"", "[]",         "{}",       "\"\\\"\\\"\""};
  const size_t choice = below(choices, 24);
  if (depth >= 4 || choice < 15 || stream->length > ENOUGH)
    return add(stream, scalars[choice % 15]);
  const bool is_object = choice % 2 == 0;
  add(stream, is_object ? "{" : "[");
  const size_t count = 1 + below(choices, 3);
  for (size_t at = 0; at < count; at++) {
    char key[32];
    if (at > 0) add(stream, ",");
    add_line(stream, depth + 1);
    snprintf(key, sizeof key, "\"k%zu\":", at);
    if (is_object) add(stream, key);
    add_value(stream, choices, depth + 1);
  }
  add_line(stream, depth);
  add(stream, is_object ? "}" : "]");
}

static void add_document(struct stream *stream, struct choices *choices, int number) {
  char member[32];
  stream->starts[number] = stream->length;
  add(stream, "{");
  add_line(stream, 1);
  snprintf(member, sizeof member, "\"id\":%d", number);
  add(stream, member);
  for (size_t count = below(choices, 4); count > 0; count--) {
    add(stream, ",");
    add_line(stream, 1);
    snprintf(member, sizeof member, "\"m%zu\":", count);
    add(stream, member);
    add_value(stream, choices, 1);
  }
  add_line(stream, 0);
  add(stream, "}");
  stream->ends[number] = stream->length;
}

static void make_stream(struct stream *stream, struct choices *choices) {
  const uint8_t form = take(choices);
  stream->has_elements = form & 1;
  stream->is_pretty = form & 2;
  stream->indentation = stream->has_elements ? (form >> 2) % 4 : 0;
  if (stream->has_elements)
    add(stream, form & 16 ? "{\"n\":[{}],\"items\":[\n" : "{\"items\": [\n");
  for (int number = 0; number < DOCUMENTS; number++) {
    for (int at = 0; at < stream->indentation; at++) add(stream, " ");
    add_document(stream, choices, number);
    if (stream->has_elements && number + 1 < DOCUMENTS) add(stream, ",");
    add(stream, form & 32 ? "\r\n" : "\n");
  }
  if (stream->has_elements) add(stream, form & 64 ? "],\"m\":{\"x\":[1]}}\n" : "]}");
}

// MARK: - The fault

// A byte is another one, is there once more, or is missing; or the rest of the document is.
static bool damage(struct stream *stream, struct choices *choices, int faulty) {
  static const char bytes[] = "{}[]\"";
  const size_t start = stream->starts[faulty], end = stream->ends[faulty];
  const size_t at = start + below(choices, end - start);
  const char old = stream->text[at], new = bytes[below(choices, 5)];
  const int kind = take(choices) % 4;
  if (old == ' ' || old == '\n') return false;
  if (stream->has_elements) {
    // What makes something else of the elements behind it: an array that is opened, and a bracket that is closed instead,
    // so that the array of the elements may end where a member of the document around it follows.
    if (kind == 3 || ((new == '[' || new == '{') && kind != 2)) return false;
    if (kind == 0 && ((old == '[' && new == '}') || (old == '{' && new == ']'))) return false;
  }
  char *const place = stream->text + at, *const last = stream->text + stream->length;
  ptrdiff_t grown = 0;
  if (kind == 0) {
    *place = new;
  } else if (kind == 1) {
    memmove(place + 1, place, (size_t)(last - place));
    *place = new;
    grown = 1;
  } else if (kind == 2) {
    memmove(place, place + 1, (size_t)(last - place - 1));
    grown = -1;
  } else {
    grown = (ptrdiff_t)at - (ptrdiff_t)end;
    memmove(place, stream->text + end, (size_t)(last - stream->text) - end);
  }
  stream->length = (size_t)((ptrdiff_t)stream->length + grown);
  for (int number = faulty; number < DOCUMENTS; number++) {
    stream->ends[number] = (size_t)((ptrdiff_t)stream->ends[number] + grown);
    if (number > faulty)
      stream->starts[number] = (size_t)((ptrdiff_t)stream->starts[number] + grown);
  }
  return true;
}

static void count_lines(struct stream *stream) {
  int64_t line = 1;
  size_t at = 0;
  for (int number = 0; number < DOCUMENTS; number++) {
    for (; at < stream->starts[number]; at++) line += stream->text[at] == '\n';
    stream->lines[number] = line;
  }
}

// MARK: - What is told

struct document {
  int64_t id;
  const char *text;
  size_t length;
  void *storage;
};

static const decant_field fields[] = {
    {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct document, id)},
    {.key = "",
     .kind = DECANT_RAW,
     .flags = DECANT_POINTER,
     .offset = offsetof(struct document, text),
     .length_offset = offsetof(struct document, length)}};
static const decant_record record = {.size = sizeof(struct document),
                                     .fields = fields,
                                     .field_count = 2,
                                     .storage_offset = offsetof(struct document, storage)};

struct event {
  int64_t line, offset;
  int32_t code;
  int id;
};

struct events {
  const struct stream *stream;
  struct event list[EVENTS];
  int count, faulty;
};

static void fail(const struct stream *stream, const char *what, int number) {
  fprintf(stderr, "document %d: %s:\n%.*s\n", number, what, (int)stream->length, stream->text);
  abort();
}

static void print(const char *what, const struct events *events) {
  fprintf(stderr, "%s:\n", what);
  for (int at = 0; at < events->count; at++) {
    const struct event *event = &events->list[at];
    fprintf(stderr, "  line %lld: document %d, code %d at %lld\n", (long long)event->line,
            event->id, event->code, (long long)event->offset);
  }
}

static int note(void *context, int64_t line, const void *value, const decant_error *error) {
  struct events *events = context;
  const struct stream *stream = events->stream;
  if (events->count == EVENTS) fail(stream, "too many events", -1);
  struct event *event = &events->list[events->count++];
  *event = (struct event){line, error ? error->offset : -1, error ? error->code : 0, -1};
  if (value == NULL) return 0;
  const struct document *document = value;
  const int id = (int)document->id;
  event->id = id;
  if (id == events->faulty) return 0;
  if (id < 0 || id >= DOCUMENTS) fail(stream, "no document of the stream", id);
  const size_t length = stream->ends[id] - stream->starts[id];
  if (document->length != length ||
      memcmp(document->text, stream->text + stream->starts[id], length) != 0) {
    fail(stream, "another text", id);
  }
  if (line != stream->lines[id]) fail(stream, "another line", id);
  return 0;
}

static void read_stream(const struct stream *stream, struct choices *choices, bool is_whole,
                        struct events *events) {
  decant_options options = DECANT_OPTIONS_INIT;
  if (stream->has_elements) {
    options.elements_at = "/items";
  } else {
    options.framing = DECANT_DOCUMENTS;
  }
  if (is_whole) {
    decant_decode_lines(&record, stream->text, stream->length, note, events, &options, NULL);
    return;
  }
  decant_lines *lines;
  if (decant_lines_open(&record, &options, &lines, NULL) != DECANT_OK) abort();
  const size_t most = 1 + below(choices, 80);
  for (size_t at = 0, count; at < stream->length; at += count) {
    count = 1 + below(choices, most);
    if (count > stream->length - at) count = stream->length - at;
    // A block of its own, so that no byte behind it is read unnoticed.
    char *chunk = malloc(count);
    memcpy(chunk, stream->text + at, count);
    decant_lines_feed(lines, chunk, count, note, events, NULL);
    free(chunk);
  }
  decant_lines_finish(lines, note, events, NULL);
  decant_lines_close(lines);
}

void fuzz_recovery(const uint8_t *data, size_t size) {
  struct choices choices = {data, data + size, 88172645463325252u};
  struct stream *stream = calloc(1, sizeof *stream);
  struct events *whole = calloc(1, sizeof *whole), *chunks = calloc(1, sizeof *chunks);
  make_stream(stream, &choices);
  int faulty = (int)below(&choices, DOCUMENTS + 1);
  if (faulty == DOCUMENTS || !damage(stream, &choices, faulty)) faulty = -1;
  count_lines(stream);
  *whole = (struct events){.stream = stream, .faulty = faulty};
  *chunks = (struct events){.stream = stream, .faulty = faulty};
  read_stream(stream, &choices, true, whole);
  read_stream(stream, &choices, false, chunks);

  int seen[DOCUMENTS] = {0}, last = -1, lost = 0;
  for (int at = 0; at < whole->count; at++) {
    const int id = whole->list[at].id;
    if (id < 0) continue;
    seen[id]++;
    if (id != faulty && id <= last) fail(stream, "not in order, or twice", id);
    if (id != faulty) last = id;
  }
  for (int id = 0; id < DOCUMENTS; id++) lost += id != faulty && seen[id] == 0;
  if (lost > (faulty >= 0)) {
    print("as a whole", whole);
    fail(stream, "documents are lost behind the fault in this one", faulty);
  }
  if (whole->count != chunks->count ||
      memcmp(whole->list, chunks->list, (size_t)whole->count * sizeof *whole->list) != 0) {
    print("as a whole", whole);
    print("in chunks", chunks);
    fail(stream, "the chunks tell something else", faulty);
  }
  free(stream);
  free(whole);
  free(chunks);
}
