// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Runs of plain values: members of an object that a table names, whose values are of the frequent forms. A run stores them
// into a struct and its block, or adds them to columns. It stops at anything else, and the caller continues with that
// field. Members in the order of the table are found at once. Others are looked for, first among those that were passed
// over, then among those that follow. A run stops when it has looked at MOST_LOOKED keys in this way.
//
//   steps     "id" INTEGER   "name" TEXT    "tags" ARRAY     "at" RECORD
//   slots     "id" 7         "name" "Ann"   "tags" [ "a" "b" "at" "here"
//   struct    7              → Ann          → a, b, 2        where decant_run_members stops
//   columns   7              Ann            a b              where decant_columns_fill stops
//
// Where it stops, the struct and its block are as before the field, except for bytes inside the field and after the
// block's end. The field's column has no new row. Columns below it may have a row or elements, which the caller removes.

#ifndef DECANT_RUNS_H
#define DECANT_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "decant_lines.h"
#include "decant_walk.h"

DECANT_BEGIN

// What a run does with a value. Up to DECANT_RUN_ARRAY, the numbers are those of FieldKind.swift.
enum {
  DECANT_RUN_BOOL = 0,  // a byte, 0 or 1
  DECANT_RUN_INT8,
  DECANT_RUN_INT16,
  DECANT_RUN_INT32,
  DECANT_RUN_INT64,
  DECANT_RUN_UINT8,
  DECANT_RUN_UINT16,
  DECANT_RUN_UINT32,
  DECANT_RUN_UINT64,
  DECANT_RUN_FLOAT,
  DECANT_RUN_DOUBLE,
  DECANT_RUN_STRING,       // of a struct: a pointer to text with a NUL byte behind it
  DECANT_RUN_TEXT,         // the same, and the length behind the pointer
  DECANT_RUN_RECORD = 18,  // the fields of a struct in a struct, or the columns of a record
  DECANT_RUN_ARRAY =
      20,           // of a struct: a pointer to elements; of columns: elements, and where they end
  DECANT_RUN_VIEW,  // of columns: a view of 16 bytes, and text
  DECANT_RUN_UTF8,  // of columns: text, and where it ends
  DECANT_RUN_DECIMAL,     // of columns: 16 bytes, units of 10^-scale
  DECANT_RUN_TIME,        // of columns: units of 10^-scale seconds since 1970
  DECANT_RUN_DATE,        // of columns: days since 1970, 4 bytes
  DECANT_RUN_ITSELF,      // of elements that are records of one field, the value itself: that field
  DECANT_RUN_RECORDS,     // of a struct: a pointer to structs
  DECANT_RUN_OTHER = 255  // nothing: it stops
};

// How many records and arrays of them in one another a run goes into: those in which it stops are visited again.
enum { DECANT_RUN_LEVELS = 4 };

// How records nest, which a walk and its runs count together.
typedef struct decant_nesting {
  size_t depth, deepest;         // records around this one
  size_t records, most_records;  // records that were visited
} decant_nesting;

// MARK: Structs

// The block that a run writes texts and elements into.
typedef struct DECANT_HANDLE decant_block_run {
  uint8_t *DECANT_NONNULL next;  // the bytes of the block from here on
  uint8_t *DECANT_NONNULL end;   // up to here are free
  const uint8_t *limit;  // the text's bytes up to here may be read; NULL: up to the document's end
} decant_block_run;

// The same, and a function that stores doubles of more digits than a run reads, one after another. It stops at a value that
// is no such double, and returns how many it stored.
typedef struct DECANT_HANDLE decant_struct_run {
  decant_block_run block;
  size_t (*DECANT_NONNULL store_doubles)(const decant_context *context, uint64_t node, size_t count,
                                         void *place);
} decant_struct_run;

// The members of an object that a walk and its runs are in.
typedef struct decant_run_place {
  uint64_t first, key,
      end;          // the slots of the first key and of the next one, and behind the last value
  uint64_t passed;  // a bit for the length of each key before the next one that was passed over
} decant_run_place;

// Stores the values of a record's fields from `*field` on into the struct at `out`. Their members are between `*key` and
// `end`, in the order of the fields. Moves both to where it stopped.
void decant_run_members(decant_struct_run *structs, decant_nesting *nesting,
                        const decant_context *context, const decant_record_steps *record,
                        size_t *field, uint64_t *key, uint64_t end, void *out);

// The same of members in any order.
void decant_run_others(decant_struct_run *structs, decant_nesting *nesting,
                       const decant_context *context, const decant_record_steps *record,
                       size_t *field, decant_run_place *members, void *out);

// Stores up to `count` records of an array, with members in any order, as structs one behind the other: they are zeros.
// Returns how many, and moves `node` from the first record to the one behind them.
size_t decant_run_records(decant_struct_run *structs, decant_nesting *nesting,
                          const decant_context *context, const decant_record_steps *record,
                          uint64_t *node, size_t count, void *first);

// The slot of a step's key; 0 if it is not found. Moves behind its value, if that follows.
uint64_t decant_run_find(const decant_context *context, const decant_field_step *step,
                         decant_run_place *members);

// Stores a scalar of a kind up to DECANT_RUN_TEXT at `place`, and the length of a text at `length`, if that is not NULL.
// False, and nothing is stored, if the value is not plain or its text does not fit.
bool decant_run_value(decant_block_run *block, const decant_context *context, uint64_t node,
                      uint8_t kind, void *place, void *length);

// Stores up to `count` elements of an array, at least one, which are scalars of a kind. Returns how many were stored.
size_t decant_run_all_elements(decant_block_run *block, const decant_context *context,
                               uint64_t array, size_t count, uint8_t kind, void *place);
static inline size_t decant_run_elements(decant_block_run *block, const decant_context *context,
                                         uint64_t array, size_t count, uint8_t kind, void *place) {
  // Reals of many digits are not plain. If the first element is one, most others are.
  const uint32_t facts = decant_slot_high(context->slots[array + 2]);
  if (kind == DECANT_RUN_DOUBLE && (facts >> 8 & 0xFF) + (facts >> 16 & 0xFF) > 15) return 0;
  return decant_run_all_elements(block, context, array, count, kind, place);
}

// MARK: Structs as text

// Where a run writes.
typedef struct DECANT_HANDLE decant_text_run {
  uint8_t *DECANT_NONNULL next;
  uint8_t *DECANT_NONNULL limit;  // no byte here or behind it is written
  uint8_t separator;              // what is before the next member or element
} decant_text_run;

// Writes the members of a struct from a field on, each behind a separator. Returns the field where it stopped: the text
// ends before it. Records and arrays of them nest up to `levels` deep.
size_t decant_run_write_members(decant_text_run *text, const decant_record_steps *record,
                                size_t field, const void *value, size_t levels);

// Writes up to `count` structs of an array, each behind a separator, as objects. Returns how many.
size_t decant_run_write_records(decant_text_run *text, const decant_record_steps *record,
                                const void *first, size_t count, size_t levels);

// MARK: Columns

// A column, as a run sees it.
typedef struct DECANT_HANDLE decant_column {
  size_t count;     // rows
  size_t capacity;  // rows that there is space for
  uint8_t *values;
  uint8_t *text;
  size_t text_count, text_capacity;
  struct decant_column
      *children;  // of a list the one of its elements, of a record those of its fields
  const decant_record_steps *record;  // of a record
  uint8_t kind;                       // DECANT_RUN_*
  uint8_t scale, precision;           // of decimals, and the scale of times: 0, 3, 6 or 9
  bool is_zoneless;                   // of times: texts have no zone
} decant_column;

// What all columns of a run share.
typedef struct DECANT_HANDLE decant_columns {
  const uint8_t
      *limit;  // the text's bytes up to here may be read, although the document may end before
  const uint8_t
      *input;  // where views of text that is not copied count from; NULL if all text is copied
  size_t input_length;  // as far as views reach
  size_t stride;        // bytes from a column to its next sibling
} decant_columns;

// Adds a row: the scalar at a slot. False, and nothing is added, if the value is not plain or its text does not fit.
bool decant_column_add(const decant_columns *columns, const decant_context *context, uint64_t node,
                       decant_column *column);

// Adds up to `count` rows, for which there is space: the first elements of an array. Returns how many.
size_t decant_column_add_all(const decant_columns *columns, const decant_context *context,
                             uint64_t array, size_t count, decant_column *column);

// Adds a row, for which there is space, to the columns of a record's fields from `*field` on. The members are between
// `*key` and `end`, in the order of the fields. Moves both to where it stopped.
void decant_columns_fill(const decant_columns *columns, decant_nesting *nesting,
                         const decant_context *context, const decant_column *record, size_t *field,
                         uint64_t *key, uint64_t end);

// As decant_run_others().
void decant_columns_fill_others(const decant_columns *columns, decant_nesting *nesting,
                                const decant_context *context, const decant_column *record,
                                size_t *field, decant_run_place *members);

// Lines whose members are those of a record, in its order, with plain values, from an index of lines straight into columns:
// without slots.
typedef struct decant_column_lines {
  // What there may be: rows; and bytes, of a line and of all, which are not counted on from `look` bytes.
  size_t most_rows, most_line, most_bytes, look;
  decant_column *numbers;  // the column of line numbers, or NULL
  int64_t number;          // the number of the next line
  // What was added, and where the index is: the first byte behind the lines that were passed.
  size_t rows, bytes, lines, next;
  bool
      is_stopped;  // at a line that is left to the index; columns may have more of it than rows, which the caller removes
  bool are_unlike;  // so many lines were left that no others will be tried
} decant_column_lines;

// Adds rows, for which there is space, to a record's columns, as long as the next lines of an index have them. Every column
// below is one that runs take. The text of the lines is that of the index; `lines` has zeros where the results are.
void decant_columns_add_lines(decant_line_index *index, const decant_columns *columns,
                              decant_column *record, decant_column_lines *lines);

// Packs bytes, zero or not, into bits in place: eight a byte, the first into the lowest bit. Bits after the last are 0.
// Returns the number of bits that are 1.
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
