// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Digits as text, eight at a time, in one word whose lowest byte is the first digit:
//
//   12345678     1234 | 5678     12 34 | 56 78     1 2 3 4 5 6 7 8      one multiplication for each step
//
// Shorter numbers lose their leading zeros by a shift.

#ifndef DECANT_WRITE_DIGITS_H
#define DECANT_WRITE_DIGITS_H

#include <string.h>

#include "decant_numbers.h"
#include "decant_write.h"

#define EIGHT_ZEROS UINT64_C(0x3030303030303030)

// Stores a word so that its lowest byte comes first.
static inline void store_eight(uint8_t *out, uint64_t word) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  memcpy(out, &word, sizeof word);
}

// The digits of a number below 10^8, as values, without '0' added.
static inline uint64_t eight_digit_values(uint32_t value) {
  const uint64_t upper = value / 10000, lower = value % 10000;
  const uint64_t fours = upper | lower << 32;
  const uint64_t hundreds = (fours * 10486 >> 20) & UINT64_C(0x0000007F0000007F);
  const uint64_t pairs = hundreds | (fours - hundreds * 100) << 16;
  const uint64_t tens = (pairs * 103 >> 10) & UINT64_C(0x000F000F000F000F);
  return tens | (pairs - tens * 10) << 8;
}

static inline uint32_t digit_count(uint64_t value) {
  // 1233 / 4096 is a little more than log10(2); the comparison takes back what is too much.
  const uint32_t bits = 64 - (uint32_t)__builtin_clzll(value | 1);
  const uint32_t guess = bits * 1233 >> 12;
  return guess + (value >= decant_powers_of_ten[guess]) + (value == 0);
}

// Writes a number below 10^8 without leading zeros, and up to eight bytes in all. Returns its length.
static inline size_t write_up_to_eight(uint8_t *out, uint32_t value) {
  const uint64_t digits = eight_digit_values(value);
  // The last digit is written, whatever it is.
  const uint32_t zeros = (uint32_t)__builtin_ctzll(digits | UINT64_C(1) << 56) / 8;
  store_eight(out, (digits | EIGHT_ZEROS) >> 8 * zeros);
  return 8 - zeros;
}

// `out` has DECANT_NUMBER_CAPACITY bytes, of which those beyond the returned length may be written too.
static inline size_t write_unsigned(uint8_t *out, uint64_t value) {
  if (value < 10) {
    *out = (uint8_t)('0' + value);
    return 1;
  }
  if (value < 100000000) return write_up_to_eight(out, (uint32_t)value);
  const uint64_t upper = value / 100000000;
  const uint64_t last = eight_digit_values((uint32_t)(value % 100000000)) | EIGHT_ZEROS;
  size_t length;
  if (upper < 100000000) {
    length = write_up_to_eight(out, (uint32_t)upper);
  } else {
    length = write_up_to_eight(out, (uint32_t)(upper / 100000000));
    store_eight(out + length, eight_digit_values((uint32_t)(upper % 100000000)) | EIGHT_ZEROS);
    length += 8;
  }
  store_eight(out + length, last);
  return length + 8;
}

static inline size_t write_signed(uint8_t *out, int64_t value) {
  if (value >= 0) return write_unsigned(out, (uint64_t)value);
  *out = '-';
  return 1 + write_unsigned(out + 1, 0 - (uint64_t)value);
}

#endif
