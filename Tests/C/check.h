/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Counting checks. The last line of a test program is "N passed, N failed".
 *
 * Where each round of a loop is dear, in valgrind, with a sanitizer or in an emulator, DECANT_FEWER_ROUNDS in the
 * environment or of the compiler makes them a fourth, and what takes times is left out.
 */
#ifndef CHECK_H
#define CHECK_H

#include <decant.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned passed, failed;

static inline bool check_at(bool fine, const char *what, int line) {
  if (fine) {
    passed++;
  } else {
    failed++;
    printf("FAILED in line %d: %s\n", line, what);
  }
  return fine;
}
#define check(fine, what) check_at(fine, what, __LINE__)

/* Two texts are the same; shows both if not. */
static inline void check_text_at(const char *found, const char *expected, int line) {
  bool same = found == expected || (found && expected && strcmp(found, expected) == 0);
  if (!same) {
    printf("expected: %s\n   found: %s\n", expected ? expected : "NULL", found ? found : "NULL");
  }
  check_at(same, "the texts are the same", line);
}
#define check_text(found, expected) check_text_at(found, expected, __LINE__)

static inline bool has_fewer_rounds(void) {
#ifdef DECANT_FEWER_ROUNDS
  return true;
#else
  return getenv("DECANT_FEWER_ROUNDS") != NULL;
#endif
}
static inline int rounds(int count) { return has_fewer_rounds() ? (count + 3) / 4 : count; }

static inline int check_end(void) {
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}

#endif
