// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Milestones, which make it cheap to find the place of a value in a kept document (decant_places.h).
//
//   lines        the line and column at every 512th byte of the text
//
//     text       . . . . . . . . . . . . . . . .
//                0       512     1024    1536          a place is the entry before it, and at most
//     entry      1:1     9:14    20:3    31:40         511 bytes counted from there
//
//   milestones   the slot of every 16th child of a wide array or object
//
//     children   0 … 15 16 … 31 32 …
//     slots      2      98      180                    a child is found by its slot: a binary search,
//                                                      and at most 15 steps from sibling to sibling;
//                                                      or by its number: one load, and as many steps
//
// Both are made in one pass, by the first call that needs them, and stored in the document's table (table.h). Elements by
// number get them later, when walks have taken four times the array's length. The high half of an array's second slot
// counts these steps:
//
//   bit 0       DECANT_ARRAY_FLAT
//   bits 1-31   steps walked so far, in units of 16; all ones: the array has its milestones
//
// Lines take 12 bytes for 512 of the text, milestones 4 for 16 children. If a document cannot have them, or memory is
// exhausted, a search walks from the start.

#include "decant_places.h"

#include "decant_engine.h"
#include "decant_lookup.h"
#include "table.h"

// MARK: - Lines

struct line_mark {
  uint32_t line, column, line_start;
};

struct lines {
  struct table_entry entry;
  struct line_mark marks[];
};

static void count_lines(const uint8_t *text, size_t marks, struct line_mark *mark) {
  struct line_mark now = {1, 1, 0};
  for (size_t at = 0;; mark++) {
    *mark = now;
    if (--marks == 0) return;
    for (const size_t end = at + DECANT_PLACE_STEP; at < end; at++) {
      if (text[at] == '\n') {
        now = (struct line_mark){now.line + 1, 1, (uint32_t)at + 1};
      } else {
        now.column += (text[at] & 0xC0) != 0x80;
      }
    }
  }
}

static const struct lines *lines_of(const decant_context *context) {
  struct table *table = decant_table_make(context);
  if (table == NULL) return NULL;
  struct table_entry *known = decant_table_find(table, DECANT_ENTRY_LINES, 0);
  if (known != NULL) return (const struct lines *)known;
  const size_t marks = context->length / DECANT_PLACE_STEP + 1;
  const size_t bytes = sizeof(struct lines) + marks * sizeof(struct line_mark);
  struct table_entry *entry = decant_table_allocate(context, bytes, DECANT_ENTRY_LINES, 0);
  if (entry == NULL) return NULL;
  count_lines(context->text, marks, ((struct lines *)entry)->marks);
  return (const struct lines *)decant_table_publish(context, table, entry);
}

bool decant_place_before(const decant_context *context, size_t offset, decant_place *place) {
  if (context->engine != NULL || offset > context->length) return false;
  const struct lines *lines = lines_of(context);
  if (lines == NULL) return false;
  const struct line_mark *mark = &lines->marks[offset / DECANT_PLACE_STEP];
  *place = (decant_place){offset - offset % DECANT_PLACE_STEP, mark->line, mark->column,
                          mark->line_start};
  return true;
}

// MARK: - Children

#define STEP 16u
// Containers with fewer children than this are walked.
#define WIDE 64u

struct milestones {
  struct table_entry entry;
  uint32_t count;
  uint32_t slots[];  // of the children 0, 16, 32, …
};

struct children {
  const uint64_t *slots;
  uint64_t first, end;  // of the children's slots
  bool has_keys;
};

static struct children children_of(const decant_context *context, uint64_t container) {
  const uint32_t high = decant_slot_high(context->slots[container]);
  return (struct children){context->slots, container + 2, high & DECANT_NEXT,
                           high >= DECANT_OBJECT};
}

// Walks up to `steps` children on from `*child`, which is number `*position`, towards the one that contains
// `target`. True if it was reached.
static bool walk(const struct children *children, uint64_t target, uint64_t steps, uint64_t *child,
                 uint64_t *position) {
  for (; *child < children->end && steps != 0; steps--) {
    const uint64_t after = decant_slot_after(children->slots, *child + children->has_keys);
    if (target < after) return true;
    *child = after;
    *position += 1;
  }
  return false;
}

static const struct milestones *milestones_of(const decant_context *context, uint64_t container,
                                              const struct children *children) {
  struct table *table = decant_table_make(context);
  if (table == NULL) return NULL;
  struct table_entry *known =
      decant_table_find(table, DECANT_ENTRY_MILESTONES, (uint32_t)container);
  if (known != NULL) return (const struct milestones *)known;
  uint64_t child = children->first, count = 0;
  walk(children, children->end, UINT64_MAX, &child, &count);
  const size_t marks = (count + STEP - 1) / STEP;
  const size_t bytes = sizeof(struct milestones) + marks * sizeof(uint32_t);
  struct table_entry *entry =
      decant_table_allocate(context, bytes, DECANT_ENTRY_MILESTONES, (uint32_t)container);
  if (entry == NULL) return NULL;
  struct milestones *milestones = (struct milestones *)entry;
  for (child = children->first; child < children->end;
       walk(children, children->end, STEP, &child, &count))
    milestones->slots[milestones->count++] = (uint32_t)child;
  return (const struct milestones *)decant_table_publish(context, table, entry);
}

// The last milestone at or before a slot.
static uint32_t milestone_before(const struct milestones *milestones, uint64_t slot) {
  uint32_t low = 0, high = milestones->count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (milestones->slots[middle] <= slot) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

uint64_t decant_child_around(const decant_context *context, uint64_t container, uint64_t target,
                             uint64_t *position) {
  const struct children children = children_of(context, container);
  if (target < children.first || target >= children.end) return DECANT_NODE_NONE;
  uint64_t child = children.first;
  *position = 0;
  if (!children.has_keys &&
      (decant_second_slot(context, container) >> 32 & DECANT_ARRAY_FLAT) != 0) {
    *position = target - child;
    return target;
  }
  if (!walk(&children, target, WIDE, &child, position)) {
    const struct milestones *milestones = milestones_of(context, container, &children);
    if (milestones != NULL) {
      const uint32_t mark = milestone_before(milestones, target);
      child = milestones->slots[mark];
      *position = (uint64_t)mark * STEP;
    }
    walk(&children, target, UINT64_MAX, &child, position);
  }
  return child + children.has_keys;
}

// MARK: - Elements

#define EFFORT_SHIFT  33
#define EFFORT_MARKED 0x7FFFFFFFull
#define PATIENCE      4

static void store_effort(const decant_context *context, uint64_t array, uint64_t word,
                         uint64_t effort) {
  const uint64_t rest = word & ((1ull << EFFORT_SHIFT) - 1);
  __atomic_store_n(&context->slots[array + 1], effort << EFFORT_SHIFT | rest, __ATOMIC_RELAXED);
}

// The array's milestones if walks to its elements have cost enough, or NULL. Counts `steps` more.
static const struct milestones *milestones_for(const decant_context *context, uint64_t array,
                                               const struct children *children, uint64_t steps) {
  const uint64_t word = decant_second_slot(context, array);
  const uint64_t count = (uint32_t)word;
  if (steps < STEP || count < WIDE) return NULL;
  uint64_t effort = word >> EFFORT_SHIFT;
  if (effort != EFFORT_MARKED) {
    effort += steps / STEP;
    if (effort < count * PATIENCE / STEP) return store_effort(context, array, word, effort), NULL;
    store_effort(context, array, word, EFFORT_MARKED);
  }
  const struct milestones *milestones = milestones_of(context, array, children);
  if (milestones == NULL) store_effort(context, array, word, 0);  // no memory now: later, perhaps
  return milestones;
}

uint64_t decant_nested_element(const decant_context *context, uint64_t array, uint64_t index) {
  const struct children children = children_of(context, array);
  const struct milestones *milestones = milestones_for(context, array, &children, index);
  uint64_t child = children.first, steps = index;
  if (milestones != NULL) {
    child = milestones->slots[index / STEP];
    steps = index % STEP;
  }
  for (; steps != 0; steps--) child = decant_slot_after(children.slots, child);
  return child;
}
