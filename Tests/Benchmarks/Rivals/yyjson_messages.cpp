// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The messages of ordinary services (Messages/Message.swift) by yyjson: read into models that own their strings, and
// written through a tree that is made for each text.

#include "rivals.h"
#include "yyjson.hpp"

namespace {

// MARK: - Models

struct Log {
  std::string time, level, message;
  int64_t milliseconds;
};
struct Delta {
  std::optional<std::string> role, content;
};
struct Choice {
  int64_t index;
  Delta delta;
  std::optional<std::string> reason;
};
struct Chunk {
  std::string id;
  int64_t created;
  std::string model;
  std::vector<Choice> choices;
};
struct Customer {
  int64_t id;
  std::string name, email;
};
struct Item {
  std::string sku;
  int64_t quantity;
  double price;
};
struct Order {
  std::string id, status, created_at;
  double total;
  Customer customer;
  std::vector<Item> items;
  std::optional<std::string> notes;
};
struct Author {
  int64_t id;
  std::string name, screen_name;
  std::optional<std::string> description;
  int64_t followers;
  bool verified;
};
struct Post {
  std::string created_at;
  int64_t id;
  std::string text;
  int64_t retweets;
  bool favorited;
  std::optional<int64_t> reply;
  Author user;
};

// The members of each, in the order in which they are written.

template <typename Fields>
void visit(Fields &fields, Log &it) {
  fields("time", it.time);
  fields("level", it.level);
  fields("msg", it.message);
  fields("duration_ms", it.milliseconds);
}
template <typename Fields>
void visit(Fields &fields, Delta &it) {
  fields("role", it.role);
  fields("content", it.content);
}
template <typename Fields>
void visit(Fields &fields, Choice &it) {
  fields("index", it.index);
  fields("delta", it.delta);
  fields("finish_reason", it.reason);
}
template <typename Fields>
void visit(Fields &fields, Chunk &it) {
  fields("id", it.id);
  fields("created", it.created);
  fields("model", it.model);
  fields("choices", it.choices);
}
template <typename Fields>
void visit(Fields &fields, Customer &it) {
  fields("id", it.id);
  fields("name", it.name);
  fields("email", it.email);
}
template <typename Fields>
void visit(Fields &fields, Item &it) {
  fields("sku", it.sku);
  fields("quantity", it.quantity);
  fields("price", it.price);
}
template <typename Fields>
void visit(Fields &fields, Order &it) {
  fields("id", it.id);
  fields("status", it.status);
  fields("created_at", it.created_at);
  fields("total", it.total);
  fields("customer", it.customer);
  fields("items", it.items);
  fields("notes", it.notes);
}
template <typename Fields>
void visit(Fields &fields, Author &it) {
  fields("id", it.id);
  fields("name", it.name);
  fields("screen_name", it.screen_name);
  fields("description", it.description);
  fields("followers_count", it.followers);
  fields("verified", it.verified);
}
template <typename Fields>
void visit(Fields &fields, Post &it) {
  fields("created_at", it.created_at);
  fields("id", it.id);
  fields("text", it.text);
  fields("retweet_count", it.retweets);
  fields("favorited", it.favorited);
  fields("in_reply_to_status_id", it.reply);
  fields("user", it.user);
}

// MARK: - Reading

template <typename Model>
void decode(yyjson_val *value, Model &out);

struct Reader {
  Object object;

  template <size_t size, typename Value>
  void operator()(const char (&key)[size], Value &out) {
    decode(object[key], out);
  }
};

template <typename Model>
void decode(yyjson_val *value, Model &out) {
  Reader reader{Object(value)};
  visit(reader, out);
}

template <typename Model>
void read(const char *bytes, size_t length, Model &out) {
  thread_local Memory memory;
  const yyjson_alc allocator = memory.reused(length);
  yyjson_doc *const document =
      yyjson_read_opts(const_cast<char *>(bytes), length, 0, &allocator, nullptr);
  if (document == nullptr) throw std::runtime_error("no JSON");
  decode(yyjson_doc_get_root(document), out);
}

// MARK: - Writing

using tree = yyjson_mut_doc *;

yyjson_mut_val *make(tree it, int64_t &value) { return yyjson_mut_sint(it, value); }
yyjson_mut_val *make(tree it, double &value) { return yyjson_mut_real(it, value); }
yyjson_mut_val *make(tree it, bool &value) { return yyjson_mut_bool(it, value); }
yyjson_mut_val *make(tree it, std::string &value) {
  return yyjson_mut_strn(it, value.data(), value.size());
}
template <typename Model>
yyjson_mut_val *make(tree it, Model &value);

template <typename Element>
yyjson_mut_val *make(tree it, std::vector<Element> &values) {
  yyjson_mut_val *const array = yyjson_mut_arr(it);
  for (Element &value : values) yyjson_mut_arr_append(array, make(it, value));
  return array;
}

struct Writer {
  tree it;
  yyjson_mut_val *object;

  template <size_t size, typename Value>
  void operator()(const char (&key)[size], Value &value) {
    yyjson_mut_obj_add(object, yyjson_mut_strn(it, key, size - 1), make(it, value));
  }
  template <size_t size, typename Value>
  void operator()(const char (&key)[size], std::optional<Value> &value) {
    if (value) (*this)(key, *value);
  }
};

template <typename Model>
yyjson_mut_val *make(tree it, Model &value) {
  Writer writer{it, yyjson_mut_obj(it)};
  visit(writer, value);
  return writer.object;
}

// MARK: - The contender

struct State {
  int number;
  Log log;
  Chunk chunk;
  Order order;
  Post post;
  yyjson_alc *memory;
  char *text = nullptr;

  yyjson_mut_val *root(tree it) {
    switch (number) {
      case 0: return make(it, log);
      case 1: return make(it, chunk);
      case 2: return make(it, order);
      default: return make(it, post);
    }
  }
};

template <typename Model>
void read_once(const char *bytes, size_t length) {
  Model model{};
  read(bytes, length, model);
  benchmark_keep(&model);
}

int read_message(int number, const char *bytes, size_t length) try {
  switch (number) {
    case 0: read_once<Log>(bytes, length); break;
    case 1: read_once<Chunk>(bytes, length); break;
    case 2: read_once<Order>(bytes, length); break;
    default: read_once<Post>(bytes, length); break;
  }
  return 0;
} catch (const std::exception &) {
  return -1;
}

void *open_message(int number, const char *bytes, size_t length) try {
  auto state = std::make_unique<State>();
  state->number = number;
  switch (number) {
    case 0: read(bytes, length, state->log); break;
    case 1: read(bytes, length, state->chunk); break;
    case 2: read(bytes, length, state->order); break;
    default: read(bytes, length, state->post); break;
  }
  state->memory = yyjson_alc_dyn_new();
  return state.release();
} catch (const std::exception &) {
  return nullptr;
}

const char *write_message(void *opened, size_t *length) {
  State &state = *static_cast<State *>(opened);
  if (state.text != nullptr) state.memory->free(state.memory->ctx, state.text);
  const tree it = yyjson_mut_doc_new(state.memory);
  yyjson_mut_doc_set_root(it, state.root(it));
  state.text = yyjson_mut_write_opts(it, 0, state.memory, length, nullptr);
  yyjson_mut_doc_free(it);
  benchmark_keep(state.text);
  return state.text;
}

void close_message(void *opened) {
  State *const state = static_cast<State *>(opened);
  yyjson_alc_dyn_free(state->memory);
  delete state;
}

}  // namespace

const benchmark_messages yyjson_messages = {"yyjson", read_message, open_message, write_message,
                                            close_message};
