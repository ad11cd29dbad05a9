/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Users: {"id": 5, "name": "Tester", "email": "tester@test.com"}, where the email may be absent or
 * null. What holds for every decode_ and _free function stands in decant.h.
 */
#ifndef DECANT_USER_H
#define DECANT_USER_H

#include <decant.h>

#ifdef __cplusplus
extern "C" {
#endif

struct decant_user {
  int64_t id;
  const char *name; /* UTF-8, with a NUL byte after it */
  size_t name_length;
  const char *email; /* NULL when absent or null */
  size_t email_length;
  void *storage; /* the memory of the strings; user_free() gives it back */
};

/* Several users, in the order of the document. */
struct decant_users {
  struct decant_user *items; /* NULL when there are none */
  size_t count;
  void *storage; /* the memory of everything; users_free() gives it back */
};

/* Decodes a document that is one user. `out` is written on success only; free it with user_free().
 * `error` may be NULL. Returns DECANT_OK, or what went wrong: {"id":"5","name":"Tester"} is
 * DECANT_TYPE_MISMATCH, {"id":5} is DECANT_MISSING_KEY, both at once are DECANT_MULTIPLE. */
decant_status decode_user(
    const char *json, size_t length, struct decant_user *out, decant_error *error);

/* Gives back what decode_user() allocated. NULL, and a user that was freed before, are fine. */
void user_free(struct decant_user *user);

/* Decodes a document that is an array of users, or an object that has one at "users". All of them,
 * or none: the errors of all that fail are in `error`. Free `out` with users_free(). */
decant_status decode_users(
    const char *json, size_t length, struct decant_users *out, decant_error *error);

/* Gives back what decode_users() allocated, all users together. NULL, and a list that was freed
 * before, are fine. */
void users_free(struct decant_users *users);

#ifdef __cplusplus
}
#endif

#endif
