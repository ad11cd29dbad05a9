// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The primitives of simd_template.h in AVX-512: a block is one register, and a comparison returns its mask. The two
// kernels share a file, because reading the header of the intrinsics takes longer than compiling a kernel.
//
// Processors that have AVX-512BW and not VBMI2 (Skylake-X, Cascade Lake) classify bytes by nibbles, and list entries as
// AVX2 does. With VBMI and VBMI2 (Ice Lake, Zen 4 and later) one permutation classifies all 64 bytes, and one
// compression lists an entry for every set bit of a mask:
//
//   bytes 0 … 63 under the mask 0…010010  ->  1, 4        the offsets' low bits
//   the text under the same mask          ->  its bytes 1 and 4

#include "internal.h"

#if DECANT_X86

#include <immintrin.h>

#include "decant_plain.h"
#include "decant_write.h"
#include "simd_types.h"

#define DECANT_TARGET_FEATURES "avx512f,avx512bw,avx512dq,avx512vl,avx2,pclmul,popcnt,bmi,bmi2"
#include "target_begin.h"

typedef __m512i simd_block;
typedef simd_block vec;

typedef struct {
  __m512i previous;  // the last block that was looked at
  __m512i errors;
} simd_utf8;

// Compilers do not know the contents of a weak constant. So they load it from its one place, by an instruction that
// repeats its few bytes and takes no longer. Otherwise each function would have 64 bytes of its own.
#define SHARED  const __attribute__((weak, visibility("hidden"), aligned(16)))
#define SIXTEEN SHARED uint8_t

// The bytes up to CLASS_NUMBER, each four times: to repeat a single one takes longer.
#define BYTE(byte)     (byte) * 0x01010101u
#define BYTES(from)    BYTE(from), BYTE((from) + 1), BYTE((from) + 2), BYTE((from) + 3)
#define BYTES_16(from) BYTES(from), BYTES((from) + 4), BYTES((from) + 8), BYTES((from) + 12)
SHARED uint32_t decant_four_bytes[CLASS_NUMBER + 1] = {
    BYTES_16(0x00), BYTES_16(0x10), BYTES_16(0x20), BYTES_16(0x30), BYTES_16(0x40),
    BYTES_16(0x50), BYTES_16(0x60), BYTES_16(0x70), BYTES(0x80),    BYTE(0x84)};

DECANT_INLINE vec vec_all(uint8_t byte) { return _mm512_set1_epi32((int)decant_four_bytes[byte]); }

DECANT_INLINE simd_block simd_load(const uint8_t *bytes) { return _mm512_loadu_si512(bytes); }

// A masked load does not touch what it does not load.
DECANT_INLINE simd_block simd_load_tail(const uint8_t *bytes, size_t size, uint8_t *scratch) {
  (void)scratch;
  const __mmask64 mask = _cvtu64_mask64(_bzhi_u64(~0ull, (unsigned)size));
  return _mm512_mask_loadu_epi8(vec_all(' '), mask, bytes);
}

// Into a register, which is less work than through memory.
#define simd_take_tail simd_load_tail

DECANT_INLINE simd_block simd_load_or(const uint8_t *bytes, bool is_tail, simd_block tail) {
  return is_tail ? tail : simd_load(bytes);
}

DECANT_INLINE void simd_copy_tail(uint8_t *scratch, const uint8_t *bytes, size_t size) {
  _mm512_storeu_si512(scratch, simd_load_tail(bytes, size, scratch));
}

DECANT_INLINE vec vec_byte(const uint8_t *byte) { return vec_all(*byte); }

DECANT_INLINE vec vec_table(const uint8_t *sixteen) {
  return _mm512_broadcast_i32x4(_mm_load_si128((const __m128i *)(const void *)sixteen));
}

DECANT_INLINE vec vec_look_up(vec table, vec nibbles) {
  return _mm512_shuffle_epi8(table, nibbles);
}

DECANT_INLINE vec vec_low(vec bytes) { return bytes & vec_all(0x0F); }

DECANT_INLINE vec vec_high(vec bytes) { return vec_low(_mm512_srli_epi16(bytes, 4)); }

DECANT_INLINE vec vec_minus(vec a, vec b) { return _mm512_subs_epu8(a, b); }

#include "simd_x86.h"
#include "simd_classes.h"

DECANT_INLINE uint64_t simd_equal(simd_block block, uint8_t byte) {
  return _cvtmask64_u64(_mm512_cmpeq_epi8_mask(block, vec_all(byte)));
}

DECANT_INLINE uint64_t simd_controls(simd_block block) {
  return _cvtmask64_u64(_mm512_cmplt_epu8_mask(block, vec_all(' ')));
}

DECANT_INLINE simd_block simd_or(simd_block block, uint8_t bits) { return block | vec_all(bits); }

DECANT_INLINE simd_block simd_twice(simd_block block) { return _mm512_add_epi8(block, block); }

DECANT_INLINE uint64_t simd_non_ascii(simd_block block) {
  return _cvtmask64_u64(_mm512_movepi8_mask(block));
}

#define simd_any_non_ascii       simd_non_ascii
#define simd_again(block, bytes) ((void)(bytes), (block))

// By the classes of a block's bytes, and the bytes that are suspect.
DECANT_INLINE struct masks masks_of(simd_block block, vec class, uint64_t suspect) {
  return (struct masks){
      .quote = simd_equal(block, '"'),
      .mark = _cvtmask64_u64(_mm512_testn_epi8_mask(class, vec_all(CLASS_QUIET))),
      .number = _cvtmask64_u64(_mm512_test_epi8_mask(class, vec_all(CLASS_NUMBER))),
      .suspect = suspect,
  };
}

// What follows a block that was looked at: its bytes moved up by one, two and three, behind the last ones before them.
DECANT_INLINE uint64_t utf8_next(simd_utf8 *state, vec block, vec first, vec second, vec third) {
  state->errors = state->errors | utf8_errors_of(decant_utf8_tables, block, first, second, third);
  // A lead of two in the last byte, of three in the last two, of four in the last three.
  _Alignas(64) static const uint64_t limits[8] = {~0ull, ~0ull, ~0ull, ~0ull,
                                                  ~0ull, ~0ull, ~0ull, 0xBFDFEFFFFFFFFFFF};
  state->previous = block;
  return _cvtmask64_u64(_mm512_cmpgt_epu8_mask(block, _mm512_load_si512(limits)));
}

DECANT_INLINE bool simd_utf8_failed(const simd_utf8 *state) {
  return _mm512_test_epi64_mask(state->errors, state->errors) != 0;
}

#define SIMD_EMITS_EIGHTS 1
#include "simd_emit.h"
#include "simd_carry.h"
#include "write_avx512bw.h"

// MARK: - AVX-512BW

DECANT_INLINE struct masks masks_bw(simd_block block) {
  return masks_of(block, classes(block), simd_equal(block, '\\') | simd_controls(block));
}

DECANT_INLINE uint64_t utf8_next_bw(simd_utf8 *state, simd_block block) {
#define MOVED_UP(count) \
  _mm512_alignr_epi8(block, _mm512_alignr_epi64(block, state->previous, 6), 16 - (count))
  return utf8_next(state, block, MOVED_UP(1), MOVED_UP(2), MOVED_UP(3));
#undef MOVED_UP
}

#define simd_masks     masks_bw
#define simd_utf8_next utf8_next_bw
#define SIMD_KERNEL    avx512bw
#include "simd_template.h"
#include "target_end.h"

KERNEL(avx512bw, avx512bw, sse42, 0);

#undef simd_masks
#undef simd_utf8_next
#undef SIMD_KERNEL
#undef DECANT_TARGET_FEATURES

// MARK: - VBMI and VBMI2

#define DECANT_TARGET_FEATURES \
  "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,pclmul,popcnt,bmi,bmi2"
#include "target_begin.h"

// The class of each ASCII byte. Bytes above get that of their low seven bits, which nobody asks for.
static const uint8_t class_table[128] __attribute__((aligned(64))) = {
    [0 ... '\t' - 1] = CLASS_SUSPECT,
    ['\t' ... '\n'] = CLASS_SUSPECT | CLASS_BLANK,
    ['\n' + 1 ... '\r' - 1] = CLASS_SUSPECT,
    ['\r'] = CLASS_SUSPECT | CLASS_BLANK,
    ['\r' + 1 ... ' ' - 1] = CLASS_SUSPECT,
    [' '] = CLASS_SPACE,
    ['+'] = CLASS_SIGN,
    ['-' ... '.'] = CLASS_SIGN,
    ['0' ... '9'] = CLASS_DIGIT,
    ['\\'] = CLASS_SUSPECT,
};

DECANT_INLINE struct masks masks_vbmi(simd_block block) {
  const __m512i low = _mm512_load_si512(class_table);
  const __m512i high = _mm512_load_si512(class_table + 64);
  const __m512i class = _mm512_permutex2var_epi8(low, block, high);
  return masks_of(block, class,
                  _cvtmask64_u64(_mm512_test_epi8_mask(class, vec_all(CLASS_SUSPECT))));
}

#define EIGHT(from) \
  (from), (from) + 1, (from) + 2, (from) + 3, (from) + 4, (from) + 5, (from) + 6, (from) + 7
static const uint8_t iota[128] __attribute__((aligned(64))) = {
    EIGHT(0),  EIGHT(8),  EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40),  EIGHT(48),  EIGHT(56),
    EIGHT(64), EIGHT(72), EIGHT(80), EIGHT(88), EIGHT(96), EIGHT(104), EIGHT(112), EIGHT(120)};

DECANT_INLINE uint64_t utf8_next_vbmi(simd_utf8 *state, simd_block block) {
#define MOVED_UP(count) \
  _mm512_permutex2var_epi8(state->previous, _mm512_loadu_si512(iota + 64 - (count)), block)
  return utf8_next(state, block, MOVED_UP(1), MOVED_UP(2), MOVED_UP(3));
#undef MOVED_UP
}

// Writes 16 entries for most blocks, and at most 64: the buffer has room.
DECANT_INLINE size_t emit_vbmi(uint32_t *offsets, uint32_t base, uint64_t mask) {
  const size_t count = (size_t)__builtin_popcountll(mask);
  const __m512i origin = _mm512_set1_epi32((int)base);
  const __mmask64 chosen = _cvtu64_mask64(mask);
  const __m512i places = _mm512_maskz_compress_epi8(chosen, _mm512_load_si512(iota));
#define PLACES(part) _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(places, part))
  _mm512_storeu_si512(offsets, _mm512_add_epi32(origin, PLACES(0)));
  if (count > 16) {
    _mm512_storeu_si512(offsets + 16, _mm512_add_epi32(origin, PLACES(1)));
    if (count > 32) {
      _mm512_storeu_si512(offsets + 32, _mm512_add_epi32(origin, PLACES(2)));
      _mm512_storeu_si512(offsets + 48, _mm512_add_epi32(origin, PLACES(3)));
    }
  }
#undef PLACES
  return count;
}

#define simd_masks     masks_vbmi
#define simd_utf8_next utf8_next_vbmi
#define simd_emit      emit_vbmi
#define SIMD_KERNEL    avx512
#include "simd_template.h"
#include "target_end.h"

KERNEL(avx512, avx512bw, sse42, 0);

#endif
