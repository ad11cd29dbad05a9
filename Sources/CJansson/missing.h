// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// libjansson's names without libjansson: enough for DecantJansson to compile on a machine that lacks it. Nothing is ever
// parsed with these, so no tree exists and no function below is called with one.

#ifndef CJANSSON_MISSING_H
#define CJANSSON_MISSING_H

#include <stdlib.h>

typedef enum {
  JSON_OBJECT,
  JSON_ARRAY,
  JSON_STRING,
  JSON_INTEGER,
  JSON_REAL,
  JSON_TRUE,
  JSON_FALSE,
  JSON_NULL
} json_type;
typedef struct json_t {
  json_type type;
  volatile size_t refcount;
} json_t;
typedef long long json_int_t;
typedef struct json_error_t {
  int line, column, position;
  char source[80], text[160];
} json_error_t;
enum json_error_code {
  json_error_unknown,
  json_error_out_of_memory,
  json_error_stack_overflow,
  json_error_invalid_syntax,
  json_error_premature_end_of_input,
  json_error_end_of_input_expected,
  json_error_invalid_utf8,
  json_error_duplicate_key,
  json_error_numeric_overflow
};

static inline enum json_error_code json_error_code(const json_error_t *error) {
  return error != NULL ? json_error_unknown : json_error_out_of_memory;
}
static inline json_type decant_jansson_type(const json_t *value) { return value->type; }
static inline size_t decant_jansson_any(void) { return 0; }
static inline size_t decant_jansson_allow_nul(void) { return 0; }
static inline size_t decant_jansson_reject_duplicates(void) { return 0; }

static inline json_t *json_incref(json_t *value) { return value; }
static inline void json_decref(json_t *value) { (void)value; }
static inline void json_object_seed(size_t seed) { (void)seed; }
static inline json_t *json_loadb(const char *text, size_t length, size_t flags,
                                 json_error_t *error) {
  (void)text, (void)length, (void)flags, (void)error;
  return NULL;
}

static inline size_t json_object_size(const json_t *object) { return (void)object, (size_t)0; }
static inline json_t *json_object_getn(const json_t *object, const char *key, size_t length) {
  (void)object, (void)key, (void)length;
  return NULL;
}
static inline void *json_object_iter(json_t *object) { return (void)object, NULL; }
static inline void *json_object_iter_next(json_t *object, void *at) { return (void)object, at; }
static inline const char *json_object_iter_key(void *at) { return (const char *)at; }
static inline size_t json_object_iter_key_len(void *at) { return (void)at, (size_t)0; }
static inline json_t *json_object_iter_value(void *at) { return (json_t *)at; }

static inline size_t json_array_size(const json_t *array) { return (void)array, (size_t)0; }
static inline json_t *json_array_get(const json_t *array, size_t index) {
  (void)array, (void)index;
  return NULL;
}
static inline json_int_t json_integer_value(const json_t *value) { return (void)value, 0; }
static inline double json_real_value(const json_t *value) { return (void)value, 0; }
static inline const char *json_string_value(const json_t *value) { return (void)value, NULL; }
static inline size_t json_string_length(const json_t *value) { return (void)value, (size_t)0; }

#endif
