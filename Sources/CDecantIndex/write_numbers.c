// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Numbers as text.
//
// Integers are written two digits at a time, from a table of the hundred pairs.
//
// Doubles and floats: the shortest decimal in the interval of numbers that round to the value, and of those
// the nearest. The method is Giulietti's (Raffaello Giulietti, "The Schubfach way to render doubles", 2020):
// one power of ten, three multiplications, and a choice among four candidates.
//
//   value  c · 2^q, and the interval from (c - 1/2) · 2^q to (c + 1/2) · 2^q; its ends belong to it if c is
//          even, and below a power of two, the lower end is at (c - 1/4) · 2^q
//   k      the largest exponent for which 10^k is at most as wide as the interval: at least one multiple of
//          10^k is inside, and at most one of 10^(k+1)
//   value · 10^-k · 4, and so with the ends, rounded to odd: comparisons with integers are then exact
//   s      the value without its fraction, in units of 10^k: candidates are the multiple of ten below s, the
//          one above, s, and s + 1
//
//   0.3    c = 0x13333333333333, q = -54, k = -17; s = 29999999999999998
//          30000000000000000 is inside, 29999999999999990 is not: 3 after its zeros are removed
//
// The powers are those of the other direction (decant_numbers.h): their leading 128 bits, rounded up where
// they are not exact, as the method's proof asks for.

#include "decant_write.h"

#include <string.h>

#include "decant_numbers.h"

static const char pairs[201] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

static inline void write_pair(uint8_t *out, uint32_t value) { memcpy(out, pairs + value * 2, 2); }

// MARK: Integers

static inline uint32_t digit_count(uint64_t value) {
  // 1233 / 4096 is a little more than log10(2); the comparison takes back what is too much.
  const uint32_t bits = 64 - (uint32_t)__builtin_clzll(value | 1);
  const uint32_t guess = bits * 1233 >> 12;
  return guess + (value >= decant_powers_of_ten[guess]) + (value == 0);
}

static inline void write_eight_digits(uint8_t *out, uint32_t value) {
  const uint32_t upper = value / 10000, lower = value % 10000;
  write_pair(out, upper / 100);
  write_pair(out + 2, upper % 100);
  write_pair(out + 4, lower / 100);
  write_pair(out + 6, lower % 100);
}

// Writes exactly `count` digits.
static inline void write_digits(uint8_t *out, uint64_t value, uint32_t count) {
  while (count > 8) {
    count -= 8;
    write_eight_digits(out + count, (uint32_t)(value % 100000000));
    value /= 100000000;
  }
  uint32_t low = (uint32_t)value;
  while (count > 1) {
    count -= 2;
    write_pair(out + count, low % 100);
    low /= 100;
  }
  if (count == 1) out[0] = (uint8_t)('0' + low);
}

size_t decant_write_uint64(uint8_t *out, uint64_t value) {
  const uint32_t count = digit_count(value);
  write_digits(out, value, count);
  return count;
}

size_t decant_write_int64(uint8_t *out, int64_t value) {
  if (value >= 0) return decant_write_uint64(out, (uint64_t)value);
  out[0] = '-';
  return 1 + decant_write_uint64(out + 1, 0 - (uint64_t)value);
}

// MARK: The shortest decimal

// significand · 10^exponent
typedef struct {
  uint64_t significand;
  int32_t exponent;
} decimal;

// ⌊log10(2^exponent)⌋, or ⌊log10(3/4 · 2^exponent)⌋, for exponents of both formats.
static inline int32_t decimal_exponent(int32_t exponent, bool is_narrow) {
  return (exponent * 1262611 - (is_narrow ? 524031 : 0)) >> 22;
}

// ⌊log2(10^exponent)⌋
static inline int32_t binary_exponent(int32_t exponent) { return (exponent * 1741647) >> 19; }

// a · b, in two halves.
static inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t *upper) {
#ifdef __SIZEOF_INT128__
  const unsigned __int128 product = (unsigned __int128)a * b;
  *upper = (uint64_t)(product >> 64);
  return (uint64_t)product;
#else
  const uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
  const uint64_t one = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
  const uint64_t other = (a & UINT32_MAX) * (b >> 32) + (one & UINT32_MAX);
  *upper = (a >> 32) * (b >> 32) + (one >> 32) + (other >> 32);
  return other << 32 | (low & UINT32_MAX);
#endif
}

// The upper 64 bits of power · factor / 2^64, made odd if bits below them are lost.
static inline uint64_t scaled(decant_power_of_five power, uint64_t factor) {
  uint64_t carried, upper;
  multiply(power.lower, factor, &carried);
  const uint64_t lower = multiply(power.upper, factor, &upper) + carried;
  return (upper + (lower < carried)) | (lower > 1);
}

static inline decant_power_of_five power_rounded_up(int32_t exponent) {
  decant_power_of_five power = decant_get_power_of_five(exponent);
  // 5^55 is the last that 128 bits hold; the table has those from -27 to -1 rounded up, and none ends with 64 ones.
  if (exponent > 55 || exponent < -27) power.lower += 1;
  return power;
}

// The shortest decimal for c · 2^q. `is_narrow`: c is a power of two whose lower neighbour is nearer.
static inline decimal shortest(uint64_t c, int32_t q, bool is_narrow) {
  const int32_t k = decimal_exponent(q, is_narrow);
  const int32_t shift = q + binary_exponent(-k) + 1;
  const decant_power_of_five power = power_rounded_up(-k);
  const uint64_t value = scaled(power, 4 * c << shift);
  const uint64_t is_odd = c & 1;
  const uint64_t lower = scaled(power, (4 * c - 2 + is_narrow) << shift) + is_odd;
  const uint64_t upper = scaled(power, (4 * c + 2) << shift) - is_odd;

  const uint64_t s = value / 4;
  if (s >= 10) {
    const uint64_t tens = s / 10;
    const bool is_below_inside = lower <= 40 * tens;
    const bool is_above_inside = 40 * tens + 40 <= upper;
    if (is_below_inside != is_above_inside) return (decimal){tens + is_above_inside, k + 1};
  }
  const bool is_below_inside = lower <= 4 * s;
  const bool is_above_inside = 4 * s + 4 <= upper;
  if (is_below_inside != is_above_inside) return (decimal){s + is_above_inside, k};
  const uint64_t middle = 4 * s + 2;
  return (decimal){s + (value > middle || (value == middle && (s & 1) != 0)), k};
}

static inline decimal without_trailing_zeros(decimal number) {
  while (number.significand % 100 == 0) {
    number.significand /= 100;
    number.exponent += 2;
  }
  if (number.significand % 10 == 0) {
    number.significand /= 10;
    number.exponent += 1;
  }
  return number;
}

// MARK: Its text

static size_t write_exponent(uint8_t *out, int32_t exponent) {
  uint8_t *start = out;
  *out++ = 'e';
  *out++ = exponent < 0 ? '-' : '+';
  uint32_t size = (uint32_t)(exponent < 0 ? -exponent : exponent);
  if (size >= 100) {
    *out++ = (uint8_t)('0' + size / 100);
    size %= 100;
  }
  write_pair(out, size);
  return (size_t)(out + 2 - start);
}

// 12345e-2 as 123.45, 0.00012 as 0.00012; for values from 0.0001 on whose point is inside or before the digits.
static size_t write_with_point(uint8_t *out, decimal number, uint32_t count) {
  const int32_t before = (int32_t)count + number.exponent;
  if (before <= 0) {
    memcpy(out, "0.000", 5);
    const uint32_t zeros = (uint32_t)(2 - before);
    write_digits(out + zeros, number.significand, count);
    return zeros + count;
  }
  write_digits(out + 1, number.significand, count);
  for (int32_t place = 0; place < before; place++) out[place] = out[place + 1];
  out[before] = '.';
  return count + 1;
}

// 12345 as 1.2345e+04.
static size_t write_scientific(uint8_t *out, decimal number, uint32_t count) {
  write_digits(out + 1, number.significand, count);
  out[0] = out[1];
  size_t length = 1;
  if (count > 1) {
    out[1] = '.';
    length = count + 1;
  }
  return length + write_exponent(out + length, number.exponent + (int32_t)count - 1);
}

// A number that is no whole number below `largest`.
static size_t write_decimal(uint8_t *out, decimal number, bool is_beyond_whole) {
  number = without_trailing_zeros(number);
  const uint32_t count = digit_count(number.significand);
  // The first digit's place: 0.0001 has -3.
  if (is_beyond_whole || (int32_t)count + number.exponent < -3) return write_scientific(out, number, count);
  return write_with_point(out, number, count);
}

// MARK: Doubles and floats

size_t decant_write_double(uint8_t *out, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint8_t *start = out;
  if (bits >> 63) *out++ = '-';
  const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
  const int32_t exponent = (int32_t)(bits >> 52 & 0x7FF);
  if (exponent == 0x7FF) return 0;
  const uint64_t c = exponent == 0 ? fraction : fraction | UINT64_C(1) << 52;
  const int32_t q = (exponent == 0 ? 1 : exponent) - 1075;
  if (c == 0) {
    *out++ = '0';
    return (size_t)(out - start);
  }
  // A whole number of at most 2^53.
  if (q <= 0 && q > -53 && (c & ((UINT64_C(1) << -q) - 1)) == 0) {
    return (size_t)(out - start) + decant_write_uint64(out, c >> -q);
  }
  if (q == 1 && fraction == 0) return (size_t)(out - start) + decant_write_uint64(out, c << 1);
  const decimal number = shortest(c, q, fraction == 0 && exponent > 1);
  return (size_t)(out - start) + write_decimal(out, number, q > 0);
}

size_t decant_write_float(uint8_t *out, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint8_t *start = out;
  if (bits >> 31) *out++ = '-';
  const uint32_t fraction = bits & ((UINT32_C(1) << 23) - 1);
  const int32_t exponent = (int32_t)(bits >> 23 & 0xFF);
  if (exponent == 0xFF) return 0;
  const uint32_t c = exponent == 0 ? fraction : fraction | UINT32_C(1) << 23;
  const int32_t q = (exponent == 0 ? 1 : exponent) - 150;
  if (c == 0) {
    *out++ = '0';
    return (size_t)(out - start);
  }
  // A whole number of at most 2^24.
  if (q <= 0 && q > -24 && (c & ((UINT32_C(1) << -q) - 1)) == 0) {
    return (size_t)(out - start) + decant_write_uint64(out, c >> -q);
  }
  if (q == 1 && fraction == 0) return (size_t)(out - start) + decant_write_uint64(out, (uint64_t)c << 1);
  const decimal number = shortest(c, q, fraction == 0 && exponent > 1);
  return (size_t)(out - start) + write_decimal(out, number, q > 0);
}
