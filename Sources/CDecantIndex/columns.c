// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Runs of plain values (decant_columns.h). Slots tell kinds and counts, so that a number of up to eight digits is one
// load, three multiplications and one store, and a short string two loads and two stores.

#include "decant_columns.h"

#include "decant_memory.h"
#include "decant_numbers.h"
#include "internal.h"

#define MOST_TEXT ((size_t)INT32_MAX)  // offsets of Arrow are 32 bits wide
#define SHORT_TEXT 12                  // the longest text that is inside of its view

// What values are read from, in registers.
struct source {
  const uint8_t *text;
  const uint8_t *limit;
  const uint8_t *input;
  size_t input_length;
};

DECANT_INLINE struct source make_source(const decant_columns *columns,
                                        const decant_context *context) {
  return (struct source){context->text, columns->limit, columns->input, columns->input_length};
}

// Whether so many bytes may be read.
DECANT_INLINE bool has_bytes(const struct source *source, const uint8_t *start, size_t count) {
  return DECANT_LIKELY((size_t)(source->limit - start) >= count);
}

// MARK: Numbers

// The value of one digit to sixteen; false if bytes behind them cannot be read.
DECANT_INLINE bool read_digits(const struct source *source, const uint8_t *start, uint32_t count,
                               uint64_t *value) {
  if (DECANT_LIKELY(count <= 8)) {
    if (!has_bytes(source, start, 8)) return false;
    // What is behind the digits is shifted out.
    *value = decant_eight_digits(decant_load_word(start) << (-8 * count & 63));
    return true;
  }
  const uint64_t head = decant_eight_digits(decant_load_word(start) << (128 - 8 * count));
  *value = head * 100000000 + decant_eight_digits(decant_load_word(start + count - 8));
  return true;
}

DECANT_INLINE bool read_integer(const struct source *source, uint64_t slot, int64_t *value) {
  const uint32_t facts = decant_slot_high(slot), digits = facts >> 8 & 0xFF;
  if ((facts & (DECANT_SCALAR_MASK | DECANT_NUMBER_REAL)) != DECANT_NUMBER || digits > 16)
    return false;
  const bool minus = (facts & DECANT_NUMBER_MINUS) != 0;
  uint64_t magnitude;
  const uint8_t *start = source->text + decant_slot_offset(slot) + minus;
  if (!read_digits(source, start, digits, &magnitude)) return false;
  *value = minus ? -(int64_t)magnitude : (int64_t)magnitude;
  return true;
}

// A number without exponent as an integer and a power of ten to divide by, both exact in a double; in a float, too, if
// there are at most seven digits.
DECANT_INLINE bool read_real(const struct source *source, uint64_t slot, uint32_t most,
                             int64_t *significand, uint32_t *places, bool *minus) {
  const uint32_t facts = decant_slot_high(slot);
  const uint32_t before = facts >> 8 & 0xFF, after = facts >> 16 & 0xFF;
  if ((facts & (DECANT_SCALAR_MASK | DECANT_NUMBER_EXPONENT)) != DECANT_NUMBER) return false;
  if (before + after > most) return false;
  *minus = (facts & DECANT_NUMBER_MINUS) != 0;
  *places = after;
  const uint8_t *start = source->text + decant_slot_offset(slot) + *minus;
  if (DECANT_LIKELY(before + after <= 7)) {
    if (!has_bytes(source, start, 8)) return false;
    *significand = decant_joined_digits(decant_load_word(start), before, after);
    return true;
  }
  uint64_t head, tail = 0;
  if (!read_digits(source, start, before, &head)) return false;
  if (after != 0 && !read_digits(source, start + before + 1, after, &tail)) return false;
  *significand = (int64_t)(head * decant_get_power_of_ten(after) + tail);
  return true;
}

DECANT_INLINE bool add_double(const struct source *source, uint64_t slot, decant_column *column) {
  int64_t significand;
  uint32_t places;
  bool minus;
  if (!read_real(source, slot, 15, &significand, &places, &minus)) return false;
  double value = (double)significand / decant_get_exact_power_of_ten(places);
  value = minus ? -value : value;
  memcpy(column->values + 8 * column->count++, &value, sizeof value);
  return true;
}

DECANT_INLINE bool add_float(const struct source *source, uint64_t slot, decant_column *column) {
  int64_t significand;
  uint32_t places;
  bool minus;
  if (!read_real(source, slot, 7, &significand, &places, &minus)) return false;
  float value = (float)significand / (float)decant_get_exact_power_of_ten(places);
  value = minus ? -value : value;
  memcpy(column->values + 4 * column->count++, &value, sizeof value);
  return true;
}

DECANT_INLINE bool add_bool(uint64_t slot, decant_column *column) {
  const uint32_t what = decant_slot_high(slot) - DECANT_FALSE;
  if (what > 1) return false;
  column->values[column->count++] = (uint8_t)what;
  return true;
}

#define ADD_INTEGER(type, least, most)                                           \
  do {                                                                           \
    int64_t integer;                                                             \
    if (!read_integer(source, slot, &integer)) return false;                     \
    if (integer < (least) || integer > (most)) return false;                     \
    const type value = (type)integer;                                            \
    memcpy(column->values + sizeof value * column->count, &value, sizeof value); \
    column->count++;                                                             \
    return true;                                                                 \
  } while (0)

// MARK: Text

// Copies a text behind the others of its column; false if there is no space.
DECANT_INLINE bool copy_text(const struct source *source, const uint8_t *start, size_t length,
                             decant_column *column) {
  const size_t space = column->text_capacity - column->text_count;
  // Less than what is left: the first text has memory, even an empty one.
  if (DECANT_UNLIKELY(length >= space || length > MOST_TEXT - column->text_count)) return false;
  uint8_t *const to = column->text + column->text_count;
  if (length <= 32 && space > 32 && has_bytes(source, start, 32)) {
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

DECANT_INLINE bool add_borrowed(const struct source *source, const uint8_t *start, uint32_t length,
                                decant_column *column) {
  const size_t place = (uintptr_t)start - (uintptr_t)source->input;
  if (length > source->input_length || place > source->input_length - length) return false;
  add_long(start, length, place, column);
  return true;
}

DECANT_INLINE bool add_view(const struct source *source, uint64_t slot, decant_column *column) {
  const uint32_t length = decant_slot_high(slot);
  if (length >= DECANT_STRING_LONG) return false;
  const uint8_t *start = source->text + decant_slot_offset(slot) + 1;
  if (length <= SHORT_TEXT) {
    if (!has_bytes(source, start, 16)) return false;
    add_short(start, length, column);
    return true;
  }
  if (source->input != NULL) return add_borrowed(source, start, length, column);
  if (!copy_text(source, start, length, column)) return false;
  add_long(start, length, column->text_count, column);
  column->text_count += length;
  return true;
}

DECANT_INLINE bool add_text(const struct source *source, uint64_t slot, decant_column *column) {
  const uint32_t length = decant_slot_high(slot);
  if (length >= DECANT_STRING_LONG) return false;
  if (!copy_text(source, source->text + decant_slot_offset(slot) + 1, length, column)) return false;
  column->text_count += length;
  const int32_t end = (int32_t)column->text_count;
  memcpy(column->values + 4 * ++column->count, &end, sizeof end);
  return true;
}

// MARK: Values

// Any scalar.
static __attribute__((noinline)) bool add_any(const decant_columns *columns,
                                              const decant_context *context, uint64_t slot,
                                              decant_column *column) {
  const struct source whole = make_source(columns, context), *const source = &whole;
  switch (column->kind) {
    case DECANT_COLUMN_VIEW: return add_view(source, slot, column);
    case DECANT_COLUMN_TEXT: return add_text(source, slot, column);
    case DECANT_COLUMN_INT64: ADD_INTEGER(int64_t, INT64_MIN, INT64_MAX);
    case DECANT_COLUMN_DOUBLE: return add_double(source, slot, column);
    case DECANT_COLUMN_BOOL: return add_bool(slot, column);
    case DECANT_COLUMN_INT32: ADD_INTEGER(int32_t, INT32_MIN, INT32_MAX);
    case DECANT_COLUMN_INT16: ADD_INTEGER(int16_t, INT16_MIN, INT16_MAX);
    case DECANT_COLUMN_INT8: ADD_INTEGER(int8_t, INT8_MIN, INT8_MAX);
    case DECANT_COLUMN_UINT8: ADD_INTEGER(uint8_t, 0, UINT8_MAX);
    case DECANT_COLUMN_UINT16: ADD_INTEGER(uint16_t, 0, UINT16_MAX);
    case DECANT_COLUMN_UINT32: ADD_INTEGER(uint32_t, 0, UINT32_MAX);
    case DECANT_COLUMN_UINT64: ADD_INTEGER(uint64_t, 0, INT64_MAX);
    case DECANT_COLUMN_FLOAT: return add_float(source, slot, column);
    default: return false;
  }
}

// What most values are, with as many bytes behind as a load takes: integers of up to eight digits, numbers of up to
// seven, short texts. False if it is something else; then nothing happened.
DECANT_INLINE bool add_short_integer(const uint8_t *text, uint64_t slot, decant_column *column) {
  const uint32_t facts = decant_slot_high(slot),
                 counts = DECANT_SCALAR_MASK | DECANT_NUMBER_REAL | 0xFF00;
  // One comparison for "a number, not real, and up to eight digits".
  if ((facts & counts) - DECANT_NUMBER > (8 << 8)) return false;
  const uint64_t minus = facts / DECANT_NUMBER_MINUS & 1;
  const uint64_t word = decant_load_word(text + decant_slot_offset(slot) + minus);
  const uint64_t value = (decant_eight_digits(word << (-8 * (facts >> 8) & 63)) ^ -minus) + minus;
  memcpy(column->values + 8 * column->count++, &value, sizeof value);
  return true;
}

DECANT_INLINE bool add_short_double(const uint8_t *text, uint64_t slot, decant_column *column) {
  const uint32_t facts = decant_slot_high(slot);
  const uint32_t before = facts >> 8 & 0xFF, after = facts >> 16 & 0xFF;
  if ((facts & (DECANT_SCALAR_MASK | DECANT_NUMBER_EXPONENT)) != DECANT_NUMBER) return false;
  if (before + after > 7) return false;
  const uint64_t minus = facts / DECANT_NUMBER_MINUS & 1;
  const uint64_t word = decant_load_word(text + decant_slot_offset(slot) + minus);
  double value =
      (double)decant_joined_digits(word, before, after) / decant_get_exact_power_of_ten(after);
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits |= minus << 63;
  memcpy(column->values + 8 * column->count++, &bits, sizeof bits);
  return true;
}

DECANT_INLINE bool add_short_text(const uint8_t *text, uint64_t slot, decant_column *column) {
  const uint32_t length = decant_slot_high(slot);
  if (length > SHORT_TEXT) return false;
  add_short(text + decant_slot_offset(slot) + 1, length, column);
  return true;
}

DECANT_INLINE bool add_scalar(const decant_columns *columns, const decant_context *context,
                              const uint8_t *text, uint64_t slot, decant_column *column) {
  switch (column->kind) {
    case DECANT_COLUMN_INT64:
      if (DECANT_LIKELY(add_short_integer(text, slot, column))) return true;
      break;
    case DECANT_COLUMN_VIEW:
      if (add_short_text(text, slot, column)) return true;
      if (columns->input != NULL && decant_slot_high(slot) < DECANT_STRING_LONG) {
        const struct source source = make_source(columns, context);
        return add_borrowed(&source, text + decant_slot_offset(slot) + 1, decant_slot_high(slot),
                            column);
      }
      break;
    case DECANT_COLUMN_DOUBLE:
      if (add_short_double(text, slot, column)) return true;
      break;
    case DECANT_COLUMN_BOOL: return add_bool(slot, column);
    default: break;
  }
  return add_any(columns, context, slot, column);
}

// Whether every load of add_scalar, and of a key, stays before the limit.
DECANT_INLINE bool is_roomy(const decant_columns *columns, const decant_context *context) {
  return DECANT_LIKELY((size_t)(columns->limit - context->text) >= context->length + 16);
}

bool decant_column_add(const decant_columns *columns, const decant_context *context, uint64_t node,
                       decant_column *column) {
  return add_any(columns, context, context->slots[node], column);
}

size_t decant_column_add_all(const decant_columns *columns, const decant_context *context,
                             uint64_t node, size_t count, decant_column *column) {
  const uint64_t *slots = context->slots + node;
  const uint8_t *const text = context->text;
  size_t added = 0;
  if (!is_roomy(columns, context)) {
    while (added < count && add_any(columns, context, slots[added], column)) added++;
    return added;
  }
  // Loops of their own for what most arrays are of.
  for (; added < count; added++) {
    if (column->kind == DECANT_COLUMN_DOUBLE) {
      while (added < count && add_short_double(text, slots[added], column)) added++;
    } else if (column->kind == DECANT_COLUMN_VIEW) {
      while (added < count && add_short_text(text, slots[added], column)) added++;
    } else if (column->kind == DECANT_COLUMN_INT64) {
      while (added < count && add_short_integer(text, slots[added], column)) added++;
    }
    if (added == count || !add_any(columns, context, slots[added], column)) break;
  }
  return added;
}

// An array of scalars.
static bool add_list(const decant_columns *columns, const decant_context *context, uint64_t node,
                     decant_column *column) {
  if ((decant_slot_high(context->slots[node]) & ~DECANT_NEXT) != DECANT_ARRAY) return false;
  const size_t count = (uint32_t)decant_second_slot(context, node);
  decant_column *const elements = column->children;
  if (count != 0) {
    if (count > elements->capacity - elements->count || count > MOST_TEXT - elements->count)
      return false;
    if (decant_column_add_all(columns, context, node + 2, count, elements) != count) return false;
  }
  const int32_t end = (int32_t)elements->count;
  memcpy(column->values + 4 * ++column->count, &end, sizeof end);
  return true;
}

static bool add_record(const decant_columns *columns, const decant_context *context, uint64_t node,
                       decant_column *column) {
  const uint32_t facts = decant_slot_high(context->slots[node]);
  // Members count in their order only in an object that nobody has looked into.
  if (facts < DECANT_OBJECT || decant_second_slot(context, node) != 0) return false;
  uint64_t key = node + 2;
  if (decant_columns_fill(columns, context, column, 0, &key, facts & DECANT_NEXT) !=
      column->field_count) {
    return false;
  }
  column->count++;
  return true;
}

DECANT_INLINE bool is_key(const uint8_t *text, uint64_t slot, const decant_field_step *step) {
  // A key with escapes has another number there.
  if (decant_slot_high(slot) != step->key.length) return false;
  const uint8_t *key = text + decant_slot_offset(slot) + 1;
  if (((decant_load_word(key) ^ step->key.word) & step->key.mask) != 0) return false;
  return DECANT_LIKELY(step->key.length <= 8) ||
         decant_key_equal(key + 8, step->name + 8, step->key.length - 8);
}

size_t decant_columns_fill(const decant_columns *columns, const decant_context *context,
                           const decant_column *record, size_t field, uint64_t *key, uint64_t end) {
  if (!is_roomy(columns, context)) return field;
  const uint8_t *const text = context->text;
  const uint64_t *const slots = context->slots;
  const size_t stride = columns->stride, count = record->field_count;
  const decant_field_step *step = record->steps + field;
  char *place = (char *)record->children + field * stride;
  uint64_t next = *key;
  for (; field < count; field++, step++, place += stride) {
    if (DECANT_UNLIKELY(next >= end) || !is_key(text, slots[next], step)) break;
    decant_column *const column = (decant_column *)(void *)place;
    if (DECANT_LIKELY(column->kind < DECANT_COLUMN_LIST)) {
      if (!add_scalar(columns, context, text, slots[next + 1], column)) break;
      next += 2;
    } else {
      const bool is_added = column->kind == DECANT_COLUMN_LIST
                                ? add_list(columns, context, next + 1, column)
                                : add_record(columns, context, next + 1, column);
      if (!is_added) break;
      next = decant_slot_high(slots[next + 1]) & DECANT_NEXT;
    }
  }
  *key = next;
  return field;
}
