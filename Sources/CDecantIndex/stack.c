// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The stack guard's limit: decant_stack.h.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // pthread_getattr_np
#endif

#include "decant_stack.h"

#ifdef DECANT_STACK_GUARD

#include <pthread.h>
#include <stddef.h>

// The stack that must be left below a frame that may descend: a quarter of the stack, within bounds. It is for the
// program's frames down to the next check, Decant's frames between them, and the error. The frames of a model are large:
// 11 KB for an unoptimized `init(from:)` of 1.5 KB. An error takes 17 KB, and 11 more if the Swift runtime makes metadata.
#define LEAST_RESERVE ((uintptr_t)48 << 10)
#define MOST_RESERVE  ((uintptr_t)512 << 10)

static uintptr_t reserve(uintptr_t size) {
  const uintptr_t part = size / 4;
  if (part < LEAST_RESERVE) return LEAST_RESERVE < 3 * part ? LEAST_RESERVE : 3 * part;
  return part < MOST_RESERVE ? part : MOST_RESERVE;
}

// No frame is above this initial limit, so the first check finds the real one.
_Thread_local uintptr_t decant_stack_limit DECANT_STACK_TLS = UINTPTR_MAX;
// The stack of this thread, after the first check; size 0 if the platform does not tell.
static _Thread_local struct {
  uintptr_t start, size;
  bool known;
} stack;

static void find_stack(void) {
  stack.known = true;
#if defined(__APPLE__)
  const uintptr_t top = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
  stack.size = pthread_get_stacksize_np(pthread_self());
  stack.start = top - stack.size;
#else
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void *start = NULL;
  size_t size = 0;
  if (pthread_attr_getstack(&attributes, &start, &size) == 0) {
    stack.start = (uintptr_t)start;
    stack.size = size;
  }
  pthread_attr_destroy(&attributes);
#endif
}

bool decant_stack_has_more(uintptr_t frame) {
  if (!stack.known) find_stack();
  // The end of a stack that is not the thread's, such as a coroutine's, is unknown.
  if (frame < stack.start || frame - stack.start > stack.size) return true;
  decant_stack_limit = stack.start + reserve(stack.size);
  return frame >= decant_stack_limit;
}

#endif
