/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Looking into documents: look-ups that can be chained, exact leaves, strings, walks, parts into structs.
 */
#include "check.h"
#include "everything.h"

static const char json[] =
    "{\"user\":{\"name\":\"Z\\u00fc\\u0000\\n\",\"k\\\"y\":[1,-2.5,\"\",true,null]},"
    "\"big\":18446744073709551615,\"at\":{\"x\":1,\"y\":2},\"~/\":{\"a\":{}}}";

static void test_values(int32_t engine) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.engine = engine;
  decant_error error = DECANT_ERROR_INIT;
  decant_document *document = NULL;
  const char *text = engine == DECANT_NATIVE ? json : "{\"user\":{\"name\":\"Z\\u00fc\\u0000\\n\","
      "\"k\\\"y\":[1,-2.5,\"\",true,null]},\"at\":{\"x\":1,\"y\":2},\"~/\":{\"a\":{}}}";
  if (!check(decant_parse(text, strlen(text), &options, &document, &error) == DECANT_OK, "it parses")) {
    printf("%s\n", error.message);
    return;
  }
  decant_value root = decant_root(document);
  decant_value user = decant_get(root, "user");
  decant_value list = decant_get(user, "k\"y");
  check(decant_value_kind(root) == DECANT_VALUE_OBJECT, "an object");
  check(decant_count(root) == (engine == DECANT_NATIVE ? 4 : 3) && decant_count(list) == 5, "counts");
  size_t length = 99;
  const char *name = decant_get_string(decant_get(user, "name"), &length);
  check(length == 5 && memcmp(name, "Z\xC3\xBC\0\n", 6) == 0, "a string");
  check(decant_get_string(decant_element(list, 2), &length) != NULL && length == 0, "an empty string");
  check(decant_get_string(list, &length) == NULL, "an array is no string");

  int64_t integer = 7;
  double real = 7;
  bool flag = false;
  check(decant_get_int64(decant_element(list, 0), &integer) == DECANT_OK && integer == 1, "an integer");
  check(decant_get_int64(decant_element(list, 1), &integer) == DECANT_NOT_AN_INTEGER, "no integer");
  check(decant_get_double(decant_element(list, 1), &real) == DECANT_OK && real == -2.5, "a real");
  check(decant_get_bool(decant_element(list, 3), &flag) == DECANT_OK && flag, "a boolean");
  check(decant_get_bool(decant_element(list, 4), &flag) == DECANT_TYPE_MISMATCH, "null");
  check(integer == 1, "untouched");
  decant_value none = decant_element(decant_get(decant_get(root, "x"), "y"), 3);
  check(decant_value_kind(none) == DECANT_VALUE_MISSING, "look-ups chain");
  check(decant_get_int64(none, &integer) == DECANT_MISSING_KEY && decant_count(none) == 0, "missing");
  check(decant_value_kind(decant_element(list, 5)) == DECANT_VALUE_MISSING, "past the end");
  check(decant_value_kind(decant_at(root, "/user/k\"y/3")) == DECANT_VALUE_BOOL, "a pointer");
  check(decant_value_kind(decant_at(root, "/~0~1/a")) == DECANT_VALUE_OBJECT, "a pointer's escapes");
  check(decant_value_kind(decant_at(root, "nonsense")) == DECANT_VALUE_MISSING, "not a pointer");
  check(decant_value_kind(decant_at(root, "")) == DECANT_VALUE_OBJECT, "the whole document");

  unsigned members = 0;
  decant_iterator iterator = decant_iterate(user);
  while (decant_next(&iterator)) {
    members++;
    if (iterator.key_length == 3) check_text(iterator.key, "k\"y");
    if (iterator.key_length == 4) check_text(iterator.key, "name");
  }
  check(members == 2 && iterator.key == NULL, "a walk over members");
  unsigned elements = 0;
  for (iterator = decant_iterate(list); decant_next(&iterator); elements++) {}
  check(elements == 5, "a walk over elements");
  iterator = decant_iterate(decant_element(list, 0));
  check(!decant_next(&iterator), "a number has no elements");

  struct point point;
  check(decant_decode_value(&point_record, decant_get(root, "at"), &point, NULL, &error) == DECANT_OK &&
            point.y == 2, "a part into a struct");
  check(decant_decode_value(&point_record, list, &point, NULL, &error) == DECANT_TYPE_MISMATCH, "wrong");
  check(decant_decode_value(&point_record, none, &point, NULL, &error) == DECANT_INVALID_ARGUMENT, "none");
  if (engine == DECANT_NATIVE) {
    uint64_t big = 0;
    check(decant_get_uint64(decant_get(root, "big"), &big) == DECANT_OK && big == UINT64_MAX, "big");
    check(decant_get_int64(decant_get(root, "big"), &integer) == DECANT_NUMBER_OUT_OF_RANGE, "too big");
    const char *raw = decant_get_raw(decant_get(root, "at"), &length);
    check(length == 13 && memcmp(raw, "{\"x\":1,\"y\":2}", 13) == 0, "raw text");
  }
  decant_document_free(document);
}

static void test_nothing(void) {
  decant_value none = {NULL, 0};
  decant_iterator iterator = decant_iterate(none);
  decant_document *document = NULL;
  decant_error error = DECANT_ERROR_INIT;
  check(!decant_next(&iterator) && !decant_next(NULL), "a walk over nothing");
  check(decant_value_kind(none) == DECANT_VALUE_MISSING, "zeros are missing");
  check(decant_value_kind(decant_get(none, "a")) == DECANT_VALUE_MISSING, "so is all in it");
  check(decant_value_kind(decant_get(none, NULL)) == DECANT_VALUE_MISSING, "no key");
  check(decant_value_kind(decant_root(NULL)) == DECANT_VALUE_MISSING, "no document");
  check(decant_get_string(none, NULL) == NULL && decant_get_raw(none, NULL) == NULL, "no text");
  check(decant_parse("{", 1, NULL, &document, &error) == DECANT_UNEXPECTED_END, "a bad document");
  check(decant_parse("{}", 2, NULL, NULL, &error) == DECANT_INVALID_ARGUMENT, "no out");
  check(document == NULL, "out is untouched");
  decant_document_free(NULL);
}

int main(void) {
  test_values(DECANT_NATIVE);
#ifndef WITHOUT_JANSSON
  test_values(DECANT_JANSSON);
#endif
  test_nothing();
  return check_end();
}
