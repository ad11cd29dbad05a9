// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender that reads libjansson's trees with json_unpack, and those that write with libjansson.

#ifndef RIVAL_JANSSON_H
#define RIVAL_JANSSON_H

#include "BenchmarkSupport.h"

extern const benchmark_contender jansson_unpack_contender;
extern const benchmark_writer jansson_dumpb_writer, jansson_pack_writer;

#endif
