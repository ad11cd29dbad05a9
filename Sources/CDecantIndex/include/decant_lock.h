// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A lock for what several threads may use. Embedded Swift has none.

#ifndef DECANT_LOCK_H
#define DECANT_LOCK_H

#include "decant_index.h"

DECANT_BEGIN

typedef struct decant_lock decant_lock;

// An open lock; NULL if there is no memory.
decant_lock *decant_lock_make(const decant_allocator *allocator);
void decant_lock_free(decant_lock *lock, const decant_allocator *allocator);

// Waits until no other thread is between enter and leave.
void decant_lock_enter(decant_lock *lock);
void decant_lock_leave(decant_lock *lock);

DECANT_END

#endif
