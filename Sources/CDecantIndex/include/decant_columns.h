// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Plain values into columns: what most members of most rows are. Anything else stops a run, and whoever called goes on
// with that field.
//
//   steps     "id" INTEGER   "name" VIEW   "tags" LIST       "at" RECORD
//   slots     "id" 7         "name" "Ann"  "tags" [ "a" "b"  "at" null
//   columns   7              Ann           a b               where decant_columns_fill stops
//
// A run adds no row to the record's own column, and none to the column of the field where it stops: but those below
// that one may have a row, or elements, which are to be taken back.

#ifndef DECANT_COLUMNS_H
#define DECANT_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "decant_walk.h"

DECANT_BEGIN

// What a run does with a value.
enum {
  DECANT_COLUMN_OTHER = 0,  // nothing: it stops
  DECANT_COLUMN_BOOL,       // a byte, 0 or 1
  DECANT_COLUMN_INT8,
  DECANT_COLUMN_INT16,
  DECANT_COLUMN_INT32,
  DECANT_COLUMN_INT64,
  DECANT_COLUMN_UINT8,
  DECANT_COLUMN_UINT16,
  DECANT_COLUMN_UINT32,
  DECANT_COLUMN_UINT64,
  DECANT_COLUMN_FLOAT,
  DECANT_COLUMN_DOUBLE,
  DECANT_COLUMN_VIEW,   // a view of 16 bytes, and text
  DECANT_COLUMN_TEXT,   // text, and where it ends
  DECANT_COLUMN_LIST,   // elements, and where they end
  DECANT_COLUMN_RECORD  // the columns of a record's fields
};

// What a run has to know of a column.
typedef struct DECANT_HANDLE decant_column {
  size_t count;     // rows
  size_t capacity;  // rows that there is space for
  uint8_t *values;
  uint8_t *text;
  size_t text_count, text_capacity;
  struct decant_column
      *children;  // of a list the one of its elements, of a record those of its fields
  const decant_field_step *steps;  // of a record, one for each field
  size_t field_count;
  uint8_t kind;  // DECANT_COLUMN_*
} decant_column;

// What all columns of a run have in common.
typedef struct DECANT_HANDLE decant_columns {
  const uint8_t
      *limit;  // the text's bytes up to here may be read, although the document may end before
  const uint8_t
      *input;  // where views of text that is not copied count from; NULL if all text is copied
  size_t input_length;  // as far as views reach
  size_t stride;        // bytes from a column to its next sibling
} decant_columns;

// Adds a row: the scalar at a slot. False if it is not plain, or there is no space for its text; then nothing happened.
bool decant_column_add(const decant_columns *columns, const decant_context *context, uint64_t node,
                       decant_column *column);

// Adds up to `count` rows, for which there is space: the scalars at as many slots. Returns how many.
size_t decant_column_add_all(const decant_columns *columns, const decant_context *context,
                             uint64_t node, size_t count, decant_column *column);

// Adds a row, for which there is space, to the columns of a record's fields from `field` on. The members are at `*key`
// and before `end`, in the order of the fields. Returns the field where it stopped, and where its key should be.
size_t decant_columns_fill(const decant_columns *columns, const decant_context *context,
                           const decant_column *record, size_t field, uint64_t *key, uint64_t end);

// Packs bytes, 0 or not, into bits, eight a byte, the first into the lowest bit, where the bytes are. Bits behind
// the last are 0. Returns how many bits are 1.
static inline size_t decant_pack_bits(uint8_t *bytes, size_t count) {
  size_t ones = 0;
  for (size_t at = 0; at < count; at += 8) {
    const size_t rest = count - at < 8 ? count - at : 8;
    uint8_t bits = 0;
    for (size_t bit = 0; bit < rest; bit++) bits |= (uint8_t)((bytes[at + bit] != 0) << bit);
    bytes[at / 8] = bits;
    ones += (size_t)__builtin_popcount(bits);
  }
  return ones;
}

DECANT_END

#endif
