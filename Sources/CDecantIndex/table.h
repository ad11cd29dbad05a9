// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A document's table: what readers compute about a document for later readers. It has directories of objects
// (directory.c), milestones of containers and of the text (places.c), parents of another engine's values (parents.c) and
// kept objects (decant_keep). A document has one table, made with its first entry. An entry is in the list of the bucket
// that its container's slot hashes to:
//
//   context.directories -> table | seed | 0: * | 1: - | 2: * | … buckets, one for each 128 slots of the index
//                                      |           |
//                                      entry       entry -> entry
//
// Threads share documents, and nothing here locks: a thread makes a table or an entry, and then publishes it by one
// compare-and-swap. A thread that comes second frees its own. Nothing is removed before the document ends, so readers need
// only an acquiring load.
//
// Copies of a context (decant_context_copy) use the table of their original. A native document whose slots fit into its
// caller's memory is too small for directories and milestones: it has a table only for kept objects. If a context has a
// table, the function that opened the context discards it.

#ifndef DECANT_TABLE_H
#define DECANT_TABLE_H

#include "internal.h"

enum {
  DECANT_ENTRY_DIRECTORY,
  DECANT_ENTRY_MILESTONES,
  DECANT_ENTRY_LINES,
  DECANT_ENTRY_PARENTS,
  DECANT_ENTRY_KEPT,
};

struct table_entry {
  struct table_entry *next;  // in its bucket's list
  size_t bytes;
  uint32_t
      container;  // its slot; 0 for entries about the whole document; of what is kept, DECANT_KEPT_*
  uint32_t kind;  // DECANT_ENTRY_*
};

struct table {
  uint64_t seed[2];
  size_t bytes;
  uint32_t bucket_bits;
  struct table_entry *buckets[];
};

// The table, or NULL before it is made.
struct table *decant_table(const decant_context *context);

// The table, made by the first call; NULL if the document is small and has none, or if no memory is left.
struct table *decant_table_make(const decant_context *context);

// The entry of a kind for a container, or NULL.
struct table_entry *decant_table_find(struct table *table, uint32_t kind, uint32_t container);

// Allocates an entry, of zeros except for its bucket; NULL if memory is exhausted.
struct table_entry *decant_table_allocate(const decant_context *context, size_t bytes,
                                          uint32_t kind, uint32_t container);

// Puts an entry into its list, or frees it if another thread's is there already. Returns the entry in the list.
struct table_entry *decant_table_publish(const decant_context *context, struct table *table,
                                         struct table_entry *entry);

#endif
