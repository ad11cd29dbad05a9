// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The out-of-line half of decant_plain.h.

#include "decant_plain.h"

#include "text.h"

// A step is copied while it is looked at; the last one overlaps the one before it.
bool decant_copy_plain_long(uint8_t *out, const uint8_t *text, size_t length) {
  size_t at = 0;
  for (; length - at > DECANT_DIRECT_STEP; at += DECANT_DIRECT_STEP) {
    memcpy(out + at, text + at, DECANT_DIRECT_STEP);
    if (decant_direct_mask(text + at) != 0) return false;
  }
  const size_t last = length - DECANT_DIRECT_STEP;
  memcpy(out + last, text + last, DECANT_DIRECT_STEP);
  return decant_direct_mask(text + last) == 0;
}

bool decant_is_utf8(const uint8_t *text, size_t length) {
  const uint64_t high = 0x8080808080808080u;
  size_t at = 0;
  while (at < length) {
    if (text[at] < 0x80) {
      uint64_t word;
      while (length - at >= 8 && (memcpy(&word, text + at, 8), (word & high) == 0)) at += 8;
      while (at < length && text[at] < 0x80) at++;
      continue;
    }
    // Most of what is not ASCII are three bytes: E1 to EC, EE and EF take every continuation.
    if (length - at >= 3 && (text[at] & 0xF0) == 0xE0 && text[at] != 0xE0 && text[at] != 0xED) {
      if (((text[at + 1] ^ 0x80) | (text[at + 2] ^ 0x80)) & 0xC0) return false;
      at += 3;
      continue;
    }
    const size_t size = decant_utf8_length(text, at, length);
    if (size == 0 || size > length - at) return false;
    at += size;
  }
  return true;
}
