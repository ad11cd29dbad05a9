// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What readers find out about a document for later readers: directories of objects (directory.c), milestones of
// containers and of the text (places.c), parents of another engine's values (parents.c), a copy of it (decant_keep).
// A document has one table, made with its first entry. An entry is in the list of the bucket that its container's slot
// hashes to:
//
//   context.directories -> table | seed | 0: * | 1: - | 2: * | … buckets, one for each 128 slots of the index
//                                      |           |
//                                      entry       entry -> entry
//
// Documents are shared by threads, and nothing here locks: a table or an entry is made aside and then published
// by one compare-and-swap. A thread that comes second frees what it made. Nothing is removed before the document
// ends, so an acquiring load is enough for readers.
//
// Contexts that were copied (decant_context_copy) use the table of their original. A native document whose slots fit
// into its caller's memory is too small for directories and milestones: it has a table only if something is kept beside
// it. Whoever opens a context discards it if it has a table.

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

// A block for an entry, of zeros but for its bucket; NULL if there is no memory.
struct table_entry *decant_table_allocate(const decant_context *context, size_t bytes,
                                          uint32_t kind, uint32_t container);

// Puts an entry into its list, or gives it back if another thread's is there already. Returns the entry that is
// in the list.
struct table_entry *decant_table_publish(const decant_context *context, struct table *table,
                                         struct table_entry *entry);

#endif
