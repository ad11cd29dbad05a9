// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The parents of another engine's values (decant_places.h). A native node is a slot, and slots are in document order.
// Another engine's node does not tell where it is. So the first call walks the document, breadth first, and stores this in
// the document's table (table.h):
//
//   {"a":[1,2],"b":3}      number   0   1      2      3      4
//                          node     {}  [1,2]  3      1      2
//                          parent   -   0 "a"  0 "b"  1 [0]  1 [1]
//
// The list of values is also the walk's queue. Buckets find a value's number by its node: open addressing, at
// most half full.

#include "decant_places.h"

#include <string.h>

#include "decant_engine.h"
#include "decant_memory.h"
#include "table.h"

struct value {
  uint64_t node;
  uint64_t position;   // among its siblings
  const uint8_t *key;  // NULL in arrays
  size_t key_length;
  uint32_t parent;  // its number
  bool repeated;    // the node is another value's too
};

struct parents {
  struct table_entry entry;
  uint32_t count;
  uint32_t bucket_bits;
  struct value *values;  // in this block
  uint32_t *buckets;     // behind them: a value's number and 1, or 0
};

struct queue {
  const decant_context *context;
  struct value *values;
  uint32_t count, capacity;
};

static bool push(struct queue *queue, struct value value) {
  if (queue->count == queue->capacity) {
    if (queue->capacity > UINT32_MAX / 4) return false;
    const uint32_t capacity = queue->capacity != 0 ? 2 * queue->capacity : 64;
    struct value *values =
        decant_block_reallocate(queue->context->allocator, queue->values,
                                queue->capacity * sizeof *values, capacity * sizeof *values);
    if (values == NULL) return false;
    queue->values = values;
    queue->capacity = capacity;
  }
  queue->values[queue->count++] = value;
  return true;
}

static bool push_children(struct queue *queue, uint32_t parent) {
  const decant_context *context = queue->context;
  const uint64_t container = queue->values[parent].node;
  const int32_t kind = context->engine->kind(context, container);
  if (kind != DECANT_KIND_ARRAY && kind != DECANT_KIND_OBJECT) return true;
  decant_cursor cursor = {0};
  for (uint64_t position = 0; context->engine->advance(context, container, &cursor); position++) {
    const bool has_key = kind == DECANT_KIND_OBJECT;
    const struct value value = {
        cursor.value, position, has_key ? cursor.key : NULL, has_key ? cursor.key_length : 0,
        parent,       false};
    if (!push(queue, value)) return false;
  }
  return true;
}

// The bucket of a node, or the empty one where it belongs.
static uint32_t *bucket_of(const struct parents *parents, uint64_t seed, uint64_t node) {
  const uint32_t mask = ((uint32_t)1 << parents->bucket_bits) - 1;
  uint32_t at = (uint32_t)(((node >> 3) * (seed | 1)) >> (64 - parents->bucket_bits));
  while (parents->buckets[at] != 0 && parents->values[parents->buckets[at] - 1].node != node) {
    at = (at + 1) & mask;
  }
  return &parents->buckets[at];
}

static const struct parents *keep(struct queue *queue, struct table *table) {
  uint32_t bits = 1;
  while ((uint64_t)1 << bits < (uint64_t)queue->count * 2) bits++;
  const size_t values = queue->count * sizeof(struct value);
  const size_t bytes = sizeof(struct parents) + values + sizeof(uint32_t) * ((size_t)1 << bits);
  struct parents *parents =
      (struct parents *)decant_table_allocate(queue->context, bytes, DECANT_ENTRY_PARENTS, 0);
  if (parents == NULL) return NULL;
  parents->count = queue->count;
  parents->bucket_bits = bits;
  parents->values = (struct value *)(parents + 1);
  parents->buckets = (uint32_t *)(void *)(parents->values + queue->count);
  memcpy(parents->values, queue->values, values);
  for (uint32_t number = 0; number < queue->count; number++) {
    uint32_t *bucket = bucket_of(parents, table->seed[1], parents->values[number].node);
    if (*bucket != 0) {
      parents->values[*bucket - 1].repeated = true;
    } else {
      *bucket = number + 1;
    }
  }
  return (const struct parents *)decant_table_publish(queue->context, table, &parents->entry);
}

static const struct parents *parents_of(const decant_context *context) {
  struct table *table = decant_table_make(context);
  if (table == NULL) return NULL;
  struct table_entry *known = decant_table_find(table, DECANT_ENTRY_PARENTS, 0);
  if (known != NULL) return (const struct parents *)known;
  struct queue queue = {.context = context};
  const decant_context *original = context->original != NULL ? context->original : context;
  bool fits = push(&queue, (struct value){.node = original->root});
  for (uint32_t number = 0; fits && number < queue.count; number++)
    fits = push_children(&queue, number);
  const struct parents *parents = fits ? keep(&queue, table) : NULL;
  decant_block_release(context->allocator, queue.values, queue.capacity * sizeof *queue.values);
  return parents;
}

bool decant_parent_of(const decant_context *context, uint64_t node, decant_parent *parent) {
  if (context->engine == NULL) return false;
  const struct parents *parents = parents_of(context);
  if (parents == NULL) return false;
  const uint32_t number = *bucket_of(parents, decant_table(context)->seed[1], node);
  // The root is number 0.
  if (number <= 1 || parents->values[number - 1].repeated) return false;
  const struct value *value = &parents->values[number - 1];
  *parent = (decant_parent){parents->values[value->parent].node, value->position, value->key,
                            value->key_length};
  return true;
}

bool decant_has_value(const decant_context *context, uint64_t node) {
  const struct parents *parents = context->engine != NULL ? parents_of(context) : NULL;
  return parents != NULL && *bucket_of(parents, decant_table(context)->seed[1], node) != 0;
}
