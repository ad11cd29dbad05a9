// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// decant_cut_value for an instruction set; simd_carry.h includes this file. Of a block of 64 bytes it needs quotes,
// backslashes, brackets and line feeds alone. While more brackets are open than the block closes, of all and of the first
// one's kind, and there is no line feed in a string or before a bracket, no value can end in it:
//
//   depth 1   {"id":1,"user":{"name":"A]"}},{"id":…
//                     block: closes 3 ≥ depth: byte by byte, over the bits

// The bits behind runs of `over` that begin at one of `from`, and those of `from` that are not in a run.
DECANT_INLINE uint64_t bits_behind(uint64_t from, uint64_t over) {
  return (from | (over + (from & over))) & ~over;
}

// Of brackets that begin a line, those that are where no value can be. `has_arrays`: an array is open in all of the block.
// What is before the block is looked at only if one of them is its first byte behind white space.
DECANT_INLINE uint64_t out_of_place(const decant_cut *cut, const uint8_t *text, size_t at,
                                    simd_block block, uint64_t brackets, uint64_t feeds,
                                    bool has_arrays) {
  const uint64_t whites =
      feeds | simd_equal(block, ' ') | simd_equal(block, '\t') | simd_equal(block, '\r');
  // A branch here makes clang take the masks apart, bit by bit.
  const uint64_t before = simd_equal(block, '[') | simd_equal(block, ':') |
                          (simd_equal(block, ',') & ((uint64_t)0 - has_arrays));
  const bool begins =
      (brackets & ~whites & (whites + 1)) != 0 && decant_cut_may_begin(cut, text, at);
  return brackets & ~bits_behind(before << 1 | begins, whites);
}

DECANT_INLINE size_t cut_blocks(decant_cut *cut, const uint8_t *text, size_t length,
                                const bool at_commas) {
  uint64_t in_string = cut->in_string ? ~(uint64_t)0 : 0, escaped = cut->escaped,
           begins_line = cut->begins_line, depth = cut->depth, alike = cut->alike;
  // An element's first bracket, most often its first byte.
  uint64_t passed = 0;
  if (at_commas && cut->last == 0 && length != 0 && (text[0] == '{' || text[0] == '[')) {
    cut->first = text[0];
    depth = alike = passed = 1;
  }
  // Braces have a bit that brackets have not.
  uint64_t other_kind = cut->first == '[' ? ~(uint64_t)0 : 0;
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
    const uint64_t feeds = simd_equal(block, '\n');
    const uint64_t starts = feeds << 1 | begins_line;
    begins_line = feeds >> 63;
    // The other brackets have all the bits of [ and ], and one more.
    const simd_block brackets = simd_or(block, '{' - '[');
    const uint64_t opens = simd_equal(brackets, '{') & ~strings & ~passed;
    const uint64_t closes = simd_equal(brackets, '}') & ~strings;
    passed = 0;
    const uint64_t broken = feeds & strings;
    if (depth != 0 && (opens | closes | broken | (at_commas ? starts : 0)) == 0) continue;
    // Brackets that open end nothing: what is open at each one that closes is counted.
    const uint64_t alike_kind = simd_equal(simd_or(block, 0x5F), 0x7F) ^ other_kind;
    const uint64_t alike_opens = alike_kind & opens, alike_closes = alike_kind & closes;
    const uint64_t closed = (uint64_t)__builtin_popcountll(closes),
                   alike_closed = (uint64_t)__builtin_popcountll(alike_closes);
    decant_cut_found found = DECANT_CUT_ON;
    // The bytes up to the bracket that ends the value, if one does.
    uint64_t upto = ~(uint64_t)0, end = 0;
    if (depth <= closed || alike <= alike_closed) {
      uint64_t rest = closes;
      for (uint64_t count = 1; rest != 0; count++, rest &= rest - 1) {
        upto = rest ^ (rest - 1);
        const uint64_t open = depth + (uint64_t)__builtin_popcountll(opens & upto) - count;
        const uint64_t open_alike = alike + (uint64_t)__builtin_popcountll(alike_opens & upto) -
                                    (uint64_t)__builtin_popcountll(alike_closes & upto);
        if (open != 0 && open_alike != 0) continue;
        found = open != open_alike ? DECANT_CUT_MISMATCH : DECANT_CUT_END;
        break;
      }
      end = rest & -rest;
      if (rest == 0) upto = ~(uint64_t)0;
    }
    // What line feeds tell: one in a string, or a bracket that begins a line.
    uint64_t lines = starts;
    if (at_commas && starts != 0) {
      // A carry runs from a line's first byte over blanks and commas, perhaps into the next block.
      const uint64_t blanks =
          simd_equal(block, ' ') | simd_equal(block, '\t') | simd_equal(block, ',');
      uint64_t behind;
      begins_line |= __builtin_add_overflow(blanks, lines & blanks, &behind);
      lines = (lines | behind) & ~blanks;
    }
    uint64_t wrong = opens & lines & upto;
    if (at_commas && DECANT_UNLIKELY(wrong != 0 && depth != 0)) {
      // How many arrays are open, where all brackets are right.
      const int64_t arrays = (int64_t)(depth - alike) - (int64_t)(closed - alike_closed);
      cut->depth = depth;
      cut->alike = alike;
      wrong = out_of_place(cut, text, at, block, wrong, feeds, cut->first == '[' || arrays > 0);
    }
    uint64_t bits = opens | closes | broken;
    bool is_behind = false;
    if (DECANT_LIKELY(depth != 0 && ((broken & upto) | wrong) == 0)) {
      if (DECANT_LIKELY(end == 0)) {
        depth += (uint64_t)__builtin_popcountll(opens) - closed;
        alike += (uint64_t)__builtin_popcountll(alike_opens) - alike_closed;
        continue;
      }
      if (found == DECANT_CUT_MISMATCH || !at_commas)
        return decant_cut_end(cut, found, at + (size_t)__builtin_ctzll(end));
      bits &= ~upto;
      depth = alike = 0;
      is_behind = true;
    }
    // Commas are looked at behind the value alone.
    const uint64_t commas = at_commas ? simd_equal(block, ',') & ~strings : 0;
    if (depth == 0) bits |= is_behind ? commas & ~upto : commas;
    cut->depth = depth;
    cut->alike = alike;
    for (; bits != 0; bits &= bits - 1) {
      const uint64_t bit = bits & -bits;
      const size_t place = at + (size_t)__builtin_ctzll(bit);
      if (DECANT_UNLIKELY((broken & bit) != 0)) return decant_cut_end(cut, DECANT_CUT_FEED, place);
      found = decant_cut_pass(cut, text, place, (lines & bit) != 0, at_commas);
      if (found != DECANT_CUT_ON) return decant_cut_end(cut, found, place);
      if (at_commas && cut->depth == 0) bits |= commas & ~(bit | (bit - 1));
    }
    depth = cut->depth;
    alike = cut->alike;
    other_kind = cut->first == '[' ? ~(uint64_t)0 : 0;
  }
  cut->depth = depth;
  cut->alike = alike;
  cut->in_string = in_string != 0;
  cut->escaped = escaped != 0;
  decant_cut_keep(cut, text, length, at_commas);
  return length;
}

static size_t cut_value(decant_cut *cut, const uint8_t *text, size_t length, bool at_commas) {
  return at_commas ? cut_blocks(cut, text, length, true) : cut_blocks(cut, text, length, false);
}
