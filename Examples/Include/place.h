/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Top places: {"places": {"place": [{"place_url": …, "timezone": …, "photo_count": "12",
 * "_content": …}, …]}}.
 */
#ifndef DECANT_PLACE_H
#define DECANT_PLACE_H

#include <decant.h>

#ifdef __cplusplus
extern "C" {
#endif

struct decant_place {
  const char *place_url;
  size_t place_url_length;
  const char *time_zone;
  size_t time_zone_length;
  int64_t photo_count; /* 0 when the document's text is no number */
  const char *content;
  size_t content_length;
  void *storage; /* NULL inside a list, which owns the memory */
};

struct decant_places {
  struct decant_place *items; /* NULL when there are none */
  size_t count;
  void *storage;
};

/* Decodes the whole list; free it with places_free(). */
decant_status decode_places(
    const char *json, size_t length, struct decant_places *out, decant_error *error);

void places_free(struct decant_places *places);

#ifdef __cplusplus
}
#endif

#endif
