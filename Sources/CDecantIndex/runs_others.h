// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Decimals, dates and times of a run, in their usual forms. For all other forms, valid or not, the functions return false
// and store nothing, and the general path reads the value.
//
//   decimal   -12.50                      no exponent, no more digits than fit into 64 bits
//   date      2024-02-29
//   time      2024-02-29T23:59:59.125Z    UTC or without a zone, no leap second, at most nine digits of a fraction

#ifndef DECANT_INDEX_RUNS_OTHERS_H
#define DECANT_INDEX_RUNS_OTHERS_H

#include "runs_values.h"

#define MOST_UNITS 18  // digits that a number of 64 bits has space for

DECANT_INLINE bool decant_store_decimal(const uint8_t *text, uint64_t slot, uint32_t precision,
                                        uint32_t scale, void *place) {
  const uint32_t facts = decant_slot_high(slot);
  const uint32_t before = facts >> 8 & 0xFF, after = facts >> 16 & 0xFF;
  const uint32_t most = precision < MOST_UNITS ? precision : MOST_UNITS;
  if ((facts & (DECANT_SCALAR_MASK | DECANT_NUMBER_EXPONENT)) != DECANT_NUMBER) return false;
  if (after > scale || before + scale > most || before > 16 || after > 16) return false;
  const uint64_t minus = facts / DECANT_NUMBER_MINUS & 1;
  const uint8_t *const start = text + decant_slot_offset(slot) + minus;
  const uint64_t tail = after != 0 ? read_digits(start + before + 1, after) : 0;
  const uint64_t units = (read_digits(start, before) * decant_get_power_of_ten(after) + tail) *
                         decant_get_power_of_ten(scale - after);
  // A number of 128 bits; the upper half repeats the sign.
  const uint64_t low = (units ^ -minus) + minus, high = units == 0 ? 0 : -minus;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  const uint64_t words[2] = {high, low};
#else
  const uint64_t words[2] = {low, high};
#endif
  memcpy(place, words, sizeof words);
  return true;
}

// The value of two digits. Sets `wrong` to a number other than 0 if one is not a digit.
DECANT_INLINE uint32_t two_digits(const uint8_t *start, uint32_t *wrong) {
  const uint32_t tens = start[0] - (uint32_t)'0', ones = start[1] - (uint32_t)'0';
  *wrong |= (tens > 9) | (ones > 9);
  return tens * 10 + ones;
}

// The days since 1970 of a date of ten bytes. Sets `wrong` to a number other than 0 if it is not a date. Years begin in
// March, as in JSONTimestamp.swift.
DECANT_INLINE int64_t days_of(const uint8_t *start, uint32_t *wrong) {
  static const uint8_t days[16] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const uint32_t year = two_digits(start, wrong) * 100 + two_digits(start + 2, wrong);
  const uint32_t month = two_digits(start + 5, wrong), day = two_digits(start + 8, wrong);
  const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  *wrong |= (start[4] ^ '-') | (start[7] ^ '-');
  *wrong |= day - 1 >= days[month & 15] + (uint32_t)(month == 2 && is_leap);
  *wrong |= month > 12;
  const uint32_t shifted = year + 400 - (month <= 2);
  const uint32_t day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
  return (int64_t)(shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + day_of_year) -
         719468 - 146097;
}

DECANT_INLINE bool decant_store_date(const uint8_t *text, uint64_t slot, void *place) {
  if (decant_slot_high(slot) != 10) return false;
  uint32_t wrong = 0;
  const int32_t days = (int32_t)days_of(text + decant_slot_offset(slot) + 1, &wrong);
  if (wrong != 0) return false;
  memcpy(place, &days, sizeof days);
  return true;
}

DECANT_INLINE bool decant_store_time(const uint8_t *text, uint64_t slot, uint32_t scale,
                                     bool is_zoneless, void *place) {
  const uint32_t length = decant_slot_high(slot);
  if (length < 19 || length > 30) return false;
  const uint8_t *const start = text + decant_slot_offset(slot) + 1;
  uint32_t wrong = 0;
  const int64_t days = days_of(start, &wrong);
  const uint32_t hour = two_digits(start + 11, &wrong), minute = two_digits(start + 14, &wrong);
  const uint32_t second = two_digits(start + 17, &wrong);
  wrong |= ((start[10] | 0x20) ^ 't') | (start[13] ^ ':') | (start[16] ^ ':');
  wrong |= (hour > 23) | (minute > 59) | (second > 59);
  const uint32_t end = is_zoneless ? length : length - 1;
  if (!is_zoneless) wrong |= (start[end] | 0x20) ^ 'z';
  uint64_t fraction = 0;
  uint32_t digits = 0;
  if (end != 19) {
    if (end < 21 || start[19] != '.') return false;
    digits = end - 20;
    if (digits > 9) return false;
    for (uint32_t at = 0; at < digits; at++) {
      const uint32_t digit = start[20 + at] - (uint32_t)'0';
      wrong |= digit > 9;
      fraction = fraction * 10 + digit;
    }
  }
  if (wrong != 0) return false;
  fraction = digits <= scale ? fraction * decant_get_power_of_ten(scale - digits)
                             : fraction / decant_get_power_of_ten(digits - scale);
  const int64_t seconds = days * 86400 + (int64_t)(hour * 3600 + minute * 60 + second);
  int64_t units;
  if (__builtin_mul_overflow(seconds, (int64_t)decant_get_power_of_ten(scale), &units) ||
      __builtin_add_overflow(units, (int64_t)fraction, &units))
    return false;
  memcpy(place, &units, sizeof units);
  return true;
}

#endif
