/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The structs of the Arrow C data interface and the Arrow C stream interface, as the Apache Arrow
 * specification defines them. The guards are those of the specification, so this header and others
 * that declare the structs can be included together.
 *
 *     struct ArrowArrayStream rows, rejects;
 *     if (decant_read_arrow(&record, json, length, NULL, &rows, &rejects, &error) == DECANT_OK) {
 *       struct ArrowArray batch;
 *       while (rows.get_next(&rows, &batch) == 0 && batch.release != NULL) {
 *         … batch.children[0]->buffers[1] …
 *         batch.release(&batch);
 *       }
 *       rows.release(&rows);
 *       rejects.release(&rejects);
 *     }
 */
#ifndef DECANT_ARROW_H
#define DECANT_ARROW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/* The type of a column. Call `release` to release it. `release` is NULL after that, and after the
 * struct was moved. */
struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

/* The values of a column. Call `release` to release them, as for an ArrowSchema. */
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

/* A sequence of batches of rows. The functions return 0 or a number of errno.h. At the end,
 * get_next() returns 0 and an array whose `release` is NULL. */
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif

#ifdef __cplusplus
}
#endif

#endif
