// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Locks and atomic words. Embedded Swift has none, and those of the standard library add more to the build of every
// client.

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
// Enters unless another thread is between enter and leave. Never waits.
bool decant_lock_try(decant_lock *lock);
void decant_lock_leave(decant_lock *lock);
// Between enter and leave: leaves, waits until another thread wakes the lock, and enters again. May also return earlier.
// Where there is one thread, returns at once.
void decant_lock_wait(decant_lock *lock);
// Wakes all threads that wait.
void decant_lock_wake(decant_lock *lock);

// A load, an exchange or a fence that sees the result of a store or an addition also sees all writes before that.
static inline ptrdiff_t decant_word_load(const ptrdiff_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline void decant_word_store(ptrdiff_t *word, ptrdiff_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
static inline ptrdiff_t decant_word_exchange(ptrdiff_t *word, ptrdiff_t value) {
  return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}
static inline void decant_word_add(ptrdiff_t *word, ptrdiff_t value) {
  __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
}
// Stores a value if the word is 0. Returns the value of the word after that.
static inline ptrdiff_t decant_word_publish(ptrdiff_t *word, ptrdiff_t value) {
  ptrdiff_t known = 0;
  return __atomic_compare_exchange_n(word, &known, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
             ? value
             : known;
}
// Begins a decode of a Codable model. Returns how many are in progress on this thread, one inside the other.
ptrdiff_t decant_decoding_begin(void);
void decant_decoding_end(void);

static inline void decant_word_fence(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }

DECANT_END

#endif
