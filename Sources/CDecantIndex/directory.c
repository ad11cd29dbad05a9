// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Directories: the keys of a huge object by their hashes, for those who ask it for more than a scan
// can answer in good time.
//
//   scan, scan, …     decant_lookup_scan adds up what it walks in the object's word (decant_lookup.h)
//   enough            about sixteen times the object: its directory is built, in two walks
//   from then on      one hash and about one comparison a look-up, whatever the order of the keys
//
// So m look-ups over n keys cost O(n + m), and an object that is read field by field in any sensible
// order never has a directory. The hash has a secret seed (keys.c): no document can prepare collisions.
//
// What a look-up in no order costs is waiting for memory. It waits twice, for the line its hash names and
// for the key's text: the line has the key's slot itself, beside its number. And it guesses well, so that
// a processor begins with the next look-up meanwhile: mostly one key of a line has the tag, and it is the
// key. Who builds a directory asks for the lines of many keys before entering the first.
//
// The document's hub (hub.h) has the directories, and publishes them. Where there is no memory, scanning goes
// on.

#include "hub.h"
#include "keys.h"
#include "decant_lookup.h"

#define LINE_KEYS 4u
#define LINE_BYTES 64u

// As many keys as a processor fetches at once, from the first place on.
struct line {
  uint32_t tags[LINE_KEYS];     // odd, from the keys' hashes; 0 where there is no key
  uint32_t numbers[LINE_KEYS];  // of the keys' slots
  uint64_t slots[LINE_KEYS];    // the keys' slots
};

struct directory {
  struct hub_entry entry;
  uint32_t line_count;
  struct line *lines;  // in this block, where lines of the cache begin
};

static struct directory *directory_of(struct hub *hub, uint32_t object) {
  return (struct directory *)decant_hub_find(hub, DECANT_ENTRY_DIRECTORY, object);
}

// MARK: - A directory

struct place {
  struct line *line;
  uint32_t at;
};

// The line that a key's place is looked for from.
static uint32_t line_of(const struct directory *directory, uint64_t hash) {
  return (uint32_t)((hash & UINT32_MAX) * directory->line_count >> 32);
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

// Where the key is, or the empty place where it belongs. Only keys whose hashes are alike are looked at:
// each would be a wait for its text.
static struct place place_of(const decant_context *context, const struct directory *directory,
                             uint64_t hash, const struct decant_key *key) {
  const uint32_t tag = tag_of(hash);
  const struct line *end = directory->lines + directory->line_count;
  for (struct line *line = &directory->lines[line_of(directory, hash)];;) {
    uint32_t alike = 0;
    for (uint32_t at = 0; at < LINE_KEYS; at++) alike |= (uint32_t)(line->tags[at] == tag) << at;
    for (; alike != 0; alike &= alike - 1) {
      const uint32_t at = (uint32_t)__builtin_ctz(alike);
      if (DECANT_LIKELY(is_key(context, line->slots[at], key))) return (struct place){line, at};
    }
    for (uint32_t at = 0; at < LINE_KEYS; at++) {
      if (line->tags[at] == 0) return (struct place){line, at};
    }
    if (++line == end) line = directory->lines;
  }
}

static uint64_t hash_of(const decant_context *context, const struct hub *hub, uint64_t slot) {
  const uint32_t facts = (uint32_t)(slot >> 32);
  if (DECANT_LIKELY(facts < DECANT_STRING_LONG)) {
    return decant_hash_plain(hub->seed, context->text + (uint32_t)slot + 1, facts);
  }
  return decant_hash_key(hub->seed, decant_key_at(context, slot));
}

// Of several keys that are equal, the rule for duplicates keeps the first or the last.
static void enter_key(const decant_context *context, const struct directory *directory, uint64_t hash,
                      uint32_t number) {
  const uint64_t slot = context->slots[number];
  const struct decant_key key = decant_key_at(context, slot);
  const struct place place = place_of(context, directory, hash, &key);
  const bool last = context->rules.duplicates == DECANT_DUPLICATES_LAST;
  if (place.line->tags[place.at] != 0 && !last) return;
  place.line->tags[place.at] = tag_of(hash);
  place.line->numbers[place.at] = number;
  place.line->slots[place.at] = slot;
}

#define KEYS_AT_A_TIME 16u

static void enter_keys(const decant_context *context, const struct hub *hub,
                       const struct directory *directory, uint32_t object) {
  const uint64_t *slots = context->slots;
  const uint32_t end = (uint32_t)decant_slot_after(slots, object);
  uint32_t slot = object + 2, count;
  do {
    uint64_t hashes[KEYS_AT_A_TIME];
    uint32_t numbers[KEYS_AT_A_TIME];
    for (count = 0; count < KEYS_AT_A_TIME && slot < end; count++) {
      numbers[count] = slot;
      hashes[count] = hash_of(context, hub, slots[slot]);
      __builtin_prefetch(&directory->lines[line_of(directory, hashes[count])], 1);
      slot = (uint32_t)decant_slot_after(slots, slot + 1);
    }
    for (uint32_t key = 0; key < count; key++) enter_key(context, directory, hashes[key], numbers[key]);
  } while (count == KEYS_AT_A_TIME);
}

static size_t count_keys(const decant_context *context, uint32_t object) {
  const uint64_t *slots = context->slots;
  const uint32_t end = (uint32_t)decant_slot_after(slots, object);
  size_t keys = 0;
  for (uint32_t slot = object + 2; slot < end; slot = (uint32_t)decant_slot_after(slots, slot + 1)) keys++;
  return keys;
}

// MARK: - What lookup.c asks for

int32_t decant_directory_build(const decant_context *context, uint64_t object) {
  const size_t keys = count_keys(context, (uint32_t)object);
  if (keys < DECANT_DIRECTORY_KEYS) return DECANT_DIRECTORY_NEEDLESS;
  struct hub *hub = decant_hub_make(context);
  if (hub == NULL) return DECANT_DIRECTORY_NONE;
  if (directory_of(hub, (uint32_t)object) != NULL) return DECANT_DIRECTORY_BUILT;
  // Half full.
  const size_t lines = 2 * keys / LINE_KEYS + 1;
  struct directory *directory;
  const size_t bytes = sizeof *directory + LINE_BYTES + lines * sizeof directory->lines[0];
  directory = (struct directory *)decant_hub_allocate(context, bytes, DECANT_ENTRY_DIRECTORY,
                                                      (uint32_t)object);
  if (directory == NULL) return DECANT_DIRECTORY_NONE;
  directory->line_count = (uint32_t)lines;
  const uintptr_t first = (uintptr_t)(directory + 1) + LINE_BYTES - 1;
  directory->lines = (struct line *)(first - first % LINE_BYTES);
  enter_keys(context, hub, directory, (uint32_t)object);
  decant_hub_publish(context, hub, &directory->entry);
  return DECANT_DIRECTORY_BUILT;
}

bool decant_directory_lookup(const decant_context *context, uint64_t object, const uint8_t *key,
                             size_t length, uint64_t *node) {
  struct hub *hub = decant_hub(context);
  struct directory *directory = hub != NULL ? directory_of(hub, (uint32_t)object) : NULL;
  if (directory == NULL) return false;
  const struct decant_key wanted = decant_key_of(key, length);
  const uint64_t hash = decant_hash_plain(hub->seed, key, length);
  const struct place place = place_of(context, directory, hash, &wanted);
  const uint32_t slot = place.line->numbers[place.at];
  *node = slot != 0 ? slot + 1 : DECANT_NODE_NONE;
  return true;
}
