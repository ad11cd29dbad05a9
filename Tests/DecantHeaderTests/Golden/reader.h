/* reader.h: written by decant-header from Swift models; not to be edited.
 *
 * decant.h says what holds for all functions and strings.
 */
#ifndef LIBRARY_READER_H
#define LIBRARY_READER_H

#include <decant.h>

#include "everything.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who has a part of another header. */
struct library_reader {
  struct decant_part part;
  int32_t state; /* DECANT_STATE_… */
};

/* The layout that the library writes. */
#if defined __cplusplus
#define DECANT_ASSERT static_assert
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define DECANT_ASSERT _Static_assert
#endif
#ifdef DECANT_ASSERT
DECANT_ASSERT(sizeof(struct library_reader) == 12, "struct library_reader");
DECANT_ASSERT(offsetof(struct library_reader, part) == 0, "part");
DECANT_ASSERT(offsetof(struct library_reader, state) == 8, "state");
#undef DECANT_ASSERT
#endif

/* Decodes a document a line. `function` is called for every line that is not blank, with a
 * struct or with NULL and the error; both live until it returns, and there is nothing to free.
 * It returns 0 to go on. `line` counts from 1, and places of errors from the beginning of the
 * stream. Returns DECANT_OK, but for arguments. */
decant_status decode_reader_lines(
    const char *json, size_t length,
    int (*function)(
        void *context, int64_t line, const struct library_reader *value,
        const decant_error *error),
    void *context, decant_error *error);

#ifdef __cplusplus
}
#endif

#endif
