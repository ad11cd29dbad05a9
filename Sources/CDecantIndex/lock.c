// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Locks (decant_lock.h). Where there is one thread, a lock does nothing.

#include "decant_lock.h"

#include "decant_memory.h"

// DECANT_NO_THREADS closes this gate.
#if !defined(DECANT_NO_THREADS) && (!defined(__wasm__) || defined(_REENTRANT))

#include <pthread.h>

struct decant_lock {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
};

decant_lock *decant_lock_make(const decant_allocator *allocator) {
  decant_lock *lock = decant_block_allocate(allocator, sizeof *lock);
  if (lock == NULL) return NULL;
  if (pthread_mutex_init(&lock->mutex, NULL) == 0) {
    if (pthread_cond_init(&lock->changed, NULL) == 0) return lock;
    pthread_mutex_destroy(&lock->mutex);
  }
  decant_block_release(allocator, lock, sizeof *lock);
  return NULL;
}

void decant_lock_free(decant_lock *lock, const decant_allocator *allocator) {
  pthread_cond_destroy(&lock->changed);
  pthread_mutex_destroy(&lock->mutex);
  decant_block_release(allocator, lock, sizeof *lock);
}

void decant_lock_enter(decant_lock *lock) { pthread_mutex_lock(&lock->mutex); }
bool decant_lock_try(decant_lock *lock) { return pthread_mutex_trylock(&lock->mutex) == 0; }
void decant_lock_leave(decant_lock *lock) { pthread_mutex_unlock(&lock->mutex); }
void decant_lock_wait(decant_lock *lock) { pthread_cond_wait(&lock->changed, &lock->mutex); }
void decant_lock_wake(decant_lock *lock) { pthread_cond_broadcast(&lock->changed); }

#else

struct decant_lock {
  char unused;
};

decant_lock *decant_lock_make(const decant_allocator *allocator) {
  return decant_block_allocate(allocator, sizeof(decant_lock));
}
void decant_lock_free(decant_lock *lock, const decant_allocator *allocator) {
  decant_block_release(allocator, lock, sizeof *lock);
}
void decant_lock_enter(decant_lock *lock) { (void)lock; }
bool decant_lock_try(decant_lock *lock) {
  (void)lock;
  return true;
}
void decant_lock_leave(decant_lock *lock) { (void)lock; }
void decant_lock_wait(decant_lock *lock) { (void)lock; }
void decant_lock_wake(decant_lock *lock) { (void)lock; }

#endif

static _Thread_local ptrdiff_t decoding;

ptrdiff_t decant_decoding_begin(void) { return decoding++; }
void decant_decoding_end(void) { decoding--; }
