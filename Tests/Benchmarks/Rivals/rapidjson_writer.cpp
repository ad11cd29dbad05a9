// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The rival rapidjson.Writer: structs as text through RapidJSON's Writer, into a buffer that all texts
// share. Its strings are not checked for UTF-8, which is its default. The instruction set is that of the
// processor, which RapidJSON's strings make use of.

#include "rivals.h"

#if defined(__SSE4_2__)
#define RAPIDJSON_SSE42
#elif defined(__SSE2__)
#define RAPIDJSON_SSE2
#endif
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace {

using rapidjson::SizeType;
using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void add(Writer &writer, const integer &value) { writer.Int64(value); }
void add(Writer &writer, const bool &value) { writer.Bool(value); }
void add(Writer &writer, const double &value) { writer.Double(value); }

void add(Writer &writer, const text &value) {
  writer.String(value.bytes, static_cast<SizeType>(value.length));
}

// Templates find only what was declared before them.
void add(Writer &writer, const user &value);
void add(Writer &writer, const twitter_user &value);
void add(Writer &writer, const status &value);
void add(Writer &writer, const price &value);
void add(Writer &writer, const area &value);
void add(Writer &writer, const seat_category &value);
void add(Writer &writer, const performance &value);
void add(Writer &writer, const point &value);
void add(Writer &writer, const ring &value);
void add(Writer &writer, const polygon &value);

template <size_t size>
void add_key(Writer &writer, const char (&key)[size]) {
  writer.Key(key, static_cast<SizeType>(size - 1));
}

template <size_t size, typename Value>
void add_field(Writer &writer, const char (&key)[size], const Value &value) {
  add_key(writer, key);
  add(writer, value);
}

template <size_t size>
void add_optional(Writer &writer, const char (&key)[size], const text &value) {
  if (value.bytes != nullptr) add_field(writer, key, value);
}

template <typename Element>
void add_all(Writer &writer, const Element *elements, size_t count) {
  writer.StartArray();
  for (size_t at = 0; at < count; at++) add(writer, elements[at]);
  writer.EndArray();
}

void add(Writer &writer, const user &value) {
  writer.StartObject();
  add_field(writer, "id", value.id);
  add_field(writer, "name", value.name);
  add_field(writer, "email", value.email);
  writer.EndObject();
}

void add(Writer &writer, const twitter_user &value) {
  writer.StartObject();
  add_field(writer, "id", value.id);
  add_field(writer, "name", value.name);
  add_field(writer, "screen_name", value.screen_name);
  add_optional(writer, "description", value.description);
  add_field(writer, "followers_count", value.followers_count);
  add_field(writer, "verified", value.verified);
  writer.EndObject();
}

void add(Writer &writer, const status &value) {
  writer.StartObject();
  add_field(writer, "created_at", value.created_at);
  add_field(writer, "id", value.id);
  add_field(writer, "text", value.text);
  add_field(writer, "retweet_count", value.retweet_count);
  add_field(writer, "favorited", value.favorited);
  if (value.is_reply) add_field(writer, "in_reply_to_status_id", value.in_reply_to_status_id);
  add_field(writer, "user", value.user);
  writer.EndObject();
}

void add(Writer &writer, const price &value) {
  writer.StartObject();
  add_field(writer, "amount", value.amount);
  add_field(writer, "audienceSubCategoryId", value.audience_sub_category_id);
  add_field(writer, "seatCategoryId", value.seat_category_id);
  writer.EndObject();
}

void add(Writer &writer, const area &value) {
  writer.StartObject();
  add_field(writer, "areaId", value.area_id);
  add_key(writer, "blockIds");
  add_all(writer, value.block_ids, value.block_count);
  writer.EndObject();
}

void add(Writer &writer, const seat_category &value) {
  writer.StartObject();
  add_key(writer, "areas");
  add_all(writer, value.areas, value.area_count);
  add_field(writer, "seatCategoryId", value.seat_category_id);
  writer.EndObject();
}

void add(Writer &writer, const performance &value) {
  writer.StartObject();
  add_field(writer, "eventId", value.event_id);
  add_field(writer, "id", value.id);
  add_optional(writer, "logo", value.logo);
  add_optional(writer, "name", value.name);
  add_key(writer, "prices");
  add_all(writer, value.prices, value.price_count);
  add_key(writer, "seatCategories");
  add_all(writer, value.seat_categories, value.seat_category_count);
  add_optional(writer, "seatMapImage", value.seat_map_image);
  add_field(writer, "start", value.start);
  add_field(writer, "venueCode", value.venue_code);
  writer.EndObject();
}

void add(Writer &writer, const point &value) { add_all(writer, value.numbers, value.count); }
void add(Writer &writer, const ring &value) { add_all(writer, value.points, value.count); }

void add(Writer &writer, const polygon &value) {
  writer.StartObject();
  add_key(writer, "geometry");
  writer.StartObject();
  add_key(writer, "coordinates");
  add_all(writer, value.rings, value.count);
  writer.EndObject();
  writer.EndObject();
}

template <typename Element, size_t size>
void add_list(Writer &writer, const char (&key)[size], const list &list) {
  writer.StartObject();
  add_key(writer, key);
  add_all(writer, static_cast<const Element *>(list.items), list.count);
  writer.EndObject();
}

struct contest {
  benchmark_work work;
  const void *model;
  rapidjson::StringBuffer buffer;
  Writer writer;

  contest(benchmark_work work, const void *model)
      : work(work), model(model), buffer(), writer(buffer) {}

  void write() {
    buffer.Clear();
    writer.Reset(buffer);
    const list &root = *static_cast<const list *>(model);
    switch (work) {
      case BENCHMARK_TINY: return add(writer, *static_cast<const user *>(model));
      case BENCHMARK_TWITTER: return add_list<status>(writer, "statuses", root);
      case BENCHMARK_CITM: return add_list<performance>(writer, "performances", root);
      case BENCHMARK_CANADA: return add_list<polygon>(writer, "features", root);
      case BENCHMARK_USERS:
        return add_all(writer, static_cast<const user *>(root.items), root.count);
    }
  }
};

void *open_contest(benchmark_work work, const void *model) { return new contest(work, model); }

const char *write_text(void *state, size_t times, size_t *length) {
  contest &it = *static_cast<contest *>(state);
  for (size_t i = 0; i < times; i++) {
    it.write();
    benchmark_keep(&it.buffer);
  }
  *length = it.buffer.GetSize();
  return it.buffer.GetString();
}

void close_contest(void *state) { delete static_cast<contest *>(state); }

}  // namespace

const benchmark_writer rapidjson_writer = {"rapidjson.Writer", open_contest, write_text,
                                           close_contest};

const char *rapidjson_features() { return "RapidJSON " RAPIDJSON_VERSION_STRING; }
