// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The link pass of the SIMD index: a state machine over the entries of stage 1 (simd_template.h). It reads them in order
// and never looks back; `next` is the first unread one. It mostly needs the bytes at the entries, and the bytes before
// them:
//
//   {"a":"b","c":1,"d":null}
//    -  --                     a key: from its entry to what is before the next one, a quote and a colon
//        -  --                 a string: to a quote and a comma
//                - -           an integer: to the next entry
//                       ----   a literal: one comparison of four
//
// There is no stack. While a container is open, the high half of its slot is the slot of its parent (see
// scalar.c). An array's elements are counted when it is closed: its second slot sums the slots of the containers
// in it, less one each, and what that leaves of the array's own slots is one for each element.

#include "stage.h"

#if DECANT_X86 || DECANT_NEON

#include "link_values.h"

// Keeps the compiler from holding one count in several registers: the count, eight times the count, and one more.
#define KEEP_COUNT(count) __asm__("" : "+r"(count))

#define OUTERMOST        DECANT_MAXIMUM_SLOTS  // the root's parent
#define AROUND_IS_OBJECT 0x80000000u

// What is linked: a small text, whose entries are all in the buffer already; any text; a line of a text of lines; or an
// element of an array. Lines and elements use the caller's slots; one that needs more is read by itself.
enum link_mode { LINK_WHOLE, LINK_IN_PARTS, LINK_LINE, LINK_ELEMENT };

// White space that may follow a value. A line feed ends a line.
DECANT_INLINE bool is_blank(uint8_t byte, const enum link_mode mode) {
  return decant_is_white(byte) && (mode != LINK_LINE || byte != '\n');
}

static DECANT_COLD int32_t grow(struct stage *stage, decant_context *context, size_t needed,
                                size_t used) {
  if (stage->by_lines) return DECANT_INDEX_ASK_SCALAR;
  const int32_t code = decant_slots_grow(context, used, needed, stage->offsets[stage->next]);
  // There are more entries than slots. If there is no memory for so many, the present slots may be enough.
  const bool goes_on = code == DECANT_INDEX_OK || code == DECANT_INDEX_READ_AGAIN;
  return goes_on ? code : DECANT_INDEX_ASK_SCALAR;
}

// Makes space for a slot for each entry from stage->next on, one besides, and `more`.
DECANT_INLINE int32_t make_room(struct stage *stage, decant_context *context, size_t more,
                                size_t used) {
  const size_t needed = used + (stage->entries - stage->next) + 1 + more;
  if (DECANT_UNLIKELY(context->slot_capacity < needed)) {
    const int32_t code = grow(stage, context, needed, used);
    if (code != DECANT_INDEX_OK) return code;
  }
  stage->slack = (ptrdiff_t)context->slot_capacity - (ptrdiff_t)stage->entries - 2;
  return DECANT_INDEX_OK;
}

static DECANT_RARE int32_t reserve(struct stage *stage, decant_context *context, size_t more,
                                   size_t next, size_t used) {
  stage->next = next;
  return make_room(stage, context, more, used);
}

// Reads more text when less than a window of entries is left: they move to the front of the buffer. Also returns false if
// the length of a string may not fit its slot, because string_slot does not check that.
bool decant_stage_read_on(struct stage *stage) {
  if (!stage->fill(stage)) return false;
  stage->last = stage->count - (WINDOW - 1);
  stage->failed = stage->offsets[stage->count - 1] - stage->offsets[0] >= DECANT_STRING_LONG;
  return !stage->failed;
}

// Reads more text, and makes space for a slot for each entry. An array, which takes two for one, asks for more.
static DECANT_RARE int32_t refill(struct stage *stage, decant_context *context, size_t next,
                                  size_t used) {
  stage->next = next;
  return decant_stage_read_on(stage) ? make_room(stage, context, 0, used) : DECANT_INDEX_ASK_SCALAR;
}

// The final slot of a container. Its low half stays. It is written as one word, because a small document's slot is soon
// read as one word.
DECANT_INLINE uint64_t closed_slot(uint64_t opened, uint32_t kind, size_t used) {
  return (uint32_t)opened | (uint64_t)(kind | (uint32_t)used) << 32;
}

// The closing quote of the string that begins at `start` and whose last entry is before the one at `end`. Only white space
// may be between the quote and `end`. Returns `start` if there is no closing quote.
DECANT_INLINE uint32_t closing_quote(const uint8_t *text, uint32_t start, uint32_t end) {
  while (end - start > 4 && decant_load_half_word(text + end - 4) == 0x20202020u) end -= 4;
  while (--end > start && decant_is_white(text[end])) continue;
  return end > start && text[end] == '"' ? end : start;
}

// The size of an escape sequence of more than one letter, or of none: then 0.
static DECANT_RARE size_t long_escape(const struct stage *stage, uint32_t offset) {
  size_t size;
  const int32_t code = decant_check_escape(stage->text, offset, stage->length, &size);
  return code == DECANT_INDEX_OK ? size : 0;
}

DECANT_RARE int32_t decant_link_any_string(struct stage *stage, decant_context *context,
                                           size_t next, size_t used) {
  const uint8_t *text = stage->text;
  const uint32_t start = stage->offsets[next];
  uint32_t last = start;
  if (text[start] != '"') return DECANT_INDEX_ASK_SCALAR;
  for (next++;;) {
    if (next >= stage->last) {
      if (context == NULL) return DECANT_INDEX_ASK_SCALAR;
      const int32_t code = refill(stage, context, next, used);
      if (code != DECANT_INDEX_OK) return code;
      next = 0;
    }
    const uint32_t offset = stage->offsets[next];
    if (next >= stage->entries || text[offset] != '\\') {
      const uint32_t end = next < stage->entries ? offset : (uint32_t)stage->length;
      const uint32_t quote = closing_quote(text, last, end);
      if (quote == last) return DECANT_INDEX_ASK_SCALAR;
      const uint32_t facts =
          decant_string_facts(quote - start - 1) | (last != start ? DECANT_STRING_ESCAPE : 0);
      stage->slot = (uint64_t)facts << 32 | (start - stage->base);
      stage->next = next;
      return DECANT_INDEX_OK;
    }
    last = offset + 1;
    next++;
    // Most escapes have one letter.
    const uint8_t letter = last < stage->length ? decant_escaped_byte(text[last]) : 0;
    if (DECANT_LIKELY(letter != 0 && letter != 'u')) continue;
    const size_t size = long_escape(stage, offset);
    if (size == 0) return DECANT_INDEX_ASK_SCALAR;
    next += size == 12;
  }
}

// The exponent of the number whose slot was just written, if the entry at `next` begins one. The entry is right after the
// number, because white space in between would be an entry.
static DECANT_RARE bool link_exponent(struct stage *stage, size_t next, uint64_t slot) {
  const uint32_t *offsets = stage->offsets + next;
  const uint8_t *text = stage->text;
  const uint32_t start = (uint32_t)slot, facts = (uint32_t)(slot >> 32);
  if ((text[offsets[0]] | 0x20) != 'e' || !decant_is_digit(text[offsets[0] - 1])) return false;
  // Right behind the letter is a sign or the first digit.
  const uint8_t second = text[offsets[1]];
  const bool is_signed = second == '-' || second == '+';
  if (offsets[1] != offsets[0] + 1 || !(is_signed || decant_is_digit(second))) return false;
  const uint32_t end = offsets[2];
  const uint32_t size = end - stage->base - start, digits = end - offsets[1] - is_signed;
  if (digits == 0) return false;
  const uint32_t flags = DECANT_NUMBER | DECANT_NUMBER_REAL | DECANT_NUMBER_EXPONENT;
  const uint32_t counts =
      decant_number_count(size) | (facts & 0xFFFF00);  // digits before and after
  stage->slot = (uint64_t)((facts & DECANT_NUMBER_MINUS) | flags | counts) << 32 | start;
  stage->next = next + 2;
  return true;
}

// A document that is a scalar, whose first entry is at `next`. Returns a code; sets stage->next and stage->slot. If a number
// ends with the text, its end has no entry: the scalar kernel reads it.
static DECANT_RARE int32_t link_scalar(struct stage *stage, decant_context *context, size_t next) {
  const uint8_t byte = stage->text[stage->offsets[next]];
  if (byte == '"') return decant_link_any_string(stage, context, next, 0);
  const bool is_number = decant_is_digit(byte) || byte == '-';
  const bool linked =
      is_number
          ? link_number(stage, stage->text, stage->base, byte == '-', byte, &next, &stage->slot)
          : link_literal(stage, stage->text, stage->base, byte, &next, &stage->slot);
  if (!linked) return DECANT_INDEX_ASK_SCALAR;
  stage->next = next;
  if (is_number && next < stage->entries) link_exponent(stage, next, stage->slot);
  return is_number && stage->next >= stage->entries ? DECANT_INDEX_ASK_SCALAR : DECANT_INDEX_OK;
}

// Compiled once for each mode. For a small text it never asks for more entries: it ends at the sentinels, which continue
// nothing. A line ends at its line feed, an element at its comma or at the array's bracket. The next one begins with the
// following entry.
DECANT_INLINE int32_t link(struct stage *stage, decant_context *context,
                           const enum link_mode mode) {
  const uint32_t *const offsets = stage->offsets;
  const uint8_t *const text = stage->text;
  const bool is_of_many = mode == LINK_LINE || mode == LINK_ELEMENT;
  const uint32_t base = is_of_many ? stage->base : 0;

  uint64_t *slots;
  size_t used = 0, next = is_of_many ? stage->next : 0;
  uint32_t open = OUTERMOST, outer;
  uint64_t opened;
  uint8_t byte;
  bool plain;
  int32_t code;

// Calls a function that may move the entries and the slots.
#define ENSURE(condition, call)               \
  do {                                        \
    if (DECANT_UNLIKELY(condition)) {         \
      code = call;                            \
      if (code != DECANT_INDEX_OK) goto fail; \
      slots = context->slots;                 \
      next = stage->next;                     \
    }                                         \
  } while (0)
#define REFILL() \
  ENSURE(mode != LINK_WHOLE && next >= stage->last, refill(stage, context, next, used))
#define ANY_STRING() ENSURE(true, decant_link_any_string(stage, context, next, used))
#define BYTE(place)  text[offsets[place]]
// The sentinels after a small text's entries repeat the last one, which could open or close containers forever.
#define STAY() \
  if (mode == LINK_WHOLE && DECANT_UNLIKELY(next > stage->entries)) goto wrong

  stage->depth_left = context->rules.maximum_depth;
  stage->first_word = decant_first_word(context, 0);
  slots = context->slots;
  outer = open;
  REFILL();
  byte = BYTE(next);
  if (byte == '{' && BYTE(next + 1) == '"') goto open_object;
  if ((byte | 0x20) == '{') goto open;
  ENSURE(true, link_scalar(stage, context, next));
  slots[used++] = stage->slot;
  if (next < stage->entries && is_blank(BYTE(next), mode)) next++;
  goto finish;

  // An object: a key or its end was seen to follow.

member:
  KEEP_COUNT(used);
  REFILL();
  // A key without escapes: its colon follows its closing quote, so the entry is the opening quote.
  if (DECANT_LIKELY(bytes_at(text, offsets + next + 1) == PAIR('"', ':'))) {
    slots[used++] = string_slot(offsets + next, base);
    next += 2;
  } else {
    ANY_STRING();
    slots[used++] = stage->slot;
    if (BYTE(next) != ':') goto wrong;
    next++;
  }
  byte = BYTE(next);
  if (byte == '"') {
    const uint32_t pair = bytes_at(text, offsets + next + 1);
    if (pair == PAIR('"', ',')) {
      slots[used++] = string_slot(offsets + next, base);
      next += 2;
      goto member;
    }
    // In small documents and lines, many members are the last of their object: test that here, too.
    if (mode != LINK_IN_PARTS && pair == PAIR('"', '}')) {
      slots[used++] = string_slot(offsets + next, base);
      next += 2;
      goto close_object;
    }
    plain = link_string(stage, text, base, &next, &slots[used]);
  } else if (decant_is_digit(byte)) {
    const uint8_t behind = BYTE(next + 1);
    if (behind == ',' && integer_slot(offsets + next, base, byte, &slots[used])) {
      used++;
      next += 2;
      goto member;
    }
    // The last member of an object over several lines.
    if (mode != LINK_LINE && behind == '\n' &&
        integer_slot(offsets + next, base, byte, &slots[used])) {
      used++;
      next += 2;
      goto after_blank;
    }
    plain = link_number(stage, text, base, false, byte, &next, &slots[used]);
  } else if (byte == '{') {
    outer = open | AROUND_IS_OBJECT;
    if (BYTE(next + 1) != '"') goto open;
    goto open_object;
  } else if (byte > '[') {
    plain = link_literal(stage, text, base, byte, &next, &slots[used]);
    if (DECANT_LIKELY(plain && BYTE(next) == ',')) {
      used++;
      next++;
      goto member;
    }
  } else if (byte == '[') {
    outer = open | AROUND_IS_OBJECT;
    if (BYTE(next + 1) != ']') goto open;
    if (DECANT_UNLIKELY(stage->depth_left == 0)) goto wrong;
    slots[used] = (uint64_t)(DECANT_ARRAY | (uint32_t)(used + 2)) << 32 | (offsets[next] - base);
    slots[used + 1] = (uint64_t)DECANT_ARRAY_FLAT << 32;
    used += 2;
    next += 2;
    goto after_member;
  } else if (byte == '-') {
    plain = link_number(stage, text, base, true, byte, &next, &slots[used]);
  } else {
    goto wrong;
  }
  if (DECANT_UNLIKELY(!plain)) {
    ANY_STRING();
    slots[used] = stage->slot;
  }
  used++;

after_member:
  KEEP_COUNT(used);
  byte = BYTE(next++);
  if (byte == ',') goto member;
  if (byte == '}') goto close_object;
  if (byte > ' ' && link_exponent(stage, next - 1, slots[used - 1])) {
    slots[used - 1] = stage->slot;
    next = stage->next;
    byte = BYTE(next++);
  }
  if (is_blank(byte, mode)) {
  after_blank:
    byte = BYTE(next++);
  }
  if (byte == ',') goto member;
  if (byte != '}') goto wrong;

close_object:
  opened = slots[open];
  slots[open] = closed_slot(opened, DECANT_OBJECT, used);
  if (DECANT_UNLIKELY(used - open > DECANT_HINT_MASK)) slots[open + 1] = DECANT_WORD_FULL;
  // Behind an object in an array there is mostly another one, which takes its place.
  outer = decant_slot_high(opened);
  if (outer < OUTERMOST && BYTE(next) == ',' && BYTE(next + 1) == '{' && BYTE(next + 2) == '"') {
    slots[outer + 1] += used - open - 1;
    next++;
    goto open_sibling;
  }
  goto closed;

  // An array.

element:
  KEEP_COUNT(used);
  REFILL();
  byte = BYTE(next);
first_element:
  if (decant_is_digit(byte)) {
    if (BYTE(next + 1) == ',' && integer_slot(offsets + next, base, byte, &slots[used])) {
      used++;
      next += 2;
      goto element;
    }
    plain = link_number(stage, text, base, false, byte, &next, &slots[used]);
  } else if (byte == '-') {
    plain = link_number(stage, text, base, true, byte, &next, &slots[used]);
  } else if (byte == '{') {
    outer = open;
    if (BYTE(next + 1) != '"') goto open;
    goto open_object;
  } else if (byte == '[') {
    outer = open;
    goto open;
  } else if (byte == '"') {
    plain = link_string(stage, text, base, &next, &slots[used]);
  } else {
    plain = link_literal(stage, text, base, byte, &next, &slots[used]);
  }
  if (DECANT_UNLIKELY(!plain)) {
    ANY_STRING();
    slots[used] = stage->slot;
  }
  used++;

after_element:
  KEEP_COUNT(used);
  byte = BYTE(next++);
  if (byte == ',') goto element;
  if (byte == ']') goto close_array;
  if (byte > ' ' && link_exponent(stage, next - 1, slots[used - 1])) {
    slots[used - 1] = stage->slot;
    next = stage->next;
    byte = BYTE(next++);
  }
  if (is_blank(byte, mode)) byte = BYTE(next++);
  if (byte == ',') goto element;
  if (byte != ']') goto wrong;

close_array : {
  const uint64_t nested = slots[open + 1];
  const uint64_t flat = nested == 0 ? DECANT_ARRAY_FLAT : 0;
  slots[open + 1] = (used - open - 2 - nested) | flat << 32;
  opened = slots[open];
  slots[open] = closed_slot(opened, DECANT_ARRAY, used);
}

closed:
  KEEP_COUNT(used);
  STAY();
  stage->depth_left++;
  REFILL();
  outer = decant_slot_high(opened);
  if (outer & AROUND_IS_OBJECT) {
    open = outer ^ AROUND_IS_OBJECT;
    goto after_member;
  }
  if (outer == OUTERMOST) goto finish;
  slots[outer + 1] += used - open - 1;
  open = outer;
  goto after_element;

  // An object with a member. There is room: it takes a slot more than it has entries, its key two less.
open_object:
  KEEP_COUNT(used);
  if (DECANT_UNLIKELY(__builtin_sub_overflow(stage->depth_left, 1, &stage->depth_left))) goto wrong;
open_sibling:
  slots[used] = (uint64_t)outer << 32 | (offsets[next] - base);
  slots[used + 1] = stage->first_word;
  open = (uint32_t)used;
  used += 2;
  next++;
  goto member;

open:
  KEEP_COUNT(used);
  STAY();
  if (DECANT_UNLIKELY(__builtin_sub_overflow(stage->depth_left, 1, &stage->depth_left))) goto wrong;
  ENSURE((ptrdiff_t)(used - next) > stage->slack, reserve(stage, context, 1, next, used));
  slots[used] = (uint64_t)outer << 32 | (offsets[next] - base);
  open = (uint32_t)used;
  used += 2;
  next++;
  if (byte == '{') {
    slots[open + 1] = stage->first_word;
    if (BYTE(next) == '"') goto member;
    if (BYTE(next++) != '}') goto wrong;
    goto close_object;
  }
  slots[open + 1] = 0;
  REFILL();
  byte = BYTE(next);
  if (byte != ']') goto first_element;
  next++;
  goto close_array;

finish:
  REFILL();
  // Nothing may follow but the end of the text; a line feed; or what ends an element.
  if (mode == LINK_LINE && next < stage->entries && BYTE(next) == '\n') {
    stage->line_end = offsets[next++];
  } else if (mode == LINK_ELEMENT) {
    if (next >= stage->entries) goto wrong;
    byte = BYTE(next);
    if (byte != ',' && byte != ']') goto wrong;
    stage->line_end = offsets[next];
    next += byte == ',';
  } else {
    if (next != stage->entries) goto wrong;
    stage->line_end = (uint32_t)stage->length;
  }
  stage->next = next;
  context->slot_count = (uint32_t)used;
  context->facts = (uint32_t)stage->facts;
  return DECANT_INDEX_OK;

wrong:
  DECANT_KEEP_RETURN();
  code = DECANT_INDEX_ASK_SCALAR;
fail:
  return code;
}

int32_t decant_link_whole(struct stage *stage, decant_context *context) {
  const int32_t code = make_room(stage, context, 0, 0);
  return code == DECANT_INDEX_OK ? link(stage, context, LINK_WHOLE) : code;
}

int32_t decant_link_parts(struct stage *stage, decant_context *context) {
  return link(stage, context, LINK_IN_PARTS);
}

// Lines, one by one (lines.c).

// Skips and counts line feeds, up to the next line's first entry. False if the text ends first, or stage 1 failed.
bool decant_stage_find_line(struct stage *stage, decant_line_index *index, decant_line *line) {
  for (;;) {
    while (stage->next < stage->last && stage->next < stage->entries &&
           stage->text[stage->offsets[stage->next]] == '\n') {
      index->next = (size_t)stage->offsets[stage->next++] + 1;
      line->blanks++;
    }
    if (stage->next < stage->last) break;
    if (!decant_stage_read_on(stage)) return false;
  }
  return stage->next < stage->entries;
}

// Leaves all lines before stage 1's place to be read by themselves: its error may be in any of them.
DECANT_COLD void decant_stage_read_alone(const struct stage *stage, decant_line_index *index) {
  index->alone = stage->position;
  index->is_new = true;
}

// Leaves a line that could not be linked to be read by itself. The index is after it already.
static DECANT_COLD void leave_line(struct stage *stage, decant_line_index *index) {
  if (index->next >= stage->position) {
    index->is_new = true;
  } else {
    while (stage->next < stage->entries && stage->offsets[stage->next] < index->next) stage->next++;
  }
}

decant_line_found decant_link_line(decant_line_index *index, decant_context *context,
                                   decant_line *line, begin_lines_function *begin) {
  struct stage *stage = (struct stage *)(void *)index->stage;
  if (DECANT_UNLIKELY(index->is_new)) {
    index->is_new = false;
    begin(stage, index->text, index->length, index->next);
  }
  if (DECANT_UNLIKELY(!decant_stage_find_line(stage, index, line))) {
    if (!stage->failed) return DECANT_LINE_NONE;
    decant_stage_read_alone(stage, index);
    return DECANT_LINE_UNREAD;
  }
  line->start = index->next;
  stage->base = (uint32_t)line->start;
  stage->facts = stage->batch_facts;
  int32_t code = make_room(stage, context, 0, 0);
  if (DECANT_LIKELY(code == DECANT_INDEX_OK)) code = link(stage, context, LINK_LINE);
  if (DECANT_LIKELY(code == DECANT_INDEX_OK)) {
    line->end = stage->line_end;
    index->next = line->end + (line->end < index->length);
    return DECANT_LINE_LINKED;
  }
  decant_line_pass(index, line);
  if (stage->failed) {
    decant_stage_read_alone(stage, index);
  } else {
    leave_line(stage, index);
  }
  return DECANT_LINE_ALONE;
}

// Elements, one by one. An element that cannot be linked, because it is invalid or incomplete, ends the index.
decant_line_found decant_link_element(decant_line_index *index, decant_context *context,
                                      decant_line *line, begin_lines_function *begin) {
  struct stage *stage = (struct stage *)(void *)index->stage;
  if (DECANT_UNLIKELY(index->is_new)) {
    index->is_new = false;
    begin(stage, index->text, index->length, 0);
  }
  while (stage->next >= stage->last)
    if (!decant_stage_read_on(stage)) return DECANT_LINE_NONE;
  if (stage->next >= stage->entries) return DECANT_LINE_NONE;
  line->start = stage->base = stage->offsets[stage->next];
  stage->facts = stage->batch_facts;
  int32_t code = make_room(stage, context, 0, 0);
  if (DECANT_LIKELY(code == DECANT_INDEX_OK)) code = link(stage, context, LINK_ELEMENT);
  line->end = stage->line_end;
  return code == DECANT_INDEX_OK ? DECANT_LINE_LINKED : DECANT_LINE_NONE;
}

#endif
