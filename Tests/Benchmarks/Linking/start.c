/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Starts a program again and again and prints, in milliseconds, the least time from there to the time that it
 * writes.
 *
 *   start TIMES PROGRAM
 */
#define _POSIX_C_SOURCE 200809L

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double milliseconds(const struct timespec *time) {
  return (double)time->tv_sec * 1e3 + (double)time->tv_nsec / 1e6;
}

/* Negative if the program fails. */
static double start(char *program) {
  int ends[2], status;
  pid_t child;
  struct timespec before, after;
  char *arguments[] = {program, NULL};
  posix_spawn_file_actions_t actions;
  if (pipe(ends) != 0) return -1;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  clock_gettime(CLOCK_MONOTONIC, &before);
  if (posix_spawn(&child, program, &actions, NULL, arguments, environ) != 0) return -1;
  close(ends[1]);
  const ssize_t count = read(ends[0], &after, sizeof after);
  close(ends[0]);
  posix_spawn_file_actions_destroy(&actions);
  if (waitpid(child, &status, 0) != child || status != 0 || count != (ssize_t)sizeof after)
    return -1;
  return milliseconds(&after) - milliseconds(&before);
}

int main(int count, char **arguments) {
  double best = 1e9;
  if (count != 3) return 2;
  for (int run = atoi(arguments[1]); run > 0; run--) {
    const double time = start(arguments[2]);
    if (time < 0) return 1;
    if (time < best) best = time;
  }
  printf("%.2f\n", best);
  return 0;
}
