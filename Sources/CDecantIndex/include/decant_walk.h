// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Look-ups of many keys of one object, one after the other, by one reader: the object's look-up word
// (decant_lookup.h) is kept in registers, so that a hit neither loads nor stores it.
//
//   {"id": 1, "name": "Ann", "email": "a@b.c"}      place -> "id", found: place -> "name", …
//
// A place and a filter that were true of the object stay true of it, so other look-ups may go on in
// between. A look-up that misses stores the word, and goes on with what decant_lookup_scan makes of it.

#ifndef DECANT_WALK_H
#define DECANT_WALK_H

#include "decant_lookup.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct decant_walk {
  uint64_t object;
  uint64_t place;   // the slot of the key where the next look-up begins
  uint64_t filter;  // the rest of the word
} decant_walk;

static inline __attribute__((always_inline)) void decant_walk_take(decant_walk *walk, uint64_t word) {
  walk->place = walk->object + 2 + (word & DECANT_HINT_MASK);
  walk->filter = word & ~DECANT_HINT_MASK;
}

// Begins where the last look-up into the object ended; or, `again`, anew.
static inline __attribute__((always_inline)) decant_walk decant_walk_begin(
    const decant_context *context, uint64_t object, bool again) {
  decant_walk walk = {object, 0, 0};
  if (again) decant_lookup_rewind(context, object);
  decant_walk_take(&walk, __atomic_load_n(&context->slots[object + 1], __ATOMIC_RELAXED));
  return walk;
}

static inline __attribute__((noinline)) uint64_t decant_walk_scan(
    decant_walk *walk, const decant_context *context, const uint8_t *key, size_t length) {
  uint64_t *word = &context->slots[walk->object + 1];
  __atomic_store_n(word, walk->filter | (walk->place - walk->object - 2), __ATOMIC_RELAXED);
  uint64_t node = decant_lookup_scan(context, walk->object, key, length);
  decant_walk_take(walk, __atomic_load_n(word, __ATOMIC_RELAXED));
  return node;
}

// The value of `key` if that is the next one, or DECANT_NODE_NONE.
static inline __attribute__((always_inline)) uint64_t decant_walk_next(
    decant_walk *walk, const decant_context *context, const uint8_t *key, size_t length) {
  const uint64_t *slots = context->slots;
  const uint64_t bit = decant_key_bit(length);
  const uint64_t end = decant_slot_high(slots[walk->object]) & DECANT_NEXT;
  if (__builtin_expect(walk->place >= end, 0)) return DECANT_NODE_NONE;
  const uint64_t slot = slots[walk->place];
  if (decant_slot_high(slot) != length || (walk->filter & bit) != 0 ||
      !decant_key_equal(context->text + decant_slot_offset(slot) + 1, key, length)) {
    return DECANT_NODE_NONE;
  }
  const uint64_t node = walk->place + 1;
  walk->filter |= bit;
  walk->place = decant_slot_after(slots, node);
  return node;
}

// The value of `key`, or DECANT_NODE_NONE.
static inline __attribute__((always_inline)) uint64_t decant_walk_find(
    decant_walk *walk, const decant_context *context, const uint8_t *key, size_t length) {
  uint64_t node = decant_walk_next(walk, context, key, length);
  if (node != DECANT_NODE_NONE) return node;
  // A copy, so that the walk itself has no address and stays in registers.
  decant_walk missed = *walk;
  node = decant_walk_scan(&missed, context, key, length);
  *walk = missed;
  return node;
}

#ifdef __cplusplus
}
#endif
#endif
