// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

#ifndef DECANT_FUZZ_INDEX_TARGETS_H
#define DECANT_FUZZ_INDEX_TARGETS_H

#include <stddef.h>
#include <stdint.h>

// All trap where something is wrong. Of kernels and look-ups, the first byte chooses the rules; the rest is the
// document.

// Every kernel's answer, slot by slot, against the scalar one's.
void fuzz_kernels(const uint8_t *data, size_t size);

// Every look-up in every object, in an order that the document's bytes choose, against a naive one.
void fuzz_lookups(const uint8_t *data, size_t size);

// Structs through the tables that the last bytes make, in every way that C has, against each other.
void fuzz_tables(const uint8_t *data, size_t size);

#endif
