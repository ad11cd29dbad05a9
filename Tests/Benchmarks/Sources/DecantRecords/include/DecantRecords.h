// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender that fills C structs through tables.

#ifndef DECANT_RECORDS_H
#define DECANT_RECORDS_H

#include "BenchmarkSupport.h"

extern const benchmark_contender decant_records_contender;
extern const benchmark_writer decant_records_writer;

// A model for the writers, decoded from a document; NULL after a failure. Its root is a struct user or
// a struct list.
struct decant_writer_model;
struct decant_writer_model *_Nullable decant_writer_model_open(benchmark_work work,
                                                               const char *_Nonnull bytes,
                                                               size_t length);
const void *_Nonnull decant_writer_model_root(const struct decant_writer_model *_Nonnull model);
void decant_writer_model_close(struct decant_writer_model *_Nonnull model);

#endif
