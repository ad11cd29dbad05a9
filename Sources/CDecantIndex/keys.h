// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Keys by what they spell: "a" and "\u0061" are the same key. For duplicates.c and directory.c.

#ifndef DECANT_KEYS_H
#define DECANT_KEYS_H

#include "decant_lookup.h"
#include "internal.h"

// A key, read one unescaped byte at a time.
struct decant_key {
  const uint8_t *at;
  const uint8_t *end;
  bool escaped;
  uint8_t utf8[4];  // of the escape that was read last
  uint8_t left;     // how many bytes of it are still to come
};

// The key whose slot is `slot` (the slot itself, not its number).
struct decant_key decant_key_at(const decant_context *context, uint64_t slot);

// A caller's key: `length` bytes without escapes.
DECANT_INLINE struct decant_key decant_key_of(const uint8_t *bytes, size_t length) {
  return (struct decant_key){.at = bytes, .end = length ? bytes + length : bytes};
}

// How many keys an object has.
size_t decant_count_keys(const decant_context *context, uint32_t object);

bool decant_same_key(struct decant_key left, struct decant_key right);

// SipHash-1-3 of what the key spells, with the process's secret.
uint64_t decant_hash_key(const uint64_t seed[2], struct decant_key key);

#endif
