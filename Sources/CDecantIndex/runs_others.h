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
  uint64_t units;
  if (DECANT_LIKELY(before + after <= 7)) {
    units = (uint64_t)decant_joined_digits(decant_load_word(start), before, after);
  } else {
    const uint64_t tail = after != 0 ? read_digits(start + before + 1, after) : 0;
    units = read_digits(start, before) * decant_get_power_of_ten(after) + tail;
  }
  units *= decant_get_power_of_ten(scale - after);
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

// Eight bytes of a text, of which some are digits and the others are known. Each function handles all bytes at once:
//
//   text     2  0  2  6  -  1  1  -
//   DIGITS   FF FF FF FF 00 FF FF 00
//   OTHERS   00 00 00 00 2D 00 00 2D
//   pairs    20    26       11          each in the byte of its first digit
#define BYTES(a, b, c, d, e, f, g, h)                                               \
  ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24 | \
   (uint64_t)(e) << 32 | (uint64_t)(f) << 40 | (uint64_t)(g) << 48 | (uint64_t)(h) << 56)
#define ALL(byte) (UINT64_C(0x0101010101010101) * (byte))

// The values of the digits, and zeros for the other bytes. Sets `wrong` to a number other than 0 if a byte is another.
DECANT_INLINE uint64_t digits_of(uint64_t word, uint64_t digits, uint64_t others, uint64_t *wrong) {
  *wrong |= (word & ~digits) ^ others;
  const uint64_t values = (word ^ ALL('0')) & digits;
  *wrong |= (values | (values + ALL(6))) & ALL(0xF0);
  return values;
}

// The value of two digits, in the byte of the first; other bytes have no meaning.
DECANT_INLINE uint64_t pairs_of(uint64_t values) { return values * 10 + (values >> 8); }

DECANT_INLINE uint32_t pair(uint64_t pairs, uint32_t byte) { return pairs >> 8 * byte & 0xFF; }

// The days since 1970 of a year, a month and a day. Sets `wrong` to a number other than 0 if there is no such day. Years begin
// in March, as in JSONTimestamp.swift.
DECANT_INLINE int64_t days_of(uint32_t year, uint32_t month, uint32_t day, uint64_t *wrong) {
  static const uint8_t days[16] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  *wrong |= day - 1 >= days[month & 15] + (uint32_t)(month == 2 && is_leap);
  *wrong |= month > 12;
  const uint32_t shifted = year + 400 - (month <= 2);
  const uint32_t day_of_year = (153 * (month <= 2 ? month + 9 : month - 3) + 2) / 5 + day - 1;
  return (int64_t)(shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + day_of_year) -
         719468 - 146097;
}

// The same of a date of ten bytes, whose first eight are a word.
DECANT_INLINE int64_t days_of_text(uint64_t word, uint32_t day, uint64_t *wrong) {
  const uint64_t pairs = pairs_of(digits_of(word, BYTES(255, 255, 255, 255, 0, 255, 255, 0),
                                            BYTES(0, 0, 0, 0, '-', 0, 0, '-'), wrong));
  return days_of(pair(pairs, 0) * 100 + pair(pairs, 2), pair(pairs, 5), day, wrong);
}

DECANT_INLINE bool decant_store_date(const uint8_t *text, uint64_t slot, void *place) {
  if (decant_slot_high(slot) != 10) return false;
  const uint8_t *const start = text + decant_slot_offset(slot) + 1;
  uint64_t wrong = 0;
  const uint64_t day =
      digits_of((uint64_t)(start[8] | start[9] << 8), BYTES(255, 255, 0, 0, 0, 0, 0, 0), 0, &wrong);
  const int32_t days =
      (int32_t)days_of_text(decant_load_word(start), pair(pairs_of(day), 0), &wrong);
  if (wrong != 0) return false;
  memcpy(place, &days, sizeof days);
  return true;
}

// The value of one digit to nine. Sets `wrong` to a number other than 0 if one is not a digit.
DECANT_INLINE uint64_t fraction_of(const uint8_t *start, uint32_t count, uint64_t *wrong) {
  const uint32_t first = count < 8 ? count : 8;
  const uint64_t mask = ~UINT64_C(0) >> (64 - 8 * first);
  const uint64_t values = digits_of(decant_load_word(start) & mask, mask, 0, wrong);
  const uint64_t fraction = decant_eight_digits(values << (64 - 8 * first));
  if (DECANT_LIKELY(count <= 8)) return fraction;
  const uint32_t last = start[8] - (uint32_t)'0';
  *wrong |= last > 9;
  return fraction * 10 + last;
}

DECANT_INLINE bool decant_store_time(const uint8_t *text, uint64_t slot, uint32_t scale,
                                     bool is_zoneless, void *place) {
  const uint32_t length = decant_slot_high(slot);
  if (length < 19 || length > 30) return false;
  const uint8_t *const start = text + decant_slot_offset(slot) + 1;
  uint64_t wrong = 0;
  // "02T" and "03:04:05"; a letter may be a small one.
  const uint64_t day =
      digits_of((decant_load_word(start + 8) | BYTES(0, 0, 0x20, 0, 0, 0, 0, 0)) & 0xFFFFFF,
                BYTES(255, 255, 0, 0, 0, 0, 0, 0), BYTES(0, 0, 't', 0, 0, 0, 0, 0), &wrong);
  const uint64_t clock =
      pairs_of(digits_of(decant_load_word(start + 11), BYTES(255, 255, 0, 255, 255, 0, 255, 255),
                         BYTES(0, 0, ':', 0, 0, ':', 0, 0), &wrong));
  const int64_t days = days_of_text(decant_load_word(start), pair(pairs_of(day), 0), &wrong);
  const uint32_t hour = pair(clock, 0), minute = pair(clock, 3), second = pair(clock, 6);
  wrong |= (hour > 23) | (minute > 59) | (second > 59);
  const uint32_t end = is_zoneless ? length : length - 1;
  if (!is_zoneless) wrong |= (start[end] | 0x20) ^ 'z';
  uint64_t fraction = 0;
  uint32_t digits = 0;
  if (end != 19) {
    if (end < 21 || end > 29 || start[19] != '.') return false;
    digits = end - 20;
    fraction = fraction_of(start + 20, digits, &wrong);
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
