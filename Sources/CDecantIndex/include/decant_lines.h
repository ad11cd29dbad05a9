// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Streams of documents. A JSON text has no line feed inside of a string or a number, so a line feed can be looked for
// without knowing what the text says.
//
// An index of lines reads a text of many documents, one a line, in one pass: what a pass costs to begin and to end is
// spread over all lines of some five kilobytes, and their entries do not leave the first cache. Each line is then
// linked by itself, into slots that the next line uses again:
//
//   text    {"id":1}⏎⏎{"id":2}}⏎{"id":3}        decant_line_index_next:  line      slots
//   lines   0       8 9         19                                       0 …  8    { "id" 1
//                                                                        10 … 19   not linked: to be read by itself
//                                                                        20 … 28   { "id" 3
//
// A line that is linked is a valid document, and its slots are those that decant_index_build makes of its bytes:
// offsets count from its own beginning. A line that is not linked is mostly invalid; decant_index_build says why.
// It has no effect on the lines around it, but for the time: lines whose entries were made together with
// those of a line with a control character in a string, an unclosed string or invalid UTF-8 are not linked either.
//
//   decant_context context;       // prepared, with rules; a native one
//   decant_line line;
//   decant_line_index_begin(index, text, length);
//   while (decant_line_index_next(index, &context, &line)) {
//     number += line.blanks;
//     if (line.is_linked) read the context, then decant_line_index_end_line(&context);
//     else prepare another context over text + line.start, and decant_index_build it
//     number++;
//   }
//   number += line.blanks;
//
// Time linear in the text: each byte is read at most twice here.

#ifndef DECANT_LINES_H
#define DECANT_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "decant_index.h"

DECANT_BEGIN

// The offset of the first such byte, or `length`.
static inline size_t decant_byte_end(const char *text, size_t length, uint8_t byte) {
  const char *found = length != 0 ? (const char *)memchr(text, byte, length) : NULL;
  return found != NULL ? (size_t)(found - text) : length;
}

// The same of a line feed.
static inline size_t decant_line_end(const char *text, size_t length) {
  return decant_byte_end(text, length, '\n');
}

// How many bytes there are up to and with the last line feed; 0 if there is none.
size_t decant_last_line_end(const char *text, size_t length);

// How many line feeds there are.
size_t decant_line_feeds(const char *text, size_t length);

// An index of lines: some 40 KB of memory, which the caller allocates. For one thread at a time.
typedef struct decant_line_index decant_line_index;

typedef struct decant_line {
  size_t start;    // its first byte
  size_t end;      // its line feed, or the text's end
  size_t blanks;   // lines before it that are blank: of white space alone
  bool is_linked;  // the context has its text, length, slots and facts
} decant_line;

// How much memory an index of lines takes, at any alignment; 0 where lines are read one by one: by the scalar kernel,
// and under rules that relax the grammar.
size_t decant_line_index_size(const decant_rules *rules);

// A reader that can do without an index reads lines of fewer bytes faster from their text, by the kernel in use: listing
// the entries of 64 bytes is one instruction with AVX-512, and one for each entry without.
size_t decant_line_index_least(void);

// An index in that memory, which it does not own. For tests, with the kernel of that name; NULL: the one in use.
decant_line_index *decant_line_index_make(void *memory, const char *kernel);

// Begins a text of at most DECANT_LINE_TEXT bytes, whose first byte begins a line. What is left at its end is a line, too.
#define DECANT_LINE_TEXT ((size_t)1 << 30)
void decant_line_index_begin(decant_line_index *index, const uint8_t *text, size_t length);

// The next line that is not blank; false at the text's end, where `blanks` counts on. The context has been prepared
// for the native engine, without relaxations.
bool decant_line_index_next(decant_line_index *index, decant_context *context, decant_line *line);

// The next element of a text of elements with commas between them, up to a bracket, where decant_line_index_begin began
// with it: `start` is its first byte, `end` its comma or the bracket, and `blanks` is 0. An element that is linked is a
// valid document. False where no other can be linked: at the bracket, at an element that is invalid, that the text has
// not all of, or that needs more slots than an index has. The index is not to be asked again.
bool decant_element_index_next(decant_line_index *index, decant_context *context,
                               decant_line *line);

// Gives back what the readers of a line found out. The slots are the next line's.
static inline void decant_line_index_end_line(decant_context *context) {
  if (context->directories != NULL) decant_index_discard(context);
}

DECANT_END

#endif
