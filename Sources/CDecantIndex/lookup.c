// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The out-of-line half of decant_lookup.h: scans, escaped keys, and what a missing view remembers.

#include "decant_lookup.h"
#include "internal.h"

const uint8_t decant_prefix_masks[32] __attribute__((aligned(32))) = {
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

// MARK: escapes

static uint32_t hex_digit(uint8_t byte) {
  return byte <= '9' ? (uint32_t)(byte - '0') : (uint32_t)((byte | 0x20) - 'a' + 10);
}

static uint32_t hex_unit(const uint8_t *digits) {
  return hex_digit(digits[0]) << 12 | hex_digit(digits[1]) << 8 | hex_digit(digits[2]) << 4 |
         hex_digit(digits[3]);
}

// Reads the escape at `string` (at the backslash), writes its UTF-8 to `out` and the count to `written`;
// returns the bytes read. The index has checked letters, digits and pairs (RFC 8259 §7).
static size_t read_escape(const uint8_t *string, uint8_t *out, size_t *written) {
  uint8_t letter = string[1];
  if (letter != 'u') {
    *written = 1;
    switch (letter) {
      case 'b': out[0] = '\b'; break;
      case 'f': out[0] = '\f'; break;
      case 'n': out[0] = '\n'; break;
      case 'r': out[0] = '\r'; break;
      case 't': out[0] = '\t'; break;
      default: out[0] = letter;
    }
    return 2;
  }
  uint32_t scalar = hex_unit(string + 2);
  size_t read = 6;
  if (scalar >= 0xD800 && scalar < 0xE000) {
    // A string goes on behind its escapes, at least by its quote.
    uint32_t low = string[6] == '\\' && string[7] == 'u' ? hex_unit(string + 8) : 0;
    if (scalar < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
      scalar = 0x10000 + ((scalar - 0xD800) << 10) + (low - 0xDC00);
      read = 12;
    } else {
      scalar = 0xFFFD;  // alone, where the rules allow it
    }
  }
  if (scalar < 0x80) {
    out[0] = (uint8_t)scalar;
    *written = 1;
  } else if (scalar < 0x800) {
    out[0] = (uint8_t)(0xC0 | scalar >> 6);
    out[1] = (uint8_t)(0x80 | (scalar & 0x3F));
    *written = 2;
  } else if (scalar < 0x10000) {
    out[0] = (uint8_t)(0xE0 | scalar >> 12);
    out[1] = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
    out[2] = (uint8_t)(0x80 | (scalar & 0x3F));
    *written = 3;
  } else {
    out[0] = (uint8_t)(0xF0 | scalar >> 18);
    out[1] = (uint8_t)(0x80 | (scalar >> 12 & 0x3F));
    out[2] = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
    out[3] = (uint8_t)(0x80 | (scalar & 0x3F));
    *written = 4;
  }
  return read;
}

size_t decant_unescape(const uint8_t *string, size_t length, uint8_t *out) {
  const uint8_t *end = string + length;
  uint8_t *start = out;
  while (string < end) {
    const uint8_t *escape = memchr(string, '\\', (size_t)(end - string));
    size_t plain = (size_t)((escape ? escape : end) - string);
    memcpy(out, string, plain);
    out += plain;
    string += plain;
    if (escape) {
      uint8_t bytes[4];
      size_t written;
      string += read_escape(string, bytes, &written);
      // An escape is never shorter than what it stands for (2 → 1, 6 → 1-3, 12 → 4), so out never
      // overtakes the room for `length` bytes.
      memcpy(out, bytes, written);
      out += written;
    }
  }
  return (size_t)(out - start);
}

bool decant_escaped_equal(const uint8_t *string, size_t length, const uint8_t *key,
                          size_t key_length) {
  const uint8_t *end = string + length, *key_end = key + key_length;
  while (string < end) {
    uint8_t bytes[4];
    size_t written = 1;
    if (*string == '\\') {
      string += read_escape(string, bytes, &written);
    } else {
      bytes[0] = *string++;
    }
    if ((size_t)(key_end - key) < written || memcmp(key, bytes, written) != 0) return false;
    key += written;
  }
  return key == key_end;
}

// MARK: keys

size_t decant_string_length_long(const decant_context *context, uint64_t slot) {
  const uint8_t *start = context->text + decant_slot_offset(context->slots[slot]) + 1;
  const uint8_t *byte = start;
  while (*byte != '"') byte += *byte == '\\' ? 2 : 1;
  return (size_t)(byte - start);
}

// Whether the key at `slot`, escaped or too long for its slot, reads as `key`.
static DECANT_COLD bool odd_key_equal(const decant_context *context, uint64_t slot,
                                      const uint8_t *key, size_t length) {
  const uint8_t *text = context->text + decant_slot_offset(context->slots[slot]) + 1;
  return decant_escaped_equal(text, decant_string_length(context, slot), key, length);
}

// Looks for `key` among the keys in slots from … to; adds to `filter` the bits of those it passes, the one
// found included. Returns the key's slot, or `to`.
//
// What an escaped key reads as is not worth finding out for a filter: it sets every bit, so that later
// hits in the object look back.
DECANT_INLINE uint64_t find_key(const decant_context *context, uint64_t from, uint64_t to,
                                const uint8_t *key, size_t length, uint64_t *filter) {
  const uint64_t *slots = context->slots;
  const uint8_t *text = context->text + 1;
  uint32_t wanted = length < DECANT_STRING_LONG ? (uint32_t)length : UINT32_MAX;
  uint64_t slot = from;
  uint32_t passed = (uint32_t)(*filter >> DECANT_FILTER_SHIFT);  // one instruction a key: see decant_key_bit
  while (slot < to) {
    uint32_t high = decant_slot_high(slots[slot]);
    passed |= 1u << (high & 31);
    if (__builtin_expect(high == wanted, 0)) {
      if (decant_key_equal(text + decant_slot_offset(slots[slot]), key, length)) break;
    } else if (__builtin_expect(high >= DECANT_STRING_LONG, 0)) {
      passed = UINT32_MAX;
      if (odd_key_equal(context, slot, key, length)) break;
    }
    slot = decant_slot_after(slots, slot + 1);
  }
  *filter = (uint64_t)passed << DECANT_FILTER_SHIFT;
  return slot;
}

// MARK: the word

// How much an object is walked before it gets a directory, as a multiple of its slots. Building one
// costs about as much as walking over its keys that often.
#define PATIENCE 16
#define EFFORT_UNIT 64

// The effort after a scan that walked over so many slots of the object; this may build its directory.
// Short scans count nothing: what they cost is bounded.
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

// Stores what a scan found out: where the look-up that follows begins, and which bits the keys before
// have. A hint that does not fit leaves the old one; the filter of such an object is always full.
static inline void store_word(uint64_t *slots, uint64_t object, uint64_t word, uint64_t effort,
                              uint64_t filter, uint64_t next) {
  uint64_t hint = next - object - 2;
  uint64_t end = decant_slot_high(slots[object]) & DECANT_NEXT;
  if (end - object > DECANT_HINT_MASK) filter = DECANT_WORD_FULL;
  if (hint > DECANT_HINT_MASK) hint = word & DECANT_HINT_MASK;
  uint64_t now = effort << DECANT_EFFORT_SHIFT | filter | hint;
  __atomic_store_n(&slots[object + 1], now, __ATOMIC_RELAXED);
}

// Stores what a scan cost that found nothing, or nothing that moves the hint.
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

uint64_t decant_lookup_scan(const decant_context *context, uint64_t object, const uint8_t *key,
                            size_t length) {
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
  if (word & decant_key_bit(length)) {
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
