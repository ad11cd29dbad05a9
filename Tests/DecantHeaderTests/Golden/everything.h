/* everything.h: written by decant-header from Swift models; not to be edited.
 *
 * Every kind.
 *
 * A second paragraph.
 *
 * decant.h says what holds for all functions and strings.
 */
#ifndef DECANT_EVERYTHING_H
#define DECANT_EVERYTHING_H

#include <decant.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  DECANT_STATE_OPEN = 0,
  DECANT_STATE_CLOSED = 1,
  DECANT_STATE_OPEN_LATE = 2
};

enum {
  COMPASS_SIDE_NORTH = 1,
  COMPASS_SIDE_SOUTH_EAST = 2
};

struct decant_part {
  uint8_t x;
  uint32_t y;
};

/* A member of every kind. */
struct decant_everything {
  bool is_new;
  int8_t small;                       /* a comment that ends * / a comment */
  uint64_t large;
  float ratio;
  int64_t age;                        /* in years */
  bool has_age;
  bool is_known;
  bool knows;
  int32_t state;                      /* DECANT_STATE_… */
  int32_t next;                       /* what comes then: DECANT_STATE_… */
  bool has_next;
  uint32_t sides;                     /* where it is open: COMPASS_SIDE_…, or-ed */
  const char *title;
  size_t title_bytes;
  const char *note;                   /* NULL if missing */
  size_t note_length;
  decant_text *tags;                  /* NULL when there are none */
  size_t tags_length;
  int32_t *numbers;                   /* NULL when there are none */
  size_t numbers_length;
  struct decant_part part;
  /* Very much to say. Very much to say. Very much to say. Very much to say. Very much to say.
   * Very much to say. Very much to say.; NULL if missing */
  struct decant_part *extra;
  struct decant_part *parts;          /* NULL when there are none */
  size_t parts_length;
  struct decant_everything *children; /* NULL when there are none */
  size_t children_length;
  /* the memory behind the pointers; NULL inside other structs */
  void *storage;
};

/* Several, in the order of the document. */
struct decant_everythings {
  struct decant_everything *items; /* NULL when there are none */
  size_t count;
  void *storage; /* the memory of all of them */
};

/* The layout that the library writes. */
#if defined __cplusplus
#define DECANT_ASSERT static_assert
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define DECANT_ASSERT _Static_assert
#endif
#ifdef DECANT_ASSERT
DECANT_ASSERT(sizeof(struct decant_part) == 8, "struct decant_part");
DECANT_ASSERT(offsetof(struct decant_part, x) == 0, "x");
DECANT_ASSERT(offsetof(struct decant_part, y) == 4, "y");
DECANT_ASSERT(sizeof(struct decant_everything) == 176, "struct decant_everything");
DECANT_ASSERT(offsetof(struct decant_everything, is_new) == 0, "is_new");
DECANT_ASSERT(offsetof(struct decant_everything, small) == 1, "small");
DECANT_ASSERT(offsetof(struct decant_everything, large) == 8, "large");
DECANT_ASSERT(offsetof(struct decant_everything, ratio) == 16, "ratio");
DECANT_ASSERT(offsetof(struct decant_everything, age) == 24, "age");
DECANT_ASSERT(offsetof(struct decant_everything, has_age) == 32, "has_age");
DECANT_ASSERT(offsetof(struct decant_everything, is_known) == 33, "is_known");
DECANT_ASSERT(offsetof(struct decant_everything, knows) == 34, "knows");
DECANT_ASSERT(offsetof(struct decant_everything, state) == 36, "state");
DECANT_ASSERT(offsetof(struct decant_everything, next) == 40, "next");
DECANT_ASSERT(offsetof(struct decant_everything, has_next) == 44, "has_next");
DECANT_ASSERT(offsetof(struct decant_everything, sides) == 48, "sides");
DECANT_ASSERT(offsetof(struct decant_everything, title) == 56, "title");
DECANT_ASSERT(offsetof(struct decant_everything, title_bytes) == 64, "title_bytes");
DECANT_ASSERT(offsetof(struct decant_everything, note) == 72, "note");
DECANT_ASSERT(offsetof(struct decant_everything, note_length) == 80, "note_length");
DECANT_ASSERT(offsetof(struct decant_everything, tags) == 88, "tags");
DECANT_ASSERT(offsetof(struct decant_everything, tags_length) == 96, "tags_length");
DECANT_ASSERT(offsetof(struct decant_everything, numbers) == 104, "numbers");
DECANT_ASSERT(offsetof(struct decant_everything, numbers_length) == 112, "numbers_length");
DECANT_ASSERT(offsetof(struct decant_everything, part) == 120, "part");
DECANT_ASSERT(offsetof(struct decant_everything, extra) == 128, "extra");
DECANT_ASSERT(offsetof(struct decant_everything, parts) == 136, "parts");
DECANT_ASSERT(offsetof(struct decant_everything, parts_length) == 144, "parts_length");
DECANT_ASSERT(offsetof(struct decant_everything, children) == 152, "children");
DECANT_ASSERT(offsetof(struct decant_everything, children_length) == 160, "children_length");
DECANT_ASSERT(offsetof(struct decant_everything, storage) == 168, "storage");
#undef DECANT_ASSERT
#endif

/* Decodes a document. `out` is written on success only; give it back with everything_free().
 * `error` may be NULL. Returns DECANT_OK, or what is wrong; several things at once are
 * DECANT_MULTIPLE. */
decant_status decode_everything(
    const char *json, size_t length, struct decant_everything *out, decant_error *error);

/* Gives back what decode_everything() allocated. NULL, and a struct that was freed before, are
 * fine. */
void everything_free(struct decant_everything *value);

/* Writes a struct as JSON into a buffer of `capacity` bytes, as decant_encode() does: `length`
 * is set to the length of the text. Returns DECANT_OK; DECANT_BUFFER_TOO_SMALL if it does not
 * fit; or what is wrong. NULL and 0 for the buffer measure. */
decant_status encode_everything(
    const struct decant_everything *value, char *buffer, size_t capacity, size_t *length,
    decant_error *error);

/* Decodes a document that is an array: all of it, or nothing and the errors of every element
 * that fails. Give it back with everythings_free(). */
decant_status decode_everythings(
    const char *json, size_t length, struct decant_everythings *out, decant_error *error);

/* Gives back what decode_everythings() allocated. NULL, and what was freed before, are fine. */
void everythings_free(struct decant_everythings *values);

/* The same for several: a JSON array. */
decant_status encode_everythings(
    const struct decant_everythings *values, char *buffer, size_t capacity, size_t *length,
    decant_error *error);

/* Decodes a document a line. `function` is called for every line that is not blank, with a
 * struct or with NULL and the error; both live until it returns, and there is nothing to free.
 * It returns 0 to go on. `line` counts from 1, and places of errors from the beginning of the
 * stream. Returns DECANT_OK, but for arguments. */
decant_status decode_everything_lines(
    const char *json, size_t length,
    int (*function)(
        void *context, int64_t line, const struct decant_everything *value,
        const decant_error *error),
    void *context, decant_error *error);

#ifdef __cplusplus
}
#endif

#endif
