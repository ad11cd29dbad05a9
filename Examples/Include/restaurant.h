/* restaurant.h: written by decant-header from Swift models; not to be edited.
 *
 * A page of restaurants: {"query": …, "results_count": …, "page": …, "results": [{"name": …,
 * "coordinates": {"lat": …, "lng": …}, "meals": ["breakfast", "lunch", "dinner"]}, …]}.
 *
 * decant.h says what holds for all functions and strings.
 */
#ifndef DECANT_RESTAURANT_H
#define DECANT_RESTAURANT_H

#include <decant.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A place on Earth, in degrees. */
struct decant_coordinates {
  double latitude;  /* -90 to 90 */
  double longitude; /* -180 to 180 */
};

enum {
  DECANT_MEAL_BREAKFAST = 1,
  DECANT_MEAL_LUNCH = 2,
  DECANT_MEAL_DINNER = 4
};

/* A restaurant. An unknown meal, and coordinates out of range, are DECANT_INVALID_VALUE. */
struct decant_restaurant {
  const char *name;
  size_t name_length;
  struct decant_coordinates location;
  uint32_t meals; /* DECANT_MEAL_…, or-ed */
  void *storage;  /* the memory behind the pointers; NULL inside other structs */
};

/* Several, in the order of the document. */
struct decant_restaurants {
  struct decant_restaurant *items; /* NULL when there are none */
  size_t count;
  void *storage; /* the memory of all of them */
};

/* One page of a search's results. */
struct decant_restaurant_page {
  const char *query;
  size_t query_length;
  int64_t results_count;             /* on all pages */
  int64_t page;
  struct decant_restaurant *results; /* NULL when there are none */
  size_t results_length;
  void *storage;                     /* the memory behind the pointers; NULL inside other structs */
};

/* The layout that the library writes. */
#if defined __cplusplus
#define DECANT_ASSERT static_assert
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define DECANT_ASSERT _Static_assert
#endif
#ifdef DECANT_ASSERT
DECANT_ASSERT(sizeof(struct decant_coordinates) == 16, "struct decant_coordinates");
DECANT_ASSERT(offsetof(struct decant_coordinates, latitude) == 0, "latitude");
DECANT_ASSERT(offsetof(struct decant_coordinates, longitude) == 8, "longitude");
DECANT_ASSERT(sizeof(struct decant_restaurant) == 48, "struct decant_restaurant");
DECANT_ASSERT(offsetof(struct decant_restaurant, name) == 0, "name");
DECANT_ASSERT(offsetof(struct decant_restaurant, name_length) == 8, "name_length");
DECANT_ASSERT(offsetof(struct decant_restaurant, location) == 16, "location");
DECANT_ASSERT(offsetof(struct decant_restaurant, meals) == 32, "meals");
DECANT_ASSERT(offsetof(struct decant_restaurant, storage) == 40, "storage");
DECANT_ASSERT(sizeof(struct decant_restaurant_page) == 56, "struct decant_restaurant_page");
DECANT_ASSERT(offsetof(struct decant_restaurant_page, query) == 0, "query");
DECANT_ASSERT(offsetof(struct decant_restaurant_page, query_length) == 8, "query_length");
DECANT_ASSERT(offsetof(struct decant_restaurant_page, results_count) == 16, "results_count");
DECANT_ASSERT(offsetof(struct decant_restaurant_page, page) == 24, "page");
DECANT_ASSERT(offsetof(struct decant_restaurant_page, results) == 32, "results");
DECANT_ASSERT(offsetof(struct decant_restaurant_page, results_length) == 40, "results_length");
DECANT_ASSERT(offsetof(struct decant_restaurant_page, storage) == 48, "storage");
#undef DECANT_ASSERT
#endif

/* Decodes a document. `out` is written on success only; give it back with restaurant_free().
 * `error` may be NULL. Returns DECANT_OK, or what is wrong; several things at once are
 * DECANT_MULTIPLE. */
decant_status decode_restaurant(
    const char *json, size_t length, struct decant_restaurant *out, decant_error *error);

/* Gives back what decode_restaurant() allocated. NULL, and a struct that was freed before, are
 * fine. */
void restaurant_free(struct decant_restaurant *value);

/* Decodes a document that is an array: all of it, or nothing and the errors of every element
 * that fails. Give it back with restaurants_free(). */
decant_status decode_restaurants(
    const char *json, size_t length, struct decant_restaurants *out, decant_error *error);

/* Gives back what decode_restaurants() allocated. NULL, and what was freed before, are fine. */
void restaurants_free(struct decant_restaurants *values);

/* Decodes a document. `out` is written on success only; give it back with
 * restaurant_page_free(). `error` may be NULL. Returns DECANT_OK, or what is wrong; several
 * things at once are DECANT_MULTIPLE. */
decant_status decode_restaurant_page(
    const char *json, size_t length, struct decant_restaurant_page *out, decant_error *error);

/* Gives back what decode_restaurant_page() allocated. NULL, and a struct that was freed before,
 * are fine. */
void restaurant_page_free(struct decant_restaurant_page *value);

#ifdef __cplusplus
}
#endif

#endif
