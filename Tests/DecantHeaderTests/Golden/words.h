/* words.h: written by decant-header from Swift models; not to be edited.
 *
 * decant.h says what holds for all functions and strings.
 */
#ifndef DECANT_WORDS_H
#define DECANT_WORDS_H

#include <decant.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Members that are something else in C than in Swift. */
struct decant_words {
  uint8_t id[16];
  int64_t *others;            /* NULL when there are none */
  size_t others_length;
  int64_t sent_at;            /* when the parcel left; microseconds since 1970 */
  int64_t seen_at;            /* microseconds since 1970 */
  bool has_seen_at;
  double since;               /* seconds since 1970 */
  double until;               /* when; milliseconds since 1970 */
  bool has_until;
  decant_text key;            /* bytes */
  decant_text note;           /* NULL if missing; bytes */
  const char *anything;       /* JSON text */
  size_t anything_length;
  const char *maybe;          /* NULL if missing; JSON text */
  size_t maybe_length;
  struct decant_part *points; /* of the path; NULL when there are none */
  size_t points_length;
  uint32_t points_left_out;   /* elements that did not fit */
  int64_t count;
  const char *rest;           /* an object of the members that no other has, or NULL; JSON text */
  size_t rest_length;
  void *storage;              /* the memory behind the pointers; NULL inside other structs */
};

/* The layout that the library writes. */
#if defined __cplusplus
#define DECANT_ASSERT static_assert
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define DECANT_ASSERT _Static_assert
#endif
#ifdef DECANT_ASSERT
DECANT_ASSERT(sizeof(struct decant_words) == 200, "struct decant_words");
DECANT_ASSERT(offsetof(struct decant_words, id) == 0, "id");
DECANT_ASSERT(offsetof(struct decant_words, others) == 16, "others");
DECANT_ASSERT(offsetof(struct decant_words, others_length) == 24, "others_length");
DECANT_ASSERT(offsetof(struct decant_words, sent_at) == 32, "sent_at");
DECANT_ASSERT(offsetof(struct decant_words, seen_at) == 40, "seen_at");
DECANT_ASSERT(offsetof(struct decant_words, has_seen_at) == 48, "has_seen_at");
DECANT_ASSERT(offsetof(struct decant_words, since) == 56, "since");
DECANT_ASSERT(offsetof(struct decant_words, until) == 64, "until");
DECANT_ASSERT(offsetof(struct decant_words, has_until) == 72, "has_until");
DECANT_ASSERT(offsetof(struct decant_words, key) == 80, "key");
DECANT_ASSERT(offsetof(struct decant_words, note) == 96, "note");
DECANT_ASSERT(offsetof(struct decant_words, anything) == 112, "anything");
DECANT_ASSERT(offsetof(struct decant_words, anything_length) == 120, "anything_length");
DECANT_ASSERT(offsetof(struct decant_words, maybe) == 128, "maybe");
DECANT_ASSERT(offsetof(struct decant_words, maybe_length) == 136, "maybe_length");
DECANT_ASSERT(offsetof(struct decant_words, points) == 144, "points");
DECANT_ASSERT(offsetof(struct decant_words, points_length) == 152, "points_length");
DECANT_ASSERT(offsetof(struct decant_words, points_left_out) == 160, "points_left_out");
DECANT_ASSERT(offsetof(struct decant_words, count) == 168, "count");
DECANT_ASSERT(offsetof(struct decant_words, rest) == 176, "rest");
DECANT_ASSERT(offsetof(struct decant_words, rest_length) == 184, "rest_length");
DECANT_ASSERT(offsetof(struct decant_words, storage) == 192, "storage");
#undef DECANT_ASSERT
#endif

/* Decodes a document. `out` is written on success only; give it back with words_free(). `error`
 * may be NULL. Returns DECANT_OK, or what is wrong; several things at once are DECANT_MULTIPLE. */
decant_status decode_words(
    const char *json, size_t length, struct decant_words *out, decant_error *error);

/* Gives back what decode_words() allocated. NULL, and a struct that was freed before, are fine. */
void words_free(struct decant_words *value);

/* Writes a struct as JSON into a buffer of `capacity` bytes, as decant_encode() does: `length`
 * is set to the length of the text. Returns DECANT_OK; DECANT_BUFFER_TOO_SMALL if it does not
 * fit; or what is wrong. NULL and 0 for the buffer measure. */
decant_status encode_words(
    const struct decant_words *value, char *buffer, size_t capacity, size_t *length,
    decant_error *error);

#ifdef __cplusplus
}
#endif

/* Structs that are pointed to. */
#include "everything.h"

#endif
