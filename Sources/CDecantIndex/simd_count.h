// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Line feeds, and bytes within characters, counted for an instruction set; simd_carry.h includes this file. Memory is slower
// than counting: blocks are whole cache lines, and both halves of a text are read at once, because the processor fetches
// two streams faster than one.

DECANT_INLINE size_t count_in(simd_block block, const bool feeds) {
  // Bytes within characters have the bits 10 in front. White space behind a text is neither.
  const uint64_t counted =
      feeds ? simd_equal(block, '\n') : simd_non_ascii(block) & ~simd_non_ascii(simd_twice(block));
  return (size_t)__builtin_popcountll(counted);
}

// Of less than a block, or one.
DECANT_INLINE size_t count_in_part(const uint8_t *text, size_t size, const bool feeds) {
  uint8_t scratch[64];
  return count_in(simd_load_tail(text, size, scratch), feeds);
}

DECANT_INLINE size_t count_in_blocks(const uint8_t *text, size_t length, const bool feeds) {
  const size_t before = (size_t)(-(uintptr_t)text % 64);
  size_t at = before < length ? before : length;
  size_t count = count_in_part(text, at, feeds);
  const size_t half = (length - at) / 128 * 64;
  for (const size_t end = at + half; at < end; at += 64) {
    count += count_in(simd_load(text + at), feeds);
    count += count_in(simd_load(text + half + at), feeds);
  }
  for (at += half; at < length; at += 64) {
    count += count_in_part(text + at, length - at < 64 ? length - at : 64, feeds);
  }
  return count;
}

static size_t line_feeds(const uint8_t *text, size_t length) {
  return count_in_blocks(text, length, true);
}

static size_t continuations(const uint8_t *text, size_t length) {
  return count_in_blocks(text, length, false);
}
