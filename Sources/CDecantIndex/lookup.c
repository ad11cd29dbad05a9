// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The out-of-line half of decant_lookup.h: scans, escaped keys, and what a missing view remembers.

#include "decant_lookup.h"
#include "keys.h"

const uint8_t decant_prefix_masks[32] __attribute__((aligned(32))) = {
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

// MARK: keys

// Whether the key at `slot`, escaped or too long for its slot, spells `key`.
static DECANT_COLD bool spells(const decant_context *context, uint64_t slot, const uint8_t *key,
                               size_t length) {
  return decant_same_key(decant_key_at(context, context->slots[slot]), decant_key_of(key, length));
}

// The bits of keys that were passed. Of their lengths there are bits for twice as many as the filter has: then such a bit is
// one instruction.
DECANT_INLINE uint64_t passed_bits(uint32_t passed) {
  const uint64_t lengths = (passed | passed >> 16) & 0xFFFF;
  return lengths << DECANT_LENGTHS_SHIFT | DECANT_ALL_ENDS;
}

// Looks for `key` among the keys in slots from … to; adds to `filter` the bits of those it skips, and of the one it
// finds. Returns the key's slot, or `to`.
//
// An escaped key is not unescaped for the filter: it sets every bit, so that later hits in the object search backwards.
DECANT_INLINE uint64_t find_key(const decant_context *context, uint64_t from, uint64_t to,
                                const uint8_t *key, size_t length, uint64_t *filter) {
  const uint64_t *slots = context->slots;
  const uint8_t *text = context->text + 1;
  uint32_t wanted = length < DECANT_STRING_LONG ? (uint32_t)length : UINT32_MAX;
  uint64_t slot = from;
  uint32_t passed = 0;
  while (slot < to) {
    uint32_t high = decant_slot_high(slots[slot]);
    if (__builtin_expect(high == wanted, 0)) {
      if (decant_key_equal(text + decant_slot_offset(slots[slot]), key, length)) break;
    } else if (__builtin_expect(high >= DECANT_STRING_LONG, 0)) {
      passed = UINT32_MAX;
      if (spells(context, slot, key, length)) break;
    }
    passed |= 1u << (high & 31);
    slot = decant_slot_after(slots, slot + 1);
  }
  if (passed != 0) *filter |= passed_bits(passed);
  if (slot < to) *filter |= decant_key_bits(key, length);
  return slot;
}

// MARK: the word

// How much an object is walked before it gets a directory, as a multiple of its slots. Building one
// costs about as much as walking over its keys that often.
#define PATIENCE    16
#define EFFORT_UNIT 64

// The effort after a scan over so many slots of the object. May build its directory. Short scans do not count, because
// their cost is bounded.
static uint64_t effort_after(const decant_context *context, uint64_t object, uint64_t word,
                             uint64_t walked) {
  uint64_t effort = word >> DECANT_EFFORT_SHIFT;
  if (DECANT_LIKELY(walked < EFFORT_UNIT) || effort >= DECANT_EFFORT_NEEDLESS) return effort;
  uint64_t size = (decant_slot_high(context->slots[object]) & DECANT_NEXT) - object;
  if (size < 2 * DECANT_DIRECTORY_KEYS) return effort;
  uint64_t enough = size * PATIENCE / EFFORT_UNIT;
  if (enough >= DECANT_EFFORT_NEEDLESS) enough = DECANT_EFFORT_NEEDLESS - 1;
  effort += walked / EFFORT_UNIT;
  if (DECANT_LIKELY(effort < enough)) return effort;
  switch (decant_directory_build(context, object)) {
    case DECANT_DIRECTORY_BUILT: return DECANT_EFFORT_DIRECTORY;
    case DECANT_DIRECTORY_NEEDLESS: return DECANT_EFFORT_NEEDLESS;
    default: return 0;  // no memory now: later, perhaps
  }
}

// Stores the result of a scan: where the next look-up begins, and the filter of the keys before. If a hint does not fit,
// the old one stays; the filter of such an object is always full.
static inline void store_word(uint64_t *slots, uint64_t object, uint64_t word, uint64_t effort,
                              uint64_t filter, uint64_t next) {
  uint64_t hint = next - object - 2;
  uint64_t end = decant_slot_high(slots[object]) & DECANT_NEXT;
  if (end - object > DECANT_HINT_MASK) filter = DECANT_WORD_FULL;
  if (hint > DECANT_HINT_MASK) hint = word & DECANT_HINT_MASK;
  uint64_t now = effort << DECANT_EFFORT_SHIFT | filter | hint;
  __atomic_store_n(&slots[object + 1], now, __ATOMIC_RELAXED);
}

// Stores the cost of a scan that does not move the hint.
static inline void store_effort(uint64_t *slots, uint64_t object, uint64_t word, uint64_t effort) {
  if (effort == word >> DECANT_EFFORT_SHIFT) return;
  uint64_t now = effort << DECANT_EFFORT_SHIFT | (word & (DECANT_FILTER_MASK | DECANT_HINT_MASK));
  __atomic_store_n(&slots[object + 1], now, __ATOMIC_RELAXED);
}

static uint64_t lookup_last(const decant_context *context, uint64_t object, uint64_t word,
                            const uint8_t *key, size_t length) {
  uint64_t end = decant_slot_high(context->slots[object]) & DECANT_NEXT;
  uint64_t found = DECANT_NODE_NONE, filter = 0;
  for (uint64_t slot = object + 2; slot < end; slot = decant_slot_after(context->slots, slot + 1)) {
    slot = find_key(context, slot, end, key, length, &filter);
    if (slot >= end) break;
    found = slot + 1;
  }
  store_effort(context->slots, object, word, effort_after(context, object, word, end - object));
  return found;
}

// By any rule for duplicates, among any keys, in an object of any size.
static __attribute__((noinline)) uint64_t scan_any(const decant_context *context, uint64_t object,
                                                   const uint8_t *key, size_t length) {
  uint64_t *slots = context->slots;
  uint64_t word = decant_second_slot(context, object);
  uint64_t node;
  if (DECANT_UNLIKELY(word >> DECANT_EFFORT_SHIFT == DECANT_EFFORT_DIRECTORY) &&
      decant_directory_lookup(context, object, key, length, &node))
    return node;
  if (context->rules.duplicates == DECANT_DUPLICATES_LAST)
    return lookup_last(context, object, word, key, length);
  uint64_t first = object + 2;
  uint64_t hint = first + (word & DECANT_HINT_MASK);
  uint64_t end = decant_slot_high(slots[object]) & DECANT_NEXT;
  uint64_t filter = 0, walked = 0;
  const uint64_t bits = decant_key_bits(key, length);
  if ((word & bits) == bits) {
    uint64_t slot = find_key(context, first, hint, key, length, &filter);
    walked = slot - first;
    if (slot < hint) {
      store_word(slots, object, word, effort_after(context, object, word, walked), filter,
                 decant_slot_after(slots, slot + 1));
      return slot + 1;
    }
  }
  filter = word & DECANT_FILTER_MASK;
  uint64_t slot = find_key(context, hint, end, key, length, &filter);
  walked += slot - hint;
  uint64_t effort = effort_after(context, object, word, walked);
  if (slot >= end) {
    store_effort(slots, object, word, effort);
    return DECANT_NODE_NONE;
  }
  store_word(slots, object, word, effort, filter, decant_slot_after(slots, slot + 1));
  return slot + 1;
}

// Adds a long walk to the effort. Returns the node, so that nothing is kept for after the call.
static __attribute__((noinline)) uint64_t add_effort(const decant_context *context, uint64_t object,
                                                     uint64_t walked, uint64_t node) {
  const uint64_t word = decant_second_slot(context, object);
  store_effort(context->slots, object, word, effort_after(context, object, word, walked));
  return node;
}

// Most look-ups that are not answered at the hint skip some keys without escapes, in an object that is not wide. They need
// few registers, and call nothing but at their end. If the key may occur before the hint, the walk begins at the first key.
uint64_t decant_lookup_scan(const decant_context *context, uint64_t object, const uint8_t *key,
                            size_t length) {
  uint64_t *slots = context->slots;
  uint64_t word = decant_second_slot(context, object);
  const uint64_t first = object + 2, end = decant_slot_high_at(slots, object) & DECANT_NEXT;
  if (DECANT_UNLIKELY(context->rules.duplicates == DECANT_DUPLICATES_LAST ||
                      word >> DECANT_EFFORT_SHIFT == DECANT_EFFORT_DIRECTORY ||
                      end - object > DECANT_HINT_MASK || length >= DECANT_STRING_LONG))
    return scan_any(context, object, key, length);
  const uint64_t bits = decant_key_bits(key, length), hint = first + (word & DECANT_HINT_MASK);
  const uint64_t start = (word & bits) == bits ? first : hint;
  const uint8_t *const text = context->text + 1;
  uint64_t slot = start;
  uint32_t passed = 0;
  for (; slot < end; slot = decant_slot_after(slots, slot + 1)) {
    const uint32_t high = decant_slot_high_at(slots, slot);
    if (DECANT_UNLIKELY(high == length)) {
      if (decant_key_equal(text + decant_slot_offset(slots[slot]), key, length)) break;
    } else if (DECANT_UNLIKELY(high >= DECANT_STRING_LONG)) {
      return scan_any(context, object, key, length);
    }
    passed |= 1u << (high & 31);
  }
  const uint64_t walked = slot - start;
  uint64_t node = DECANT_NODE_NONE;
  if (slot < end) {
    uint64_t from = hint;
    if (DECANT_UNLIKELY(slot < hint)) {
      word &= ~(DECANT_FILTER_MASK | DECANT_HINT_MASK);
      from = first;
    }
    if (slot != from) word |= passed_bits(passed);
    node = slot + 1;
    word = (word | bits) + (decant_slot_after(slots, node) - from);
    __atomic_store_n(&slots[object + 1], word, __ATOMIC_RELAXED);
  }
  if (DECANT_LIKELY(walked < EFFORT_UNIT)) return node;
  return add_effort(context, object, walked, node);
}

// MARK: misses

uint64_t decant_miss(const decant_context *context, uint64_t parent, const uint8_t *key,
                     size_t length, int64_t index) {
  decant_misses *misses = context->misses;
  if (!misses) return DECANT_NODE_MISSING;
  uint32_t number = ++misses->count;
  unsigned place = number % DECANT_MISSES;
  misses->entry[place].parent = parent;
  misses->entry[place].index = index;
  misses->entry[place].length = (uint32_t)length;
  size_t room = sizeof misses->entry[place].key;
  if (length) memcpy(misses->entry[place].key, key, length < room ? length : room);
  return DECANT_NODE_MISSING | number;
}

const uint8_t *decant_missed(const decant_context *context, uint64_t node, uint64_t *parent,
                             int64_t *index, size_t *length) {
  const decant_misses *misses = context->misses;
  uint32_t number = (uint32_t)node;
  if (!misses || number == 0 || misses->count - number >= DECANT_MISSES) return NULL;
  unsigned place = number % DECANT_MISSES;
  *parent = misses->entry[place].parent;
  *index = misses->entry[place].index;
  *length = misses->entry[place].length;
  return misses->entry[place].key;
}
