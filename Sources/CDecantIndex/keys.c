// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Compares and hashes keys by what they spell. A key without escapes is its bytes. A key with escapes is unescaped byte by
// byte, without a copy.
//
// The hash is SipHash-1-3 (Aumasson & Bernstein, 2012) with a secret seed, drawn once a process, so that nobody can
// prepare keys that collide.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // getentropy
#endif

#include "keys.h"
#include "decant_lookup.h"
#include "text.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

// arc4random_buf where it exists, because Apple's mobile platforms have no getentropy. DECANT_NO_ENTROPY disables both.
#if defined(DECANT_NO_ENTROPY)
#elif defined(__APPLE__) || defined(__ANDROID__) || defined(__wasi__) || defined(__FreeBSD__) || \
    defined(__OpenBSD__)
#include <stdlib.h>
#define DRAWS_BY_ARC4RANDOM 1
#elif defined(__unix__)
#include <unistd.h>
#define DRAWS_BY_GETENTROPY 1
#endif
#ifndef DRAWS_BY_ARC4RANDOM
#include <time.h>
#endif

// MARK: - Reading

struct decant_key decant_key_at(const decant_context *context, uint64_t slot) {
  const uint8_t *start = context->text + (uint32_t)slot + 1;
  const uint32_t facts = (uint32_t)(slot >> 32);
  size_t size = facts & DECANT_STRING_LONG;
  const bool escaped = (facts & DECANT_STRING_ESCAPE) != 0;
  if (size == DECANT_STRING_LONG) size = (size_t)(decant_closing_quote(start) - start);
  return (struct decant_key){.at = start, .end = start + size, .escaped = escaped};
}

// Reads an escape: its first byte; the others are left.
static uint8_t unescape(struct decant_key *key) {
  uint8_t utf8[4];
  size_t count;
  key->at += decant_decode_escape(key->at, utf8, &count);
  key->left = (uint8_t)(count - 1);
  for (size_t at = 1; at < count; at++) key->utf8[4 - count + at] = utf8[at];
  return utf8[0];
}

// False at the key's end.
static bool next_byte(struct decant_key *key, uint8_t *byte) {
  if (key->left != 0) return *byte = key->utf8[4 - key->left--], true;
  if (key->at == key->end) return false;
  if (!key->escaped || *key->at != '\\') return *byte = *key->at++, true;
  return *byte = unescape(key), true;
}

bool decant_same_key(struct decant_key left, struct decant_key right) {
  if (!left.escaped && !right.escaped) {
    const size_t size = (size_t)(left.end - left.at);
    if (size != (size_t)(right.end - right.at)) return false;
    return size == 0 || memcmp(left.at, right.at, size) == 0;
  }
  for (;;) {
    uint8_t mine = 0, yours = 0;
    const bool more = next_byte(&left, &mine);
    if (more != next_byte(&right, &yours) || mine != yours) return false;
    if (!more) return true;
  }
}

size_t decant_count_keys(const decant_context *context, uint32_t object) {
  const uint64_t *slots = context->slots;
  const uint64_t end = decant_slot_after(slots, object);
  size_t keys = 0;
  for (uint64_t slot = object + 2; slot < end; slot = decant_slot_after(slots, slot + 1)) keys++;
  return keys;
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

static uint64_t sip_end(uint64_t v[4], uint64_t word) {
  sip_word(v, word);
  v[2] ^= 0xFF;
  for (int round = 0; round < 3; round++) sip_round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static void sip_begin(uint64_t v[4], const uint64_t seed[2]) {
  v[0] = seed[0] ^ 0x736F6D6570736575u;
  v[1] = seed[1] ^ 0x646F72616E646F6Du;
  v[2] = seed[0] ^ 0x6C7967656E657261u;
  v[3] = seed[1] ^ 0x7465646279746573u;
}

// Loads up to seven bytes, the first one lowest. The end of a loop would be mispredicted whenever lengths differ.
static uint64_t load_few(const uint8_t *bytes, size_t count) {
  if (count >= 4) {
    const uint64_t high = decant_load_half_word(bytes + count - 4);
    return decant_load_half_word(bytes) | high << 8 * (count - 4);
  }
  if (count == 0) return 0;
  return bytes[0] | (uint64_t)bytes[count / 2] << 8 * (count / 2) |
         (uint64_t)bytes[count - 1] << 8 * (count - 1);
}

uint64_t decant_hash_plain(const uint64_t seed[2], const uint8_t *key, size_t length) {
  uint64_t v[4];
  sip_begin(v, seed);
  size_t left = length;
  for (; left >= 8; key += 8, left -= 8) sip_word(v, decant_load_word(key));
  return sip_end(v, load_few(key, left) | (uint64_t)length << 56);
}

uint64_t decant_hash_key(const uint64_t seed[2], struct decant_key key) {
  if (!key.escaped) return decant_hash_plain(seed, key.at, (size_t)(key.end - key.at));
  uint64_t v[4], word = 0, size = 0;
  sip_begin(v, seed);
  for (uint8_t byte; next_byte(&key, &byte); size++) {
    word |= (uint64_t)byte << (8 * (size & 7));
    if ((size & 7) == 7) {
      sip_word(v, word);
      word = 0;
    }
  }
  return sip_end(v, word | size << 56);
}

#ifdef DRAWS_BY_ARC4RANDOM
static void draw(uint64_t seed[2]) { arc4random_buf(seed, 2 * sizeof seed[0]); }
#else
// Uses addresses and the time if there is no source of randomness.
static void draw(uint64_t seed[2]) {
  static const char place;
#ifdef DRAWS_BY_GETENTROPY
  if (getentropy(seed, 2 * sizeof seed[0]) == 0) return;
#endif
  seed[0] = (uint64_t)(uintptr_t)seed ^ (uint64_t)time(NULL) << 32;
  seed[1] = (uint64_t)(uintptr_t)&place ^ (uint64_t)clock() << 40;
}
#endif

void decant_draw_seed(uint64_t seed[2]) {
  static _Atomic uint64_t kept[2];
  seed[0] = atomic_load_explicit(&kept[0], memory_order_relaxed);
  seed[1] = atomic_load_explicit(&kept[1], memory_order_relaxed);
  if (seed[0] != 0 && seed[1] != 0) return;
  draw(seed);
  atomic_store_explicit(&kept[0], seed[0], memory_order_relaxed);
  atomic_store_explicit(&kept[1], seed[1], memory_order_relaxed);
}
