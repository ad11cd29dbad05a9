/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * One struct, decoded; then the time, for start.c, which started this program. Compiled WITHOUT_DECANT, it is
 * what every program costs.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <time.h>
#include <unistd.h>

#ifndef WITHOUT_DECANT
#include <decant.h>

struct user {
  int64_t id;
  const char *name, *email;
  void *storage;
};
static const decant_field fields[] = {
    {.key = "id", .kind = DECANT_INT64, .offset = offsetof(struct user, id)},
    {.key = "name", .kind = DECANT_STRING, .offset = offsetof(struct user, name)},
    {.key = "email", .kind = DECANT_STRING, .offset = offsetof(struct user, email)}};
static const decant_record record = {.size = sizeof(struct user),
                                     .fields = fields,
                                     .field_count = 3,
                                     .storage_offset = offsetof(struct user, storage)};
static const char json[] = "{\"id\":1,\"name\":\"Cool User\",\"email\":\"u.cool@example.com\"}";
#endif

int main(void) {
#ifndef WITHOUT_DECANT
  struct user user;
  if (decant_decode(&record, json, sizeof json - 1, &user, NULL) != DECANT_OK || user.id != 1)
    return 1;
#endif
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (write(1, &now, sizeof now) != sizeof now) return 1;
#ifndef WITHOUT_DECANT
  decant_free(&record, &user);
#endif
  return 0;
}
