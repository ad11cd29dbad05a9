// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Lines into columns (decant_runs.h), from the entries of stage 1 to rows: what link.c and runs.c do in two passes, for lines
// that are as the table says. No slot is written:
//
//   entries   {  "id"  :  7  ,  "tags"  :  [  "a"  ,  "b"  ]  }  ⏎
//   columns               7                    a       b
//
// A line is added if each of its entries is the one that is expected; so it is a valid document. Any other line, such as one
// with white space behind a number, a null or another member, is left to be linked. If most lines are like that, all are.

#include "decant_runs.h"
#include "internal.h"
#include "stage.h"

#if DECANT_X86 || DECANT_NEON

#include "link_values.h"
#include "runs_columns.h"

// When this many more lines were left than added, others are not tried. A line that is left counts twice.
#define MOST_UNLIKE 32

struct row {
  struct run run;
  struct stage *stage;
  const uint32_t *last;  // entries from here on are too few
};

// Where a record in a record is.
struct outer {
  const decant_field_step *step, *last;
  decant_column *column;
};

// What is behind a value: the next entry, and its byte. No entry: the line is left.
struct behind {
  const uint32_t *entry;
  uint8_t byte;
};
static const struct behind nothing = {NULL, 0};

DECANT_INLINE struct behind behind_at(const uint8_t *text, const uint32_t *entry) {
  return (struct behind){entry, text[*entry]};
}

// The slot of a scalar whose first entry is at `entry`.
static __attribute__((noinline)) struct behind link_any(const struct row *row,
                                                        const uint32_t *entry, uint64_t *slot) {
  struct stage *const stage = row->stage;
  const uint8_t byte = stage->text[*entry];
  size_t next = (size_t)(entry - stage->offsets);
  bool is_linked;
  if (byte == '"') {
    is_linked = link_string(stage, stage->text, 0, &next, slot);
    if (!is_linked) {
      const size_t first = stage->next;
      is_linked = decant_link_any_string(stage, NULL, next, 0) == DECANT_INDEX_OK;
      next = stage->next;
      stage->next = first;
      *slot = stage->slot;
    }
  } else if (decant_is_digit(byte) || byte == '-') {
    is_linked = link_number(stage, stage->text, 0, byte == '-', byte, &next, slot);
  } else {
    is_linked = link_literal(stage, stage->text, 0, byte, &next, slot);
  }
  return is_linked ? behind_at(stage->text, stage->offsets + next) : nothing;
}

// Adds a scalar in any form.
static __attribute__((noinline)) struct behind add_any(const struct row *row, const uint32_t *entry,
                                                       decant_column *column) {
  uint64_t slot;
  const struct behind behind = link_any(row, entry, &slot);
  const bool is_added =
      behind.entry != NULL && add_scalar(row->run.columns, row->run.text, slot, column);
  return is_added ? behind : nothing;
}

// Adds a text, or what a text spells. If its closing quote is not right before the second entry, it is none, or has escapes.
DECANT_INLINE struct behind add_text(const struct row *row, const uint8_t *text,
                                     const uint32_t *entry, decant_column *column, uint8_t kind) {
  const uint32_t pair = bytes_at(text, entry + 1);
  if (DECANT_UNLIKELY((pair & 0xFF) != '"' || pair >> 8 == '\\' || text[*entry] != '"'))
    return add_any(row, entry, column);
  const uint64_t slot = string_slot(entry, 0);
  const bool is_added = kind == DECANT_RUN_UTF8   ? add_utf8(text, slot, column)
                        : kind == DECANT_RUN_VIEW ? add_view(row->run.columns, text, slot, column)
                                                  : add_other(text, slot, column);
  return is_added ? (struct behind){entry + 1, (uint8_t)(pair >> 8)} : nothing;
}

// Whether the letters of a literal are at `start`, and so is an entry for each.
DECANT_INLINE bool is_literal(const uint8_t *text, const uint32_t *entry, const char *letters) {
  return entry[3] == entry[0] + 3 &&
         decant_load_half_word(text + entry[0]) == decant_load_half_word((const uint8_t *)letters);
}

// Whether a number without a sign is at an entry. If so, its digits end at the next entry.
DECANT_INLINE bool begins_number(const uint8_t *text, const uint32_t *entry) {
  const uint8_t first = text[entry[0]];
  return decant_is_digit(first) && (DECANT_LIKELY(first != '0') || entry[1] == entry[0] + 1);
}

// Adds a scalar of the column's kind. Integers of up to 16 digits, and reals of up to seven, are read here.
DECANT_INLINE struct behind add_value(const struct row *row, const uint8_t *text,
                                      const uint32_t *entry, decant_column *column, uint8_t kind) {
  switch (kind) {
    case DECANT_RUN_UTF8:
    case DECANT_RUN_VIEW:
    case DECANT_RUN_TIME:
    case DECANT_RUN_DATE: return add_text(row, text, entry, column, kind);
    case DECANT_RUN_INT64: {
      const uint32_t size = entry[1] - entry[0];
      if (size > 16 || !begins_number(text, entry)) break;
      const uint64_t value = read_digits(text + entry[0], size);
      memcpy(column->values + 8 * column->count++, &value, sizeof value);
      return behind_at(text, entry + 1);
    }
    case DECANT_RUN_DOUBLE: {
      const uint32_t before = entry[1] - entry[0], after = entry[2] - entry[1] - 1;
      if (!DECANT_ROUNDS_ONCE || text[entry[1]] != '.' || after == 0 || before + after > 7 ||
          !begins_number(text, entry))
        break;
      const uint64_t word = decant_load_word(text + entry[0]);
      const double value =
          (double)decant_joined_digits(word, before, after) / decant_get_exact_power_of_ten(after);
      memcpy(column->values + 8 * column->count++, &value, sizeof value);
      return behind_at(text, entry + 2);
    }
    case DECANT_RUN_DECIMAL: {
      size_t next = 0;
      uint64_t slot;
      if (!begins_number(text, entry) ||
          !link_number_at(text, entry, 0, false, text[entry[0]], &next, &slot))
        break;
      return add_other(text, slot, column) ? behind_at(text, entry + next) : nothing;
    }
    case DECANT_RUN_BOOL: {
      const bool is_true = is_literal(text, entry, "true");
      if (!is_true && (text[entry[0]] != 'f' || entry[1] != entry[0] + 1 ||
                       !is_literal(text, entry + 1, "alse")))
        break;
      column->values[column->count++] = is_true;
      return behind_at(text, entry + 4 + !is_true);
    }
    default: break;
  }
  return add_any(row, entry, column);
}

// Adds a list of scalars of a kind, whose first entry behind the bracket is at `entry`.
DECANT_INLINE struct behind add_elements(const struct row *row, const uint32_t *entry,
                                         decant_column *values, size_t most, uint8_t kind) {
  const uint8_t *const text = row->run.text;
  const uint32_t *const last = row->last;
  const size_t bound = row->run.bound;
  while (DECANT_LIKELY(most-- > 0 && *entry < bound)) {
    const struct behind behind = add_value(row, text, entry, values, kind);
    if (DECANT_UNLIKELY(behind.entry == NULL) || behind.byte == ']') return behind;
    entry = behind.entry + 1;
    if (DECANT_UNLIKELY(behind.byte != ',')) break;
    if (DECANT_UNLIKELY(entry >= last)) return (struct behind){entry, ','};
  }
  return nothing;
}

// Adds a list, whose first entry is that of its bracket. What is behind it has another byte than a bracket if its entries are
// not all at hand.
static __attribute__((noinline)) struct behind add_list(const struct row *row,
                                                        const uint32_t *entry,
                                                        decant_column *column) {
  const uint8_t *const text = row->run.text;
  decant_column *const elements = column->children;
  const bool is_itself = elements->kind == DECANT_RUN_ITSELF;
  // A record that is one field, the value itself, has that field's row.
  decant_column *const values = is_itself ? elements->children : elements;
  const size_t before = elements->count;
  const size_t most = (elements->capacity < MOST_TEXT ? elements->capacity : MOST_TEXT) - before;
  if (text[*entry++] != '[') return nothing;
  struct behind behind = behind_at(text, entry);
  if (behind.byte != ']') {
    switch (values->kind) {
#define ELEMENTS(kind) \
  case kind: behind = add_elements(row, entry, values, most, kind); break;
      ELEMENTS(DECANT_RUN_UTF8)
      ELEMENTS(DECANT_RUN_VIEW)
      ELEMENTS(DECANT_RUN_INT64)
      ELEMENTS(DECANT_RUN_DOUBLE)
      ELEMENTS(DECANT_RUN_DECIMAL)
      default: behind = add_elements(row, entry, values, most, values->kind);
#undef ELEMENTS
    }
    if (DECANT_UNLIKELY(behind.byte != ']')) return behind;
    if (is_itself) elements->count = values->count;
  }
  end_list(column);
  return behind_at(text, behind.entry + 1);
}

// Whether the entry is that of a member's key, and a colon follows.
DECANT_INLINE bool is_key(const uint8_t *text, const uint32_t *entry,
                          const decant_field_step *step) {
  const uint8_t *const name = text + entry[0] + 1;
  if (entry[1] - entry[0] - 2 != step->key.length || bytes_at(text, entry + 1) != PAIR('"', ':'))
    return false;
  return ((decant_load_word(name) ^ step->key.word) & step->key.mask) == 0 &&
         (DECANT_LIKELY(step->key.length <= 8) ||
          decant_key_equal(name + 8, step->name + 8, step->key.length - 8));
}

// Adds what a line has, whose first entry is at `entry`, to the columns of a record. Returns the entry behind the line's line
// feed. NULL if the line is left; then `is_cut` says whether only because its entries are not all at hand.
static const uint32_t *add_line(const struct row *row, const decant_column *record,
                                const uint32_t *entry, bool *is_cut) {
  const uint8_t *const text = row->run.text;
  const size_t bound = row->run.bound, stride = row->run.columns->stride;
  struct outer around[DECANT_RUN_LEVELS], *outer = around;
  const decant_field_step *step = record->record->steps, *last = step + record->record->count;
  decant_column *column = record->children;
  if (text[*entry++] != '{') return NULL;
  for (;;) {
    if (DECANT_UNLIKELY(entry >= row->last)) break;
    // From where the value begins, enough bytes can be read.
    if (DECANT_UNLIKELY(entry[2] >= bound || !is_key(text, entry, step))) return NULL;
    entry += 2;
    struct behind behind;
    if (DECANT_UNLIKELY(column->kind == DECANT_RUN_RECORD)) {
      if (text[*entry++] != '{' || outer == around + DECANT_RUN_LEVELS) return NULL;
      *outer++ = (struct outer){step, last, column};
      last = step->record->steps + step->record->count;
      step = step->record->steps;
      column = column->children;
      continue;
    }
    if (column->kind == DECANT_RUN_ARRAY) {
      behind = add_list(row, entry, column);
      if (DECANT_UNLIKELY(behind.entry >= row->last)) break;
    } else {
      behind = add_value(row, text, entry, column, column->kind);
    }
    if (DECANT_UNLIKELY(behind.entry == NULL)) return NULL;
    entry = behind.entry + 1;
    column = (decant_column *)(void *)((char *)column + stride);
    for (step++; step == last; step++) {
      if (behind.byte != '}') return NULL;
      if (outer == around) return text[*entry] == '\n' ? entry + 1 : NULL;
      step = (--outer)->step;
      last = outer->last;
      outer->column->count++;
      column = (decant_column *)(void *)((char *)outer->column + stride);
      behind.byte = text[*entry++];
    }
    if (behind.byte != ',') return NULL;
  }
  *is_cut = true;
  return NULL;
}

// Makes the next line's entries be at hand, if it has as many as the last one, and skips blank lines. False at the end, or if
// stage 1 failed.
static bool find_next(struct stage *stage, decant_line_index *index, decant_column_lines *lines) {
  decant_line line = {.blanks = 0};
  const bool is_found = (stage->next + index->line_entries < stage->last || stage->next == 0 ||
                         stage->ended || decant_stage_read_on(stage)) &&
                        decant_stage_find_line(stage, index, &line);
  lines->lines += line.blanks;
  if (!is_found && stage->failed) decant_stage_read_alone(stage, index);
  return is_found;
}

void decant_columns_add_lines(decant_line_index *index, const decant_columns *columns,
                              decant_column *record, decant_column_lines *lines) {
  struct stage *const stage = (struct stage *)(void *)index->stage;
  lines->next = index->next;
  if (index->is_new || index->next < index->alone || index->unlike > MOST_UNLIKE) return;
  const size_t readable = (size_t)(columns->limit - stage->text);
  struct row row = {.run = {.text = stage->text,
                            .bound = readable >= MOST_READ ? readable - MOST_READ + 1 : 0,
                            .columns = columns},
                    .stage = stage};
  stage->base = 0;
  while (lines->rows < lines->most_rows && lines->bytes < lines->look &&
         find_next(stage, index, lines)) {
    const uint32_t *const first = stage->offsets + stage->next;
    bool is_cut = false;
    row.last = stage->offsets + stage->last;
    const uint32_t *const behind = add_line(&row, record, first, &is_cut);
    lines->is_stopped = true;
    if (behind == NULL) {
      if (!is_cut) index->unlike += 2;
      lines->are_unlike = index->unlike > MOST_UNLIKE;
      break;
    }
    const size_t end = behind[-1], length = end - index->next, entries = (size_t)(behind - first);
    if (length > lines->most_line || length > lines->most_bytes - lines->bytes) break;
    lines->is_stopped = false;
    if (index->unlike > 0) index->unlike--;
    index->line_entries = entries + entries / 8;
    index->next = end + 1;
    stage->next += entries;
    if (lines->numbers != NULL) {
      const int64_t number = lines->number + (int64_t)lines->lines;
      memcpy(lines->numbers->values + 8 * lines->numbers->count++, &number, sizeof number);
    }
    record->count++;
    lines->rows++;
    lines->lines++;
    lines->bytes += length;
  }
  lines->next = index->next;
}

#else

void decant_columns_add_lines(decant_line_index *index, const decant_columns *columns,
                              decant_column *record, decant_column_lines *lines) {
  (void)columns, (void)record;
  lines->next = index->next;
}

#endif
