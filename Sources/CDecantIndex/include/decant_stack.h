// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The stack guard. Models that contain themselves decode by recursion, as deep as the document nests. The decoder checks
// the stack when it begins a document's model, and before it descends into a model that may nest. It fails if too little
// stack is left.
//
//   stack   [ guard page | reserve | used by the guard's callers ...   | thread's first frame ]
//                                  ^ limit
//
// The limit is a thread-local variable. The first check of a thread finds it, in a microsecond; on Linux's main thread,
// where the C library reads the memory maps, in a tenth of a millisecond. The reserve is a quarter of the stack, at least
// 48 KB, which is three quarters of 64 KB, and at most 512 KB.

#ifndef DECANT_STACK_H
#define DECANT_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "decant_header.h"

DECANT_BEGIN

#if (defined(__linux__) || defined(__APPLE__)) && defined(__has_include) && \
    !defined(DECANT_NO_STACK_GUARD)
#if __has_include(<pthread.h>)
#define DECANT_STACK_GUARD 1
#endif
#endif

#ifdef DECANT_STACK_GUARD

// The lowest address of a frame that may descend. If the C library allows it, it is one load relative to a register.
#if defined(__GLIBC__) || (defined(__linux__) && defined(__gnu_linux__))
#define DECANT_STACK_TLS __attribute__((tls_model("initial-exec")))
#else
#define DECANT_STACK_TLS
#endif
extern _Thread_local uintptr_t decant_stack_limit DECANT_STACK_TLS;

// Finds the thread's limit. Returns whether this frame may descend.
bool decant_stack_has_more(uintptr_t frame);

DECANT_INLINE bool decant_stack_has_room(void) {
  const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  return __builtin_expect(frame >= decant_stack_limit, 1) || decant_stack_has_more(frame);
}

#else

static inline bool decant_stack_has_room(void) { return true; }

#endif

DECANT_END

#endif
