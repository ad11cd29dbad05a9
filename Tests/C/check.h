/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Counting checks. The last line of a test program is "N passed, N failed".
 *
 * Where each round of a loop is dear, in valgrind, with a sanitizer or in an emulator, DECANT_FEWER_ROUNDS in the
 * environment or of the compiler says of how many rounds one is run, and what takes times is left out. Where one failure
 * is all that counts, DECANT_STOP_AT_FAILURE ends the program with it.
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
    if (getenv("DECANT_STOP_AT_FAILURE") != NULL) exit(1);
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

static inline int one_round_in(void) {
#ifdef DECANT_FEWER_ROUNDS
  return DECANT_FEWER_ROUNDS;
#else
  const char *given = getenv("DECANT_FEWER_ROUNDS");
  return given != NULL && atoi(given) > 1 ? atoi(given) : 1;
#endif
}
static inline bool has_fewer_rounds(void) { return one_round_in() > 1; }
static inline int rounds(int count) { return (count + one_round_in() - 1) / one_round_in(); }

static inline int check_end(void) {
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}

#endif
