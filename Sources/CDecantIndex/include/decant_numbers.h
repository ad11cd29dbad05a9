// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Constant tables of the number conversions in Sources/DecantCore/Numbers.
//
// They live in C because a Swift global is set up behind a `swift_once` that every look-up would
// pay for. Swift reaches them through the accessors below: an array itself would be imported as a
// tuple.

#ifndef DECANT_NUMBERS_H
#define DECANT_NUMBERS_H

#include <stdint.h>
#include <string.h>

#include "decant_header.h"

DECANT_BEGIN

#define DECANT_SMALLEST_POWER_OF_FIVE (-342)
#define DECANT_LARGEST_POWER_OF_FIVE 308  // of a number that is read; the table goes on for those that are written

// The 128 leading bits of a power of five, in the order in which they are needed: the first of the
// `upper` bits is always set.
typedef struct decant_power_of_five {
  uint64_t upper;
  uint64_t lower;
} decant_power_of_five;

// Keeps the digits at the end of 16 bytes: `head` for the first eight of them, `tail` for the last.
typedef struct decant_digit_mask {
  uint64_t head;
  uint64_t tail;
} decant_digit_mask;

extern const decant_power_of_five decant_powers_of_five[667];  // 5^-342 … 5^324
extern const uint64_t decant_powers_of_ten[20];                // 10^0 … 10^19
extern const double decant_exact_powers_of_ten[23];            // 10^0 … 10^22, all exact
extern const uint8_t decant_digit_window[32];                  // 16 times 0x00, then 16 times 0xFF

// 5^exponent, for exponents from -342 to 324.
static inline decant_power_of_five decant_get_power_of_five(int64_t exponent) {
  return decant_powers_of_five[exponent - DECANT_SMALLEST_POWER_OF_FIVE];
}

// 10^exponent, for exponents from 0 to 19.
static inline uint64_t decant_get_power_of_ten(int64_t exponent) {
  return decant_powers_of_ten[exponent];
}

// 10^exponent, for exponents from 0 to 22.
static inline double decant_get_exact_power_of_ten(int64_t exponent) {
  return decant_exact_powers_of_ten[exponent];
}

// The mask that keeps the last `count` of 16 bytes, for counts from 0 to 16:
// a view of 16 bytes into the window, whose last `count` bytes are 0xFF.
static inline decant_digit_mask decant_get_digit_mask(int64_t count) {
  decant_digit_mask mask;
  memcpy(&mask, decant_digit_window + count, sizeof mask);
  return mask;
}

DECANT_END

#endif
