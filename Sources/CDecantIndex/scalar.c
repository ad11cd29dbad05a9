// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The specification of the index: one pass over the bytes, for any processor, with the code and the offset of the first
// offending byte. If a SIMD kernel finds an error, its work is discarded, and this file reads the document again to name
// the error. Tests compare every slot of every kernel with this file's.
//
//   document = white value white                                          RFC 8259 §2
//   value    = object | array | string | number | "true" | "false" | "null"   §3
//
// Which byte offends:
//   no rule allows it         its offset; after the document's value, TRAILING_BYTES
//   the input ends too soon   the length, also inside an escape, a number or a UTF-8 sequence
//   literal, number           the first byte that does not continue it: [nul] 4, [01] 2, [1.] 3.
//                             A visible ASCII character right behind one belongs to it: [1a] 2,
//                             [nulls] 5
//   escape                    the letter or the digit: ["\x"] 3, ["\u00g0"] 6; for half of a
//                             surrogate pair, the backslash of its escape
//   UTF-8                     the first byte of the sequence that is broken: ["a<E2><28>"] 3
//   too deep                  the opening bracket
//
// Relaxations (decant_rules.relaxations) are questions at six places: skip_white, runs_on,
// has_byte_order_mark, read_scalar, read_string, and after a comma. A comment that does not end is not a comment.
//
// A document with more open brackets than bytes left to close them is invalid, and the slots of its open containers alone
// may take more memory than those of any valid document. It is read again without slots. Then only the kinds of its open
// containers are kept, a bit for each level, in the block of the slots.
//
// Otherwise there is no stack. While a container is open, the high half of its slot is the slot of its parent (bit 31: the
// parent is an object), and its second slot is the parent's element count so far:
//
//   [1,{"a":2       slot 0  [ at 0, around: none      1  0
//                        2  1 at 1
//                        3  { at 3, around: slot 0    4  1 element before this one
//                        5  "a" at 4                  6  2 at 8

#include "decant_direct.h"
#include "decant_plain.h"
#include "internal.h"
#include "tokens.h"

#define AROUND_IS_OBJECT 0x80000000u

struct reader {
  const uint8_t *text;
  size_t length;
  size_t position;
  decant_context *context;
  uint64_t *slots;
  size_t used;
  size_t capacity;
  uint32_t facts;
  uint8_t relaxations;
  bool keeps_slots;  // or only the kinds of open containers, in `slots`
  int32_t code;      // of the first offence, at `position`
};

static bool fail(struct reader *reader, int32_t code, size_t offset) {
  reader->code = code;
  reader->position = offset;
  return false;
}

static bool fail_at_end(struct reader *reader) {
  return fail(reader, DECANT_INDEX_UNEXPECTED_END, reader->length);
}

// Makes room for two more slots.
static bool reserve(struct reader *reader) {
  if (DECANT_LIKELY(reader->capacity - reader->used >= 2)) return true;
  const int32_t code =
      decant_slots_grow(reader->context, reader->used, reader->used + 2, reader->position);
  if (code != DECANT_INDEX_OK) return fail(reader, code, reader->position);
  reader->slots = reader->context->slots;
  reader->capacity = reader->context->slot_capacity;
  return true;
}

static void append(struct reader *reader, size_t offset, uint32_t high) {
  if (reader->keeps_slots) reader->slots[reader->used++] = (uint64_t)high << 32 | offset;
}

static bool allows(const struct reader *reader, uint8_t relaxation) {
  return DECANT_UNLIKELY(reader->relaxations & relaxation);
}

size_t decant_comment_end(const uint8_t *text, size_t length, size_t position) {
  if (length - position < 2 || text[position] != '/') return position;
  size_t at = position + 2;
  if (text[position + 1] == '/') {
    while (at < length && text[at] != '\n' && text[at] != '\r') at++;
    return at;
  }
  if (text[position + 1] != '*') return position;
  for (; length - at >= 2; at++) {
    if (text[at] == '*' && text[at + 1] == '/') return at + 2;
  }
  return position;
}

static void skip_white(struct reader *reader) {
  for (;;) {
    while (reader->position < reader->length && decant_is_white(reader->text[reader->position])) {
      reader->position++;
    }
    if (!allows(reader, DECANT_ALLOW_COMMENTS)) return;
    const size_t after = decant_comment_end(reader->text, reader->length, reader->position);
    if (after == reader->position) return;
    reader->position = after;
  }
}

// Whether a byte after a complete number or literal belongs to it as a misspelling: a visible character that does not
// start or end another token.
static bool runs_on(const struct reader *reader, uint8_t byte) {
  if (byte <= ' ' || byte >= 0x7F) return false;
  if (byte == '/' && allows(reader, DECANT_ALLOW_COMMENTS)) return false;
  return byte != ',' && byte != ':' && byte != '"' && byte != '[' && byte != ']' && byte != '{' &&
         byte != '}';
}

// Skips bytes that need no attention in a string, eight at a time.
static size_t skip_plain(const uint8_t *text, size_t position, size_t length) {
  while (length - position >= 8 && decant_word_attention(decant_load_word(text + position)) == 0) {
    position += 8;
  }
  return position;
}

// A string from its opening quote.
static bool read_string(struct reader *reader) {
  const uint8_t *text = reader->text;
  const size_t length = reader->length, start = reader->position;
  size_t at = start + 1;
  uint32_t escape = 0;
  for (;;) {
    at = skip_plain(text, at, length);
    if (at >= length) return fail_at_end(reader);
    const uint8_t byte = text[at];
    if (byte == '"') break;
    if (byte < 0x20) return fail(reader, DECANT_INDEX_CONTROL_CHARACTER, at);
    size_t size = 1;
    if (byte == '\\') {
      int32_t code = decant_check_escape(text, at, length, &size);
      if (code == DECANT_INDEX_LONE_SURROGATE && allows(reader, DECANT_ALLOW_LONE_SURROGATES)) {
        code = DECANT_INDEX_OK;
        size = 6;
      }
      if (code != DECANT_INDEX_OK) return fail(reader, code, size);
      escape = DECANT_STRING_ESCAPE;
    } else if (byte >= 0x80) {
      size = decant_utf8_length(text, at, length);
      if (size == 0) return fail(reader, DECANT_INDEX_INVALID_UTF8, at);
      if (size > length - at) return fail_at_end(reader);
      reader->facts |= DECANT_FACT_NON_ASCII;
    }
    at += size;
  }
  if (escape) reader->facts |= DECANT_FACT_ESCAPES;
  append(reader, start, decant_string_facts(at - start - 1) | escape);
  reader->position = at + 1;
  return true;
}

static bool read_literal(struct reader *reader, const char *spelling, size_t size, uint32_t kind) {
  const size_t start = reader->position;
  for (size_t step = 1; step < size; step++) {
    if (start + step >= reader->length) return fail_at_end(reader);
    if (reader->text[start + step] != (uint8_t)spelling[step]) {
      return fail(reader, DECANT_INDEX_INVALID_LITERAL, start + step);
    }
  }
  const size_t end = start + size;
  if (end < reader->length && runs_on(reader, reader->text[end])) {
    return fail(reader, DECANT_INDEX_INVALID_LITERAL, end);
  }
  append(reader, start, kind);
  reader->position = end;
  return true;
}

// NaN, Infinity or -Infinity: a number without counts.
static bool read_non_finite(struct reader *reader, bool minus) {
  const uint32_t counts = DECANT_NUMBER_LONG | DECANT_NUMBER_LONG << 8 | DECANT_NUMBER_LONG << 16;
  const uint32_t kind = DECANT_NUMBER | DECANT_NUMBER_REAL | DECANT_NUMBER_EXPONENT |
                        DECANT_NUMBER_NON_FINITE | counts;
  if (minus) return read_literal(reader, "-Infinity", 9, kind | DECANT_NUMBER_MINUS);
  if (reader->text[reader->position] == 'N') return read_literal(reader, "NaN", 3, kind);
  return read_literal(reader, "Infinity", 8, kind);
}

// At least one digit from `position` on; the end of the run, or 0 after failing.
static size_t read_digits(struct reader *reader, size_t position) {
  const size_t start = position;
  while (position < reader->length && decant_is_digit(reader->text[position])) position++;
  if (position > start) return position;
  if (position == reader->length) return fail_at_end(reader), 0;
  return fail(reader, DECANT_INDEX_INVALID_NUMBER, position), 0;
}

// number = [ "-" ] int [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ]; int has no leading
// zero.
static bool read_number(struct reader *reader) {
  const uint8_t *text = reader->text;
  const size_t length = reader->length, start = reader->position;
  const bool minus = text[start] == '-';
  uint32_t flags = DECANT_NUMBER | (minus ? DECANT_NUMBER_MINUS : 0);
  const size_t first = start + minus;
  size_t fraction = 0;

  size_t at = read_digits(reader, first);
  if (at == 0) return false;
  const size_t before = at - first;
  if (text[first] == '0' && before > 1) {
    return fail(reader, DECANT_INDEX_INVALID_NUMBER, first + 1);
  }
  if (at < length && text[at] == '.') {
    const size_t digits = at + 1;
    at = read_digits(reader, digits);
    if (at == 0) return false;
    fraction = at - digits;
    flags |= DECANT_NUMBER_REAL;
  }
  if (at < length && (text[at] | 0x20) == 'e') {
    size_t digits = at + 1;
    if (digits < length && (text[digits] == '+' || text[digits] == '-')) digits++;
    at = read_digits(reader, digits);
    if (at == 0) return false;
    flags |= DECANT_NUMBER_REAL | DECANT_NUMBER_EXPONENT;
  }
  if (at < length && runs_on(reader, text[at]))
    return fail(reader, DECANT_INDEX_INVALID_NUMBER, at);
  append(reader, start, decant_number_facts(at - start, before, fraction, flags));
  reader->position = at;
  return true;
}

// A scalar value.
static bool read_scalar(struct reader *reader) {
  const uint8_t byte = reader->text[reader->position];
  if (allows(reader, DECANT_ALLOW_NON_FINITE)) {
    const bool minus = byte == '-';
    const size_t letter = reader->position + minus;
    if (letter < reader->length && reader->text[letter] == 'I')
      return read_non_finite(reader, minus);
    if (byte == 'N') return read_non_finite(reader, false);
  }
  switch (byte) {
    case '"': return read_string(reader);
    case 't': return read_literal(reader, "true", 4, DECANT_TRUE);
    case 'f': return read_literal(reader, "false", 5, DECANT_FALSE);
    case 'n': return read_literal(reader, "null", 4, DECANT_NULL);
    default: break;
  }
  if (byte == '-' || decant_is_digit(byte)) return read_number(reader);
  return fail(reader, DECANT_INDEX_UNEXPECTED_BYTE, reader->position);
}

// Whether there is a byte here after white space: fails at the end of the input.
static bool expect_more(struct reader *reader) {
  skip_white(reader);
  return reader->position < reader->length || fail_at_end(reader);
}

static bool unexpected(struct reader *reader) {
  return fail(reader, DECANT_INDEX_UNEXPECTED_BYTE, reader->position);
}

// A key and its colon, up to the first byte of its value.
static bool read_key(struct reader *reader) {
  if (!expect_more(reader) || !reserve(reader)) return false;
  if (reader->text[reader->position] != '"') return unexpected(reader);
  if (!read_string(reader) || !expect_more(reader)) return false;
  if (reader->text[reader->position] != ':') return unexpected(reader);
  reader->position++;
  return expect_more(reader);
}

// The contents of an open container's slots (see above).
struct open_container {
  uint32_t slot;  // or the level, where no slots are kept
  bool is_object;
  uint64_t elements;  // before the present one
};

#define OUTERMOST DECANT_MAXIMUM_SLOTS

static void open_slots(struct reader *reader, struct open_container *open, bool is_object) {
  append(reader, reader->position, open->slot | (open->is_object ? AROUND_IS_OBJECT : 0));
  reader->slots[reader->used++] = open->elements;
  *open = (struct open_container){(uint32_t)reader->used - 2, is_object, 0};
}

static void close_slots(struct reader *reader, struct open_container *open) {
  uint64_t *const slots = reader->slots + open->slot;
  const uint64_t slot = slots[0], around = slots[1];
  const size_t size = reader->used - open->slot;
  const bool flat = size - 2 == open->elements;
  const uint32_t kind = open->is_object ? DECANT_OBJECT : DECANT_ARRAY;
  slots[0] = (uint32_t)slot | (uint64_t)(kind | (uint32_t)reader->used) << 32;
  slots[1] = open->is_object ? decant_first_word(reader->context, size)
                             : open->elements | (flat ? (uint64_t)DECANT_ARRAY_FLAT << 32 : 0);
  *open = (struct open_container){
      .slot = slot >> 32 & ~AROUND_IS_OBJECT,
      .is_object = (slot >> 32 & AROUND_IS_OBJECT) != 0,
      .elements = around + 1,
  };
}

static void open_bit(struct reader *reader, struct open_container *open, bool is_object) {
  const uint32_t level = open->slot == OUTERMOST ? 0 : open->slot + 1;
  const uint64_t bit = 1ull << level % 64;
  if (is_object)
    reader->slots[level / 64] |= bit;
  else
    reader->slots[level / 64] &= ~bit;
  *open = (struct open_container){level, is_object, 0};
}

static void close_bit(const struct reader *reader, struct open_container *open) {
  if (open->slot == 0) {
    *open = (struct open_container){.slot = OUTERMOST};
    return;
  }
  open->slot--;
  open->is_object = reader->slots[open->slot / 64] >> open->slot % 64 & 1;
}

static void open_container(struct reader *reader, struct open_container *open, bool is_object) {
  if (reader->keeps_slots)
    open_slots(reader, open, is_object);
  else
    open_bit(reader, open, is_object);
}

static void close_container(struct reader *reader, struct open_container *open) {
  if (reader->keeps_slots)
    close_slots(reader, open);
  else
    close_bit(reader, open);
}

// The document's value, and everything in it.
static bool read_values(struct reader *reader) {
  const uint32_t maximum_depth = reader->context->rules.maximum_depth;
  uint32_t depth = 0;
  struct open_container open = {.slot = OUTERMOST};

  for (;;) {
    // A value starts here.
    if (!reserve(reader)) return false;
    const uint8_t byte = reader->text[reader->position];
    if (byte == '{' || byte == '[') {
      if (depth == maximum_depth) return fail(reader, DECANT_INDEX_TOO_DEEP, reader->position);
      depth++;
      open_container(reader, &open, byte == '{');
      reader->position++;
      if (!expect_more(reader)) return false;
      if (reader->text[reader->position] != (open.is_object ? '}' : ']')) {
        if (open.is_object && !read_key(reader)) return false;
        continue;
      }
    } else {
      if (!read_scalar(reader)) return false;
      if (open.slot == OUTERMOST) return true;
      open.elements++;
      if (!expect_more(reader)) return false;
    }

    // A value or an empty container ended: close the containers that end here.
  close:
    while (reader->text[reader->position] == (open.is_object ? '}' : ']')) {
      close_container(reader, &open);
      depth--;
      reader->position++;
      if (open.slot == OUTERMOST) return true;
      if (!expect_more(reader)) return false;
    }
    if (reader->text[reader->position] != ',') return unexpected(reader);
    reader->position++;
    if (allows(reader, DECANT_ALLOW_TRAILING_COMMAS)) {
      if (!expect_more(reader)) return false;
      if (reader->text[reader->position] == (open.is_object ? '}' : ']')) goto close;
    }
    if (open.is_object ? !read_key(reader) : !expect_more(reader)) return false;
  }
}

static bool starts_with(const struct reader *reader, const char *bytes, size_t size) {
  return reader->length >= size && memcmp(reader->text, bytes, size) == 0;
}

// Byte order marks of UTF-8, UTF-16 and UTF-32 (whose little-endian one begins like UTF-16's).
static bool has_byte_order_mark(const struct reader *reader) {
  return starts_with(reader, "\xEF\xBB\xBF", 3) || starts_with(reader, "\xFE\xFF", 2) ||
         starts_with(reader, "\xFF\xFE", 2) || starts_with(reader, "\0\0\xFE\xFF", 4);
}

static bool read_document(struct reader *reader) {
  if (allows(reader, DECANT_ALLOW_BYTE_ORDER_MARK) && starts_with(reader, "\xEF\xBB\xBF", 3)) {
    reader->position = 3;
  } else if (has_byte_order_mark(reader)) {
    return fail(reader, DECANT_INDEX_BYTE_ORDER_MARK, 0);
  }
  skip_white(reader);
  if (reader->position == reader->length) {
    return fail(reader, DECANT_INDEX_EMPTY_INPUT, reader->length);
  }
  if (!read_values(reader)) return false;
  skip_white(reader);
  if (reader->position == reader->length) return true;
  return fail(reader, DECANT_INDEX_TRAILING_BYTES, reader->position);
}

static int32_t read_all(struct reader *reader) {
  decant_context *context = reader->context;
  *reader = (struct reader){
      .text = context->text,
      .length = context->length,
      .context = context,
      .slots = context->slots,
      .capacity = context->slots != NULL ? context->slot_capacity : 0,
      .relaxations = context->rules.relaxations,
      .keeps_slots = reader->keeps_slots,
  };
  return read_document(reader) ? DECANT_INDEX_OK : reader->code;
}

int32_t decant_build_scalar(decant_context *context) {
  struct reader reader = {.context = context, .keeps_slots = true};
  int32_t code = read_all(&reader);
  if (code == DECANT_INDEX_CANNOT_CLOSE) {
    // There are more slots than bytes: more than enough for a bit a level.
    reader.keeps_slots = false;
    code = read_all(&reader);
  }
  if (code != DECANT_INDEX_OK) {
    context->error_offset = reader.position;
    return code;
  }
  context->slot_count = (uint32_t)reader.used;
  context->facts = reader.facts;
  return DECANT_INDEX_OK;
}

// Without slots: it needs memory for one bit a level.
bool decant_is_json(const uint8_t *text, size_t length) {
  uint64_t levels[DECANT_CHECKED_DEPTH / 64];
  decant_context context;
  memset(&context, 0, sizeof context);
  context.text = text;
  context.length = length;
  context.slots = levels;
  context.slot_capacity = sizeof levels / sizeof *levels;
  context.rules.maximum_depth = DECANT_CHECKED_DEPTH;
  struct reader reader = {.context = &context, .keeps_slots = false};
  return read_all(&reader) == DECANT_INDEX_OK;
}

decant_number decant_read_number(const uint8_t *at, const uint8_t *end) {
  uint64_t slot;
  struct reader reader = {
      .text = at, .length = (size_t)(end - at), .slots = &slot, .keeps_slots = true};
  if (at == end || !read_number(&reader)) return (decant_number){NULL, 0};
  return (decant_number){at + reader.position, (uint32_t)(slot >> 32)};
}
