// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Numbers as text.
//
// Integers: digits eight at a time, in one word whose lowest byte is the first digit. Shorter numbers lose their
// leading zeros by a shift.
//
//   12345678     1234 | 5678     12 34 | 56 78     1 2 3 4 5 6 7 8      one multiplication for each step
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
//          30000000000000000 is inside, 29999999999999990 is not: 3, without the zeros at its end
//
// Nearly every double needs less: the upper half of one product of 192 bits. The product is scaled by ten times as much.
// Its whole part is then the shorter candidate, and its fraction decides between the candidates, without a division
// (Victor Zverovich, "Żmij", 2025, after Xiang JunBo):
//
//   s, f   the value in units of 10^(k+1), and its fraction; half the interval's width is from 0.05 to 0.5
//   f less than half the width: s is inside, and the shortest.  f more than 1 less half the width: s + 1 is
//   otherwise one more digit, 10 · f, rounded
//
//   0.3    s = 2999999999999999, f = 0.89, and half the width is 0.28: s + 1, without the zeros at its end
//
// If the lower bits could change one of the comparisons, three products decide.
//
// The powers are those of reading (decant_numbers.h): their leading 128 bits, rounded up if they are not exact, as the
// method's proof requires.

#include "decant_numbers.h"
#include "internal.h"

#if defined(__SSE2__) && defined(__x86_64__)
#include <emmintrin.h>
#endif

// MARK: Integers

#define EIGHT_ZEROS UINT64_C(0x3030303030303030)

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
  // 1233 / 4096 is a little more than log10(2); the comparison corrects that.
  const uint32_t bits = 64 - (uint32_t)__builtin_clzll(value | 1);
  const uint32_t guess = bits * 1233 >> 12;
  return guess + (value >= decant_powers_of_ten[guess]) + (value == 0);
}

// Writes a number below 10^8 without leading zeros, and up to eight bytes in all. Returns its length.
static inline size_t write_up_to_eight(uint8_t *out, uint32_t value) {
  const uint64_t digits = eight_digit_values(value);
  // The last digit is written, whatever it is.
  const uint32_t zeros = (uint32_t)__builtin_ctzll(digits | UINT64_C(1) << 56) / 8;
  decant_store_word(out, (digits | EIGHT_ZEROS) >> 8 * zeros);
  return 8 - zeros;
}

size_t decant_write_uint64(uint8_t *out, uint64_t value) {
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
    decant_store_word(out + length,
                      eight_digit_values((uint32_t)(upper % 100000000)) | EIGHT_ZEROS);
    length += 8;
  }
  decant_store_word(out + length, last);
  return length + 8;
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

// The upper 64 bits of power · factor / 2^64, made odd if lower bits are lost.
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

  // The processor can hardly predict which of the four it is, so it is selected without branches.
  const uint64_t s = value / 4;
  const bool is_low_inside = lower <= 4 * s, is_high_inside = 4 * s + 4 <= upper;
  const uint64_t middle = 4 * s + 2;
  const bool is_higher_nearer = (value > middle) | ((value == middle) & ((s & 1) != 0));
  const uint64_t exact = s + (is_low_inside != is_high_inside ? is_high_inside : is_higher_nearer);
  const uint64_t tens = s / 10 * 10;
  const bool is_below_inside = lower <= 4 * tens, is_above_inside = 4 * tens + 40 <= upper;
  const uint64_t rounded = tens + (is_above_inside ? 10 : 0);
  const bool is_rounded = (is_below_inside != is_above_inside) & (s >= 10);
  return (decimal){is_rounded ? rounded : exact, k};
}

// MARK: Its text

// The digits of a number of at most 17, from the first on, in words whose lowest byte comes first.
typedef struct {
  uint64_t first, next;  // sixteen digits
  uint8_t last;          // the seventeenth
  uint32_t count;        // without zeros at the end
} digits;

#if defined(__SSE2__) && defined(__x86_64__)
// The steps of eight_digit_values() on both halves of sixteen digits at a time.
static inline digits sixteen_digits(uint32_t upper_half, uint32_t lower_half) {
  const __m128i eights = _mm_set_epi64x(lower_half, upper_half);
  // 109951163 / 2^40, 5243 / 2^19 and 6554 / 2^16 are a little more than 1 / 10000, 1 / 100 and 1 / 10.
  const __m128i upper = _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi64x(109951163)), 40);
  const __m128i lower = _mm_sub_epi64(eights, _mm_mul_epu32(upper, _mm_set1_epi64x(10000)));
  const __m128i fours = _mm_or_si128(upper, _mm_slli_epi64(lower, 32));
  const __m128i hundreds = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5243)), 3);
  const __m128i units = _mm_sub_epi16(fours, _mm_mullo_epi16(hundreds, _mm_set1_epi16(100)));
  const __m128i pairs = _mm_or_si128(hundreds, _mm_slli_epi32(units, 16));
  const __m128i tens = _mm_mulhi_epu16(pairs, _mm_set1_epi16(6554));
  const __m128i ones = _mm_sub_epi16(pairs, _mm_mullo_epi16(tens, _mm_set1_epi16(10)));
  const __m128i values = _mm_or_si128(tens, _mm_slli_epi16(ones, 8));
  const int others = _mm_movemask_epi8(_mm_cmpgt_epi8(values, _mm_setzero_si128()));
  const __m128i text = _mm_or_si128(values, _mm_set1_epi8('0'));
  return (digits){.first = (uint64_t)_mm_cvtsi128_si64(text),
                  .next = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(text, text)),
                  .count = 32 - (uint32_t)__builtin_clz((uint32_t)others | 1)};
}
#else
// The digits up to the last that is not 0, of eight.
static inline uint32_t count_without_zeros(uint64_t values) {
  return 8 - (uint32_t)__builtin_ctzll(__builtin_bswap64(values) | UINT64_C(1) << 63) / 8;
}

static inline digits sixteen_digits(uint32_t upper_half, uint32_t lower_half) {
  const uint64_t first = eight_digit_values(upper_half), next = eight_digit_values(lower_half);
  uint32_t count = count_without_zeros(first);
  const uint32_t more = 8 + count_without_zeros(next);
  count = next != 0 ? more : count;
  return (digits){.first = first | EIGHT_ZEROS, .next = next | EIGHT_ZEROS, .count = count};
}
#endif

// The digits of a number of 17: sixteen, and the last.
static inline digits digits_of(uint64_t sixteen, uint32_t last) {
  digits digits = sixteen_digits((uint32_t)(sixteen / 100000000), (uint32_t)(sixteen % 100000000));
  digits.last = (uint8_t)('0' + last);
  digits.count = last != 0 ? 17 : digits.count;
  return digits;
}

static inline void write_all(uint8_t *out, digits digits) {
  decant_store_word(out, digits.first);
  decant_store_word(out + 8, digits.next);
  out[16] = digits.last;
}

static const char pairs[201] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546"
    "474849"
    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596"
    "979899";

static size_t write_exponent(uint8_t *out, int32_t exponent) {
  uint8_t *start = out;
  *out++ = 'e';
  *out++ = exponent < 0 ? '-' : '+';
  uint32_t size = (uint32_t)(exponent < 0 ? -exponent : exponent);
  if (size >= 100) {
    *out++ = (uint8_t)('0' + size / 100);
    size %= 100;
  }
  memcpy(out, pairs + size * 2, 2);
  return (size_t)(out + 2 - start);
}

// 12345 as 123.45 or 0.00012345; `before` is the number of digits before the point, or minus the zeros after it.
static inline size_t write_with_point(uint8_t *out, digits digits, int32_t before) {
  if (before <= 0) {
    memcpy(out, "0.000", 5);
    const uint32_t zeros = (uint32_t)(2 - before);
    write_all(out + zeros, digits);
    return zeros + digits.count;
  }
  write_all(out + 1, digits);
  if (before < 8) {
    // The first word once more, with the point between its bytes; its last byte is behind it already.
    const uint64_t whole = (UINT64_C(1) << 8 * before) - 1;
    const uint64_t point = (uint64_t)'.' << 8 * before;
    decant_store_word(out, (digits.first & whole) | point | (digits.first & ~whole) << 8);
  } else {
    for (int32_t place = 0; place < before; place++) out[place] = out[place + 1];
    out[before] = '.';
  }
  return digits.count + 1;
}

// 12345 as 1.2345e+04.
static inline size_t write_scientific(uint8_t *out, digits digits, int32_t exponent) {
  write_all(out + 1, digits);
  out[0] = out[1];
  size_t length = 1;
  if (digits.count > 1) {
    out[1] = '.';
    length = digits.count + 1;
  }
  return length + write_exponent(out + length, exponent);
}

// A number other than a whole number below 2^53, or 2^24. How many digits are before the point: 0.0001 has -3.
static inline size_t write_digits(uint8_t *out, digits digits, int32_t before,
                                  bool is_beyond_whole) {
  if (is_beyond_whole || before < -3) return write_scientific(out, digits, before - 1);
  return write_with_point(out, digits, before);
}

static __attribute__((noinline)) size_t write_shortest(uint8_t *out, uint64_t c, int32_t q,
                                                       bool is_narrow) {
  const decimal number = shortest(c, q, is_narrow);
  const int32_t count = (int32_t)digit_count(number.significand);
  const uint64_t significand = number.significand * decant_powers_of_ten[17 - count];
  const digits digits = digits_of(significand / 10, (uint32_t)(significand % 10));
  return write_digits(out, digits, count + number.exponent, q > 0);
}

// The same by one product, for a normal double that is not a power of two; 0 if one product is not enough.
DECANT_INLINE size_t write_frequent(uint8_t *out, uint64_t c, int32_t q) {
  const int32_t k = decimal_exponent(q, false) + 1;
  // From -3 to 1; six bits more leave no shift to the right, and no bit of c beyond 60.
  const int32_t shift = q + binary_exponent(-k) + 1 + 6;
  const decant_power_of_five power = decant_get_power_of_five(-k);
  uint64_t carried, upper;
  multiply(power.lower, c << shift, &carried);
  const uint64_t lower = multiply(power.upper, c << shift, &upper) + carried;
  upper += lower < carried;
  const uint64_t fraction = upper << 58 | lower >> 6;
  const uint64_t half = power.upper >> (7 - shift);
  uint64_t digit;
  const uint64_t rest = multiply(fraction, 10, &digit);

  // The lower bits that are dropped, and the error of the power, change `fraction` and `half` by less than two each.
  const uint64_t below = fraction - half, above = fraction + half;
  const uint64_t nearer = rest - (UINT64_C(1) << 63);
  const uint64_t doubt = 4;
  if ((below + doubt <= 2 * doubt) | (above + doubt <= 2 * doubt)) return 0;
  if (nearer + 10 * doubt <= 20 * doubt) return 0;
  const bool is_below_inside = fraction < half, is_above_inside = above < half;
  uint64_t sixteen = upper >> 6;
  sixteen += is_above_inside;
  // From 1 to 9: a digit 0 or 10 would be one of the shorter candidates, which were tested before.
  uint32_t last = (uint32_t)(digit + (rest >> 63));
  if (is_below_inside | is_above_inside) last = 0;
  int32_t before = 16 + k;
  // 15 digits, and the last one is the sixteenth.
  if (sixteen < UINT64_C(1000000000000000)) {
    sixteen = sixteen * 10 + last;
    last = 0;
    before--;
  }
  return write_digits(out, digits_of(sixteen, last), before, q > 0);
}

// MARK: Doubles and floats

// A number of an IEEE 754 format, whose fraction has `width` bits, and whose exponents go up to `most`.
DECANT_INLINE size_t write_real(uint8_t *out, bool is_negative, int32_t exponent, uint64_t fraction,
                                const int32_t width, const int32_t most) {
  if (exponent == most) return 0;
  uint8_t *start = out;
  *out = '-';
  out += is_negative;
  const bool is_normal = exponent != 0;
  if (!is_normal && fraction == 0) {
    *out++ = '0';
    return (size_t)(out - start);
  }
  const uint64_t c = is_normal ? fraction | UINT64_C(1) << width : fraction;
  const int32_t q = (is_normal ? exponent : 1) - most / 2 - width;
  // A whole number of at most 2^53, or 2^24.
  if (q <= 0 && (int32_t)__builtin_ctzll(c) >= -q)
    return (size_t)(out - start) + decant_write_uint64(out, c >> -q);
  if (q == 1 && fraction == 0) return (size_t)(out - start) + decant_write_uint64(out, c << 1);
  return (size_t)(out - start) + write_shortest(out, c, q, fraction == 0 && exponent > 1);
}

static __attribute__((noinline)) size_t write_any_double(uint8_t *out, uint64_t bits) {
  const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
  return write_real(out, bits >> 63, (int32_t)(bits >> 52 & 0x7FF), fraction, 52, 0x7FF);
}

size_t decant_write_double(uint8_t *out, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
  const uint32_t exponent = (uint32_t)(bits >> 52) & 0x7FF;
  if (DECANT_UNLIKELY(exponent - 1 >= 0x7FE || fraction == 0)) return write_any_double(out, bits);
  const uint64_t c = fraction | UINT64_C(1) << 52;
  const int32_t q = (int32_t)exponent - 1075;
  const size_t sign = bits >> 63;
  *out = '-';
  // A whole number of at most 2^53: -q is at most the number of zeros at the end of c, and not negative.
  if ((uint32_t)-q <= (uint32_t)__builtin_ctzll(c))
    return sign + decant_write_uint64(out + sign, c >> -q);
  const size_t length = write_frequent(out + sign, c, q);
  return DECANT_LIKELY(length != 0) ? sign + length : write_any_double(out, bits);
}

size_t decant_write_float(uint8_t *out, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint32_t fraction = bits & ((UINT32_C(1) << 23) - 1);
  return write_real(out, bits >> 31, (int32_t)(bits >> 23 & 0xFF), fraction, 23, 0xFF);
}
