// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Blocks of memory, from an allocator or from malloc. Swift code that must survive exhausted memory allocates here: a
// failed allocation of Swift itself ends the process.

#ifndef DECANT_MEMORY_H
#define DECANT_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "decant_index.h"

DECANT_BEGIN

// White space between tokens (RFC 8259 §2).
DECANT_INLINE bool decant_is_white(uint8_t byte) {
  return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

// The offset after the comment at `position`, or `position` if no comment begins there, or it does not end. The end of the
// text ends a comment of one line.
size_t decant_comment_end(const uint8_t *text, size_t length, size_t position);

// NULL if no memory is left. At least one byte.
static inline void *decant_block_allocate(const decant_allocator *allocator, size_t bytes) {
  if (allocator == NULL || allocator->allocate == NULL) return malloc(bytes != 0 ? bytes : 1);
  return allocator->allocate(allocator->state, bytes != 0 ? bytes : 1);
}

static inline void decant_block_release(const decant_allocator *allocator, void *block,
                                        size_t bytes) {
  if (block == NULL) return;
  if (allocator == NULL || allocator->allocate == NULL) {
    free(block);
  } else if (allocator->deallocate != NULL) {
    allocator->deallocate(allocator->state, block, bytes != 0 ? bytes : 1);
  }
}

// The thread's cached block, if it has at least `bytes` bytes, or a new one from malloc; NULL if memory is exhausted. The
// caller owns it: `decant_block_cut` may move it, and `free` or `decant_thread_block_give` releases it.
void *decant_thread_block_take(size_t bytes, size_t *capacity);
// Caches a block from malloc for this thread, or frees it: if the thread has a larger one, or it is larger than 1 MiB.
void decant_thread_block_give(void *block, size_t capacity);

// Resizes a block, which may move. Returns NULL if memory is exhausted; the old block is then unchanged. A block of NULL
// has no bytes.
void *decant_block_reallocate(const decant_allocator *allocator, void *block, size_t old_bytes,
                              size_t new_bytes);
// The same of a block from malloc.
static inline void *decant_block_cut(void *block, size_t bytes) {
  return realloc(block, bytes != 0 ? bytes : 1);
}

// libc's strlen and memcmp, which Embedded Swift cannot import.
static inline size_t decant_c_string_length(const char *string) { return strlen(string); }
static inline bool decant_bytes_equal(const void *a, const void *b, size_t length) {
  return memcmp(a, b, length) == 0;
}

// A context of zeros, which Swift cannot make: text and slots are declared never to be NULL.
static inline decant_context decant_context_zero(void) {
  decant_context context;
  memset(&context, 0, sizeof context);
  return context;
}

// memset(to, 0, length) without the call for most structs.
DECANT_INLINE void decant_clear_bytes(void *to, size_t length) {
  char *out = (char *)to;
  if (length > 64 || length < 16) {
    memset(out, 0, length);
  } else if (length >= 32) {
    memset(out, 0, 32);
    memset(out + length - 32, 0, 32);
  } else {
    memset(out, 0, 16);
    memset(out + length - 16, 0, 16);
  }
}

// Sixteen bytes in a register, wherever they are.
typedef struct decant_sixteen {
  uint64_t low, high;
} decant_sixteen;
DECANT_INLINE decant_sixteen decant_sixteen_load(const char *from) {
  decant_sixteen bytes;
  memcpy(&bytes.low, from, 8);
  memcpy(&bytes.high, from + 8, 8);
  return bytes;
}
DECANT_INLINE void decant_sixteen_store(char *to, decant_sixteen bytes) {
  memcpy(to, &bytes.low, 8);
  memcpy(to + 8, &bytes.high, 8);
}

// The first 32 bytes, all of which may be read and written.
DECANT_INLINE void decant_copy_32(void *to, const void *from) {
  const decant_sixteen first = decant_sixteen_load((const char *)from);
  const decant_sixteen second = decant_sixteen_load((const char *)from + 16);
  decant_sixteen_store((char *)to, first);
  decant_sixteen_store((char *)to + 16, second);
}

// memcpy without the call for the lengths that most strings have. Nothing outside the `length` bytes is read
// or written: words overlap.
DECANT_INLINE void decant_copy_bytes(void *to, const void *from, size_t length) {
  char *out = (char *)to;
  const char *in = (const char *)from;
  if (__builtin_expect(length > 32, 0)) {
    if (length > 64) {
      memcpy(out, in, length);
      return;
    }
    const decant_sixteen first = decant_sixteen_load(in), second = decant_sixteen_load(in + 16);
    const decant_sixteen third = decant_sixteen_load(in + length - 32);
    const decant_sixteen last = decant_sixteen_load(in + length - 16);
    decant_sixteen_store(out, first);
    decant_sixteen_store(out + 16, second);
    decant_sixteen_store(out + length - 32, third);
    decant_sixteen_store(out + length - 16, last);
  } else if (length >= 16) {
    const decant_sixteen head = decant_sixteen_load(in);
    const decant_sixteen tail = decant_sixteen_load(in + length - 16);
    decant_sixteen_store(out, head);
    decant_sixteen_store(out + length - 16, tail);
  } else if (length >= 8) {
    uint64_t head, tail;
    memcpy(&head, in, 8);
    memcpy(&tail, in + length - 8, 8);
    memcpy(out, &head, 8);
    memcpy(out + length - 8, &tail, 8);
  } else if (length >= 4) {
    uint32_t head, tail;
    memcpy(&head, in, 4);
    memcpy(&tail, in + length - 4, 4);
    memcpy(out, &head, 4);
    memcpy(out + length - 4, &tail, 4);
  } else {
    for (size_t place = 0; place < length; place++) out[place] = in[place];
  }
}

DECANT_END

#endif
