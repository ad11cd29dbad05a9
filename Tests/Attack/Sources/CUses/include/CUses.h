/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* What a program in C does with an array of records. */
enum {
  USE_GET,
  USE_GET_MISSING,
  USE_NUMBER_OF_A_STRING,
  USE_ELEMENT_LOOP,
  USE_ELEMENT_LOOP_BACKWARDS,
  USE_ELEMENT_LOOP_SHUFFLED,
  USE_POINTERS,
  USE_POINTERS_MISSING,
  USE_RAW,
  USE_DECODE_VALUE,
  USE_DECODE_VALUE_FAILING,
  USE_DECODE_VALUE_FAILING_UNASKED,
  USE_ERROR_JSON,
  USE_ERROR_JSON_ALONE,
  USE_DECODE_ARRAY,
  USE_DECODE_ARRAY_FAILING,
  USE_DECODE_ARRAY_LARGE,
  USE_DECODE_LINES,
  USE_DECODE_LINES_FAILING,
  USE_DECODE_DOCUMENTS,
  USE_COLUMNS,
  USE_COLUMNS_FAILING
};

/* A number that depends on the work; 0 where the document cannot be read. */
size_t use_in_c(int use, const char *json, size_t length, int32_t engine);

/* The verbs that read a whole document or stream, and the tables that they read it by: eight integers
 * `a` to `h`, an array of integers `tags`, or an integer `id`. */
enum {
  VERB_ALONE, /* a call for each line */
  VERB_ARRAY,
  VERB_LINES,
  VERB_DOCUMENTS,
  VERB_ELEMENTS,
  VERB_COLUMNS,
  VERB_COLUMNS_OF_DOCUMENTS,
  VERB_COLUMNS_OF_ELEMENTS
};
enum { TABLE_FIELDS, TABLE_LIST, TABLE_ID };

/* What became of them; `found` is 0 where the verb is refused. Streams come in chunks of `chunk` bytes; 0: as a whole. */
struct verb_result {
  size_t found, good, bad;
};
struct verb_result verb_in_c(int verb, int table, const char *json, size_t length, size_t chunk,
                             int32_t engine);

/* Starts to count this thread's instructions; a negative number where the machine does not count them. */
int instructions_open(void);

/* Instructions since the counter was opened. */
int64_t instructions_read(int counter);

/* Decodes and encodes a record that contains itself, `{"c":[…]}`; returns a status of decant.h. */
int32_t stack_in_c(const char *json, size_t length);

/* Makes a table of a description, and opens columns of it; returns a status of decant.h. */
int32_t description_in_c(const char *json, size_t length);
