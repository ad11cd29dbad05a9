// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Messages of 120 to 3,400 bytes, read into C structs and written again (Messages/Message.swift).

#include "DecantRecords.h"

#include <decant.h>
#include <stdlib.h>

struct log_line {
  const char *time, *level, *message;
  int64_t milliseconds;
  void *storage;
};
struct delta {
  const char *role, *content;
};
struct choice {
  int64_t index;
  struct delta delta;
  const char *reason;
};
struct chunk {
  const char *id;
  int64_t created;
  const char *model;
  struct choice *choices;
  size_t choice_count;
  void *storage;
};
struct customer {
  int64_t id;
  const char *name, *email;
};
struct item {
  const char *sku;
  int64_t quantity;
  double price;
};
struct order {
  const char *id, *status, *created_at;
  double total;
  struct customer customer;
  struct item *items;
  size_t item_count;
  const char *notes;
  void *storage;
};
struct author {
  int64_t id;
  decant_text name, screen_name, description;
  int64_t followers;
  bool verified;
};
struct message_status {
  decant_text created_at;
  int64_t id;
  decant_text text;
  int64_t retweets;
  bool favorited, is_reply;
  int64_t reply;
  struct author user;
  void *storage;
};

#define ROW(type, member, text, a_kind) \
  { .key = text, .key_length = sizeof text - 1, .kind = a_kind, .offset = offsetof(type, member) }
#define MAYBE(type, member, text, a_kind)                                                 \
  {                                                                                       \
    .key = text, .key_length = sizeof text - 1, .kind = a_kind, .flags = DECANT_OPTIONAL, \
    .offset = offsetof(type, member)                                                      \
  }
#define PART(type, member, text, a_record)                             \
  {                                                                    \
    .key = text, .key_length = sizeof text - 1, .kind = DECANT_RECORD, \
    .offset = offsetof(type, member), .record = a_record               \
  }
#define PARTS(type, member, count, text, a_record)                                               \
  {                                                                                              \
    .key = text, .key_length = sizeof text - 1, .kind = DECANT_ARRAY, .element = DECANT_RECORD,  \
    .offset = offsetof(type, member), .length_offset = offsetof(type, count), .record = a_record \
  }
#define RECORD(name, type, storage)                                                               \
  static const decant_record name = {.size = sizeof(type),                                        \
                                     .fields = name##_fields,                                     \
                                     .field_count = sizeof name##_fields / sizeof *name##_fields, \
                                     .storage_offset = storage}

static const decant_field log_line_fields[] = {
    ROW(struct log_line, time, "time", DECANT_STRING),
    ROW(struct log_line, level, "level", DECANT_STRING),
    ROW(struct log_line, message, "msg", DECANT_STRING),
    ROW(struct log_line, milliseconds, "duration_ms", DECANT_INT64)};
RECORD(log_line, struct log_line, offsetof(struct log_line, storage));

static const decant_field delta_fields[] = {MAYBE(struct delta, role, "role", DECANT_STRING),
                                            MAYBE(struct delta, content, "content", DECANT_STRING)};
RECORD(delta, struct delta, 0);
static const decant_field choice_fields[] = {
    ROW(struct choice, index, "index", DECANT_INT64), PART(struct choice, delta, "delta", &delta),
    MAYBE(struct choice, reason, "finish_reason", DECANT_STRING)};
RECORD(choice, struct choice, 0);
static const decant_field chunk_fields[] = {
    ROW(struct chunk, id, "id", DECANT_STRING), ROW(struct chunk, created, "created", DECANT_INT64),
    ROW(struct chunk, model, "model", DECANT_STRING),
    PARTS(struct chunk, choices, choice_count, "choices", &choice)};
RECORD(chunk, struct chunk, offsetof(struct chunk, storage));

static const decant_field customer_fields[] = {ROW(struct customer, id, "id", DECANT_INT64),
                                               ROW(struct customer, name, "name", DECANT_STRING),
                                               ROW(struct customer, email, "email", DECANT_STRING)};
RECORD(customer, struct customer, 0);
static const decant_field item_fields[] = {ROW(struct item, sku, "sku", DECANT_STRING),
                                           ROW(struct item, quantity, "quantity", DECANT_INT64),
                                           ROW(struct item, price, "price", DECANT_DOUBLE)};
RECORD(item, struct item, 0);
static const decant_field order_fields[] = {
    ROW(struct order, id, "id", DECANT_STRING),
    ROW(struct order, status, "status", DECANT_STRING),
    ROW(struct order, created_at, "created_at", DECANT_STRING),
    ROW(struct order, total, "total", DECANT_DOUBLE),
    PART(struct order, customer, "customer", &customer),
    PARTS(struct order, items, item_count, "items", &item),
    MAYBE(struct order, notes, "notes", DECANT_STRING)};
RECORD(order, struct order, offsetof(struct order, storage));

static const decant_field author_fields[] = {
    ROW(struct author, id, "id", DECANT_INT64),
    ROW(struct author, name, "name", DECANT_TEXT),
    ROW(struct author, screen_name, "screen_name", DECANT_TEXT),
    MAYBE(struct author, description, "description", DECANT_TEXT),
    ROW(struct author, followers, "followers_count", DECANT_INT64),
    ROW(struct author, verified, "verified", DECANT_BOOL)};
RECORD(author, struct author, 0);
static const decant_field status_fields[] = {
    ROW(struct message_status, created_at, "created_at", DECANT_TEXT),
    ROW(struct message_status, id, "id", DECANT_INT64),
    ROW(struct message_status, text, "text", DECANT_TEXT),
    ROW(struct message_status, retweets, "retweet_count", DECANT_INT64),
    ROW(struct message_status, favorited, "favorited", DECANT_BOOL),
    {.key = "in_reply_to_status_id",
     .kind = DECANT_INT64,
     .flags = DECANT_OPTIONAL,
     .offset = offsetof(struct message_status, reply),
     .presence_offset = offsetof(struct message_status, is_reply)},
    PART(struct message_status, user, "user", &author)};
RECORD(status, struct message_status, offsetof(struct message_status, storage));

static const decant_record *const records[] = {&log_line, &chunk, &order, &status};

// The tables as they are, and prepared.
static const decant_record *tables[2][4];
static const decant_record *table(int number, bool prepares) {
  const decant_record **const table = &tables[prepares][number];
  if (*table == NULL) *table = records[number];
  if (prepares && *table == records[number]) decant_record_prepare(records[number], table, NULL);
  return *table;
}

union message {
  struct log_line log_line;
  struct chunk chunk;
  struct order order;
  struct message_status status;
};

struct message_state {
  union message model;
  const decant_record *record;
  char text[4096];
};

int message_read(int number, bool prepares, const uint8_t *bytes, size_t length) {
  union message model;
  const decant_record *const record = tables[prepares][number];
  const int result = decant_decode(record, (const char *)bytes, length, &model, NULL);
  if (result) return result;
  benchmark_keep(&model);
  decant_free(record, &model);
  return 0;
}

struct message_state *message_open(int number, bool prepares, const uint8_t *bytes, size_t length) {
  struct message_state *const state = calloc(1, sizeof *state);
  if (state == NULL) return NULL;
  state->record = table(number, prepares);
  if (decant_decode(state->record, (const char *)bytes, length, &state->model, NULL) == DECANT_OK)
    return state;
  free(state);
  return NULL;
}

const uint8_t *message_write(struct message_state *state, size_t *length) {
  const decant_status result =
      decant_encode(state->record, &state->model, state->text, sizeof state->text, length, NULL);
  benchmark_keep(state->text);
  return result == DECANT_OK ? (const uint8_t *)state->text : NULL;
}

void message_close(struct message_state *state) {
  decant_free(state->record, &state->model);
  free(state);
}
