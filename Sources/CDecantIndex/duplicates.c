// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Under the rule `reject`, no object may name a key twice. Runs once after a document is known to
// be valid, over its slots; keys are compared after unescaping, so "a" and "\u0061" are the same.
//
//   {"a":{"b":1,"b":2},"a":3}    the first second key is "b" at 12, and its first one stands at 6
//
// Objects with a few keys compare each pair, by length and then by bytes. Larger ones put their
// keys into an open-addressing table by their hashes (keys.c), which nobody can prepare. Either way
// the time is linear in the document. The table is on the stack up to 128 keys, then from the
// context's allocator.

#include "keys.h"

#include "decant_lookup.h"

#include <stdint.h>
#include <string.h>

#define FEW_KEYS 8
#define STACK_BUCKETS 256u

struct finder {
  const decant_context *context;
  uint64_t seed[2];
  uint32_t *buckets;  // a key's slot plus one, or 0
  size_t bucket_count;
  size_t bucket_room;
  uint32_t *owned_buckets;
  size_t second;  // where the first second key stands so far, or SIZE_MAX
  size_t first;
  uint32_t stack_buckets[STACK_BUCKETS];
};

// MARK: - Objects

static void found(struct finder *finder, uint64_t first, uint64_t second) {
  finder->first = (uint32_t)first;
  finder->second = (uint32_t)second;
}

static bool same_keys(const decant_context *context, uint64_t left, uint64_t right) {
  return decant_same_key(decant_key_at(context, left), decant_key_at(context, right));
}

static void compare_pairs(struct finder *finder, const uint32_t *keys, uint32_t count) {
  const uint64_t *slots = finder->context->slots;
  for (uint32_t later = 1; later < count; later++) {
    for (uint32_t earlier = 0; earlier < later; earlier++) {
      if (!same_keys(finder->context, slots[keys[earlier]], slots[keys[later]])) continue;
      found(finder, slots[keys[earlier]], slots[keys[later]]);
      return;
    }
  }
}

// At least two buckets per key, all empty.
static bool prepare_buckets(struct finder *finder, size_t keys) {
  size_t count = STACK_BUCKETS;
  while (count < 2 * keys) count *= 2;
  if (count > finder->bucket_room) {
    uint32_t *owned = decant_scratch_allocate(finder->context, count * sizeof *owned);
    if (owned == NULL) return false;
    if (finder->owned_buckets != NULL) {
      decant_scratch_release(finder->context, finder->owned_buckets,
                             finder->bucket_room * sizeof *owned);
    }
    finder->owned_buckets = finder->buckets = owned;
    finder->bucket_room = count;
  }
  finder->bucket_count = count;
  memset(finder->buckets, 0, count * sizeof finder->buckets[0]);
  return true;
}

// Stops at the first second key, or where an earlier one was found in another object.
static void look_up_all(struct finder *finder, uint32_t object, uint32_t end) {
  const uint64_t *slots = finder->context->slots;
  for (uint32_t key = object + 2; key < end; key = (uint32_t)decant_slot_after(slots, key + 1)) {
    if ((uint32_t)slots[key] >= finder->second) return;
    const struct decant_key reader = decant_key_at(finder->context, slots[key]);
    size_t bucket = decant_hash_key(finder->seed, reader) & (finder->bucket_count - 1);
    while (finder->buckets[bucket] != 0) {
      const uint64_t earlier = slots[finder->buckets[bucket] - 1];
      if (same_keys(finder->context, earlier, slots[key])) {
        found(finder, earlier, slots[key]);
        return;
      }
      bucket = (bucket + 1) & (finder->bucket_count - 1);
    }
    finder->buckets[bucket] = key + 1;
  }
}

static bool check_object(struct finder *finder, uint32_t object) {
  const uint64_t *slots = finder->context->slots;
  const uint32_t end = (uint32_t)decant_slot_after(slots, object);
  uint32_t keys[FEW_KEYS];
  size_t count = 0;
  for (uint32_t key = object + 2; key < end; key = (uint32_t)decant_slot_after(slots, key + 1)) {
    if ((uint32_t)slots[key] >= finder->second) break;
    if (count < FEW_KEYS) keys[count] = key;
    count++;
  }
  if (count <= FEW_KEYS) {
    compare_pairs(finder, keys, (uint32_t)count);
    return true;
  }
  if (!prepare_buckets(finder, count)) return false;
  look_up_all(finder, object, end);
  return true;
}

int32_t decant_check_duplicates(decant_context *context) {
  struct finder finder;
  finder.context = context;
  finder.buckets = finder.stack_buckets;
  finder.bucket_room = STACK_BUCKETS;
  finder.owned_buckets = NULL;
  finder.second = SIZE_MAX;
  finder.first = 0;
  decant_draw_seed(finder.seed);

  bool enough_memory = true;
  for (uint32_t slot = 0; enough_memory && slot < context->slot_count;) {
    const uint64_t word = context->slots[slot];
    if ((uint32_t)word >= finder.second) break;
    const bool container = word >> 63;
    const bool object = container && context->text[(uint32_t)word] == '{';
    if (object) enough_memory = check_object(&finder, slot);
    slot += container ? 2 : 1;
  }
  if (finder.owned_buckets != NULL) {
    decant_scratch_release(context, finder.owned_buckets,
                           finder.bucket_room * sizeof finder.buckets[0]);
  }
  if (!enough_memory) return DECANT_INDEX_OUT_OF_MEMORY;
  if (finder.second == SIZE_MAX) return DECANT_INDEX_OK;
  context->error_offset = finder.second;
  context->error_other = finder.first;
  return DECANT_INDEX_DUPLICATE_KEY;
}

// MARK: - Members that do not count

static void mark(uint8_t *bits, size_t place) { bits[place >> 3] |= (uint8_t)(1u << (place & 7)); }

// Of two members with one key, the places of the earlier and the later, the one that does not count.
static size_t loser(const decant_context *context, size_t earlier, size_t later) {
  return context->rules.duplicates == DECANT_DUPLICATES_LAST ? earlier : later;
}

// A bucket holds a key's slot plus one; which member that is stands beside it.
int32_t decant_losing_members(const decant_context *context, uint64_t object, uint8_t *losers) {
  const uint64_t *slots = context->slots;
  const uint32_t end = (uint32_t)decant_slot_after(slots, (uint32_t)object);
  size_t members = 0;
  for (uint32_t key = (uint32_t)object + 2; key < end; key = (uint32_t)decant_slot_after(slots, key + 1)) members++;
  if (members < 2) return DECANT_INDEX_OK;

  struct finder finder = {.context = context, .bucket_room = STACK_BUCKETS};
  finder.buckets = finder.stack_buckets;
  decant_draw_seed(finder.seed);
  // Two words a bucket.
  if (!prepare_buckets(&finder, 2 * members)) return DECANT_INDEX_OUT_OF_MEMORY;
  const size_t mask = finder.bucket_count / 2 - 1;
  size_t place = 0;
  for (uint32_t key = (uint32_t)object + 2; key < end; key = (uint32_t)decant_slot_after(slots, key + 1), place++) {
    size_t bucket = decant_hash_key(finder.seed, decant_key_at(context, slots[key])) & mask;
    while (finder.buckets[2 * bucket] != 0 &&
           !same_keys(context, slots[finder.buckets[2 * bucket] - 1], slots[key])) {
      bucket = (bucket + 1) & mask;
    }
    if (finder.buckets[2 * bucket] != 0) {
      const size_t earlier = finder.buckets[2 * bucket + 1];
      mark(losers, loser(context, earlier, place));
      if (loser(context, earlier, place) == place) continue;
    }
    finder.buckets[2 * bucket] = key + 1;
    finder.buckets[2 * bucket + 1] = (uint32_t)place;
  }
  if (finder.owned_buckets != NULL) {
    decant_scratch_release(context, finder.owned_buckets,
                           finder.bucket_room * sizeof finder.buckets[0]);
  }
  return DECANT_INDEX_OK;
}
