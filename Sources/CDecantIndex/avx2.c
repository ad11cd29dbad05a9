// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The primitives of simd_template.h in AVX2: a block is two registers of 32 bytes. Bytes are
// classified by two look-ups of nibbles (see simd_types.h), and a class becomes a mask by moving
// its bit to the sign bit of each byte, which is what `movemask` collects.

#include "internal.h"

#if DECANT_X86

#include <immintrin.h>

#include "decant_plain.h"
#include "decant_write.h"
#include "simd_types.h"

#define DECANT_BUILD_FUNCTION decant_build_avx2
#define DECANT_LINES_FUNCTION decant_link_line_avx2
#define DECANT_CUT_FUNCTION decant_cut_avx2
#define DECANT_FEEDS_FUNCTION decant_line_feeds_avx2
#define DECANT_TARGET_FEATURES "avx2,pclmul,popcnt,bmi,bmi2,lzcnt"
#include "target_begin.h"

typedef struct {
  __m256i low, high;
  const uint8_t *bytes;
} simd_block;

typedef struct {
  __m256i previous;  // the upper half of the last block that was looked at
  __m256i errors;
} simd_utf8;

DECANT_INLINE __m256i load_half(const uint8_t *bytes) {
  return _mm256_loadu_si256((const __m256i *)(const void *)bytes);
}

DECANT_INLINE __m256i table(const uint8_t *sixteen) {
  return _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)(const void *)sixteen));
}

DECANT_INLINE simd_block simd_load(const uint8_t *bytes) {
  return (simd_block){load_half(bytes), load_half(bytes + 32), bytes};
}

DECANT_INLINE simd_block simd_load_tail(const uint8_t *bytes, size_t size, uint8_t *scratch) {
  memset(scratch, ' ', 64);
  memcpy(scratch, bytes, size);
  return simd_load(scratch);
}

DECANT_INLINE uint64_t sign_bits(__m256i low, __m256i high) {
  const uint32_t below = (uint32_t)_mm256_movemask_epi8(low);
  const uint32_t above = (uint32_t)_mm256_movemask_epi8(high);
  return below | (uint64_t)above << 32;
}

DECANT_INLINE uint64_t simd_equal(simd_block block, char byte) {
  const __m256i wanted = _mm256_set1_epi8(byte);
  return sign_bits(_mm256_cmpeq_epi8(block.low, wanted), _mm256_cmpeq_epi8(block.high, wanted));
}

DECANT_INLINE uint64_t simd_non_ascii(simd_block block) {
  return sign_bits(block.low, block.high);
}

static const uint8_t class_low[16] __attribute__((aligned(16))) = {CLASS_LOW};
static const uint8_t class_high[16] __attribute__((aligned(16))) = {CLASS_HIGH};

DECANT_INLINE __m256i high_nibbles(__m256i bytes) {
  return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
}

// A shuffle gives zero for an index above 0x7F, so bytes that are not ASCII have no class.
DECANT_INLINE __m256i classes(__m256i bytes) {
  return _mm256_and_si256(_mm256_shuffle_epi8(table(class_low), bytes),
                          _mm256_shuffle_epi8(table(class_high), high_nibbles(bytes)));
}

DECANT_INLINE uint64_t none_of(__m256i low, __m256i high, int bits) {
  const __m256i wanted = _mm256_set1_epi8((char)bits), zero = _mm256_setzero_si256();
  return sign_bits(_mm256_cmpeq_epi8(_mm256_and_si256(low, wanted), zero),
                   _mm256_cmpeq_epi8(_mm256_and_si256(high, wanted), zero));
}

// FF for a backslash or a byte below 0x20.
DECANT_INLINE __m256i suspects(__m256i bytes) {
  const __m256i last_control = _mm256_set1_epi8(0x1F), backslash = _mm256_set1_epi8('\\');
  return _mm256_or_si256(_mm256_cmpeq_epi8(_mm256_min_epu8(bytes, last_control), bytes),
                         _mm256_cmpeq_epi8(bytes, backslash));
}

DECANT_INLINE struct masks simd_masks(simd_block block) {
  const __m256i low = classes(block.low), high = classes(block.high);
  return (struct masks){
      .quote = simd_equal(block, '"'),
      .mark = none_of(low, high, CLASS_QUIET),
      .number = ~none_of(low, high, CLASS_NUMBER),
      .suspect = sign_bits(suspects(block.low), suspects(block.high)),
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
static const uint8_t utf8_limits[32] __attribute__((aligned(32))) = {
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,  255,  255,  255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0xEF, 0xDF, 0xBF};

// Where two successive bytes, and the two before them, cannot occur in UTF-8.
DECANT_INLINE __m256i utf8_errors(__m256i previous, __m256i bytes) {
  const __m256i between = _mm256_permute2x128_si256(previous, bytes, 0x21);
  const __m256i first = _mm256_alignr_epi8(bytes, between, 15);
  const __m256i second = _mm256_alignr_epi8(bytes, between, 14);
  const __m256i third = _mm256_alignr_epi8(bytes, between, 13);
  const __m256i nibble = _mm256_set1_epi8(0x0F);
  const __m256i high = _mm256_shuffle_epi8(table(utf8_first_high), high_nibbles(first));
  const __m256i low = _mm256_shuffle_epi8(table(utf8_first_low), _mm256_and_si256(first, nibble));
  const __m256i next = _mm256_shuffle_epi8(table(utf8_second_high), high_nibbles(bytes));
  const __m256i special = _mm256_and_si256(_mm256_and_si256(high, low), next);
  // Bit 7 where the byte must be a third or a fourth: E0 or more two before, F0 or more three
  // before.
  const __m256i is_third = _mm256_subs_epu8(second, _mm256_set1_epi8((char)(0xE0 - 0x80)));
  const __m256i is_fourth = _mm256_subs_epu8(third, _mm256_set1_epi8((char)(0xF0 - 0x80)));
  const __m256i required = _mm256_and_si256(_mm256_or_si256(is_third, is_fourth),
                                            _mm256_set1_epi8((char)UTF8_TWO_CONTINUATIONS));
  return _mm256_xor_si256(required, special);
}

DECANT_INLINE uint64_t simd_utf8_next(simd_utf8 *state, simd_block block) {
  const __m256i errors = _mm256_or_si256(utf8_errors(state->previous, block.low),
                                         utf8_errors(block.low, block.high));
  state->errors = _mm256_or_si256(state->errors, errors);
  state->previous = block.high;
  const __m256i incomplete = _mm256_subs_epu8(block.high, load_half(utf8_limits));
  return !_mm256_testz_si256(incomplete, incomplete);
}

DECANT_INLINE bool simd_utf8_failed(const simd_utf8 *state) {
  return !_mm256_testz_si256(state->errors, state->errors);
}

// One entry per set bit, four at a time: what is written beyond the last one is overwritten later,
// and `tzcnt` of zero is 64, which the mask turns into a byte that is there.
DECANT_INLINE size_t simd_emit(uint32_t *offsets, uint8_t *bytes, uint32_t base, simd_block block,
                               uint64_t mask) {
  const size_t count = (size_t)__builtin_popcountll(mask);
  for (size_t written = 0; written < count; written += 4) {
    for (size_t step = 0; step < 4; step++) {
      const uint32_t place = (uint32_t)_tzcnt_u64(mask) & 63;
      offsets[written + step] = base + place;
      bytes[written + step] = block.bytes[place];
      mask &= mask - 1;
    }
  }
  return count;
}

#include "simd_template.h"
#include "write_avx2.h"
#include "target_end.h"

#endif
