// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Under the rule `reject`, no object may have a key twice. Runs once over the slots of a valid document; keys are
// compared by what they spell, so "a" and "\u0061" are the same.
//
//   {"a":{"b":1,"b":2},"a":3}    the first duplicate is "b" at 12, a duplicate of the one at 6
//
// The keys of a small object are compared in pairs, by length and then by bytes. Those of a larger one go into an
// open-addressing table by their hashes, which are seeded (keys.c), so that no document can prepare collisions.
// Either way the time is linear in the document. The table is on the stack up to 128 keys, then from the context's
// allocator.
//
// A table larger than the processor's caches would wait for memory at every key. So the keys of a huge object are
// first partitioned by the leading bits of their hashes, into parts of some thousand keys, in document order
// within each; equal keys come into one part. Each part has a table that fits the caches:
//
//   keys      slot 2      slot 4      slot 6      slot 8   …     read once, in document order
//   entries   9F… | 2     03… | 4     9A… | 6     03… | 8  …     hash and slot
//   parts     03… | 4     03… | 8     | … | 9A… | 6     9F… | 2  …     each with its table in turn
//
// A bucket holds its key's hash, so that only keys with equal hashes are compared as text.

#include "keys.h"

#include "decant_lookup.h"
#include "decant_memory.h"

#include <stdint.h>
#include <string.h>

#define FEW_KEYS          8
#define STACK_BUCKETS     256u
#define PART_KEYS         4096u  // whose table is 64 to 128 KB
#define MAXIMUM_PART_BITS 11     // parts are written side by side: as many lines of a cache

struct finder {
  const decant_context *context;
  uint64_t seed[2];
  uint64_t *buckets;  // in the low half a key's slot plus one; 0 is empty
  size_t bucket_count;
  size_t bucket_room;
  uint64_t *owned_buckets;
  size_t second;  // the offset of the first duplicate so far, or SIZE_MAX
  size_t first;   // of the key that it duplicates
  uint64_t stack_buckets[STACK_BUCKETS];
};

static void begin(struct finder *finder, const decant_context *context) {
  finder->context = context;
  finder->buckets = finder->stack_buckets;
  finder->bucket_room = STACK_BUCKETS;
  finder->owned_buckets = NULL;
  finder->second = SIZE_MAX;
  finder->first = 0;
  decant_draw_seed(finder->seed);
}

static void release_buckets(struct finder *finder) {
  if (finder->owned_buckets == NULL) return;
  decant_block_release(finder->context->allocator, finder->owned_buckets,
                       finder->bucket_room * sizeof finder->buckets[0]);
}

// MARK: - Objects

// Keeps the duplicate, unless the one found before comes first in the document.
static void found(struct finder *finder, uint64_t first, uint64_t second) {
  if ((uint32_t)second >= finder->second) return;
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
  size_t count = 2 * FEW_KEYS;
  while (count < 2 * keys) count *= 2;
  if (count > finder->bucket_room) {
    uint64_t *owned = decant_block_allocate(finder->context->allocator, count * sizeof *owned);
    if (owned == NULL) return false;
    release_buckets(finder);
    finder->owned_buckets = finder->buckets = owned;
    finder->bucket_room = count;
  }
  finder->bucket_count = count;
  memset(finder->buckets, 0, count * sizeof finder->buckets[0]);
  return true;
}

// A key by its hash, in the high half, and its slot.
static uint64_t entry_of(const struct finder *finder, uint32_t key) {
  const uint64_t slot = finder->context->slots[key];
  return decant_hash_key(finder->seed, decant_key_at(finder->context, slot)) << 32 | key;
}

// The bucket of an equal key, or the empty one where the key belongs. Keys are compared as text only if the high halves of
// their buckets agree with `high` under `mask`.
DECANT_INLINE uint64_t *bucket_of(const struct finder *finder, uint64_t hash, uint64_t slot,
                                  uint64_t high, uint64_t mask) {
  const uint64_t *slots = finder->context->slots;
  size_t bucket = hash & (finder->bucket_count - 1);
  for (uint64_t other; (other = finder->buckets[bucket]) != 0;
       bucket = (bucket + 1) & (finder->bucket_count - 1)) {
    if (((other >> 32 ^ high) & mask) != 0) continue;
    if (same_keys(finder->context, slots[(uint32_t)other - 1], slot)) break;
  }
  return &finder->buckets[bucket];
}

// Enters a key; false if it is in the table already.
static bool enter(struct finder *finder, uint64_t entry) {
  const uint64_t slot = finder->context->slots[(uint32_t)entry];
  uint64_t *bucket = bucket_of(finder, entry >> 32, slot, entry >> 32, UINT32_MAX);
  if (*bucket != 0) {
    found(finder, finder->context->slots[(uint32_t)*bucket - 1], slot);
    return false;
  }
  *bucket = entry + 1;
  return true;
}

// All keys through one table, up to the first duplicate.
static bool look_up_all(struct finder *finder, uint32_t object, uint32_t end, size_t count) {
  const uint64_t *slots = finder->context->slots;
  if (!prepare_buckets(finder, count)) return false;
  for (uint32_t key = object + 2; key < end; key = (uint32_t)decant_slot_after(slots, key + 1)) {
    if (!enter(finder, entry_of(finder, key))) break;
  }
  return true;
}

// The same in parts. `bits` are those of a hash that tell its part.
static bool look_up_parts(struct finder *finder, uint32_t object, uint32_t end, size_t count) {
  const uint64_t *slots = finder->context->slots;
  unsigned bits = 1;
  while (bits < MAXIMUM_PART_BITS && count >> bits > PART_KEYS) bits++;
  const size_t parts = (size_t)1 << bits;
  const size_t words = parts + 1 + 2 * count;
  uint64_t *ends = decant_block_allocate(finder->context->allocator, words * sizeof *ends);
  if (ends == NULL) return false;
  uint64_t *entries = ends + parts + 1, *parted = entries + count;
  memset(ends, 0, (parts + 1) * sizeof *ends);
  // First the size of each part, stored one place further on. Then the beginning of each part, which moves to its end.
  size_t entered = 0;
  for (uint32_t key = object + 2; key < end; key = (uint32_t)decant_slot_after(slots, key + 1)) {
    entries[entered] = entry_of(finder, key);
    ends[(entries[entered++] >> (64 - bits)) + 1]++;
  }
  for (size_t part = 1; part < parts; part++) ends[part] += ends[part - 1];
  for (size_t place = 0; place < count; place++) {
    parted[ends[entries[place] >> (64 - bits)]++] = entries[place];
  }
  bool enough_memory = true;
  for (size_t part = 0, place = 0; enough_memory && part < parts; part++) {
    enough_memory = prepare_buckets(finder, ends[part] - place);
    while (enough_memory && place < ends[part] && enter(finder, parted[place])) place++;
    place = ends[part];
  }
  decant_block_release(finder->context->allocator, ends, words * sizeof *ends);
  return enough_memory;
}

static bool check_object(struct finder *finder, uint32_t object) {
  const uint64_t *slots = finder->context->slots;
  const uint32_t end = (uint32_t)decant_slot_after(slots, object);
  uint32_t keys[FEW_KEYS];
  size_t count = 0;
  for (uint32_t key = object + 2; key < end; key = (uint32_t)decant_slot_after(slots, key + 1)) {
    if (count < FEW_KEYS) keys[count] = key;
    count++;
  }
  if (count > PART_KEYS) return look_up_parts(finder, object, end, count);
  if (count > FEW_KEYS) return look_up_all(finder, object, end, count);
  compare_pairs(finder, keys, (uint32_t)count);
  return true;
}

int32_t decant_check_duplicates(decant_context *context) {
  struct finder finder;
  begin(&finder, context);
  bool enough_memory = true;
  for (uint32_t slot = 0; enough_memory && slot < context->slot_count;) {
    const uint64_t word = context->slots[slot];
    if ((uint32_t)word >= finder.second) break;
    const bool container = word >> 63;
    const bool object = container && context->text[(uint32_t)word] == '{';
    if (object) enough_memory = check_object(&finder, slot);
    slot += container ? 2 : 1;
  }
  release_buckets(&finder);
  if (!enough_memory) return DECANT_INDEX_OUT_OF_MEMORY;
  if (finder.second == SIZE_MAX) return DECANT_INDEX_OK;
  context->error_offset = finder.second;
  context->error_other = finder.first;
  return DECANT_INDEX_DUPLICATE_KEY;
}

// MARK: - Shadowed duplicates

static void mark(uint8_t *bits, size_t place) { bits[place >> 3] |= (uint8_t)(1u << (place & 7)); }

// The shadowed one of two members with the same key, at the places `earlier` and `later`.
static size_t shadowed(const decant_context *context, size_t earlier, size_t later) {
  return context->rules.duplicates == DECANT_DUPLICATES_LAST ? earlier : later;
}

// A bucket's high half is the member's place.
int32_t decant_shadowed_members(const decant_context *context, uint64_t object,
                                uint8_t *shadowed_bits) {
  const uint64_t *slots = context->slots;
  const uint32_t end = (uint32_t)decant_slot_after(slots, (uint32_t)object);
  const size_t members = decant_count_keys(context, (uint32_t)object);
  if (members < 2) return DECANT_INDEX_OK;

  struct finder finder;
  begin(&finder, context);
  if (!prepare_buckets(&finder, members)) return DECANT_INDEX_OUT_OF_MEMORY;
  size_t place = 0;
  for (uint32_t key = (uint32_t)object + 2; key < end;
       key = (uint32_t)decant_slot_after(slots, key + 1), place++) {
    const uint64_t hash = decant_hash_key(finder.seed, decant_key_at(context, slots[key]));
    uint64_t *bucket = bucket_of(&finder, hash, slots[key], 0, 0);
    if (*bucket != 0) {
      const size_t earlier = *bucket >> 32;
      mark(shadowed_bits, shadowed(context, earlier, place));
      if (shadowed(context, earlier, place) == place) continue;
    }
    *bucket = (uint64_t)place << 32 | (key + 1);
  }
  release_buckets(&finder);
  return DECANT_INDEX_OK;
}
