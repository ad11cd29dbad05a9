// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The rival yyjson: structs as a tree, and the tree as text, each time anew, as a program does that has structs. The
// tree points to the strings of the structs; all trees and texts share their memory.

#include <yyjson.h>

#include "rivals.h"

namespace {

using value = yyjson_mut_val *;
using tree = yyjson_mut_doc *;

value make(tree it, const integer &number) { return yyjson_mut_sint(it, number); }
value make(tree it, const bool &flag) { return yyjson_mut_bool(it, flag); }
value make(tree it, const text &text) { return yyjson_mut_strn(it, text.bytes, text.length); }

// Templates find only what was declared before them.
value make(tree it, const user &user);
value make(tree it, const twitter_user &user);
value make(tree it, const status &status);
value make(tree it, const price &price);
value make(tree it, const area &area);
value make(tree it, const seat_category &category);
value make(tree it, const performance &performance);
value make(tree it, const point &point);
value make(tree it, const ring &ring);
value make(tree it, const polygon &polygon);

template <typename Element>
value make_all(tree it, const Element *elements, size_t count) {
  const value array = yyjson_mut_arr(it);
  for (size_t at = 0; at < count; at++) yyjson_mut_arr_append(array, make(it, elements[at]));
  return array;
}

template <size_t size>
void add(tree it, value object, const char (&key)[size], value member) {
  yyjson_mut_obj_add(object, yyjson_mut_strn(it, key, size - 1), member);
}

template <size_t size, typename Field>
void add(tree it, value object, const char (&key)[size], const Field &field) {
  add(it, object, key, make(it, field));
}

template <size_t size>
void add_optional(tree it, value object, const char (&key)[size], const text &text) {
  if (text.bytes != nullptr) add(it, object, key, text);
}

value make(tree it, const user &user) {
  const value object = yyjson_mut_obj(it);
  add(it, object, "id", user.id);
  add(it, object, "name", user.name);
  add(it, object, "email", user.email);
  return object;
}

value make(tree it, const twitter_user &user) {
  const value object = yyjson_mut_obj(it);
  add(it, object, "id", user.id);
  add(it, object, "name", user.name);
  add(it, object, "screen_name", user.screen_name);
  add_optional(it, object, "description", user.description);
  add(it, object, "followers_count", user.followers_count);
  add(it, object, "verified", user.verified);
  return object;
}

value make(tree it, const status &status) {
  const value object = yyjson_mut_obj(it);
  add(it, object, "created_at", status.created_at);
  add(it, object, "id", status.id);
  add(it, object, "text", status.text);
  add(it, object, "retweet_count", status.retweet_count);
  add(it, object, "favorited", status.favorited);
  if (status.is_reply) add(it, object, "in_reply_to_status_id", status.in_reply_to_status_id);
  add(it, object, "user", status.user);
  return object;
}

value make(tree it, const price &price) {
  const value object = yyjson_mut_obj(it);
  add(it, object, "amount", price.amount);
  add(it, object, "audienceSubCategoryId", price.audience_sub_category_id);
  add(it, object, "seatCategoryId", price.seat_category_id);
  return object;
}

value make(tree it, const area &area) {
  const value object = yyjson_mut_obj(it);
  add(it, object, "areaId", area.area_id);
  add(it, object, "blockIds", make_all(it, area.block_ids, area.block_count));
  return object;
}

value make(tree it, const seat_category &category) {
  const value object = yyjson_mut_obj(it);
  add(it, object, "areas", make_all(it, category.areas, category.area_count));
  add(it, object, "seatCategoryId", category.seat_category_id);
  return object;
}

value make(tree it, const performance &performance) {
  const value object = yyjson_mut_obj(it);
  add(it, object, "eventId", performance.event_id);
  add(it, object, "id", performance.id);
  add_optional(it, object, "logo", performance.logo);
  add_optional(it, object, "name", performance.name);
  add(it, object, "prices", make_all(it, performance.prices, performance.price_count));
  add(it, object, "seatCategories",
      make_all(it, performance.seat_categories, performance.seat_category_count));
  add_optional(it, object, "seatMapImage", performance.seat_map_image);
  add(it, object, "start", performance.start);
  add(it, object, "venueCode", performance.venue_code);
  return object;
}

value make(tree it, const point &point) {
  return yyjson_mut_arr_with_real(it, point.numbers, point.count);
}
value make(tree it, const ring &ring) { return make_all(it, ring.points, ring.count); }

value make(tree it, const polygon &polygon) {
  const value object = yyjson_mut_obj(it), geometry = yyjson_mut_obj(it);
  add(it, geometry, "coordinates", make_all(it, polygon.rings, polygon.count));
  add(it, object, "geometry", geometry);
  return object;
}

template <typename Element, size_t size>
value make_list(tree it, const char (&key)[size], const list &list) {
  const value object = yyjson_mut_obj(it);
  add(it, object, key, make_all(it, static_cast<const Element *>(list.items), list.count));
  return object;
}

struct contest {
  benchmark_work work;
  const void *model;
  yyjson_alc *memory;
  char *text;
  size_t length;

  value root(tree it) const {
    const list &root = *static_cast<const list *>(model);
    switch (work) {
      case BENCHMARK_TINY: return make(it, *static_cast<const user *>(model));
      case BENCHMARK_TWITTER: return make_list<status>(it, "statuses", root);
      case BENCHMARK_CITM: return make_list<performance>(it, "performances", root);
      case BENCHMARK_CANADA: return make_list<polygon>(it, "features", root);
      case BENCHMARK_USERS: return make_all(it, static_cast<const user *>(root.items), root.count);
    }
    return nullptr;
  }

  void write() {
    if (text != nullptr) memory->free(memory->ctx, text);
    const tree it = yyjson_mut_doc_new(memory);
    yyjson_mut_doc_set_root(it, root(it));
    text = yyjson_mut_write_opts(it, 0, memory, &length, nullptr);
    yyjson_mut_doc_free(it);
  }
};

void *open_contest(benchmark_work work, const void *model) {
  return new contest{work, model, yyjson_alc_dyn_new(), nullptr, 0};
}

const char *write_text(void *state, size_t times, size_t *length) {
  contest &it = *static_cast<contest *>(state);
  for (size_t i = 0; i < times; i++) {
    it.write();
    benchmark_keep(it.text);
  }
  *length = it.length;
  return it.text;
}

void close_contest(void *state) {
  contest *const it = static_cast<contest *>(state);
  yyjson_alc_dyn_free(it->memory);
  delete it;
}

}  // namespace

const benchmark_writer yyjson_writer = {"yyjson", open_contest, write_text, close_contest};
