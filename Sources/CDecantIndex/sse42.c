// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The primitives of simd_template.h for processors with SSE4.2 and no AVX2 (any x86-64 since about
// 2010): avx2.c with four registers of 16 bytes. The byte shuffle is SSSE3's.

#include "internal.h"

#if DECANT_X86

#include <nmmintrin.h>
#include <wmmintrin.h>

#include "simd_types.h"

#define DECANT_BUILD_FUNCTION decant_build_sse42
#define DECANT_LINES_FUNCTION decant_link_line_sse42
#define DECANT_CUT_FUNCTION decant_cut_sse42
#define DECANT_FEEDS_FUNCTION decant_line_feeds_sse42
#define DECANT_TARGET_FEATURES "sse4.2,ssse3,pclmul,popcnt"
#include "target_begin.h"

typedef struct {
  __m128i part[4];
  const uint8_t *bytes;
} simd_block;

typedef struct {
  __m128i previous;  // the last quarter of the last block that was looked at
  __m128i errors;
} simd_utf8;

DECANT_INLINE __m128i load(const uint8_t *bytes) {
  return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

DECANT_INLINE simd_block simd_load(const uint8_t *bytes) {
  return (simd_block){{load(bytes), load(bytes + 16), load(bytes + 32), load(bytes + 48)}, bytes};
}

DECANT_INLINE simd_block simd_load_tail(const uint8_t *bytes, size_t size, uint8_t *scratch) {
  memset(scratch, ' ', 64);
  memcpy(scratch, bytes, size);
  return simd_load(scratch);
}

// Bit n: the sign of byte n.
DECANT_INLINE uint64_t sign_bits(__m128i a, __m128i b, __m128i c, __m128i d) {
  const uint64_t low = (uint32_t)_mm_movemask_epi8(a) | (uint64_t)_mm_movemask_epi8(b) << 16;
  const uint64_t high = (uint32_t)_mm_movemask_epi8(c) | (uint64_t)_mm_movemask_epi8(d) << 16;
  return low | high << 32;
}

#define EACH_PART(block, function, operand)                                       \
  sign_bits(function((block).part[0], operand), function((block).part[1], operand), \
            function((block).part[2], operand), function((block).part[3], operand))

DECANT_INLINE uint64_t simd_equal(simd_block block, char byte) {
  const __m128i wanted = _mm_set1_epi8(byte);
  return EACH_PART(block, _mm_cmpeq_epi8, wanted);
}

DECANT_INLINE uint64_t simd_non_ascii(simd_block block) {
  return sign_bits(block.part[0], block.part[1], block.part[2], block.part[3]);
}

static const uint8_t class_low[16] __attribute__((aligned(16))) = {CLASS_LOW};
static const uint8_t class_high[16] __attribute__((aligned(16))) = {CLASS_HIGH};

DECANT_INLINE __m128i high_nibbles(__m128i bytes) {
  return _mm_and_si128(_mm_srli_epi16(bytes, 4), _mm_set1_epi8(0x0F));
}

// A shuffle gives zero for an index above 0x7F, so bytes that are not ASCII have no class.
DECANT_INLINE __m128i classes(__m128i bytes) {
  return _mm_and_si128(_mm_shuffle_epi8(load(class_low), bytes),
                       _mm_shuffle_epi8(load(class_high), high_nibbles(bytes)));
}

DECANT_INLINE __m128i lacks(__m128i class, __m128i bits) {
  return _mm_cmpeq_epi8(_mm_and_si128(class, bits), _mm_setzero_si128());
}

// FF for a backslash or a byte below 0x20.
DECANT_INLINE __m128i suspects(__m128i bytes, __m128i last_control) {
  return _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes),
                      _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
}

DECANT_INLINE struct masks simd_masks(simd_block block) {
  simd_block class;
  for (int part = 0; part < 4; part++) class.part[part] = classes(block.part[part]);
  const __m128i quiet = _mm_set1_epi8(CLASS_QUIET), number = _mm_set1_epi8(CLASS_NUMBER);
  const __m128i last_control = _mm_set1_epi8(0x1F);
  return (struct masks){
      .quote = simd_equal(block, '"'),
      .mark = EACH_PART(class, lacks, quiet),
      .number = ~EACH_PART(class, lacks, number),
      .suspect = EACH_PART(block, suspects, last_control),
  };
}

DECANT_INLINE uint64_t simd_prefix_xor(uint64_t mask) {
  const __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128((int64_t)mask), _mm_set1_epi8((char)0xFF), 0);
  return (uint64_t)_mm_cvtsi128_si64(product);
}

static const uint8_t utf8_first_high[16] __attribute__((aligned(16))) = {UTF8_FIRST_HIGH};
static const uint8_t utf8_first_low[16] __attribute__((aligned(16))) = {UTF8_FIRST_LOW};
static const uint8_t utf8_second_high[16] __attribute__((aligned(16))) = {UTF8_SECOND_HIGH};
// A lead of two in the last byte, of three in the last two, of four in the last three.
static const uint8_t utf8_limits[16] __attribute__((aligned(16))) = {
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0xEF, 0xDF, 0xBF};

// Where two successive bytes, and the two before them, cannot occur in UTF-8.
DECANT_INLINE __m128i utf8_errors(__m128i previous, __m128i bytes) {
  const __m128i first = _mm_alignr_epi8(bytes, previous, 15);
  const __m128i second = _mm_alignr_epi8(bytes, previous, 14);
  const __m128i third = _mm_alignr_epi8(bytes, previous, 13);
  const __m128i nibble = _mm_set1_epi8(0x0F);
  const __m128i high = _mm_shuffle_epi8(load(utf8_first_high), high_nibbles(first));
  const __m128i low = _mm_shuffle_epi8(load(utf8_first_low), _mm_and_si128(first, nibble));
  const __m128i next = _mm_shuffle_epi8(load(utf8_second_high), high_nibbles(bytes));
  const __m128i special = _mm_and_si128(_mm_and_si128(high, low), next);
  // Bit 7 where the byte must be a third or a fourth: E0 or more two before, F0 or more three
  // before.
  const __m128i is_third = _mm_subs_epu8(second, _mm_set1_epi8((char)(0xE0 - 0x80)));
  const __m128i is_fourth = _mm_subs_epu8(third, _mm_set1_epi8((char)(0xF0 - 0x80)));
  const __m128i required = _mm_and_si128(_mm_or_si128(is_third, is_fourth),
                                            _mm_set1_epi8((char)UTF8_TWO_CONTINUATIONS));
  return _mm_xor_si128(required, special);
}

DECANT_INLINE uint64_t simd_utf8_next(simd_utf8 *state, simd_block block) {
  __m128i previous = state->previous;
  for (int part = 0; part < 4; part++) {
    state->errors = _mm_or_si128(state->errors, utf8_errors(previous, block.part[part]));
    previous = block.part[part];
  }
  state->previous = previous;
  const __m128i incomplete = _mm_subs_epu8(previous, load(utf8_limits));
  return !_mm_testz_si128(incomplete, incomplete);
}

DECANT_INLINE bool simd_utf8_failed(const simd_utf8 *state) {
  return !_mm_testz_si128(state->errors, state->errors);
}

// One entry per set bit, four at a time: what is written beyond the last one is overwritten later.
// The top bit is added so that there always is one to find.
DECANT_INLINE size_t simd_emit(uint32_t *offsets, uint8_t *bytes, uint32_t base, simd_block block,
                               uint64_t mask) {
  const size_t count = (size_t)__builtin_popcountll(mask);
  for (size_t written = 0; written < count; written += 4) {
    for (size_t step = 0; step < 4; step++) {
      const uint32_t place = (uint32_t)__builtin_ctzll(mask | 1ull << 63);
      offsets[written + step] = base + place;
      bytes[written + step] = block.bytes[place];
      mask &= mask - 1;
    }
  }
  return count;
}

#include "simd_template.h"
#include "target_end.h"

#endif
