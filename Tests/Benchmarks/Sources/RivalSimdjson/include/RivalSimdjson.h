// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender that reads with simdjson's On-Demand interface.

#ifndef RIVAL_SIMDJSON_H
#define RIVAL_SIMDJSON_H

#include "BenchmarkSupport.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const benchmark_contender simdjson_ondemand_contender;

// The instruction set that On-Demand was compiled for, and the one its first stage runs with.
const char *_Nonnull simdjson_ondemand_kernels(void);

#ifdef __cplusplus
}
#endif
#endif
