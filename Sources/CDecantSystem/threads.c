// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Threads that run during a call, and a clock: decant_system.h.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // sched_getaffinity
#endif

#include "decant_system.h"

#include <time.h>

int64_t decant_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#if defined(__wasi__)

size_t decant_processor_count(void) { return 1; }

void decant_run_on_threads(size_t count, void (*work)(void *context), void *context) {
  (void)count;
  work(context);
}

#else

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#endif

#define MOST_THREADS ((size_t)1024)
#define STACK_SIZE   ((size_t)8 << 20)

size_t decant_processor_count(void) {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    return (size_t)CPU_COUNT(&set);
#endif
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (size_t)count : 1;
}

struct job {
  void (*work)(void *context);
  void *context;
};

static void *start(void *argument) {
  const struct job *job = argument;
  job->work(job->context);
  return NULL;
}

void decant_run_on_threads(size_t count, void (*work)(void *context), void *context) {
  struct job job = {work, context};
  if (count > MOST_THREADS) count = MOST_THREADS;
  pthread_t *threads = count > 1 ? malloc((count - 1) * sizeof *threads) : NULL;
  size_t started = 0;
  pthread_attr_t attributes;
  if (threads != NULL && pthread_attr_init(&attributes) == 0) {
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    while (started < count - 1 && pthread_create(&threads[started], &attributes, start, &job) == 0)
      started++;
    pthread_attr_destroy(&attributes);
  }
  work(context);
  for (size_t thread = 0; thread < started; thread++) pthread_join(threads[thread], NULL);
  free(threads);
}

#endif
