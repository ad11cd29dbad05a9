// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The internal interface of the engine's files: the kernels, the memory of slots, and the rules that are checked out of
// line.
//
//   index.c           the entry points and the choice of a kernel
//   slots.c           memory
//   scalar.c          the specification: any processor, exact codes and offsets
//   simd_template.h   stage 1, compiled once per instruction set by avx512.c (twice), avx2.c, sse42.c and neon.c, which
//                     supply the primitives; simd_carry.h goes before it
//   link.c            the link pass, which all these share; stage.h is between both
//   simd_types.h      the masks and tables that these share; simd_vectors.h the registers of most; simd_classes.h what
//                     they do to one, and simd_parts.h to a block of several; simd_emit.h lists its entries, by the
//                     table of set_bits.c
//   text.h            bytes, escape sequences and UTF-8; text.c is its out-of-line half
//   tokens.h          the slots of strings and numbers, for scalar.c and the template alike
//   keys.c            keys compared and hashed by what they spell
//   duplicates.c      does an object name a key twice?
//   direct.c          strings that are read without an index
//   write_numbers.c   writes numbers, and write_strings.c strings. write_avx512bw.h, write_avx2.h and write_scalar.c write
//                     long strings, one for each kernel
//   plain.c           text of C programs: is it plain, is it UTF-8?
//   lines.c           many documents, one a line
//   cut.c             where the values of a stream end; simd_cut.h is its vectorised half, as simd_count.h is of lines.c
//   directory.c       the keys of a huge object by their hashes, once many are asked for
//   runs.c            runs of plain values into structs and columns: numbers, texts, and arrays and records of them;
//                     runs_sse42.c has arrays of reals, and runs_write.c the way back
//   columns_lines.c   lines into columns, from the entries of stage 1 to rows

#ifndef DECANT_INTERNAL_H
#define DECANT_INTERNAL_H

#include "decant_cut.h"
#include "decant_index.h"
#include "decant_lines.h"

#if defined(__x86_64__)
#define DECANT_X86 1
#endif
#if defined(__aarch64__) && (!defined(__BYTE_ORDER__) || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define DECANT_NEON 1
#endif

#define DECANT_LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define DECANT_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define DECANT_COLD                __attribute__((noinline, cold))

// `preserve_most` keeps rare calls from spilling the caller's registers. Clang knows it everywhere, and ignores it with a
// warning on most processors. Such a function must be hidden: the first call of a function that is not goes through the
// dynamic linker, which does not preserve all of these registers.
#if defined(__clang__) && __has_attribute(preserve_most) && \
    (defined(__x86_64__) || defined(__aarch64__))
#define DECANT_RARE __attribute__((noinline, preserve_most, visibility("hidden")))
#else
#define DECANT_RARE __attribute__((noinline))
#endif

// Keeps the compiler from turning a branch into a conditional move. The kind of one entry often decides which entry is
// next. The processor predicts a branch and continues; a move makes it wait.
#define DECANT_KEEP_BRANCH() __asm__ volatile("")

// Apple's and Swift's clang take a function for unlikely as a whole, and make it small instead of fast, where an unlikely
// branch goes to the block in which the function returns. With this before its `return`, it does not.
#define DECANT_KEEP_RETURN() DECANT_KEEP_BRANCH()

// Stores a word so that its lowest byte comes first.
DECANT_INLINE void decant_store_word(uint8_t *out, uint64_t word) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  memcpy(out, &word, sizeof word);
}

// A slot index fits 30 bits (a billion values), an offset 32, and the end of the text is an offset too.
#define DECANT_MAXIMUM_SLOTS  DECANT_NEXT
#define DECANT_MAXIMUM_LENGTH 0xFFFFFFFEu

// A SIMD kernel finds that a document is invalid, but not why. It returns this code, and scalar.c finds the offending byte.
#define DECANT_INDEX_ASK_SCALAR (-1)

// More slots are needed than a valid document of this length can have, so there are more open brackets than
// bytes left to close them: the document is invalid, and scalar.c says why, without slots.
#define DECANT_INDEX_CANNOT_CLOSE (-2)

// There was no memory for the larger block beside the old one. The slots of the old one are lost: the kernel begins again.
#define DECANT_INDEX_READ_AGAIN (-3)

// The most slots that a document of `length` bytes needs. Every byte needs at most one: an opening bracket takes two, and
// its closing bracket none. A kernel may ask for some more in advance.
#define DECANT_SPARE_SLOTS 1100u
DECANT_INLINE size_t decant_enough_slots(size_t length) {
  return length < SIZE_MAX - DECANT_SPARE_SLOTS ? length + DECANT_SPARE_SLOTS : SIZE_MAX;
}

// Fills context->slots, slot_count and facts; or returns a code with error_offset set. It keeps
// what it allocated in context->owned_slots even when it fails: the caller cleans up.
typedef int32_t decant_kernel_function(decant_context *context);

// decant_write_escaped, for texts of any length.
typedef size_t decant_escape_function(uint8_t *out, size_t capacity, const uint8_t *text,
                                      size_t length, size_t *consumed, uint32_t flags);

// Copies the plain bytes (decant_plain.h) at the beginning of a text, and returns their number. May write as many bytes as
// the text has.
typedef size_t decant_copy_function(uint8_t *out, const uint8_t *text, size_t length);

// The result of linking at the place of an index of lines (decant_lines.h).
typedef enum decant_line_found {
  DECANT_LINE_NONE,    // no line
  DECANT_LINE_LINKED,  // a line, and its slots
  DECANT_LINE_ALONE,   // a line that is to be read by itself
  DECANT_LINE_UNREAD   // lines up to index->alone, to be read by themselves
} decant_line_found;

// Links the next line that is not blank. The context has slots, which do not grow.
typedef decant_line_found decant_lines_function(decant_line_index *index, decant_context *context,
                                                decant_line *line);

// decant_cut_value (decant_cut.h).
typedef size_t decant_cut_function(decant_cut *cut, const uint8_t *text, size_t length,
                                   bool at_commas);

// How many line feeds there are; and how many bytes within characters, which have the bits 10 in front.
typedef size_t decant_count_function(const uint8_t *text, size_t length);

// Stores the numbers at slots as an array of doubles. Stops at a number with an exponent, or with so many digits that it
// needs more than a division. May read 17 bytes from each number's first on. Returns the number of doubles.
typedef size_t decant_doubles_function(const uint8_t *text, const uint64_t *slots, size_t count,
                                       char *place);
decant_doubles_function decant_store_doubles_scalar;
#if DECANT_X86
decant_doubles_function decant_store_doubles_sse42;
#endif

// The functions that are compiled for an instruction set.
struct decant_kernel {
  const char *name;
  decant_kernel_function *build;
  decant_escape_function *escape;
  decant_copy_function *copy_plain;
  decant_lines_function *link_line;  // NULL: lines are read one by one, and so are elements
  decant_lines_function *link_element;
  decant_cut_function *cut;
  decant_count_function *line_feeds, *continuations;
  decant_doubles_function *store_doubles;
  size_t
      least_line;  // lines that are shorter are read faster from their text than with an index of lines
};

// The kernel in use. The kernel at a place of the list of those that run on this processor, fastest first, or NULL. The
// kernel of a name: for NULL the one in use, and for an unknown name the scalar one.
const struct decant_kernel *decant_current_kernel(void);
const struct decant_kernel *decant_kernel_at(size_t index);
const struct decant_kernel *decant_kernel_named(const char *name);

// Up to this length, a text is not worth the call of a kernel.
#define DECANT_SHORT_TEXT 64

// Each kernel's file has its table.
#if DECANT_X86
// For each byte, the places of the bits that are set, one a byte.
extern const uint64_t decant_set_bits[256];
extern const struct decant_kernel decant_avx512, decant_avx512bw, decant_avx2, decant_sse42;
decant_escape_function decant_escape_avx512bw, decant_escape_avx2;
decant_copy_function decant_copy_plain_avx512bw, decant_copy_plain_avx2;
#elif DECANT_NEON
extern const struct decant_kernel decant_neon;
#endif
decant_kernel_function decant_build_scalar;
decant_escape_function decant_escape_scalar, decant_escape_narrow;
decant_copy_function decant_copy_plain_scalar, decant_copy_plain_narrow;
decant_cut_function decant_cut_scalar;

// Whether a value can begin at a byte, by the bytes before it. A value follows a comma only in an array.
bool decant_cut_may_begin(const decant_cut *cut, const uint8_t *text, size_t at);

// Passes a bracket or a comma outside strings. Returns what it ends.
static inline decant_cut_found decant_cut_pass(decant_cut *cut, const uint8_t *text, size_t at,
                                               bool begins_line, bool at_commas) {
  const uint8_t byte = text[at];
  if (byte == '{' || byte == '[') {
    if (begins_line && !decant_cut_may_begin(cut, text, at)) return DECANT_CUT_LINE;
    if (cut->depth == 0) cut->first = byte;
    cut->depth++;
    cut->alike += byte == cut->first;
    return DECANT_CUT_ON;
  }
  if (byte == ',') return at_commas && cut->depth == 0 ? DECANT_CUT_END : DECANT_CUT_ON;
  if (cut->depth == 0) return DECANT_CUT_END;
  cut->depth--;
  // A closing bracket's code is that of its opening one, plus two.
  cut->alike -= byte == cut->first + 2;
  if (cut->depth != 0 && cut->alike != 0) return DECANT_CUT_ON;
  if (cut->depth != cut->alike) return DECANT_CUT_MISMATCH;
  return at_commas ? DECANT_CUT_ON : DECANT_CUT_END;
}

// Keeps the state of a value that continues, for the bytes that follow.
void decant_cut_keep(decant_cut *cut, const uint8_t *text, size_t length, bool at_commas);

// Something was found.
static inline size_t decant_cut_end(decant_cut *cut, decant_cut_found found, size_t at) {
  *cut = (decant_cut){.found = (uint8_t)found};
  return at;
}
decant_count_function decant_line_feeds_scalar, decant_continuations_scalar;

// Finds the end of the line at the index's place, and skips the line.
void decant_line_pass(decant_line_index *index, decant_line *line);

// The bytes of stage 1 and of its entries (simd_template.h, stage.h).
#define DECANT_STAGE_BYTES 7808

// The slots of a line. Stage 1 has up to 1,100 entries before it is known whose they are.
#define DECANT_LINE_SLOTS 4096

struct decant_line_index {
  const uint8_t *text;
  size_t length;
  size_t next;   // the first byte that was not passed: where a line begins
  size_t alone;  // lines that begin before are read by themselves
  decant_lines_function *link, *link_element;
  bool is_new;  // stage 1 begins at `next`
  int32_t
      unlike;  // how much oftener lines were unlike the columns than like them (columns_lines.c)
  size_t line_entries;  // entries of the last line that was added to columns
  _Alignas(64) uint8_t stage[DECANT_STAGE_BYTES];
  uint64_t slots[DECANT_LINE_SLOTS];
};

// Grows the block to at least `needed` slots, keeping the first `used`. `consumed` bytes of the text made these; the rest
// of the text is expected to be similar. Returns OK, OUT_OF_MEMORY, TOO_LARGE, CANNOT_CLOSE or READ_AGAIN. The block is
// unchanged on failure, except for READ_AGAIN.
int32_t decant_slots_grow(decant_context *context, size_t used, size_t needed, size_t consumed);
void decant_slots_release(decant_context *context);

// Finds the first key that occurs twice in its object. Returns OK, DUPLICATE_KEY or OUT_OF_MEMORY.
int32_t decant_check_duplicates(decant_context *context);

// Objects with fewer keys than this are always scanned.
#define DECANT_DIRECTORY_KEYS 64u

// The results of building a directory: no memory; too few keys, now and later; built.
enum { DECANT_DIRECTORY_NONE, DECANT_DIRECTORY_NEEDLESS, DECANT_DIRECTORY_BUILT };
int32_t decant_directory_build(const decant_context *context, uint64_t object);

// True if the object at slot `object` has a directory; then the value of `key`, or DECANT_NODE_NONE.
bool decant_directory_lookup(const decant_context *context, uint64_t object, const uint8_t *key,
                             size_t length, uint64_t *node);

// Frees the directories and milestones that readers made (table.h).
void decant_table_release(decant_context *context);

#endif
