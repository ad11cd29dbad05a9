// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Slabs (decant_slab.h). The first use of a page costs more than filling it: Linux maps and clears 4 KB at a time. A slab
// asks for pages of 2 MB.

#if defined(__linux__)
#define _DEFAULT_SOURCE  // madvise
#endif

#include "decant_slab.h"

#include "decant_memory.h"

#include <stdatomic.h>
#include <stdint.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#define HUGE_PAGE ((size_t)2 << 20)

struct decant_slab {
  atomic_size_t parts;
  size_t size;
};

_Static_assert(sizeof(struct decant_slab) <= DECANT_SLAB_HEAD, "the first part is behind the head");

static void *allocate(const decant_allocator *allocator, size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  const bool is_own = allocator != NULL && allocator->allocate != NULL;
  void *block;
  if (!is_own && bytes >= HUGE_PAGE && bytes <= SIZE_MAX - HUGE_PAGE &&
      posix_memalign(&block, HUGE_PAGE, (bytes + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1)) == 0) {
    // Only a hint: what it returns does not matter.
    madvise(block, (bytes + HUGE_PAGE / 2) & ~(HUGE_PAGE - 1), MADV_HUGEPAGE);
    return block;
  }
#endif
  return decant_block_allocate(allocator, bytes);
}

decant_slab *decant_slab_make(const decant_allocator *allocator, size_t bytes) {
  decant_slab *slab = allocate(allocator, bytes);
  if (slab == NULL) return NULL;
  atomic_init(&slab->parts, 1);
  slab->size = bytes;
  return slab;
}

void *decant_slab_part(decant_slab *slab, size_t offset) {
  atomic_fetch_add_explicit(&slab->parts, 1, memory_order_relaxed);
  return (char *)slab + offset;
}

void decant_slab_release(decant_slab *slab, const decant_allocator *allocator) {
  // The thread that releases the last part sees all writes to the others.
  if (atomic_fetch_sub_explicit(&slab->parts, 1, memory_order_acq_rel) == 1) {
    decant_block_release(allocator, slab, slab->size);
  }
}
