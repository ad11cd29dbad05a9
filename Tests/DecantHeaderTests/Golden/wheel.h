/* wheel.h: written by decant-header from Swift models; not to be edited.
 *
 * decant.h says what holds for all functions and strings.
 */
#ifndef DECANT_WHEEL_H
#define DECANT_WHEEL_H

#include <decant.h>

#ifdef __cplusplus
extern "C" {
#endif

struct decant_wheel {
  struct decant_cart *carts; /* NULL when there are none */
  size_t carts_length;
  struct decant_axle *axle;  /* NULL if missing */
};

struct decant_axle {
  struct decant_cart *carts; /* NULL if missing */
  struct decant_wheel left;
};

/* The layout that the library writes. */
#if defined __cplusplus
#define DECANT_ASSERT static_assert
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define DECANT_ASSERT _Static_assert
#endif
#ifdef DECANT_ASSERT
DECANT_ASSERT(sizeof(struct decant_wheel) == 24, "struct decant_wheel");
DECANT_ASSERT(offsetof(struct decant_wheel, carts) == 0, "carts");
DECANT_ASSERT(offsetof(struct decant_wheel, carts_length) == 8, "carts_length");
DECANT_ASSERT(offsetof(struct decant_wheel, axle) == 16, "axle");
DECANT_ASSERT(sizeof(struct decant_axle) == 32, "struct decant_axle");
DECANT_ASSERT(offsetof(struct decant_axle, carts) == 0, "carts");
DECANT_ASSERT(offsetof(struct decant_axle, left) == 8, "left");
#undef DECANT_ASSERT
#endif

#ifdef __cplusplus
}
#endif

/* Structs that are pointed to. */
#include "cart.h"

#endif
