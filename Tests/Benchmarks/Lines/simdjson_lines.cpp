// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// simdjson's iterate_many over a file of events of about SIZE bytes, into structs that own their strings and arrays as
// far as they are used again: a row as lines.c prints it.
//
//   simdjson_lines SIZE FILE SECONDS

#include <simdjson.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace simdjson;

struct event {
  int64_t id, user_id, i, t, u, n, q;
  double duration, v;
  bool ok;
  std::string time, kind, name, path, message;
  std::vector<std::string> tags;
  std::vector<double> values;
};

static std::string_view text(ondemand::object &object, const char *key) {
  return object[key].get_string().value();
}

static uint64_t take_small(ondemand::object object, event &e) {
  e.i = object["i"].get_int64();
  e.t = object["t"].get_int64();
  e.kind = text(object, "k");
  e.u = object["u"].get_int64();
  e.name = text(object, "s");
  e.v = object["v"].get_double();
  e.ok = object["o"].get_bool();
  e.n = object["n"].get_int64();
  e.path = text(object, "p");
  e.q = object["q"].get_int64();
  return (uint64_t)(e.i + e.q) + e.name.size();
}

static uint64_t take_large(ondemand::object object, event &e) {
  e.id = object["id"].get_int64();
  e.time = text(object, "time");
  e.kind = text(object, "kind");
  ondemand::object user = object["user"].get_object();
  e.user_id = user["id"].get_int64();
  e.name = text(user, "name");
  size_t count = 0;
  for (auto tag : object["tags"].get_array()) {
    if (count == e.tags.size()) e.tags.emplace_back();
    e.tags[count++] = std::string_view(tag.get_string());
  }
  e.values.clear();
  for (auto value : object["values"].get_array()) e.values.push_back(value.get_double());
  e.duration = object["duration"].get_double();
  e.ok = object["ok"].get_bool();
  e.path = text(object, "path");
  e.message = text(object, "message");
  return (uint64_t)e.id + e.message.size() + count + e.values.size();
}

static uint64_t sum;

int main(int count, char **arguments) {
  if (count != 4) return 2;
  const bool is_small = strtoul(arguments[1], nullptr, 10) < 100;
  padded_string json = padded_string::load(arguments[2]);
  // The first stage with the instructions for which the inline half is compiled.
  get_active_implementation() = builtin_implementation();
  ondemand::parser parser;
  event e;
  double best = 0, spent = 0;
  for (int round = 0; round < 3 || spent < atof(arguments[3]); round++) {
    const auto start = std::chrono::steady_clock::now();
    ondemand::document_stream stream = parser.iterate_many(json, 1 << 20);
    for (auto document : stream) {
      ondemand::object object = document.get_object();
      sum += is_small ? take_small(object, e) : take_large(object, e);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    spent += seconds;
    if (json.size() / 1e6 / seconds > best) best = json.size() / 1e6 / seconds;
  }
  printf("%s\tsimdjson iterate_many\t%.1f\n", arguments[1], best);
  return sum == 0;
}
