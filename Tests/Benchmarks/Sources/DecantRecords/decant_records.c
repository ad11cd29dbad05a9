// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender decant.c: C structs filled by decant_decode through tables. Strings and arrays are in the
// value's own block. Compiled once more, `run` makes it decant.c.embedded: a library with the Embedded one
// inside.

#include "DecantRecords.h"

#include <decant.h>

// MARK: - Models

struct user {
  int64_t id;
  decant_text name, email;
};

struct twitter_user {
  int64_t id;
  decant_text name, screen_name, description;
  int64_t followers_count;
  bool verified;
};

struct status {
  decant_text created_at;
  int64_t id;
  decant_text text;
  int64_t retweet_count;
  bool favorited, is_reply;
  int64_t in_reply_to_status_id;
  struct twitter_user user;
};

struct price {
  int64_t amount, audience_sub_category_id, seat_category_id;
};

struct area {
  int64_t area_id;
  int64_t *block_ids;
  size_t block_count;
};

struct seat_category {
  struct area *areas;
  size_t area_count;
  int64_t seat_category_id;
};

struct performance {
  int64_t event_id, id;
  decant_text logo, name;
  struct price *prices;
  size_t price_count;
  struct seat_category *seat_categories;
  size_t seat_category_count;
  decant_text seat_map_image;
  int64_t start;
  decant_text venue_code;
};

struct point {
  double *numbers;
  size_t count;
};

struct ring {
  struct point *points;
  size_t count;
};

struct polygon {
  struct ring *rings;
  size_t count;
};

// The root of every work but tiny.
struct list {
  void *items;
  size_t count;
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
#define SCALAR(type, member, text, a_kind) {KEY(text), .kind = a_kind, .offset = offsetof(type, member)}
#define OPTIONAL_TEXT(type, member, text) \
  {KEY(text), .kind = DECANT_TEXT, .flags = DECANT_OPTIONAL, .offset = offsetof(type, member)}
#define ARRAY(type, member, length, text, an_element, a_record)                              \
  {KEY(text), .kind = DECANT_ARRAY, .element = an_element, .offset = offsetof(type, member), \
   .length_offset = offsetof(type, length), .record = a_record}
#define SELF(type, member, length, an_element, a_record)                                       \
  {.key = "", .flags = DECANT_POINTER, .kind = DECANT_ARRAY, .element = an_element,            \
   .offset = offsetof(type, member), .length_offset = offsetof(type, length), .record = a_record}
#define RECORD(name, type, storage) \
  static const decant_record name = {sizeof(type), name##_fields, sizeof name##_fields / sizeof *name##_fields, storage}

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
    SELF(struct list, items, count, DECANT_RECORD, &user)};
RECORD(users, struct list, offsetof(struct list, storage));

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
    ARRAY(struct list, items, count, "statuses", DECANT_RECORD, &status)};
RECORD(twitter, struct list, offsetof(struct list, storage));

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
    ARRAY(struct list, items, count, "performances", DECANT_RECORD, &performance)};
RECORD(citm, struct list, offsetof(struct list, storage));

static const decant_field point_fields[] = {SELF(struct point, numbers, count, DECANT_DOUBLE, NULL)};
RECORD(point, struct point, 0);
static const decant_field ring_fields[] = {SELF(struct ring, points, count, DECANT_RECORD, &point)};
RECORD(ring, struct ring, 0);
static const decant_field polygon_fields[] = {
    {.key = "/geometry/coordinates", .flags = DECANT_POINTER, .kind = DECANT_ARRAY,
     .element = DECANT_RECORD, .offset = offsetof(struct polygon, rings),
     .length_offset = offsetof(struct polygon, count), .record = &ring}};
RECORD(polygon, struct polygon, 0);
static const decant_field canada_fields[] = {
    ARRAY(struct list, items, count, "features", DECANT_RECORD, &polygon)};
RECORD(canada, struct list, offsetof(struct list, storage));

// In the order of benchmark_work.
static const decant_record *const records[] = {&tiny, &twitter, &citm, &canada, &users};

// MARK: - Checksums

static uint64_t sum_text(uint64_t sum, const decant_text *text) {
  return benchmark_sum_string(sum, text->bytes, text->length);
}

static uint64_t sum_text_or_null(uint64_t sum, const decant_text *text) {
  sum = benchmark_sum_word(sum, text->bytes != NULL);
  return text->bytes ? sum_text(sum, text) : sum;
}

static uint64_t sum_integer(uint64_t sum, int64_t integer) {
  return benchmark_sum_word(sum, (uint64_t)integer);
}

static uint64_t sum_tiny(uint64_t sum, const struct tiny *user) {
  sum = sum_integer(sum, user->id);
  sum = benchmark_sum_string(sum, user->name, user->name_length);
  return benchmark_sum_string(sum, user->email, user->email_length);
}

static uint64_t sum_user(uint64_t sum, const struct user *user) {
  sum = sum_integer(sum, user->id);
  sum = sum_text(sum, &user->name);
  return sum_text(sum, &user->email);
}

static uint64_t sum_status(uint64_t sum, const struct status *status) {
  sum = sum_text(sum, &status->created_at);
  sum = sum_integer(sum, status->id);
  sum = sum_text(sum, &status->text);
  sum = sum_integer(sum, status->retweet_count);
  sum = benchmark_sum_word(sum, status->favorited);
  sum = benchmark_sum_word(sum, status->is_reply);
  if (status->is_reply) sum = sum_integer(sum, status->in_reply_to_status_id);
  sum = sum_integer(sum, status->user.id);
  sum = sum_text(sum, &status->user.name);
  sum = sum_text(sum, &status->user.screen_name);
  sum = sum_text_or_null(sum, &status->user.description);
  sum = sum_integer(sum, status->user.followers_count);
  return benchmark_sum_word(sum, status->user.verified);
}

static uint64_t sum_area(uint64_t sum, const struct area *area) {
  sum = sum_integer(sum, area->area_id);
  sum = benchmark_sum_word(sum, area->block_count);
  for (size_t i = 0; i < area->block_count; i++) sum = sum_integer(sum, area->block_ids[i]);
  return sum;
}

static uint64_t sum_seat_category(uint64_t sum, const struct seat_category *category) {
  sum = benchmark_sum_word(sum, category->area_count);
  for (size_t i = 0; i < category->area_count; i++) sum = sum_area(sum, &category->areas[i]);
  return sum_integer(sum, category->seat_category_id);
}

static uint64_t sum_price(uint64_t sum, const struct price *price) {
  sum = sum_integer(sum, price->amount);
  sum = sum_integer(sum, price->audience_sub_category_id);
  return sum_integer(sum, price->seat_category_id);
}

static uint64_t sum_performance(uint64_t sum, const struct performance *performance) {
  sum = sum_integer(sum, performance->event_id);
  sum = sum_integer(sum, performance->id);
  sum = sum_text_or_null(sum, &performance->logo);
  sum = sum_text_or_null(sum, &performance->name);
  sum = benchmark_sum_word(sum, performance->price_count);
  for (size_t i = 0; i < performance->price_count; i++)
    sum = sum_price(sum, &performance->prices[i]);
  sum = benchmark_sum_word(sum, performance->seat_category_count);
  for (size_t i = 0; i < performance->seat_category_count; i++)
    sum = sum_seat_category(sum, &performance->seat_categories[i]);
  sum = sum_text_or_null(sum, &performance->seat_map_image);
  sum = sum_integer(sum, performance->start);
  return sum_text(sum, &performance->venue_code);
}

static uint64_t sum_ring(uint64_t sum, const struct ring *ring) {
  sum = benchmark_sum_word(sum, ring->count);
  for (size_t i = 0; i < ring->count; i++) {
    sum = benchmark_sum_word(sum, ring->points[i].count);
    for (size_t j = 0; j < ring->points[i].count; j++)
      sum = benchmark_sum_double(sum, ring->points[i].numbers[j]);
  }
  return sum;
}

static uint64_t sum_polygon(uint64_t sum, const struct polygon *polygon) {
  sum = benchmark_sum_word(sum, polygon->count);
  for (size_t i = 0; i < polygon->count; i++) sum = sum_ring(sum, &polygon->rings[i]);
  return sum;
}

static uint64_t sum_list(benchmark_work work, const struct list *list) {
  uint64_t sum = benchmark_sum_word(benchmark_sum_start, list->count);
  for (size_t i = 0; i < list->count; i++) {
    switch (work) {
      case BENCHMARK_TWITTER: sum = sum_status(sum, (struct status *)list->items + i); break;
      case BENCHMARK_CITM: sum = sum_performance(sum, (struct performance *)list->items + i); break;
      case BENCHMARK_CANADA: sum = sum_polygon(sum, (struct polygon *)list->items + i); break;
      default: sum = sum_user(sum, (struct user *)list->items + i);
    }
  }
  return sum;
}

// MARK: - The contender

union model {
  struct tiny tiny;
  struct list list;
};

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
  *sum = work == BENCHMARK_TINY ? sum_tiny(benchmark_sum_start, &model.tiny)
                                : sum_list(work, &model.list);
  decant_free(records[work], &model);
  return 0;
}

#ifndef CONTENDER
#define CONTENDER "decant.c"
#endif
const benchmark_contender decant_records_contender = {CONTENDER, decode, checksum};
