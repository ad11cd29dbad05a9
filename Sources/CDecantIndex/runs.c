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

#include "runs_columns.h"

#define MOST_LOOKED 512  // keys that a run looks at for members in no order

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

// Elements of an array of doubles: those of many digits are the reader's.
static bool store_doubles(const struct run *run, uint64_t node, size_t count, char *place) {
  while (count > 0) {
    const uint32_t facts = decant_slot_high(run->slots[node]);
    const size_t stored = (facts >> 8 & 0xFF) + (facts >> 16 & 0xFF) <= MOST_DIGITS
                              ? decant_store_numbers(run, node, count, DECANT_RUN_DOUBLE, place)
                              : run->store_doubles(run->context, node, count, place);
    if (stored == 0) return run->store_doubles(run->context, node, 1, place) == count;
    node += stored;
    count -= stored;
    place += 8 * stored;
  }
  return true;
}

// An array without elements, where the struct may have its defaults.
DECANT_INLINE void store_empty(const decant_field_step *step, char *out) {
  memset(out + step->offset, 0, sizeof(void *));
  if (step->length_offset != 0) memset(out + step->length_offset, 0, sizeof(size_t));
}

static __attribute__((noinline)) bool store_array(const struct run *run,
                                                  const decant_field_step *step, uint64_t node,
                                                  char *out) {
  if (!is_array(run->slots[node])) return false;
  const size_t count = (uint32_t)second_slot(run, node);
  const uint8_t kind = step->element;
  if (kind > DECANT_RUN_TEXT) return false;
  if (count == 0) {
    store_empty(step, out);
    return true;
  }
  uint8_t *const before = run->block->next;
  char *const first = make_space(run->block, count, step->shift);
  if (first == NULL || readable_elements(run, node, count) != count ||
      (kind == DECANT_RUN_DOUBLE ? !store_doubles(run, node + 2, count, first)
                                 : store_elements(run, node + 2, count, kind, first) != count)) {
    run->block->next = before;
    return false;
  }
  memcpy(out + step->offset, &first, sizeof first);
  if (step->length_offset != 0) memcpy(out + step->length_offset, &count, sizeof count);
  return true;
}

// Space for the structs of an array, of zeros, to which the field then points. The address of the first; NULL if there is
// none.
static __attribute__((noinline)) char *make_structs(const struct run *run,
                                                    const decant_field_step *step, size_t count,
                                                    char *out) {
  const size_t size = step->record->size;
  decant_block_run *const block = run->block;
  const size_t padding = (0 - (uintptr_t)block->next) & (((size_t)1 << step->shift) - 1);
  const size_t space = (size_t)(block->end - block->next);
  if (padding > space || count > (space - padding) / size) return NULL;
  char *const first = (char *)block->next + padding;
  block->next += padding + count * size;
  memset(first, 0, count * size);
  memcpy(out + step->offset, &first, sizeof first);
  if (step->length_offset != 0) memcpy(out + step->length_offset, &count, sizeof count);
  return first;
}

// A field without a value keeps what the struct has: zeros, or its defaults.
DECANT_INLINE void store_absent(const decant_field_step *step, char *out) {
  if (step->presence_offset != 0) out[step->presence_offset] = 0;
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
    case DECANT_RUN_RECORD:
    case DECANT_RUN_RECORDS: is_stored = false; break;
    case DECANT_RUN_OTHER: return false;
    default:
      is_stored = store_number(run->text, slot, kind, place);
      if (DECANT_UNLIKELY(!is_stored) && kind == DECANT_RUN_DOUBLE)
        is_stored = run->store_doubles(run->context, node, 1, place) != 0;
  }
  if (DECANT_UNLIKELY(!is_stored)) {
    if (decant_slot_high(slot) != DECANT_NULL || !step->is_optional) return false;
    store_absent(step, out);
    return true;
  }
  if (step->presence_offset != 0) out[step->presence_offset] = 1;
  return true;
}

// MARK: Columns

static size_t add_all(const struct run *run, uint64_t node, size_t count, decant_column *column) {
  if (column->kind == DECANT_RUN_ITSELF) {
    const size_t added = add_all(run, node, count, column->children);
    column->count += added;
    return added;
  }
  if (column->kind <= DECANT_RUN_DOUBLE) {
    char *const place = (char *)column->values + width_of(column->kind) * column->count;
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
  end_list(column);
  return true;
}

DECANT_INLINE bool add_field(struct run *run, uint64_t slot, decant_column *column, uint64_t node) {
  if (column->kind == DECANT_RUN_ARRAY) return add_list(run, node, column);
  return add_scalar(run->columns, run->text, slot, column);
}

// MARK: Members

// Where a run stopped: the first field that was not taken, and where its key should be; of an array, how many records are
// left, and the first of them.
struct stop {
  const decant_field_step *step;
  decant_run_place members;
  size_t left;
};

// The state of a run that has entered a record inside a record, or an array of records.
struct frame {
  const decant_field_step *step, *last;
  decant_run_place members;
  uint64_t behind;  // the slot of the key behind the record or the array
  char *out;
  size_t records;
  uint8_t *next;
  size_t left;  // records of an array behind the present one
};

DECANT_INLINE uint64_t length_bit(uint32_t length) { return (uint64_t)1 << (length & 63); }

// Whether a key that was passed over may be a step's.
DECANT_INLINE bool may_be_passed(const decant_run_place *members, const decant_field_step *step) {
  return DECANT_UNLIKELY(members->passed != 0) &&
         (members->passed & length_bit(step->key.length)) != 0;
}

// The slot of a step's key among those from `key` up to `end`, of which `passed` gets those before it; 0 if it is not there,
// or the run looks no further: `looked`, which counts keys, is then more than MOST_LOOKED.
static __attribute__((noinline)) uint64_t find_key(const struct run *run,
                                                   const decant_field_step *step, uint64_t key,
                                                   uint64_t end, uint64_t *passed, size_t *looked) {
  const uint64_t *const slots = run->slots;
  const uint32_t wanted = step->key.length;
  uint64_t lengths = 0;
  for (; key < end; key = decant_slot_after(slots, key + 1)) {
    const uint32_t length = decant_slot_high(slots[key]);
    // A key with escapes may be any.
    if (DECANT_UNLIKELY(length >= DECANT_STRING_LONG || ++*looked > MOST_LOOKED)) break;
    if (length == wanted &&
        decant_key_equal(run->text + decant_slot_offset(slots[key]) + 1, step->name, length)) {
      *passed |= lengths;
      return key;
    }
    lengths |= length_bit(length);
  }
  if (key < end) *looked = MOST_LOOKED + 1;
  return 0;
}

// The slot of a step's key, whose next member has another one, or of which a key that was passed over has the length.
// Moves behind a member that follows. 0 if there is none; what follows is then not passed over.
static __attribute__((noinline)) uint64_t look_for(const struct run *run,
                                                   const decant_field_step *step,
                                                   decant_run_place *members, size_t *looked) {
  uint64_t passed = 0;
  if (may_be_passed(members, step)) {
    const uint64_t before = find_key(run, step, members->first, members->key, &passed, looked);
    if (before != 0 || *looked > MOST_LOOKED) return before;
  }
  const uint64_t found = find_key(run, step, members->key, members->end, &members->passed, looked);
  if (found != 0) members->key = decant_slot_after(run->slots, found + 1);
  return found;
}

// Whether a run that is in `level` records may go into one more, which is an object that nobody has looked into: in others
// members do not count in their order. A record that is one field, the value itself, may be anything.
DECANT_INLINE bool enters(const struct run *run, size_t level, const decant_record_steps *record,
                          uint64_t node) {
  const decant_nesting *const nesting = run->nesting;
  if (nesting->depth + level >= nesting->deepest || nesting->records > nesting->most_records)
    return false;
  return DECANT_UNLIKELY(record->is_itself) ||
         (decant_slot_high(run->slots[node]) >= DECANT_OBJECT && second_slot(run, node) == 0);
}

// Whether a step is of a value that was entered as its record's own.
DECANT_INLINE bool is_own(const decant_field_step *step, bool is_inside, const bool is_struct) {
  return is_struct && is_inside && step->is_itself;
}

// The members of a record's value, which was entered. Those of one that is one field, the value itself, have no key.
DECANT_INLINE decant_run_place members_of(const struct run *run, const decant_record_steps *record,
                                          uint64_t node) {
  const uint64_t key = DECANT_UNLIKELY(record->is_itself) ? node - 1 : node + 2;
  return (decant_run_place){key, key, decant_slot_after(run->slots, node), 0};
}

// The records of an array from the one at a slot on, each of which is an array of scalars itself, as far as they are plain.
// Takes them from those that are left, and returns the slot behind them.
static __attribute__((noinline)) uint64_t take_lists(struct run *run, size_t level,
                                                     const decant_record_steps *record,
                                                     size_t *left, uint64_t node, char *out) {
  for (; *left > 0 && enters(run, level, record, node); --*left, out += record->size) {
    if (!is_readable(run, run->slots[node]) || !store_array(run, record->steps, node, out)) break;
    run->nesting->records++;
    node = decant_slot_after(run->slots, node);
  }
  return node;
}

// The run over an object's members: `out` is a struct, or the column of the first field. Or, if `array` is not NULL, over
// an array's records: the first is at `members.end`, and so many are left behind it.
//
// `in_order`: it stops at the first other key, which is faster as long as there is none.
DECANT_INLINE struct stop take_members(struct run *run, const decant_field_step *step,
                                       const decant_field_step *last, decant_run_place members,
                                       char *out, const bool is_struct, const bool in_order,
                                       const decant_field_step *array, size_t left) {
  const uint64_t *const slots = run->slots;
  const size_t stride = is_struct ? 0 : run->columns->stride;
  struct frame frames[DECANT_RUN_LEVELS + 1], *inner = frames;
  struct frame *const full = frames + DECANT_RUN_LEVELS + (array != NULL);
  size_t looked = 0;
  if (array != NULL) {
    const decant_record_steps *const record = array->record;
    const uint64_t node = members.end;
    if (!enters(run, 0, record, node)) return (struct stop){array, members, left + 1};
    *inner++ = (struct frame){
        array, array + 1, members, node, out, run->nesting->records++, run->block->next, left};
    members = members_of(run, record, node);
    step = record->steps;
    last = step + record->count;
  }
  for (;;) {
    if (DECANT_UNLIKELY(step == last)) {
      if (array == NULL && inner == frames) return (struct stop){step, members, 0};
      struct frame *const frame = inner - 1;
      if (is_struct && frame->left != 0) {
        // The next record of an array.
        const decant_record_steps *const record = frame->step->record;
        uint64_t node = members.end;
        if (DECANT_UNLIKELY(record->is_list)) {
          const size_t before = frame->left;
          node = take_lists(run, (size_t)(frame - frames), record, &frame->left, node,
                            out + record->size);
          out += (before - frame->left) * record->size;
          members.end = node;
        }
        if (array != NULL && frame == frames) {
          frame->members.end = node;  // where a run of others begins
          frame->records = run->nesting->records;
          frame->next = run->block->next;
          looked = 0;
        }
        if (frame->left == 0) continue;
        frame->left--;
        if (!enters(run, (size_t)(frame - frames), record, node)) break;
        run->nesting->records++;
        members = members_of(run, record, node);
        step = record->steps;
        out += record->size;
        continue;
      }
      if (array != NULL && frame == frames) return (struct stop){array, members, 0};
      // The end of a record in a record.
      inner = frame;
      step = inner->step;
      last = inner->last;
      members = inner->members;
      members.key = inner->behind;
      out = inner->out;
      if (!is_struct) ((decant_column *)(void *)out)->count++;
      if (is_struct && step->presence_offset != 0) out[step->presence_offset] = 1;
      step++;
      out += stride;
      continue;
    }
    const uint64_t before = members.key;
    uint64_t key = before, slot;
    if (in_order) {
      if (DECANT_UNLIKELY(key >= members.end)) break;
      slot = slots[key + 1];
      if (DECANT_UNLIKELY(!is_readable(run, slot))) break;
      if (!decant_key_step_is_near(run->text, slots[key], step->key, step->name) &&
          !is_own(step, inner != frames, is_struct))
        break;
    } else if (key < members.end && is_readable(run, slot = slots[key + 1]) &&
               decant_key_step_is_near(run->text, slots[key], step->key, step->name) &&
               !may_be_passed(&members, step)) {
      members.key = decant_slot_after(slots, key + 1);
    } else if (is_own(step, inner != frames, is_struct)) {
      slot = slots[key + 1];
      if (!is_readable(run, slot)) break;
      members.key = members.end;
    } else {
      if (!step->is_member || step->key.length >= DECANT_STRING_LONG) break;
      // A copy, so that what most members need stays in registers.
      decant_run_place place = members;
      key = look_for(run, step, &place, &looked);
      members = place;
      if (key == 0) {
        if (!is_struct || !step->may_lack || looked > MOST_LOOKED) break;
        store_absent(step, out);
        step++;
        continue;
      }
      slot = slots[key + 1];
      if (!is_readable(run, slot)) {
        members.key = before;
        break;
      }
    }
    decant_column *const column = (decant_column *)(void *)out;
    const uint8_t kind = is_struct ? step->run : column->kind;
    const bool is_list = is_struct && kind == DECANT_RUN_RECORDS;
    if ((kind == DECANT_RUN_RECORD || is_list) && decant_slot_high(slot) != DECANT_NULL) {
      const decant_record_steps *const record = step->record;
      uint64_t node = key + 1;
      size_t count = 1;
      if (is_list) {
        if (!is_array(slot)) {
          members.key = before;
          break;
        }
        count = (uint32_t)second_slot(run, node);
        node += 2;
      }
      if (inner == full || (count != 0 && !enters(run, (size_t)(inner - frames), record, node))) {
        members.key = before;
        break;
      }
      const uint64_t behind = in_order ? decant_slot_high(slot) & DECANT_NEXT : members.key;
      uint8_t *const next = is_struct ? run->block->next : NULL;
      char *target = out;
      if (is_list && count == 0) {
        store_empty(step, out);
        if (step->presence_offset != 0) out[step->presence_offset] = 1;
        members.key = behind;
        step++;
        continue;
      }
      if (is_list) {
        target = make_structs(run, step, count, out);
        if (target == NULL) {
          members.key = before;
          break;
        }
      }
      *inner++ =
          (struct frame){step,   last,     {members.first, before, members.end, members.passed},
                         behind, out,      run->nesting->records++,
                         next,   count - 1};
      out = is_list ? target : is_struct ? out + step->offset : (char *)column->children;
      step = record->steps;
      last = step + record->count;
      members = members_of(run, record, node);
      continue;
    }
    if (is_struct ? !store_field(run, slot, step, key + 1, out)
                  : !add_field(run, slot, column, key + 1)) {
      members.key = before;
      break;
    }
    if (in_order) {
      members.key = key + 2;
      if (DECANT_UNLIKELY((slot >> 32 & DECANT_CONTAINER) != 0)) {
        DECANT_KEEP_BRANCH();
        members.key = decant_slot_high(slot) & DECANT_NEXT;
      }
    }
    step++;
    out += stride;
  }
  if (inner == frames) return (struct stop){step, members, 0};
  // The walk visits the outermost of the records again.
  run->nesting->records = frames[0].records;
  if (is_struct) run->block->next = frames[0].next;
  return (struct stop){frames[0].step, frames[0].members, frames[0].left + 1};
}

// MARK: Entries

uint64_t decant_run_find(const decant_context *context, const decant_field_step *step,
                         decant_run_place *members) {
  const struct run run = make_run(context, NULL);
  const uint64_t key = members->key;
  if (key < members->end && !may_be_passed(members, step) &&
      decant_key_step_is_at(context, key, step->key, step->name)) {
    members->key = decant_slot_after(context->slots, key + 1);
    return key;
  }
  size_t looked = 0;
  if (!step->is_member || step->key.length >= DECANT_STRING_LONG) return 0;
  return look_for(&run, step, members, &looked);
}

void decant_run_members(decant_struct_run *structs, decant_nesting *nesting,
                        const decant_context *context, const decant_record_steps *record,
                        size_t *field, uint64_t *key, uint64_t end, void *out) {
  struct run run = make_run(context, structs->block.limit);
  run.block = &structs->block;
  run.store_doubles = structs->store_doubles;
  run.nesting = nesting;
  const decant_field_step *const steps = record->steps;
  const decant_run_place members = {*key, *key, end, 0};
  const struct stop stop =
      take_members(&run, steps + *field, steps + record->count, members, out, true, true, NULL, 0);
  *field = (size_t)(stop.step - steps);
  *key = stop.members.key;
}

void decant_run_others(decant_struct_run *structs, decant_nesting *nesting,
                       const decant_context *context, const decant_record_steps *record,
                       size_t *field, decant_run_place *members, void *out) {
  struct run run = make_run(context, structs->block.limit);
  run.block = &structs->block;
  run.store_doubles = structs->store_doubles;
  run.nesting = nesting;
  const decant_field_step *const steps = record->steps;
  const struct stop stop = take_members(&run, steps + *field, steps + record->count, *members, out,
                                        true, false, NULL, 0);
  *field = (size_t)(stop.step - steps);
  *members = stop.members;
}

// The same of an array's records with members in any order, from where a run in order has stopped.
static __attribute__((noinline)) void take_others(struct run *run, struct stop *stop, char *out) {
  const decant_field_step *const array = stop->step;
  *stop = take_members(run, array, array, stop->members, out, true, false, array, stop->left - 1);
}

size_t decant_run_records(decant_struct_run *structs, decant_nesting *nesting,
                          const decant_context *context, const decant_record_steps *record,
                          uint64_t *node, size_t count, void *first) {
  struct run run = make_run(context, structs->block.limit);
  run.block = &structs->block;
  run.store_doubles = structs->store_doubles;
  run.nesting = nesting;
  const decant_field_step array = {.record = record};
  const decant_run_place place = {0, 0, *node, 0};
  struct stop stop =
      take_members(&run, &array, &array, place, first, true, true, &array, count - 1);
  if (stop.left == 0) return count;
  take_others(&run, &stop, (char *)first + (count - stop.left) * record->size);
  *node = stop.members.end;
  return count - stop.left;
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
  const decant_run_place members = {*key, *key, end, 0};
  const struct stop stop = take_members(&run, steps + *field, steps + record->record->count,
                                        members, out, false, true, NULL, 0);
  *field = (size_t)(stop.step - steps);
  *key = stop.members.key;
}

void decant_columns_fill_others(const decant_columns *columns, decant_nesting *nesting,
                                const decant_context *context, const decant_column *record,
                                size_t *field, decant_run_place *members) {
  if (record->record == NULL) return;
  struct run run = make_run(context, columns->limit);
  run.columns = columns;
  run.nesting = nesting;
  const decant_field_step *const steps = record->record->steps;
  char *const out = (char *)record->children + columns->stride * *field;
  const struct stop stop = take_members(&run, steps + *field, steps + record->record->count,
                                        *members, out, false, false, NULL, 0);
  *field = (size_t)(stop.step - steps);
  *members = stop.members;
}
