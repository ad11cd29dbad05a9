// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Counts what passes through malloc and its family, which this target defines over glibc's own.
// Link it into the program that counts and into nothing that is timed.

#ifndef ALLOCATION_METER_H
#define ALLOCATION_METER_H

#include <stdint.h>

typedef struct allocation_reading {
  int64_t allocations;  // calls that returned a block, or moved one
  int64_t frees;        // blocks given back
  int64_t live;         // usable bytes in live blocks
  int64_t peak;         // the most that `live` has been since the last reset
} allocation_reading;

allocation_reading allocation_meter_read(void);

// Lets the peak start again from the bytes that are live now.
void allocation_meter_reset_peak(void);

#endif
