// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values of a run as rows of columns (decant_runs.h): the next row is at the column's end.

#ifndef DECANT_INDEX_RUNS_COLUMNS_H
#define DECANT_INDEX_RUNS_COLUMNS_H

#include "runs_others.h"
#include "runs_values.h"

#define MOST_TEXT  ((size_t)INT32_MAX)  // offsets of Arrow are 32 bits wide
#define SHORT_TEXT 12                   // the longest text that is inside of its view

// Returns space for a text after the others of its column; NULL if there is none.
DECANT_INLINE uint8_t *text_space(const decant_column *column, size_t length) {
  const size_t space = column->text_capacity - column->text_count;
  // Less than the remaining space, so that even an empty first text has memory.
  if (DECANT_UNLIKELY(length >= space || length > MOST_TEXT - column->text_count)) {
    DECANT_KEEP_RETURN();
    return NULL;
  }
  return column->text + column->text_count;
}

DECANT_INLINE bool append_text(const uint8_t *start, size_t length, const decant_column *column) {
  uint8_t *const to = text_space(column, length);
  if (to == NULL) return false;
  if (length <= 32 && column->text_capacity - column->text_count > 32) {
    decant_copy_32(to, start);
  } else {
    decant_copy_bytes(to, start, length);
  }
  return true;
}

// A text that is inside of its view: the first twelve of sixteen bytes, with zeros behind the last.
DECANT_INLINE void add_short(const uint8_t *start, uint32_t length, decant_column *column) {
  const uint8_t *const masks = decant_prefix_masks + 16 - length;
  uint8_t *const to = column->values + 16 * column->count++;
  uint64_t text, mask;
  uint32_t end, end_mask;
  memcpy(&text, start, 8);
  memcpy(&mask, masks, 8);
  memcpy(&end, start + 8, 4);
  memcpy(&end_mask, masks + 8, 4);
  text &= mask;
  end &= end_mask;
  memcpy(to, &length, 4);
  memcpy(to + 4, &text, 8);
  memcpy(to + 12, &end, 4);
}

// A text that is at a place of the first buffer.
DECANT_INLINE void add_long(const uint8_t *start, uint32_t length, size_t place,
                            decant_column *column) {
  const uint32_t buffer = 0, offset = (uint32_t)place;
  uint8_t *const to = column->values + 16 * column->count++;
  memcpy(to, &length, 4);
  memcpy(to + 4, start, 4);
  memcpy(to + 8, &buffer, 4);
  memcpy(to + 12, &offset, 4);
}

// A text with escapes, which is copied behind the others and read from there.
static __attribute__((noinline)) bool add_escaped_view(const decant_columns *columns,
                                                       const uint8_t *start, uint32_t tag,
                                                       decant_column *column) {
  const uint32_t length = tag & DECANT_STRING_LONG;
  // Where views refer to the input, copied text is in another buffer.
  if (columns->input != NULL || tag >= DECANT_STRING_LIMIT || length == DECANT_STRING_LONG)
    return false;
  uint8_t *const to = text_space(column, length + SHORT_TEXT);
  if (to == NULL) return false;
  const uint32_t count = (uint32_t)decant_unescape(start, length, to);
  if (count <= SHORT_TEXT) {
    add_short(to, count, column);
  } else {
    add_long(to, count, column->text_count, column);
    column->text_count += count;
  }
  return true;
}

DECANT_INLINE bool add_view(const decant_columns *columns, const uint8_t *text, uint64_t slot,
                            decant_column *column) {
  const uint32_t length = decant_slot_high(slot);
  const uint8_t *start = text + decant_slot_offset(slot) + 1;
  if (length <= SHORT_TEXT) {
    add_short(start, length, column);
    return true;
  }
  if (DECANT_UNLIKELY(length >= DECANT_STRING_LONG))
    return add_escaped_view(columns, start, length, column);
  if (columns->input != NULL) {
    const size_t place = (uintptr_t)start - (uintptr_t)columns->input;
    if (length > columns->input_length || place > columns->input_length - length) return false;
    add_long(start, length, place, column);
    return true;
  }
  if (!append_text(start, length, column)) return false;
  add_long(start, length, column->text_count, column);
  column->text_count += length;
  return true;
}

DECANT_INLINE void end_utf8(decant_column *column, uint32_t length) {
  column->text_count += length;
  const int32_t end = (int32_t)column->text_count;
  memcpy(column->values + 4 * ++column->count, &end, sizeof end);
}

// A text that is long, or has escapes: they are never shorter than what they spell.
static __attribute__((noinline)) bool add_any_utf8(const uint8_t *start, uint32_t tag,
                                                   decant_column *column) {
  const uint32_t length = tag & DECANT_STRING_LONG;
  if (tag >= DECANT_STRING_LIMIT || length == DECANT_STRING_LONG) return false;
  if ((tag & DECANT_STRING_ESCAPE) == 0) {
    if (!append_text(start, length, column)) return false;
    end_utf8(column, length);
    return true;
  }
  uint8_t *const to = text_space(column, length);
  if (to == NULL) return false;
  end_utf8(column, (uint32_t)decant_unescape(start, length, to));
  return true;
}

DECANT_INLINE bool add_utf8(const uint8_t *text, uint64_t slot, decant_column *column) {
  // That of a text with escapes is more.
  const uint32_t length = decant_slot_high(slot);
  const uint8_t *const start = text + decant_slot_offset(slot) + 1;
  // Most texts are short, and there is space for as many bytes as are copied.
  const size_t count = column->text_count;
  if (DECANT_UNLIKELY(length > 32 || column->text_capacity < count + 33 || count > MOST_TEXT - 32))
    return add_any_utf8(start, length, column);
  decant_copy_32(column->text + count, start);
  end_utf8(column, length);
  return true;
}

// Decimals, dates and times in their usual forms. Decimals.swift and JSONTimestamp.swift read the other forms.
static bool add_other(const uint8_t *text, uint64_t slot, decant_column *column) {
  uint8_t *const place = column->values;
  const size_t row = column->count;
  const bool is_added =
      column->kind == DECANT_RUN_DECIMAL
          ? decant_store_decimal(text, slot, column->precision, column->scale, place + 16 * row)
      : column->kind == DECANT_RUN_TIME
          ? decant_store_time(text, slot, column->scale, column->is_zoneless, place + 8 * row)
          : column->kind == DECANT_RUN_DATE && decant_store_date(text, slot, place + 4 * row);
  column->count += is_added;
  return is_added;
}

DECANT_INLINE bool add_scalar(const decant_columns *columns, const uint8_t *text, uint64_t slot,
                              decant_column *column) {
  const uint8_t kind = column->kind;
  if (kind <= DECANT_RUN_DOUBLE) {
    uint8_t *const place = column->values + width_of(kind) * column->count;
    if (!store_number(text, slot, kind, place)) return false;
    column->count++;
    return true;
  }
  if (kind == DECANT_RUN_VIEW) return add_view(columns, text, slot, column);
  if (kind == DECANT_RUN_UTF8) return add_utf8(text, slot, column);
  return add_other(text, slot, column);
}

DECANT_INLINE void end_list(decant_column *column) {
  const int32_t end = (int32_t)column->children->count;
  memcpy(column->values + 4 * ++column->count, &end, sizeof end);
}

#endif
