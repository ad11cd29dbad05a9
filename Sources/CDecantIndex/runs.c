// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Runs of plain values (decant_runs.h). Slots tell kinds and counts, so that a number of up to eight digits is one
// load, three multiplications and one store, and a short string two loads and two stores.
//
// One loop over members is compiled twice, for structs and for columns. A field of a struct is at its offset, and the next
// row of a column is at the column's end; the same function then stores a number. Texts and arrays differ in the place of
// their bytes and elements.

#include "decant_runs.h"

#include "runs_others.h"
#include "runs_values.h"

#define MOST_TEXT  ((size_t)INT32_MAX)  // offsets of Arrow are 32 bits wide
#define SHORT_TEXT 12                   // the longest text that is inside of its view

// MARK: Structs

// Space for elements of a width that is a power of two up to 16, aligned to it; NULL if there is none.
DECANT_INLINE char *make_space(decant_block_run *block, size_t count, uint32_t shift) {
  const size_t padding = (0 - (uintptr_t)block->next) & (((size_t)1 << shift) - 1);
  const size_t space = (size_t)(block->end - block->next);
  if (padding > space || count > (space - padding) >> shift) return NULL;
  uint8_t *const start = block->next + padding;
  block->next = start + (count << shift);
  return (char *)start;
}

static __attribute__((noinline)) bool store_array(const struct run *run,
                                                  const decant_field_step *step, uint64_t node,
                                                  char *out) {
  if (!is_array(run->slots[node])) return false;
  const size_t count = (uint32_t)second_slot(run, node);
  const uint8_t kind = step->element;
  if (kind > DECANT_RUN_TEXT) return false;
  if (count != 0) {
    uint8_t *const before = run->block->next;
    char *const first = make_space(run->block, count, step->shift);
    if (first == NULL || readable_elements(run, node, count) != count ||
        store_elements(run, node + 2, count, kind, first) != count) {
      run->block->next = before;
      return false;
    }
    memcpy(out + step->offset, &first, sizeof first);
  }
  if (step->length_offset != 0) memcpy(out + step->length_offset, &count, sizeof count);
  return true;
}

DECANT_INLINE bool store_field(struct run *run, uint64_t slot, const decant_field_step *step,
                               uint64_t node, char *out) {
  const uint8_t kind = step->run;
  char *const place = out + step->offset;
  bool is_stored;
  switch (kind) {
    case DECANT_RUN_STRING:
    case DECANT_RUN_TEXT: {
      const uint8_t *const start = run->block->next, *const end = store_text(run->block, run->text,
                                                                             slot, kind, place);
      is_stored = end != NULL;
      if (step->length_offset != 0 && is_stored) {
        const size_t length = (size_t)(end - start);
        memcpy(out + step->length_offset, &length, sizeof length);
      }
      break;
    }
    case DECANT_RUN_ARRAY: is_stored = store_array(run, step, node, out); break;
    case DECANT_RUN_RECORD: is_stored = false; break;
    case DECANT_RUN_OTHER: return false;
    default: is_stored = store_number(run->text, slot, kind, place);
  }
  // If null is accepted, the struct has its value already.
  if (DECANT_UNLIKELY(!is_stored)) {
    if (decant_slot_high(slot) != DECANT_NULL || !step->is_optional) return false;
    // The struct's defaults may have a presence.
    if (step->presence_offset != 0) out[step->presence_offset] = 0;
    return true;
  }
  if (step->presence_offset != 0) out[step->presence_offset] = 1;
  return true;
}

// MARK: Columns

// Returns space for a text after the others of its column; NULL if there is none.
DECANT_INLINE uint8_t *text_space(const decant_column *column, size_t length) {
  const size_t space = column->text_capacity - column->text_count;
  // Less than the remaining space, so that even an empty first text has memory.
  if (DECANT_UNLIKELY(length >= space || length > MOST_TEXT - column->text_count)) return NULL;
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

DECANT_INLINE bool add_view(const decant_columns *columns, const uint8_t *text, uint64_t slot,
                            decant_column *column) {
  const uint32_t length = decant_slot_high(slot);
  const uint8_t *start = text + decant_slot_offset(slot) + 1;
  if (length <= SHORT_TEXT) {
    add_short(start, length, column);
    return true;
  }
  if (length >= DECANT_STRING_LONG) return false;
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

static __attribute__((noinline)) bool add_long_utf8(const uint8_t *start, uint32_t length,
                                                    decant_column *column) {
  if (length >= DECANT_STRING_LONG || !append_text(start, length, column)) return false;
  end_utf8(column, length);
  return true;
}

DECANT_INLINE bool add_utf8(const uint8_t *text, uint64_t slot, decant_column *column) {
  const uint32_t length = decant_slot_high(slot);
  const uint8_t *const start = text + decant_slot_offset(slot) + 1;
  // Most texts are short, and there is space for as many bytes as are copied.
  const size_t count = column->text_count;
  if (DECANT_UNLIKELY(length > 32 || column->text_capacity < count + 33 || count > MOST_TEXT - 32))
    return add_long_utf8(start, length, column);
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
    uint8_t *const place = column->values + number_width(kind) * column->count;
    if (!store_number(text, slot, kind, place)) return false;
    column->count++;
    return true;
  }
  if (kind == DECANT_RUN_VIEW) return add_view(columns, text, slot, column);
  if (kind == DECANT_RUN_UTF8) return add_utf8(text, slot, column);
  return add_other(text, slot, column);
}

static size_t add_all(const struct run *run, uint64_t node, size_t count, decant_column *column) {
  if (column->kind == DECANT_RUN_ITSELF) {
    const size_t added = add_all(run, node, count, column->children);
    column->count += added;
    return added;
  }
  if (column->kind <= DECANT_RUN_DOUBLE) {
    char *const place = (char *)column->values + number_width(column->kind) * column->count;
    const size_t added = decant_store_numbers(run, node, count, column->kind, place);
    column->count += added;
    return added;
  }
  size_t added = 0;
  while (added < count && add_scalar(run->columns, run->text, run->slots[node + added], column))
    added++;
  return added;
}

// An array of scalars.
static __attribute__((noinline)) bool add_list(const struct run *run, uint64_t node,
                                               decant_column *column) {
  if (!is_array(run->slots[node])) return false;
  const size_t count = (uint32_t)second_slot(run, node);
  decant_column *const elements = column->children;
  if (count != 0) {
    if (count > elements->capacity - elements->count || count > MOST_TEXT - elements->count)
      return false;
    if (readable_elements(run, node, count) != count ||
        add_all(run, node + 2, count, elements) != count)
      return false;
  }
  const int32_t end = (int32_t)elements->count;
  memcpy(column->values + 4 * ++column->count, &end, sizeof end);
  return true;
}

DECANT_INLINE bool add_field(struct run *run, uint64_t slot, decant_column *column, uint64_t node) {
  if (column->kind == DECANT_RUN_ARRAY) return add_list(run, node, column);
  return add_scalar(run->columns, run->text, slot, column);
}

// MARK: Members

// Where a run stopped: the first field that was not taken, and where its key should be.
struct stop {
  const decant_field_step *step;
  uint64_t key;
};

// The state of a run that has entered a record inside a record.
struct frame {
  const decant_field_step *step, *last;
  uint64_t key, end;
  char *out;
  size_t records;
  uint8_t *next;
};

// Whether a run that is inside `level` records may enter another object. Nobody may have looked into that object before:
// otherwise its members may not count in their order.
DECANT_INLINE bool enters(const struct run *run, size_t level, uint64_t node) {
  if (level == DECANT_RUN_LEVELS || decant_slot_high(run->slots[node]) < DECANT_OBJECT)
    return false;
  const decant_nesting *const nesting = run->nesting;
  return second_slot(run, node) == 0 && nesting->depth + level < nesting->deepest &&
         nesting->records <= nesting->most_records;
}

// The run over an object's members from `key` on: `out` is a struct, or the column of the first field.
DECANT_INLINE struct stop take_members(struct run *run, const decant_field_step *step,
                                       const decant_field_step *last, uint64_t key, uint64_t end,
                                       char *out, const bool is_struct) {
  const uint64_t *const slots = run->slots;
  const size_t stride = is_struct ? 0 : run->columns->stride;
  struct frame frames[DECANT_RUN_LEVELS], *inner = frames;
  for (;;) {
    if (DECANT_UNLIKELY(step == last)) {
      if (inner == frames) return (struct stop){step, key};
      // The end of a record in a record.
      inner--;
      step = inner->step;
      last = inner->last;
      key = decant_slot_high(slots[inner->key + 1]) & DECANT_NEXT;
      end = inner->end;
      out = inner->out;
      if (!is_struct) ((decant_column *)(void *)out)->count++;
      if (is_struct && step->presence_offset != 0) out[step->presence_offset] = 1;
      step++;
      out += stride;
      continue;
    }
    if (DECANT_UNLIKELY(key >= end)) break;
    const uint64_t slot = slots[key + 1];
    if (DECANT_UNLIKELY(!is_readable(run, slot))) break;
    if (!decant_key_step_is_near(run->text, slots[key], step->key, step->name)) break;
    decant_column *const column = (decant_column *)(void *)out;
    if ((is_struct ? step->run : column->kind) == DECANT_RUN_RECORD &&
        decant_slot_high(slot) != DECANT_NULL) {
      if (!enters(run, (size_t)(inner - frames), key + 1)) break;
      *inner++ = (struct frame){
          step, last, key, end, out, run->nesting->records++, is_struct ? run->block->next : NULL};
      const decant_record_steps *const record = step->record;
      out = is_struct ? out + step->offset : (char *)column->children;
      step = record->steps;
      last = step + record->count;
      key += 3;
      end = decant_slot_high(slot) & DECANT_NEXT;
      continue;
    }
    if (is_struct ? !store_field(run, slot, step, key + 1, out)
                  : !add_field(run, slot, column, key + 1))
      break;
    key += 2;
    if (DECANT_UNLIKELY((slot >> 32 & DECANT_CONTAINER) != 0)) {
      DECANT_KEEP_BRANCH();
      key = decant_slot_high(slot) & DECANT_NEXT;
    }
    step++;
    out += stride;
  }
  if (inner == frames) return (struct stop){step, key};
  // The walk visits the outermost of the records again.
  run->nesting->records = frames[0].records;
  if (is_struct) run->block->next = frames[0].next;
  return (struct stop){frames[0].step, frames[0].key};
}

// MARK: Entries

void decant_run_members(decant_block_run *block, decant_nesting *nesting,
                        const decant_context *context, const decant_record_steps *record,
                        size_t *field, uint64_t *key, uint64_t end, void *out) {
  struct run run = make_run(context, block->limit);
  run.block = block;
  run.nesting = nesting;
  const decant_field_step *const steps = record->steps;
  const struct stop stop =
      take_members(&run, steps + *field, steps + record->count, *key, end, out, true);
  *field = (size_t)(stop.step - steps);
  *key = stop.key;
}

bool decant_run_value(decant_block_run *block, const decant_context *context, uint64_t node,
                      uint8_t kind, void *place, void *length) {
  const struct run run = make_run(context, block->limit);
  const uint64_t slot = run.slots[node];
  if (!is_readable(&run, slot)) return false;
  if (kind <= DECANT_RUN_DOUBLE) return store_number(run.text, slot, kind, place);
  if (kind > DECANT_RUN_TEXT) return false;
  uint8_t *const start = block->next, *const end = store_text(block, run.text, slot, kind, place);
  if (end == NULL) return false;
  const size_t count = (size_t)(end - start);
  if (length != NULL) memcpy(length, &count, sizeof count);
  return true;
}

bool decant_column_add(const decant_columns *columns, const decant_context *context, uint64_t node,
                       decant_column *column) {
  const struct run run = make_run(context, columns->limit);
  const uint64_t slot = run.slots[node];
  return is_readable(&run, slot) && add_scalar(columns, run.text, slot, column);
}

size_t decant_column_add_all(const decant_columns *columns, const decant_context *context,
                             uint64_t array, size_t count, decant_column *column) {
  struct run run = make_run(context, columns->limit);
  run.columns = columns;
  return add_all(&run, array + 2, readable_elements(&run, array, count), column);
}

void decant_columns_fill(const decant_columns *columns, decant_nesting *nesting,
                         const decant_context *context, const decant_column *record, size_t *field,
                         uint64_t *key, uint64_t end) {
  if (record->record == NULL) return;
  struct run run = make_run(context, columns->limit);
  run.columns = columns;
  run.nesting = nesting;
  const decant_field_step *const steps = record->record->steps;
  char *const out = (char *)record->children + columns->stride * *field;
  const struct stop stop =
      take_members(&run, steps + *field, steps + record->record->count, *key, end, out, false);
  *field = (size_t)(stop.step - steps);
  *key = stop.key;
}
