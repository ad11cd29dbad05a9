// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Columns of one stream by several threads: the one function of parallel.c.

#ifndef DECANT_PARALLEL_H
#define DECANT_PARALLEL_H

#include <decant.h>

// decant_read_arrow() and decant_read_arrow_from() on several threads: the same rows and rejects in the same order, in
// batches that end where pieces of the input do. Of lines and records only. A buffer, if there is no function.
//
// The function is called by threads that ask for a batch, one at a time, and not again after a failure. After fork(), the
// child's calls of get_next() fail with EDEADLK: it has none of the threads.
decant_status parallel_read_arrow(const decant_record *record, const char *json, size_t length,
                                  decant_read_function function, void *context, size_t threads,
                                  const decant_options *options, struct ArrowArrayStream *rows,
                                  struct ArrowArrayStream *rejects, decant_error *error);

#endif
