// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender decant.c: C structs filled by decant_decode through tables. Strings and arrays are in the
// value's own block. Compiled once more, `run` makes it decant.c.embedded: a library with the Embedded one
// inside.

#include "DecantRecords.h"

#include <BenchmarkModels.h>
#include <decant.h>
#include <stdlib.h>

// MARK: - Models

// A list and its block.
struct owned_list {
  struct list list;
  void *storage;
};

struct tiny {
  int64_t id;
  const char *name;
  size_t name_length;
  const char *email;
  size_t email_length;
  void *storage;
};

// MARK: - Tables

#define KEY(text) .key = text, .key_length = sizeof text - 1
#define SCALAR(type, member, text, a_kind) \
  { KEY(text), .kind = a_kind, .offset = offsetof(type, member) }
#define OPTIONAL_TEXT(type, member, text) \
  { KEY(text), .kind = DECANT_TEXT, .flags = DECANT_OPTIONAL, .offset = offsetof(type, member) }
#define ARRAY(type, member, length, text, an_element, a_record)                               \
  {                                                                                           \
    KEY(text), .kind = DECANT_ARRAY, .element = an_element, .offset = offsetof(type, member), \
               .length_offset = offsetof(type, length), .record = a_record                    \
  }
#define SELF(type, member, length, an_element, a_record)                                          \
  {                                                                                               \
    .key = "", .flags = DECANT_POINTER, .kind = DECANT_ARRAY, .element = an_element,              \
    .offset = offsetof(type, member), .length_offset = offsetof(type, length), .record = a_record \
  }
#define RECORD(name, type, storage)                                                               \
  static const decant_record name = {.size = sizeof(type),                                        \
                                     .fields = name##_fields,                                     \
                                     .field_count = sizeof name##_fields / sizeof *name##_fields, \
                                     .storage_offset = storage}

static const decant_field tiny_fields[] = {
    SCALAR(struct tiny, id, "id", DECANT_INT64),
    {KEY("name"), .kind = DECANT_STRING, .offset = offsetof(struct tiny, name),
     .length_offset = offsetof(struct tiny, name_length)},
    {KEY("email"), .kind = DECANT_STRING, .offset = offsetof(struct tiny, email),
     .length_offset = offsetof(struct tiny, email_length)}};
RECORD(tiny, struct tiny, offsetof(struct tiny, storage));

static const decant_field user_fields[] = {SCALAR(struct user, id, "id", DECANT_INT64),
                                           SCALAR(struct user, name, "name", DECANT_TEXT),
                                           SCALAR(struct user, email, "email", DECANT_TEXT)};
RECORD(user, struct user, 0);
static const decant_field users_fields[] = {
    SELF(struct owned_list, list.items, list.count, DECANT_RECORD, &user)};
RECORD(users, struct owned_list, offsetof(struct owned_list, storage));

static const decant_field twitter_user_fields[] = {
    SCALAR(struct twitter_user, id, "id", DECANT_INT64),
    SCALAR(struct twitter_user, name, "name", DECANT_TEXT),
    SCALAR(struct twitter_user, screen_name, "screen_name", DECANT_TEXT),
    OPTIONAL_TEXT(struct twitter_user, description, "description"),
    SCALAR(struct twitter_user, followers_count, "followers_count", DECANT_INT64),
    SCALAR(struct twitter_user, verified, "verified", DECANT_BOOL)};
RECORD(twitter_user, struct twitter_user, 0);
static const decant_field status_fields[] = {
    SCALAR(struct status, created_at, "created_at", DECANT_TEXT),
    SCALAR(struct status, id, "id", DECANT_INT64),
    SCALAR(struct status, text, "text", DECANT_TEXT),
    SCALAR(struct status, retweet_count, "retweet_count", DECANT_INT64),
    SCALAR(struct status, favorited, "favorited", DECANT_BOOL),
    {KEY("in_reply_to_status_id"), .kind = DECANT_INT64, .flags = DECANT_OPTIONAL,
     .offset = offsetof(struct status, in_reply_to_status_id),
     .presence_offset = offsetof(struct status, is_reply)},
    {KEY("user"), .kind = DECANT_RECORD, .offset = offsetof(struct status, user),
     .record = &twitter_user}};
RECORD(status, struct status, 0);
static const decant_field twitter_fields[] = {
    ARRAY(struct owned_list, list.items, list.count, "statuses", DECANT_RECORD, &status)};
RECORD(twitter, struct owned_list, offsetof(struct owned_list, storage));

static const decant_field price_fields[] = {
    SCALAR(struct price, amount, "amount", DECANT_INT64),
    SCALAR(struct price, audience_sub_category_id, "audienceSubCategoryId", DECANT_INT64),
    SCALAR(struct price, seat_category_id, "seatCategoryId", DECANT_INT64)};
RECORD(price, struct price, 0);
static const decant_field area_fields[] = {
    SCALAR(struct area, area_id, "areaId", DECANT_INT64),
    ARRAY(struct area, block_ids, block_count, "blockIds", DECANT_INT64, NULL)};
RECORD(area, struct area, 0);
static const decant_field seat_category_fields[] = {
    ARRAY(struct seat_category, areas, area_count, "areas", DECANT_RECORD, &area),
    SCALAR(struct seat_category, seat_category_id, "seatCategoryId", DECANT_INT64)};
RECORD(seat_category, struct seat_category, 0);
static const decant_field performance_fields[] = {
    SCALAR(struct performance, event_id, "eventId", DECANT_INT64),
    SCALAR(struct performance, id, "id", DECANT_INT64),
    OPTIONAL_TEXT(struct performance, logo, "logo"),
    OPTIONAL_TEXT(struct performance, name, "name"),
    ARRAY(struct performance, prices, price_count, "prices", DECANT_RECORD, &price),
    ARRAY(struct performance, seat_categories, seat_category_count, "seatCategories", DECANT_RECORD,
          &seat_category),
    OPTIONAL_TEXT(struct performance, seat_map_image, "seatMapImage"),
    SCALAR(struct performance, start, "start", DECANT_INT64),
    SCALAR(struct performance, venue_code, "venueCode", DECANT_TEXT)};
RECORD(performance, struct performance, 0);
static const decant_field citm_fields[] = {
    ARRAY(struct owned_list, list.items, list.count, "performances", DECANT_RECORD, &performance)};
RECORD(citm, struct owned_list, offsetof(struct owned_list, storage));

static const decant_field point_fields[] = {
    SELF(struct point, numbers, count, DECANT_DOUBLE, NULL)};
RECORD(point, struct point, 0);
static const decant_field ring_fields[] = {SELF(struct ring, points, count, DECANT_RECORD, &point)};
RECORD(ring, struct ring, 0);
static const decant_field polygon_fields[] = {{.key = "/geometry/coordinates",
                                               .flags = DECANT_POINTER,
                                               .kind = DECANT_ARRAY,
                                               .element = DECANT_RECORD,
                                               .offset = offsetof(struct polygon, rings),
                                               .length_offset = offsetof(struct polygon, count),
                                               .record = &ring}};
RECORD(polygon, struct polygon, 0);
static const decant_field canada_fields[] = {
    ARRAY(struct owned_list, list.items, list.count, "features", DECANT_RECORD, &polygon)};
RECORD(canada, struct owned_list, offsetof(struct owned_list, storage));

// In the order of benchmark_work.
static const decant_record *const records[] = {&tiny, &twitter, &citm, &canada, &users};

// MARK: - The contender

union model {
  struct tiny tiny;
  struct owned_list owned;
};

static uint64_t sum_tiny(const struct tiny *tiny) {
  const struct user user = {
      tiny->id, {(char *)tiny->name, tiny->name_length}, {(char *)tiny->email, tiny->email_length}};
  return benchmark_sum_user(benchmark_sum_start, &user);
}

static int decode(benchmark_work work, const char *bytes, size_t length, size_t times,
                  void (*held)(void *context), void *context) {
  const decant_record *record = records[work];
  for (size_t i = 0; i < times; i++) {
    union model model;
    int status = decant_decode(record, bytes, length, &model, NULL);
    if (status) return status;
    benchmark_keep(&model);
    if (held) held(context);
    decant_free(record, &model);
  }
  return 0;
}

static int checksum(benchmark_work work, const char *bytes, size_t length, uint64_t *sum) {
  union model model;
  int status = decant_decode(records[work], bytes, length, &model, NULL);
  if (status) return status;
  *sum =
      work == BENCHMARK_TINY ? sum_tiny(&model.tiny) : benchmark_sum_list(work, &model.owned.list);
  decant_free(records[work], &model);
  return 0;
}

#ifndef CONTENDER
#define CONTENDER "decant.c"
#endif
const benchmark_contender decant_records_contender = {CONTENDER, decode, checksum};

// MARK: - The way back

struct decant_writer_model {
  union model model;
  struct user user;
  benchmark_work work;
};

struct decant_writer_model *decant_writer_model_open(benchmark_work work, const char *bytes,
                                                     size_t length) {
  struct decant_writer_model *made = calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  made->work = work;
  if (decant_decode(records[work], bytes, length, &made->model, NULL)) {
    free(made);
    return NULL;
  }
  const struct tiny *tiny = &made->model.tiny;
  if (work == BENCHMARK_TINY) {
    made->user = (struct user){tiny->id,
                               {(char *)tiny->name, tiny->name_length},
                               {(char *)tiny->email, tiny->email_length}};
  }
  return made;
}

const void *decant_writer_model_root(const struct decant_writer_model *model) {
  return model->work == BENCHMARK_TINY ? (const void *)&model->user : &model->model.owned.list;
}

void decant_writer_model_close(struct decant_writer_model *model) {
  decant_free(records[model->work], &model->model);
  free(model);
}

// The table, the struct, and a buffer that all texts share.
struct writer {
  const decant_record *record;
  const void *model;
  char *buffer;
  size_t capacity;
};

static void *open_writer(benchmark_work work, const void *model) {
  struct writer *writer = calloc(1, sizeof *writer);
  if (writer == NULL) return NULL;
  writer->record = work == BENCHMARK_TINY ? &user : records[work];
  writer->model = model;
  if (decant_encode(writer->record, model, NULL, 0, &writer->capacity, NULL) == DECANT_OK) {
    writer->buffer = malloc(writer->capacity);
  }
  return writer;
}

static const char *write_text(void *state, size_t times, size_t *length) {
  const struct writer *writer = state;
  for (size_t i = 0; i < times; i++) {
    if (decant_encode(writer->record, writer->model, writer->buffer, writer->capacity, length,
                      NULL)) {
      return NULL;
    }
    benchmark_keep(writer->buffer);
  }
  return writer->buffer;
}

static void close_writer(void *state) {
  free(((struct writer *)state)->buffer);
  free(state);
}

const benchmark_writer decant_records_writer = {"decant_encode", open_writer, write_text,
                                                close_writer};
