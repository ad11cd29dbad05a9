// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The meter: relaxed counters in front of glibc's allocator.

#include "AllocationMeter.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static _Atomic int64_t allocations, frees, live, peak;

static void add_live(int64_t bytes) {
  int64_t now = atomic_fetch_add_explicit(&live, bytes, memory_order_relaxed) + bytes;
  int64_t most = atomic_load_explicit(&peak, memory_order_relaxed);
  while (now > most && !atomic_compare_exchange_weak(&peak, &most, now)) {
  }
}

static void *count(void *block) {
  if (block) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    add_live((int64_t)malloc_usable_size(block));
  }
  return block;
}

void *malloc(size_t size) { return count(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return count(__libc_calloc(number, size)); }

void *memalign(size_t alignment, size_t size) { return count(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}

void free(void *block) {
  if (!block) return;
  atomic_fetch_add_explicit(&frees, 1, memory_order_relaxed);
  add_live(-(int64_t)malloc_usable_size(block));
  __libc_free(block);
}

void *realloc(void *block, size_t size) {
  if (!block) return malloc(size);
  int64_t before = (int64_t)malloc_usable_size(block);
  void *moved = __libc_realloc(block, size);
  if (moved) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    add_live((int64_t)malloc_usable_size(moved) - before);
  }
  if (moved || size == 0) atomic_fetch_add_explicit(&frees, 1, memory_order_relaxed);
  if (!moved && size == 0) add_live(-before);
  return moved;
}

allocation_reading allocation_meter_read(void) {
  allocation_reading reading = {allocations, frees, live, peak};
  return reading;
}

void allocation_meter_reset_peak(void) { peak = live; }
