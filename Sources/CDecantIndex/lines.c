// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Lines (decant_lines.h). A kernel counts bytes (simd_count.h), or a loop in lanes of bytes, which compilers turn into
// vectors. A kernel reads an index of lines, and link.c links it. This file decides which lines are read by themselves.

#include "decant_lines.h"

#include "decant_memory.h"
#include "internal.h"

#define LANES      64
#define MOST_STEPS 255  // as many as a byte can count

size_t decant_line_feeds(const char *text, size_t length) {
  return decant_current_kernel()->line_feeds((const uint8_t *)text, length);
}

// The bytes that have the bits of `byte` among those of `mask`.
DECANT_INLINE size_t count(const uint8_t *text, size_t length, uint8_t mask, uint8_t byte) {
  size_t count = 0;
  while (length >= LANES) {
    uint8_t lanes[LANES] = {0};
    size_t steps = length / LANES;
    if (steps > MOST_STEPS) steps = MOST_STEPS;
    for (size_t step = 0; step < steps; step++, text += LANES) {
      for (size_t lane = 0; lane < LANES; lane++) lanes[lane] += (text[lane] & mask) == byte;
    }
    for (size_t lane = 0; lane < LANES; lane++) count += lanes[lane];
    length -= steps * LANES;
  }
  for (size_t at = 0; at < length; at++) count += (text[at] & mask) == byte;
  return count;
}

size_t decant_line_feeds_scalar(const uint8_t *text, size_t length) {
  return count(text, length, 0xFF, '\n');
}

size_t decant_continuations_scalar(const uint8_t *text, size_t length) {
  return count(text, length, 0xC0, 0x80);
}

size_t decant_last_line_end(const char *text, size_t length) {
  for (; length >= LANES; length -= LANES) {
    uint8_t any = 0;
    for (size_t lane = 1; lane <= LANES; lane++) any |= text[length - lane] == '\n';
    if (any) break;
  }
  while (length > 0 && text[length - 1] != '\n') length--;
  return length;
}

size_t decant_line_index_size(const decant_rules *rules) {
  if (rules->relaxations != 0 || decant_current_kernel()->link_line == NULL) return 0;
  return sizeof(decant_line_index) + _Alignof(decant_line_index);
}

decant_line_index *decant_line_index_make(void *memory, const char *kernel) {
  const uintptr_t alignment = _Alignof(decant_line_index);
  char *const start = memory;
  decant_line_index *index =
      (decant_line_index *)(void *)(start + (-(uintptr_t)start & (alignment - 1)));
  index->link = decant_kernel_named(kernel)->link_line;
  index->link_element = decant_kernel_named(kernel)->link_element;
  index->unlike = 0;
  index->line_entries = 0;
  decant_line_index_begin(index, NULL, 0);
  return index;
}

void decant_line_index_begin(decant_line_index *index, const uint8_t *text, size_t length) {
  index->text = text;
  index->length = length;
  index->next = 0;
  index->alone = 0;
  index->is_new = true;
}

void decant_line_pass(decant_line_index *index, decant_line *line) {
  const char *const start = (const char *)index->text + index->next;
  line->start = index->next;
  line->end = index->next + decant_line_end(start, index->length - index->next);
  index->next = line->end + (line->end < index->length);
}

static bool is_blank(const decant_line_index *index, const decant_line *line) {
  size_t at = line->start;
  while (at != line->end && decant_is_white(index->text[at])) at++;
  return at == line->end;
}

// The next line among those that are read by themselves.
static DECANT_COLD bool next_alone(decant_line_index *index, decant_line *line) {
  while (index->next < index->alone) {
    decant_line_pass(index, line);
    if (!is_blank(index, line)) return true;
    line->blanks += line->end != index->length;
  }
  return false;
}

// Whether a linked line follows the rules that a kernel does not check.
static bool follows_rules(decant_line_index *index, decant_context *context,
                          const decant_line *line) {
  const size_t length = line->end - line->start;
  if (DECANT_UNLIKELY(length > context->rules.maximum_bytes)) {
    DECANT_KEEP_RETURN();
    return false;
  }
  context->text = index->text + line->start;
  context->length = length;
  context->owner = index;
  return DECANT_LIKELY(context->rules.duplicates != DECANT_DUPLICATES_REJECT) ||
         decant_check_duplicates(context) == DECANT_INDEX_OK;
}

// Prepares a context for the next line or element.
static inline void begin_next(decant_line_index *index, decant_context *context,
                              decant_line *line) {
  line->blanks = 0;
  line->is_linked = false;
  context->kept_errors = 0;
  context->copied_bytes = 0;
  context->taken_memory = 0;
  context->slots = index->slots;
  context->slot_capacity = DECANT_LINE_SLOTS;
}

bool decant_element_index_next(decant_line_index *index, decant_context *context,
                               decant_line *line) {
  begin_next(index, context, line);
  line->is_linked = index->link_element(index, context, line) == DECANT_LINE_LINKED &&
                    follows_rules(index, context, line);
  return line->is_linked;
}

bool decant_line_index_next(decant_line_index *index, decant_context *context, decant_line *line) {
  begin_next(index, context, line);
  for (;;) {
    if (DECANT_UNLIKELY(index->next < index->alone) && next_alone(index, line)) return true;
    switch (index->link(index, context, line)) {
      case DECANT_LINE_LINKED: line->is_linked = follows_rules(index, context, line); return true;
      case DECANT_LINE_ALONE: return true;
      case DECANT_LINE_UNREAD: break;
      case DECANT_LINE_NONE: index->next = index->length; return false;
    }
  }
}
