// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

#include "events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL(name, what) \
  { .key = #name, .kind = what, .offset = offsetof(struct small_event, name) }
static const decant_field small_fields[] = {
    SMALL(i, DECANT_INT64), SMALL(t, DECANT_INT64),  SMALL(k, DECANT_TEXT), SMALL(u, DECANT_INT64),
    SMALL(s, DECANT_TEXT),  SMALL(v, DECANT_DOUBLE), SMALL(o, DECANT_BOOL), SMALL(n, DECANT_INT64),
    SMALL(p, DECANT_TEXT),  SMALL(q, DECANT_INT64)};
const decant_record small_record = {.size = sizeof(struct small_event),
                                    .fields = small_fields,
                                    .field_count = 10,
                                    .storage_offset = offsetof(struct small_event, storage)};

static const decant_field user_fields[] = {
    {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct event_user, id)},
    {.key = "name", .kind = DECANT_TEXT, .offset = offsetof(struct event_user, name)}};
static const decant_record user_record = {
    .size = sizeof(struct event_user), .fields = user_fields, .field_count = 2};

#define LARGE(name, what) \
  { .key = #name, .kind = what, .offset = offsetof(struct large_event, name) }
static const decant_field large_fields[] = {
    LARGE(id, DECANT_INT64),
    LARGE(time, DECANT_TEXT),
    LARGE(kind, DECANT_TEXT),
    {.key = "user",
     .kind = DECANT_RECORD,
     .offset = offsetof(struct large_event, user),
     .record = &user_record},
    {.key = "tags",
     .kind = DECANT_ARRAY,
     .element = DECANT_TEXT,
     .offset = offsetof(struct large_event, tags),
     .length_offset = offsetof(struct large_event, tag_count)},
    {.key = "values",
     .kind = DECANT_ARRAY,
     .element = DECANT_DOUBLE,
     .offset = offsetof(struct large_event, values),
     .length_offset = offsetof(struct large_event, value_count)},
    LARGE(duration, DECANT_DOUBLE),
    LARGE(ok, DECANT_BOOL),
    LARGE(path, DECANT_TEXT),
    LARGE(message, DECANT_TEXT)};
const decant_record large_record = {.size = sizeof(struct large_event),
                                    .fields = large_fields,
                                    .field_count = 10,
                                    .storage_offset = offsetof(struct large_event, storage)};

static uint64_t state;

static size_t below(size_t limit) {  // splitmix64
  uint64_t word = state += 0x9E3779B97F4A7C15u;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
  return (size_t)((word ^ (word >> 31)) % limit);
}

static const char *const words[] = {"item",     "order",   "delivered", "to",     "the",
                                    "customer", "in",      "street",    "number", "which",
                                    "was",      "printed", "on",        "paper",  "retry",
                                    "of",       "request", "after",     "seconds"};
static const char *const others[] = {"caf\xC3\xA9", "\\\"blue\\\"", "\xE6\x9D\xB1\xE4\xBA\xAC",
                                     "a\\/b"};

static size_t add_small(char *to) {
  return (size_t)sprintf(
      to,
      "{\"i\":%zu,\"t\":%zu,\"k\":\"%c\",\"u\":%zu,\"s\":\"%.*s\",\"v\":%zu.%zu,\"o\":%s,\"n\":%zu,"
      "\"p\":\"\",\"q\":%zu}\n",
      below(1000), below(1000), (int)('a' + below(26)), below(10), (int)below(4), "abc", below(10),
      below(10), below(2) ? "true" : "false", below(10), below(10));
}

// One text in eight has words with escapes, or beyond ASCII.
static size_t add_text(char *to, size_t size) {
  const bool is_plain = below(8) != 0;
  size_t length = 0;
  while (length < size) {
    const char *word =
        is_plain || below(4) != 0 ? words[below(sizeof words / sizeof words[0])] : others[below(4)];
    length += (size_t)sprintf(to + length, "%s%s", length > 0 ? " " : "", word);
  }
  return length;
}

static size_t add_large(char *to, size_t tags, size_t values, size_t text) {
  size_t length = (size_t)sprintf(to,
                                  "{\"id\":%zu,\"time\":\"2026-%02zu-%02zuT%02zu:%02zu:%02zu.%"
                                  "03zuZ\",\"kind\":\"%s\",\"user\":{\"id\":%zu,"
                                  "\"name\":\"user%zu\"},\"tags\":[",
                                  below(1000000000), 1 + below(12), 1 + below(28), below(24),
                                  below(60), below(60), below(1000), below(2) ? "view" : "purchase",
                                  below(100000), below(100000));
  for (size_t tag = 0; tag < tags; tag++) {
    length += (size_t)sprintf(to + length, "%s\"tag%zu\"", tag > 0 ? "," : "", below(1000));
  }
  length += (size_t)sprintf(to + length, "],\"values\":[");
  for (size_t value = 0; value < values; value++) {
    length +=
        (size_t)sprintf(to + length, "%s%zu.%zu", value > 0 ? "," : "", below(10000), below(1000));
  }
  length += (size_t)sprintf(
      to + length,
      "],\"duration\":%zu.%03zu,\"ok\":%s,\"path\":\"/shops/%zu/items/%zu\",\"message\":\"",
      below(100), below(1000), below(2) ? "true" : "false", below(100), below(10000));
  length += add_text(to + length, text);
  length += (size_t)sprintf(to + length, "\"}\n");
  return length;
}

char *make_events(size_t size, size_t total, size_t *length) {
  char *events = malloc(total + 16384);
  if (events == NULL) return NULL;
  state = size;
  *length = 0;
  while (*length < total) {
    char *const to = events + *length;
    if (size < 100) {
      *length += add_small(to);
    } else if (size < 1000) {
      *length += add_large(to, 2 + below(4), 4 + below(4), 160 + below(100));
    } else {
      *length += add_large(to, 60 + below(40), 80 + below(80), 2800 + below(800));
    }
  }
  return events;
}

static uint64_t real_sum(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

uint64_t checksum_small(const struct small_event *event) {
  return (uint64_t)(event->i + 3 * event->t + 5 * event->u + 7 * event->n + 11 * event->q) +
         event->k.length + event->s.length + event->p.length + real_sum(event->v) + event->o;
}

uint64_t checksum_large(const struct large_event *event) {
  uint64_t sum = (uint64_t)(event->id + 3 * event->user.id) + event->time.length +
                 event->kind.length + event->user.name.length + event->path.length +
                 event->message.length + real_sum(event->duration) + event->ok;
  for (size_t tag = 0; tag < event->tag_count; tag++) sum += event->tags[tag].length;
  for (size_t value = 0; value < event->value_count; value++) sum += real_sum(event->values[value]);
  return sum;
}

static uint64_t text_sum(uint64_t sum, decant_text text) {
  for (size_t at = 0; at < text.length; at++) sum = sum * 33 + (unsigned char)text.bytes[at];
  return sum;
}

uint64_t text_sum_small(const struct small_event *event) {
  return text_sum(text_sum(text_sum(checksum_small(event), event->k), event->s), event->p);
}

uint64_t text_sum_large(const struct large_event *event) {
  uint64_t sum = text_sum(text_sum(checksum_large(event), event->time), event->kind);
  sum = text_sum(text_sum(text_sum(sum, event->user.name), event->path), event->message);
  for (size_t tag = 0; tag < event->tag_count; tag++) sum = text_sum(sum, event->tags[tag]);
  return sum;
}
