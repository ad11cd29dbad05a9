// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The structural index, which the native engine makes of a document by reading it once.
//
// `decant_index_build` reads the whole input, checks it against RFC 8259 (grammar, UTF-8, escapes,
// control characters, numbers, nesting) and writes one array of 64-bit slots in document order.
// Nothing is converted and nothing is copied; every view of the document is an index into this array.
//
//   bytes    {  "  a  "  :  [  1  ,  2  ]  ,  "  b  "  :  "  x  "  }
//   offset   0  1        4  5  6  7  8  9  10 11       14 15       18
//
//   slot     0          1      2          3          4        5          6          7          8
//            { at 0     W      "a" at 1   [ at 5     count 2  1 at 6     2 at 8     "b" at 11  "x" at 15
//            next 9            length 1   next 7     flat     1 digit    1 digit    length 1   length 1
//
// A slot's low half is the offset of the token's first byte in the input. Its high half has the token's kind and sizes, so
// that a reader distinguishes kinds without touching the text:
//
//   11…   {      bits 0-29: the slot after the object's last one. A second slot holds the look-up word W
//                (see decant_lookup.h).
//   10…   [      bits 0-29: the slot after the array's last one. A second slot holds the element count
//                (low half), DECANT_ARRAY_FLAT and the cost of walks to elements so far (high half, places.c).
//   000…  "      bits 0-28: bytes between the quotes, DECANT_STRING_LONG if they do not fit.
//   001…  "      the same for a string with an escape. Keys and string values look alike.
//   010…  - 0…9  bit 28: negative; bit 27: has a fraction or an exponent; bit 26: has an exponent;
//                bits 0-7: bytes in the token; bits 8-15: digits before the point; bits 16-23: digits
//                after it. A count that does not fit is DECANT_NUMBER_LONG, and the reader scans.
//   011…  t f n  DECANT_TRUE, DECANT_FALSE or DECANT_NULL.
//
// An object is [{][W] then a key slot and a value for each member; an array is [[][count] then its
// elements. A scalar takes one slot, so that the next sibling is one load and one test away. There are
// no slots for commas, colons and closing brackets.

#ifndef DECANT_INDEX_H
#define DECANT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decant_header.h"

DECANT_BEGIN

// Tells Swift that passing such a struct is safe. Following its pointers is not.
#if defined(__swift__)
#define DECANT_HANDLE __attribute__((swift_attr("@safe")))
#else
#define DECANT_HANDLE
#endif

#define DECANT_CONTAINER  0x80000000u  // set for both kinds
#define DECANT_ARRAY      0x80000000u
#define DECANT_OBJECT     0xC0000000u  // nothing else is as large
#define DECANT_NEXT       0x3FFFFFFFu  // of a container: the slot after it
#define DECANT_ARRAY_FLAT 1u           // every element is a scalar: `count` slots in a row

#define DECANT_STRING_ESCAPE 0x20000000u
#define DECANT_STRING_LONG   0x1FFFFFFFu
#define DECANT_STRING_LIMIT  0x40000000u  // what is below is a string

#define DECANT_SCALAR_MASK     0xE0000000u  // tells numbers and literals
#define DECANT_NUMBER          0x40000000u
#define DECANT_NUMBER_MINUS    0x10000000u
#define DECANT_NUMBER_REAL     0x08000000u
#define DECANT_NUMBER_EXPONENT 0x04000000u
#define DECANT_NUMBER_LONG     0xFFu
// With REAL and EXPONENT and counts that do not fit: NaN, Infinity or -Infinity, where they are allowed.
#define DECANT_NUMBER_NON_FINITE 0x02000000u

#define DECANT_NULL  0x60000000u
#define DECANT_FALSE 0x60000001u
#define DECANT_TRUE  0x60000002u

// Codes shared with decant.h and DecodeError.Code. Hundreds are categories.
// clang-format off
enum {
  DECANT_INDEX_OK = 0,
  DECANT_INDEX_UNEXPECTED_BYTE = 101,    // [1 2]      a byte that no rule allows here
  DECANT_INDEX_UNEXPECTED_END = 102,     // [1,        the input ends inside a value
  DECANT_INDEX_INVALID_LITERAL = 103,    // [nul]      starts like true, false or null and is not
  DECANT_INDEX_INVALID_NUMBER = 104,     // [01]       against the number grammar
  DECANT_INDEX_CONTROL_CHARACTER = 105,  // ["<TAB>"]  a raw byte below 0x20 in a string
  DECANT_INDEX_INVALID_ESCAPE = 106,     // ["\x"]     unknown letter, or not four hex digits after \u
  DECANT_INDEX_LONE_SURROGATE = 107,     // ["\ud800"] an unpaired surrogate
  DECANT_INDEX_INVALID_UTF8 = 108,       // ["<FF>"]   not UTF-8
  DECANT_INDEX_TRAILING_BYTES = 109,     // 1 2        something after the document's one value
  DECANT_INDEX_BYTE_ORDER_MARK = 110,    // <BOM>{}    UTF-8, UTF-16 or UTF-32 mark before the document
  DECANT_INDEX_NUMBER_OVERFLOW = 111,    // [1e400]    another engine cannot hold it; this one keeps its text
  DECANT_INDEX_DUPLICATE_KEY = 207,      // {"a":1,"a":2} under `reject`
  DECANT_INDEX_TOO_DEEP = 301,           // [[[…       more nesting than maximum_depth
  DECANT_INDEX_TOO_LARGE = 302,          // more bytes than maximum_bytes, or memory than maximum_memory
  DECANT_INDEX_EMPTY_INPUT = 401,        // no bytes, or only white space
  DECANT_INDEX_OUT_OF_MEMORY = 501
};
// clang-format on

// The look-up word that sends every look-up to the general path; see decant_lookup.h.
#define DECANT_WORD_FULL 0x0000FFFFFFFF0000ull
#define DECANT_HINT_MASK 0xFFFFull

// Relaxations of the grammar, in decant_rules.relaxations. With any of them, the scalar kernel reads the document.
enum {
  DECANT_ALLOW_COMMENTS = 1,  // where white space may be: // to the end of the line, /* to */
  DECANT_ALLOW_TRAILING_COMMAS = 2,  // [1,] and {"a":1,}
  DECANT_ALLOW_NON_FINITE = 4,       // NaN, Infinity and -Infinity
  DECANT_ALLOW_BYTE_ORDER_MARK = 8,  // EF BB BF before the document
  DECANT_ALLOW_LONE_SURROGATES = 16  // "\ud800", which spells U+FFFD
};

enum { DECANT_DUPLICATES_FIRST = 0, DECANT_DUPLICATES_LAST = 1, DECANT_DUPLICATES_REJECT = 2 };

// Facts about the whole document, in decant_context.facts.
enum {
  DECANT_FACT_ESCAPES = 1,    // some string has a backslash
  DECANT_FACT_NON_ASCII = 2,  // some byte is above 0x7F
  DECANT_FACT_DOCUMENT = 4,   // the owner is a DecantCore.Document: set by that document
  DECANT_FACT_UNREAD = 8  // nobody reads the errors: set by who decodes to see what is asked for
};

// The options of reading. All zeros means: strict, the first key wins, no depth, no bytes.
typedef struct decant_rules {
  uint64_t maximum_bytes;
  uint64_t maximum_memory;  // for index and values together; 0: decant_memory_limit
  uint32_t maximum_depth;
  uint16_t maximum_errors;  // for the reader above: the document's; the index stops at its first
  uint8_t duplicates : 6;   // DECANT_DUPLICATES_*
  uint8_t in_part : 1;      // for the reader above: the context has a part
  uint8_t rejects_unknown : 1;  // for the reader above: members that no field names are errors
  uint8_t relaxations : 7;      // DECANT_ALLOW_*
  uint8_t redacts : 1;          // for the reader above: errors tell nothing of the document
} decant_rules;

// How many bytes of memory a document of `length` bytes may take: the limit of the rules; or 64 for each of its bytes,
// and at least 64 MiB.
static inline uint64_t decant_memory_limit(const decant_rules *rules, uint64_t length) {
  if (rules->maximum_memory != 0) return rules->maximum_memory;
  const uint64_t least = (uint64_t)64 << 20;
  return length > least / 64 ? length * 64 : least;
}

// Where memory comes from; NULL functions mean malloc, realloc and free. `realloc` may be NULL alone.
typedef struct DECANT_HANDLE decant_allocator {
  void *(*allocate)(void *state, size_t bytes);
  void *(*reallocate)(void *state, void *block, size_t old_bytes, size_t new_bytes);
  void (*deallocate)(void *state, void *block, size_t bytes);
  void *state;
} decant_allocator;

struct decant_engine;

// The place of an element whose array is read element by element: paths of its errors begin with the array's path.
typedef struct DECANT_HANDLE decant_above {
  const uint8_t *pointer;  // the array's RFC 6901 pointer
  size_t length;
  size_t index;  // of the element
} decant_above;

// The place of a document's first byte in its stream. Places of errors count from there.
typedef struct DECANT_HANDLE decant_start {
  size_t offset;
  size_t line;                // from 1
  size_t column;              // in characters, from 1
  const decant_above *above;  // NULL, if the document is no element
} decant_start;

// A document: its borrowed text, its index, and its engine. The caller sets the first group of members and zeros the
// rest; `decant_index_build` sets the second group.
typedef struct DECANT_HANDLE decant_context {
  const uint8_t *DECANT_NONNULL text;  // borrowed; no terminator, no padding needed
  size_t length;
  uint64_t *DECANT_NONNULL
      slots;  // may start as a caller's buffer (on its stack) of slot_capacity slots, or NULL
  size_t slot_capacity;
  const struct decant_engine *engine;  // NULL: native
  const decant_allocator *allocator;   // NULL: malloc, and a per-thread cache of one buffer
  decant_rules rules;

  uint32_t slot_count;
  uint32_t facts;         // DECANT_FACT_*
  uint32_t kept_errors;   // the reader's: errors that models keep, of rules.maximum_errors
  uint32_t copied_bytes;  // the reader's: bytes of the values that models keep as they came, so far
  uint64_t taken_memory;  // the reader's: bytes of the collections of models so far
  uint64_t *owned_slots;  // what decant_index_discard gives back; NULL while slots is the caller's
  size_t
      error_offset;    // on failure: the first offending byte; length where the input ends too soon
  size_t error_other;  // duplicate key: where the first one is
  uint64_t root;       // the root's node (0 for the native engine)
  void *engine_state;  // belongs to the engine
  void *owner;         // what keeps text and slots alive, or NULL while they are only borrowed
  struct decant_misses *misses;  // where look-ups that found nothing are remembered, or NULL
  const struct decant_context
      *original;      // of a copy (decant_context_copy): what it was copied from
  void *directories;  // what readers found out and keep (table.h); decant_index_discard frees it
  const decant_start *start;  // the reader's: NULL for a document that is not a part of a stream
  void *part;  // the reader's, where rules.in_part is set: a part of a model that is read
} decant_context;

// Reads `context->text` and builds its index. Returns DECANT_INDEX_OK or the code of the first offence
// in document order, with its offset. Never reads outside the text. Time linear in the length, constant
// stack (about 7 KB). After a failure there is nothing to discard.
int32_t decant_index_build(decant_context *context);

// Shrinks the index's memory to its size, for a document that is kept. A small index moves into a block of its own, and
// its large block stays with the thread for the next document; a large block is cut in place. If memory is exhausted,
// nothing changes.
void decant_index_fit(decant_context *context);

// Moves the index into the caller's memory, which has space for as many slots. The caller owns that memory.
void decant_index_move(decant_context *context, uint64_t *to);

// Frees the index's memory and its table (table.h). Does nothing for a context that owns none. Not for copies.
void decant_index_discard(decant_context *context);

// The kernel in use: "avx512" (with VBMI2), "avx512bw", "avx2", "sse42", "neon" or "scalar". It is chosen once, by the
// processor's features or by the environment variable DECANT_KERNEL.
const char *decant_index_kernel(void);

// Every kernel this processor can run, fastest first; NULL past the end. For tests and benchmarks.
const char *decant_index_kernel_name(size_t index);

// As decant_index_build, with the kernel of that name; for tests and benchmarks.
int32_t decant_index_build_with(const char *kernel, decant_context *context);

DECANT_END

#endif
