// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender that fills C structs through tables.

#ifndef DECANT_RECORDS_H
#define DECANT_RECORDS_H

#include "BenchmarkSupport.h"

extern const benchmark_contender decant_records_contender;

#endif
