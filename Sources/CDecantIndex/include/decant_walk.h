// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Looks up many keys of one object in sequence. The object's look-up word (decant_lookup.h) stays in registers, so that a
// hit neither loads nor stores it.
//
//   {"id": 1, "name": "Ann", "email": "a@b.c"}      place -> "id", found: place -> "name", …
//
// While a walk has seen every key from the object's first one on, it has a second filter of 64 bits, so that fewer keys
// look like repetitions.
//
// A place and a filter that were true of the object stay true, so other look-ups may happen in between. A look-up that
// misses stores the word, and continues with the word of decant_lookup_scan.

#ifndef DECANT_WALK_H
#define DECANT_WALK_H

#include "decant_lookup.h"

DECANT_BEGIN

typedef struct decant_walk {
  uint64_t object;
  uint64_t end;     // the slot after the object's last one
  uint64_t place;   // the slot of the key where the next look-up begins
  uint64_t filter;  // the rest of the word
  uint64_t keys;    // a bit for each key before the place; all bits if they are not known
} decant_walk;

DECANT_INLINE void decant_walk_take(decant_walk *walk, uint64_t word) {
  walk->place = walk->object + 2 + (word & DECANT_HINT_MASK);
  walk->filter = word & ~DECANT_HINT_MASK;
  walk->keys = word != 0 ? ~(uint64_t)0 : 0;
}

// Begins where the last look-up into the object ended; or, `again`, anew.
DECANT_INLINE decant_walk decant_walk_begin(const decant_context *context, uint64_t object,
                                            bool again) {
  const uint64_t *slots = context->slots;
  decant_walk walk = {object, decant_slot_high(slots[object]) & DECANT_NEXT, 0, 0, 0};
  if (again) decant_lookup_rewind(context, object);
  decant_walk_take(&walk, decant_second_slot(context, object));
  return walk;
}

// The general path, when a walk misses; `word` is the walk's word. The walk itself is passed by value, so that it stays in
// registers.
static __attribute__((noinline, unused)) uint64_t decant_walk_scan(const decant_context *context,
                                                                   uint64_t object, uint64_t word,
                                                                   const uint8_t *key,
                                                                   size_t length) {
  __atomic_store_n(&context->slots[object + 1], word, __ATOMIC_RELAXED);
  if (length == 0) length = strlen((const char *)key);
  return decant_lookup_scan(context, object, key, length);
}

// The value of `key` if that is the next key, or DECANT_NODE_NONE. If the length is 0, the key ends with a NUL byte. It is
// not measured: a key in a text has no NUL byte, so the comparison stops in time.
DECANT_INLINE uint64_t decant_walk_next(decant_walk *walk, const decant_context *context,
                                        const uint8_t *key, size_t length) {
  if (__builtin_expect(walk->place >= walk->end, 0)) return DECANT_NODE_NONE;
  const uint64_t slot = context->slots[walk->place];
  const uint32_t count = decant_slot_high(slot);
  const uint8_t *text = context->text + decant_slot_offset(slot) + 1;
  if (length != 0) {
    if (count != length || length >= DECANT_STRING_LONG || !decant_key_equal(text, key, length))
      return DECANT_NODE_NONE;
  } else {
    if (count >= DECANT_STRING_LONG) return DECANT_NODE_NONE;  // escaped, or long
    for (uint32_t at = 0; at < count; at++)
      if (text[at] != key[at]) return DECANT_NODE_NONE;
    if (key[count] != 0) return DECANT_NODE_NONE;
  }
  // The byte before an empty key is its quote.
  const uint64_t own = 1ull << ((*(text + count - 1) + 8 * count) & 63);
  const uint64_t bits = decant_key_bits(text, count);
  if (__builtin_expect((walk->keys & own) != 0 && (walk->filter & bits) == bits, 0))
    return DECANT_NODE_NONE;
  const uint64_t node = walk->place + 1;
  walk->filter |= bits;
  walk->keys |= own;
  walk->place = decant_slot_after(context->slots, node);
  return node;
}

// The value of `key`, or DECANT_NODE_NONE.
DECANT_INLINE uint64_t decant_walk_find(decant_walk *walk, const decant_context *context,
                                        const uint8_t *key, size_t length) {
  uint64_t node = decant_walk_next(walk, context, key, length);
  if (__builtin_expect(node != DECANT_NODE_NONE, 1)) return node;
  const uint64_t object = walk->object;
  node = decant_walk_scan(context, object, walk->filter | (walk->place - object - 2), key, length);
  decant_walk_take(walk, decant_second_slot(context, object));
  return node;
}

// A key that is prepared for comparisons: its first eight bytes in a word, with zeros after the last. A key that is too
// long for a slot, or absent, has a length that no slot has.
typedef struct decant_key_step {
  uint64_t word, mask;
  uint32_t length;
} decant_key_step;

static inline decant_key_step decant_key_step_make(const uint8_t *key, size_t length) {
  decant_key_step step = {0, 0, UINT32_MAX};
  if (length >= DECANT_STRING_LONG) return step;
  step.length = (uint32_t)length;
  for (size_t at = length < 8 ? length : 8; at-- > 0;) {
    step.word = step.word << 8 | key[at];
    step.mask = step.mask << 8 | 0xFF;
  }
  return step;
}

// A field as a walk and a run (decant_runs.h) see it: its key, and where its value is stored.
typedef struct DECANT_HANDLE decant_field_step {
  decant_key_step key;
  // The key's bytes, as they are written: behind a comma and a quotation mark, and before another one and a colon.
  const uint8_t *name;
  const struct decant_record_steps *record;  // of a record
  uint32_t offset;                           // of the value in its struct
  uint32_t length_offset, presence_offset;   // of its length and its presence; 0: nowhere
  uint8_t kind;                              // the reader's number of the field's kind
  uint8_t
      run;  // the same if there is nothing but the value's kind to look at; else DECANT_RUN_OTHER
  uint8_t element;   // of an array, what its elements are to a run
  uint8_t shift;     // such an element has 1 << shift bytes
  bool is_member;    // whether the value is a member of the record's object
  bool is_optional;  // whether null is no value
  bool may_lack;     // whether a run may find no member, which leaves the struct's zeros
  bool is_itself;    // whether the value is the record's own
} decant_field_step;

// The steps of a record's fields.
typedef struct DECANT_HANDLE decant_record_steps {
  const decant_field_step *steps;
  size_t count;
  size_t size;      // of the struct
  bool is_itself;   // whether it is one field, the record's own value
  bool is_list;     // the same, and the value is an array of scalars
  bool is_written;  // whether runs write its fields: their keys are plain, and differ
} decant_record_steps;

// Whether the key at a slot is this one. Reads up to eight bytes after its quote.
DECANT_INLINE bool decant_key_step_is_near(const uint8_t *text, uint64_t slot, decant_key_step step,
                                           const uint8_t *key) {
  // A key with escapes has another number there.
  if (decant_slot_high(slot) != step.length) return false;
  text += (size_t)decant_slot_offset(slot) + 1;
  if (((decant_load_word(text) ^ step.word) & step.mask) != 0) return false;
  return __builtin_expect(step.length <= 8, 1) ||
         decant_key_equal(text + 8, key + 8, step.length - 8);
}

// The same for any key.
DECANT_INLINE bool decant_key_step_is_at(const decant_context *context, uint64_t place,
                                         decant_key_step step, const uint8_t *key) {
  const uint64_t slot = context->slots[place];
  const size_t start = (size_t)decant_slot_offset(slot) + 1;
  if (__builtin_expect(start + 8 <= context->length, 1))
    return decant_key_step_is_near(context->text, slot, step, key);
  return decant_slot_high(slot) == step.length &&
         decant_key_equal(context->text + start, key, step.length);
}

// Stores in the object that look-ups continue at a key's slot, after decant_key_step_is_at found all keys before it.
static __attribute__((noinline, unused)) void decant_walk_leave(const decant_context *context,
                                                                uint64_t object, uint64_t place) {
  uint64_t *slots = context->slots;
  uint64_t word = decant_second_slot(context, object) & ~(DECANT_FILTER_MASK | DECANT_HINT_MASK);
  for (uint64_t key = object + 2; key < place; key = decant_slot_after(slots, key + 1))
    word |= decant_key_bits(context->text + decant_slot_offset(slots[key]) + 1,
                            decant_slot_high(slots[key]));
  __atomic_store_n(&slots[object + 1], word | (place - object - 2), __ATOMIC_RELAXED);
}

DECANT_END

#endif
