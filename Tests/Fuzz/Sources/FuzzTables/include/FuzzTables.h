// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

#ifndef DECANT_FUZZ_TABLES_H
#define DECANT_FUZZ_TABLES_H

#include <stddef.h>
#include <stdint.h>

// Structs through the tables that the last bytes make, in every way that C has, against each other. Traps
// where something is wrong.
void fuzz_tables(const uint8_t *data, size_t size);

// Streams of documents and of elements with one fault that the input makes: at most one more document is lost.
void fuzz_recovery(const uint8_t *data, size_t size);

#endif
