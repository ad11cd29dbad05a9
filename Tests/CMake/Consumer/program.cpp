// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A program in C++11: tables are filled by assignment, and an object of its own gives the struct back.

#include <decant.h>

#include <iostream>
#include <string>

namespace {

struct user {
  int64_t id;
  const char *name;
  void *storage;
};

decant_field field(const char *key, uint16_t kind, size_t offset) {
  decant_field field = decant_field();
  field.key = key;
  field.kind = kind;
  field.offset = static_cast<uint32_t>(offset);
  return field;
}

const decant_field fields[] = {field("id", DECANT_INT64, offsetof(user, id)),
                               field("name", DECANT_STRING, offsetof(user, name))};
const decant_record record = {sizeof(user), fields, 2, offsetof(user, storage), sizeof(decant_field),
                              0, nullptr};

class decoded_user {
 public:
  explicit decoded_user(const std::string &json) : value(), error(DECANT_ERROR_INIT) {
    status = decant_decode(&record, json.data(), json.size(), &value, &error);
  }
  ~decoded_user() { decant_free(&record, &value); }
  decoded_user(const decoded_user &) = delete;
  decoded_user &operator=(const decoded_user &) = delete;

  user value;
  decant_error error;
  decant_status status;
};

}  // namespace

int main() {
  const decoded_user fine("{\"id\": 5, \"name\": \"Tester\"}");
  const decoded_user wrong("{\"id\": \"5\", \"name\": \"Tester\"}");
  std::cout << fine.value.id << " " << fine.value.name << "\n" << wrong.error.message << "\n";
  return fine.status == DECANT_OK && std::string(fine.value.name) == "Tester" &&
                 wrong.status == DECANT_TYPE_MISMATCH && std::string(wrong.error.path) == "/id"
             ? 0
             : 1;
}
