// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender jansson.json_unpack: C structs filled by json_unpack from a json_t tree. Strings
// are copied into the structs, the tree is given back before the model is handed on.

#include "RivalJansson.h"

#include <BenchmarkModels.h>
#include <jansson.h>
#include <stdlib.h>

// MARK: - Models

struct users {
  struct user *items;
  size_t count;
};

struct twitter {
  struct status *items;
  size_t count;
};

struct citm {
  struct performance *items;
  size_t count;
};

struct canada {
  struct polygon *items;
  size_t count;
};

union model {
  struct user user;
  struct users users;
  struct twitter twitter;
  struct citm citm;
  struct canada canada;
  struct list list;  // any but the user
};

// MARK: - Leaves

static int copy_text(const char *bytes, size_t length, struct text *out) {
  out->bytes = malloc(length + 1);
  if (!out->bytes) return -1;
  memcpy(out->bytes, bytes, length);
  out->bytes[length] = 0;
  out->length = length;
  return 0;
}

static int copy_text_or_null(json_t *value, struct text *out) {
  if (json_is_null(value)) return 0;
  if (!json_is_string(value)) return -1;
  return copy_text(json_string_value(value), json_string_length(value), out);
}

// Room for every element of an array, zeroed; `out` stays NULL where the array is empty.
static int reserve(json_t *array, size_t size, void *out, size_t *count) {
  if (!json_is_array(array)) return -1;
  size_t elements = json_array_size(array);
  if (elements == 0) return 0;
  void *block = calloc(elements, size);
  if (!block) return -1;
  memcpy(out, &block, sizeof block);
  *count = elements;
  return 0;
}

// MARK: - Users

static int decode_user(json_t *value, struct user *out) {
  const char *name, *email;
  size_t name_length, email_length;
  if (json_unpack(value, "{s:I, s:s%, s:s%}", "id", &out->id, "name", &name, &name_length, "email",
                  &email, &email_length))
    return -1;
  if (copy_text(name, name_length, &out->name)) return -1;
  return copy_text(email, email_length, &out->email);
}

static void free_user(struct user *user) {
  free(user->name.bytes);
  free(user->email.bytes);
}

static int decode_users(json_t *value, struct users *out) {
  if (reserve(value, sizeof *out->items, &out->items, &out->count)) return -1;
  for (size_t i = 0; i < out->count; i++)
    if (decode_user(json_array_get(value, i), &out->items[i])) return -1;
  return 0;
}

static void free_users(struct users *users) {
  for (size_t i = 0; i < users->count; i++) free_user(&users->items[i]);
  free(users->items);
}

// MARK: - Twitter

static int decode_twitter_user(json_t *value, struct twitter_user *out) {
  const char *name, *screen_name;
  size_t name_length, screen_name_length;
  json_t *description = NULL;
  int verified;
  if (json_unpack(value, "{s:I, s:s%, s:s%, s?:o, s:I, s:b}", "id", &out->id, "name", &name,
                  &name_length, "screen_name", &screen_name, &screen_name_length, "description",
                  &description, "followers_count", &out->followers_count, "verified", &verified))
    return -1;
  out->verified = verified;
  if (copy_text(name, name_length, &out->name)) return -1;
  if (copy_text(screen_name, screen_name_length, &out->screen_name)) return -1;
  return description ? copy_text_or_null(description, &out->description) : 0;
}

static int decode_status(json_t *value, struct status *out) {
  const char *created_at, *text;
  size_t created_at_length, text_length;
  json_t *reply = NULL, *user;
  int favorited;
  if (json_unpack(value, "{s:s%, s:I, s:s%, s:I, s:b, s?:o, s:o}", "created_at", &created_at,
                  &created_at_length, "id", &out->id, "text", &text, &text_length, "retweet_count",
                  &out->retweet_count, "favorited", &favorited, "in_reply_to_status_id", &reply,
                  "user", &user))
    return -1;
  out->favorited = favorited;
  if (reply && !json_is_null(reply)) {
    if (json_unpack(reply, "I", &out->in_reply_to_status_id)) return -1;
    out->is_reply = true;
  }
  if (copy_text(created_at, created_at_length, &out->created_at)) return -1;
  if (copy_text(text, text_length, &out->text)) return -1;
  return decode_twitter_user(user, &out->user);
}

static int decode_twitter(json_t *value, struct twitter *out) {
  json_t *statuses;
  if (json_unpack(value, "{s:o}", "statuses", &statuses)) return -1;
  if (reserve(statuses, sizeof *out->items, &out->items, &out->count)) return -1;
  for (size_t i = 0; i < out->count; i++)
    if (decode_status(json_array_get(statuses, i), &out->items[i])) return -1;
  return 0;
}

static void free_twitter(struct twitter *twitter) {
  for (size_t i = 0; i < twitter->count; i++) {
    struct status *status = &twitter->items[i];
    free(status->created_at.bytes);
    free(status->text.bytes);
    free(status->user.name.bytes);
    free(status->user.screen_name.bytes);
    free(status->user.description.bytes);
  }
  free(twitter->items);
}

// MARK: - Citm

static int decode_price(json_t *value, struct price *out) {
  return json_unpack(value, "{s:I, s:I, s:I}", "amount", &out->amount, "audienceSubCategoryId",
                     &out->audience_sub_category_id, "seatCategoryId", &out->seat_category_id);
}

static int decode_area(json_t *value, struct area *out) {
  json_t *blocks;
  if (json_unpack(value, "{s:I, s:o}", "areaId", &out->area_id, "blockIds", &blocks)) return -1;
  if (reserve(blocks, sizeof *out->block_ids, &out->block_ids, &out->block_count)) return -1;
  for (size_t i = 0; i < out->block_count; i++)
    if (json_unpack(json_array_get(blocks, i), "I", &out->block_ids[i])) return -1;
  return 0;
}

static int decode_seat_category(json_t *value, struct seat_category *out) {
  json_t *areas;
  if (json_unpack(value, "{s:o, s:I}", "areas", &areas, "seatCategoryId", &out->seat_category_id))
    return -1;
  if (reserve(areas, sizeof *out->areas, &out->areas, &out->area_count)) return -1;
  for (size_t i = 0; i < out->area_count; i++)
    if (decode_area(json_array_get(areas, i), &out->areas[i])) return -1;
  return 0;
}

static int decode_performance(json_t *value, struct performance *out) {
  json_t *logo = NULL, *name = NULL, *image = NULL, *prices, *categories;
  const char *venue_code;
  size_t venue_code_length;
  if (json_unpack(value, "{s:I, s:I, s?:o, s?:o, s:o, s:o, s?:o, s:I, s:s%}", "eventId",
                  &out->event_id, "id", &out->id, "logo", &logo, "name", &name, "prices", &prices,
                  "seatCategories", &categories, "seatMapImage", &image, "start", &out->start,
                  "venueCode", &venue_code, &venue_code_length))
    return -1;
  if (logo && copy_text_or_null(logo, &out->logo)) return -1;
  if (name && copy_text_or_null(name, &out->name)) return -1;
  if (image && copy_text_or_null(image, &out->seat_map_image)) return -1;
  if (copy_text(venue_code, venue_code_length, &out->venue_code)) return -1;
  if (reserve(prices, sizeof *out->prices, &out->prices, &out->price_count)) return -1;
  for (size_t i = 0; i < out->price_count; i++)
    if (decode_price(json_array_get(prices, i), &out->prices[i])) return -1;
  if (reserve(categories, sizeof *out->seat_categories, &out->seat_categories,
              &out->seat_category_count))
    return -1;
  for (size_t i = 0; i < out->seat_category_count; i++)
    if (decode_seat_category(json_array_get(categories, i), &out->seat_categories[i])) return -1;
  return 0;
}

static int decode_citm(json_t *value, struct citm *out) {
  json_t *performances;
  if (json_unpack(value, "{s:o}", "performances", &performances)) return -1;
  if (reserve(performances, sizeof *out->items, &out->items, &out->count)) return -1;
  for (size_t i = 0; i < out->count; i++)
    if (decode_performance(json_array_get(performances, i), &out->items[i])) return -1;
  return 0;
}

static void free_performance(struct performance *performance) {
  for (size_t i = 0; i < performance->seat_category_count; i++) {
    struct seat_category *category = &performance->seat_categories[i];
    for (size_t j = 0; j < category->area_count; j++) free(category->areas[j].block_ids);
    free(category->areas);
  }
  free(performance->seat_categories);
  free(performance->prices);
  free(performance->logo.bytes);
  free(performance->name.bytes);
  free(performance->seat_map_image.bytes);
  free(performance->venue_code.bytes);
}

static void free_citm(struct citm *citm) {
  for (size_t i = 0; i < citm->count; i++) free_performance(&citm->items[i]);
  free(citm->items);
}

// MARK: - Canada

static int decode_point(json_t *value, struct point *out) {
  if (reserve(value, sizeof *out->numbers, &out->numbers, &out->count)) return -1;
  for (size_t i = 0; i < out->count; i++) {
    json_t *number = json_array_get(value, i);
    if (!json_is_number(number)) return -1;
    out->numbers[i] = json_number_value(number);
  }
  return 0;
}

static int decode_ring(json_t *value, struct ring *out) {
  if (reserve(value, sizeof *out->points, &out->points, &out->count)) return -1;
  for (size_t i = 0; i < out->count; i++)
    if (decode_point(json_array_get(value, i), &out->points[i])) return -1;
  return 0;
}

static int decode_polygon(json_t *value, struct polygon *out) {
  json_t *coordinates;
  if (json_unpack(value, "{s:{s:o}}", "geometry", "coordinates", &coordinates)) return -1;
  if (reserve(coordinates, sizeof *out->rings, &out->rings, &out->count)) return -1;
  for (size_t i = 0; i < out->count; i++)
    if (decode_ring(json_array_get(coordinates, i), &out->rings[i])) return -1;
  return 0;
}

static int decode_canada(json_t *value, struct canada *out) {
  json_t *features;
  if (json_unpack(value, "{s:o}", "features", &features)) return -1;
  if (reserve(features, sizeof *out->items, &out->items, &out->count)) return -1;
  for (size_t i = 0; i < out->count; i++)
    if (decode_polygon(json_array_get(features, i), &out->items[i])) return -1;
  return 0;
}

static void free_ring(struct ring *ring) {
  for (size_t i = 0; i < ring->count; i++) free(ring->points[i].numbers);
  free(ring->points);
}

static void free_canada(struct canada *canada) {
  for (size_t i = 0; i < canada->count; i++) {
    for (size_t j = 0; j < canada->items[i].count; j++) free_ring(&canada->items[i].rings[j]);
    free(canada->items[i].rings);
  }
  free(canada->items);
}

// MARK: - The contender

static int decode_tree(benchmark_work work, json_t *tree, union model *out) {
  switch (work) {
    case BENCHMARK_TINY: return decode_user(tree, &out->user);
    case BENCHMARK_TWITTER: return decode_twitter(tree, &out->twitter);
    case BENCHMARK_CITM: return decode_citm(tree, &out->citm);
    case BENCHMARK_CANADA: return decode_canada(tree, &out->canada);
    case BENCHMARK_USERS: return decode_users(tree, &out->users);
  }
  return -1;
}

static int decode_model(benchmark_work work, const char *bytes, size_t length, union model *out) {
  memset(out, 0, sizeof *out);
  json_t *tree = json_loadb(bytes, length, 0, NULL);
  if (!tree) return -1;
  int status = decode_tree(work, tree, out);
  json_decref(tree);
  return status;
}

static void free_model(benchmark_work work, union model *model) {
  switch (work) {
    case BENCHMARK_TINY: free_user(&model->user); break;
    case BENCHMARK_TWITTER: free_twitter(&model->twitter); break;
    case BENCHMARK_CITM: free_citm(&model->citm); break;
    case BENCHMARK_CANADA: free_canada(&model->canada); break;
    case BENCHMARK_USERS: free_users(&model->users); break;
  }
}

static int decode(benchmark_work work, const char *bytes, size_t length, size_t times,
                  void (*held)(void *context), void *context) {
  for (size_t i = 0; i < times; i++) {
    union model model;
    int status = decode_model(work, bytes, length, &model);
    benchmark_keep(&model);
    if (held) held(context);
    free_model(work, &model);
    if (status) return status;
  }
  return 0;
}

static int checksum(benchmark_work work, const char *bytes, size_t length, uint64_t *sum) {
  union model model;
  int status = decode_model(work, bytes, length, &model);
  if (!status) {
    *sum = work == BENCHMARK_TINY ? benchmark_sum_user(benchmark_sum_start, &model.user)
                                  : benchmark_sum_list(work, &model.list);
  }
  free_model(work, &model);
  return status;
}

const benchmark_contender jansson_unpack_contender = {"jansson.json_unpack", decode, checksum};
