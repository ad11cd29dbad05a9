// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What stage 1 (simd_template.h) carries from block to block, and what is done with a block however its bytes are
// classified and its entries listed. The kernels of avx512.c share it.

#ifndef DECANT_SIMD_CARRY_H
#define DECANT_SIMD_CARRY_H

#include "stage.h"

// Lines are read a few kilobytes at a time, with the decoding of a dozen lines in between: too far apart for the processor
// to see that more is coming. Each block asks for the one that is so many bytes ahead.
#define AHEAD 8192

// An escape sequence whose letter comes next (bit 0), and a sequence of UTF-8.
enum { UNFINISHED_ESCAPE = 1, UNFINISHED_SEQUENCE = 2 };

// What one block leaves for the next. Where there is one bit of it, it is bit 0.
struct carry {
  uint64_t in_string;  // all ones or zero
  uint64_t after_number;
  uint64_t unfinished;  // UNFINISHED_…, which few blocks leave
  uint64_t errors;      // not zero once there was one
  uint64_t facts;
  simd_utf8 utf8;
};

// A stage, with what its kernel carries from block to block.
struct carrying_stage {
  struct stage stage;
  struct carry carry;
};
_Static_assert(sizeof(struct carrying_stage) <= DECANT_STAGE_BYTES,
               "a stage fits its place in an index of lines");

DECANT_INLINE struct carry *carry_of(struct stage *stage) {
  return &((struct carrying_stage *)(void *)stage)->carry;
}

// Begins at `position`, where nothing is open.
static inline void begin(struct stage *stage, const uint8_t *text, size_t length, size_t position,
                         bool (*fill)(struct stage *stage)) {
  stage->fill = fill;
  stage->text = text;
  stage->length = length;
  stage->position = position;
  stage->by_lines = false;
  stage->base = 0;
  *carry_of(stage) = (struct carry){0};
  stage->ended = false;
  stage->next = 0;
  stage->count = 0;
  stage->entries = 0;
  stage->last = 0;
}

// Of each run of backslashes, every second one from its first begins an escape sequence. The add
// turns the runs that begin at an even bit to zero, by carrying through them, and leaves all others
// alone.
DECANT_INLINE uint64_t escape_starts(uint64_t backslashes) {
  const uint64_t even = 0x5555555555555555u;
  const uint64_t starts = backslashes & ~(backslashes << 1);
  const uint64_t even_runs = backslashes & ~(backslashes + (starts & even));
  return (even_runs & even) | (backslashes & ~even_runs & ~even);
}

// A block with a backslash or a control character in a string, or whose first byte is escaped:
// finds the strings again, without the quotes that are escaped. Up to the first backslash in a
// string they were right, so no block that needs this goes without.
DECANT_INLINE uint64_t escape_entries(struct carry *carry, simd_block block, uint64_t *quotes,
                                      uint64_t *strings) {
  const uint64_t escaped = carry->unfinished & UNFINISHED_ESCAPE;
  uint64_t escapes = escape_starts(simd_equal(block, '\\') & ~escaped);
  *quotes &= ~(escapes << 1 | escaped);
  *strings = simd_prefix_xor(*quotes) ^ carry->in_string;
  escapes &= *strings;
  carry->unfinished = (carry->unfinished & ~(uint64_t)UNFINISHED_ESCAPE) | escapes >> 63;
  carry->errors |= simd_controls(block) & *strings;
  carry->facts |= escapes != 0 ? DECANT_FACT_ESCAPES : 0;
  return escapes;
}

// The end of the text: what is left open is an error, and the entries end with a window of sentinels, which repeat the
// text's last byte: it can be read.
DECANT_INLINE void finish_text(struct stage *stage, struct carry *carry, size_t count) {
  carry->errors |= carry->in_string;  // also where a UTF-8 sequence is not finished
  // A number's end is an entry, and of a text that ends with it, the first byte behind.
  count -= count != 0 && stage->offsets[count - 1] == stage->length;
  const uint32_t last = (uint32_t)stage->length - 1;
  for (size_t step = 0; step < WINDOW; step++) stage->offsets[count + step] = last;
  stage->position = stage->length;
  stage->entries = count;
  stage->count = count + WINDOW;
  stage->ended = true;
}

DECANT_INLINE bool succeeded(const struct carry *carry) {
  return carry->errors == 0 && !simd_utf8_failed(&carry->utf8);
}

#include "simd_cut.h"

#include "simd_count.h"

#endif
