// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One block for the columns of a batch: each has a part of it, and gives that back when it likes, on any thread. The
// block ends with its last part.
//
//   decant_slab *slab = decant_slab_make(allocator, size);
//   void *first = decant_slab_part(slab, DECANT_SLAB_HEAD);
//   decant_slab_release(slab, allocator);      // the maker's own hold; there are no other parts
//   decant_slab_release(slab, allocator);      // the first part's, and the block is gone

#ifndef DECANT_SLAB_H
#define DECANT_SLAB_H

#include <stddef.h>

#include "decant_index.h"

DECANT_BEGIN

typedef struct decant_slab decant_slab;

// Where the first part begins.
#define DECANT_SLAB_HEAD 64

// A block of `bytes`, the head included; NULL if there is no memory. Large ones are made of large pages where the
// system has them.
decant_slab *decant_slab_make(const decant_allocator *allocator, size_t bytes);

// The part at an offset: the caller's until it is released.
void *decant_slab_part(decant_slab *slab, size_t offset);

void decant_slab_release(decant_slab *slab, const decant_allocator *allocator);

DECANT_END

#endif
