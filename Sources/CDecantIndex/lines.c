// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Counting line feeds (decant_lines.h), in lanes of bytes that compilers turn into vectors.

#include "decant_lines.h"

#define LANES 64
#define MOST_STEPS 255  // as many as a byte can count

size_t decant_line_feeds(const char *text, size_t length) {
  size_t count = 0;
  while (length >= LANES) {
    uint8_t lanes[LANES] = {0};
    size_t steps = length / LANES;
    if (steps > MOST_STEPS) steps = MOST_STEPS;
    for (size_t step = 0; step < steps; step++, text += LANES) {
      for (size_t lane = 0; lane < LANES; lane++) lanes[lane] += text[lane] == '\n';
    }
    for (size_t lane = 0; lane < LANES; lane++) count += lanes[lane];
    length -= steps * LANES;
  }
  for (size_t at = 0; at < length; at++) count += text[at] == '\n';
  return count;
}
