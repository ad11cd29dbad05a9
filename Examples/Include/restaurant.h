/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * A page of restaurants: {"query": …, "results_count": …, "page": …, "results": [{"name": …,
 * "coordinates": {"lat": …, "lng": …}, "meals": ["breakfast", "lunch", "dinner"]}, …]}.
 */
#ifndef DECANT_RESTAURANT_H
#define DECANT_RESTAURANT_H

#include <decant.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bits of decant_restaurant.meals. */
enum { DECANT_MEAL_BREAKFAST = 1, DECANT_MEAL_LUNCH = 2, DECANT_MEAL_DINNER = 4 };

struct decant_restaurant {
  const char *name;
  size_t name_length;
  double latitude;  /* -90 to 90 */
  double longitude; /* -180 to 180 */
  uint32_t meals;   /* of DECANT_MEAL_… */
  void *storage;    /* NULL inside a page, which owns the memory */
};

struct decant_restaurant_page {
  const char *query;
  size_t query_length;
  int64_t results_count;
  int64_t page;
  struct decant_restaurant *results; /* NULL when there are none */
  size_t results_length;
  void *storage;
};

/* Decodes a page; free it with restaurant_page_free(). An unknown meal, and coordinates out of
 * range, are DECANT_INVALID_VALUE. */
decant_status decode_restaurant_page(
    const char *json, size_t length, struct decant_restaurant_page *out, decant_error *error);

void restaurant_page_free(struct decant_restaurant_page *page);

#ifdef __cplusplus
}
#endif

#endif
