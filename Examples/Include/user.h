/* user.h: written by decant-header from Swift models; not to be edited.
 *
 * Users: {"id": 5, "name": "Tester", "email": "tester@test.com"}, where the email may be absent
 * or null. {"id": "5", "name": "Tester"} is DECANT_TYPE_MISMATCH, {"id": 5} is
 * DECANT_MISSING_KEY.
 *
 * decant.h says what holds for all functions and strings.
 */
#ifndef DECANT_USER_H
#define DECANT_USER_H

#include <decant.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A user. */
struct decant_user {
  int64_t id;
  const char *name;  /* UTF-8, with a NUL byte after it */
  size_t name_length;
  const char *email; /* absent and null are the same; NULL if missing */
  size_t email_length;
  void *storage;     /* the memory behind the pointers; NULL inside other structs */
};

/* Users, in the order of a document that is an array, or has one at "users". */
struct decant_users {
  struct decant_user *items; /* NULL when there are none */
  size_t count;
  void *storage;             /* the memory behind the pointers; NULL inside other structs */
};

/* The layout that the library writes. */
#if defined __cplusplus
#define DECANT_ASSERT static_assert
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define DECANT_ASSERT _Static_assert
#endif
#ifdef DECANT_ASSERT
DECANT_ASSERT(sizeof(struct decant_user) == 48, "struct decant_user");
DECANT_ASSERT(offsetof(struct decant_user, id) == 0, "id");
DECANT_ASSERT(offsetof(struct decant_user, name) == 8, "name");
DECANT_ASSERT(offsetof(struct decant_user, name_length) == 16, "name_length");
DECANT_ASSERT(offsetof(struct decant_user, email) == 24, "email");
DECANT_ASSERT(offsetof(struct decant_user, email_length) == 32, "email_length");
DECANT_ASSERT(offsetof(struct decant_user, storage) == 40, "storage");
DECANT_ASSERT(sizeof(struct decant_users) == 24, "struct decant_users");
DECANT_ASSERT(offsetof(struct decant_users, items) == 0, "items");
DECANT_ASSERT(offsetof(struct decant_users, count) == 8, "count");
DECANT_ASSERT(offsetof(struct decant_users, storage) == 16, "storage");
#undef DECANT_ASSERT
#endif

/* Decodes a document. `out` is written on success only; give it back with user_free(). `error`
 * may be NULL. Returns DECANT_OK, or what is wrong; several things at once are DECANT_MULTIPLE. */
decant_status decode_user(
    const char *json, size_t length, struct decant_user *out, decant_error *error);

/* Gives back what decode_user() allocated. NULL, and a struct that was freed before, are fine. */
void user_free(struct decant_user *value);

/* Writes a struct as JSON into a buffer of `capacity` bytes, as decant_encode() does: `length`
 * is set to the length of the text. Returns DECANT_OK; DECANT_BUFFER_TOO_SMALL if it does not
 * fit; or what is wrong. NULL and 0 for the buffer measure. */
decant_status encode_user(
    const struct decant_user *value, char *buffer, size_t capacity, size_t *length,
    decant_error *error);

/* Decodes a document. `out` is written on success only; give it back with users_free(). `error`
 * may be NULL. Returns DECANT_OK, or what is wrong; several things at once are DECANT_MULTIPLE. */
decant_status decode_users(
    const char *json, size_t length, struct decant_users *out, decant_error *error);

/* Gives back what decode_users() allocated. NULL, and a struct that was freed before, are fine. */
void users_free(struct decant_users *value);

/* Writes a struct as JSON into a buffer of `capacity` bytes, as decant_encode() does: `length`
 * is set to the length of the text. Returns DECANT_OK; DECANT_BUFFER_TOO_SMALL if it does not
 * fit; or what is wrong. NULL and 0 for the buffer measure. */
decant_status encode_users(
    const struct decant_users *value, char *buffer, size_t capacity, size_t *length,
    decant_error *error);

#ifdef __cplusplus
}
#endif

#endif
