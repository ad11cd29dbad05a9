// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What the kernels of all instruction sets share: the masks they make, and the tables they make
// them by.

#ifndef DECANT_SIMD_TYPES_H
#define DECANT_SIMD_TYPES_H

#include "tokens.h"

// Before a loop over the parts of a block. Unless it is told to unroll it, GCC keeps registers in memory.
#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

// Bit n speaks of byte n of a block. Of bytes above 0x7F, which are marks, `quote` alone is right.
struct masks {
  uint64_t quote;
  uint64_t mark;     // neither a digit nor white space
  uint64_t number;   // digits and + - .
  uint64_t suspect;  // backslash, or below 0x20
};

// A byte's class is CLASS_LOW[low nibble] & CLASS_HIGH[high nibble]: each class is a set of high
// nibbles times a set of low nibbles. 0x80 and above have none.
//
//   SPACE  2 × 0        BLANK  0 × 9 A D       DIGIT  3 × 0-9       SIGN  2 × B D E  (+ - .)
enum {
  CLASS_BLANK = 1,
  CLASS_SPACE = 2,
  CLASS_DIGIT = 4,
  CLASS_SIGN = 128,
  CLASS_QUIET = CLASS_SPACE | CLASS_BLANK | CLASS_DIGIT,  // every other byte is a mark
  CLASS_NUMBER = CLASS_DIGIT | CLASS_SIGN,
  CLASS_SUSPECT = 64  // not in these tables
};

// The sixteen bytes of each table, for initialisers.
#define CLASS_LOW                                                                                \
  CLASS_SPACE | CLASS_DIGIT, CLASS_DIGIT, CLASS_DIGIT, CLASS_DIGIT, CLASS_DIGIT, CLASS_DIGIT,    \
      CLASS_DIGIT, CLASS_DIGIT, CLASS_DIGIT, CLASS_DIGIT | CLASS_BLANK, CLASS_BLANK, CLASS_SIGN, \
      0, CLASS_SIGN | CLASS_BLANK, CLASS_SIGN, 0
#define CLASS_HIGH \
  CLASS_BLANK, 0, CLASS_SPACE | CLASS_SIGN, CLASS_DIGIT, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0

// Keiser & Lemire's classes of two successive bytes. Looked up by the high nibble of the first, its
// low nibble and the high nibble of the second, a bit that all three share is an error, except that
// TWO_CONTINUATIONS is right, and required, in the third and fourth byte of a sequence.
enum {
  UTF8_TOO_SHORT = 1,    // lead, then no continuation
  UTF8_TOO_LONG = 2,     // ASCII, then a continuation
  UTF8_OVERLONG_3 = 4,   // E0, then 80-9F
  UTF8_TOO_LARGE = 8,    // F4, then 90-BF; F5-FF, then 90-BF
  UTF8_SURROGATE = 16,   // ED, then A0-BF
  UTF8_OVERLONG_2 = 32,  // C0-C1, then a continuation
  UTF8_OVERLONG_4 = 64,  // F0, then 80-8F; and F5-FF, then 80-8F
  UTF8_TWO_CONTINUATIONS = 128,
  UTF8_ANY_LOW = UTF8_TOO_SHORT | UTF8_TOO_LONG | UTF8_TWO_CONTINUATIONS,
  UTF8_BEYOND = UTF8_ANY_LOW | UTF8_TOO_LARGE | UTF8_OVERLONG_4,
  UTF8_ANY_CONTINUATION = UTF8_TOO_LONG | UTF8_OVERLONG_2 | UTF8_TWO_CONTINUATIONS
};

#define UTF8_FIRST_HIGH                                                                     \
  UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG, \
      UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TWO_CONTINUATIONS, UTF8_TWO_CONTINUATIONS,         \
      UTF8_TWO_CONTINUATIONS, UTF8_TWO_CONTINUATIONS, UTF8_TOO_SHORT | UTF8_OVERLONG_2,     \
      UTF8_TOO_SHORT, UTF8_TOO_SHORT | UTF8_OVERLONG_3 | UTF8_SURROGATE,                    \
      UTF8_TOO_SHORT | UTF8_TOO_LARGE | UTF8_OVERLONG_4
#define UTF8_FIRST_LOW                                                                           \
  UTF8_ANY_LOW | UTF8_OVERLONG_3 | UTF8_OVERLONG_2 | UTF8_OVERLONG_4,                            \
      UTF8_ANY_LOW | UTF8_OVERLONG_2, UTF8_ANY_LOW, UTF8_ANY_LOW, UTF8_ANY_LOW | UTF8_TOO_LARGE, \
      UTF8_BEYOND, UTF8_BEYOND, UTF8_BEYOND, UTF8_BEYOND, UTF8_BEYOND, UTF8_BEYOND, UTF8_BEYOND, \
      UTF8_BEYOND, UTF8_BEYOND | UTF8_SURROGATE, UTF8_BEYOND, UTF8_BEYOND
#define UTF8_SECOND_HIGH                                                                          \
  UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT, \
      UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_ANY_CONTINUATION | UTF8_OVERLONG_3 | UTF8_OVERLONG_4,  \
      UTF8_ANY_CONTINUATION | UTF8_OVERLONG_3 | UTF8_TOO_LARGE,                                   \
      UTF8_ANY_CONTINUATION | UTF8_SURROGATE | UTF8_TOO_LARGE,                                    \
      UTF8_ANY_CONTINUATION | UTF8_SURROGATE | UTF8_TOO_LARGE, UTF8_TOO_SHORT, UTF8_TOO_SHORT,    \
      UTF8_TOO_SHORT, UTF8_TOO_SHORT

#endif
