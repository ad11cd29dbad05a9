// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The memory behind the slots: a caller's buffer while it is large enough, then one owned block
// that grows in steps. Without an allocator, a thread keeps its last block for its next document:
//
//   build    takes the thread's cached block; a nested build finds no block and allocates its own
//   discard  caches it again; or frees it, if the thread has one already or it is larger than CACHED_SLOTS
//
// The block of a thread is freed when the thread ends, by the destructor of a pthread key. A WebAssembly module has
// one thread, which does not end before its memory does. Texts that are written are in that block too, until they
// are complete.
//
// No document takes more than eight bytes of memory for each of its own bytes, and 9 KB. A block has no more slots than a
// valid document of that length needs. If an allocator can only copy, and the old and the new block together exceed the
// bound, the old one is freed first and the document is read again.

#include "decant_memory.h"
#include "internal.h"

// DECANT_NO_THREADS disables this.
#if !defined(DECANT_NO_THREADS) && (!defined(__wasm__) || defined(_REENTRANT))
#define HAS_THREADS 1
#include <pthread.h>
#endif
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS  512u
#define CACHED_SLOTS (1u << 17)  // 1 MiB
// The most slots whose bytes fit into a size_t: less than DECANT_MAXIMUM_SLOTS if it has 32 bits.
#define MAXIMUM_CAPACITY                                                             \
  (DECANT_MAXIMUM_SLOTS < SIZE_MAX / sizeof(uint64_t) ? (size_t)DECANT_MAXIMUM_SLOTS \
                                                      : SIZE_MAX / sizeof(uint64_t))

struct thread_cache {
  uint64_t *slots;
  size_t capacity;
  bool registered;  // the key has a value in this thread, so its destructor will run
};

static _Thread_local struct thread_cache cache;

#ifdef HAS_THREADS

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static _Atomic bool key_exists;

static void empty_cache(void *unused) {
  (void)unused;
  free(cache.slots);
  cache = (struct thread_cache){0};
}

static void make_key(void) {
  atomic_store(&key_exists, pthread_key_create(&key, empty_cache) == 0);
}

// A library may be unloaded before its threads end: no destructor may run after that.
__attribute__((destructor)) static void unload(void) {
  if (atomic_exchange(&key_exists, false)) pthread_key_delete(key);
  empty_cache(NULL);
}

static bool register_thread(void) {
  if (cache.registered) return true;
  pthread_once(&key_once, make_key);
  // Any value but null makes the destructor run; it looks at `cache`, not at the value.
  cache.registered = atomic_load(&key_exists) && pthread_setspecific(key, &key) == 0;
  return cache.registered;
}

#else

static bool register_thread(void) { return true; }

#endif

static uint64_t *take_cached(size_t slots, size_t *capacity) {
  uint64_t *block = cache.slots;
  if (block == NULL || cache.capacity < slots) return NULL;
  *capacity = cache.capacity;
  cache.slots = NULL;
  return block;
}

static void give_cached(uint64_t *block, size_t capacity) {
  const bool larger = cache.slots == NULL || cache.capacity < capacity;
  if (capacity > CACHED_SLOTS || !larger || !register_thread()) {
    free(block);
    return;
  }
  free(cache.slots);
  cache.slots = block;
  cache.capacity = capacity;
}

void *decant_thread_block_take(size_t bytes, size_t *capacity) {
  if (bytes > SIZE_MAX - sizeof(uint64_t)) return NULL;
  const size_t slots = bytes / sizeof(uint64_t) + 1;
  size_t found = slots;
  void *block = take_cached(slots, &found);
  if (block == NULL) block = malloc(slots * sizeof(uint64_t));
  *capacity = found * sizeof(uint64_t);
  return block;
}

void decant_thread_block_give(void *block, size_t capacity) {
  give_cached((uint64_t *)block, capacity / sizeof(uint64_t));
}

void *decant_block_reallocate(const decant_allocator *allocator, void *block, size_t old_bytes,
                              size_t new_bytes) {
  if (allocator == NULL || allocator->allocate == NULL) return decant_block_cut(block, new_bytes);
  if (allocator->reallocate != NULL) {
    return allocator->reallocate(allocator->state, block, old_bytes, new_bytes);
  }
  void *moved = decant_block_allocate(allocator, new_bytes);
  if (moved == NULL) return NULL;
  if (block != NULL) memcpy(moved, block, old_bytes < new_bytes ? old_bytes : new_bytes);
  decant_block_release(allocator, block, old_bytes);
  return moved;
}

// Half as much again; or an estimate of what the rest of the text needs if it is like the part read so far, at most eight
// times as much.
static size_t next_capacity(const decant_context *context, size_t needed, size_t consumed) {
  const size_t half_more = needed + needed / 2;
  size_t expected = 0;
  if (consumed != 0) {
    const double share = (double)context->length / (double)consumed;
    expected = share < 7.5 ? (size_t)((double)needed * share * 1.02) + 64 : needed * 8;
  }
  const size_t enough = decant_enough_slots(context->length);
  size_t capacity = half_more > expected ? half_more : expected;
  if (capacity < FIRST_SLOTS) capacity = FIRST_SLOTS;
  if (capacity > enough) capacity = enough;
  return capacity < MAXIMUM_CAPACITY ? capacity : MAXIMUM_CAPACITY;
}

static bool only_copies(const decant_allocator *allocator) {
  return allocator != NULL && allocator->allocate != NULL && allocator->reallocate == NULL;
}

// Frees the old block before it allocates the new one.
static int32_t replace(decant_context *context, size_t capacity) {
  decant_slots_release(context);
  uint64_t *slots = decant_block_allocate(context->allocator, capacity * sizeof *slots);
  if (slots == NULL) return DECANT_INDEX_OUT_OF_MEMORY;
  context->slots = context->owned_slots = slots;
  context->slot_capacity = capacity;
  return DECANT_INDEX_READ_AGAIN;
}

int32_t decant_slots_grow(decant_context *context, size_t used, size_t needed, size_t consumed) {
  const size_t enough = decant_enough_slots(context->length);
  if (needed > enough) return DECANT_INDEX_CANNOT_CLOSE;
  const uint64_t most =
      decant_memory_limit(&context->rules, context->length) / sizeof *context->slots;
  if (needed > DECANT_MAXIMUM_SLOTS || needed > most) return DECANT_INDEX_TOO_LARGE;
  if (needed > MAXIMUM_CAPACITY) return DECANT_INDEX_OUT_OF_MEMORY;
  size_t capacity = next_capacity(context, needed, consumed);
  if (capacity > most) capacity = (size_t)most;
  if (context->owned_slots != NULL && only_copies(context->allocator) &&
      context->slot_capacity > enough - capacity) {
    return replace(context, capacity);
  }
  uint64_t *slots;
  if (context->owned_slots != NULL) {
    slots =
        decant_block_reallocate(context->allocator, context->owned_slots,
                                context->slot_capacity * sizeof *slots, capacity * sizeof *slots);
  } else {
    slots = NULL;
    if (context->allocator == NULL) slots = take_cached(needed, &capacity);
    // A capacity beyond the bound is not used.
    if (capacity > most) capacity = (size_t)most;
    if (slots == NULL) {
      slots = decant_block_allocate(context->allocator, capacity * sizeof *slots);
    }
    if (slots != NULL && used != 0) memcpy(slots, context->slots, used * sizeof *slots);
  }
  if (slots == NULL) return DECANT_INDEX_OUT_OF_MEMORY;
  context->slots = slots;
  context->owned_slots = slots;
  context->slot_capacity = capacity;
  return DECANT_INDEX_OK;
}

void decant_slots_release(decant_context *context) {
  uint64_t *owned = context->owned_slots;
  if (owned == NULL) return;
  if (context->allocator == NULL) {
    give_cached(owned, context->slot_capacity);
  } else {
    decant_block_release(context->allocator, owned, context->slot_capacity * sizeof *owned);
  }
  context->owned_slots = NULL;
  context->slots = NULL;
  context->slot_capacity = 0;
}

void decant_index_fit(decant_context *context) {
  uint64_t *owned = context->owned_slots;
  const size_t bytes = context->slot_count * sizeof *owned;
  if (owned == NULL || context->slot_capacity == context->slot_count) return;
  // The bound above, while both blocks exist.
  if (only_copies(context->allocator) &&
      context->slot_capacity + context->slot_count > decant_enough_slots(context->length)) {
    return;
  }
  uint64_t *exact;
  if (context->allocator == NULL && context->slot_capacity <= CACHED_SLOTS) {
    exact = decant_block_allocate(context->allocator, bytes);
    if (exact == NULL) return;
    memcpy(exact, owned, bytes);
    give_cached(owned, context->slot_capacity);
  } else {
    exact = decant_block_reallocate(context->allocator, owned,
                                    context->slot_capacity * sizeof *owned, bytes);
    if (exact == NULL) return;
  }
  context->slots = exact;
  context->owned_slots = exact;
  context->slot_capacity = context->slot_count;
}
