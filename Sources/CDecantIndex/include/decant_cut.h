// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Finds where values begin and end in a stream that arrives in chunks: the elements of an array in a document, or
// documents one after another. It checks nothing: each value is read later, and so is the document without its elements.
//
//   chunks    {"type":"x","items":[{"id" :1},{"t":"],"}]  ,"n":2}
//   seek      ------------------->                                    to behind the bracket of /items
//   cut                            -------->-----------                to a comma, and to the bracket
//   document  {"type":"x","items":[                    ]  ,"n":2}     without its elements
//
// The cut does not depend on where chunks end. A backslash makes the next byte stand for itself, quotes open and close
// strings, and brackets outside strings open and close containers.
//
// A value that lacks its last bracket would swallow the rest of the stream. So a value also ends where it is known to be
// invalid:
//
//   {"id":"1}⏎         a line feed in a string
//   {"id":[1}          a bracket that is not the one that ends the value's first, or would leave others open
//   {"id":1⏎{"id":2}   a line that begins with a bracket where no value can be; for elements, after blanks or a comma, too

#ifndef DECANT_CUT_H
#define DECANT_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decant_index.h"

DECANT_BEGIN

// What ends a value.
typedef enum decant_cut_found {
  DECANT_CUT_ON,        // not yet
  DECANT_CUT_END,       // at the bracket that closes the first one; at what is behind the value
  DECANT_CUT_FEED,      // invalid: at a line feed in a string
  DECANT_CUT_MISMATCH,  // invalid: at a bracket of the wrong kind
  DECANT_CUT_LINE       // invalid: at a bracket that begins a line, where no value can be
} decant_cut_found;

// The state within a value: what is open. Zeros before its first byte.
typedef struct decant_cut {
  uint64_t depth;  // brackets
  uint64_t alike;  // those of the first one's kind
  uint8_t first;   // the first bracket: { or [, or 0
  uint8_t last;    // the last byte that is not white space, NUL as 1; 0: none
  bool in_string;
  bool escaped;  // the last byte was a backslash that makes the next one stand for itself
  bool
      begins_line;  // the next byte is the first of its line; of an element, the first but for blanks and commas
  uint8_t found;  // a decant_cut_found
} decant_cut;

// Skips the bytes of a value, up to the bracket that closes its first one; with `at_commas`, up to the comma or the
// closing bracket after the value. Returns its offset; `cut` is then zeros except for `found`. Returns `length` if the
// value continues. Takes time linear in the bytes, several bytes a cycle.
size_t decant_cut_value(decant_cut *cut, const uint8_t *text, size_t length, bool at_commas);

// A search for the array at an RFC 6901 pointer, in the beginning of a document. Of members with one key, the first
// counts.
typedef struct DECANT_HANDLE decant_seek {
  const uint8_t *pointer;  // its tokens are at most 255 bytes
  size_t length;
  size_t at;           // the first byte of the document that was not passed
  size_t token, rest;  // where the token that is looked for begins, and where the ones behind it
  uint64_t index;      // of the element, in an array on the way
  uint64_t depth;      // brackets that are open beside the way
  size_t key;          // where the key begins that is being passed
  uint8_t container;   // the innermost one on the way: { or [, or 0
  bool leads_on;       // the next value is on the way
  bool expects_key, in_key, in_string, escaped;
  bool allows_mark;  // the document may begin with a byte order mark
} decant_seek;

enum { DECANT_SEEK_ON, DECANT_SEEK_FOUND, DECANT_SEEK_NOWHERE };

// Begins at a document's first byte. The pointer is valid, and must outlive the search.
void decant_seek_begin(decant_seek *seek, const uint8_t *pointer, size_t length, bool allows_mark);

// Continues over the first `length` bytes of the document, some of which it may have seen. ON: more bytes are needed.
// FOUND: `at` is after the array's bracket. NOWHERE: the pointer does not lead to an array in this document.
int32_t decant_seek_array(decant_seek *seek, const uint8_t *text, size_t length);

// Drops the document's first `count` bytes, all of which were passed: offsets count from the remaining bytes. A key that
// begins in the dropped bytes is not the pointer's.
void decant_seek_forget(decant_seek *seek, size_t count);

// A place in a text: lines from 1, characters before it on its line, bytes.
typedef struct decant_text_place {
  size_t offset, line, column;
} decant_text_place;

// Advances a place by `length` bytes. Takes linear time, at the speed of memory. Numbers saturate.
void decant_text_pass(decant_text_place *place, const uint8_t *text, size_t length);

// The same for bytes without line feeds.
void decant_text_pass_on_line(decant_text_place *place, const uint8_t *text, size_t length);

// The offset behind the last comma that follows a bracket, or 0 if the last kilobytes have none.
size_t decant_last_comma(const uint8_t *text, size_t length);

DECANT_END

#endif
