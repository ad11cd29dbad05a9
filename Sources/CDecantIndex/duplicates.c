// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Under the rule `reject`, no object may name a key twice. Runs once after a document is known to
// be valid, over its slots; keys are compared after unescaping, so "a" and "\u0061" are the same.
//
//   {"a":{"b":1,"b":2},"a":3}    the first second key is "b" at 12, and its first one stands at 6
//
// Objects with a few keys compare each pair, by length and then by bytes. Larger ones put their
// keys into an open-addressing table by SipHash-1-3 (Aumasson & Bernstein, 2012) under a key drawn
// once per process, so that nobody can prepare keys that collide. Either way the time is linear in
// the document. The table is on the stack up to 128 keys, then from the context's allocator.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // getentropy
#endif

#include "decant_lookup.h"
#include "internal.h"
#include "tokens.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <sys/random.h>
#endif

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

// MARK: - Keys

// A key's bytes between its quotes, read one unescaped byte at a time.
struct key {
  const uint8_t *at;
  const uint8_t *end;
  bool escaped;
  uint8_t pending[3];  // of an escape's UTF-8, in reverse
  uint8_t pending_count;
};

static uint32_t hex4(const uint8_t *digits) {
  uint32_t unit = 0;
  for (int at = 0; at < 4; at++) unit = unit << 4 | decant_hex_value(digits[at]);
  return unit;
}

static struct key key_of(const decant_context *context, uint64_t slot) {
  const uint8_t *start = context->text + (uint32_t)slot + 1;
  const uint32_t facts = (uint32_t)(slot >> 32);
  size_t size = facts & DECANT_STRING_LONG;
  const bool escaped = (facts & DECANT_STRING_ESCAPE) != 0;
  if (size == DECANT_STRING_LONG) {
    for (size = 0; start[size] != '"'; size++) size += start[size] == '\\';
  }
  return (struct key){.at = start, .end = start + size, .escaped = escaped};
}

// Leaves the code point's last bytes pending and returns its first.
static uint8_t spread(struct key *key, uint32_t point) {
  if (point < 0x80) return (uint8_t)point;
  static const uint8_t marks[4] = {0, 0xC0, 0xE0, 0xF0};
  const uint8_t more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  for (uint8_t step = 0; step < more; step++) {
    key->pending[step] = 0x80 | (point & 0x3F);
    point >>= 6;
  }
  key->pending_count = more;
  return (uint8_t)(marks[more] | point);
}

static uint8_t unescape(struct key *key) {
  const uint8_t letter = key->at[1];
  key->at += 2;
  switch (letter) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'u': break;
    default: return letter;
  }
  uint32_t point = hex4(key->at);
  key->at += 4;
  if ((point & 0xFC00) == 0xD800) {
    point = 0x10000 + ((point & 0x3FF) << 10) + (hex4(key->at + 2) & 0x3FF);
    key->at += 6;
  }
  return spread(key, point);
}

// False at the key's end.
static bool next_byte(struct key *key, uint8_t *byte) {
  if (key->pending_count != 0) return *byte = key->pending[--key->pending_count], true;
  if (key->at == key->end) return false;
  *byte = *key->at == '\\' ? unescape(key) : *key->at++;
  return true;
}

static bool same_key(const decant_context *context, uint64_t left_slot, uint64_t right_slot) {
  struct key left = key_of(context, left_slot), right = key_of(context, right_slot);
  if (!left.escaped && !right.escaped) {
    const size_t size = (size_t)(left.end - left.at);
    return size == (size_t)(right.end - right.at) && memcmp(left.at, right.at, size) == 0;
  }
  for (;;) {
    uint8_t mine = 0, yours = 0;
    const bool more = next_byte(&left, &mine);
    if (more != next_byte(&right, &yours) || mine != yours) return false;
    if (!more) return true;
  }
}

// MARK: - Hashing

static uint64_t rotate(uint64_t word, int count) { return word << count | word >> (64 - count); }

static void sip_round(uint64_t v[4]) {
  v[0] += v[1];
  v[1] = rotate(v[1], 13) ^ v[0];
  v[0] = rotate(v[0], 32);
  v[2] += v[3];
  v[3] = rotate(v[3], 16) ^ v[2];
  v[0] += v[3];
  v[3] = rotate(v[3], 21) ^ v[0];
  v[2] += v[1];
  v[1] = rotate(v[1], 17) ^ v[2];
  v[2] = rotate(v[2], 32);
}

static void sip_word(uint64_t v[4], uint64_t word) {
  v[3] ^= word;
  sip_round(v);
  v[0] ^= word;
}

static uint64_t hash_key(const struct finder *finder, uint64_t slot) {
  struct key key = key_of(finder->context, slot);
  uint64_t v[4] = {finder->seed[0] ^ 0x736F6D6570736575u, finder->seed[1] ^ 0x646F72616E646F6Du,
                   finder->seed[0] ^ 0x6C7967656E657261u, finder->seed[1] ^ 0x7465646279746573u};
  uint64_t word = 0, size = 0;
  if (!key.escaped) {
    for (; key.end - key.at >= 8; key.at += 8, size += 8) sip_word(v, decant_load64(key.at));
  }
  for (uint8_t byte; next_byte(&key, &byte); size++) {
    word |= (uint64_t)byte << (8 * (size & 7));
    if ((size & 7) == 7) {
      sip_word(v, word);
      word = 0;
    }
  }
  sip_word(v, word | size << 56);
  v[2] ^= 0xFF;
  for (int round = 0; round < 3; round++) sip_round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

// The process's secret. Threads that draw it at the same time may use different ones, each for its
// own tables; without a source of randomness, addresses and the time must do.
static void draw_seed(uint64_t seed[2]) {
  static _Atomic uint64_t kept[2];
  seed[0] = atomic_load_explicit(&kept[0], memory_order_relaxed);
  seed[1] = atomic_load_explicit(&kept[1], memory_order_relaxed);
  if (seed[0] != 0 && seed[1] != 0) return;
  if (getentropy(seed, 2 * sizeof seed[0]) != 0) {
    seed[0] = (uint64_t)(uintptr_t)seed ^ (uint64_t)time(NULL) << 32;
    seed[1] = (uint64_t)(uintptr_t)&kept ^ (uint64_t)clock() << 40;
  }
  atomic_store_explicit(&kept[0], seed[0], memory_order_relaxed);
  atomic_store_explicit(&kept[1], seed[1], memory_order_relaxed);
}

// MARK: - Objects

static void found(struct finder *finder, uint64_t first, uint64_t second) {
  finder->first = (uint32_t)first;
  finder->second = (uint32_t)second;
}

// The slot after the value at `slot`.
static uint32_t after_value(const uint64_t *slots, uint32_t slot) {
  const uint32_t high = (uint32_t)(slots[slot] >> 32);
  return high & DECANT_CONTAINER ? high & DECANT_NEXT : slot + 1;
}

static void compare_pairs(struct finder *finder, const uint32_t *keys, uint32_t count) {
  const uint64_t *slots = finder->context->slots;
  for (uint32_t later = 1; later < count; later++) {
    for (uint32_t earlier = 0; earlier < later; earlier++) {
      if (!same_key(finder->context, slots[keys[earlier]], slots[keys[later]])) continue;
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
  for (uint32_t key = object + 2; key < end; key = after_value(slots, key + 1)) {
    if ((uint32_t)slots[key] >= finder->second) return;
    size_t bucket = hash_key(finder, slots[key]) & (finder->bucket_count - 1);
    while (finder->buckets[bucket] != 0) {
      const uint64_t earlier = slots[finder->buckets[bucket] - 1];
      if (same_key(finder->context, earlier, slots[key])) {
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
  const uint32_t end = after_value(slots, object);
  uint32_t keys[FEW_KEYS];
  size_t count = 0;
  for (uint32_t key = object + 2; key < end; key = after_value(slots, key + 1)) {
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
  draw_seed(finder.seed);

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
  const uint32_t end = after_value(slots, (uint32_t)object);
  size_t members = 0;
  for (uint32_t key = (uint32_t)object + 2; key < end; key = after_value(slots, key + 1)) members++;
  if (members < 2) return DECANT_INDEX_OK;

  struct finder finder = {.context = context, .bucket_room = STACK_BUCKETS};
  finder.buckets = finder.stack_buckets;
  draw_seed(finder.seed);
  // Two words a bucket.
  if (!prepare_buckets(&finder, 2 * members)) return DECANT_INDEX_OUT_OF_MEMORY;
  const size_t mask = finder.bucket_count / 2 - 1;
  size_t place = 0;
  for (uint32_t key = (uint32_t)object + 2; key < end; key = after_value(slots, key + 1), place++) {
    size_t bucket = hash_key(&finder, slots[key]) & mask;
    while (finder.buckets[2 * bucket] != 0 &&
           !same_key(context, slots[finder.buckets[2 * bucket] - 1], slots[key])) {
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
