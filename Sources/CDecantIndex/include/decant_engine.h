// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The seam between the view and an engine. A view is a context and a node. A node below 2^32 is a slot of the native
// index, which inline code reads. For any other node, the view calls a function of this table, which is all that the core
// knows of a second engine.

#ifndef DECANT_ENGINE_H
#define DECANT_ENGINE_H

#include <stdlib.h>
#include <string.h>

#include "decant_index.h"

DECANT_BEGIN

#define DECANT_NODE_NATIVE_LIMIT 0x0000000100000000ull  // nodes below are slots
#define DECANT_NODE_FOREIGN      0x8000000000000000ull  // set by engines in every node of theirs
#define DECANT_NODE_MISSING      0x4000000000000000ull  // a look-up found nothing; low bits: which one
#define DECANT_NODE_NONE         0xFFFFFFFFFFFFFFFFull  // no node

enum {
  DECANT_KIND_MISSING = 0,
  DECANT_KIND_NULL = 1,
  DECANT_KIND_FALSE = 2,
  DECANT_KIND_TRUE = 3,
  DECANT_KIND_NUMBER = 4,
  DECANT_KIND_STRING = 5,
  DECANT_KIND_ARRAY = 6,
  DECANT_KIND_OBJECT = 7
};

// A place in an array or object while iterating. Zero is "before the first".
typedef struct DECANT_HANDLE decant_cursor {
  uint64_t position;  // the engine's own
  uint64_t value;     // the node reached
  const uint8_t
      *key;  // of the member reached: UTF-8, not terminated, valid as long as the document
  size_t key_length;
} decant_cursor;

static inline void decant_reason_free(void *reason) { free(reason); }

typedef struct decant_engine {
  const char *name;
  // Reads context->text under context->rules; sets context->root. Returns an index code. On failure it may
  // leave a reason in words in context->engine_state: a C string from malloc, which the reader frees with
  // decant_reason_free.
  int32_t (*build)(decant_context *context);
  // Frees what build allocated.
  void (*discard)(decant_context *context);
  int32_t (*kind)(const decant_context *context, uint64_t node);
  // Returns the member's value, or DECANT_NODE_NONE, also if the node is not an object.
  uint64_t (*lookup)(const decant_context *context, uint64_t node, const uint8_t *key,
                     size_t length);
  // Returns the element, or DECANT_NODE_NONE, also if the node is not an array.
  uint64_t (*element)(const decant_context *context, uint64_t node, size_t index);
  size_t (*count)(const decant_context *context, uint64_t node);
  // Moves to the next child; false at the end.
  bool (*advance)(const decant_context *context, uint64_t node, decant_cursor *cursor);
  // True and the value if the number is an integer.
  bool (*integer)(const decant_context *context, uint64_t node, int64_t *value);
  // True and the value if it is a number, integers included.
  bool (*real)(const decant_context *context, uint64_t node, double *value);
  // The string's bytes: UTF-8, unescaped, valid as long as the document. NULL if it is no string.
  const uint8_t *(*string)(const decant_context *context, uint64_t node, size_t *length);
  // The number's bytes in the document, valid as long as the document; NULL if the engine keeps only the value. The whole
  // function may be NULL, too.
  const uint8_t *(*number)(const decant_context *context, uint64_t node, size_t *length);
} decant_engine;

// The engine over libjansson; NULL if libjansson was missing when DecantJansson was built. DecantJansson defines the
// function. DecantC calls it without an import, which would make its clients need libjansson's header.
const decant_engine *decant_jansson_engine(void);

// The last few look-ups that found nothing, so that a missing view can say what was missing. A ring:
// node DECANT_NODE_MISSING + n is entry n % DECANT_MISSES while count - n <= DECANT_MISSES.
#define DECANT_MISSES   4
#define DECANT_MISS_KEY 44
typedef struct decant_misses {
  uint32_t count;
  struct {
    uint64_t parent;
    int64_t index;    // the array index asked for, or INT64_MIN: a key was
    uint32_t length;  // of the key, which may be longer than what is kept
    uint8_t key[DECANT_MISS_KEY];
  } entry[DECANT_MISSES];
} decant_misses;

// A context over `length` bytes of text, ready to be read. Sets every field, one by one: a call to memset
// would cost a small document more than the stores.
static inline void decant_context_prepare(decant_context *context, const uint8_t *text,
                                          size_t length, const decant_rules *rules,
                                          const decant_engine *engine, uint64_t *slots,
                                          size_t slot_capacity, decant_misses *misses) {
  context->text = text;
  context->length = length;
  context->slots = slots;
  context->slot_capacity = slot_capacity;
  context->engine = engine;
  context->allocator = NULL;
  // Loads the same three words that the caller has just stored. A wider load over several stores would wait until all of
  // them have left the processor.
  uint64_t words[3];
  memcpy(words, rules, sizeof words);
  __asm__("" : "+r"(words[0]), "+r"(words[1]), "+r"(words[2]));
  memcpy(&context->rules, words, sizeof words);
  context->slot_count = 0;
  context->facts = 0;
  context->kept_errors = 0;
  context->copied_bytes = 0;
  context->taken_memory = 0;
  context->owned_slots = NULL;
  context->error_offset = 0;
  context->error_other = 0;
  context->root = 0;
  context->engine_state = NULL;
  context->owner = NULL;
  context->misses = misses;
  context->original = NULL;
  context->directories = NULL;
  context->start = NULL;
}

// Scratch memory of a reader, on its stack: the slots of a small document. Together with a context it is a kilobyte;
// Swift takes larger temporary memory from malloc.
#define DECANT_SCRATCH_SLOTS 72
typedef struct decant_scratch {
  decant_misses misses;
  uint64_t slots[DECANT_SCRATCH_SLOTS];
} decant_scratch;

typedef struct decant_reading {
  decant_context context;
  decant_scratch scratch;
} decant_reading;

// Prepares a context and reads `text` with `engine` (NULL: native); a part of a stream begins at `start` (NULL: a document
// of its own). Returns an index code; after a failure there is nothing to discard. Scratch, which may be NULL, the text
// and the place are in use as long as the context.
int32_t decant_context_open(decant_context *context, decant_scratch *scratch, const uint8_t *text,
                            size_t length, const decant_engine *engine, const decant_rules *rules,
                            const decant_start *start);

// A copy of a document's context, for one reader with its own misses. Others may read the original at the same time. The
// original outlives the copy, and the copy is never discarded.
static inline decant_context decant_context_copy(const decant_context *original,
                                                 decant_misses *misses) {
  decant_context copy;
  // Without the directories: other readers may be making them now, so they are looked up in the original.
  memcpy(&copy, original, offsetof(decant_context, directories));
  copy.directories = NULL;
  copy.start = original->start;
  copy.rules.in_part = 0;
  copy.part = NULL;
  copy.original = original->original != NULL ? original->original : original;
  copy.misses = misses;
  return copy;
}

// Objects that are kept beside a document.
enum {
  DECANT_KEPT_COPY,   // a copy of the document
  DECANT_KEPT_ORIGIN  // what errors need of the document
};

// The object that is kept beside a document, or NULL.
void *decant_kept(const decant_context *context, uint32_t what);

// Keeps an object beside a document, which then releases it. Returns false if another reader's object is there already,
// or if memory is exhausted; the caller then still owns the object.
bool decant_keep(const decant_context *context, uint32_t what, void *object,
                 void (*release)(void *object));

// Remembers a look-up that found nothing and returns the node that represents it.
uint64_t decant_miss(const decant_context *context, uint64_t parent, const uint8_t *key,
                     size_t length, int64_t index);

// The look-up that a missing node stands for: its key (at most DECANT_MISS_KEY bytes; `length` is that of the whole key),
// or its index, if `index` is above INT64_MIN. NULL if the ring has dropped it.
const uint8_t *decant_missed(const decant_context *context, uint64_t node, uint64_t *parent,
                             int64_t *index, size_t *length);

DECANT_END

#endif
