/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The machine's counter of instructions, where Linux lets a program have it.
 */
#define _GNU_SOURCE
#include "CUses.h"

#if defined(__linux__)

#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int instructions_open(void) {
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}

int64_t instructions_read(int counter) {
  int64_t count = 0;
  return read(counter, &count, sizeof count) == (ssize_t)sizeof count ? count : -1;
}

#else

int instructions_open(void) { return -1; }

int64_t instructions_read(int counter) {
  (void)counter;
  return -1;
}

#endif
