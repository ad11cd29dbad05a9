// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Two rivals that write structs as text with libjansson: jansson.dumpb writes a tree that was built
// before; jansson.pack builds the tree each time, by json_pack, as a program does that has structs. Both
// write into a buffer that all texts share.

#include "RivalJansson.h"

#include <BenchmarkModels.h>
#include <jansson.h>
#include <stdlib.h>

// MARK: - Trees

static json_t *tree_of_text(const struct text *text) {
  return json_pack("s%", text->bytes, text->length);
}

// A member that is left out if its text is absent.
static void add_optional(json_t *object, const char *key, const struct text *text) {
  if (text->bytes != NULL) json_object_set_new(object, key, tree_of_text(text));
}

// An array of what `tree` makes of the elements.
static json_t *tree_of_all(const void *elements, size_t count, size_t size,
                           json_t *(*tree)(const void *element)) {
  json_t *array = json_array();
  for (size_t at = 0; at < count; at++) {
    json_array_append_new(array, tree((const char *)elements + at * size));
  }
  return array;
}

static json_t *tree_of_user(const void *element) {
  const struct user *user = element;
  return json_pack("{s:I, s:s%, s:s%}", "id", user->id, "name", user->name.bytes, user->name.length,
                   "email", user->email.bytes, user->email.length);
}

static json_t *tree_of_status(const void *element) {
  const struct status *status = element;
  const struct twitter_user *user = &status->user;
  json_t *from =
      json_pack("{s:I, s:s%, s:s%}", "id", user->id, "name", user->name.bytes, user->name.length,
                "screen_name", user->screen_name.bytes, user->screen_name.length);
  add_optional(from, "description", &user->description);
  json_object_set_new(from, "followers_count", json_integer(user->followers_count));
  json_object_set_new(from, "verified", json_boolean(user->verified));
  json_t *tree = json_pack("{s:s%, s:I, s:s%, s:I, s:b}", "created_at", status->created_at.bytes,
                           status->created_at.length, "id", status->id, "text", status->text.bytes,
                           status->text.length, "retweet_count", status->retweet_count, "favorited",
                           status->favorited);
  if (status->is_reply) {
    json_object_set_new(tree, "in_reply_to_status_id", json_integer(status->in_reply_to_status_id));
  }
  json_object_set_new(tree, "user", from);
  return tree;
}

static json_t *tree_of_price(const void *element) {
  const struct price *price = element;
  return json_pack("{s:I, s:I, s:I}", "amount", price->amount, "audienceSubCategoryId",
                   price->audience_sub_category_id, "seatCategoryId", price->seat_category_id);
}

static json_t *tree_of_integer(const void *element) {
  return json_integer(*(const integer *)element);
}

static json_t *tree_of_area(const void *element) {
  const struct area *area = element;
  return json_pack(
      "{s:I, s:o}", "areaId", area->area_id, "blockIds",
      tree_of_all(area->block_ids, area->block_count, sizeof(integer), tree_of_integer));
}

static json_t *tree_of_category(const void *element) {
  const struct seat_category *category = element;
  return json_pack(
      "{s:o, s:I}", "areas",
      tree_of_all(category->areas, category->area_count, sizeof(struct area), tree_of_area),
      "seatCategoryId", category->seat_category_id);
}

static json_t *tree_of_performance(const void *element) {
  const struct performance *it = element;
  json_t *tree = json_pack("{s:I, s:I}", "eventId", it->event_id, "id", it->id);
  add_optional(tree, "logo", &it->logo);
  add_optional(tree, "name", &it->name);
  json_object_set_new(
      tree, "prices",
      tree_of_all(it->prices, it->price_count, sizeof(struct price), tree_of_price));
  json_object_set_new(tree, "seatCategories",
                      tree_of_all(it->seat_categories, it->seat_category_count,
                                  sizeof(struct seat_category), tree_of_category));
  add_optional(tree, "seatMapImage", &it->seat_map_image);
  json_object_set_new(tree, "start", json_integer(it->start));
  json_object_set_new(tree, "venueCode", tree_of_text(&it->venue_code));
  return tree;
}

static json_t *tree_of_number(const void *element) { return json_real(*(const double *)element); }

static json_t *tree_of_point(const void *element) {
  const struct point *point = element;
  return tree_of_all(point->numbers, point->count, sizeof(double), tree_of_number);
}

static json_t *tree_of_ring(const void *element) {
  const struct ring *ring = element;
  return tree_of_all(ring->points, ring->count, sizeof(struct point), tree_of_point);
}

static json_t *tree_of_polygon(const void *element) {
  const struct polygon *polygon = element;
  return json_pack("{s:{s:o}}", "geometry", "coordinates",
                   tree_of_all(polygon->rings, polygon->count, sizeof(struct ring), tree_of_ring));
}

static json_t *tree_of_model(benchmark_work work, const void *model) {
  const struct list *list = model;
  switch (work) {
    case BENCHMARK_TINY: return tree_of_user(model);
    case BENCHMARK_TWITTER:
      return json_pack(
          "{s:o}", "statuses",
          tree_of_all(list->items, list->count, sizeof(struct status), tree_of_status));
    case BENCHMARK_CITM:
      return json_pack(
          "{s:o}", "performances",
          tree_of_all(list->items, list->count, sizeof(struct performance), tree_of_performance));
    case BENCHMARK_CANADA:
      return json_pack(
          "{s:o}", "features",
          tree_of_all(list->items, list->count, sizeof(struct polygon), tree_of_polygon));
    case BENCHMARK_USERS:
      return tree_of_all(list->items, list->count, sizeof(struct user), tree_of_user);
  }
  return NULL;
}

// MARK: - Writing

struct writer {
  benchmark_work work;
  const void *model;
  json_t *tree;
  char *buffer;
  size_t capacity;
};

static void *open_writer(benchmark_work work, const void *model) {
  struct writer *writer = calloc(1, sizeof *writer);
  if (writer == NULL) return NULL;
  writer->work = work;
  writer->model = model;
  writer->tree = tree_of_model(work, model);
  writer->capacity = json_dumpb(writer->tree, NULL, 0, JSON_COMPACT);
  writer->buffer = malloc(writer->capacity);
  return writer;
}

static const char *dump(void *state, size_t times, size_t *length) {
  const struct writer *writer = state;
  for (size_t i = 0; i < times; i++) {
    *length = json_dumpb(writer->tree, writer->buffer, writer->capacity, JSON_COMPACT);
    benchmark_keep(writer->buffer);
  }
  return writer->buffer;
}

static const char *pack(void *state, size_t times, size_t *length) {
  const struct writer *writer = state;
  for (size_t i = 0; i < times; i++) {
    json_t *tree = tree_of_model(writer->work, writer->model);
    *length = json_dumpb(tree, writer->buffer, writer->capacity, JSON_COMPACT);
    json_decref(tree);
    benchmark_keep(writer->buffer);
  }
  return writer->buffer;
}

static void close_writer(void *state) {
  struct writer *writer = state;
  json_decref(writer->tree);
  free(writer->buffer);
  free(writer);
}

const benchmark_writer jansson_dumpb_writer = {"jansson.dumpb", open_writer, dump, close_writer};
const benchmark_writer jansson_pack_writer = {"jansson.pack", open_writer, pack, close_writer};
