// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What readers find out about a document and keep for later readers: directories of objects (directory.c),
// milestones of containers and of the text (places.c),
// parents of another engine's values (parents.c). A document has one hub, made with its first entry; an
// entry is in the list of the hub's head that its container's slot hashes to:
//
//   context.directories -> hub | seed | 0: * | 1: - | 2: * | … heads, one for 128 slots of the index
//                                      |           |
//                                      entry       entry -> entry
//
// Documents are shared by threads, and nothing here locks: a hub or an entry is made aside and then published
// by one compare-and-swap. Who comes second gives back what it made. Nothing is taken out before the document
// ends, so readers need no more than an acquiring load.
//
// Contexts that were copied (decant_context_copy) use the hub of their original. A native context whose slots are
// its caller's and that has no owner may be dropped without a word, so it gets no hub: nobody would free it. Who
// reads with another engine calls decant_index_discard too.

#ifndef DECANT_HUB_H
#define DECANT_HUB_H

#include "internal.h"

enum { DECANT_ENTRY_DIRECTORY, DECANT_ENTRY_MILESTONES, DECANT_ENTRY_LINES, DECANT_ENTRY_PARENTS };

struct hub_entry {
  struct hub_entry *next;  // in its head's list
  size_t bytes;
  uint32_t container;      // its slot; 0 for entries about the whole document
  uint32_t kind;           // DECANT_ENTRY_*
};

struct hub {
  uint64_t seed[2];
  size_t bytes;
  uint32_t head_bits;
  struct hub_entry *heads[];
};

// The hub, or NULL if there is none yet.
struct hub *decant_hub(const decant_context *context);

// The hub, made if there is none yet; NULL if the context cannot have one, or there is no memory.
struct hub *decant_hub_make(const decant_context *context);

// The entry of a kind for a container, or NULL.
struct hub_entry *decant_hub_find(struct hub *hub, uint32_t kind, uint32_t container);

// A block for an entry, of zeros but for its head; NULL if there is no memory.
struct hub_entry *decant_hub_allocate(const decant_context *context, size_t bytes, uint32_t kind,
                                      uint32_t container);

// Puts an entry into its list, or gives it back if another thread's is there already. Returns the entry that is
// in the list.
struct hub_entry *decant_hub_publish(const decant_context *context, struct hub *hub,
                                     struct hub_entry *entry);

#endif
