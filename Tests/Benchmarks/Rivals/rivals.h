// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The rivals in C++, which `rivals.sh` compiles into a shared library for one set of processor features, and the
// contenders load (Contenders/Rivals.swift).

#ifndef RIVALS_H
#define RIVALS_H

#ifdef __cplusplus
extern "C" {
#endif

#include "BenchmarkModels.h"

extern const benchmark_contender simdjson_ondemand_contender, yyjson_contender;
extern const benchmark_writer yyjson_writer, rapidjson_writer;
extern const benchmark_messages yyjson_messages;

// Version and, where the rival picks one, instruction set.
const char *simdjson_features(void);
const char *yyjson_features(void);
const char *rapidjson_features(void);

#ifdef __cplusplus
}
#endif
#endif
