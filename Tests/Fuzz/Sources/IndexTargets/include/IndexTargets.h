// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

#ifndef DECANT_FUZZ_INDEX_TARGETS_H
#define DECANT_FUZZ_INDEX_TARGETS_H

#include <stddef.h>
#include <stdint.h>

// The first byte chooses the rules; the rest is the document. Both trap where something is wrong.

// Every kernel's answer, slot by slot, against the scalar one's.
void fuzz_kernels(const uint8_t *data, size_t size);

// Every look-up in every object, in an order that the document's bytes choose, against a naive one.
void fuzz_lookups(const uint8_t *data, size_t size);

#endif
