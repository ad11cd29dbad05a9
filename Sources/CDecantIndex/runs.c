// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Runs of plain values (decant_runs.h). Slots tell kinds and counts, so that a number of up to eight digits is one
// load, three multiplications and one store, and a short string two loads and two stores.
//
// There is one loop over members, compiled once for structs and once for columns. A field of a struct is at its offset,
// and the next row of a column at its end: from there on, a number is stored by the same function. Texts and arrays
// differ in where their bytes and elements go.

#include "decant_runs.h"

#include "decant_memory.h"
#include "decant_numbers.h"
#include "internal.h"

#define MOST_TEXT  ((size_t)INT32_MAX)  // offsets of Arrow are 32 bits wide
#define SHORT_TEXT 12                   // the longest text that is inside of its view

// The most bytes from a value's first one on that are read at once: a quote, and 32 bytes of text.
#define MOST_READ 33

// A run: what values are read from, and what they are stored into besides a struct.
struct run {
  const uint8_t *text;
  const uint64_t *slots;
  size_t bound;  // behind values that begin before, MOST_READ bytes may be read
  decant_block_run *block;
  decant_nesting *nesting;
  const decant_columns *columns;
};

DECANT_INLINE struct run make_run(const decant_context *context, const uint8_t *limit) {
  const size_t readable = limit != NULL ? (size_t)(limit - context->text) : context->length;
  const size_t bound = readable >= MOST_READ ? readable - MOST_READ + 1 : 0;
  return (struct run){context->text, context->slots, bound, NULL, NULL, NULL};
}

DECANT_INLINE bool is_readable(const struct run *run, uint64_t slot) {
  return DECANT_LIKELY(decant_slot_offset(slot) < run->bound);
}

// The slot behind a container's own (decant_second_slot).
DECANT_INLINE uint64_t second_slot(const struct run *run, uint64_t node) {
  return __atomic_load_n(&run->slots[node + 1], __ATOMIC_RELAXED);
}

DECANT_INLINE bool is_array(uint64_t slot) {
  return (decant_slot_high(slot) & ~DECANT_NEXT) == DECANT_ARRAY;
}

// How many of the first `count` elements of an array of scalars are readable: all but a few at the document's end.
DECANT_INLINE size_t readable_elements(const struct run *run, uint64_t array, size_t count) {
  if ((second_slot(run, array) >> 32 & DECANT_ARRAY_FLAT) == 0) return 0;
  while (count > 0 && !is_readable(run, run->slots[array + 1 + count])) count--;
  return count;
}

// MARK: Numbers

// The value of one digit to sixteen.
DECANT_INLINE uint64_t read_digits(const uint8_t *start, uint32_t count) {
  // What is behind the digits is shifted out.
  if (DECANT_LIKELY(count <= 8))
    return decant_eight_digits(decant_load_word(start) << (-8 * count & 63));
  const uint64_t head = decant_eight_digits(decant_load_word(start) << (128 - 8 * count));
  return head * 100000000 + decant_eight_digits(decant_load_word(start + count - 8));
}

DECANT_INLINE bool read_integer(const uint8_t *text, uint64_t slot, int64_t *value) {
  const uint32_t facts = decant_slot_high(slot), digits = facts >> 8 & 0xFF;
  if ((facts & (DECANT_SCALAR_MASK | DECANT_NUMBER_REAL)) != DECANT_NUMBER || digits > 16)
    return false;
  const bool minus = (facts & DECANT_NUMBER_MINUS) != 0;
  const uint64_t magnitude = read_digits(text + decant_slot_offset(slot) + minus, digits);
  *value = minus ? -(int64_t)magnitude : (int64_t)magnitude;
  return true;
}

// A number without exponent as an integer and a power of ten to divide by, both exact in a double; in a float, too, if
// there are at most seven digits.
DECANT_INLINE bool read_real(const uint8_t *text, uint64_t slot, uint32_t most,
                             int64_t *significand, uint32_t *places, bool *minus) {
  const uint32_t facts = decant_slot_high(slot);
  const uint32_t before = facts >> 8 & 0xFF, after = facts >> 16 & 0xFF;
  if ((facts & (DECANT_SCALAR_MASK | DECANT_NUMBER_EXPONENT)) != DECANT_NUMBER) return false;
  if (before + after > most) return false;
  *minus = (facts & DECANT_NUMBER_MINUS) != 0;
  *places = after;
  const uint8_t *start = text + decant_slot_offset(slot) + *minus;
  const uint64_t tail = after != 0 ? read_digits(start + before + 1, after) : 0;
  *significand = (int64_t)(read_digits(start, before) * decant_get_power_of_ten(after) + tail);
  return true;
}

#define STORE(type, from)                  \
  do {                                     \
    const type result = (type)(from);      \
    memcpy(place, &result, sizeof result); \
    return true;                           \
  } while (0)

#define STORE_INTEGER(type, least, most)                   \
  if (integer < (least) || integer > (most)) return false; \
  STORE(type, integer)

// Any plain integer.
static DECANT_RARE bool store_any_integer(const uint8_t *text, uint64_t slot, uint8_t kind,
                                          void *place) {
  int64_t integer;
  if (!read_integer(text, slot, &integer)) return false;
  switch (kind) {
    case DECANT_RUN_INT8: STORE_INTEGER(int8_t, INT8_MIN, INT8_MAX);
    case DECANT_RUN_INT16: STORE_INTEGER(int16_t, INT16_MIN, INT16_MAX);
    case DECANT_RUN_INT32: STORE_INTEGER(int32_t, INT32_MIN, INT32_MAX);
    case DECANT_RUN_INT64: STORE_INTEGER(int64_t, INT64_MIN, INT64_MAX);
    case DECANT_RUN_UINT8: STORE_INTEGER(uint8_t, 0, UINT8_MAX);
    case DECANT_RUN_UINT16: STORE_INTEGER(uint16_t, 0, UINT16_MAX);
    case DECANT_RUN_UINT32: STORE_INTEGER(uint32_t, 0, UINT32_MAX);
    default: STORE_INTEGER(uint64_t, 0, INT64_MAX);
  }
}

// Any plain number that is stored as a real.
static DECANT_RARE bool store_any_real(const uint8_t *text, uint64_t slot, uint8_t kind,
                                       void *place) {
  int64_t significand;
  uint32_t places;
  bool minus;
  if (kind == DECANT_RUN_FLOAT) {
    if (!read_real(text, slot, 7, &significand, &places, &minus)) return false;
    const float real = (float)significand / (float)decant_get_exact_power_of_ten(places);
    STORE(float, minus ? -real : real);
  }
  if (!read_real(text, slot, 15, &significand, &places, &minus)) return false;
  const double real = (double)significand / decant_get_exact_power_of_ten(places);
  STORE(double, minus ? -real : real);
}

// What most numbers are: integers of up to sixteen digits, and reals of up to seven. False for others; then nothing
// happened.
DECANT_INLINE bool store_integer(const uint8_t *text, uint64_t slot, void *place) {
  const uint32_t facts = decant_slot_high(slot),
                 counts = DECANT_SCALAR_MASK | DECANT_NUMBER_REAL | 0xFF00;
  // One comparison for "a number, not real, and up to so many digits".
  const uint32_t digits = (facts & counts) - DECANT_NUMBER;
  if (digits > (16 << 8)) return false;
  const uint64_t minus = facts / DECANT_NUMBER_MINUS & 1;
  const uint64_t value = read_digits(text + decant_slot_offset(slot) + minus, digits >> 8);
  STORE(uint64_t, (value ^ -minus) + minus);
}

DECANT_INLINE bool store_double(const uint8_t *text, uint64_t slot, void *place) {
  const uint32_t facts = decant_slot_high(slot);
  const uint32_t before = facts >> 8 & 0xFF, after = facts >> 16 & 0xFF;
  if ((facts & (DECANT_SCALAR_MASK | DECANT_NUMBER_EXPONENT)) != DECANT_NUMBER) return false;
  if (before + after > 7) return false;
  const uint64_t minus = facts / DECANT_NUMBER_MINUS & 1;
  const uint64_t word = decant_load_word(text + decant_slot_offset(slot) + minus);
  const double real =
      (double)decant_joined_digits(word, before, after) / decant_get_exact_power_of_ten(after);
  uint64_t bits;
  memcpy(&bits, &real, sizeof bits);
  STORE(uint64_t, bits | minus << 63);
}

// A number or a boolean of a kind up to DECANT_RUN_DOUBLE.
DECANT_INLINE bool store_number(const uint8_t *text, uint64_t slot, uint8_t kind, void *place) {
  if (kind == DECANT_RUN_INT64 && DECANT_LIKELY(store_integer(text, slot, place))) return true;
  if (kind == DECANT_RUN_DOUBLE && DECANT_LIKELY(store_double(text, slot, place))) return true;
  if (kind == DECANT_RUN_BOOL) {
    const uint32_t what = decant_slot_high(slot) - DECANT_FALSE;
    if (what > 1) return false;
    STORE(uint8_t, what);
  }
  if (kind < DECANT_RUN_FLOAT) return store_any_integer(text, slot, kind, place);
  return kind <= DECANT_RUN_DOUBLE && store_any_real(text, slot, kind, place);
}

// Bytes of a number.
DECANT_INLINE size_t number_width(uint8_t kind) {
  static const uint8_t widths[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
  return widths[kind];
}

size_t decant_store_doubles_scalar(const uint8_t *text, const uint64_t *slots, size_t count,
                                   char *place) {
  size_t stored = 0;
  while (stored < count && store_double(text, slots[stored], place + 8 * stored)) stored++;
  return stored;
}

// Numbers one behind the other. Returns how many were stored.
static size_t store_numbers(const struct run *run, uint64_t node, size_t count, uint8_t kind,
                            char *place) {
  const uint8_t *const text = run->text;
  const uint64_t *const slots = run->slots + node;
  const size_t width = number_width(kind);
  size_t stored = 0;
  for (; stored < count; stored++) {
    if (kind == DECANT_RUN_DOUBLE) {
      stored += decant_current_kernel()->store_doubles(text, slots + stored, count - stored,
                                                       place + 8 * stored);
      if (stored == count) break;
    }
    if (!store_number(text, slots[stored], kind, place + width * stored)) break;
  }
  return stored;
}

// MARK: Structs

// A text that is long or has escapes, which are never shorter than what they spell. Returns the byte behind it; NULL if
// there is no space, or no such text.
static DECANT_RARE uint8_t *copy_long_text(const uint8_t *start, uint32_t tag, uint8_t *to,
                                           size_t space) {
  const size_t length = tag & DECANT_STRING_LONG;
  if (tag >= DECANT_STRING_LIMIT || length == DECANT_STRING_LONG || length >= space) return NULL;
  if ((tag & DECANT_STRING_ESCAPE) != 0) return to + decant_unescape(start, length, to);
  decant_copy_bytes(to, start, length);
  return to + length;
}

// Copies a text to the block, with a NUL byte behind it, and stores where it is. Returns its end; NULL if it is none, or
// there is no space.
DECANT_INLINE uint8_t *store_text(decant_block_run *block, const uint8_t *text, uint64_t slot,
                                  uint8_t kind, char *place) {
  const uint8_t *const start = text + decant_slot_offset(slot) + 1;
  uint8_t *const to = block->next;
  const size_t space = (size_t)(block->end - to);
  const uint32_t tag = decant_slot_high(slot);
  uint8_t *end = to + tag;
  if (DECANT_LIKELY(tag <= 32 && space > 32)) {
    decant_copy_32(to, start);
  } else {
    end = copy_long_text(start, tag, to, space);
    if (DECANT_UNLIKELY(end == NULL)) return NULL;
  }
  *end = 0;
  block->next = end + 1;
  memcpy(place, &to, sizeof to);
  if (kind == DECANT_RUN_TEXT) {
    const size_t length = (size_t)(end - to);
    memcpy(place + sizeof to, &length, sizeof length);
  }
  return end;
}

// Elements one behind the other. Returns how many were stored.
DECANT_INLINE size_t store_elements(const struct run *run, uint64_t node, size_t count,
                                    uint8_t kind, char *place) {
  if (kind <= DECANT_RUN_DOUBLE) return store_numbers(run, node, count, kind, place);
  const size_t width = kind == DECANT_RUN_TEXT ? sizeof(char *) + sizeof(size_t) : sizeof(char *);
  const uint8_t *const text = run->text;
  const uint64_t *const slots = run->slots + node;
  size_t stored = 0;
  for (; stored < count; stored++, place += width)
    if (store_text(run->block, text, slots[stored], kind, place) == NULL) break;
  return stored;
}

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
  // Null is what the struct is already, where it may be.
  if (DECANT_UNLIKELY(!is_stored))
    return decant_slot_high(slot) == DECANT_NULL && step->is_optional;
  if (step->presence_offset != 0) out[step->presence_offset] = 1;
  return true;
}

// MARK: Columns

// Makes space for a text behind the others of its column; NULL if there is none.
DECANT_INLINE uint8_t *text_space(const decant_column *column, size_t length) {
  const size_t space = column->text_capacity - column->text_count;
  // Less than what is left: the first text has memory, even an empty one.
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

static bool add_utf8(const uint8_t *text, uint64_t slot, decant_column *column) {
  const uint32_t length = decant_slot_high(slot);
  if (length >= DECANT_STRING_LONG) return false;
  if (!append_text(text + decant_slot_offset(slot) + 1, length, column)) return false;
  column->text_count += length;
  const int32_t end = (int32_t)column->text_count;
  memcpy(column->values + 4 * ++column->count, &end, sizeof end);
  return true;
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
  return kind == DECANT_RUN_UTF8 && add_utf8(text, slot, column);
}

static size_t add_all(const struct run *run, uint64_t node, size_t count, decant_column *column) {
  if (column->kind <= DECANT_RUN_DOUBLE) {
    char *const place = (char *)column->values + number_width(column->kind) * column->count;
    const size_t added = store_numbers(run, node, count, column->kind, place);
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

// A record of whose fields a run is in one, which is a record, too; and what was before it.
struct frame {
  const decant_field_step *step, *last;
  uint64_t key, end;
  char *out;
  size_t records;
  uint8_t *next;
};

// Whether a run that is in `level` records may go into one more, which is an object that nobody has looked into: in others
// members do not count in their order.
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

size_t decant_run_all_elements(decant_block_run *block, const decant_context *context,
                               uint64_t array, size_t count, uint8_t kind, void *place) {
  if (kind > DECANT_RUN_TEXT) return 0;
  struct run run = make_run(context, block->limit);
  run.block = block;
  return store_elements(&run, array + 2, readable_elements(&run, array, count), kind, place);
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
