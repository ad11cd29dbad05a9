/* place.h: written by decant-header from Swift models; not to be edited.
 *
 * Top places: {"places": {"place": [{"place_url": …, "timezone": …, "photo_count": "12",
 * "_content": …}, …]}}.
 *
 * decant.h says what holds for all functions and strings.
 */
#ifndef DECANT_PLACE_H
#define DECANT_PLACE_H

#include <decant.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A place. */
struct decant_place {
  const char *place_url;
  size_t place_url_length;
  const char *time_zone;
  size_t time_zone_length;
  int64_t photo_count; /* 0 when the document's text is no number */
  const char *content;
  size_t content_length;
  void *storage;       /* the memory behind the pointers; NULL inside other structs */
};

/* The document's places, in its order. */
struct decant_places {
  struct decant_place *items; /* NULL when there are none */
  size_t count;
  void *storage;              /* the memory behind the pointers; NULL inside other structs */
};

/* The layout that the library writes. */
#if defined __cplusplus
#define DECANT_ASSERT static_assert
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define DECANT_ASSERT _Static_assert
#endif
#ifdef DECANT_ASSERT
DECANT_ASSERT(sizeof(struct decant_place) == 64, "struct decant_place");
DECANT_ASSERT(offsetof(struct decant_place, place_url) == 0, "place_url");
DECANT_ASSERT(offsetof(struct decant_place, place_url_length) == 8, "place_url_length");
DECANT_ASSERT(offsetof(struct decant_place, time_zone) == 16, "time_zone");
DECANT_ASSERT(offsetof(struct decant_place, time_zone_length) == 24, "time_zone_length");
DECANT_ASSERT(offsetof(struct decant_place, photo_count) == 32, "photo_count");
DECANT_ASSERT(offsetof(struct decant_place, content) == 40, "content");
DECANT_ASSERT(offsetof(struct decant_place, content_length) == 48, "content_length");
DECANT_ASSERT(offsetof(struct decant_place, storage) == 56, "storage");
DECANT_ASSERT(sizeof(struct decant_places) == 24, "struct decant_places");
DECANT_ASSERT(offsetof(struct decant_places, items) == 0, "items");
DECANT_ASSERT(offsetof(struct decant_places, count) == 8, "count");
DECANT_ASSERT(offsetof(struct decant_places, storage) == 16, "storage");
#undef DECANT_ASSERT
#endif

/* Decodes a document. `out` is written on success only; give it back with place_free(). `error`
 * may be NULL. Returns DECANT_OK, or what is wrong; several things at once are DECANT_MULTIPLE. */
decant_status decode_place(
    const char *json, size_t length, struct decant_place *out, decant_error *error);

/* Gives back what decode_place() allocated. NULL, and a struct that was freed before, are fine. */
void place_free(struct decant_place *value);

/* Decodes a document. `out` is written on success only; give it back with places_free(). `error`
 * may be NULL. Returns DECANT_OK, or what is wrong; several things at once are DECANT_MULTIPLE. */
decant_status decode_places(
    const char *json, size_t length, struct decant_places *out, decant_error *error);

/* Gives back what decode_places() allocated. NULL, and a struct that was freed before, are fine. */
void places_free(struct decant_places *value);

#ifdef __cplusplus
}
#endif

#endif
