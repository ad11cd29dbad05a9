/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Documents: reading JSON without a struct
 *
 *     decant_document *document;
 *     if (decant_parse(json, length, NULL, &document, &error) == DECANT_OK) {
 *       decant_iterator members = decant_iterate(decant_at(decant_root(document), "/user"));
 *       while (decant_next(&members)) printf("%s\n", members.key);
 *       decant_document_free(document);
 *     }
 *
 * decant.h includes this header. Its rules apply here, too.
 */
#ifndef DECANT_DOCUMENTS_H
#define DECANT_DOCUMENTS_H

#include "decant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A parsed document. It owns a copy of the bytes, in one block of memory. It never changes, so
 * threads may share it; decant_document_free() must come last. */
typedef struct decant_document decant_document;

/* A value in a document, valid as long as the document. You may copy it. A look-up that finds
 * nothing returns a value of kind DECANT_VALUE_MISSING. Look-ups in a missing value return missing
 * values, so calls can be chained. A struct of zeros is a missing value. */
typedef struct decant_value {
  const decant_document *document;
  uint64_t node;
} decant_value;

/* Parses a document. `out` is written on success only. Takes twice the document's bytes, and the
 * index: eight bytes for each value or key, 16 for each array or object. In all, at most ten times
 * the document's bytes. */
decant_status decant_parse(
    const char *json, size_t length, const decant_options *options, decant_document **out,
    decant_error *error);

/* Releases a document. NULL does nothing. The allocator of the options must still work if it was
 * used. */
void decant_document_free(decant_document *document);

/* Returns the document's value. */
decant_value decant_root(const decant_document *document);

/* Returns DECANT_VALUE_NULL … DECANT_VALUE_OBJECT, or DECANT_VALUE_MISSING. */
int32_t decant_value_kind(decant_value value);

/* Returns the member of an object with a key; counted keys may contain NUL bytes. Takes expected
 * constant time in the order of the document. In any other order, m calls for an object of n
 * members take O(n + m). */
decant_value decant_get(decant_value object, const char *key);
decant_value decant_get_counted(decant_value object, const char *key, size_t length);

/* Returns the element of an array at an index from 0. In any order, m calls for an array of n
 * elements take O(n + m). After some calls, the array gets a table of 4 bytes for each 16 elements,
 * from the document's allocator. Without memory for the table, calls walk to their element. */
decant_value decant_element(decant_value array, size_t index);

/* Returns the value at an RFC 6901 pointer, such as /users/0/name. */
decant_value decant_at(decant_value value, const char *pointer);

/* Returns the number of elements of an array, or of members of an object, equal keys included; 0
 * for other kinds. Takes constant time for arrays. The native engine counts an object's members at
 * each call. */
size_t decant_count(decant_value container);

/* Read numbers and booleans exactly. They return DECANT_OK; or DECANT_TYPE_MISMATCH,
 * DECANT_NOT_AN_INTEGER, DECANT_NUMBER_OUT_OF_RANGE or DECANT_MISSING_KEY, and do not write
 * `out`. */
decant_status decant_get_int64(decant_value value, int64_t *out);
decant_status decant_get_uint64(decant_value value, uint64_t *out);
decant_status decant_get_double(decant_value value, double *out);
decant_status decant_get_bool(decant_value value, bool *out);

/* Returns a string's bytes, in UTF-8 and NUL-terminated, valid as long as the document; NULL for
 * other kinds. `length` may be NULL; only the length shows NUL bytes inside the string. */
const char *decant_get_string(decant_value value, size_t *length);

/* Returns a value's bytes in the document, not terminated; NULL for missing values, and with
 * libjansson. */
const char *decant_get_raw(decant_value value, size_t *length);

/* Iterates over an array or an object, in document order, including all members with equal keys. */
typedef struct decant_iterator {
  decant_value value;  /* the current element or member */
  const char *key;     /* the key of a member, NUL-terminated; NULL in arrays */
  size_t key_length;
  decant_value container;
  uint64_t position;
} decant_iterator;

/* Returns an iterator before the first element or member. Other kinds, and missing values, have
 * none. */
decant_iterator decant_iterate(decant_value container);

/* Moves to the next element or member. Returns false at the end. */
bool decant_next(decant_iterator *iterator);

/* Decodes a part of a document into a struct, as decant_decode_with() decodes a whole document.
 * Uses `memory`, `buffer`, `maximum_memory`, `maximum_errors`, `source_name` and `redacts_input` of
 * the options. Errors also show no values if the document was parsed with `redacts_input`. Paths
 * and places of errors count from the document's root. A missing value returns
 * DECANT_INVALID_ARGUMENT.
 *
 * Takes time linear in the part. The first error of a document also reads the whole document once,
 * and stores places with it: at most about a tenth of its bytes with DECANT_NATIVE, some 50 bytes a
 * value with DECANT_JANSSON. So n failing parts together cost one pass over the document. With
 * DECANT_JANSSON, if the part is null, true or false, and the document has several of them, its
 * path begins at the part. */
decant_status decant_decode_value(
    const decant_record *record, decant_value value, void *out, const decant_options *options,
    decant_error *error);

#ifdef __cplusplus
}
#endif

#endif
