// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The interface of the two passes of the SIMD index: stage 1 of a kernel (simd_template.h) writes entries, and the link
// pass (link.c), which all kernels share, reads them.

#ifndef DECANT_STAGE_H
#define DECANT_STAGE_H

#include "internal.h"

// The entries of one batch, and those that must be left when the link pass goes on: it reads at
// most a key (2), a number with fraction, exponent, sign and white space behind (6), and two more.
// With more than ENOUGH entries, those of another group of blocks may not fit. A text of as many bytes at most is read
// at once, whatever it holds.
#define GROUP                8
#define DECANT_STAGE_ENTRIES 1536
#define ENOUGH               (DECANT_STAGE_ENTRIES - 64 * GROUP)
#define WINDOW               16

struct stage {
  // Empties the buffer's read part and fills it up. False when the text is known to be invalid, as it is when the
  // entries ended already: in a valid text nothing reads beyond a sentinel. Of a text of lines, `failed` says so, too.
  bool (*fill)(struct stage *stage);
  const uint8_t *text;
  size_t length;
  size_t position;  // of the next block
  uint64_t facts;
  bool ended;
  size_t next;      // the first entry that the link pass has not read
  size_t count;     // in the buffer, with those that were read and the sentinels
  size_t entries;   // the same without the sentinels
  size_t last;      // before this one, a window of entries is left
  ptrdiff_t slack;  // with this many more slots used than entries read, there is room for one more
  uint64_t slot;    // what a function that is not inlined answers
  uint64_t first_word;   // of an object's look-ups
  uint32_t depth_left;   // how many more containers may be open
  bool by_lines;         // the text has many documents, a line or an element each
  bool failed;           // by lines: those that were read last are to be read by themselves
  uint32_t base;         // where the line begins whose slots are written; else 0
  uint32_t line_end;     // by lines: of the line that was linked
  uint64_t batch_facts;  // by lines: of the bytes whose entries are in the buffer
  _Alignas(64)
      uint32_t offsets[DECANT_STAGE_ENTRIES + WINDOW];  // whole cache lines, wherever the stack is
};

// Begins stage 1 of a text of lines, or of elements, at a place where nothing is open.
typedef void begin_lines_function(struct stage *stage, const uint8_t *text, size_t length,
                                  size_t position);

// The link pass: of a small text, whose entries are all in the buffer; of any text, of which stage 1 has only begun; of
// the next line, or element, of an index of lines (internal.h).
int32_t decant_link_whole(struct stage *stage, decant_context *context);
int32_t decant_link_parts(struct stage *stage, decant_context *context);
decant_line_found decant_link_line(decant_line_index *index, decant_context *context,
                                   decant_line *line, begin_lines_function *begin);
decant_line_found decant_link_element(decant_line_index *index, decant_context *context,
                                      decant_line *line, begin_lines_function *begin);

// A string with escapes, or with white space after it, whose opening quote is the entry at `next`. It may have any number
// of entries, so it refills the buffer itself; without a context, it fails instead. Returns a code; sets stage->next and
// stage->slot.
DECANT_RARE int32_t decant_link_any_string(struct stage *stage, decant_context *context,
                                           size_t next, size_t used);

// Reads more text when less than a window of entries is left: they move to the front of the buffer. False if the text is
// invalid, or the length of a string may not fit its slot.
bool decant_stage_read_on(struct stage *stage);

// Of an index of lines: skips and counts line feeds, up to the next line's first entry; false if the text ends first, or
// stage 1 failed. Leaves all lines before stage 1's place to be read by themselves: its error may be in any of them.
bool decant_stage_find_line(struct stage *stage, decant_line_index *index, decant_line *line);
void decant_stage_read_alone(const struct stage *stage, decant_line_index *index);

#endif
