// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values as JSON text: numbers and strings, into memory that the caller owns. No function allocates,
// reads the locale, or ends its text with a NUL.
//
//   decant_write_int64(out, -42)          -42
//   decant_write_double(out, 0.1)         0.1
//   decant_write_double(out, 1e22)        1e+22
//   decant_write_escaped(out, "a\nb")     a\nb         (four characters)
//
// write_numbers.c has the numbers, write_strings.c the strings.

#ifndef DECANT_WRITE_H
#define DECANT_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The capacity in bytes that every number fits, whatever its type.
#define DECANT_NUMBER_CAPACITY 32

// Writes an integer and returns its length. `out` has DECANT_NUMBER_CAPACITY bytes.
size_t decant_write_int64(uint8_t *out, int64_t value);
size_t decant_write_uint64(uint8_t *out, uint64_t value);

// Writes the shortest decimal that reads back as the same number, and of those the nearest; returns its
// length, or 0 for infinities and NaN, which JSON has no text for. `out` has DECANT_NUMBER_CAPACITY bytes.
//
// From 0.0001 up to 2^53 (float: 2^24) without an exponent, and whole numbers without a point, as JavaScript
// and Foundation's JSONEncoder write them: 1, 0.5, 1e-05, 1e+16, -0.
size_t decant_write_double(uint8_t *out, double value);
size_t decant_write_float(uint8_t *out, float value);

enum { DECANT_ESCAPE_SLASHES = 1 };

// The least capacity of decant_write_escaped: below it, nothing is written.
#define DECANT_ESCAPE_CAPACITY 32

// Writes text with the escapes of RFC 8259 §7, without the quotes, as far as `capacity` reaches: reads from
// `*consumed` on, which it moves, and returns the bytes written. All is written when `*consumed` is `length`;
// otherwise call again with more capacity. `length + DECANT_ESCAPE_CAPACITY` is enough for text without escapes.
size_t decant_write_escaped(uint8_t *out, size_t capacity, const uint8_t *text, size_t length, size_t *consumed,
                            uint32_t flags);

// What decant_write_escaped would write in all.
size_t decant_escaped_length(const uint8_t *text, size_t length, uint32_t flags);

#ifdef __cplusplus
}
#endif
#endif
