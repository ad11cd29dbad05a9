// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// RapidJSON's Writer over the structs of BenchmarkModels.h.

#ifndef RIVAL_RAPIDJSON_H
#define RIVAL_RAPIDJSON_H

#include "BenchmarkSupport.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const benchmark_writer rapidjson_writer;

#ifdef __cplusplus
}
#endif
#endif
