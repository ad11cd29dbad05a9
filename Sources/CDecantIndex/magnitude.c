// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Is a number too large for a double? Numbers are not converted while the index is built, but a
// document whose number overflows is rejected with the document, not when somebody reads the
// number.
//
// A decimal rounds to infinity exactly when its magnitude is at least T = 2^1024 - 2^970, halfway
// between the largest double (2^1024 - 2^971) and 2^1024: the tie goes to the even one, infinity.
// T is an integer of 309 digits, so comparing digits decides, without arithmetic and without
// locale:
//
//   179769e303      309 digits before the point, "179769000…" < T's digits      fits
//   0.0018e311      first digit counts 10^308, 309 digits, "18000…" > T         overflows
//   0e99999         no digit but zeros                                          fits

#include "internal.h"
#include "tokens.h"

#define THRESHOLD_DIGITS 309

static const char threshold[THRESHOLD_DIGITS + 1] =
    "17976931348623158079372897140530341507993413271003782693617377898044496829276475"
    "09466490179775872070963302864166928879109465555478519404026306574886715058206819"
    "08902000708383676273854845817711531764475730270069855571366959622842914819860834"
    "936475292719074168444365510704342711559699508093042880177904174497792";

// The value of the digits at text[0 ..< length], or something beyond any text's length.
static int64_t exponent_value(const uint8_t *text, size_t length) {
  const int64_t enough = INT64_C(1) << 40;
  int64_t value = 0;
  for (size_t at = 0; at < length && value < enough; at++) value = value * 10 + (text[at] - '0');
  return value;
}

bool decant_number_overflows(const uint8_t *text, size_t length) {
  size_t exponent_at = length, point_at = length;
  const size_t first = text[0] == '-';
  for (size_t at = first; at < length; at++) {
    if (text[at] == '.') {
      point_at = at;
    } else if (!decant_is_digit(text[at])) {
      exponent_at = at;
      break;
    }
  }
  if (point_at > exponent_at) point_at = exponent_at;

  size_t significant = first;
  while (significant < exponent_at && (text[significant] == '0' || text[significant] == '.')) {
    significant++;
  }
  if (significant == exponent_at) return false;

  int64_t exponent = 0;
  if (exponent_at < length) {
    const uint8_t sign = text[exponent_at + 1];
    const size_t digits = exponent_at + 1 + !decant_is_digit(sign);
    exponent = exponent_value(text + digits, length - digits);
    if (sign == '-') exponent = -exponent;
  }
  // Digits before the point once the number is written out from its first significant digit.
  int64_t before = (int64_t)point_at - (int64_t)significant;
  if (before < 0) before++;  // the point itself lies between
  before += exponent;
  if (before != THRESHOLD_DIGITS) return before > THRESHOLD_DIGITS;

  size_t at = significant;
  for (size_t digit = 0; digit < THRESHOLD_DIGITS; digit++) {
    if (at < exponent_at && text[at] == '.') at++;
    const char mine = at < exponent_at ? (char)text[at++] : '0';
    if (mine != threshold[digit]) return mine > threshold[digit];
  }
  return true;
}
