// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An opaque reader of models, out of every optimiser's sight.

#include "BenchmarkSupport.h"

void benchmark_keep(const void *model) { __asm__ volatile("" : : "r"(model) : "memory"); }
