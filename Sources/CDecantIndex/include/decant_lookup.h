// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Looks up a key in an object of the native index. Whatever the order of look-ups, the first of duplicate keys wins.
//
// Every object has one word W, in the slot after its own:
//
//   bits 0-15   the hint: the slot where the next look-up begins, counted from the first key
//   bits 16-47  the filter: two bits for every key before the hint, matched or skipped
//               16-31  by its length
//               32-47  by its last byte and its length. A skipped key sets all of them, so that its text need not be
//                      read. The length is mixed in so that two unrelated keys cannot jointly mask a third.
//   bits 48-63  the effort: how far scans have walked, in units of 64 slots
//
// If a key is at the hint, and one of its bits is clear in the filter, the key does not occur before the hint: it is the
// first of its name, after one comparison and no scan. If both bits are set, the keys before the hint are searched. An
// equal one is the result, and W restarts after it. Otherwise the scan continues from the hint. If the key is not found,
// W stays. So look-ups in document order, look-ups in another order and missing fields are all cheap, and no order of
// look-ups can make a later duplicate win.
//
// If the last duplicate wins, or the object is too wide for the hint, W is DECANT_WORD_FULL from the beginning. Every bit
// of the filter then stays set, and every look-up takes the general path. So a hit never needs to check that the hint
// fits.
//
// When the effort reaches sixteen times the object, the object gets a directory of its keys (directory.c). From then on, a
// look-up that misses the hint costs one hash and one comparison.
//
// Readers write W. Every W that was ever stored is true of the object, so relaxed atomic loads and stores suffice for
// shared documents.

#ifndef DECANT_LOOKUP_H
#define DECANT_LOOKUP_H

#include <string.h>

#include "decant_engine.h"

DECANT_BEGIN

#define DECANT_LENGTHS_SHIFT    16
#define DECANT_ENDS_SHIFT       32
#define DECANT_ALL_ENDS         0x0000FFFF00000000ull
#define DECANT_FILTER_MASK      0x0000FFFFFFFF0000ull
#define DECANT_EFFORT_SHIFT     48
#define DECANT_EFFORT_NEEDLESS  0xFFFEull  // too few keys for a directory: scan
#define DECANT_EFFORT_DIRECTORY 0xFFFFull  // there is one

static inline uint32_t decant_slot_offset(uint64_t slot) { return (uint32_t)slot; }
static inline uint32_t decant_slot_high(uint64_t slot) { return (uint32_t)(slot >> 32); }

// The high half of a slot of which nothing else is needed: a shorter comparison than with half of a word.
DECANT_INLINE uint32_t decant_slot_high_at(const uint64_t *slots, uint64_t slot) {
  uint32_t halves[2];
  memcpy(halves, &slots[slot], sizeof halves);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return halves[0];
#else
  return halves[1];
#endif
}

// The second slot of an object or an array. Readers write it while others read, so only this function may load it.
DECANT_INLINE uint64_t decant_second_slot(const decant_context *context, uint64_t container) {
  return __atomic_load_n(&context->slots[container + 1], __ATOMIC_RELAXED);
}

// The slot after the value that begins at `slot`: its next sibling, or the next key.
static inline uint64_t decant_slot_after(const uint64_t *slots, uint64_t slot) {
  uint32_t high = decant_slot_high(slots[slot]);
  // A branch, not a select: a predicted branch lets a scan run ahead of its loads.
  if (__builtin_expect((high & DECANT_CONTAINER) != 0, 0)) return high & DECANT_NEXT;
  return slot + 1;
}

// Loads bytes as a number, the first byte lowest, on processors of either byte order.
DECANT_INLINE uint64_t decant_load_word(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

DECANT_INLINE uint32_t decant_load_half_word(const uint8_t *bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap32(word);
#endif
  return word;
}

// The first `count` of 16 readable bytes in two words, the first byte lowest and zeros behind the last.
// `count` is at most 16.
typedef struct decant_prefix {
  uint64_t low, high;
} decant_prefix;

extern const uint8_t decant_prefix_masks[32];  // sixteen times 0xFF, then zeros

DECANT_INLINE decant_prefix decant_load_prefix(const uint8_t *start, size_t count) {
  const uint8_t *mask = decant_prefix_masks + 16 - count;
  return (decant_prefix){decant_load_word(start) & decant_load_word(mask),
                         decant_load_word(start + 8) & decant_load_word(mask + 8)};
}

// The filter's bits for a key. If the key is a constant, so are its bits.
DECANT_INLINE uint64_t decant_key_bits(const uint8_t *key, size_t length) {
  const unsigned last = length != 0 ? key[length - 1] : 0;
  return 1ull << (DECANT_LENGTHS_SHIFT + (length & 15)) |
         1ull << (DECANT_ENDS_SHIFT + ((last + 5 * length) & 15));
}

// The general path of a look-up: any W, any rule for duplicates, escaped keys, wide objects.
uint64_t decant_lookup_scan(const decant_context *context, uint64_t object, const uint8_t *key,
                            size_t length);

// The slot of the key at the hint, if its length is right and no earlier key can be equal to `key`; otherwise
// DECANT_NODE_NONE. Sets `word` to the object's look-up word.
DECANT_INLINE uint64_t decant_candidate(const decant_context *context, uint64_t object,
                                        const uint8_t *key, size_t length, uint64_t *word) {
  const uint64_t *slots = context->slots;
  const uint64_t bits = decant_key_bits(key, length);
  *word = decant_second_slot(context, object);
  uint64_t cursor = object + 2 + (*word & DECANT_HINT_MASK);
  uint64_t end = decant_slot_high_at(slots, object) & DECANT_NEXT;
  if (cursor >= end || decant_slot_high_at(slots, cursor) != length || (*word & bits) == bits)
    return DECANT_NODE_NONE;
  // A longer key has the length that is the tag of an escaped one.
  return length < DECANT_STRING_LONG ? cursor : DECANT_NODE_NONE;
}

// Moves the hint past the member at `cursor`, where `key` was found; returns its value.
DECANT_INLINE uint64_t decant_accept(const decant_context *context, uint64_t object,
                                     uint64_t cursor, const uint8_t *key, size_t length,
                                     uint64_t word) {
  // The hint is in the low bits of the word, and moves by the number of slots that were passed: two for most members.
  uint64_t passed = 2;
  const uint32_t high = decant_slot_high_at(context->slots, cursor + 1);
  if (__builtin_expect((high & DECANT_CONTAINER) != 0, 0)) passed = (high & DECANT_NEXT) - cursor;
  __atomic_store_n(&context->slots[object + 1], (word | decant_key_bits(key, length)) + passed,
                   __ATOMIC_RELAXED);
  return cursor + 1;
}

// The value of `key` in the object at slot `object`, or DECANT_NODE_NONE.
// Expected cost: one comparison for fields in document order.
DECANT_INLINE uint64_t decant_lookup(const decant_context *context, uint64_t object,
                                     const uint8_t *key, size_t length) {
  uint64_t word, cursor = decant_candidate(context, object, key, length, &word);
  if (cursor != DECANT_NODE_NONE &&
      __builtin_memcmp(context->text + decant_slot_offset(context->slots[cursor]) + 1, key,
                       length) == 0)
    return decant_accept(context, object, cursor, key, length, word);
  return decant_lookup_scan(context, object, key, length);
}

// memcmp(a, b, length) == 0 without the call: keys are short. If the length is not a multiple of a word's, words overlap.
DECANT_INLINE bool decant_key_equal(const uint8_t *a, const uint8_t *b, size_t length) {
  uint64_t a8, b8;
  uint32_t a4, b4;
  uint16_t a2, b2;
  if (length >= 8) {
    const size_t last = length - 8;
    for (size_t place = 0; place < last; place += 8) {
      memcpy(&a8, a + place, 8);
      memcpy(&b8, b + place, 8);
      if (a8 != b8) return false;
    }
    memcpy(&a8, a + last, 8);
    memcpy(&b8, b + last, 8);
    return a8 == b8;
  }
  if (length >= 4) {
    memcpy(&a4, a, 4);
    memcpy(&b4, b, 4);
    if (a4 != b4) return false;
    memcpy(&a4, a + length - 4, 4);
    memcpy(&b4, b + length - 4, 4);
    return a4 == b4;
  }
  if (length >= 2) {
    memcpy(&a2, a, 2);
    memcpy(&b2, b, 2);
    return a2 == b2 && a[length - 1] == b[length - 1];
  }
  return length == 0 || a[0] == b[0];
}

// decant_lookup for keys that are not known when the caller is compiled.
DECANT_INLINE uint64_t decant_lookup_key(const decant_context *context, uint64_t object,
                                         const uint8_t *key, size_t length) {
  uint64_t word, cursor = decant_candidate(context, object, key, length, &word);
  if (cursor != DECANT_NODE_NONE &&
      decant_key_equal(context->text + decant_slot_offset(context->slots[cursor]) + 1, key, length))
    return decant_accept(context, object, cursor, key, length, word);
  return decant_lookup_scan(context, object, key, length);
}

// The same for a key of at most 15 bytes in a buffer of 16, with zeros behind the last.
DECANT_INLINE uint64_t decant_lookup_small(const decant_context *context, uint64_t object,
                                           const uint8_t *key, size_t length) {
  uint64_t word, cursor = decant_candidate(context, object, key, length, &word);
  if (cursor != DECANT_NODE_NONE) {
    size_t start = (size_t)decant_slot_offset(context->slots[cursor]) + 1;
    if (start + 16 <= context->length) {
      const decant_prefix text = decant_load_prefix(context->text + start, length);
      if (((text.low ^ decant_load_word(key)) | (text.high ^ decant_load_word(key + 8))) == 0)
        return decant_accept(context, object, cursor, key, length, word);
    }
  }
  return decant_lookup_scan(context, object, key, length);
}

// The initial look-up word of an object: DECANT_WORD_FULL if the last duplicate wins, or if the object has more slots than
// the hint can express.
static inline uint64_t decant_first_word(const decant_context *context, uint64_t slots) {
  bool last = context->rules.duplicates == DECANT_DUPLICATES_LAST;
  return last || slots > DECANT_HINT_MASK ? DECANT_WORD_FULL : 0;
}

// Begins an object's look-ups anew, before a second walk over its keys. A directory stays.
static inline void decant_lookup_rewind(const decant_context *context, uint64_t object) {
  uint64_t end = decant_slot_high(context->slots[object]) & DECANT_NEXT;
  uint64_t word = decant_second_slot(context, object);
  uint64_t effort = word & ~(DECANT_FILTER_MASK | DECANT_HINT_MASK);
  uint64_t first = effort | decant_first_word(context, end - object);
  if (word != first) __atomic_store_n(&context->slots[object + 1], first, __ATOMIC_RELAXED);
}

// The element at `index` of the array at slot `array`, or DECANT_NODE_NONE. Constant time if all elements are
// scalars or `index` is small; m calls for an array of n elements take O(n + m) steps, in any order.
uint64_t decant_nested_element(const decant_context *context, uint64_t array, uint64_t index);
static inline uint64_t decant_array_element(const decant_context *context, uint64_t array,
                                            uint64_t index) {
  const uint64_t word = decant_second_slot(context, array);
  if (index >= (uint32_t)word) return DECANT_NODE_NONE;
  if ((word >> 32 & DECANT_ARRAY_FLAT) != 0) return array + 2 + index;
  return decant_nested_element(context, array, index);
}

// Sets the bit of every shadowed member of the object at slot `object`: a member whose key another member has. The
// context's rule says whether the later or the earlier ones are shadowed. `losers` has a bit for each member, all clear.
// Returns OK or OUT_OF_MEMORY. Takes expected time linear in the members.
int32_t decant_shadowed_members(const decant_context *context, uint64_t object, uint8_t *losers);

// The bytes of the string or key at `slot`, between its quotes.
size_t decant_string_length_long(const decant_context *context, uint64_t slot);
static inline size_t decant_string_length(const decant_context *context, uint64_t slot) {
  uint32_t length = decant_slot_high(context->slots[slot]) & DECANT_STRING_LONG;
  return length == DECANT_STRING_LONG ? decant_string_length_long(context, slot) : length;
}

// Reads the escape sequence of a validated string at `escape`: the code point that it spells. Returns its length.
size_t decant_read_escape(const uint8_t *escape, uint32_t *scalar);

// Writes a code point as UTF-8, and returns how many bytes it takes.
static inline size_t decant_write_utf8(uint32_t scalar, uint8_t *utf8) {
  if (scalar < 0x80) {
    utf8[0] = (uint8_t)scalar;
    return 1;
  }
  const size_t count = scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
  for (size_t at = count - 1; at > 0; at--) {
    utf8[at] = (uint8_t)(0x80 | (scalar & 0x3F));
    scalar >>= 6;
  }
  // As many leading ones as there are bytes.
  utf8[0] = (uint8_t)(0xF00u >> count | scalar);
  return count;
}

// Unescapes `length` bytes of a validated string to `out`, which has space for `length`. Returns the bytes written.
size_t decant_unescape(const uint8_t *string, size_t length, uint8_t *out);

// SipHash-1-3 of a caller's key, which has no escapes. It does not copy a struct decant_key: a processor would load the
// copy in wider pieces than it stored, and wait until those stores and all earlier ones are done.
uint64_t decant_hash_plain(const uint64_t seed[2], const uint8_t *key, size_t length);

// The process's secret seed. Threads that draw it at the same time may get different seeds, each for its own tables.
void decant_draw_seed(uint64_t seed[2]);

DECANT_END

#endif
