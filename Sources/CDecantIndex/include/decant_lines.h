// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Line feeds in streams of documents. A JSON text has none inside of a string or a number, so a line feed can be
// looked for without knowing what the text says.

#ifndef DECANT_LINES_H
#define DECANT_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

// The offset of the first line feed, or `length`.
static inline size_t decant_line_end(const char *text, size_t length) {
  const char *feed = length != 0 ? (const char *)memchr(text, '\n', length) : NULL;
  return feed != NULL ? (size_t)(feed - text) : length;
}

// How many line feeds there are.
size_t decant_line_feeds(const char *text, size_t length);

#ifdef __cplusplus
}
#endif
#endif
