// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The document's table (table.h).

#include "table.h"

#include <string.h>

#include "decant_memory.h"
#include "keys.h"

#define SLOTS_PER_BUCKET 128u

static decant_context *original(const decant_context *context) {
  return (decant_context *)(context->original != NULL ? context->original : context);
}

struct table *decant_table(const decant_context *context) {
  return __atomic_load_n((struct table **)&original(context)->directories, __ATOMIC_ACQUIRE);
}

static struct table *make(decant_context *owner) {
  struct table *other = decant_table(owner);
  if (other != NULL) return other;
  uint32_t bits = 1;
  while ((size_t)SLOTS_PER_BUCKET << bits < owner->slot_count) bits++;
  const size_t buckets = (size_t)1 << bits;
  const size_t bytes = sizeof(struct table) + buckets * sizeof(struct table_entry *);
  struct table *table = decant_block_allocate(owner->allocator, bytes);
  if (table == NULL) return NULL;
  memset(table, 0, bytes);
  table->bytes = bytes;
  table->bucket_bits = bits;
  decant_draw_seed(table->seed);
  if (__atomic_compare_exchange_n((struct table **)&owner->directories, &other, table, false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return table;
  }
  decant_block_release(owner->allocator, table, bytes);
  return other;
}

struct table *decant_table_make(const decant_context *context) {
  decant_context *owner = original(context);
  const bool is_large = owner->owned_slots != NULL || owner->owner != NULL || owner->engine != NULL;
  return is_large ? make(owner) : decant_table(context);
}

// Multiplication by a secret odd number spreads the slots that a document's author can choose.
static struct table_entry **bucket_of(struct table *table, uint32_t container) {
  const uint64_t spread = (uint64_t)container * (table->seed[0] | 1);
  return &table->buckets[spread >> (64 - table->bucket_bits)];
}

static struct table_entry *find_from(struct table_entry *entry, uint32_t kind, uint32_t container) {
  while (entry != NULL && (entry->container != container || entry->kind != kind))
    entry = entry->next;
  return entry;
}

struct table_entry *decant_table_find(struct table *table, uint32_t kind, uint32_t container) {
  return find_from(__atomic_load_n(bucket_of(table, container), __ATOMIC_ACQUIRE), kind, container);
}

struct table_entry *decant_table_allocate(const decant_context *context, size_t bytes,
                                          uint32_t kind, uint32_t container) {
  struct table_entry *entry = decant_block_allocate(original(context)->allocator, bytes);
  if (entry == NULL) return NULL;
  memset(entry, 0, bytes);
  *entry = (struct table_entry){.bytes = bytes, .container = container, .kind = kind};
  return entry;
}

struct table_entry *decant_table_publish(const decant_context *context, struct table *table,
                                         struct table_entry *entry) {
  struct table_entry **bucket = bucket_of(table, entry->container);
  struct table_entry *first = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
  do {
    struct table_entry *other = find_from(first, entry->kind, entry->container);
    if (other != NULL) {
      decant_block_release(original(context)->allocator, entry, entry->bytes);
      return other;
    }
    entry->next = first;
  } while (!__atomic_compare_exchange_n(bucket, &first, entry, true, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
  return entry;
}

// MARK: - Kept objects

struct kept {
  struct table_entry entry;
  void *object;
  void (*release)(void *object);
};

void *decant_kept(const decant_context *context, uint32_t what) {
  struct table *table = decant_table(context);
  if (table == NULL) return NULL;
  const struct table_entry *known = decant_table_find(table, DECANT_ENTRY_KEPT, what);
  return known != NULL ? ((const struct kept *)known)->object : NULL;
}

bool decant_keep(const decant_context *context, uint32_t what, void *object,
                 void (*release)(void *object)) {
  struct table *table = make(original(context));
  if (table == NULL) return false;
  struct table_entry *entry =
      decant_table_allocate(context, sizeof(struct kept), DECANT_ENTRY_KEPT, what);
  if (entry == NULL) return false;
  struct kept *kept = (struct kept *)entry;
  kept->object = object;
  kept->release = release;
  kept = (struct kept *)decant_table_publish(context, table, entry);
  return kept->object == object;
}

static void release_kept(const struct table_entry *entry) {
  const struct kept *kept = (const struct kept *)entry;
  kept->release(kept->object);
}

// MARK: - The end

void decant_table_release(decant_context *context) {
  struct table *table = context->directories;
  if (table == NULL) return;
  for (size_t bucket = 0; bucket < (size_t)1 << table->bucket_bits; bucket++) {
    for (struct table_entry *next, *entry = table->buckets[bucket]; entry != NULL; entry = next) {
      next = entry->next;
      if (entry->kind == DECANT_ENTRY_KEPT) release_kept(entry);
      decant_block_release(context->allocator, entry, entry->bytes);
    }
  }
  decant_block_release(context->allocator, table, table->bytes);
  context->directories = NULL;
}
