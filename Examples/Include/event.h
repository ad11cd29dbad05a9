/* event.h: written by decant-header from Swift models; not to be edited.
 *
 * Events of a stream that has a document a line: {"time": …, "kind": "view", …}.
 *
 * decant.h says what holds for all functions and strings.
 */
#ifndef DECANT_EVENT_H
#define DECANT_EVENT_H

#include <decant.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  DECANT_EVENT_OTHER = 0,
  DECANT_EVENT_SIGNUP = 1,
  DECANT_EVENT_VIEW = 2,
  DECANT_EVENT_PURCHASE = 3
};

/* Something that was bought. */
struct decant_event_item {
  const char *name;
  size_t name_length;
  int64_t quantity;
};

/* An event. Which members are set depends on its kind; the others are zero. */
struct decant_event {
  const char *time;
  size_t time_length;
  int32_t kind;                    /* DECANT_EVENT_… */
  struct decant_user *user;        /* of a signup; the event owns its memory; NULL if missing */
  int64_t user_id;                 /* of a view and a purchase */
  const char *path;                /* of a view; NULL if missing */
  size_t path_length;
  double total;                    /* of a purchase */
  struct decant_event_item *items; /* of a purchase; NULL when there are none */
  size_t items_length;
  const char *kind_name;           /* of another kind; NULL if missing */
  size_t kind_name_length;
  const char *rest;                /* an event of another kind, as it came; NULL if missing */
  size_t rest_length;
  void *storage;                   /* the memory behind the pointers; NULL inside other structs */
};

/* The layout that the library writes. */
#if defined __cplusplus
#define DECANT_ASSERT static_assert
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define DECANT_ASSERT _Static_assert
#endif
#ifdef DECANT_ASSERT
DECANT_ASSERT(sizeof(struct decant_event_item) == 24, "struct decant_event_item");
DECANT_ASSERT(offsetof(struct decant_event_item, name) == 0, "name");
DECANT_ASSERT(offsetof(struct decant_event_item, name_length) == 8, "name_length");
DECANT_ASSERT(offsetof(struct decant_event_item, quantity) == 16, "quantity");
DECANT_ASSERT(sizeof(struct decant_event) == 120, "struct decant_event");
DECANT_ASSERT(offsetof(struct decant_event, time) == 0, "time");
DECANT_ASSERT(offsetof(struct decant_event, time_length) == 8, "time_length");
DECANT_ASSERT(offsetof(struct decant_event, kind) == 16, "kind");
DECANT_ASSERT(offsetof(struct decant_event, user) == 24, "user");
DECANT_ASSERT(offsetof(struct decant_event, user_id) == 32, "user_id");
DECANT_ASSERT(offsetof(struct decant_event, path) == 40, "path");
DECANT_ASSERT(offsetof(struct decant_event, path_length) == 48, "path_length");
DECANT_ASSERT(offsetof(struct decant_event, total) == 56, "total");
DECANT_ASSERT(offsetof(struct decant_event, items) == 64, "items");
DECANT_ASSERT(offsetof(struct decant_event, items_length) == 72, "items_length");
DECANT_ASSERT(offsetof(struct decant_event, kind_name) == 80, "kind_name");
DECANT_ASSERT(offsetof(struct decant_event, kind_name_length) == 88, "kind_name_length");
DECANT_ASSERT(offsetof(struct decant_event, rest) == 96, "rest");
DECANT_ASSERT(offsetof(struct decant_event, rest_length) == 104, "rest_length");
DECANT_ASSERT(offsetof(struct decant_event, storage) == 112, "storage");
#undef DECANT_ASSERT
#endif

/* Decodes a document. `out` is written on success only; give it back with event_free(). `error`
 * may be NULL. Returns DECANT_OK, or what is wrong; several things at once are DECANT_MULTIPLE. */
decant_status decode_event(
    const char *json, size_t length, struct decant_event *out, decant_error *error);

/* Gives back what decode_event() allocated. NULL, and a struct that was freed before, are fine. */
void event_free(struct decant_event *value);

/* Decodes a document a line. `function` is called for every line that is not blank, with a
 * struct or with NULL and the error; both live until it returns, and there is nothing to free.
 * It returns 0 to go on. `line` counts from 1, and places of errors from the beginning of the
 * stream. Returns DECANT_OK, but for arguments. */
decant_status decode_event_lines(
    const char *json, size_t length,
    int (*function)(
        void *context, int64_t line, const struct decant_event *value,
        const decant_error *error),
    void *context, decant_error *error);

#ifdef __cplusplus
}
#endif

/* Structs that are pointed to. */
#include "user.h"

#endif
