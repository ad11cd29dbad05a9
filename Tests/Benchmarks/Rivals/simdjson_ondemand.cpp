// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender simdjson.ondemand: hand-written C++ over On-Demand. One parser for all decodes,
// fields asked for in the order of the documents, models that own their strings.

#include <simdjson.h>

#include <string_view>

#include "contender.hpp"
#include "rivals.h"

namespace {

using namespace simdjson;

static_assert(BENCHMARK_PADDING >= SIMDJSON_PADDING);

// MARK: - Decoding. Failure is simdjson's exception.

int64_t integer(ondemand::value value) { return value.get_int64(); }

bool flag(ondemand::value value) { return value.get_bool(); }

void text(ondemand::value value, std::string &out) {
  std::string_view view = value.get_string();
  out.assign(view);
}

void text(ondemand::value value, std::optional<std::string> &out) {
  if (!value.is_null()) text(value, out.emplace());
}

std::optional<int64_t> integer_or_null(ondemand::value value) {
  if (value.is_null()) return std::nullopt;
  return integer(value);
}

template <typename Fields>
void decode(Fields object, User &out) {
  out.id = integer(object["id"]);
  text(object["name"], out.name);
  text(object["email"], out.email);
}

void decode(ondemand::object object, TwitterUser &out) {
  out.id = integer(object["id"]);
  text(object["name"], out.name);
  text(object["screen_name"], out.screen_name);
  text(object["description"], out.description);
  out.followers_count = integer(object["followers_count"]);
  out.verified = flag(object["verified"]);
}

void decode(ondemand::object object, Status &out) {
  text(object["created_at"], out.created_at);
  out.id = integer(object["id"]);
  text(object["text"], out.text);
  out.in_reply_to_status_id = integer_or_null(object["in_reply_to_status_id"]);
  decode(object["user"].get_object(), out.user);
  out.retweet_count = integer(object["retweet_count"]);
  out.favorited = flag(object["favorited"]);
}

void decode(ondemand::object object, Price &out) {
  out.amount = integer(object["amount"]);
  out.audience_sub_category_id = integer(object["audienceSubCategoryId"]);
  out.seat_category_id = integer(object["seatCategoryId"]);
}

void decode(ondemand::object object, Area &out) {
  out.area_id = integer(object["areaId"]);
  for (auto element : object["blockIds"].get_array()) out.block_ids.push_back(element.get_int64());
}

void decode(ondemand::object object, SeatCategory &out) {
  for (auto element : object["areas"].get_array())
    decode(element.get_object(), out.areas.emplace_back());
  out.seat_category_id = integer(object["seatCategoryId"]);
}

void decode(ondemand::object object, Performance &out) {
  out.event_id = integer(object["eventId"]);
  out.id = integer(object["id"]);
  text(object["logo"], out.logo);
  text(object["name"], out.name);
  for (auto element : object["prices"].get_array())
    decode(element.get_object(), out.prices.emplace_back());
  for (auto element : object["seatCategories"].get_array())
    decode(element.get_object(), out.seat_categories.emplace_back());
  text(object["seatMapImage"], out.seat_map_image);
  out.start = integer(object["start"]);
  text(object["venueCode"], out.venue_code);
}

void decode(ondemand::object object, Feature &out) {
  ondemand::object geometry = object["geometry"];
  for (auto ring : geometry["coordinates"].get_array()) {
    auto &points = out.geometry.coordinates.emplace_back();
    for (auto point : ring.get_array()) {
      auto &numbers = points.emplace_back();
      numbers.reserve(2);  // what the author of a map decoder knows; worth 15 %
      for (double number : point.get_array()) numbers.push_back(number);
    }
  }
}

void decode_document(ondemand::document &document, User &out) {
  decode<ondemand::document &>(document, out);
}

void decode_document(ondemand::document &document, std::vector<User> &out) {
  for (auto element : document.get_array())
    decode<ondemand::object>(element.get_object(), out.emplace_back());
}

void decode_document(ondemand::document &document, Twitter &out) {
  for (auto element : document["statuses"].get_array())
    decode(element.get_object(), out.statuses.emplace_back());
}

void decode_document(ondemand::document &document, Citm &out) {
  for (auto element : document["performances"].get_array())
    decode(element.get_object(), out.performances.emplace_back());
}

void decode_document(ondemand::document &document, Canada &out) {
  for (auto element : document["features"].get_array())
    decode(element.get_object(), out.features.emplace_back());
}

// MARK: - The contender

// Decodes once and hands the model on. Every use of On-Demand goes through here.
struct OnDemand {
  template <typename Model, typename Body>
  static void with_model(const char *bytes, size_t length, const Body &body) {
    thread_local ondemand::parser parser;
    ondemand::document document = parser.iterate(bytes, length, length + BENCHMARK_PADDING);
    Model model;
    decode_document(document, model);
    body(model);
  }
};

}  // namespace

const benchmark_contender simdjson_ondemand_contender = {
    "simdjson.ondemand", Contender<OnDemand>::decode, Contender<OnDemand>::checksum};

// The first stage with the instructions for which the inline half is compiled.
const char *simdjson_features() {
  get_active_implementation() = builtin_implementation();
  static const std::string text =
      "simdjson " SIMDJSON_VERSION " " + builtin_implementation()->name();
  return text.c_str();
}
