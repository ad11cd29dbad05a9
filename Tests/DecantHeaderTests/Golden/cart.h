/* cart.h: written by decant-header from Swift models; not to be edited.
 *
 * decant.h says what holds for all functions and strings.
 */
#ifndef DECANT_CART_H
#define DECANT_CART_H

#include <decant.h>

#include "wheel.h"

#ifdef __cplusplus
extern "C" {
#endif

struct decant_cart {
  struct decant_wheel wheel;
  void *storage; /* the memory behind the pointers; NULL inside other structs */
};

/* The layout that the library writes. */
#if defined __cplusplus
#define DECANT_ASSERT static_assert
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define DECANT_ASSERT _Static_assert
#endif
#ifdef DECANT_ASSERT
DECANT_ASSERT(sizeof(struct decant_cart) == 32, "struct decant_cart");
DECANT_ASSERT(offsetof(struct decant_cart, wheel) == 0, "wheel");
DECANT_ASSERT(offsetof(struct decant_cart, storage) == 24, "storage");
#undef DECANT_ASSERT
#endif

/* Decodes a document. `out` is written on success only; give it back with cart_free(). `error`
 * may be NULL. Returns DECANT_OK, or what is wrong; several things at once are DECANT_MULTIPLE. */
decant_status decode_cart(
    const char *json, size_t length, struct decant_cart *out, decant_error *error);

/* Gives back what decode_cart() allocated. NULL, and a struct that was freed before, are fine. */
void cart_free(struct decant_cart *value);

#ifdef __cplusplus
}
#endif

#endif
