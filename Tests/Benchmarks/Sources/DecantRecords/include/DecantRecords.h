// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender that fills C structs through tables.

#ifndef DECANT_RECORDS_H
#define DECANT_RECORDS_H

#include <stdbool.h>

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

// Messages, counted from 0 (messages.c): read and thrown away; or kept, and written into a buffer of its own. 0, and
// not NULL, if that succeeds.
int message_read(int number, bool prepares, const uint8_t *_Nonnull bytes, size_t length);
struct message_state;
struct message_state *_Nullable message_open(int number, bool prepares,
                                             const uint8_t *_Nonnull bytes, size_t length);
const uint8_t *_Nullable message_write(struct message_state *_Nonnull state,
                                       size_t *_Nonnull length);
void message_close(struct message_state *_Nonnull state);

#endif
