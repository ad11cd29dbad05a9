/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The page's half in WebAssembly: a struct, its table, and functions that page.js calls. Strings and structs are in
 * the module's memory, where page.js reads them.
 */
#include <decant.h>
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* What the page decodes. */
struct user {
  int64_t id;
  const char *name;
  const char *email;
  int32_t role;
  double score;
  bool active;
  decant_text *tags;
  size_t tag_count;
  void *storage;
};

static const decant_name roles[] = {{"guest", 0}, {"member", 1}, {"admin", 2}, {NULL, 0}};

static const decant_field fields[] = {
    {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct user, id)},
    {.key = "name", .kind = DECANT_STRING, .offset = offsetof(struct user, name)},
    {.key = "email",
     .kind = DECANT_STRING,
     .offset = offsetof(struct user, email),
     .flags = DECANT_OPTIONAL},
    {.key = "role", .kind = DECANT_ENUM, .offset = offsetof(struct user, role), .names = roles},
    {.key = "score",
     .kind = DECANT_DOUBLE,
     .offset = offsetof(struct user, score),
     .flags = DECANT_OPTIONAL},
    {.key = "active", .kind = DECANT_BOOL, .offset = offsetof(struct user, active)},
    {.key = "tags",
     .kind = DECANT_ARRAY,
     .element = DECANT_TEXT,
     .offset = offsetof(struct user, tags),
     .length_offset = offsetof(struct user, tag_count),
     .flags = DECANT_OPTIONAL}};

static const decant_record record = {.size = sizeof(struct user),
                                     .fields = fields,
                                     .field_count = sizeof fields / sizeof *fields,
                                     .storage_offset = offsetof(struct user, storage)};

static struct user user;
static decant_error error = DECANT_ERROR_INIT;
static char *input;

/* The table, as page.js shows it: key, kind, offset and length_offset of a field. */
EXPORT(field_count) size_t field_count(void) { return record.field_count; }
EXPORT(field_key) const char *field_key(size_t at) { return fields[at].key; }
EXPORT(field_kind) int field_kind(size_t at) { return fields[at].kind; }
EXPORT(field_offset) size_t field_offset(size_t at) { return fields[at].offset; }
EXPORT(field_length_offset) size_t field_length_offset(size_t at) {
  return fields[at].length_offset;
}
EXPORT(role_name) const char *role_name(size_t at) { return roles[at].name; }

/* Where a document of so many bytes is to be written; NULL if there is no memory. */
EXPORT(input_buffer) char *input_buffer(size_t length) {
  free(input);
  return input = malloc(length + 1);
}

/* Decodes the document in the buffer. */
EXPORT(decode) int decode(size_t length) {
  decant_free(&record, &user);
  return decant_decode(&record, input, length, &user, &error);
}

EXPORT(value) const struct user *value(void) { return &user; }
EXPORT(message) const char *message(void) { return error.message; }

/* All errors of the last document, for programs. */
EXPORT(errors) const char *errors(void) {
  static char json[16384];
  decant_error_json(&error, json, sizeof json);
  return json;
}
