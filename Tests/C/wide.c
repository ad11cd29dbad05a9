/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Objects with very many keys: whatever the order of the look-ups, eight times the keys take about eight
 * times as long, through documents, parts of them and tables; also when threads share the document, where there are
 * threads.
 */
#include "check.h"

#ifndef __wasm__
#include <pthread.h>
#endif
#include <stdlib.h>
#include <time.h>

enum { FEW = 12500, MANY = 8 * FEW, THREADS = 4 };

static char json[MANY * 24 + 16];
static decant_document *document;

/* {"k0":0,"k1":1,…} */
static size_t write_json(int keys) {
  size_t length = 0;
  for (int at = 0; at < keys; at++) {
    length += (size_t)sprintf(json + length, "%c\"k%d\":%d", at ? ',' : '{', at, at);
  }
  length += (size_t)sprintf(json + length, "}");
  return length;
}

static bool look_up(decant_value object, int number) {
  char key[16];
  int64_t value = -1;
  sprintf(key, "k%d", number);
  return decant_get_int64(decant_get(object, key), &value) == DECANT_OK && value == number;
}

/* Every key, the last one first; then a part of the document into a struct. */
static bool look_backwards(int keys) {
  struct pair { int64_t first, last; char *text; void *storage; } pair;
  char last[16];
  sprintf(last, "k%d", keys - 1);
  const decant_field fields[] = {
      {.key = last, .kind = DECANT_INT64, .offset = offsetof(struct pair, last)},
      {.key = "k0", .kind = DECANT_INT64, .offset = offsetof(struct pair, first)},
      {.key = "none", .kind = DECANT_STRING, .flags = DECANT_OPTIONAL,
       .offset = offsetof(struct pair, text)}};
  const decant_record record = {.size = sizeof pair, .fields = fields, .field_count = 3,
                                .storage_offset = offsetof(struct pair, storage)};
  const decant_value root = decant_root(document);
  bool fine = true;
  for (int at = keys; at-- > 0;) {
    if (!look_up(root, at)) fine = false;
    if (at % 50 != 0) continue;
    fine = decant_decode_value(&record, root, &pair, NULL, NULL) == DECANT_OK && fine;
    fine = pair.first == 0 && pair.last == keys - 1 && pair.text == NULL && fine;
    decant_free(&record, &pair);
  }
  return fine;
}

/* Processor time of the best of three. */
static double time_backwards(int keys, bool *fine) {
  double best = 1e9;
  for (int run = 0; run < 3; run++) {
    if (decant_parse(json, write_json(keys), NULL, &document, NULL) != DECANT_OK) {
      *fine = false;
      return best;
    }
    const clock_t start = clock();
    if (!look_backwards(keys)) *fine = false;
    const double time = (double)(clock() - start) / CLOCKS_PER_SEC;
    decant_document_free(document);
    if (time < best) best = time;
  }
  return best;
}

static void test_time(void) {
  bool fine = true;
  const double few = time_backwards(FEW, &fine);
  const double many = time_backwards(MANY, &fine);
  printf("%d keys backwards %.1f ms, %d keys %.1f ms\n", FEW, few * 1e3, MANY, many * 1e3);
  check(fine, "every key is found");
  /* 8 where the time is linear, but for the caches; 64 where it is quadratic. */
  check(many < 24 * few + 0.01, "time is about linear in the keys");
}

#ifndef __wasm__
static void *look_in_thread(void *unused) {
  (void)unused;
  return look_backwards(FEW) ? &document : NULL;
}

static void test_threads(void) {
  pthread_t threads[THREADS];
  if (!check(decant_parse(json, write_json(FEW), NULL, &document, NULL) == DECANT_OK, "it parses")) return;
  for (int at = 0; at < THREADS; at++) pthread_create(&threads[at], NULL, look_in_thread, NULL);
  for (int at = 0; at < THREADS; at++) {
    void *fine = NULL;
    pthread_join(threads[at], &fine);
    check(fine != NULL, "every thread finds every key");
  }
  decant_document_free(document);
}
#else
static void test_threads(void) {}
#endif

/* Memory of the caller's: what directories take goes back to where it came from. */
static size_t taken;
static void *take(void *state, size_t size) {
  (void)state;
  taken += size;
  return malloc(size);
}
static void give(void *state, void *block, size_t size) {
  (void)state;
  taken -= size;
  free(block);
}

static void test_memory(void) {
  const decant_memory memory = {take, give, NULL};
  decant_options options = DECANT_OPTIONS_INIT;
  options.memory = &memory;
  check(decant_parse(json, write_json(FEW), &options, &document, NULL) == DECANT_OK, "it parses");
  const size_t before = taken;
  for (int at = FEW; at-- > 0;) look_up(decant_root(document), at);
  check(taken > before, "directories are made of the caller's memory");
  decant_document_free(document);
  check(taken == 0, "all is given back");
}

/* A table of very many fields is written in a time that is about linear in them, and equal keys are found. */
enum { MANY_FIELDS = 8000, VERY_MANY_FIELDS = 64000 };

static double time_fields(int count, uint32_t flags, bool *fine) {
  static char keys[VERY_MANY_FIELDS][16];
  static decant_field fields[VERY_MANY_FIELDS];
  static int64_t values[VERY_MANY_FIELDS];
  for (int at = 0; at < count; at++) {
    sprintf(keys[at], "k%d", at);
    fields[at] = (decant_field){.key = keys[at], .kind = DECANT_INT64, .flags = flags, .offset = (uint32_t)at * 8};
  }
  const decant_record record = {.size = (size_t)count * 8, .fields = fields, .field_count = (size_t)count};
  double best = 1e9;
  for (int run = 0; run < 3; run++) {
    const clock_t start = clock();
    if (decant_encode(&record, values, NULL, 0, NULL, NULL) != DECANT_OK) *fine = false;
    const double time = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (time < best) best = time;
  }
  if (flags != 0) return best;
  fields[count - 1].key = keys[count / 2];
  if (decant_encode(&record, values, NULL, 0, NULL, NULL) != DECANT_DUPLICATE_KEY) *fine = false;
  return best;
}

static void test_fields(void) {
  bool fine = true;
  for (int count = 63; count < 67; count++) time_fields(count, 0, &fine);
  check(fine, "fields are written, and equal keys are found");
  if (has_fewer_rounds()) return;
  const double few = time_fields(MANY_FIELDS / 8, 0, &fine), many = time_fields(MANY_FIELDS, 0, &fine);
  check(fine, "of very many fields, too");
  check(many < 24 * few + 0.01, "writing is about linear in the fields");
  /* Fields that are absent, and so write nothing. */
  const double some = time_fields(MANY_FIELDS, DECANT_OPTIONAL, &fine);
  const double others = time_fields(VERY_MANY_FIELDS, DECANT_OPTIONAL, &fine);
  printf("%d absent fields %.1f ms, %d fields %.1f ms\n", MANY_FIELDS, some * 1e3, VERY_MANY_FIELDS, others * 1e3);
  check(fine, "absent fields, too");
  check(others < 24 * some + 0.01, "leaving fields out is about linear in them");
}

/* The same of pointers: fields of one object, of objects of their own, elements of an array, and fields of deep objects. */
typedef int pointer_writer(char *key, int at);
static int write_member(char *key, int at) { return sprintf(key, "/o/k%d", at); }
static int write_object(char *key, int at) { return sprintf(key, "/o%d/k", at); }
static int write_element(char *key, int at) { return sprintf(key, "/a/%d", at); }
static int write_deep(char *key, int at) {
  int length = 0;
  for (int level = 0; level < 20; level++) length += sprintf(key + length, "/%d", level < 19 ? at >> 4 & 7 : at);
  return length;
}

enum { POINTERS = 4000, MANY_POINTERS = 32000 };

static double time_pointers(int count, pointer_writer *write, bool is_even, bool *fine) {
  static char keys[MANY_POINTERS][64];
  static decant_field fields[MANY_POINTERS];
  static int64_t values[MANY_POINTERS];
  for (int at = 0; at < count; at++) {
    write(keys[at], at);
    const uint32_t flags = is_even ? DECANT_POINTER : DECANT_POINTER | DECANT_OPTIONAL;
    fields[at] = (decant_field){.key = keys[at], .kind = DECANT_INT64, .flags = flags, .offset = (uint32_t)at * 8};
    values[at] = is_even || at % 4 == 0 ? at + 1 : 0;
  }
  const decant_record record = {.size = (size_t)count * 8, .fields = fields, .field_count = (size_t)count};
  double best = 1e9;
  for (int run = 0; run < 3; run++) {
    const clock_t start = clock();
    if (decant_encode(&record, values, NULL, 0, NULL, NULL) != DECANT_OK) *fine = false;
    const double time = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (time < best) best = time;
  }
  /* Of fields that are absent, nothing is compared. */
  values[count - 1] = 1;
  fields[count - 1].key = keys[count / 2];
  if (decant_encode(&record, values, NULL, 0, NULL, NULL) != DECANT_DUPLICATE_KEY) *fine = false;
  return best;
}

static void test_pointers(void) {
  static pointer_writer *const writers[] = {write_member, write_object, write_element, write_deep};
  for (int at = 0; at < 8; at++) {
    bool fine = true;
    pointer_writer *const write = writers[at / 2];
    for (int count = 60; count < 68; count++) time_pointers(count, write, at % 2 == 0, &fine);
    check(fine, "pointers are written, and equal ones are found");
    if (has_fewer_rounds()) continue;
    const double few = time_pointers(POINTERS, write, at % 2 == 0, &fine);
    const double many = time_pointers(MANY_POINTERS, write, at % 2 == 0, &fine);
    printf("%d pointers %.1f ms, %d pointers %.1f ms\n", POINTERS, few * 1e3, MANY_POINTERS, many * 1e3);
    check(fine, "of very many pointers, too");
    check(many < 24 * few + 0.01, "writing is about linear in the pointers");
  }
}

int main(void) {
  if (!has_fewer_rounds()) test_time();
  test_fields();
  test_pointers();
  test_threads();
  test_memory();
  return check_end();
}
