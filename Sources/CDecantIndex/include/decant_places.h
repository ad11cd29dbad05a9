// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Finds where a value of a kept document is: its line and column, and its position among its siblings. A program that
// decodes n elements one by one, and gets an error for each, asks n times; so a search must not begin at the start of the
// document or of the array (places.c).

#ifndef DECANT_PLACES_H
#define DECANT_PLACES_H

#include "decant_index.h"

DECANT_BEGIN

// A line and column, from 1, of the character that begins at or before `offset`; and where the line begins.
typedef struct decant_place {
  size_t offset;
  size_t line;
  size_t column;
  size_t line_start;
} decant_place;

// A place at most DECANT_PLACE_STEP bytes before `offset`, from which to count. False if the document is small and has no
// table (table.h), or if memory is exhausted: then count from the start of the text. The first call reads the whole text.
#define DECANT_PLACE_STEP 512u
bool decant_place_before(const decant_context *context, size_t offset, decant_place *place);

// The child of a native array or object that contains slot `target`, as the slot of its value, and its position
// from 0. DECANT_NODE_NONE if no child contains it. Takes logarithmic time; the first call for a wide container walks over
// its children once.
uint64_t decant_child_around(const decant_context *context, uint64_t container, uint64_t target,
                             uint64_t *position);

// The parent of another engine's value: the node, and the value's key in it, or NULL and its position from 0.
typedef struct DECANT_HANDLE decant_parent {
  uint64_t node;
  uint64_t position;
  const uint8_t *key;  // valid as long as the document
  size_t key_length;
} decant_parent;

// Finds the parent of another engine's value. False for the root, for a value that occurs more than once, as `null` can,
// and if memory is exhausted. The first call walks the whole document.
bool decant_parent_of(const decant_context *context, uint64_t node, decant_parent *parent);

// Whether another engine's document contains a node, once or several times. False if memory is exhausted.
bool decant_has_value(const decant_context *context, uint64_t node);

DECANT_END

#endif
