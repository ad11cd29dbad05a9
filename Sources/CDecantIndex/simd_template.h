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
//   - in a number, its point, its e or E, and the exponent's sign
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
//   simd_equal(block, byte)            the mask of that byte
//   simd_equal_lowercase(block, byte)  the mask of that letter, small or capital
//   simd_non_ascii(block)              the mask of bytes above 0x7F
//   simd_prefix_xor(mask)              bit n: the parity of bits 0 … n
//   simd_emit(stage, block, mask)      appends an entry for every set bit
//   simd_utf8 (zero at first), simd_utf8_next(state, block) for blocks that are not ASCII,
//   simd_utf8_ascii(state) for those that are, simd_utf8_failed(state)

#include "tokens.h"

// The entries of one batch, and those that must be left when the link pass goes on: it reads at most a
// key (3), a number with fraction, exponent, sign and white space behind (6), and two more.
#define DECANT_STAGE_ENTRIES 1024
#define WINDOW 16

// What one block leaves for the next. Where there is one bit of it, it is bit 0.
struct carry {
  uint64_t in_string;  // all ones or zero
  uint64_t escaped;
  uint64_t after_scalar;
  uint64_t after_number;
  uint64_t errors;  // not zero once there was one
  uint64_t facts;
  simd_utf8 utf8;
};

struct stage {
  const uint8_t *text;
  size_t length;
  size_t position;  // of the next block
  struct carry carry;  // set once a block was read
  uint64_t facts;
  bool ended;
  size_t next;      // the first entry that the link pass has not read
  size_t count;     // in the buffer, with those that were read and the sentinels
  size_t entries;   // the same without the sentinels
  size_t last;      // before this one, a window of entries is left
  ptrdiff_t slack;  // with this many more slots used than entries read, there is room for one more
  uint64_t slot;    // what a function that is not inlined answers
  uint32_t offsets[DECANT_STAGE_ENTRIES + WINDOW];
  uint8_t bytes[DECANT_STAGE_ENTRIES + WINDOW];
};

// Empties the buffer's read part and fills it up. False when the text is known to be invalid.
static __attribute__((noinline)) bool fill(struct stage *stage);

static inline void stage_begin(struct stage *stage, const uint8_t *text, size_t length) {
  stage->text = text;
  stage->length = length;
  stage->position = 0;
  stage->ended = false;
  stage->next = 0;
  stage->count = 0;
  stage->entries = 0;
  stage->last = 0;
}

// Of each run of backslashes, every second one from its first begins an escape sequence. The add turns
// the runs that begin at an even bit to zero, by carrying through them, and leaves all others alone.
DECANT_INLINE uint64_t escape_starts(uint64_t backslashes) {
  const uint64_t even = 0x5555555555555555u;
  const uint64_t starts = backslashes & ~(backslashes << 1);
  const uint64_t even_runs = backslashes & ~(backslashes + (starts & even));
  return (even_runs & even) | (backslashes & ~even_runs & ~even);
}

// A block with a backslash or a control character in a string, or whose first byte is escaped: finds the
// strings again, without the quotes that are escaped. Up to the first backslash in a string they were
// right, so no block that needs this goes without.
DECANT_INLINE uint64_t escape_entries(struct carry *carry, simd_block block, uint64_t suspects,
                                      uint64_t *quotes, uint64_t *strings) {
  const uint64_t backslashes = simd_equal(block, '\\');
  uint64_t escapes = escape_starts(backslashes & ~carry->escaped);
  *quotes &= ~(escapes << 1 | carry->escaped);
  *strings = simd_prefix_xor(*quotes) ^ carry->in_string;
  escapes &= *strings;
  carry->escaped = escapes >> 63;
  carry->errors |= suspects & ~backslashes & *strings;
  carry->facts |= escapes != 0 ? DECANT_FACT_ESCAPES : 0;
  return escapes;
}

// A block with an exponent, or with bytes that do not belong in a number. An e or E begins an exponent
// where it follows another byte of a number, and nothing else may, nor follow the letter.
DECANT_INLINE uint64_t exponent_entries(struct carry *carry, simd_block block, uint64_t numbers,
                                        uint64_t others) {
  const uint64_t after_number = numbers << 1 | carry->after_number;
  const uint64_t exponents = simd_equal_lowercase(block, 'e') & others & after_number;
  carry->errors |= (exponents << 1 | after_number) & others & ~exponents;
  return exponents;
}

// The entries of a block, as a mask.
DECANT_INLINE uint64_t block_entries(struct carry *carry, simd_block block) {
  const struct masks masks = simd_masks(block);

  // From each opening quote up to, not including, its closing one.
  uint64_t quotes = masks.quote, escapes = 0;
  uint64_t strings = simd_prefix_xor(quotes) ^ carry->in_string;
  if (DECANT_UNLIKELY(((masks.suspect & strings) | carry->escaped) != 0)) {
    escapes = escape_entries(carry, block, masks.suspect, &quotes, &strings);
  }
  carry->in_string = (uint64_t)((int64_t)strings >> 63);

  const uint64_t scalars = ~(masks.separator | strings | quotes);
  const uint64_t after_scalar = scalars << 1 | carry->after_scalar;
  // The bits where a run of scalar bytes begins, and those behind its end. There stands white space, or
  // else a quote or a mark, which is an entry anyway.
  const uint64_t bounds = scalars ^ after_scalar;
  uint64_t entries = (masks.mark & ~strings) | quotes | escapes | bounds;

  // Digits and marks among the scalars are numbers, so nothing else may follow them but an exponent. That
  // leaves to the link pass the order of marks, which are entries, that digits follow them, and leading
  // zeros. A literal may hold anything here: the link pass compares it whole.
  uint64_t numbers = masks.number & scalars;
  const uint64_t others = scalars & ~masks.number;
  if (DECANT_UNLIKELY(((numbers << 1 | carry->after_number) & others) != 0)) {
    const uint64_t exponents = exponent_entries(carry, block, numbers, others);
    entries |= exponents;
    numbers |= exponents;
  }
  carry->after_scalar = scalars >> 63;
  carry->after_number = numbers >> 63;

  const uint64_t non_ascii = simd_non_ascii(block);
  if (non_ascii != 0) {
    simd_utf8_next(&carry->utf8, block);
    carry->facts |= DECANT_FACT_NON_ASCII;
  } else {
    simd_utf8_ascii(&carry->utf8);
  }
  return entries;
}

// The rest of the text, less than a block. What is left open then is an error, and the entries end with a
// window of sentinels.
DECANT_INLINE void finish_text(struct stage *stage, struct carry *carry) {
  const size_t position = stage->position, size = stage->length - position;
  size_t count = stage->count;
  if (size != 0) {
    uint8_t scratch[64];
    const simd_block block = simd_load_tail(stage->text + position, size, scratch);
    const uint64_t entries = block_entries(carry, block);
    count += simd_emit(stage->offsets + count, stage->bytes + count, (uint32_t)position, block,
                       entries);
  } else {
    simd_utf8_ascii(&carry->utf8);  // a sequence cannot go on beyond the text
  }
  carry->errors |= carry->in_string;
  for (size_t step = 0; step < WINDOW; step++) {
    stage->offsets[count + step] = (uint32_t)stage->length;
    stage->bytes[count + step] = 0;
  }
  stage->position = stage->length;
  stage->entries = count;
  stage->count = count + WINDOW;
  stage->ended = true;
}

static bool fill(struct stage *stage) {
  if (stage->ended) return false;  // never, in a valid text: nothing reads beyond the first sentinel
  const size_t left = stage->count - stage->next;
  if (left != 0) {
    memmove(stage->offsets, stage->offsets + stage->next, left * sizeof stage->offsets[0]);
    memmove(stage->bytes, stage->bytes + stage->next, left);
  }

  // In locals, which the stores to the buffer cannot touch.
  struct carry carry = {0};
  const uint8_t *const text = stage->text;
  const size_t length = stage->length;
  size_t position = stage->position, count = left;
  if (position != 0) carry = stage->carry;
  while (count <= DECANT_STAGE_ENTRIES - 64 && length - position >= 64) {
    const simd_block block = simd_load(text + position);
    const uint64_t entries = block_entries(&carry, block);
    count += simd_emit(stage->offsets + count, stage->bytes + count, (uint32_t)position, block,
                       entries);
    position += 64;
  }
  stage->next = 0;
  stage->count = stage->entries = count;
  stage->position = position;
  if (count <= DECANT_STAGE_ENTRIES - 64) {
    finish_text(stage, &carry);
  } else {
    stage->carry = carry;
  }
  stage->facts = carry.facts;
  return carry.errors == 0 && !simd_utf8_failed(&carry.utf8);
}

// The link pass. It reads entries in order and never looks back; `next` is the first unread one. While a
// container is open, the high half of its slot names the slot around it, and its second slot holds the
// element count of the array around it (see scalar.c).

// Keeps the compiler from turning a branch into a conditional move. Which entry is read next often depends
// on what this one is; a branch lets the processor guess and go on, a move makes it wait.
#define KEEP_BRANCH() __asm__ volatile("")

#define OUTERMOST DECANT_MAXIMUM_SLOTS  // the slot around the root
#define AROUND_IS_OBJECT 0x80000000u

// Makes room for a slot for each entry from `next` on, and `more`.
static __attribute__((noinline)) int32_t reserve(struct stage *stage, decant_context *context,
                                                 size_t more, size_t used) {
  const size_t needed = used + (stage->entries - stage->next) + more;
  if (context->slots == NULL || context->slot_capacity < needed) {
    const int32_t code = decant_slots_grow(context, used, needed, stage->offsets[stage->next]);
    if (code == DECANT_INDEX_OUT_OF_MEMORY) return code;
    if (code != DECANT_INDEX_OK) return DECANT_INDEX_ASK_SCALAR;
  }
  stage->slack = (ptrdiff_t)context->slot_capacity - (ptrdiff_t)stage->entries - 1;
  return DECANT_INDEX_OK;
}

// Reads on when less than a window of entries is left: they move to the front of the buffer. Makes room
// for a slot for each entry; a container, which takes two for one, asks for more.
static __attribute__((noinline)) int32_t refill(struct stage *stage, decant_context *context,
                                                size_t next, size_t used) {
  stage->next = next;
  if (!fill(stage)) return DECANT_INDEX_ASK_SCALAR;
  stage->last = stage->count - (WINDOW - 1);
  return reserve(stage, context, 0, used);
}

// The slot of a string without escapes, from its two quotes. Only a text of a gibibyte has one whose
// length does not fit.
DECANT_INLINE uint64_t string_slot(const uint32_t *offsets) {
  uint64_t bytes = offsets[1] - offsets[0] - 1;
  if (DECANT_UNLIKELY(bytes >= DECANT_STRING_LONG)) bytes = DECANT_STRING_LONG;
  return bytes << 32 | offsets[0];
}

// A string with escapes, whose opening quote is the entry at `next`. It may have any number of entries, so
// it refills the buffer itself. Answers in stage->next and stage->slot, or with a code.
static __attribute__((noinline)) int32_t link_escapes(struct stage *stage, decant_context *context,
                                                      size_t next, size_t used) {
  const uint32_t start = stage->offsets[next];
  if (stage->bytes[next++] != '"') return DECANT_INDEX_ASK_SCALAR;
  for (;;) {
    if (next >= stage->last) {
      const int32_t code = refill(stage, context, next, used);
      if (code != DECANT_INDEX_OK) return code;
      next = 0;
    }
    const uint32_t offset = stage->offsets[next];
    if (stage->bytes[next] != '\\') {
      if (offset == stage->length) return DECANT_INDEX_ASK_SCALAR;
      const uint32_t facts = decant_string_facts(offset - start - 1) | DECANT_STRING_ESCAPE;
      stage->slot = (uint64_t)facts << 32 | start;
      stage->next = next + 1;
      return next + 1 < stage->last ? DECANT_INDEX_OK : refill(stage, context, next + 1, used);
    }
    size_t size;
    if (decant_read_escape(stage->text, offset, stage->length, &size) != DECANT_INDEX_OK) {
      return DECANT_INDEX_ASK_SCALAR;
    }
    next += size == 12 ? 2 : 1;
  }
}

// A number of more digits than fit the slot, or than a double's range has.
static DECANT_COLD bool link_long_number(const struct stage *stage, uint32_t end, uint32_t before,
                                         uint32_t after, uint64_t *slot) {
  const uint32_t start = (uint32_t)*slot, size = end - start;
  if (before > 308 && decant_number_overflows(stage->text + start, size)) return false;
  const uint32_t flags = (uint32_t)(*slot >> 32);
  *slot = (uint64_t)decant_number_facts(size, before, after, flags) << 32 | start;
  return true;
}

// Between a number's entries there are only digits: stage 1 has proved it. An exponent is left for
// link_exponent.
DECANT_INLINE bool link_number(const struct stage *stage, bool minus, uint8_t first, size_t *next,
                               uint64_t *slot) {
  const uint32_t *offsets = stage->offsets + *next;
  const uint8_t behind = stage->bytes[*next + 1];
  const uint32_t start = offsets[0], point = offsets[1];
  const uint32_t before = point - start - minus;
  const uint32_t sign = minus ? DECANT_NUMBER_MINUS : 0;
  if (minus && before == 0) return false;
  const uint8_t leading = minus ? stage->text[start + 1] : first;
  if (DECANT_UNLIKELY(leading == '0') && before != 1) return false;
  uint32_t end = point, after = 0, flags = sign;
  if (behind == '.') {
    KEEP_BRANCH();
    end = offsets[2];
    after = end - point - 1;
    if (DECANT_UNLIKELY(after == 0)) return false;
    flags |= DECANT_NUMBER_REAL;
    *next += 1;
  }
  *next += 1;
  const uint32_t size = end - start;
  if (DECANT_UNLIKELY(size >= DECANT_NUMBER_LONG)) {
    uint64_t cold = (uint64_t)flags << 32 | start;
    const bool fits = link_long_number(stage, end, before, after, &cold);
    *slot = cold;
    return fits;
  }
  *slot = (uint64_t)(flags | size | before << 8 | after << 16) << 32 | start;
  return true;
}

// The exponent of the number whose slot was just written, if that is what the entry at `next` begins. The
// entry stands right behind the number, because white space in between would be an entry.
static __attribute__((noinline)) bool link_exponent(struct stage *stage, size_t next, uint64_t slot) {
  const uint32_t *offsets = stage->offsets + next;
  const uint8_t *bytes = stage->bytes + next;
  const uint32_t start = (uint32_t)slot, facts = (uint32_t)(slot >> 32);
  if ((bytes[0] | 0x20) != 'e' || !decant_is_digit(stage->text[offsets[0] - 1])) return false;
  const bool is_signed = (bytes[1] == '-' || bytes[1] == '+') && offsets[1] == offsets[0] + 1;
  const uint32_t end = offsets[1 + is_signed];
  const uint32_t size = end - start, digits = end - offsets[is_signed] - 1;
  if (digits == 0) return false;
  const uint32_t before = facts >> 8 & DECANT_NUMBER_LONG, after = facts >> 16 & DECANT_NUMBER_LONG;
  if (!decant_number_is_small(before, digits) &&
      decant_number_overflows(stage->text + start, size)) {
    return false;
  }
  const uint32_t flags = (facts & DECANT_NUMBER_MINUS) | DECANT_NUMBER_REAL | DECANT_NUMBER_EXPONENT;
  stage->slot = (uint64_t)(flags | decant_number_count(size) | before << 8 | after << 16) << 32 | start;
  stage->next = next + 1 + is_signed;
  return true;
}

// The entry after a literal stands where it ends, so its length is compared before its letters are read.
DECANT_INLINE bool link_literal(const struct stage *stage, uint8_t first, size_t *next,
                                uint64_t *slot) {
  const uint32_t start = stage->offsets[*next];
  const uint32_t size = stage->offsets[*next + 1] - start;
  const uint32_t skipped = first == 'f';
  if (first != 't' && first != 'f' && first != 'n') return false;
  const char *letters = first == 't' ? "true" : first == 'f' ? "alse" : "null";
  uint32_t expected;
  memcpy(&expected, letters, sizeof expected);
  if (size != 4 + skipped || decant_load32(stage->text + start + skipped) != expected) return false;
  *slot = start;
  *next += 1;
  return true;
}

// False for a string with escapes.
DECANT_INLINE bool link_string(const struct stage *stage, size_t *next, uint64_t *slot) {
  if (DECANT_UNLIKELY(stage->bytes[*next + 1] != '"')) return false;
  *slot = string_slot(stage->offsets + *next);
  *next += 2;
  return true;
}

int32_t DECANT_BUILD_FUNCTION(decant_context *context) {
  struct stage stage;
  stage_begin(&stage, context->text, context->length);
  const uint32_t *const offsets = stage.offsets;
  const uint8_t *const bytes = stage.bytes;

  uint64_t *slots;
  size_t used = 0, next = 0;
  uint32_t depth_left = context->rules.maximum_depth;
  uint32_t open = OUTERMOST, around;
  uint64_t elements = 0, word;
  uint8_t byte;
  bool plain;
  int32_t code;

#define ENSURE(condition_for_more, more)           \
  if (DECANT_UNLIKELY(condition_for_more)) {       \
    code = more;                                   \
    if (code != DECANT_INDEX_OK) goto fail;        \
    slots = context->slots;                        \
    next = stage.next;                             \
  }
#define REFILL() ENSURE(next >= stage.last, refill(&stage, context, next, used))
#define ESCAPES() ENSURE(true, link_escapes(&stage, context, next, used))

  slots = context->slots;
  REFILL();
  byte = bytes[next];
  around = open;
  if ((byte | 0x20) == '{') goto open;
  if (byte == '"') {
    plain = link_string(&stage, &next, &slots[used]);
  } else if (decant_is_digit(byte) || byte == '-') {
    plain = link_number(&stage, byte == '-', byte, &next, &slots[used]);
  } else {
    plain = link_literal(&stage, byte, &next, &slots[used]);
  }
  if (!plain) {
    ESCAPES();
    slots[used] = stage.slot;
  }
  if ((bytes[next] | 0x20) == 'e' && link_exponent(&stage, next, slots[used])) {
    slots[used] = stage.slot;
    next = stage.next;
  }
  used++;
  if (decant_is_white(bytes[next])) next++;
  goto finish;

  // An object: a key or its end was seen to follow.

member:
  REFILL();
  word = decant_load64(bytes + next);
  // A key and a string, both without escapes, and a comma: "":"",
  if ((word & 0xFFFFFFFFFFFF) == 0x2C22223A2222) {
    slots[used] = string_slot(offsets + next);
    slots[used + 1] = string_slot(offsets + next + 3);
    used += 2;
    next += 6;
    goto member;
  }
  // A key without escapes: "":
  if (DECANT_LIKELY((word & 0xFFFFFF) == 0x3A2222)) {
    slots[used++] = string_slot(offsets + next);
    byte = (uint8_t)(word >> 24);
    next += 3;
  } else {
    ESCAPES();
    slots[used++] = stage.slot;
    if (bytes[next] != ':') goto wrong;
    byte = bytes[++next];
  }
  if (byte == '"') {
    plain = link_string(&stage, &next, &slots[used]);
  } else if (decant_is_digit(byte)) {
    plain = link_number(&stage, false, byte, &next, &slots[used]);
  } else if ((byte | 0x20) == '{') {
    around = open | AROUND_IS_OBJECT;
    goto open;
  } else if (byte == '-') {
    plain = link_number(&stage, true, byte, &next, &slots[used]);
  } else {
    plain = link_literal(&stage, byte, &next, &slots[used]);
  }
  if (DECANT_UNLIKELY(!plain)) {
    ESCAPES();
    slots[used] = stage.slot;
  }
  used++;

after_member:
  byte = bytes[next++];
  if (byte == ',') goto member;
  if (byte == '}') goto close_object;
  if (link_exponent(&stage, next - 1, slots[used - 1])) {
    slots[used - 1] = stage.slot;
    next = stage.next;
    byte = bytes[next++];
  }
  if (decant_is_white(byte)) byte = bytes[next++];
  if (byte == ',') goto member;
  if (byte != '}') goto wrong;

close_object : {
  const uint64_t opened = slots[open];
  elements = slots[open + 1];
  slots[open] = (uint32_t)opened | (uint64_t)(DECANT_CONTAINER | (uint32_t)used) << 32;
  slots[open + 1] = 0;
  around = (uint32_t)(opened >> 32);
  goto closed;
}

  // An array.

element:
  REFILL();
  elements++;
  byte = bytes[next];
first_element:
  if (decant_is_digit(byte)) {
    plain = link_number(&stage, false, byte, &next, &slots[used]);
  } else if (byte == '-') {
    plain = link_number(&stage, true, byte, &next, &slots[used]);
  } else if ((byte | 0x20) == '{') {
    around = open;
    goto open;
  } else if (byte == '"') {
    plain = link_string(&stage, &next, &slots[used]);
  } else {
    plain = link_literal(&stage, byte, &next, &slots[used]);
  }
  if (DECANT_UNLIKELY(!plain)) {
    ESCAPES();
    slots[used] = stage.slot;
  }
  used++;

after_element:
  byte = bytes[next++];
  if (byte == ',') goto element;
  if (byte == ']') goto close_array;
  if (link_exponent(&stage, next - 1, slots[used - 1])) {
    slots[used - 1] = stage.slot;
    next = stage.next;
    byte = bytes[next++];
  }
  if (decant_is_white(byte)) byte = bytes[next++];
  if (byte == ',') goto element;
  if (byte != ']') goto wrong;

close_array : {
  const uint64_t opened = slots[open];
  const uint64_t flat = used - open - 2 == elements ? DECANT_ARRAY_FLAT : 0;
  const uint64_t own = elements | flat << 32;
  elements = slots[open + 1];
  slots[open] = (uint32_t)opened | (uint64_t)(DECANT_CONTAINER | (uint32_t)used) << 32;
  slots[open + 1] = own;
  around = (uint32_t)(opened >> 32);
}

closed:
  depth_left++;
  open = around & ~AROUND_IS_OBJECT;
  if (open == OUTERMOST) goto finish;
  REFILL();
  if (around & AROUND_IS_OBJECT) goto after_member;
  goto after_element;

open:
  if (DECANT_UNLIKELY(depth_left == 0)) goto wrong;
  depth_left--;
  ENSURE((ptrdiff_t)(used - next) > stage.slack, (stage.next = next, reserve(&stage, context, 1, used)))
  slots[used] = (uint64_t)around << 32 | offsets[next];
  slots[used + 1] = elements;
  open = (uint32_t)used;
  used += 2;
  next++;
  REFILL();
  if (byte == '{') {
    if (bytes[next] == '"') goto member;
    if (bytes[next++] != '}') goto wrong;
    goto close_object;
  }
  byte = bytes[next];
  elements = 1;
  if (byte != ']') goto first_element;
  elements = 0;
  next++;
  goto close_array;

finish:
  REFILL();
  // Nothing may follow but the sentinels, which stand at the end of the text.
  if (offsets[next] != context->length) goto wrong;
  context->slot_count = (uint32_t)used;
  context->facts = (uint32_t)stage.facts;
  return DECANT_INDEX_OK;

wrong:
  code = DECANT_INDEX_ASK_SCALAR;
fail:
  return code;
#undef ENSURE
#undef REFILL
#undef ESCAPES
}

#undef OUTERMOST
#undef AROUND_IS_OBJECT
