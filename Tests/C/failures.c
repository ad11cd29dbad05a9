/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Every allocation fails in turn, once and from then on, cold and warm: each call ends with a status or a
 * right answer, nothing leaks, and out is as it was. The allocator is this program's own, which counts: in
 * the place of malloc, and as the options' memory. With AddressSanitizer, which has a malloc of its own, and
 * in WebAssembly only the latter. There are no threads in WebAssembly, so that no call is cold but the first.
 */
#include "check.h"
#include "everything.h"

#include <errno.h>
#include <stdlib.h>
#ifndef __wasm__
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ONLY_OPTIONS
#endif
#endif
#ifdef __wasm__
#define ONLY_OPTIONS
#endif

static long until_failure = -1; /* how many allocations succeed; -1: all */
static bool fails_on;           /* all that follow fail too */
static long blocks;

static bool fails(void) {
  if (until_failure < 0) return false;
  if (until_failure > 0) {
    until_failure--;
    return false;
  }
  if (!fails_on) until_failure = -1;
  errno = ENOMEM;
  return true;
}

#ifdef ONLY_OPTIONS
#define system_malloc malloc
#define system_free free
#else
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);
#define system_malloc __libc_malloc
#define system_free __libc_free

static bool counts_malloc; /* else the options' memory is what fails */

/* The library has to find them, however the program is compiled. */
#pragma GCC visibility push(default)
void *malloc(size_t size) {
  if (counts_malloc && fails()) return NULL;
  blocks++;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  if (counts_malloc && fails()) return NULL;
  blocks++;
  return __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
  if (counts_malloc && fails()) return NULL;
  if (block == NULL) blocks++;
  return __libc_realloc(block, size);
}
void free(void *block) {
  if (block != NULL) blocks--;
  __libc_free(block);
}
#pragma GCC visibility pop
#endif

static void *take(void *state, size_t size) {
  (void)state;
  if (fails()) return NULL;
  blocks++;
  return system_malloc(size);
}
static void give(void *state, void *block, size_t size) {
  (void)state;
  (void)size;
  blocks--;
  system_free(block);
}
static const decant_memory memory = {take, give, NULL};

/* Documents, and what they should come to. */
static char large_json[1 << 16], lines_json[1 << 16], wide_json[1 << 16];
static const char wrong_json[] = "{\"flag\":1,\"i8\":999,\"map\":{\"a\":[]},\"names\":[1,2,3]}";
static const char small_json[] = "{\"id\":1,\"name\":\"Cool User\",\"email\":\"u.cool@example.com\"}";

/* One call, or a few; the options are NULL where malloc fails. */
typedef decant_status attempt_function(const char *json, size_t length, const decant_options *options,
                                       decant_error *error);

static bool is_right(const struct everything *out) {
  return out->i32 == 100 && out->map_count >= 2 && strcmp(out->city, "Ulm") == 0;
}

static decant_status attempt_record(const char *json, size_t length, const decant_options *options,
                                    decant_error *error) {
  struct everything out, before;
  memset(&out, 0xAA, sizeof out);
  memcpy(&before, &out, sizeof out);
  const decant_status status =
      options ? decant_decode_with(&everything_record, json, length, &out, options, error)
              : decant_decode(&everything_record, json, length, &out, error);
  if (status == DECANT_OK) {
    if (!is_right(&out)) check(false, "a right answer");
    decant_free_with(&everything_record, &out, options);
  } else if (memcmp(&out, &before, sizeof out) != 0) {
    check(false, "out is untouched");
  }
  return status;
}

struct user { int64_t id; const char *name, *email; void *storage; };
static const decant_field user_fields[] = {
    {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct user, id)},
    {.key = "name", .kind = DECANT_STRING, .offset = offsetof(struct user, name)},
    {.key = "email", .kind = DECANT_STRING, .offset = offsetof(struct user, email)}};
static const decant_record user_record = {
    .size = sizeof(struct user), .fields = user_fields,
    .field_count = 3, .storage_offset = offsetof(struct user, storage)};

static bool is_user(const struct user *user) {
  return user->id == 1 && strcmp(user->name, "Cool User") == 0 &&
         strcmp(user->email, "u.cool@example.com") == 0;
}

static decant_status attempt_user(const char *json, size_t length, const decant_options *options,
                                  decant_error *error) {
  struct user out = {7, "x", "y", &out}, before = out;
  const decant_status status = options ? decant_decode_with(&user_record, json, length, &out, options, error)
                                       : decant_decode(&user_record, json, length, &out, error);
  if (status == DECANT_OK) {
    if (!is_user(&out)) check(false, "a right answer");
    decant_free_with(&user_record, &out, options);
  } else if (memcmp(&out, &before, sizeof out) != 0) {
    check(false, "out is untouched");
  }
  return status;
}

/* Members of the program's own making, of no field's, and of several cases; and the text of them all. */
struct size { uint32_t bytes; };
static bool size_from(void *context, const char *value, size_t length, void *member, char message[256]) {
  (void)context, (void)value, (void)message;
  ((struct size *)member)->bytes = (uint32_t)length;
  return length > 0;
}
static bool size_to(void *context, const void *member, char *value, size_t capacity, size_t *length, char message[256]) {
  (void)context, (void)message;
  *length = ((const struct size *)member)->bytes;
  if (*length <= capacity) memset(value, 's', *length);
  return true;
}
static const decant_conversion size_conversion = {size_from, size_to, NULL, 1, 0};
struct other { const char *key; struct size size; };
static const decant_field other_fields[] = {
    {.kind = DECANT_KEY, .offset = offsetof(struct other, key)},
    {.key = "size", .kind = DECANT_CONVERTED, .flags = DECANT_OPTIONAL | DECANT_EMBEDDED, .extent = sizeof(struct size),
     .offset = offsetof(struct other, size), .conversion = &size_conversion}};
static const decant_record other_record = {.size = sizeof(struct other), .fields = other_fields, .field_count = 2};
struct parts {
  struct size size;
  int32_t type;
  struct point point; /* a union of one case */
  struct size *sizes;
  size_t size_count;
  struct other *others;
  size_t other_count;
  void *storage;
};
static const decant_name part_types[] = {{"point", 1}, {NULL, 0}};
static const decant_record *const part_cases[] = {&point_record};
static const decant_field part_fields[] = {
    {.key = "size", .kind = DECANT_CONVERTED, .extent = sizeof(struct size), .offset = offsetof(struct parts, size),
     .conversion = &size_conversion},
    {.key = "type", .kind = DECANT_UNION, .names = part_types, .records = part_cases, .extent = sizeof(struct point),
     .offset = offsetof(struct parts, point), .length_offset = offsetof(struct parts, type), .length_kind = DECANT_INT32},
    {.key = "sizes", .kind = DECANT_ARRAY, .element = DECANT_CONVERTED, .extent = sizeof(struct size),
     .flags = DECANT_LEAVE_OUT, .offset = offsetof(struct parts, sizes), .length_offset = offsetof(struct parts, size_count),
     .conversion = &size_conversion},
    {.kind = DECANT_MAP, .flags = DECANT_REST | DECANT_LEAVE_OUT, .record = &other_record,
     .offset = offsetof(struct parts, others), .length_offset = offsetof(struct parts, other_count)}};
static const decant_record parts_record = {
    .size = sizeof(struct parts), .fields = part_fields, .field_count = 4, .storage_offset = offsetof(struct parts, storage),
    .flags = DECANT_ANY_CASE};
static char parts_json[1 << 17];

static decant_status count_text(void *context, const char *text, size_t length) {
  (void)text;
  *(size_t *)context += length;
  return DECANT_OK;
}

static decant_status attempt_parts(const char *json, size_t length, const decant_options *options, decant_error *error) {
  struct parts out, before;
  memset(&out, 0xAA, sizeof out);
  memcpy(&before, &out, sizeof out);
  decant_status status = decant_decode_with(&parts_record, json, length, &out, options, error);
  if (status != DECANT_OK) {
    if (memcmp(&out, &before, sizeof out) != 0) check(false, "out is untouched");
    return status;
  }
  if (out.size.bytes != 3000 || out.type != 1 || out.point.y != 2 || out.size_count != 2 || out.other_count != 1500)
    check(false, "a right answer");
  char *text = NULL;
  size_t text_length = 0, to_function = 0;
  status = decant_encode_text(&parts_record, &out, options, &text, &text_length, error);
  if (status == DECANT_OK) {
    status = decant_encode_to(&parts_record, &out, count_text, &to_function, options, error);
    if (status == DECANT_OK && to_function != text_length) check(false, "the same text");
    decant_text_free(text, options);
  }
  decant_free_with(&parts_record, &out, options);
  return status;
}

static size_t make_parts(void) {
  char *end = parts_json + sprintf(parts_json, "{\"X\":1,\"y\":2,\"sizes\":[\"a\",7,\"\",\"\\u0061b\"],\"S\\u0069ze\":\"");
  memset(end, 's', 3000);
  end += 3000;
  end += sprintf(end, "\",\"type\":\"po\\u0069nt\"");
  for (int at = 0; at < 1500; at++)
    end += sprintf(end, at % 500 ? ",\"k%d\":{}" : ",\"k%d\":{\"size\":\"\\\"abc\\\"\"}", at);
  end += sprintf(end, ",\"left out\":7,\"x\":1}");
  return (size_t)(end - parts_json);
}

static decant_status attempt_array(const char *json, size_t length, const decant_options *options,
                                   decant_error *error) {
  decant_array out = {&out, 7, NULL};
  const decant_status status =
      decant_decode_array(&point_record, "/points", json, length, &out, options, error);
  if (status == DECANT_OK) {
    if (out.count == 0 || ((struct point *)out.items)[0].x != 1) check(false, "a right answer");
    decant_array_free(&out, options);
  } else if (out.items != &out || out.count != 7 || out.storage != NULL) {
    check(false, "out is untouched");
  }
  return status;
}

#if !defined(ONLY_OPTIONS) && !defined(WITHOUT_JANSSON)
#define HAS_JANSSON
static char long_key[2001], long_json[2100];

/* Errors of the second engine, which tells two values of null apart by their paths, however long. */
static decant_status attempt_long_paths(const char *json, size_t length, const decant_options *options,
                                        decant_error *error) {
  decant_options jansson = DECANT_OPTIONS_INIT;
  jansson.engine = DECANT_JANSSON;
  struct point out;
  (void)options;
  const decant_field field = {.key = long_key, .kind = DECANT_RECORD, .record = &point_record};
  const decant_record record = {.size = sizeof out, .fields = &field, .field_count = 1};
  return decant_decode_with(&record, json, length, &out, &jansson, error);
}
#endif

struct tally { long right, short_of_memory; };

static int take_line(void *context, int64_t line, const void *value, const decant_error *error) {
  struct tally *tally = context;
  (void)line;
  if (value != NULL && is_user(value)) tally->right++;
  if (error != NULL && error->code == DECANT_OUT_OF_MEMORY) tally->short_of_memory++;
  return 0;
}

/* A line that fails does not end the stream. */
static decant_status attempt_lines(const char *json, size_t length, const decant_options *options,
                                   decant_error *error) {
  struct tally tally = {0, 0};
  const decant_status status =
      decant_decode_lines(&user_record, json, length, take_line, &tally, options, error);
  if (status != DECANT_OK) return status;
  if (tally.right + tally.short_of_memory != 20) check(false, "every line is handed out");
  return tally.short_of_memory == 0 ? DECANT_OK : DECANT_OUT_OF_MEMORY;
}

/* A document, walked through and looked into until its object has a directory, and a part of it. */
static decant_status attempt_document(const char *json, size_t length, const decant_options *options,
                                      decant_error *error) {
  decant_document *document = NULL;
  decant_status status = decant_parse(json, length, options, &document, error);
  if (status != DECANT_OK) {
    if (document != NULL) check(false, "out is untouched");
    return status;
  }
  const decant_value wide = decant_get(decant_root(document), "wide");
  long members = 0;
  for (decant_iterator iterator = decant_iterate(wide); decant_next(&iterator);) members++;
  for (long at = members; at-- > 0;) {
    char key[32];
    int64_t value = -1;
    sprintf(key, "k%ld", at);
    if (decant_get_int64(decant_get(wide, key), &value) != DECANT_OK || value != at) {
      check(false, "every key is found");
    }
  }
  struct user out = {7, "x", "y", &out}, before = out;
  status = decant_decode_value(&user_record, decant_at(decant_root(document), "/user"), &out, options, error);
  if (status == DECANT_OK) {
    if (!is_user(&out)) check(false, "a right answer");
    decant_free_with(&user_record, &out, options);
  } else if (memcmp(&out, &before, sizeof out) != 0) {
    check(false, "out is untouched");
  }
  decant_document_free(document);
  return status;
}

/* A sweep's place: the call, and the allocation that fails. */
struct run {
  const char *name;
  attempt_function *attempt;
  const char *json;
  size_t length;
  decant_status expected;
  const decant_options *options;
  bool on, warm;
  long at;
  bool has_failed;
};

static void *run_once(void *context) {
  struct run *run = context;
  decant_error error = DECANT_ERROR_INIT;
  if (run->warm) run->attempt(run->json, run->length, run->options, NULL);
  const long before = blocks;
  fails_on = run->on;
  until_failure = run->at;
  const decant_status status = run->attempt(run->json, run->length, run->options, &error);
  run->has_failed = until_failure < 0 || (run->on && until_failure == 0);
  until_failure = -1;
  if (status != run->expected && status != DECANT_OUT_OF_MEMORY) {
    printf("%s: allocation %ld: %s\n", run->name, run->at, error.message);
    check(false, "out of memory is what it says");
  }
  /* The thread keeps one block for its next document. */
  if (blocks > before + (run->options == NULL)) check(false, "nothing leaks");
  if (!run->has_failed) check(status == run->expected, "without a failure, the right answer");
  return NULL;
}

/* A thread of its own is cold: it keeps nothing of documents before. */
static void run_cold(struct run *run) {
#ifdef __wasm__
  run_once(run);
#else
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_once, run) != 0 || pthread_join(thread, NULL) != 0) {
    check(false, "a thread");
  }
#endif
}

static void sweep_with(struct run run) {
  long runs = 0;
  for (int way = 0; way < 4; way++) {
    run.on = way & 1;
    run.warm = way & 2;
    for (run.at = 0, run.has_failed = true; run.has_failed; run.at++, runs++) {
      if (run.warm) {
        run_once(&run);
      } else {
        run_cold(&run);
      }
      if (run.at > 1000) check(false, "there is an end to the allocations");
    }
  }
  printf("%s, %s: %ld failures\n", run.name, run.options ? "the options' memory" : "malloc", runs - 4);
}

#ifndef ONLY_OPTIONS
static void sweep_malloc(const char *name, attempt_function *attempt, const char *json, size_t length,
                         decant_status expected) {
  counts_malloc = true;
  sweep_with((struct run){name, attempt, json, length, expected, NULL, false, false, 0, false});
  counts_malloc = false;
}
#endif

static void sweep(const char *name, attempt_function *attempt, const char *json, size_t length,
                  decant_status expected) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.memory = &memory;
  sweep_with((struct run){name, attempt, json, length, expected, &options, false, false, 0, false});
#ifndef ONLY_OPTIONS
  sweep_malloc(name, attempt, json, length, expected);
#endif
}

/* everything_json with a map, arrays and strings that are too large for the stack. */
static size_t make_large(void) {
  size_t length = (size_t)sprintf(large_json, "%.*s,\"pad\":[", (int)sizeof everything_json - 2,
                                  everything_json);
  for (int at = 0; at < 2000; at++) {
    length += (size_t)sprintf(large_json + length, "%s\"%d\"", at ? "," : "", at);
  }
  length += (size_t)sprintf(large_json + length, "]}");
  char *map = strstr(large_json, "\"one\":1");
  char tail[1 << 15];
  memcpy(tail, map, length - (size_t)(map - large_json) + 1);
  size_t place = (size_t)(map - large_json);
  for (int at = 0; at < 1500; at++) {
    place += (size_t)sprintf(large_json + place, "\"k%d\":%d,", at, at);
  }
  strcpy(large_json + place, tail);
  return strlen(large_json);
}

/* Twenty users, a line each; the last two need the heap for their index. */
static size_t make_lines(void) {
  size_t length = 0;
  for (int at = 0; at < 20; at++) {
    length += (size_t)sprintf(lines_json + length, "%.*s", (int)sizeof small_json - 2, small_json);
    if (at >= 18) {
      length += (size_t)sprintf(lines_json + length, ",\"pad\":[0");
      for (int pad = 0; pad < 300; pad++) length += (size_t)sprintf(lines_json + length, ",%d", pad);
      length += (size_t)sprintf(lines_json + length, "]");
    }
    length += (size_t)sprintf(lines_json + length, "}\n");
  }
  return length;
}

static size_t make_wide(void) {
  size_t length = (size_t)sprintf(wide_json, "{\"user\":%s,\"wide\":{", small_json);
  for (int at = 0; at < 2000; at++) {
    length += (size_t)sprintf(wide_json + length, "%s\"k%d\":%d", at ? "," : "", at, at);
  }
  return length + (size_t)sprintf(wide_json + length, "}}");
}

#ifndef ONLY_OPTIONS
/* Numbers alone: nothing to keep. */
struct numbers { int8_t least; int32_t count; double ratio; };
static const decant_field numbers_fields[] = {
    {.key = "least", .kind = DECANT_INT8, .offset = offsetof(struct numbers, least)},
    {.key = "itemCount", .kind = DECANT_INT32, .offset = offsetof(struct numbers, count)},
    {.key = "ratio", .kind = DECANT_DOUBLE, .offset = offsetof(struct numbers, ratio)}};
static const decant_record numbers_record = {
    .size = sizeof(struct numbers), .fields = numbers_fields, .field_count = 3};

/* An error needs no memory, and nothing that an earlier call prepared: so in a process of its own. */
static void check_cold(const char *json, size_t length) {
  const pid_t child = fork();
  if (child == 0) {
    struct numbers out;
    decant_error cold = DECANT_ERROR_INIT, warm = DECANT_ERROR_INIT;
    counts_malloc = fails_on = true;
    until_failure = 0;
    const decant_status status = decant_decode(&numbers_record, json, length, &out, &cold);
    until_failure = -1;
    counts_malloc = false;
    decant_decode(&numbers_record, json, length, &out, &warm);
    _exit(status == DECANT_OK || memcmp(&cold, &warm, sizeof cold) != 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) printf("  %s\n", json);
  check(status == 0, "the same error without memory, in a process that did nothing else");
}
#endif

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  const size_t length = make_large(), lines = make_lines(), wide = make_wide(), parts = make_parts();
  decant_error error = DECANT_ERROR_INIT;
#ifndef ONLY_OPTIONS
  static const char *const refused[] = {
      "", "{", "{\"a\":tr", "{\"a\" 1}", "[01]", "[nul]", "[\"\\x\"]", "[\"\\ud800\"]", "[\"\xFF\"]",
      "[\"\t\"]", "1 2", "[1e400]", "\xEF\xBB\xBF{}", "[]",
      "{\"least\":300,\"item_count\":2,\"ratio\":\"\\u00e9 \\\"\"}",
      "{\"least\":1.5,\"itemCount\":true,\"ratio\":{}}"};
  for (size_t at = 0; at < sizeof refused / sizeof *refused; at++) {
    check_cold(refused[at], strlen(refused[at]));
  }
  /* The first call of the process, with no memory at all: nothing is prepared by an earlier one. */
  counts_malloc = fails_on = true;
  until_failure = 0;
  const decant_status first = attempt_user(small_json, sizeof small_json - 1, NULL, &error);
  until_failure = -1;
  counts_malloc = false;
  check(first == DECANT_OUT_OF_MEMORY, "out of memory from the first call on");
#endif
#ifndef ONLY_OPTIONS
  /* A record with parts is written without memory, as long as it has no more fields than others may have. */
  struct part { int8_t values[20]; } whole[3] = {{{1, 2, 3}}, {{4}}, {{5}}};
  static char keys[60][4];
  decant_field part[3][20];
  decant_record part_records[3];
  for (int at = 0; at < 60; at++) {
    sprintf(keys[at], "k%d", at);
    part[at / 20][at % 20] = (decant_field){.key = keys[at], .kind = DECANT_INT8, .offset = (uint32_t)(at % 20)};
    part_records[at / 20] = (decant_record){.size = 20, .fields = part[at / 20], .field_count = 20};
  }
  decant_field parts_of[3];
  for (uint32_t at = 0; at < 3; at++)
    parts_of[at] = (decant_field){
        .key = "", .kind = DECANT_RECORD, .flags = DECANT_POINTER, .record = &part_records[at], .offset = 20 * at};
  decant_record with_parts = {.size = 60, .fields = parts_of, .field_count = 3};
  char text[1024];
  size_t text_length;
  counts_malloc = fails_on = true;
  for (int count = 1; count <= 20; count++) {
    for (int at = 0; at < 3; at++) part_records[at].field_count = (size_t)count;
    until_failure = 0;
    const decant_status written = decant_encode(&with_parts, whole, text, sizeof text, &text_length, &error);
    until_failure = -1;
    if (written != DECANT_OK) check(false, error.message);
  }
  /* Of more fields, there is no memory to compare the keys. */
  static char many_keys[300][8];
  static decant_field many[300];
  for (uint32_t at = 0; at < 300; at++) {
    sprintf(many_keys[at], "k%u", at);
    many[at] = (decant_field){.key = many_keys[at], .kind = DECANT_INT8, .flags = DECANT_OPTIONAL, .offset = at};
  }
  static const char zeros[320];
  const decant_record wide_record = {.size = 300, .fields = many, .field_count = 300};
  parts_of[0].record = &wide_record;
  with_parts = (decant_record){.size = 320, .fields = parts_of, .field_count = 2};
  parts_of[1].offset = 300, part_records[1].field_count = 1, part[1][0].key = "other", part[1][0].offset = 0;
  for (int way = 0; way < 2; way++) {
    until_failure = 0;
    const decant_status written =
        decant_encode(way ? &with_parts : &wide_record, zeros, text, sizeof text, &text_length, &error);
    until_failure = -1;
    check(written == DECANT_OUT_OF_MEMORY, error.message);
  }
  counts_malloc = false;
#endif
  /* What is wrong with a document is told without memory. */
  decant_options options = DECANT_OPTIONS_INIT;
  options.memory = &memory;
  fails_on = true;
  until_failure = 0;
  const decant_status wrong = attempt_record(wrong_json, sizeof wrong_json - 1, &options, &error);
  until_failure = -1;
  check(wrong == DECANT_MULTIPLE, "what is wrong, without memory");
  sweep("fast", attempt_user, small_json, sizeof small_json - 1, DECANT_OK);
  /* From here on: libc keeps what the first thread took for those that follow. */
  const long at_start = blocks;
  sweep("small", attempt_record, everything_json, sizeof everything_json - 1, DECANT_OK);
  sweep("large", attempt_record, large_json, length, DECANT_OK);
  sweep("wrong", attempt_record, wrong_json, sizeof wrong_json - 1, DECANT_MULTIPLE);
  sweep("malformed", attempt_record, large_json, length - 1, DECANT_UNEXPECTED_END);
  sweep("array", attempt_array, large_json, length, DECANT_OK);
  sweep("parts", attempt_parts, parts_json, parts, DECANT_OK);
  sweep("lines", attempt_lines, lines_json, lines, DECANT_OK);
  sweep("document", attempt_document, wide_json, wide, DECANT_OK);
#ifdef HAS_JANSSON
  /* libjansson has its memory from malloc. */
  memset(long_key, 'k', sizeof long_key - 1);
  size_t long_length = (size_t)sprintf(long_json, "{\"%s\":null}", long_key);
  sweep_malloc("long paths", attempt_long_paths, long_json, long_length, DECANT_MISSING_KEY);
  long_json[long_length - 1] = ']';
  sweep_malloc("malformed, by libjansson", attempt_long_paths, long_json, long_length, DECANT_UNEXPECTED_BYTE);
#endif
  check(blocks <= at_start + 1, "nothing leaked in all");
  return check_end();
}
