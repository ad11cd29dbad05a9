// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The SIMD index: stage 1, in this file, finds where tokens begin and end; the link pass, in link.c, checks the grammar
// and writes the slots. A kernel file defines the primitives named below for its instruction set, includes this file,
// so that stage 1 is compiled for that set, and has a struct decant_kernel of the functions.
//
// Stage 1 follows Langdale & Lemire, "Parsing Gigabytes of JSON per Second" (2019): 64 bytes at a
// time become bit masks (bit n: byte n), and arithmetic on the masks tells strings from the rest.
// For every byte of interest it appends an entry, the byte's offset:
//
//   bytes    {  "  a  \  n  "  :     -  1  2  .  5     ,  "  b  "  :  t  r  u  e  }
//   offset   0  1     3        6     8        11    13 14 15       18 19          23
//   entries  {  "     \        :     -        .     _  ,  "        :  t  r  u  e  }
//
//   - the opening quote of every string, and the backslash that begins each escape sequence
//   - outside strings, every byte that is neither a digit nor white space
//   - outside strings, where a run of digits, signs and points begins, and the byte behind it if that is
//     white space (_)
//
// So a number's first entry is followed by one where it ends, or where its fraction or its exponent
// begins, and between a number's entries there are only digits. Entries live in a buffer of about 6 KB;
// when the link pass has nearly used them up, stage 1 goes on. Nothing else grows with the document but
// the slots.
//
// A group of blocks is turned into masks before any of it is listed. How many entries a block has is what a processor
// guesses wrong most, and it finds that out late: when all is done that the mask depends on. A mask that is in memory
// already tells it at once, and what was begun of the next blocks is not lost.
//
// Of a text of many lines, a document each, every line feed outside strings is an entry too. A line feed within a string
// is an error, and so is half a sequence of UTF-8 before one. So as long as there was no error, every line began
// outside strings, escapes and sequences, and its entries are those that it has by itself. Of the elements of an array
// the same holds without entries for line feeds: an element that follows valid ones begins outside strings.
//
// What stage 1 checks itself: UTF-8 (Keiser & Lemire, "Validating UTF-8 in Less Than One
// Instruction per Byte", 2020) and control characters in strings. The link pass checks the rest. Both
// only notice that something is wrong; scalar.c says what.
//
// The primitives, for a 64-byte block:
//   simd_block                            the bytes, in vectors
//   simd_load(bytes)                      64 bytes, at any alignment
//   simd_load_tail(bytes, size, scratch)  fewer, followed by spaces; reads no byte beyond
//   simd_copy_tail(scratch, bytes, size)  the same, to memory
//   simd_take_tail(bytes, size, scratch)  the same, to memory or a register, without a call
//   simd_load_or(bytes, is_tail, tail)    64 bytes: those, or the tail that was taken, whose scratch they are
//   simd_masks(block)                     struct masks
//   simd_equal(block, byte)               the mask of that byte
//   simd_controls(block)                  the mask of bytes below 0x20
//   simd_or(block, bits)                  each byte with these bits, too
//   simd_twice(block)                     bytes whose bit 7 is the block's bit 6
//   simd_non_ascii(block)                 the mask of bytes above 0x7F
//   simd_any_non_ascii(block)             not zero if there is any
//   simd_prefix_xor(mask)                 bit n: the parity of bits 0 … n
//   simd_emit(offsets, base, mask)        an entry for every set bit; how many
//   simd_utf8                             what is known of UTF-8 so far, zero at first
//   simd_utf8_next(state, block)          a block that is not ASCII, or that follows one for which this
//                                         was true: then that one ends within a sequence
//   simd_utf8_failed(state)
// and SIMD_KERNEL, its name.

#include "simd_carry.h"

// A file may have several kernels, which have functions of their own.
#define OF_KERNEL_NAMED(function, kernel)    function##_##kernel
#define OF_KERNEL_EXPANDED(function, kernel) OF_KERNEL_NAMED(function, kernel)
#define OF_KERNEL(function)                  OF_KERNEL_EXPANDED(function, SIMD_KERNEL)
#define block_entries                        OF_KERNEL(block_entries)
#define read_blocks                          OF_KERNEL(read_blocks)
#define fill_whole                           OF_KERNEL(fill_whole)
#define fill_by                              OF_KERNEL(fill_by)
#define fill_parts                           OF_KERNEL(fill_parts)
#define fill_lines                           OF_KERNEL(fill_lines)
#define build_whole                          OF_KERNEL(build_whole)
#define build_in_parts                       OF_KERNEL(build_in_parts)
#define build_any                            OF_KERNEL(build_any)
#define fill_many                            OF_KERNEL(fill_many)
#define fill_elements                        OF_KERNEL(fill_elements)
#define begin_many                           OF_KERNEL(begin_many)
#define begin_lines                          OF_KERNEL(begin_lines)
#define begin_elements                       OF_KERNEL(begin_elements)
#define link_next                            OF_KERNEL(link_next)
#define link_next_element                    OF_KERNEL(link_next_element)

// The entries of a block, as a mask.
DECANT_INLINE uint64_t block_entries(struct carry *carry, simd_utf8 *utf8, const uint8_t *bytes,
                                     simd_block block, const bool by_lines) {
  struct masks masks = simd_masks(block);

  // The last block that was checked serves the next one, however far it is: its last sequence is finished, and what may
  // follow that is what may follow ASCII.
  if (DECANT_UNLIKELY((simd_any_non_ascii(block) | carry->unfinished) != 0)) {
    const uint64_t non_ascii = simd_non_ascii(block);
    const uint64_t escaped = carry->unfinished & UNFINISHED_ESCAPE;
    const bool ends_within = simd_utf8_next(utf8, block);
    carry->unfinished = escaped | (ends_within ? UNFINISHED_SEQUENCE : 0);
    carry->facts |= non_ascii != 0 ? DECANT_FACT_NON_ASCII : 0;
    masks.mark |= non_ascii;
    masks.number &= ~non_ascii;
    // An escaped byte is in a string, and is looked at below.
    masks.quote &= ~escaped;
    masks.suspect = (masks.suspect & ~non_ascii) | escaped;
  }

  // From each opening quote up to, not including, its closing one.
  uint64_t quotes = masks.quote;
  uint64_t strings = simd_prefix_xor(quotes) ^ carry->in_string;
  if (DECANT_UNLIKELY((masks.suspect & strings) != 0)) {
    const uint64_t escapes = escape_entries(carry, simd_again(block, bytes), &quotes, &strings);
    quotes |= escapes;
  }
  carry->in_string = (uint64_t)((int64_t)strings >> 63);

  // The bits where a number begins, and those behind its end. There is white space, or else a mark,
  // which is an entry anyway.
  const uint64_t numbers = masks.number & ~strings;
  const uint64_t bounds = numbers ^ ((numbers << 1) + carry->after_number);
  carry->after_number = numbers >> 63;

  if (by_lines) masks.mark |= simd_equal(block, '\n');
  // Among the marks outside of strings are closing quotes, and not the opening ones.
  return ((masks.mark & ~strings) ^ quotes) | bounds;
}

// The blocks from `position` on, until there are enough entries, or the text ends. Moves `position` behind them and
// answers how many entries the buffer has then. What it takes as values are its caller's locals, which the stores to the
// buffer cannot touch. The rest of the text, less than a block, goes through the same loop, in which nothing is called:
// that would cost it its registers.
DECANT_INLINE size_t read_blocks(struct stage *stage, const uint8_t *text, size_t length,
                                 struct carry *carry, size_t *position, size_t count,
                                 const bool by_lines) {
  size_t next = *position;
  size_t whole = length - (length - next) % 64;
  uint8_t scratch[64];
  uint64_t entries[GROUP];
  simd_utf8 utf8 = carry->utf8;
  for (;;) {
    while (next != whole && count <= ENOUGH) {
      const size_t blocks = whole - next < 64 * GROUP ? (whole - next) / 64 : GROUP;
      for (size_t block = 0; block < blocks; block++) {
        const size_t at = next + 64 * block;
        if (by_lines && length - at > AHEAD) __builtin_prefetch(text + at + AHEAD);
        entries[block] = block_entries(carry, &utf8, text + at, simd_load(text + at), by_lines);
      }
      uint32_t *out = stage->offsets + count, base = (uint32_t)next;
      for (size_t block = 0; block < blocks; block++, base += 64)
        out += simd_emit(out, base, entries[block]);
      count = (size_t)(out - stage->offsets);
      next += 64 * blocks;
    }
    if (next >= length || count > ENOUGH) break;
    simd_copy_tail(scratch, text + next, length - next);
    text = (const uint8_t *)((uintptr_t)scratch - next);
    whole = next + 64;
  }
  *position = next;
  carry->utf8 = utf8;
  return count;
}

// All of a small text. Its tail is copied before the rest is read: what has just been written in several pieces takes a
// processor long to load as a whole.
DECANT_INLINE bool fill_whole(struct stage *stage, const uint8_t *text, size_t length) {
  struct carry carry = {0};
  size_t position = 0, count = 0;
  stage->text = text;
  stage->length = length;
  stage->next = 0;
  stage->by_lines = false;
  stage->base = 0;
  size_t whole = length - length % 64;
  uint8_t scratch[64];
  uint64_t entries[ENOUGH / 64];
  const simd_block tail = simd_take_tail(text + whole, length - whole, scratch);
  simd_utf8 utf8 = {0};
  for (bool is_tail = false;; is_tail = true) {
    for (; position != whole; position += 64) {
      const simd_block block = simd_load_or(text + position, is_tail, tail);
      entries[position / 64] = block_entries(&carry, &utf8, text + position, block, false);
    }
    if (position >= length) break;
    text = (const uint8_t *)((uintptr_t)scratch - position);
    whole += 64;
  }
  for (size_t at = 0; at != whole; at += 64)
    count += simd_emit(stage->offsets + count, (uint32_t)at, entries[at / 64]);
  carry.utf8 = utf8;
  finish_text(stage, &carry, count);
  stage->last = stage->count - (WINDOW - 1);
  stage->facts = carry.facts;
  return succeeded(&carry);
}

DECANT_INLINE bool fill_by(struct stage *stage, struct carry carry, const bool by_lines) {
  const size_t left = stage->count - stage->next;
  if (left != 0) {
    memmove(stage->offsets, stage->offsets + stage->next, left * sizeof stage->offsets[0]);
  }
  size_t position = stage->position;
  const size_t count =
      read_blocks(stage, stage->text, stage->length, &carry, &position, left, by_lines);
  stage->next = 0;
  if (position >= stage->length) {
    finish_text(stage, &carry, count);
  } else {
    stage->count = stage->entries = count;
    stage->position = position;
    *carry_of(stage) = carry;
  }
  stage->facts = carry.facts;
  return succeeded(&carry);
}

static bool fill_parts(struct stage *stage) {
  return !stage->ended && fill_by(stage, *carry_of(stage), false);
}

// A line has the facts of the bytes that were read with it, not those of all lines before.
DECANT_INLINE bool fill_many(struct stage *stage, const bool by_lines) {
  const uint64_t facts = stage->facts;
  const uint64_t left = stage->next != stage->count ? stage->batch_facts : 0;
  struct carry carry = *carry_of(stage);
  carry.facts = 0;
  stage->failed = stage->ended || !fill_by(stage, carry, by_lines);
  stage->batch_facts = stage->facts | left;
  stage->facts |= facts;
  return !stage->failed;
}

static bool fill_lines(struct stage *stage) { return fill_many(stage, true); }
static bool fill_elements(struct stage *stage) { return fill_many(stage, false); }

static __attribute__((noinline)) int32_t build_whole(decant_context *context) {
  struct stage stage;
  if (!fill_whole(&stage, context->text, context->length)) return DECANT_INDEX_ASK_SCALAR;
  return decant_link_whole(&stage, context);
}

static __attribute__((noinline)) int32_t build_in_parts(decant_context *context) {
  struct carrying_stage stage;
  begin(&stage.stage, context->text, context->length, 0, fill_parts);
  return decant_link_parts(&stage.stage, context);
}

static int32_t build_any(decant_context *context) {
  if (DECANT_UNLIKELY(context->length == 0)) {
    DECANT_KEEP_RETURN();
    return DECANT_INDEX_ASK_SCALAR;
  }
  return context->length <= ENOUGH ? build_whole(context) : build_in_parts(context);
}

DECANT_INLINE void begin_many(struct stage *stage, const uint8_t *text, size_t length,
                              size_t position, bool (*fill)(struct stage *stage)) {
  begin(stage, text, length, position, fill);
  stage->by_lines = true;
  stage->failed = false;
  stage->facts = stage->batch_facts = 0;
}

static void begin_lines(struct stage *stage, const uint8_t *text, size_t length, size_t position) {
  begin_many(stage, text, length, position, fill_lines);
}

static void begin_elements(struct stage *stage, const uint8_t *text, size_t length,
                           size_t position) {
  begin_many(stage, text, length, position, fill_elements);
}

static decant_line_found link_next(decant_line_index *index, decant_context *context,
                                   decant_line *line) {
  return decant_link_line(index, context, line, begin_lines);
}

static decant_line_found link_next_element(decant_line_index *index, decant_context *context,
                                           decant_line *line) {
  return decant_link_element(index, context, line, begin_elements);
}

// A kernel's table: its name, whose writers of strings it takes, and of reals; and its least_line.
#define KERNEL(kernel, writers, reals, least)        \
  const struct decant_kernel decant_##kernel = {     \
      .name = #kernel,                               \
      .build = build_any,                            \
      .escape = decant_escape_##writers,             \
      .copy_plain = decant_copy_plain_##writers,     \
      .link_line = link_next,                        \
      .link_element = link_next_element,             \
      .cut = cut_value,                              \
      .line_feeds = line_feeds,                      \
      .continuations = continuations,                \
      .store_doubles = decant_store_doubles_##reals, \
      .least_line = least,                           \
  }
