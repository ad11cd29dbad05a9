// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender yyjson: hand-written C++ over the tree of yyjson, in memory that all decodes share. Members are asked
// for in the order of the documents, models own their strings.

#include "contender.hpp"
#include "rivals.h"
#include "yyjson.hpp"

namespace {

void decode(yyjson_val *value, User &out);
void decode(yyjson_val *value, TwitterUser &out);
void decode(yyjson_val *value, Status &out);
void decode(yyjson_val *value, Price &out);
void decode(yyjson_val *value, Area &out);
void decode(yyjson_val *value, SeatCategory &out);
void decode(yyjson_val *value, Performance &out);
void decode(yyjson_val *value, Feature &out);

void decode(yyjson_val *value, User &out) {
  Object object(value);
  decode(object["id"], out.id);
  decode(object["name"], out.name);
  decode(object["email"], out.email);
}

void decode(yyjson_val *value, TwitterUser &out) {
  Object object(value);
  decode(object["id"], out.id);
  decode(object["name"], out.name);
  decode(object["screen_name"], out.screen_name);
  decode(object["description"], out.description);
  decode(object["followers_count"], out.followers_count);
  decode(object["verified"], out.verified);
}

void decode(yyjson_val *value, Status &out) {
  Object object(value);
  decode(object["created_at"], out.created_at);
  decode(object["id"], out.id);
  decode(object["text"], out.text);
  decode(object["in_reply_to_status_id"], out.in_reply_to_status_id);
  decode(object["user"], out.user);
  decode(object["retweet_count"], out.retweet_count);
  decode(object["favorited"], out.favorited);
}

void decode(yyjson_val *value, Price &out) {
  Object object(value);
  decode(object["amount"], out.amount);
  decode(object["audienceSubCategoryId"], out.audience_sub_category_id);
  decode(object["seatCategoryId"], out.seat_category_id);
}

void decode(yyjson_val *value, Area &out) {
  Object object(value);
  decode(object["areaId"], out.area_id);
  decode(object["blockIds"], out.block_ids);
}

void decode(yyjson_val *value, SeatCategory &out) {
  Object object(value);
  decode(object["areas"], out.areas);
  decode(object["seatCategoryId"], out.seat_category_id);
}

void decode(yyjson_val *value, Performance &out) {
  Object object(value);
  decode(object["eventId"], out.event_id);
  decode(object["id"], out.id);
  decode(object["logo"], out.logo);
  decode(object["name"], out.name);
  decode(object["prices"], out.prices);
  decode(object["seatCategories"], out.seat_categories);
  decode(object["seatMapImage"], out.seat_map_image);
  decode(object["start"], out.start);
  decode(object["venueCode"], out.venue_code);
}

void decode(yyjson_val *value, Feature &out) {
  Object object(value);
  Object geometry(object["geometry"]);
  decode(geometry["coordinates"], out.geometry.coordinates);
}

void decode(yyjson_val *value, Twitter &out) { decode(Object(value)["statuses"], out.statuses); }
void decode(yyjson_val *value, Citm &out) {
  decode(Object(value)["performances"], out.performances);
}
void decode(yyjson_val *value, Canada &out) { decode(Object(value)["features"], out.features); }

// MARK: - The contender

struct Yyjson {
  template <typename Model, typename Body>
  static void with_model(const char *bytes, size_t length, const Body &body) {
    thread_local Memory memory;
    const yyjson_alc allocator = memory.reused(length);
    yyjson_doc *const document =
        yyjson_read_opts(const_cast<char *>(bytes), length, 0, &allocator, nullptr);
    if (document == nullptr) throw std::runtime_error("no JSON");
    Model model{};
    decode(yyjson_doc_get_root(document), model);
    body(model);
  }
};

}  // namespace

const benchmark_contender yyjson_contender = {"yyjson", Contender<Yyjson>::decode,
                                              Contender<Yyjson>::checksum};

const char *yyjson_features() { return "yyjson " YYJSON_VERSION_STRING; }
