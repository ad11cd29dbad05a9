// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The primitives of simd_template.h for a block of several registers. Besides those of simd_vectors.h and
// simd_classes.h, a kernel file defines before:
//
//   vec_any(bytes)               whether any bit is set
//   bits_of(parts)               bit n: whether byte n of all registers is FF rather than 00
//   vec_is_mark(class)           whether it is not of CLASS_QUIET, for bits_of
//   vec_is_number(class)         whether it is of CLASS_NUMBER
//
// and if VEC is 32:
//
//   vec_words                    a register of words of four bytes
//   vec_load_words(bytes, mask)  the words whose mask is -1, and zero for those whose mask is 0, which are not read

#include "decant_memory.h"
#include "simd_classes.h"
#include "simd_emit.h"

#define PARTS (64 / VEC)

// A loop over the registers of a block.
#define EACH_PART(part) UNROLLED for (int part = 0; part < PARTS; part++)

typedef struct {
  vec part[PARTS];
} simd_block;

typedef struct {
  vec previous;  // the last part of the last block that was looked at
  vec errors;
} simd_utf8;

DECANT_INLINE simd_block simd_load(const uint8_t *bytes) {
  simd_block block;
  EACH_PART (part) block.part[part] = vec_load(bytes + part * VEC);
  return block;
}

DECANT_INLINE void copy_tail(uint8_t *scratch, const uint8_t *bytes, size_t size) {
  if (size > 64) __builtin_unreachable();  // that many would be a call
  memset(scratch, ' ', 64);
  decant_copy_bytes(scratch, bytes, size);
}

static __attribute__((noinline)) void simd_copy_tail(uint8_t *scratch, const uint8_t *bytes,
                                                     size_t size) {
  copy_tail(scratch, bytes, size);
}

#if VEC == 32
#define simd_again(block, bytes) ((void)(bytes), (block))

// To registers: a processor waits long for memory that was written in several pieces and is read as a whole. The last
// bytes, less than a word, are the upper ones of the word that ends with the text. A load that spares words behind the end
// of a page takes processors hundreds of cycles, and an emulator fails: such a tail is copied.
DECANT_INLINE simd_block simd_take_tail(const uint8_t *bytes, size_t size, uint8_t *scratch) {
  if (DECANT_UNLIKELY(size < 4 || (uintptr_t)bytes % 4096 > 4096 - 64)) {
    copy_tail(scratch, bytes, size);
    return simd_load(scratch);
  }
  uint32_t last;
  memcpy(&last, bytes + size - 4, 4);
  const int32_t words = (int32_t)(size / 4);
  const uint64_t rest = (0x2020202000000000u | last) >> (8 * (4 - size % 4));
  simd_block block;
  EACH_PART (part) {
    const vec_words place = (vec_words){0, 1, 2, 3, 4, 5, 6, 7} + 8 * part;
    const vec_words is_word = place < words, is_rest = place == words;
    const vec_words behind = (is_rest & (int32_t)rest) | (~is_rest & 0x20202020);
    const vec_words read = vec_load_words(bytes + VEC * part, is_word);
    block.part[part] = (vec)(read | (~is_word & behind));
  }
  return block;
}

DECANT_INLINE simd_block simd_load_or(const uint8_t *bytes, bool is_tail, simd_block tail) {
  return is_tail ? tail : simd_load(bytes);
}
#else
// A block that is rarely looked at again is loaded again: it need not stay in registers.
#define simd_again(block, bytes) simd_load(bytes)

// To memory, from where it is loaded when it is read.
DECANT_INLINE simd_block simd_take_tail(const uint8_t *bytes, size_t size, uint8_t *scratch) {
  copy_tail(scratch, bytes, size);
  return simd_load(scratch);
}

DECANT_INLINE simd_block simd_load_or(const uint8_t *bytes, bool is_tail, simd_block tail) {
  (void)is_tail, (void)tail;
  return simd_load(bytes);
}
#endif

DECANT_INLINE simd_block simd_load_tail(const uint8_t *bytes, size_t size, uint8_t *scratch) {
  simd_copy_tail(scratch, bytes, size);
  return simd_load(scratch);
}

DECANT_INLINE uint64_t simd_equal(simd_block block, uint8_t byte) {
  vec found[PARTS];
  EACH_PART (part) found[part] = vec_equal(block.part[part], vec_all(byte));
  return bits_of(found);
}

DECANT_INLINE uint64_t simd_controls(simd_block block) {
  vec found[PARTS];
  EACH_PART (part) found[part] = vec_below_space(block.part[part]);
  return bits_of(found);
}

DECANT_INLINE simd_block simd_or(simd_block block, uint8_t bits) {
  EACH_PART (part) block.part[part] |= vec_all(bits);
  return block;
}

DECANT_INLINE simd_block simd_twice(simd_block block) {
  EACH_PART (part) block.part[part] += block.part[part];
  return block;
}

DECANT_INLINE struct masks simd_masks(simd_block block) {
  vec quote[PARTS], mark[PARTS], number[PARTS], suspect[PARTS];
  EACH_PART (part) {
    const vec bytes = block.part[part], class = classes(bytes);
    quote[part] = vec_equal(bytes, vec_all('"'));
    mark[part] = vec_is_mark(class);
    number[part] = vec_is_number(class);
    // A backslash, or a byte below 0x20. Those above 0x7F are negative; nobody asks for them here.
    suspect[part] = (vec)((vec_signed)bytes < ' ') | vec_equal(bytes, vec_all('\\'));
  }
  return (struct masks){
      .quote = bits_of(quote),
      .mark = bits_of(mark),
      .number = bits_of(number),
      .suspect = bits_of(suspect),
  };
}

DECANT_INLINE uint64_t simd_utf8_next(simd_utf8 *state, simd_block block) {
  // The compiler does not know what is there, so that it leaves the registers to what every block is compared with.
  const uint8_t *tables = decant_utf8_tables;
  __asm__("" : "+r"(tables));
  // A lead of two in the last byte, of three in the last two, of four in the last three.
  static const uint8_t limits[32] = {255, 255, 255, 255, 255, 255, 255, 255,  255,  255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 255,  255,  255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 0xEF, 0xDF, 0xBF};
  vec previous = state->previous;
  EACH_PART (part) {
    const vec bytes = block.part[part];
    state->errors = state->errors | utf8_errors_of(tables, bytes, vec_behind(previous, bytes, 1),
                                                   vec_behind(previous, bytes, 2),
                                                   vec_behind(previous, bytes, 3));
    previous = bytes;
  }
  state->previous = previous;
  return vec_any(vec_minus(previous, vec_load(limits + 32 - VEC)));
}

#if DECANT_X86
DECANT_INLINE uint64_t simd_non_ascii(simd_block block) { return bits_of(block.part); }

DECANT_INLINE uint64_t simd_any_non_ascii(simd_block block) {
  vec any = block.part[0];
  EACH_PART (part) any |= block.part[part];
  return vec_signs(any);
}
#endif

DECANT_INLINE bool simd_utf8_failed(const simd_utf8 *state) { return vec_any(state->errors); }
