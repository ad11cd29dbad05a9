// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Streams of documents. A JSON text has no line feed inside a string or a number, so line feeds can be found without
// parsing the text.
//
// An index of lines reads a text of many documents, one a line, in one pass. The fixed cost of a pass is shared by all
// lines of some five kilobytes, and their entries stay in the first cache. Each line is then linked by itself, into slots
// that the next line reuses:
//
//   text    {"id":1}⏎⏎{"id":2}}⏎{"id":3}        decant_line_index_next:  line      slots
//   lines   0       8 9         19                                       0 …  8    { "id" 1
//                                                                        10 … 19   not linked: to be read by itself
//                                                                        20 … 28   { "id" 3
//
// A linked line is a valid document. Its slots are those that decant_index_build makes of its bytes: offsets count from
// the line's beginning. A line that is not linked is usually invalid; decant_index_build says why. A bad line never
// changes the result of its neighbors, only their speed: if it has a control character in a string, an unclosed string or
// invalid UTF-8, lines whose entries were made together with its own are not linked either.
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

// The number of bytes up to and including the last line feed; 0 if there is none.
size_t decant_last_line_end(const char *text, size_t length);

// The number of line feeds.
size_t decant_line_feeds(const char *text, size_t length);

// An index of lines: some 40 KB of memory, which the caller allocates. For one thread at a time.
typedef struct decant_line_index decant_line_index;

typedef struct decant_line {
  size_t start;    // its first byte
  size_t end;      // its line feed, or the text's end
  size_t blanks;   // lines before it that are blank: of white space alone
  bool is_linked;  // the context has its text, length, slots and facts
} decant_line;

// The size of an index of lines, at any alignment. 0 if lines are read one by one: by the scalar kernel, and with
// relaxations.
size_t decant_line_index_size(const decant_rules *rules);

// Lines of fewer bytes are read faster from their text, if the reader needs no index. The number depends on the kernel:
// AVX-512 lists the entries of 64 bytes by one instruction, other kernels need one for each entry.
size_t decant_line_index_least(void);

// Makes an index in `memory`, which it does not own. Tests name a kernel; NULL: the kernel in use.
decant_line_index *decant_line_index_make(void *memory, const char *kernel);

// Begins a text of at most DECANT_LINE_TEXT bytes, whose first byte begins a line. The bytes after the last line feed are
// a line, too.
#define DECANT_LINE_TEXT ((size_t)1 << 30)
void decant_line_index_begin(decant_line_index *index, const uint8_t *text, size_t length);

// The next line that is not blank. False at the end of the text; `blanks` then counts the last blank lines. The context
// is prepared for the native engine, without relaxations.
bool decant_line_index_next(decant_line_index *index, decant_context *context, decant_line *line);

// The next element of a text of elements with commas between them, up to a closing bracket. decant_line_index_begin began
// the text. `start` is the element's first byte, `end` its comma or the bracket, and `blanks` is 0. A linked element is a
// valid document. False if no other element can be linked: at the bracket, or at an element that is invalid, incomplete,
// or needs more slots than an index has. After that, do not use the index again.
bool decant_element_index_next(decant_line_index *index, decant_context *context,
                               decant_line *line);

// Frees the table of a line's readers. The next line reuses the slots.
static inline void decant_line_index_end_line(decant_context *context) {
  if (context->directories != NULL) decant_index_discard(context);
}

DECANT_END

#endif
