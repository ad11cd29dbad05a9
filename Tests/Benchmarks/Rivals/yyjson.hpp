// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What readers over the tree of yyjson share. Failure is an exception.

#ifndef RIVAL_YYJSON_HPP
#define RIVAL_YYJSON_HPP

#include <yyjson.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// The members of an object, each sought from where the last was found.
class Object {
 public:
  explicit Object(yyjson_val *value) {
    if (!yyjson_obj_iter_init(value, &iterator)) throw std::runtime_error("no object");
  }

  template <size_t size>
  yyjson_val *operator[](const char (&key)[size]) {
    return yyjson_obj_iter_getn(&iterator, key, size - 1);
  }

 private:
  yyjson_obj_iter iterator;
};

void decode(yyjson_val *value, int64_t &out) {
  if (!yyjson_is_int(value)) throw std::runtime_error("no integer");
  if (yyjson_is_uint(value) && yyjson_get_uint(value) > INT64_MAX)
    throw std::runtime_error("too large");
  out = yyjson_get_sint(value);
}

void decode(yyjson_val *value, double &out) {
  if (!yyjson_is_num(value)) throw std::runtime_error("no number");
  out = yyjson_get_num(value);
}

void decode(yyjson_val *value, bool &out) {
  if (!yyjson_is_bool(value)) throw std::runtime_error("no boolean");
  out = yyjson_get_bool(value);
}

void decode(yyjson_val *value, std::string &out) {
  if (!yyjson_is_str(value)) throw std::runtime_error("no string");
  out.assign(yyjson_get_str(value), yyjson_get_len(value));
}

template <typename Element>
void decode(yyjson_val *value, std::optional<Element> &out) {
  if (value != nullptr && !yyjson_is_null(value)) decode(value, out.emplace());
}

template <typename Element>
void decode(yyjson_val *value, std::vector<Element> &out) {
  if (!yyjson_is_arr(value)) throw std::runtime_error("no array");
  out.reserve(yyjson_arr_size(value));
  size_t at, count;
  yyjson_val *element;
  yyjson_arr_foreach(value, at, count, element) decode(element, out.emplace_back());
}

// What one thread decodes with: as much memory as the largest document can need.
struct Memory {
  std::unique_ptr<char[]> bytes;
  size_t size = 0;

  yyjson_alc reused(size_t length) {
    const size_t needed = yyjson_read_max_memory_usage(length, 0);
    if (needed > size) {
      bytes.reset(new char[needed]);
      size = needed;
    }
    yyjson_alc allocator;
    yyjson_alc_pool_init(&allocator, bytes.get(), size);
    return allocator;
  }
};

}  // namespace

#endif
