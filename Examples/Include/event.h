/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * One event of a stream that has a document a line: {"time": …, "kind": "view", …}.
 */
#ifndef DECANT_EVENT_H
#define DECANT_EVENT_H

#include <decant.h>

#include "user.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What decant_event.kind is, and so which of its fields are set; the others are zero. */
enum {
  DECANT_EVENT_OTHER = 0,    /* kind_name, rest */
  DECANT_EVENT_SIGNUP = 1,   /* user */
  DECANT_EVENT_VIEW = 2,     /* user_id, path */
  DECANT_EVENT_PURCHASE = 3  /* user_id, total, items */
};

struct decant_event_item {
  const char *name;
  size_t name_length;
  int64_t quantity;
  void *storage; /* NULL: the event owns the memory */
};

struct decant_event {
  const char *time;
  size_t time_length;
  int32_t kind; /* DECANT_EVENT_… */
  const char *kind_name;
  size_t kind_name_length;
  struct decant_user user; /* not to be freed: the event owns the memory */
  int64_t user_id;
  const char *path;
  size_t path_length;
  double total;
  struct decant_event_item *items; /* NULL when there are none */
  size_t items_length;
  const char *rest; /* an event of another kind, as it came */
  size_t rest_length;
  void *storage;
};

/* Decodes one event; free it with event_free(). */
decant_status decode_event(
    const char *json, size_t length, struct decant_event *out, decant_error *error);

void event_free(struct decant_event *event);

#ifdef __cplusplus
}
#endif

#endif
