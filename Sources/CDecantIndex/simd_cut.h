// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// decant_cut_value for an instruction set; simd_carry.h includes this file. Of a block of 64 bytes it needs quotes,
// backslashes and brackets alone. While more brackets are open than the block closes, no value can end in it:
//
//   depth 1   {"id":1,"user":{"name":"A]"}},{"id":…
//                     block: closes 3 ≥ depth: byte by byte, over the bits

static size_t cut_value(decant_cut *cut, const uint8_t *text, size_t length, bool at_commas) {
  uint64_t in_string = cut->in_string ? ~(uint64_t)0 : 0, escaped = cut->escaped,
           depth = cut->depth;
  for (size_t at = 0; at < length; at += 64) {
    const size_t size = length - at < 64 ? length - at : 64;
    uint8_t scratch[64];
    const simd_block block =
        size == 64 ? simd_load(text + at) : simd_load_tail(text + at, size, scratch);
    const uint64_t backslashes = simd_equal(block, '\\');
    uint64_t quotes = simd_equal(block, '"');
    if (DECANT_UNLIKELY((backslashes | escaped) != 0)) {
      const uint64_t escapes = escape_starts(backslashes & ~escaped);
      quotes &= ~(escapes << 1 | escaped);
      escaped = escapes >> (size - 1) & 1;
    }
    const uint64_t strings = simd_prefix_xor(quotes) ^ in_string;
    in_string = (uint64_t)((int64_t)strings >> 63);
    // The other brackets have all the bits of [ and ], and one more.
    const simd_block brackets = simd_or(block, '{' - '[');
    const uint64_t opens = simd_equal(brackets, '{') & ~strings;
    const uint64_t closes = simd_equal(brackets, '}') & ~strings;
    const uint64_t closed = (uint64_t)__builtin_popcountll(closes);
    if (DECANT_LIKELY(depth > closed)) {
      depth += (uint64_t)__builtin_popcountll(opens) - closed;
      continue;
    }
    uint64_t ends = closes | (at_commas ? simd_equal(block, ',') & ~strings : 0);
    for (uint64_t bits = opens | ends; bits != 0; bits &= bits - 1) {
      const uint64_t bit = bits & -bits;
      if ((opens & bit) != 0) {
        depth++;
      } else if (depth == 0) {
        *cut = (decant_cut){0};
        return at + (size_t)__builtin_ctzll(bit);
      } else if ((closes & bit) != 0) {
        depth--;
      }
    }
  }
  *cut = (decant_cut){.depth = depth, .in_string = in_string != 0, .escaped = escaped != 0};
  return length;
}
