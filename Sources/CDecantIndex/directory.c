// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Directories: hash tables of the keys of huge objects, which replace scans after many look-ups.
//
//   scan, scan, …     decant_lookup_scan adds up what it walks in the object's word (decant_lookup.h)
//   enough            about sixteen times the object: its directory is built, in two walks
//   from then on      one hash and about one comparison a look-up, whatever the order of the keys
//
// So m look-ups over n keys cost O(n + m), and an object that is read field by field in any sensible
// order never has a directory. The hash has a secret seed (keys.c): no document can prepare collisions.
//
// A look-up in random order waits for memory, and it waits twice: for the bucket of its hash, and for the key's text. It
// does not wait for the key's slot, because the bucket has a copy beside the slot's number. Branches are predictable, so
// the processor begins the next look-up early: usually one key of a bucket has the tag, and that key matches. Building a
// directory prefetches the buckets of many keys before it enters the first.
//
// The document's table (table.h) owns the directories, and publishes them. If memory is exhausted, look-ups keep scanning.

#include "table.h"
#include "keys.h"
#include "decant_lookup.h"

#define BUCKET_KEYS 4u
#define LINE_BYTES  64u

// A cache line of keys, filled from the first place on.
struct bucket {
  uint32_t tags[BUCKET_KEYS];     // odd, from the keys' hashes; 0 where there is no key
  uint32_t numbers[BUCKET_KEYS];  // of the keys' slots
  uint64_t slots[BUCKET_KEYS];    // the keys' slots
};

struct directory {
  struct table_entry entry;
  uint32_t bucket_count;
  struct bucket *buckets;  // in this block, where cache lines begin
};

static struct directory *directory_of(struct table *table, uint32_t object) {
  return (struct directory *)decant_table_find(table, DECANT_ENTRY_DIRECTORY, object);
}

// MARK: - A directory

struct place {
  struct bucket *bucket;
  uint32_t at;
};

// The bucket where the search for a key begins.
static uint32_t bucket_of(const struct directory *directory, uint64_t hash) {
  return (uint32_t)((hash & UINT32_MAX) * directory->bucket_count >> 32);
}

static uint32_t tag_of(uint64_t hash) { return (uint32_t)(hash >> 32) | 1; }

static bool is_key(const decant_context *context, uint64_t slot, const struct decant_key *key) {
  const uint32_t facts = (uint32_t)(slot >> 32);
  if (DECANT_LIKELY(!key->escaped && facts < DECANT_STRING_LONG)) {
    return facts == (size_t)(key->end - key->at) &&
           decant_key_equal(context->text + (uint32_t)slot + 1, key->at, facts);
  }
  return decant_same_key(decant_key_at(context, slot), *key);
}

// The place of the key, or the empty place where it belongs. Compares only keys with equal tags, because each comparison
// waits for the key's text.
static struct place place_of(const decant_context *context, const struct directory *directory,
                             uint64_t hash, const struct decant_key *key) {
  const uint32_t tag = tag_of(hash);
  const struct bucket *end = directory->buckets + directory->bucket_count;
  for (struct bucket *bucket = &directory->buckets[bucket_of(directory, hash)];;) {
    uint32_t alike = 0;
    for (uint32_t at = 0; at < BUCKET_KEYS; at++)
      alike |= (uint32_t)(bucket->tags[at] == tag) << at;
    for (; alike != 0; alike &= alike - 1) {
      const uint32_t at = (uint32_t)__builtin_ctz(alike);
      if (DECANT_LIKELY(is_key(context, bucket->slots[at], key))) return (struct place){bucket, at};
    }
    for (uint32_t at = 0; at < BUCKET_KEYS; at++) {
      if (bucket->tags[at] == 0) return (struct place){bucket, at};
    }
    if (++bucket == end) bucket = directory->buckets;
  }
}

static uint64_t hash_of(const decant_context *context, const struct table *table, uint64_t slot) {
  const uint32_t facts = (uint32_t)(slot >> 32);
  if (DECANT_LIKELY(facts < DECANT_STRING_LONG)) {
    return decant_hash_plain(table->seed, context->text + (uint32_t)slot + 1, facts);
  }
  return decant_hash_key(table->seed, decant_key_at(context, slot));
}

// If keys are equal, the rule for duplicates keeps the first or the last.
static void enter_key(const decant_context *context, const struct directory *directory,
                      uint64_t hash, uint32_t number) {
  const uint64_t slot = context->slots[number];
  const struct decant_key key = decant_key_at(context, slot);
  const struct place place = place_of(context, directory, hash, &key);
  const bool last = context->rules.duplicates == DECANT_DUPLICATES_LAST;
  if (place.bucket->tags[place.at] != 0 && !last) return;
  place.bucket->tags[place.at] = tag_of(hash);
  place.bucket->numbers[place.at] = number;
  place.bucket->slots[place.at] = slot;
}

#define KEYS_AT_A_TIME 16u

static void enter_keys(const decant_context *context, const struct table *table,
                       const struct directory *directory, uint32_t object) {
  const uint64_t *slots = context->slots;
  const uint32_t end = (uint32_t)decant_slot_after(slots, object);
  uint32_t slot = object + 2, count;
  do {
    uint64_t hashes[KEYS_AT_A_TIME];
    uint32_t numbers[KEYS_AT_A_TIME];
    for (count = 0; count < KEYS_AT_A_TIME && slot < end; count++) {
      numbers[count] = slot;
      hashes[count] = hash_of(context, table, slots[slot]);
      __builtin_prefetch(&directory->buckets[bucket_of(directory, hashes[count])], 1);
      slot = (uint32_t)decant_slot_after(slots, slot + 1);
    }
    for (uint32_t key = 0; key < count; key++)
      enter_key(context, directory, hashes[key], numbers[key]);
  } while (count == KEYS_AT_A_TIME);
}

// MARK: - For lookup.c

int32_t decant_directory_build(const decant_context *context, uint64_t object) {
  const size_t keys = decant_count_keys(context, (uint32_t)object);
  if (keys < DECANT_DIRECTORY_KEYS) return DECANT_DIRECTORY_NEEDLESS;
  struct table *table = decant_table_make(context);
  if (table == NULL) return DECANT_DIRECTORY_NONE;
  if (directory_of(table, (uint32_t)object) != NULL) return DECANT_DIRECTORY_BUILT;
  // Half full.
  const size_t buckets = 2 * keys / BUCKET_KEYS + 1;
  struct directory *directory;
  const size_t bytes = sizeof *directory + LINE_BYTES + buckets * sizeof directory->buckets[0];
  directory = (struct directory *)decant_table_allocate(context, bytes, DECANT_ENTRY_DIRECTORY,
                                                        (uint32_t)object);
  if (directory == NULL) return DECANT_DIRECTORY_NONE;
  directory->bucket_count = (uint32_t)buckets;
  const uintptr_t first = (uintptr_t)(directory + 1) + LINE_BYTES - 1;
  directory->buckets = (struct bucket *)(first - first % LINE_BYTES);
  enter_keys(context, table, directory, (uint32_t)object);
  decant_table_publish(context, table, &directory->entry);
  return DECANT_DIRECTORY_BUILT;
}

bool decant_directory_lookup(const decant_context *context, uint64_t object, const uint8_t *key,
                             size_t length, uint64_t *node) {
  struct table *table = decant_table(context);
  struct directory *directory = table != NULL ? directory_of(table, (uint32_t)object) : NULL;
  if (directory == NULL) return false;
  const struct decant_key wanted = decant_key_of(key, length);
  const uint64_t hash = decant_hash_plain(table->seed, key, length);
  const struct place place = place_of(context, directory, hash, &wanted);
  const uint32_t slot = place.bucket->numbers[place.at];
  *node = slot != 0 ? slot + 1 : DECANT_NODE_NONE;
  return true;
}
