// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The out-of-line half of decant_lookup.h: scans, escaped keys, and what a missing view remembers.

#include "decant_lookup.h"

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
  if (scalar >= 0xD800 && scalar < 0xDC00) {
    scalar = 0x10000 + ((scalar - 0xD800) << 10) + (hex_unit(string + 8) - 0xDC00);
    read = 12;
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

static bool key_equal(const decant_context *context, uint64_t slot, const uint8_t *key,
                      size_t length) {
  uint32_t high = decant_slot_high(context->slots[slot]);
  const uint8_t *text = context->text + decant_slot_offset(context->slots[slot]) + 1;
  if (high == length && length < DECANT_STRING_LONG) return memcmp(text, key, length) == 0;
  if (!(high & DECANT_STRING_ESCAPE) && (high & DECANT_STRING_LONG) != DECANT_STRING_LONG)
    return false;
  return decant_escaped_equal(text, decant_string_length(context, slot), key, length);
}

// The filter bit of the key at `slot`: of the key as it reads, escapes undone.
static uint64_t slot_bit(const decant_context *context, uint64_t slot) {
  uint32_t high = decant_slot_high(context->slots[slot]);
  const uint8_t *text = context->text + decant_slot_offset(context->slots[slot]) + 1;
  size_t length = decant_string_length(context, slot);
  if (!(high & DECANT_STRING_ESCAPE)) return decant_key_bit(text, length);
  size_t unescaped = 0;
  uint8_t first = 0, last = 0;
  for (const uint8_t *byte = text, *end = text + length; byte < end;) {
    uint8_t bytes[4];
    size_t written = 1;
    if (*byte == '\\') {
      byte += read_escape(byte, bytes, &written);
    } else {
      bytes[0] = *byte++;
    }
    if (unescaped == 0) first = bytes[0];
    last = bytes[written - 1];
    unescaped += written;
  }
  return unescaped ? decant_filter_bit(unescaped, first, last) : decant_filter_bit(0, 0, 0);
}

static void store_word(uint64_t *word, uint64_t filter, uint64_t hint) {
  if (hint <= DECANT_HINT_MASK) __atomic_store_n(word, filter | hint, __ATOMIC_RELAXED);
}

static uint64_t lookup_last(const decant_context *context, uint64_t object, const uint8_t *key,
                            size_t length) {
  const uint64_t *slots = context->slots;
  uint64_t end = decant_slot_high(slots[object]) & ~DECANT_CONTAINER;
  uint64_t found = DECANT_NODE_NONE;
  for (uint64_t slot = object + 2; slot < end; slot = decant_slot_after(slots, slot + 1))
    if (key_equal(context, slot, key, length)) found = slot + 1;
  return found;
}

uint64_t decant_lookup_scan(const decant_context *context, uint64_t object, const uint8_t *key,
                            size_t length) {
  if (context->rules.duplicates == DECANT_DUPLICATES_LAST)
    return lookup_last(context, object, key, length);
  uint64_t *slots = context->slots;
  uint64_t word = __atomic_load_n(&slots[object + 1], __ATOMIC_RELAXED);
  uint64_t first = object + 2;
  uint64_t hint = first + (word & DECANT_HINT_MASK);
  uint64_t end = decant_slot_high(slots[object]) & ~DECANT_CONTAINER;
  uint64_t bit = decant_key_bit(key, length);
  uint64_t filter;
  if (word & bit) {
    filter = 0;
    for (uint64_t slot = first; slot < hint; slot = decant_slot_after(slots, slot + 1)) {
      filter |= slot_bit(context, slot);
      if (key_equal(context, slot, key, length)) {
        store_word(&slots[object + 1], filter, decant_slot_after(slots, slot + 1) - first);
        return slot + 1;
      }
    }
  }
  filter = word & ~DECANT_HINT_MASK;
  for (uint64_t slot = hint; slot < end; slot = decant_slot_after(slots, slot + 1)) {
    filter |= slot_bit(context, slot);
    if (key_equal(context, slot, key, length)) {
      store_word(&slots[object + 1], filter, decant_slot_after(slots, slot + 1) - first);
      return slot + 1;
    }
  }
  return DECANT_NODE_NONE;
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
