// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The SIMD index: stage 1 finds where tokens begin and end, the link pass checks the grammar and writes
// the slots. A kernel file defines the primitives named below for its instruction set and
// DECANT_BUILD_FUNCTION, then includes this file, so that both passes are compiled for that set.
//
// Stage 1 follows Langdale & Lemire, "Parsing Gigabytes of JSON per Second" (2019): 64 bytes at a time
// become bit masks (bit n: byte n), and arithmetic on the masks tells strings from the rest. For every
// byte of interest it appends an entry, the byte's offset and the byte itself:
//
//   bytes    {  "  a  \  n  "  :     -  1  2  .  5     ,  "  b  "  :  t  r  u  e  }
//   offset   0  1     3     5  6     8        11    13 14 15    17 18 19          23
//   entries  {  "     \     "  :     -        .     _  ,  "     "  :  t           }
//
//   - { } [ ] , : outside strings, and both quotes of every string
//   - the backslash that begins each escape sequence
//   - the first byte of a number or a literal, and the byte after it if that is white space (_)
//   - in a number, its point and its e or E
//
// So the entry after a number, a fraction or a literal stands where that ends, and the link pass never
// looks at their bytes. Entries live in a buffer of about 5 KB; when the link pass has nearly used them
// up, stage 1 goes on. Nothing else grows with the document but the slots.
//
// What stage 1 checks itself: UTF-8 (Keiser & Lemire, "Validating UTF-8 in Less Than One Instruction per
// Byte", 2020), control characters in strings, and which bytes may follow each other in a number. The
// link pass checks the rest, a state machine over entries: the common case of a key, `"":`, is one
// comparison of three entries' bytes. Both only notice that something is wrong; scalar.c says what.
//
// The primitives, for a 64-byte block:
//   simd_block                         the bytes, in vectors
//   simd_load(bytes)                   64 bytes, at any alignment
//   simd_load_tail(bytes, size, scratch)  fewer, followed by spaces; reads no byte beyond
//   simd_masks(block)                  struct masks
//   simd_number_masks(block)           struct number_masks
//   simd_prefix_xor(mask)              bit n: the parity of bits 0 … n
//   simd_emit(stage, block, mask)      appends an entry for every set bit
//   simd_utf8, simd_utf8_begin(state), simd_utf8_next(state, block) for blocks that are not ASCII,
//   simd_utf8_ascii(state) for those that are, simd_utf8_failed(state)

#include "tokens.h"

// The entries of one batch, and those that must be left when the link pass goes on: it reads at most a
// key (3), a number with fraction, exponent and white space behind (5), and two more.
#define DECANT_STAGE_ENTRIES 1024
#define WINDOW 16

struct stage {
  const uint8_t *text;
  size_t length;
  size_t position;  // of the next block
  // From one block to the next: bit 0, but in_string is all ones or zero.
  uint64_t in_string;
  uint64_t escaped;
  uint64_t after_scalar;
  uint64_t after_digit;
  uint64_t after_sign;  // or after a point
  uint64_t after_exponent;
  // Not zero if there was such a thing.
  uint64_t errors;
  uint64_t backslashes;
  uint64_t non_ascii;
  simd_utf8 utf8;
  bool ended;
  size_t next;   // the first entry that the link pass has not read
  size_t count;  // entries in the buffer, the read ones included
  uint32_t offsets[DECANT_STAGE_ENTRIES + WINDOW];
  uint8_t bytes[DECANT_STAGE_ENTRIES + WINDOW];
};

// Empties the buffer's read part and fills it up. False when the text is known to be invalid.
static __attribute__((noinline)) bool fill(struct stage *stage);

static inline void stage_begin(struct stage *stage, const uint8_t *text, size_t length) {
  stage->text = text;
  stage->length = length;
  stage->position = 0;
  stage->in_string = 0;
  stage->escaped = 0;
  stage->after_scalar = 0;
  stage->after_digit = 0;
  stage->after_sign = 0;
  stage->after_exponent = 0;
  stage->errors = 0;
  stage->backslashes = 0;
  stage->non_ascii = 0;
  stage->ended = false;
  stage->next = 0;
  stage->count = 0;
  simd_utf8_begin(&stage->utf8);
}

// Of each run of backslashes, every second one from its first begins an escape sequence. The add turns
// the runs that begin at an even bit to zero, by carrying through them, and leaves all others alone.
DECANT_INLINE uint64_t escape_starts(uint64_t backslashes) {
  const uint64_t even = 0x5555555555555555u;
  const uint64_t starts = backslashes & ~(backslashes << 1);
  const uint64_t even_runs = backslashes & ~(backslashes + (starts & even));
  return (even_runs & even) | (backslashes & ~even_runs & ~even);
}

// Checks which bytes follow each other in numbers. `scalars` are the bytes of numbers and literals;
// a literal's letters are compared by the link pass, so only what follows a byte of a number counts:
//   digit        -> digit . e E, or the end      - + .  -> digit      e E after a digit -> digit - +
// That leaves to the link pass the order of point and exponent, which are entries, and leading zeros.
DECANT_INLINE uint64_t number_entries(struct stage *stage, simd_block block, uint64_t scalars,
                                      uint64_t digits) {
  const struct number_masks masks = simd_number_masks(block);
  const uint64_t after_digit = digits << 1 | stage->after_digit;
  const uint64_t points = masks.point & scalars;
  const uint64_t letters = masks.exponent & scalars;
  const uint64_t signs = masks.sign & scalars;
  const uint64_t exponents = letters & after_digit;
  const uint64_t need_digit = points | signs;
  uint64_t errors = after_digit & scalars & ~(digits | points | letters);
  errors |= (need_digit << 1 | stage->after_sign) & ~digits;
  errors |= (exponents << 1 | stage->after_exponent) & ~(digits | signs);
  stage->errors |= errors;
  stage->after_sign = need_digit >> 63;
  stage->after_exponent = exponents >> 63;
  return points | exponents;
}

DECANT_INLINE void stage_block(struct stage *stage, simd_block block) {
  const struct masks masks = simd_masks(block);

  uint64_t quotes = masks.quote, escapes = 0;
  if (DECANT_UNLIKELY((masks.backslash | stage->escaped) != 0)) {
    escapes = escape_starts(masks.backslash & ~stage->escaped);
    quotes &= ~(escapes << 1 | stage->escaped);
    stage->escaped = escapes >> 63;
  }
  // From each opening quote up to, not including, its closing one.
  const uint64_t strings = simd_prefix_xor(quotes) ^ stage->in_string;
  stage->in_string = (uint64_t)((int64_t)strings >> 63);
  stage->errors |= masks.control & strings;
  escapes &= strings;
  stage->backslashes |= escapes;

  const uint64_t outside = ~(strings | quotes);
  const uint64_t scalars = outside & ~(masks.structural | masks.white);
  const uint64_t after_scalar = scalars << 1 | stage->after_scalar;
  const uint64_t digits = masks.digit & scalars;
  const uint64_t bounds = (scalars & ~after_scalar) | (after_scalar & masks.white);
  uint64_t entries = (masks.structural & ~strings) | quotes | escapes | bounds;

  // Plain digits need no check: a digit before something else than a digit does, and a minus.
  const uint64_t exotic = scalars & ~digits & ((digits << 1 | stage->after_digit) | masks.minus);
  if ((exotic | stage->after_sign | stage->after_exponent) != 0) {
    entries |= number_entries(stage, block, scalars, digits);
  }
  stage->after_scalar = scalars >> 63;
  stage->after_digit = digits >> 63;

  if (masks.non_ascii != 0) {
    simd_utf8_next(&stage->utf8, block);
    stage->non_ascii = 1;
  } else {
    simd_utf8_ascii(&stage->utf8);
  }
  stage->count += simd_emit(stage->offsets + stage->count, stage->bytes + stage->count,
                            (uint32_t)stage->position, block, entries);
  stage->position += 64;
}

// The text is used up: what was left open is an error, and the entries end with a window of sentinels.
DECANT_INLINE void stage_end(struct stage *stage) {
  stage->errors |= stage->in_string | stage->after_sign | stage->after_exponent;
  for (size_t step = 0; step < WINDOW; step++) {
    stage->offsets[stage->count + step] = (uint32_t)stage->length;
    stage->bytes[stage->count + step] = 0;
  }
  stage->count += WINDOW;
  stage->ended = true;
}

static bool fill(struct stage *state) {
  struct stage *stage = state;
  const size_t left = stage->count - stage->next;
  memmove(stage->offsets, stage->offsets + stage->next, left * sizeof stage->offsets[0]);
  memmove(stage->bytes, stage->bytes + stage->next, left);
  stage->next = 0;
  stage->count = left;
  while (stage->count <= DECANT_STAGE_ENTRIES - 64 && stage->length - stage->position >= 64) {
    stage_block(stage, simd_load(stage->text + stage->position));
  }
  if (stage->count <= DECANT_STAGE_ENTRIES - 64 && !stage->ended) {
    const size_t size = stage->length - stage->position;
    uint8_t scratch[64];
    if (size != 0) stage_block(stage, simd_load_tail(stage->text + stage->position, size, scratch));
    stage->position = stage->length;
    // The spaces of a tail complete no sequence; a text that ends with a block has none.
    if (size == 0) simd_utf8_ascii(&stage->utf8);
    stage_end(stage);
  }
  return stage->errors == 0 && !simd_utf8_failed(&stage->utf8);
}

// The link pass. It reads entries in order and never looks back; `next` is the first unread one.

// The slot of a string without escapes, between two quotes. Both offsets in one word, the opening one
// low: subtracting it from the high half leaves the distance there.
DECANT_INLINE uint64_t string_slot(const uint32_t *offsets) {
  const uint32_t bytes = offsets[1] - offsets[0] - 1;
  return (uint64_t)(DECANT_LIKELY(bytes < DECANT_STRING_LONG) ? bytes : DECANT_STRING_LONG) << 32 |
         offsets[0];
}

// The rest of a number whose first entry is at `next`. Stage 1 has proved which bytes follow each other:
// a minus is followed by a digit, and between two entries there are only digits and an exponent's sign.
DECANT_INLINE bool link_number(const struct stage *stage, uint8_t first, size_t *next,
                               uint64_t *slot) {
  const uint32_t *offsets = stage->offsets + *next;
  const uint8_t *bytes = stage->bytes + *next;
  const uint32_t start = offsets[0];
  uint32_t end = offsets[1];
  uint32_t flags = 0, integer = start;
  uint8_t leading = first;
  if (first == '-') {
    flags = DECANT_NUMBER_MINUS;
    integer = start + 1;
    leading = stage->text[integer];
  }
  const uint32_t before = end - integer;
  if (DECANT_UNLIKELY(leading == '0') && before != 1) return false;
  uint32_t after = 0, exponent_digits = 0;
  size_t entry = 1;
  if (bytes[entry] == '.') {
    flags |= DECANT_NUMBER_REAL;
    after = offsets[entry + 1] - end - 1;
    end = offsets[++entry];
  }
  if (DECANT_UNLIKELY((bytes[entry] | 0x20) == 'e')) {
    flags |= DECANT_NUMBER_REAL | DECANT_NUMBER_EXPONENT;
    exponent_digits = offsets[entry + 1] - end - 1;  // and perhaps a sign: one too many does no harm
    end = offsets[++entry];
  }
  if (DECANT_UNLIKELY(!decant_number_is_small(before, exponent_digits)) &&
      decant_number_overflows(stage->text + start, end - start)) {
    return false;
  }
  *slot = (uint64_t)decant_number_facts(end - start, before, after, flags) << 32 | start;
  *next += entry;
  return true;
}

// The entry after a literal stands where it ends, so its length is compared before its letters are read.
DECANT_INLINE bool link_literal(const struct stage *stage, uint8_t first, size_t *next,
                                uint64_t *slot) {
  const uint32_t start = stage->offsets[*next];
  const uint32_t size = stage->offsets[*next + 1] - start;
  const uint32_t skipped = first == 'f';
  const char *letters = first == 't' ? "true" : first == 'f' ? "alse" : "null";
  uint32_t expected;
  memcpy(&expected, letters, sizeof expected);
  if (size != 4 + skipped || decant_load32(stage->text + start + skipped) != expected) return false;
  *slot = start;
  *next += 1;
  return true;
}

// A string with escapes, from its opening quote at stage->next. It may have any number of entries, so it
// refills the buffer itself.
static __attribute__((noinline)) bool link_escapes(struct stage *stage, uint64_t *slot) {
  const uint32_t start = stage->offsets[stage->next++];
  for (;;) {
    if (stage->count - stage->next < WINDOW && !fill(stage)) return false;
    const uint32_t offset = stage->offsets[stage->next];
    if (stage->bytes[stage->next] != '\\') {
      stage->next++;
      *slot = (uint64_t)(decant_string_facts(offset - start - 1) | DECANT_STRING_ESCAPE) << 32 | start;
      return offset < stage->length;
    }
    size_t size;
    if (decant_read_escape(stage->text, offset, stage->length, &size) != DECANT_INDEX_OK) {
      return false;
    }
    stage->next += size == 12 ? 2 : 1;
  }
}

int32_t DECANT_BUILD_FUNCTION(decant_context *context) {
  struct stage stage;
  stage_begin(&stage, context->text, context->length);
  const uint32_t *const offsets = stage.offsets;
  const uint8_t *const bytes = stage.bytes;
  const uint32_t maximum_depth = context->rules.maximum_depth;
  const uint32_t none = DECANT_MAXIMUM_SLOTS;
  const uint32_t around_is_object = 0x80000000u;

  uint64_t *slots = context->slots;
  size_t capacity = slots != NULL ? context->slot_capacity : 0;
  size_t used = 0, next = 0, count = 0;
  uint32_t depth = 0, open = none;
  uint64_t elements = 0;
  bool in_object = false;
  uint64_t slot;
  uint8_t byte;

// Room for a slot for every entry that is left; a container, with two for one, asks again.
#define RESERVE(more)                                                                           \
  do {                                                                                          \
    if (DECANT_UNLIKELY(capacity - used < count - next + (more))) {                             \
      const int32_t code = decant_slots_grow(context, used, used + (count - next) + (more),     \
                                             offsets[next]);                                    \
      if (code == DECANT_INDEX_OUT_OF_MEMORY) return code;                                      \
      if (code != DECANT_INDEX_OK) goto fail;                                                   \
      slots = context->slots;                                                                   \
      capacity = context->slot_capacity;                                                        \
    }                                                                                           \
  } while (0)

#define REFILL()                                  \
  do {                                            \
    if (DECANT_UNLIKELY(count - next < WINDOW)) { \
      stage.next = next;                          \
      if (!fill(&stage)) goto fail;               \
      next = 0;                                   \
      count = stage.count;                        \
      RESERVE(2);                                 \
    }                                             \
  } while (0)

#define LINK_ESCAPES()                           \
  do {                                           \
    stage.next = next;                           \
    if (!link_escapes(&stage, &slot)) goto fail; \
    next = stage.next;                           \
    count = stage.count;                         \
    RESERVE(2);                                  \
    slots[used++] = slot;                        \
    REFILL();                                    \
  } while (0)

  REFILL();
  byte = bytes[next];
  goto value;

key:
  REFILL();
  // Two quotes and a colon: a key without escapes.
  if (DECANT_LIKELY((decant_load32(bytes + next) & 0xFFFFFF) == ('"' | '"' << 8 | ':' << 16))) {
    slots[used++] = string_slot(offsets + next);
    byte = bytes[next + 3];
    next += 3;
  } else {
    if (bytes[next] != '"' || bytes[next + 1] != '\\') goto fail;
    LINK_ESCAPES();
    if (bytes[next] != ':') goto fail;
    byte = bytes[++next];
  }
  goto value;

element:
  REFILL();
  elements++;
  byte = bytes[next];

value:
  if (byte == '"') {
    if (DECANT_LIKELY(bytes[next + 1] == '"')) {
      slots[used++] = string_slot(offsets + next);
      next += 2;
    } else {
      if (bytes[next + 1] != '\\') goto fail;
      LINK_ESCAPES();
    }
  } else if (decant_is_digit(byte) || byte == '-') {
    if (!link_number(&stage, byte, &next, &slot)) goto fail;
    slots[used++] = slot;
  } else if (byte == '{' || byte == '[') {
    goto open;
  } else if (byte == 't' || byte == 'f' || byte == 'n') {
    if (!link_literal(&stage, byte, &next, &slot)) goto fail;
    slots[used++] = slot;
  } else {
    goto fail;
  }
  if (decant_is_white(bytes[next])) next++;
  if (open == none) goto finish;

after_value:
  byte = bytes[next++];
  if (in_object) {
    if (byte == ',') goto key;
    if (byte != '}') goto fail;
  } else {
    if (byte == ',') goto element;
    if (byte != ']') goto fail;
  }

close : {
  const uint64_t opened = slots[open];
  const uint64_t around = slots[open + 1];
  const bool flat = used - open - 2 == elements;
  slots[open] = (uint32_t)opened | (uint64_t)(DECANT_CONTAINER | (uint32_t)used) << 32;
  slots[open + 1] = in_object ? 0 : elements | (uint64_t)(flat ? DECANT_ARRAY_FLAT : 0) << 32;
  in_object = opened >> 63;
  open = (uint32_t)(opened >> 32) & ~around_is_object;
  elements = around;
  depth--;
  if (open == none) goto finish;
  REFILL();
  goto after_value;
}

open:
  if (DECANT_UNLIKELY(depth == maximum_depth)) goto fail;
  depth++;
  RESERVE(2);
  slots[used] = (uint64_t)(open | (in_object ? around_is_object : 0)) << 32 | offsets[next];
  slots[used + 1] = elements;
  open = (uint32_t)used;
  used += 2;
  elements = 0;
  next++;
  REFILL();
  in_object = byte == '{';
  byte = bytes[next];
  if (in_object) {
    if (byte == '"') goto key;
    if (byte != '}') goto fail;
  } else {
    if (byte != ']') {
      elements = 1;
      goto value;
    }
  }
  next++;
  goto close;

finish:
  REFILL();
  // Nothing may follow but the sentinels, which stand at the end of the text.
  if (offsets[next] != context->length) goto fail;
  context->slot_count = (uint32_t)used;
  context->facts = (stage.backslashes != 0 ? DECANT_FACT_ESCAPES : 0u) |
                   (stage.non_ascii != 0 ? DECANT_FACT_NON_ASCII : 0u);
  return DECANT_INDEX_OK;

fail:
  return DECANT_INDEX_ASK_SCALAR;
#undef RESERVE
#undef REFILL
#undef LINK_ESCAPES
}
