// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What a failure does beside being counted: nothing, or, where one is all that counts (-DSTOP_AT_FAILURE), it ends the
// program.
#ifndef FAILURE_H
#define FAILURE_H

#include <stdlib.h>

static inline void after_failure(void) {
#ifdef STOP_AT_FAILURE
  exit(1);
#endif
}

#endif
