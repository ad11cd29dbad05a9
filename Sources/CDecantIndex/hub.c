// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The list of what readers have found out about a document (hub.h).

#include "hub.h"

#include <string.h>

#include "keys.h"

#define SLOTS_PER_HEAD 128u

static decant_context *original(const decant_context *context) {
  return (decant_context *)(context->original != NULL ? context->original : context);
}

struct hub *decant_hub(const decant_context *context) {
  return __atomic_load_n((struct hub **)&original(context)->directories, __ATOMIC_ACQUIRE);
}

struct hub *decant_hub_make(const decant_context *context) {
  decant_context *owner = original(context);
  struct hub *other = decant_hub(context);
  const bool is_discarded = owner->owned_slots != NULL || owner->owner != NULL || owner->engine != NULL;
  if (other != NULL || !is_discarded) return other;
  uint32_t bits = 1;
  while ((size_t)SLOTS_PER_HEAD << bits < owner->slot_count) bits++;
  const size_t heads = (size_t)1 << bits;
  const size_t bytes = sizeof(struct hub) + heads * sizeof(struct hub_entry *);
  struct hub *hub = decant_scratch_allocate(owner, bytes);
  if (hub == NULL) return NULL;
  memset(hub, 0, bytes);
  hub->bytes = bytes;
  hub->head_bits = bits;
  decant_draw_seed(hub->seed);
  if (__atomic_compare_exchange_n((struct hub **)&owner->directories, &other, hub, false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return hub;
  }
  decant_scratch_release(owner, hub, bytes);
  return other;
}

// Multiplication by a secret odd number spreads the slots that a document's author can choose.
static struct hub_entry **head_of(struct hub *hub, uint32_t container) {
  const uint64_t spread = (uint64_t)container * (hub->seed[0] | 1);
  return &hub->heads[spread >> (64 - hub->head_bits)];
}

static struct hub_entry *find_from(struct hub_entry *entry, uint32_t kind, uint32_t container) {
  while (entry != NULL && (entry->container != container || entry->kind != kind)) entry = entry->next;
  return entry;
}

struct hub_entry *decant_hub_find(struct hub *hub, uint32_t kind, uint32_t container) {
  return find_from(__atomic_load_n(head_of(hub, container), __ATOMIC_ACQUIRE), kind, container);
}

struct hub_entry *decant_hub_allocate(const decant_context *context, size_t bytes, uint32_t kind,
                                      uint32_t container) {
  struct hub_entry *entry = decant_scratch_allocate(original(context), bytes);
  if (entry == NULL) return NULL;
  memset(entry, 0, bytes);
  *entry = (struct hub_entry){.bytes = bytes, .container = container, .kind = kind};
  return entry;
}

struct hub_entry *decant_hub_publish(const decant_context *context, struct hub *hub,
                                     struct hub_entry *entry) {
  struct hub_entry **head = head_of(hub, entry->container);
  struct hub_entry *first = __atomic_load_n(head, __ATOMIC_ACQUIRE);
  do {
    struct hub_entry *other = find_from(first, entry->kind, entry->container);
    if (other != NULL) {
      decant_scratch_release(original(context), entry, entry->bytes);
      return other;
    }
    entry->next = first;
  } while (!__atomic_compare_exchange_n(head, &first, entry, true, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
  return entry;
}

void decant_hub_release(decant_context *context) {
  struct hub *hub = context->directories;
  if (hub == NULL) return;
  for (size_t head = 0; head < (size_t)1 << hub->head_bits; head++) {
    for (struct hub_entry *next, *entry = hub->heads[head]; entry != NULL; entry = next) {
      next = entry->next;
      decant_scratch_release(context, entry, entry->bytes);
    }
  }
  decant_scratch_release(context, hub, hub->bytes);
  context->directories = NULL;
}
