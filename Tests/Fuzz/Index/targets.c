// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

//
// The targets of the structural index, which need no Swift and so run ten times as often a second. The
// first byte chooses the rules; the rest is the document, or lines of documents. All trap where something is wrong.

#include "decant_cut.h"
#include "decant_lines.h"
#include "decant_lookup.h"
#include "decant_memory.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static void require(int condition) {
  if (!condition) __builtin_trap();
}

static decant_context context_of(const uint8_t *data, size_t size) {
  const uint8_t choice = size != 0 ? data[0] : 0;
  return (decant_context){.text = size != 0 ? data + 1 : data,
                          .length = size != 0 ? size - 1 : 0,
                          .rules = {.maximum_bytes = choice & 4 ? 300 : UINT64_MAX,
                                    .maximum_depth = choice & 8 ? 3 : 512,
                                    .duplicates = choice % 3}};
}

// MARK: - Kernels

static void compare(const decant_context *left, int32_t left_code, const decant_context *right,
                    int32_t right_code) {
  require(left_code == right_code);
  require(left->error_offset == right->error_offset && left->error_other == right->error_other);
  if (left_code != DECANT_INDEX_OK) {
    require(left->owned_slots == NULL && left->error_offset <= left->length);
    return;
  }
  require(left->slot_count == right->slot_count && left->facts == right->facts);
  require(memcmp(left->slots, right->slots, left->slot_count * sizeof left->slots[0]) == 0);
}

// Every kernel's answer, slot by slot, against the scalar one's.
static void fuzz_kernels(const uint8_t *data, size_t size) {
  decant_context expected = context_of(data, size);
  const int32_t code = decant_index_build_with("scalar", &expected);
  for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
    const char *name = decant_index_kernel_name(kernel);
    uint64_t buffer[24];
    decant_context context = context_of(data, size);
    if (size != 0 && data[0] & 16) {
      context.slots = buffer;
      context.slot_capacity = sizeof buffer / sizeof buffer[0];
    }
    compare(&context, decant_index_build_with(name, &context), &expected, code);
    decant_index_discard(&context);
  }
  decant_index_discard(&expected);
}

// MARK: - Look-ups

struct spelled {
  uint8_t *bytes;
  size_t length;
};

static struct spelled spell(const decant_context *context, uint64_t slot) {
  const uint8_t *text = context->text + decant_slot_offset(context->slots[slot]) + 1;
  const size_t length = decant_string_length(context, slot);
  struct spelled spelled = {malloc(length + 1), 0};
  spelled.length = decant_unescape(text, length, spelled.bytes);
  require(spelled.length <= length);
  return spelled;
}

// The value by the rule, by comparing all that the keys spell.
static uint64_t naive(const decant_context *context, uint64_t object, struct spelled wanted) {
  const uint64_t end = decant_slot_after(context->slots, object);
  uint64_t found = DECANT_NODE_NONE;
  for (uint64_t slot = object + 2; slot < end; slot = decant_slot_after(context->slots, slot + 1)) {
    struct spelled key = spell(context, slot);
    const int same =
        key.length == wanted.length && memcmp(key.bytes, wanted.bytes, key.length) == 0;
    free(key.bytes);
    if (!same) continue;
    found = slot + 1;
    if (context->rules.duplicates != DECANT_DUPLICATES_LAST) break;
  }
  return found;
}

static void look_up_all(const decant_context *context, uint64_t object, uint64_t *random) {
  uint64_t keys[256];
  size_t count = 0;
  const uint64_t end = decant_slot_after(context->slots, object);
  for (uint64_t slot = object + 2; slot < end && count < 256;
       slot = decant_slot_after(context->slots, slot + 1)) {
    keys[count++] = slot;
  }
  // Enough for a directory, where there are many keys.
  for (size_t round = 0; round < (count < 64 ? count : 2 * count); round++) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    const size_t pick = *random >> 62 == 0 ? round % count : (size_t)(*random >> 33) % count;
    struct spelled key = spell(context, keys[pick]);
    if (*random >> 60 == 15 && key.length != 0) key.bytes[0] ^= 1;
    require(decant_lookup(context, object, key.bytes, key.length) == naive(context, object, key));
    free(key.bytes);
  }
}

// Every look-up in every object, in an order that the document's bytes choose, against a naive one.
static void fuzz_lookups(const uint8_t *data, size_t size) {
  decant_context context = context_of(data, size);
  if (decant_index_build(&context) != DECANT_INDEX_OK) return;
  uint64_t random = size;
  for (size_t at = 0; at < size; at++) random = random * 31 + data[at];
  for (uint64_t slot = 0; slot < context.slot_count;) {
    const uint32_t high = decant_slot_high(context.slots[slot]);
    if (high >= DECANT_OBJECT) look_up_all(&context, slot, &random);
    slot += high & DECANT_CONTAINER ? 2 : 1;
  }
  decant_index_discard(&context);
}

// MARK: - Lines

static int is_blank(const uint8_t *text, size_t length) {
  while (length > 0 && decant_is_white(text[length - 1])) length--;
  return length == 0;
}

// A line that is linked against the line by itself.
static void compare_line(const decant_context *context, const decant_line *line,
                         const uint8_t *text, size_t length) {
  decant_context alone = {.text = text, .length = length, .rules = context->rules};
  const int32_t code = decant_index_build_with("scalar", &alone);
  if (line->is_linked) {
    require(code == DECANT_INDEX_OK && context->text == text && context->length == length);
    require((alone.facts & ~context->facts) == 0 && alone.slot_count == context->slot_count);
    require(memcmp(alone.slots, context->slots, alone.slot_count * sizeof alone.slots[0]) == 0);
  }
  decant_index_discard(&alone);
}

// The lines of the index of lines against those that line feeds make, with every kernel.
static void compare_lines(const char *kernel, void *memory, const uint8_t *data, size_t size) {
  decant_context context = context_of(data, size);
  const uint8_t *const text = context.text;
  const size_t length = context.length;
  decant_line_index *index = decant_line_index_make(memory, kernel);
  decant_line_index_begin(index, text, length);
  decant_line line;
  for (size_t at = 0, blanks = 0; at < length;) {
    const size_t end = at + decant_line_end((const char *)text + at, length - at);
    if (is_blank(text + at, end - at)) {
      blanks += end < length;
    } else {
      require(decant_line_index_next(index, &context, &line));
      require(line.start == at && line.end == end && line.blanks == blanks);
      compare_line(&context, &line, text + at, end - at);
      decant_line_index_end_line(&context);
      blanks = 0;
    }
    at = end + 1;
  }
  require(!decant_line_index_next(index, &context, &line));
}

// Values that are cut in pieces, against the scalar kernel's.
static void compare_cuts(const char *kernel, const uint8_t *data, size_t size) {
  decant_cut expected = {0}, cut = {0};
  const size_t end = decant_cut_scalar(&expected, data, size, true);
  const size_t most = size != 0 ? 1 + data[0] % 100u : 1;
  size_t at = 0;
  while (at < size) {
    const size_t piece = size - at < most ? size - at : most;
    const size_t found = decant_kernel_named(kernel)->cut(&cut, data + at, piece, true);
    at += found;
    if (found < piece) break;
  }
  require(at == end && cut.found == expected.found && cut.depth == expected.depth &&
          cut.alike == expected.alike && cut.last == expected.last &&
          cut.in_string == expected.in_string);
}

static void fuzz_lines(const uint8_t *data, size_t size) {
  const decant_rules rules = context_of(data, size).rules;
  void *memory = malloc(decant_line_index_size(&rules));
  for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
    const char *name = decant_index_kernel_name(kernel);
    compare_cuts(name, data, size);
    if (memory != NULL && strcmp(name, "scalar") != 0) compare_lines(name, memory, data, size);
  }
  free(memory);
}

// MARK: - libFuzzer's door

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static void (*target)(const uint8_t *, size_t);
  if (target == NULL) {
    const char *name = getenv("DECANT_FUZZ_TARGET");
    target = name != NULL && strcmp(name, "kernels") == 0 ? fuzz_kernels
             : name != NULL && strcmp(name, "lines") == 0 ? fuzz_lines
                                                          : fuzz_lookups;
  }
  target(data, size);
  return 0;
}
