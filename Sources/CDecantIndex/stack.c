// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Where a thread's stack ends: decant_stack.h.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // pthread_getattr_np
#endif

#include "decant_stack.h"

#ifdef DECANT_STACK_GUARD

#include <pthread.h>
#include <stddef.h>

// What a model's own frames, a leaf and the making of an error may need below the last frame that asked: no frame of
// the decoder takes more than 2 KB, optimised or not.
#define RESERVE ((uintptr_t)24 << 10)
// How far below the first frame that asks nobody looks.
#define UNASKED ((uintptr_t)8 << 10)

// No frame lies above it, so that the first one asks.
_Thread_local uintptr_t decant_stack_limit DECANT_STACK_TLS = UINTPTR_MAX;
// The stack of this thread, once it was asked for; size 0 if the platform does not tell.
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
  if (decant_stack_limit == UINTPTR_MAX) {
    decant_stack_limit = frame > UNASKED ? frame - UNASKED : 0;
    return true;
  }
  if (!stack.known) find_stack();
  // On a stack that is not the thread's, such as a coroutine's, nobody knows.
  if (frame < stack.start || frame - stack.start > stack.size) return true;
  decant_stack_limit = stack.start + RESERVE;
  return frame >= decant_stack_limit;
}

#endif
