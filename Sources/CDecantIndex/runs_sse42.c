// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Arrays of reals of few digits (runs.c), for x86 processors that shuffle bytes. A shuffle drops the point and puts zeros
// before the digits; three multiplications of neighbors make a number of them:
//
//   bytes       1  2  .  7  5  ,  …            "12.75": two digits and two
//   shuffled    0  0  0  0  1  2  7  5
//   × 10, 1     0     0     12    75           sixteen bits each
//   × 100, 1    0           1275               thirty-two
//   × 10000, 1  1275

#include "internal.h"

#if DECANT_X86

#include <nmmintrin.h>

#include "decant_lookup.h"
#include "decant_numbers.h"

#define DECANT_TARGET_FEATURES "sse4.2,ssse3"
#include "target_begin.h"

#define MOST_DIGITS 8

// The places of eight digits, for `before` digits, a point and `after` digits. 0x80 makes a zero.
#define PLACE(before, after, lane)                                     \
  ((lane) < 8 - (before) - (after) ? 0x80                              \
   : (lane) < 8 - (after)          ? (lane) - (8 - (before) - (after)) \
                                   : (lane) - (8 - (before) - (after)) + 1)
#define PLACES(before, after)                                                      \
  {                                                                                \
    PLACE(before, after, 0), PLACE(before, after, 1), PLACE(before, after, 2),     \
        PLACE(before, after, 3), PLACE(before, after, 4), PLACE(before, after, 5), \
        PLACE(before, after, 6), PLACE(before, after, 7)                           \
  }
#define PLACES_AFTER(before)                                                                       \
  {                                                                                                \
    PLACES(before, 0), PLACES(before, 1), PLACES(before, 2), PLACES(before, 3), PLACES(before, 4), \
        PLACES(before, 5), PLACES(before, 6), PLACES(before, 7)                                    \
  }
// From one digit before the point on.
static const uint8_t digit_places[8][8][8] = {PLACES_AFTER(1), PLACES_AFTER(2), PLACES_AFTER(3),
                                              PLACES_AFTER(4), PLACES_AFTER(5), PLACES_AFTER(6),
                                              PLACES_AFTER(7), PLACES_AFTER(8)};

size_t decant_store_doubles_sse42(const uint8_t *text, const uint64_t *slots, size_t count,
                                  char *place) {
  const __m128i nibble = _mm_set1_epi8(0x0F), tens = _mm_set1_epi16(1 << 8 | 10);
  const __m128i hundreds = _mm_set1_epi32(1 << 16 | 100);
  const __m128i myriads = _mm_set1_epi32(1 << 16 | 10000);
  size_t stored = 0;
  for (; stored < count; stored++) {
    const uint64_t slot = slots[stored];
    const uint32_t facts = decant_slot_high(slot);
    const uint32_t before = facts >> 8 & 0xFF, after = facts >> 16 & 0xFF;
    if ((facts & (DECANT_SCALAR_MASK | DECANT_NUMBER_EXPONENT)) != DECANT_NUMBER) break;
    if (before + after > MOST_DIGITS) break;
    const uint64_t minus = facts / DECANT_NUMBER_MINUS & 1;
    const __m128i bytes =
        _mm_loadu_si128((const __m128i *)(const void *)(text + decant_slot_offset(slot) + minus));
    const __m128i places =
        _mm_loadl_epi64((const __m128i *)(const void *)digit_places[(size_t)before - 1][after]);
    const __m128i digits = _mm_and_si128(_mm_shuffle_epi8(bytes, places), nibble);
    const __m128i pairs = _mm_madd_epi16(_mm_maddubs_epi16(digits, tens), hundreds);
    const __m128i all = _mm_madd_epi16(_mm_packus_epi32(pairs, pairs), myriads);
    const double real = _mm_cvtsd_f64(_mm_cvtepi32_pd(all)) / decant_get_exact_power_of_ten(after);
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    bits |= minus << 63;
    memcpy(place + 8 * stored, &bits, sizeof bits);
  }
  return stored;
}

#include "target_end.h"

#endif
