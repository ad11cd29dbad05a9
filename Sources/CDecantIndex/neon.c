// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The primitives of simd_template.h in NEON: a block is four registers of 16 bytes. There is no
// `movemask`; instead each byte that matches keeps one bit of a weight, 1 2 4 … 128 by its place in
// eight, and three pairwise additions gather 64 bytes into 64 bits:
//
//   matches  00 FF 00 00 FF 00 00 00  ->  weights  00 02 00 00 10 00 00 00  ->  sum  0x12

#include "internal.h"

#if DECANT_NEON

#include <arm_neon.h>

#include "simd_types.h"

#define DECANT_BUILD_FUNCTION decant_build_neon
#define DECANT_LINES_FUNCTION decant_link_line_neon
#define DECANT_CUT_FUNCTION decant_cut_neon
#define DECANT_FEEDS_FUNCTION decant_line_feeds_neon

typedef struct {
  uint8x16_t part[4];
  const uint8_t *bytes;
} simd_block;

typedef struct {
  uint8x16_t previous;  // the last quarter of the last block that was looked at
  uint8x16_t errors;
} simd_utf8;

DECANT_INLINE simd_block simd_load(const uint8_t *bytes) {
  return (simd_block){
      {vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}, bytes};
}

DECANT_INLINE simd_block simd_load_tail(const uint8_t *bytes, size_t size, uint8_t *scratch) {
  memset(scratch, ' ', 64);
  memcpy(scratch, bytes, size);
  return simd_load(scratch);
}

static const uint8_t bit_weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};

// Bit n: whether byte n is FF rather than 00.
DECANT_INLINE uint64_t match_bits(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
  const uint8x16_t weights = vld1q_u8(bit_weights);
  const uint8x16_t low = vpaddq_u8(vandq_u8(a, weights), vandq_u8(b, weights));
  const uint8x16_t high = vpaddq_u8(vandq_u8(c, weights), vandq_u8(d, weights));
  const uint8x16_t eighths = vpaddq_u8(low, high);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(eighths, eighths)), 0);
}

#define EACH_PART(block, function, operand)                                            \
  match_bits(function((block).part[0], operand), function((block).part[1], operand), \
             function((block).part[2], operand), function((block).part[3], operand))

DECANT_INLINE uint64_t simd_equal(simd_block block, uint8_t byte) {
  const uint8x16_t wanted = vdupq_n_u8(byte);
  return EACH_PART(block, vceqq_u8, wanted);
}

DECANT_INLINE uint64_t simd_non_ascii(simd_block block) {
  const uint8x16_t beyond = vdupq_n_u8(0x80);
  const uint8x16_t any = vorrq_u8(vorrq_u8(block.part[0], block.part[1]),
                                  vorrq_u8(block.part[2], block.part[3]));
  return vmaxvq_u8(any) < 0x80 ? 0 : EACH_PART(block, vcgeq_u8, beyond);
}

static const uint8_t class_low[16] = {CLASS_LOW};
static const uint8_t class_high[16] = {CLASS_HIGH};

// The upper half of CLASS_HIGH is zero, so bytes that are not ASCII have no class.
DECANT_INLINE uint8x16_t classes(uint8x16_t bytes) {
  return vandq_u8(vqtbl1q_u8(vld1q_u8(class_low), vandq_u8(bytes, vdupq_n_u8(0x0F))),
                  vqtbl1q_u8(vld1q_u8(class_high), vshrq_n_u8(bytes, 4)));
}

// FF for a backslash or a byte below 0x20.
DECANT_INLINE uint8x16_t suspects(uint8x16_t bytes, uint8x16_t space) {
  return vorrq_u8(vcltq_u8(bytes, space), vceqq_u8(bytes, vdupq_n_u8('\\')));
}

DECANT_INLINE struct masks simd_masks(simd_block block) {
  simd_block class;
  for (int part = 0; part < 4; part++) class.part[part] = classes(block.part[part]);
  const uint8x16_t quiet = vdupq_n_u8(CLASS_QUIET), number = vdupq_n_u8(CLASS_NUMBER);
  const uint8x16_t space = vdupq_n_u8(0x20);
  return (struct masks){
      .quote = simd_equal(block, '"'),
      .mark = ~EACH_PART(class, vtstq_u8, quiet),
      .number = EACH_PART(class, vtstq_u8, number),
      .suspect = EACH_PART(block, suspects, space),
  };
}

// Doubling the distance six times; the carry-less multiplication is not on every processor.
DECANT_INLINE uint64_t simd_prefix_xor(uint64_t mask) {
#if defined(__ARM_FEATURE_AES)
  return (uint64_t)vmull_p64((poly64_t)mask, (poly64_t)~0ull);
#else
  for (int distance = 1; distance < 64; distance *= 2) mask ^= mask << distance;
  return mask;
#endif
}

static const uint8_t utf8_first_high[16] = {UTF8_FIRST_HIGH};
static const uint8_t utf8_first_low[16] = {UTF8_FIRST_LOW};
static const uint8_t utf8_second_high[16] = {UTF8_SECOND_HIGH};
// A lead of two in the last byte, of three in the last two, of four in the last three.
static const uint8_t utf8_limits[16] = {255, 255, 255, 255, 255, 255, 255, 255,
                                        255, 255, 255, 255, 255, 0xEF, 0xDF, 0xBF};

// Where two successive bytes, and the two before them, cannot occur in UTF-8.
DECANT_INLINE uint8x16_t utf8_errors(uint8x16_t previous, uint8x16_t bytes) {
  const uint8x16_t first = vextq_u8(previous, bytes, 15);
  const uint8x16_t second = vextq_u8(previous, bytes, 14);
  const uint8x16_t third = vextq_u8(previous, bytes, 13);
  const uint8x16_t high = vqtbl1q_u8(vld1q_u8(utf8_first_high), vshrq_n_u8(first, 4));
  const uint8x16_t low = vqtbl1q_u8(vld1q_u8(utf8_first_low), vandq_u8(first, vdupq_n_u8(0x0F)));
  const uint8x16_t next = vqtbl1q_u8(vld1q_u8(utf8_second_high), vshrq_n_u8(bytes, 4));
  const uint8x16_t special = vandq_u8(vandq_u8(high, low), next);
  // Bit 7 where the byte must be a third or a fourth: E0 or more two before, F0 or more three
  // before.
  const uint8x16_t is_third = vqsubq_u8(second, vdupq_n_u8(0xE0 - 0x80));
  const uint8x16_t is_fourth = vqsubq_u8(third, vdupq_n_u8(0xF0 - 0x80));
  const uint8x16_t required =
      vandq_u8(vorrq_u8(is_third, is_fourth), vdupq_n_u8(UTF8_TWO_CONTINUATIONS));
  return veorq_u8(required, special);
}

DECANT_INLINE uint64_t simd_utf8_next(simd_utf8 *state, simd_block block) {
  uint8x16_t previous = state->previous;
  for (int part = 0; part < 4; part++) {
    state->errors = vorrq_u8(state->errors, utf8_errors(previous, block.part[part]));
    previous = block.part[part];
  }
  state->previous = previous;
  return vmaxvq_u8(vqsubq_u8(previous, vld1q_u8(utf8_limits)));
}

DECANT_INLINE bool simd_utf8_failed(const simd_utf8 *state) {
  return vmaxvq_u8(state->errors) != 0;
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

#endif
