// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Structs through random tables. The input's last byte says how many of its last bytes make the tables,
// valid or not; the rest is the document:
//
//   { " a " : [ 1 ,  2 ] }  k0 k1 k2 …  n
//   document                tables      how many
//
// Whatever they are, nothing outside the struct is written, a failure leaves the struct as it was and has a
// text that ends, every way gives the same answer, and all memory goes back. The ways: the direct path, the
// general path with the caller's memory, a fixed buffer, a part of a document, arrays and lines, and memory that
// fails. A struct that was decoded is written, read and written again: the same struct, and the same text.

#define _DEFAULT_SOURCE
#include "FuzzTables.h"

#include <decant.h>

#include <stdlib.h>
#include <string.h>

static void require(int condition) {
  if (!condition) __builtin_trap();
}

// MARK: - Tables

enum { RECORDS = 3, FIELDS = 6, LARGEST = 480 };

struct tables {
  const char *document;
  size_t length;
  const uint8_t *next, *end;
  decant_record records[RECORDS];
  decant_field fields[RECORDS][FIELDS];
  decant_bounds bounds[RECORDS][FIELDS];
};

static uint8_t take(struct tables *tables) {
  return tables->next < tables->end ? *tables->next++ : 0;
}

static const decant_name names[] = {{"a", 1}, {"b", -2}, {"", 4}, {NULL, 0}};
static const int64_t defaults[8] = {0x0041424344454647, 1};
static const char *const keys[] = {"a",    "b",     "id", "name", "",     "/a",
                                   "/a/0", "/a~1b", "~",  "/~2",  "\xFF", "k"};

static void make_key(struct tables *tables, decant_field *field) {
  const uint8_t choice = take(tables);
  if (choice == 255) return;  // NULL
  if (choice < 224 || tables->length == 0) {
    field->key = keys[choice % (sizeof keys / sizeof *keys)];
    field->key_length = choice & 16 ? (uint32_t)strlen(field->key) : 0;
  } else {
    // Bytes of the document, whatever they are.
    const size_t start = take(tables) % tables->length;
    const size_t most = tables->length - start;
    field->key = tables->document + start;
    field->key_length = (uint32_t)(1 + choice % 8 < most ? 1 + choice % 8 : most);
  }
}

static size_t width_of(const struct tables *tables, const decant_field *field) {
  static const uint8_t widths[] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16,
                                   0, 4, 4, 8, 4, 0, 8, 8, 0, 8, 8, 8, 4};
  const uint16_t kind = field->kind == DECANT_FIXED_ARRAY ? field->element : field->kind;
  size_t width = kind < sizeof widths ? widths[kind] : 0;
  if (kind == DECANT_RECORD && field->record != NULL) width = field->record->size;
  if (field->kind == DECANT_CHARS) width = field->capacity;
  (void)tables;
  return field->kind == DECANT_FIXED_ARRAY ? width * field->capacity : width;
}

static size_t aligned(size_t offset) { return (offset + 7) & ~(size_t)7; }

static int holds_record(uint16_t kind) {
  return kind == DECANT_RECORD || kind == DECANT_RECORD_POINTER || kind == DECANT_MAP;
}

// From the last record to the first, so that sizes of those inside are known.
static void make_record(struct tables *tables, size_t index) {
  decant_record *record = &tables->records[index];
  size_t end = 0;
  record->fields = tables->fields[index];
  record->field_count = 1 + take(tables) % FIELDS;
  for (size_t at = 0; at < record->field_count; at++) {
    decant_field *field = &tables->fields[index][at];
    const uint8_t choice = take(tables), flags = take(tables), more = take(tables);
    make_key(tables, field);
    // Mostly tables that make sense; `odd` bytes make others.
    const int odd = more >= 248;
    field->kind = odd && more & 1 ? choice % 29 : 1 + choice % DECANT_MAP;
    if (index == RECORDS - 1 && at == 0 && choice & 1) field->kind = DECANT_KEY;
    field->element = odd ? more % 29 : 1 + more % DECANT_RECORD;
    field->flags = flags & (DECANT_OPTIONAL | DECANT_FROM_TEXT | DECANT_STATE);
    const int is_simple = field->kind <= DECANT_FLAGS && field->kind != DECANT_TEXT;
    if (odd || is_simple) field->flags |= flags & DECANT_DEFAULT;
    if (odd) field->flags |= flags & (DECANT_LENGTH_AT_ZERO | DECANT_PRESENCE_AT_ZERO);
    const int is_pointer = field->key != NULL && (field->key[0] == '/' || field->key_length == 0) &&
                           field->key != keys[9];
    if (odd || (is_pointer && (field->key[0] == '/' || field->key[0] == 0)))
      field->flags |= DECANT_POINTER;
    const uint16_t content = field->kind == DECANT_ARRAY || field->kind == DECANT_FIXED_ARRAY
                                 ? field->element
                                 : field->kind;
    if (odd) {
      field->capacity = flags % 2;
    } else if (field->kind == DECANT_CHARS || field->kind == DECANT_FIXED_ARRAY) {
      field->capacity = 1 + flags % 12;
    }
    if (!odd && content == field->kind) field->element = 0;
    // Those behind, so that no struct holds itself; or any.
    const size_t inner = odd || index == RECORDS - 1 ? more / 4 % RECORDS
                                                     : index + 1 + more / 4 % (RECORDS - 1 - index);
    if (more != 255 && (odd || holds_record(content))) field->record = &tables->records[inner];
    if (more != 254 && (odd || content == DECANT_ENUM || content == DECANT_FLAGS))
      field->names = names;
    if (more != 253 && (odd || field->flags & DECANT_DEFAULT)) field->default_value = defaults;
    if (flags & 128) {
      tables->bounds[index][at] =
          (decant_bounds){-(int64_t)more, choice, -1.5, more, flags % 4, flags % 4 + more % 16};
      field->bounds = &tables->bounds[index][at];
    }
    field->offset = (uint32_t)(end = aligned(end));
    end += width_of(tables, field);
    if (choice & 32 || field->kind == DECANT_ARRAY || field->kind == DECANT_MAP) {
      field->length_offset = (uint32_t)(end = aligned(end));
      end += sizeof(size_t);
    }
    if (choice & 64) field->presence_offset = (uint32_t)end++;
    if (!(choice & 64) && !odd) field->flags &= ~(uint32_t)DECANT_STATE;
    // Places that make no sense, or may not.
    if (more == 252) field->offset = take(tables) * 3u;
    if (more == 251) field->length_offset = UINT32_MAX - take(tables);
    if (more == 250) field->presence_offset = take(tables);
  }
  const uint8_t choice = take(tables);
  end = aligned(end);
  if (choice < 192) {
    record->storage_offset = end;
    end += sizeof(void *);
  } else if (choice & 1) {
    record->storage_offset = take(tables);
  }
  record->size = choice == 255 ? take(tables) : choice == 254 ? SIZE_MAX - choice : end;
  if (record->size > LARGEST && record->size < SIZE_MAX / 2) record->size = LARGEST;
}

// MARK: - What a struct says

static uint64_t mix(uint64_t sum, const void *bytes, size_t length) {
  for (size_t at = 0; at < length; at++)
    sum = (sum ^ ((const uint8_t *)bytes)[at]) * 0x100000001B3u;
  return sum ^ length;
}

static uint64_t mix_text(uint64_t sum, const char *text) {
  return text == NULL ? mix(sum, "?", 1) : mix(sum, text, strlen(text) + 1);
}

// Whether a record tells the kind of a value, and has defaults or numbers of texts: where both are about one value,
// what is written has another kind.
static int may_change_kinds(const decant_record *record) {
  int kinds = 0, changes = 0;
  for (size_t at = 0; at < record->field_count; at++) {
    kinds |= record->fields[at].kind == DECANT_KIND;
    changes |= record->fields[at].flags & (DECANT_DEFAULT | DECANT_FROM_TEXT);
  }
  return kinds && changes;
}

// With `all`, kinds count that may have changed.
static uint64_t digest(uint64_t sum, const decant_record *record, const char *value, int all);

static uint64_t digest_value(uint64_t sum, const decant_field *field, uint16_t kind,
                             const char *place, size_t width, int all) {
  decant_text text;
  const char *pointer;
  switch (kind) {
    case DECANT_STRING:
    case DECANT_RAW:
    case DECANT_KEY: memcpy(&pointer, place, sizeof pointer); return mix_text(sum, pointer);
    case DECANT_TEXT:
      memcpy(&text, place, sizeof text);
      require(text.bytes == NULL ? text.length == 0 : text.bytes[text.length] == 0);
      return text.bytes == NULL ? mix_text(sum, NULL) : mix(sum, text.bytes, text.length);
    case DECANT_RECORD: return digest(sum, field->record, place, all);
    // Behind a string's end, a default may have other bytes.
    case DECANT_CHARS: return mix(sum, place, strnlen(place, width));
    default: return mix(sum, place, width);
  }
}

static uint64_t digest(uint64_t sum, const decant_record *record, const char *value, int all) {
  const int skips_kinds = !all && may_change_kinds(record);
  for (size_t at = 0; at < record->field_count; at++) {
    const decant_field *field = &record->fields[at];
    if (field->kind == DECANT_KIND && skips_kinds) continue;
    const char *place = value + field->offset, *items;
    size_t count = 0;
    decant_field element = *field;
    element.kind = field->element;
    if (field->length_offset != 0 || field->flags & DECANT_LENGTH_AT_ZERO) {
      memcpy(&count, value + field->length_offset, sizeof count);
      sum = mix(sum, &count, sizeof count);
    }
    if (field->presence_offset != 0 || field->flags & DECANT_PRESENCE_AT_ZERO) {
      sum = mix(sum, value + field->presence_offset, 1);
    }
    const size_t width = width_of(NULL, &element);
    switch (field->kind) {
      case DECANT_ARRAY:
        memcpy(&items, place, sizeof items);
        require((items == NULL) == (count == 0));
        for (size_t item = 0; item < count; item++) {
          sum = digest_value(sum, field, field->element, items + item * width, width, all);
        }
        break;
      case DECANT_MAP:
        memcpy(&items, place, sizeof items);
        for (size_t item = 0; item < count; item++) {
          sum = digest(sum, field->record, items + item * field->record->size, all);
        }
        break;
      case DECANT_FIXED_ARRAY:
        for (size_t item = 0; item < field->capacity; item++) {
          sum = digest_value(sum, field, field->element, place + item * width, width, all);
        }
        break;
      case DECANT_RECORD_POINTER:
        memcpy(&items, place, sizeof items);
        sum = items == NULL ? mix_text(sum, NULL) : digest(sum, field->record, items, all);
        break;
      default: sum = digest_value(sum, field, field->kind, place, width_of(NULL, field), all);
    }
  }
  return sum;
}

// MARK: - There and back

// The text of a struct in a buffer of exactly its length, to be freed; NULL if the table can only be read.
static char *text_of(const decant_record *record, const void *value, size_t *length) {
  decant_error error = DECANT_ERROR_INIT;
  const decant_status status = decant_encode(record, value, NULL, 0, length, &error);
  if (status != DECANT_OK) {
    // Two fields of one value; members of a map without their keys.
    require(status == DECANT_DUPLICATE_KEY || status == DECANT_INVALID_RECORD);
    require(error.code == status && error.error_count == 1 && *length == 0);
    return NULL;
  }
  char *text = malloc(*length);
  size_t other = 0;
  require(text != NULL && decant_encode(record, value, text, *length, &other, &error) == DECANT_OK);
  require(other == *length);
  // Less is too little, and is the beginning of the same text.
  const size_t less = *length * 7 / 11;
  char *beginning = malloc(less + 1);
  require(decant_encode(record, value, beginning, less, &other, NULL) == DECANT_BUFFER_TOO_SMALL);
  require(other == *length && memcmp(beginning, text, less) == 0);
  free(beginning);
  return text;
}

static void require_round_trip(const struct tables *tables, const void *value) {
  const decant_record *record = tables->records;
  size_t length, other_length;
  char *text = text_of(record, value, &length);
  if (text == NULL) return;
  void *back = malloc(record->size);
  require(decant_decode(record, text, length, back, NULL) == DECANT_OK);
  require(digest(1, record, back, 0) == digest(1, record, value, 0));
  // The text is the same once more, and what it says is the same with all its kinds.
  char *other = text_of(record, back, &other_length);
  require(other != NULL && other_length == length && memcmp(text, other, length) == 0);
  free(other);
  const uint64_t expected = digest(1, record, back, 1);
  decant_free(record, back);
  require(decant_decode(record, text, length, back, NULL) == DECANT_OK);
  require(digest(1, record, back, 1) == expected);
  decant_free(record, back);
  free(back);
  free(text);
}

// MARK: - Ways

// Memory that is counted, and that fails when told.
struct meter {
  size_t taken;
  int until_failure;  // negative: never
};

static void *meter_take(void *state, size_t size) {
  struct meter *meter = state;
  if (meter->until_failure >= 0 && meter->until_failure-- == 0) return NULL;
  meter->taken += size;
  return malloc(size);
}

static void meter_give(void *state, void *block, size_t size) {
  ((struct meter *)state)->taken -= size;
  free(block);
}

struct answer {
  decant_status status;
  uint64_t digest;
  char message[1024];
};

enum way { PLAIN, MEMORY, BUFFER, PART };

static struct answer answer_of(const struct tables *tables, enum way way, int32_t duplicates,
                               struct meter *meter) {
  const decant_record *record = tables->records;
  const size_t size = record->size < LARGEST ? record->size : LARGEST;
  char *out = malloc(size + 1), *before = malloc(size + 1);
  memset(out, 0xA5, size + 1);
  memcpy(before, out, size + 1);
  char buffer[300];
  const decant_memory memory = {meter_take, meter_give, meter};
  decant_options options = DECANT_OPTIONS_INIT;
  options.duplicate_keys = duplicates;
  if (way == MEMORY || way == PART) options.memory = &memory;
  if (way == BUFFER) options.buffer = buffer, options.buffer_size = sizeof buffer;
  decant_error error = DECANT_ERROR_INIT;
  struct answer answer = {DECANT_OK, 0, ""};
  decant_document *document = NULL;
  if (way == PLAIN && duplicates == DECANT_KEEP_FIRST) {
    answer.status = decant_decode(record, tables->document, tables->length, out, &error);
  } else if (way == PART) {
    answer.status = decant_parse(tables->document, tables->length, &options, &document, &error);
    if (answer.status == DECANT_OK) {
      answer.status = decant_decode_value(record, decant_root(document), out, &options, &error);
    }
  } else {
    answer.status =
        decant_decode_with(record, tables->document, tables->length, out, &options, &error);
  }
  if (answer.status == DECANT_OK) {
    answer.digest = digest(1, record, out, 1);
    require(out[size] == before[size]);
    if (way == PLAIN && decant_record_check(record, NULL) == DECANT_OK) {
      require_round_trip(tables, out);
    }
    if (way != BUFFER) {
      options.memory == NULL ? decant_free(record, out) : decant_free_with(record, out, &options);
      options.memory == NULL ? decant_free(record, out) : decant_free_with(record, out, &options);
    }
  } else {
    require(memcmp(out, before, size + 1) == 0 && error.code == answer.status &&
            error.error_count > 0);
    require(memchr(error.path, 0, sizeof error.path) &&
            memchr(error.message, 0, sizeof error.message));
    strcpy(answer.message, error.message);
  }
  decant_document_free(document);
  require(meter->taken == 0);
  free(out);
  free(before);
  return answer;
}

static void require_same(const struct answer *one, const struct answer *other) {
  require(one->status == other->status && one->digest == other->digest);
  require(strcmp(one->message, other->message) == 0);
}

// What a stream hands out, in one number.
struct lines {
  const struct tables *tables;
  uint64_t digest;
};

static int take_line(void *context, int64_t line, const void *value, const decant_error *error) {
  struct lines *lines = context;
  require((value == NULL) != (error == NULL) && line > 0);
  uint64_t said = (uint64_t)line;
  if (value != NULL) {
    said = digest(said, lines->tables->records, value, 1);
  } else {
    for (const char *byte = error->message; *byte != 0; byte++) said = said * 31 + (uint8_t)*byte;
    said = said * 31 + (uint64_t)error->offset;
  }
  lines->digest = lines->digest * 31 + said;
  return line == 50;
}

// A stream in chunks says what it says as a whole. Each chunk is a block, so that no byte behind it is read.
static void decode_lines(const struct tables *tables) {
  struct lines whole = {tables, 1}, fed = {tables, 1};
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = DECANT_OPTIONS_INIT;
  options.framing = (int32_t)(tables->length / 13 % 3);
  options.skips_byte_order_mark = tables->length % 2 != 0;
  if (options.framing == DECANT_LINES && tables->length % 5 < 2) {
    options.elements_at = tables->length % 5 == 0 ? "" : "/a";
  }
  const decant_status status = decant_decode_lines(
      tables->records, tables->document, tables->length, take_line, &whole, &options, &error);
  decant_lines *lines = NULL;
  require(decant_lines_open(tables->records, &options, &lines, &error) == status);
  require((lines != NULL) == (status == DECANT_OK));
  if (lines == NULL) return;
  const size_t size = 1 + tables->length % 13;
  for (size_t at = 0; at < tables->length; at += size) {
    const size_t count = tables->length - at < size ? tables->length - at : size;
    char *chunk = malloc(count);
    memcpy(chunk, tables->document + at, count);
    require(decant_lines_feed(lines, chunk, count, take_line, &fed, &error) == DECANT_OK);
    free(chunk);
  }
  require(decant_lines_finish(lines, take_line, &fed, &error) == DECANT_OK);
  decant_lines_close(lines);
  require(fed.digest == whole.digest);
}

static void decode_many(const struct tables *tables) {
  decant_error error = DECANT_ERROR_INIT;
  decant_array array = {(void *)tables, 7, NULL};
  const char *pointer = keys[tables->length % 7];
  const decant_status status = decant_decode_array(tables->records, pointer, tables->document,
                                                   tables->length, &array, NULL, &error);
  if (status == DECANT_OK) {
    for (size_t at = 0; at < array.count; at++) {
      digest(1, tables->records, (char *)array.items + at * tables->records->size, 1);
    }
    decant_array_free(&array, NULL);
    decant_array_free(&array, NULL);
  } else {
    require(array.items == tables && array.count == 7 && array.storage == NULL);
  }
  decode_lines(tables);
}

// MARK: - Columns

struct counted {
  uint64_t rows, rejects;  // sums of their lines, and of as many large numbers
};

static int count_line(void *context, int64_t line, const void *value, const decant_error *error) {
  struct counted *counted = context;
  (void)error;
  *(value != NULL ? &counted->rows : &counted->rejects) += (uint64_t)line + (1u << 20);
  return 0;
}

// Whether what Arrow demands of an array holds, and a number that depends on all that is in it. Every buffer is read to
// its end, and nowhere else.
static uint64_t digest_array(uint64_t sum, const struct ArrowSchema *schema,
                             const struct ArrowArray *array) {
  const char *format = schema->format;
  const int64_t rows = array->length;
  require(array->release != NULL && array->offset == 0 && array->n_children == schema->n_children);
  require((array->dictionary != NULL) == (schema->dictionary != NULL));
  const uint8_t *bits = array->buffers[0];
  int64_t nulls = 0;
  for (int64_t row = 0; row < rows; row++) {
    const int is_null = bits != NULL && (bits[row / 8] >> row % 8 & 1) == 0;
    nulls += is_null;
    sum = sum * 3 + (uint64_t)is_null;
  }
  require(nulls == array->null_count);
  require(nulls == 0 || (schema->flags & ARROW_FLAG_NULLABLE) != 0);
  if (strcmp(format, "+s") == 0) {
    for (int64_t at = 0; at < array->n_children; at++) {
      require(array->children[at]->length == rows);
      sum = digest_array(sum, schema->children[at], array->children[at]);
    }
    return sum;
  }
  if (format[0] == '+' && format[1] == 'w') {
    require(array->children[0]->length == rows * atoll(format + 3));
    return digest_array(sum, schema->children[0], array->children[0]);
  }
  if (format[0] == '+') {
    const int32_t *ends = array->buffers[1];
    require(ends[0] == 0 && ends[rows] == array->children[0]->length);
    for (int64_t row = 0; row < rows; row++) require(ends[row] <= ends[row + 1]);
    sum = mix(sum, ends, 4 * ((size_t)rows + 1));
    return digest_array(sum, schema->children[0], array->children[0]);
  }
  if (format[0] == 'u') {
    const int32_t *ends = array->buffers[1];
    require(ends[0] == 0);
    for (int64_t row = 0; row < rows; row++) require(ends[row] <= ends[row + 1]);
    sum = mix(sum, ends, 4 * ((size_t)rows + 1));
    return mix(sum, array->buffers[2], (size_t)ends[rows]);
  }
  if (format[0] == 'v') {
    const int64_t *sizes = array->buffers[array->n_buffers - 1];
    for (int64_t row = 0; row < rows; row++) {
      int32_t view[4];
      memcpy(view, (const char *)array->buffers[1] + 16 * row, 16);
      if (view[0] <= 12) {
        sum = mix(sum, view, 16);
        continue;
      }
      require(view[2] >= 0 && view[2] < array->n_buffers - 3 && view[3] >= 0);
      require((int64_t)view[3] + view[0] <= sizes[view[2]]);
      const char *text = (const char *)array->buffers[2 + view[2]] + view[3];
      require(memcmp(text, &view[1], 4) == 0);
      sum = mix(sum, text, (size_t)view[0]);
    }
    return sum;
  }
  if (schema->dictionary != NULL) {
    sum = digest_array(sum, schema->dictionary, array->dictionary);
    for (int64_t row = 0; row < rows; row++) {
      const int32_t name = ((const int32_t *)array->buffers[1])[row];
      require(name >= 0 && name < array->dictionary->length);
    }
  }
  size_t width = strchr("cC", format[0])    ? 1
                 : strchr("sS", format[0])  ? 2
                 : strchr("iIf", format[0]) ? 4
                                            : 8;
  const size_t bytes = format[0] == 'b' ? ((size_t)rows + 7) / 8 : width * (size_t)rows;
  return bytes == 0 ? sum : mix(sum, array->buffers[1], bytes);
}

struct chunks {
  const char *json;
  size_t length, at, size;
};

static ptrdiff_t read_chunk(void *context, char *buffer, size_t capacity) {
  struct chunks *chunks = context;
  size_t count =
      chunks->length - chunks->at < chunks->size ? chunks->length - chunks->at : chunks->size;
  if (count > capacity) count = capacity;
  memcpy(buffer, chunks->json + chunks->at, count);
  chunks->at += count;
  return (ptrdiff_t)count;
}

// Reads both streams. What fails for memory is asked again.
static uint64_t drain(struct ArrowArrayStream *rows, struct ArrowArrayStream *rejects,
                      struct counted *counted, int rejects_first) {
  uint64_t digests[2] = {1, 1};
  for (int side = 0; side < 2; side++) {
    const int is_rows = side == rejects_first;
    struct ArrowArrayStream *stream = is_rows ? rows : rejects;
    struct ArrowSchema schema;
    struct ArrowArray batch;
    while (stream->get_schema(stream, &schema) != 0) {
    }
    for (;;) {
      while (stream->get_next(stream, &batch) != 0) {
      }
      if (batch.release == NULL) break;
      digests[is_rows] = digest_array(digests[is_rows], &schema, &batch);
      const int64_t *lines = batch.children[is_rows ? batch.n_children - 1 : 0]->buffers[1];
      for (int64_t row = 0; row < batch.length; row++)
        *(is_rows ? &counted->rows : &counted->rejects) += (uint64_t)lines[row] + (1u << 20);
      batch.release(&batch);
    }
    schema.release(&schema);
  }
  rows->release(rows);
  rejects->release(rejects);
  return digests[0] * 31 + digests[1];
}

// Columns have the lines that structs have, and reject those that structs do; whatever is read first, however it is cut,
// and wherever memory fails once.
static void read_columns(const struct tables *tables) {
  const decant_record *record = tables->records;
  decant_error error = DECANT_ERROR_INIT;
  struct counted lines = {0, 0};
  struct ArrowArrayStream rows, rejects;
  decant_options form = DECANT_OPTIONS_INIT;
  form.framing = (int32_t)(tables->length / 13 % 3);
  if (form.framing == DECANT_LINES && tables->length % 5 < 2) {
    form.elements_at = tables->length % 5 == 0 ? "" : "/a";
  }
  decant_options options = form;
  options.columns = DECANT_COLUMNS_LINE | (tables->length & 1 ? DECANT_COLUMNS_UTF8 : 0) |
                    (tables->length & 2 ? DECANT_COLUMNS_BORROW : 0);
  options.batch_rows = 1 + (int64_t)(tables->length % 5);
  const decant_status status = decant_read_arrow(record, tables->document, tables->length, &options,
                                                 &rows, &rejects, &error);
  if (status != DECANT_OK) {
    require(status == error.code && error.error_count == 1);
    return;
  }
  struct counted whole = {0, 0}, cut = {0, 0}, short_of_memory = {0, 0};
  const uint64_t expected = drain(&rows, &rejects, &whole, (tables->length & 4) != 0);
  if (decant_decode_lines(record, tables->document, tables->length, count_line, &lines, &form,
                          NULL) == DECANT_OK)
    require(lines.rows == whole.rows && lines.rejects == whole.rejects);
  if (!(options.columns & DECANT_COLUMNS_BORROW)) {
    struct chunks chunks = {tables->document, tables->length, 0, 1 + tables->length % 17};
    require(decant_read_arrow_from(record, read_chunk, &chunks, &options, &rows, &rejects, NULL) ==
            DECANT_OK);
    require(drain(&rows, &rejects, &cut, (tables->length & 4) == 0) == expected);
  }
  struct meter meter = {0, (int)(tables->length % 40)};
  const decant_memory memory = {meter_take, meter_give, &meter};
  options.memory = &memory;
  if (decant_read_arrow(record, tables->document, tables->length, &options, &rows, &rejects,
                        NULL) == DECANT_OK)
    require(drain(&rows, &rejects, &short_of_memory, 0) == expected);
  require(meter.taken == 0);
}

// A description of a description is the same, and both tables read the same columns.
static void describe(const struct tables *tables) {
  size_t length, again;
  if (decant_record_describe(tables->records, NULL, 0, &length, NULL) != DECANT_OK) return;
  char *text = malloc(length), *other = malloc(length);
  require(decant_record_describe(tables->records, text, length, &length, NULL) == DECANT_OK);
  decant_schema *schema;
  decant_error error = DECANT_ERROR_INIT;
  if (decant_schema_parse(text, length, NULL, &schema, &error) == DECANT_OK) {
    require(decant_record_describe(decant_schema_record(schema), other, length, &again, NULL) ==
            DECANT_OK);
    require(again == length && memcmp(text, other, length) == 0);
    decant_schema_free(schema);
  }
  // The document itself, as a description.
  if (decant_schema_parse(tables->document, tables->length, NULL, &schema, &error) == DECANT_OK) {
    require(decant_record_check(decant_schema_record(schema), NULL) == DECANT_OK);
    decant_schema_free(schema);
  }
  free(other);
  free(text);
}

void fuzz_tables(const uint8_t *data, size_t size) {
  const size_t count = size == 0 ? 0 : data[size - 1] < size - 1 ? data[size - 1] : size - 1;
  struct tables tables = {.document = (const char *)data,
                          .length = size == 0 ? 0 : size - 1 - count};
  tables.next = data + tables.length;
  tables.end = tables.next + count;
  for (size_t index = RECORDS; index-- > 0;) make_record(&tables, index);
  const int32_t duplicates = take(&tables) % 3;

  struct meter meter = {0, -1};
  decant_error error = DECANT_ERROR_INIT;
  const decant_status fault = decant_record_check(tables.records, &error);
  require(fault == DECANT_OK || fault == DECANT_INVALID_RECORD);
  const struct answer plain = answer_of(&tables, PLAIN, duplicates, &meter);
  // The check refuses what decoding refuses, and more.
  if (fault == DECANT_OK) require(plain.status != DECANT_INVALID_RECORD);
  const struct answer slow = answer_of(&tables, MEMORY, duplicates, &meter);
  require_same(&plain, &slow);
  const struct answer part = answer_of(&tables, PART, duplicates, &meter);
  // A part's document is read before the table is checked.
  if (fault == DECANT_OK && plain.status != DECANT_INVALID_RECORD) require_same(&plain, &part);
  const struct answer fixed = answer_of(&tables, BUFFER, duplicates, &meter);
  if (fixed.status == DECANT_OK && plain.status == DECANT_OK) require(fixed.digest == plain.digest);
  for (int at = 0; at < 4; at++) {
    meter.until_failure = at;
    const struct answer failing = answer_of(&tables, at % 2 ? PART : MEMORY, duplicates, &meter);
    meter.until_failure = -1;
    if (failing.status != DECANT_OUT_OF_MEMORY) require(failing.status == plain.status || at % 2);
  }
  if (fault == DECANT_OK) decode_many(&tables);
  read_columns(&tables);
  describe(&tables);
}
