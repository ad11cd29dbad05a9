// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Digits to integers, and constant tables of the number conversions in Sources/DecantCore/Numbers.
//
// The tables are in C, because every look-up in a Swift global pays for a `swift_once`. Swift reads them through the
// functions below, because it would import an array as a tuple.

#ifndef DECANT_NUMBERS_H
#define DECANT_NUMBERS_H

#include <float.h>
#include <stdint.h>
#include <string.h>

#include "decant_header.h"

DECANT_BEGIN

#define DECANT_SMALLEST_POWER_OF_FIVE (-342)
#define DECANT_LARGEST_POWER_OF_FIVE \
  308  // of a number that is read; the table goes on for those that are written

// The 128 leading bits of a power of five, in the order in which they are needed: the first of the
// `upper` bits is always set.
typedef struct decant_power_of_five {
  uint64_t upper;
  uint64_t lower;
} decant_power_of_five;

// A mask that keeps the last of 16 bytes: `head` for the first eight bytes, `tail` for the others.
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

// Whether a quotient of two doubles is rounded once. The x87 rounds it to 64 bits first, and then again, which makes
// 338655856 / 10^6 wrong by one unit. There, code that divides leaves the number to the general path, which uses integers.
#if FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1
#define DECANT_ROUNDS_ONCE 1
#else
#define DECANT_ROUNDS_ONCE 0
#endif

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

// The value of eight bytes that are digits or zero, the first in the lowest byte, in three multiplications. The method
// is published as "SIMD within a register" (Lamport, "Multiple byte processing with full-word instructions", 1975; for
// digits: Lemire, "Number parsing at a gigabyte per second", 2021).
//
// A little-endian load puts the first digit in the lowest byte. Each step joins neighbours:
//
//   bytes, lowest first   '1' '2' '3' '4' '5' '6' '7' '8'
//   & 0x0F                 1   2   3   4   5   6   7   8       eight bytes
//   × 10 + next           12      34      56      78           four lanes of 16 bits
//   × 100 + next          1234            5678                 two lanes of 32 bits
//   × 10000 + next        12345678                             one of 64
//
// "× 10 + next" for all lanes at once is one multiplication by 10 · 2^8 + 1 and a shift by 8: the
// lane above gets ten times the lower byte added to itself. 2561 = 10 · 2^8 + 1, 6553601 = 100 ·
// 2^16 + 1, 42949672960001 = 10000 · 2^32 + 1. No lane overflows: 99 < 2^8, 9999 < 2^16, 99999999 <
// 2^32.
DECANT_INLINE uint64_t decant_eight_digits(uint64_t word) {
  word &= 0x0F0F0F0F0F0F0F0Full;
  word = (word * 2561) >> 8 & 0x00FF00FF00FF00FFull;
  word = (word * 6553601) >> 16 & 0x0000FFFF0000FFFFull;
  return (word * 42949672960001ull) >> 32;
}

// The value of `before` and `after` digits, one to seven together, with a point between them if `after` is not 0. The word
// begins with the first digit. The bytes after the point move down by one.
DECANT_INLINE int64_t decant_joined_digits(uint64_t word, uint32_t before, uint32_t after) {
  const uint64_t whole = ~(~0ull << 8 * before);
  const uint64_t joined = (word & whole) | (word >> 8 & ~whole);
  return (int64_t)decant_eight_digits(joined << (-8 * (before + after) & 63));
}

DECANT_END

#endif
