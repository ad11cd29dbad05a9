/* shop.h: written by decant-header from Swift models; not to be edited.
 *
 * Orders of a shop.
 *
 * decant.h says what holds for all functions and strings.
 */
#ifndef SHOP_SHOP_H
#define SHOP_SHOP_H

#include <decant.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SHOP_STATE_OPEN = 0,
  SHOP_STATE_PAID = 1,
  SHOP_STATE_SENT_BACK = 2
};

enum {
  SHOP_WRAPPING_PAPER = 1,
  SHOP_WRAPPING_RIBBON = 2,
  SHOP_WRAPPING_CARD = 4
};

/* Where something goes. */
struct shop_address {
  const char *street;
  size_t street_length;
  uint32_t zip;
};

/* Something in an order. */
struct shop_item {
  const char *name;
  size_t name_length;
  uint8_t count;
  double price;            /* of one */
  struct shop_item *parts; /* what it is made of; NULL when there are none */
  size_t parts_length;
};

/* An order. */
struct shop_order {
  int64_t number;
  int32_t state;                 /* SHOP_STATE_… */
  int32_t former_state;          /* SHOP_STATE_… */
  bool has_former_state;
  bool is_gift;
  float discount;                /* 0 to 1 */
  bool has_discount;
  uint32_t wrapping;             /* SHOP_WRAPPING_…, or-ed */
  struct shop_address billing;
  struct shop_address *shipping; /* where it is not the same; NULL if missing */
  struct shop_item *items;       /* NULL when there are none */
  size_t items_length;
  decant_text *tags;             /* NULL when there are none */
  size_t tags_length;
  int16_t *weights;              /* in grams; NULL when there are none */
  size_t weights_length;
  const char *note;              /* NULL if missing */
  size_t note_length;
  void *storage;                 /* the memory behind the pointers; NULL inside other structs */
};

/* Several, in the order of the document. */
struct shop_orders {
  struct shop_order *items; /* NULL when there are none */
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
DECANT_ASSERT(sizeof(struct shop_address) == 24, "struct shop_address");
DECANT_ASSERT(offsetof(struct shop_address, street) == 0, "street");
DECANT_ASSERT(offsetof(struct shop_address, street_length) == 8, "street_length");
DECANT_ASSERT(offsetof(struct shop_address, zip) == 16, "zip");
DECANT_ASSERT(sizeof(struct shop_item) == 48, "struct shop_item");
DECANT_ASSERT(offsetof(struct shop_item, name) == 0, "name");
DECANT_ASSERT(offsetof(struct shop_item, name_length) == 8, "name_length");
DECANT_ASSERT(offsetof(struct shop_item, count) == 16, "count");
DECANT_ASSERT(offsetof(struct shop_item, price) == 24, "price");
DECANT_ASSERT(offsetof(struct shop_item, parts) == 32, "parts");
DECANT_ASSERT(offsetof(struct shop_item, parts_length) == 40, "parts_length");
DECANT_ASSERT(sizeof(struct shop_order) == 136, "struct shop_order");
DECANT_ASSERT(offsetof(struct shop_order, number) == 0, "number");
DECANT_ASSERT(offsetof(struct shop_order, state) == 8, "state");
DECANT_ASSERT(offsetof(struct shop_order, former_state) == 12, "former_state");
DECANT_ASSERT(offsetof(struct shop_order, has_former_state) == 16, "has_former_state");
DECANT_ASSERT(offsetof(struct shop_order, is_gift) == 17, "is_gift");
DECANT_ASSERT(offsetof(struct shop_order, discount) == 20, "discount");
DECANT_ASSERT(offsetof(struct shop_order, has_discount) == 24, "has_discount");
DECANT_ASSERT(offsetof(struct shop_order, wrapping) == 28, "wrapping");
DECANT_ASSERT(offsetof(struct shop_order, billing) == 32, "billing");
DECANT_ASSERT(offsetof(struct shop_order, shipping) == 56, "shipping");
DECANT_ASSERT(offsetof(struct shop_order, items) == 64, "items");
DECANT_ASSERT(offsetof(struct shop_order, items_length) == 72, "items_length");
DECANT_ASSERT(offsetof(struct shop_order, tags) == 80, "tags");
DECANT_ASSERT(offsetof(struct shop_order, tags_length) == 88, "tags_length");
DECANT_ASSERT(offsetof(struct shop_order, weights) == 96, "weights");
DECANT_ASSERT(offsetof(struct shop_order, weights_length) == 104, "weights_length");
DECANT_ASSERT(offsetof(struct shop_order, note) == 112, "note");
DECANT_ASSERT(offsetof(struct shop_order, note_length) == 120, "note_length");
DECANT_ASSERT(offsetof(struct shop_order, storage) == 128, "storage");
#undef DECANT_ASSERT
#endif

/* Decodes a document. `out` is written on success only; give it back with order_free(). `error`
 * may be NULL. Returns DECANT_OK, or what is wrong; several things at once are DECANT_MULTIPLE. */
decant_status decode_order(
    const char *json, size_t length, struct shop_order *out, decant_error *error);

/* Gives back what decode_order() allocated. NULL, and a struct that was freed before, are fine. */
void order_free(struct shop_order *value);

/* Decodes a document that is an array: all of it, or nothing and the errors of every element
 * that fails. Give it back with orders_free(). */
decant_status decode_orders(
    const char *json, size_t length, struct shop_orders *out, decant_error *error);

/* Gives back what decode_orders() allocated. NULL, and what was freed before, are fine. */
void orders_free(struct shop_orders *values);

/* Decodes a document a line. `function` is called for every line that is not blank, with a
 * struct or with NULL and the error; both live until it returns, and there is nothing to free.
 * It returns 0 to go on. `line` counts from 1, and places of errors from the beginning of the
 * stream. Returns DECANT_OK, but for arguments. */
decant_status decode_order_lines(
    const char *json, size_t length,
    int (*function)(
        void *context, int64_t line, const struct shop_order *value,
        const decant_error *error),
    void *context, decant_error *error);

#ifdef __cplusplus
}
#endif

#endif
