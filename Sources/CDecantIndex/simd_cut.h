// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// decant_cut_value for an instruction set; simd_carry.h includes this file. Of a block of 64 bytes it needs quotes,
// backslashes, brackets and line feeds alone. While more brackets are open than the block closes, of all and of the first
// one's kind, and there is no line feed in a string or before a bracket, no value can end in it:
//
//   depth 1   {"id":1,"user":{"name":"A]"}},{"id":…
//                     block: closes 3 ≥ depth: byte by byte, over the bits

static size_t cut_value(decant_cut *cut, const uint8_t *text, size_t length, bool at_commas) {
  uint64_t in_string = cut->in_string ? ~(uint64_t)0 : 0, escaped = cut->escaped,
           begins_line = cut->begins_line;
  decant_cut state = *cut;
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
    const uint64_t lines = feeds << 1 | begins_line;
    begins_line = feeds >> 63;
    // The other brackets have all the bits of [ and ], and one more.
    const simd_block brackets = simd_or(block, '{' - '[');
    const uint64_t opens = simd_equal(brackets, '{') & ~strings;
    const uint64_t closes = simd_equal(brackets, '}') & ~strings;
    const uint64_t closed = (uint64_t)__builtin_popcountll(closes);
    const uint64_t broken = feeds & strings;
    if (DECANT_LIKELY(state.depth > closed && (broken | (opens & lines)) == 0)) {
      const uint64_t alike =
          (uint64_t)__builtin_popcountll(simd_equal(block, state.first + 2) & closes);
      if (DECANT_LIKELY(state.alike > alike)) {
        state.depth += (uint64_t)__builtin_popcountll(opens) - closed;
        state.alike +=
            (uint64_t)__builtin_popcountll(simd_equal(block, state.first) & opens) - alike;
        continue;
      }
    }
    uint64_t bits = opens | closes | broken;
    if (DECANT_LIKELY(state.depth != 0 && (broken | (opens & lines)) == 0)) {
      // Brackets that open end nothing: what is open at each one that closes is counted.
      const uint64_t alike_opens = simd_equal(block, state.first) & opens,
                     alike_closes = simd_equal(block, state.first + 2) & closes;
      uint64_t depth = state.depth, alike = state.alike, rest = closes;
      for (uint64_t passed = 0; rest != 0; rest &= rest - 1) {
        const uint64_t upto = rest ^ (rest - 1);
        depth = state.depth + (uint64_t)__builtin_popcountll(opens & upto) - ++passed;
        alike = state.alike + (uint64_t)__builtin_popcountll(alike_opens & upto) -
                (uint64_t)__builtin_popcountll(alike_closes & upto);
        if (depth != 0 && alike != 0) continue;
        if (depth != alike || !at_commas) {
          return decant_cut_end(cut, depth != alike ? DECANT_CUT_MISMATCH : DECANT_CUT_END,
                                at + (size_t)__builtin_ctzll(rest));
        }
        bits &= ~upto;
        break;
      }
      if (rest == 0) {
        state.depth += (uint64_t)__builtin_popcountll(opens) - closed;
        state.alike += (uint64_t)__builtin_popcountll(alike_opens) -
                       (uint64_t)__builtin_popcountll(alike_closes);
        continue;
      }
      state.depth = state.alike = 0;
      bits |= simd_equal(block, ',') & ~strings & ~(rest ^ (rest - 1));
    } else if (at_commas) {
      bits |= simd_equal(block, ',') & ~strings;
    }
    for (; bits != 0; bits &= bits - 1) {
      const uint64_t bit = bits & -bits;
      const size_t place = at + (size_t)__builtin_ctzll(bit);
      if (DECANT_UNLIKELY((broken & bit) != 0)) return decant_cut_end(cut, DECANT_CUT_FEED, place);
      const decant_cut_found found =
          decant_cut_pass(&state, text, place, (lines & bit) != 0, at_commas);
      if (found != DECANT_CUT_ON) return decant_cut_end(cut, found, place);
    }
  }
  cut->depth = state.depth;
  cut->alike = state.alike;
  cut->first = state.first;
  cut->in_string = in_string != 0;
  cut->escaped = escaped != 0;
  decant_cut_keep(cut, text, length);
  return length;
}
