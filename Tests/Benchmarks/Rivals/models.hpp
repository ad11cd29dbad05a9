// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The models of the rivals in C++, which own their strings, and their checksums. Each rival has a copy of its own.

#ifndef RIVAL_MODELS_HPP
#define RIVAL_MODELS_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "BenchmarkSupport.h"

namespace {

// MARK: - Models

struct User {
  int64_t id;
  std::string name;
  std::string email;
};

struct TwitterUser {
  int64_t id;
  std::string name;
  std::string screen_name;
  std::optional<std::string> description;
  int64_t followers_count;
  bool verified;
};

struct Status {
  std::string created_at;
  int64_t id;
  std::string text;
  int64_t retweet_count;
  bool favorited;
  std::optional<int64_t> in_reply_to_status_id;
  TwitterUser user;
};

struct Twitter {
  std::vector<Status> statuses;
};

struct Price {
  int64_t amount;
  int64_t audience_sub_category_id;
  int64_t seat_category_id;
};

struct Area {
  int64_t area_id;
  std::vector<int64_t> block_ids;
};

struct SeatCategory {
  std::vector<Area> areas;
  int64_t seat_category_id;
};

struct Performance {
  int64_t event_id;
  int64_t id;
  std::optional<std::string> logo;
  std::optional<std::string> name;
  std::vector<Price> prices;
  std::vector<SeatCategory> seat_categories;
  std::optional<std::string> seat_map_image;
  int64_t start;
  std::string venue_code;
};

struct Citm {
  std::vector<Performance> performances;
};

struct Geometry {
  std::vector<std::vector<std::vector<double>>> coordinates;
};

struct Feature {
  Geometry geometry;
};

struct Canada {
  std::vector<Feature> features;
};

// MARK: - Checksums

struct Sum {
  uint64_t state = benchmark_sum_start;

  void add(uint64_t word) { state = benchmark_sum_word(state, word); }
  void add(int64_t integer) { add(uint64_t(integer)); }
  void add(bool flag) { add(uint64_t(flag)); }
  void add(double number) { state = benchmark_sum_double(state, number); }
  void add(const std::string &text) {
    state = benchmark_sum_string(state, text.data(), text.size());
  }

  template <typename Element>
  void add(const std::optional<Element> &value) {
    add(value.has_value());
    if (value) add(*value);
  }

  template <typename Element>
  void add(const std::vector<Element> &values) {
    add(uint64_t(values.size()));
    for (const auto &value : values) add(value);
  }

  template <typename First, typename Second, typename... Rest>
  void add(const First &first, const Second &second, const Rest &...rest) {
    add(first);
    add(second);
    (add(rest), ...);
  }

  void add(const User &user) { add(user.id, user.name, user.email); }
  void add(const TwitterUser &user) {
    add(user.id, user.name, user.screen_name, user.description, user.followers_count,
        user.verified);
  }
  void add(const Status &status) {
    add(status.created_at, status.id, status.text, status.retweet_count, status.favorited,
        status.in_reply_to_status_id, status.user);
  }
  void add(const Twitter &twitter) { add(twitter.statuses); }
  void add(const Price &price) {
    add(price.amount, price.audience_sub_category_id, price.seat_category_id);
  }
  void add(const Area &area) { add(area.area_id, area.block_ids); }
  void add(const SeatCategory &category) { add(category.areas, category.seat_category_id); }
  void add(const Performance &performance) {
    add(performance.event_id, performance.id, performance.logo, performance.name,
        performance.prices, performance.seat_categories, performance.seat_map_image,
        performance.start, performance.venue_code);
  }
  void add(const Citm &citm) { add(citm.performances); }
  void add(const Feature &feature) { add(feature.geometry.coordinates); }
  void add(const Canada &canada) { add(canada.features); }
};

}  // namespace

#endif
