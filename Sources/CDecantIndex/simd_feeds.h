// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// decant_line_feeds for an instruction set; simd_carry.h includes this file. Memory is slower than counting: blocks
// are whole cache lines, and both halves of a text are read at once, because the processor fetches two streams faster
// than one.

DECANT_INLINE size_t feeds_in(simd_block block) {
  return (size_t)__builtin_popcountll(simd_equal(block, '\n'));
}

// Of less than a block, or one.
DECANT_INLINE size_t feeds_in_part(const uint8_t *text, size_t size) {
  uint8_t scratch[64];
  return feeds_in(simd_load_tail(text, size, scratch));
}

static size_t line_feeds(const uint8_t *text, size_t length) {
  const size_t before = (size_t)(-(uintptr_t)text % 64);
  size_t at = before < length ? before : length;
  size_t count = feeds_in_part(text, at);
  const size_t half = (length - at) / 128 * 64;
  for (const size_t end = at + half; at < end; at += 64) {
    count += feeds_in(simd_load(text + at));
    count += feeds_in(simd_load(text + half + at));
  }
  for (at += half; at < length; at += 64) {
    count += feeds_in_part(text + at, length - at < 64 ? length - at : 64);
  }
  return count;
}
