/* message.h: written by decant-header from Swift models; not to be edited.
 *
 * decant.h says what holds for all functions and strings.
 */
#ifndef DECANT_MESSAGE_H
#define DECANT_MESSAGE_H

#include <decant.h>

#ifdef __cplusplus
extern "C" {
#endif

struct decant_order {
  int64_t id;
  const char *note; /* NULL if missing */
  size_t note_length;
};

struct decant_payment {
  uint8_t amount;
};

enum {
  DECANT_MESSAGE_ORDER = 0,
  DECANT_MESSAGE_PAYMENT = 1,
  DECANT_MESSAGE_KEEP_ALIVE = 2
};

/* What a queue hands out. */
struct decant_message {
  int32_t type;  /* which one it is */
  union {
    struct decant_order order;
    struct decant_payment payment;
  } of;
  void *storage; /* the memory behind the pointers; NULL inside other structs */
};

/* The layout that the library writes. */
#if defined __cplusplus
#define DECANT_ASSERT static_assert
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define DECANT_ASSERT _Static_assert
#endif
#ifdef DECANT_ASSERT
DECANT_ASSERT(sizeof(struct decant_order) == 24, "struct decant_order");
DECANT_ASSERT(offsetof(struct decant_order, id) == 0, "id");
DECANT_ASSERT(offsetof(struct decant_order, note) == 8, "note");
DECANT_ASSERT(offsetof(struct decant_order, note_length) == 16, "note_length");
DECANT_ASSERT(sizeof(struct decant_payment) == 1, "struct decant_payment");
DECANT_ASSERT(offsetof(struct decant_payment, amount) == 0, "amount");
DECANT_ASSERT(sizeof(struct decant_message) == 40, "struct decant_message");
DECANT_ASSERT(offsetof(struct decant_message, type) == 0, "type");
DECANT_ASSERT(offsetof(struct decant_message, of) == 8, "of");
DECANT_ASSERT(offsetof(struct decant_message, storage) == 32, "storage");
#undef DECANT_ASSERT
#endif

/* Decodes a document. `out` is written on success only; give it back with message_free().
 * `error` may be NULL. Returns DECANT_OK, or what is wrong; several things at once are
 * DECANT_MULTIPLE. */
decant_status decode_message(
    const char *json, size_t length, struct decant_message *out, decant_error *error);

/* Gives back what decode_message() allocated. NULL, and a struct that was freed before, are
 * fine. */
void message_free(struct decant_message *value);

/* Writes a struct as JSON into a buffer of `capacity` bytes, as decant_encode() does: `length`
 * is set to the length of the text. Returns DECANT_OK; DECANT_BUFFER_TOO_SMALL if it does not
 * fit; or what is wrong. NULL and 0 for the buffer measure. */
decant_status encode_message(
    const struct decant_message *value, char *buffer, size_t capacity, size_t *length,
    decant_error *error);

/* Decodes a document a line. `function` is called for every line that is not blank, with a
 * struct or with NULL and the error; both live until it returns, and there is nothing to free.
 * It returns 0 to go on. `line` counts from 1, and places of errors from the beginning of the
 * stream. Returns DECANT_OK, but for arguments. */
decant_status decode_message_lines(
    const char *json, size_t length,
    int (*function)(
        void *context, int64_t line, const struct decant_message *value,
        const decant_error *error),
    void *context, decant_error *error);

#ifdef __cplusplus
}
#endif

#endif
