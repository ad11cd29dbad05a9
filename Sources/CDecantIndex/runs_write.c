// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The way back of runs.c: structs as JSON text, as long as each value is what most are (decant_runs.h).
//
//   steps     "id" INTEGER   "name" TEXT    "tags" ARRAY     "at" RECORD
//   struct    7              → Ann          → a, b, 2        {"x":2}
//   text      {"id":7        ,"name":"Ann"  ,"tags":["a","b"],"at":{"x":2}}
//
// Where it stops, the text ends before the member or the element of which it did not write all. No byte behind the text is
// written, so numbers come from memory of their own.

#include "decant_plain.h"
#include "decant_runs.h"
#include "decant_write.h"
#include "runs_values.h"

// Where the text goes, in registers.
struct place {
  uint8_t *next, *limit;
};

// A record that another one holds, or an array; and what was before it.
struct frame {
  const decant_field_step *step, *last;
  const char *in;
  uint8_t *next;
  size_t left;  // records of an array behind the present one
  uint8_t separator;
};

DECANT_INLINE bool has_space(const struct place *text, size_t bytes) {
  return DECANT_LIKELY(bytes <= (size_t)(text->limit - text->next));
}

DECANT_INLINE bool add_byte(struct place *text, uint8_t byte) {
  if (!has_space(text, 1)) return false;
  *text->next++ = byte;
  return true;
}

// Copies bytes that were written elsewhere.
DECANT_INLINE bool add_bytes(struct place *text, const uint8_t *bytes, size_t count) {
  if (!has_space(text, count)) return false;
  decant_copy_bytes(text->next, bytes, count);
  text->next += count;
  return true;
}

// A separator, the key in quotation marks, and a colon: four bytes at least.
DECANT_INLINE bool add_key(struct place *text, const decant_field_step *step, uint8_t separator) {
  const size_t count = (size_t)step->key.length + 4;
  const uint8_t *const key = step->name - 2;
  uint8_t *const out = text->next;
  if (!has_space(text, count)) return false;
  if (DECANT_LIKELY(count <= 16)) {
    if (count >= 8) {
      const uint64_t head = decant_load_word(key), tail = decant_load_word(key + count - 8);
      decant_store_word(out, head);
      decant_store_word(out + count - 8, tail);
    } else {
      memcpy(out, key, 4);
      memcpy(out + count - 4, key + count - 4, 4);
    }
  } else {
    decant_copy_run(out, key, count);
  }
  *out = separator;
  text->next = out + count;
  return true;
}

// Copies a number that was written in `digits`: the compiler knows that it ends there.
DECANT_INLINE bool add_number(struct place *text, const uint8_t digits[DECANT_NUMBER_CAPACITY],
                              size_t count) {
  if (count > DECANT_NUMBER_CAPACITY) __builtin_unreachable();
  return add_bytes(text, digits, count);
}

DECANT_INLINE bool add_integer(struct place *text, uint64_t magnitude, bool minus) {
  uint8_t digits[DECANT_NUMBER_CAPACITY];
  digits[0] = '-';
  const size_t count = decant_write_uint64(digits + minus, minus ? 0 - magnitude : magnitude);
  return add_number(text, digits, count + minus);
}

static __attribute__((noinline)) uint8_t *write_escaped(uint8_t *out, const uint8_t *limit,
                                                        const uint8_t *bytes, size_t count) {
  const ptrdiff_t length = decant_copy_text(out, (size_t)(limit - out), bytes, count);
  return length < 0 ? NULL : out + length;
}

DECANT_INLINE bool add_text(struct place *text, const uint8_t *bytes, size_t count) {
  const size_t space = (size_t)(text->limit - text->next);
  // As numbers without sign, negative counts are too large.
  if (DECANT_UNLIKELY(space < 2 || count > space - 2)) return false;
  uint8_t *const start = text->next + 1;
  uint8_t *end = start + count;
  if (DECANT_UNLIKELY(!decant_copy_plain(start, bytes, count))) {
    end = write_escaped(start, text->limit - 1, bytes, count);
    if (end == NULL) return false;
  }
  *text->next = '"';
  *end = '"';
  text->next = end + 1;
  return true;
}

#define LOAD(type, name) \
  type name;             \
  memcpy(&name, from, sizeof name)

// A number, a boolean or a text. False also for what must not be written.
DECANT_INLINE bool add_scalar(struct place *text, uint8_t kind, const char *from,
                              const size_t *length) {
  switch (kind) {
    case DECANT_RUN_BOOL: {
      LOAD(uint8_t, value);
      if (value > 1) return false;
      return value != 0 ? add_bytes(text, (const uint8_t *)"true", 4)
                        : add_bytes(text, (const uint8_t *)"false", 5);
    }
    case DECANT_RUN_INT8: {
      LOAD(int8_t, value);
      return add_integer(text, (uint64_t)value, value < 0);
    }
    case DECANT_RUN_INT16: {
      LOAD(int16_t, value);
      return add_integer(text, (uint64_t)value, value < 0);
    }
    case DECANT_RUN_INT32: {
      LOAD(int32_t, value);
      return add_integer(text, (uint64_t)value, value < 0);
    }
    case DECANT_RUN_INT64: {
      LOAD(int64_t, value);
      return add_integer(text, (uint64_t)value, value < 0);
    }
    case DECANT_RUN_UINT8: {
      LOAD(uint8_t, value);
      return add_integer(text, value, false);
    }
    case DECANT_RUN_UINT16: {
      LOAD(uint16_t, value);
      return add_integer(text, value, false);
    }
    case DECANT_RUN_UINT32: {
      LOAD(uint32_t, value);
      return add_integer(text, value, false);
    }
    case DECANT_RUN_UINT64: {
      LOAD(uint64_t, value);
      return add_integer(text, value, false);
    }
    case DECANT_RUN_FLOAT:
    case DECANT_RUN_DOUBLE: {
      uint8_t digits[DECANT_NUMBER_CAPACITY];
      size_t count;
      if (kind == DECANT_RUN_DOUBLE) {
        LOAD(double, value);
        count = decant_write_double(digits, value);
      } else {
        LOAD(float, value);
        count = decant_write_float(digits, value);
      }
      // Infinities and NaN have no text.
      return count != 0 && add_number(text, digits, count);
    }
    case DECANT_RUN_STRING:
    case DECANT_RUN_TEXT: {
      LOAD(const uint8_t *, bytes);
      if (bytes == NULL) return false;
      size_t count;
      if (kind == DECANT_RUN_TEXT) {
        memcpy(&count, from + sizeof bytes, sizeof count);
      } else {
        count = length != NULL ? *length : strlen((const char *)bytes);
      }
      return add_text(text, bytes, count);
    }
    default: return false;
  }
}

static __attribute__((noinline)) uint8_t *write_array(struct place text,
                                                      const decant_field_step *step,
                                                      const char *from, size_t count) {
  const uint8_t kind = step->element;
  if (kind > DECANT_RUN_TEXT || (ptrdiff_t)count < 0 || (count != 0 && from == NULL)) return NULL;
  const size_t width = width_of(kind);
  uint8_t separator = '[';
  for (; count != 0; count--, from += width) {
    if (!add_byte(&text, separator) || !add_scalar(&text, kind, from, NULL)) return NULL;
    separator = ',';
  }
  if (separator == '[' && !add_byte(&text, '[')) return NULL;
  return add_byte(&text, ']') ? text.next : NULL;
}

enum presence { ABSENT, PRESENT, UNKNOWN };

// Whether a field has a value: not if it is what decoding leaves for an absent key.
DECANT_INLINE enum presence presence_of(const decant_field_step *step, const char *in) {
  if (DECANT_UNLIKELY(step->presence_offset != 0)) {
    if (in[step->presence_offset] != 0) return PRESENT;
    return step->is_optional ? ABSENT : UNKNOWN;
  }
  if (DECANT_LIKELY(!step->is_optional)) return PRESENT;
  // The value of such a field may be of any width, and its presence or its length at 0.
  const uint8_t kind = step->run;
  if (kind == DECANT_RUN_OTHER) return UNKNOWN;
  size_t length = 0;
  if (step->length_offset != 0) memcpy(&length, in + step->length_offset, sizeof length);
  if (length != 0) return PRESENT;
  const char *const from = in + step->offset;
  const size_t width = kind <= DECANT_RUN_TEXT     ? width_of(kind)
                       : kind == DECANT_RUN_RECORD ? step->record->size
                                                   : sizeof(char *);
  return decant_are_zero(from, width) ? ABSENT : PRESENT;
}

// The run over a struct's fields from `step` on, or, if `array` is not NULL, over so many structs of an array, with
// `separator` before the first. Returns where it stopped: a field, or how many structs are left.
struct written {
  const decant_field_step *step;
  size_t left;
};

DECANT_INLINE struct written write_fields(decant_text_run *run, const decant_field_step *step,
                                          const decant_field_step *last, const char *in,
                                          size_t levels, const decant_field_step *array,
                                          size_t left) {
  struct frame frames[DECANT_RUN_LEVELS + 1], *inner = frames;
  const size_t most = levels < DECANT_RUN_LEVELS ? levels : DECANT_RUN_LEVELS;
  struct frame *const full = frames + most + (array != NULL);
  struct place text = {run->next, run->limit};
  uint8_t separator = run->separator;
  if (array != NULL) {
    const decant_record_steps *const record = array->record;
    *inner++ = (struct frame){array, array + 1, in, text.next, left - 1, separator};
    if (!add_byte(&text, separator)) goto stopped;
    step = record->steps;
    last = step + record->count;
    separator = '{';
  }
  for (;;) {
    if (DECANT_UNLIKELY(step == last)) {
      if (array == NULL && inner == frames) break;
      struct frame *const frame = inner - 1;
      const decant_record_steps *const record = frame->step->record;
      if (!record->is_itself) {
        if (separator == '{' && !add_byte(&text, '{')) goto stopped;
        if (!add_byte(&text, '}')) goto stopped;
      }
      if (frame->left != 0) {
        // The next record of an array.
        frame->left--;
        in += record->size;
        if (array != NULL && frame == frames) {
          frame->next = text.next;
          frame->separator = ',';
        }
        if (!add_byte(&text, ',')) goto stopped;
        step = record->steps;
        separator = '{';
        continue;
      }
      if (array != NULL && frame == frames) {
        run->next = text.next;
        return (struct written){array, 0};
      }
      if (frame->step->run == DECANT_RUN_RECORDS && !add_byte(&text, ']')) goto stopped;
      inner = frame;
      step = frame->step;
      last = frame->last;
      in = frame->in;
      separator = ',';
      step++;
      continue;
    }
    uint8_t *const before = text.next;
    const enum presence presence = presence_of(step, in);
    if (DECANT_UNLIKELY(presence != PRESENT)) {
      if (presence == UNKNOWN) goto stopped;
      step++;
      continue;
    }
    const char *const from = in + step->offset;
    const uint8_t kind = step->run;
    // Such a field may have no key.
    if (DECANT_UNLIKELY(kind == DECANT_RUN_OTHER)) goto stopped;
    if (DECANT_LIKELY(!step->is_itself) && !add_key(&text, step, separator)) goto stopped;
    if (kind <= DECANT_RUN_TEXT) {
      const size_t *length = NULL;
      size_t count;
      if (step->length_offset != 0) {
        memcpy(&count, in + step->length_offset, sizeof count);
        length = &count;
      }
      if (!add_scalar(&text, kind, from, length)) {
        text.next = before;
        goto stopped;
      }
    } else {
      const decant_record_steps *const record = step->record;
      const char *target = from;
      size_t count = 1;
      if (kind == DECANT_RUN_ARRAY || kind == DECANT_RUN_RECORDS) {
        memcpy(&count, in + step->length_offset, sizeof count);
        memcpy(&target, from, sizeof target);
      }
      const bool is_list = kind == DECANT_RUN_RECORDS;
      if (kind == DECANT_RUN_ARRAY || (is_list && count == 0)) {
        uint8_t *const end = is_list ? (has_space(&text, 2) ? text.next + 2 : NULL)
                                     : write_array(text, step, target, count);
        if (end == NULL) {
          text.next = before;
          goto stopped;
        }
        if (is_list) memcpy(text.next, "[]", 2);
        text.next = end;
      } else if (inner == full || !record->is_written || target == NULL || (ptrdiff_t)count < 0 ||
                 (is_list && !add_byte(&text, '['))) {
        text.next = before;
        goto stopped;
      } else {
        *inner++ = (struct frame){step, last, in, before, count - 1, separator};
        in = target;
        step = record->steps;
        last = step + record->count;
        separator = '{';
        continue;
      }
    }
    separator = ',';
    step++;
  }
stopped:
  if (inner != frames) {
    // All of the outermost field or struct is written again.
    text.next = frames[0].next;
    separator = frames[0].separator;
    step = frames[0].step;
    left = frames[0].left + 1;
  }
  run->next = text.next;
  run->separator = separator;
  return (struct written){step, left};
}

size_t decant_run_write_members(decant_text_run *text, const decant_record_steps *record,
                                size_t field, const void *value, size_t levels) {
  const decant_field_step *const steps = record->steps;
  const struct written written =
      write_fields(text, steps + field, steps + record->count, value, levels, NULL, 0);
  return (size_t)(written.step - steps);
}

size_t decant_run_write_records(decant_text_run *text, const decant_record_steps *record,
                                const void *first, size_t count, size_t levels) {
  if (count == 0 || levels == 0 || !record->is_written) return 0;
  const decant_field_step array = {.record = record, .run = DECANT_RUN_RECORDS};
  return count - write_fields(text, &array, &array, first, levels - 1, &array, count).left;
}
