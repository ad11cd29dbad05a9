// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The structural index, tested through decant_index.h alone.
//
//   index_tests [seed]
//   index_tests --quick       a twentieth of the random inputs, and smaller documents
//   index_tests --fewer       a fourth of the random inputs, and smaller documents
//   index_tests --prefixes    every prefix of the first 64 KB of those documents; takes minutes
//
// Every table runs through every kernel that this processor has; then the kernels are compared with
// the scalar one, slot by slot, on prefixes, alignments, mutations and random bytes. Every text is
// read from a place that ends, or begins, at a page that cannot be touched. The last line is
// "N passed, N failed"; a check is one input through one kernel.
//
// DECANT_CONFORMANCE_DIR and DECANT_CORPORA_DIR name folders with JSONTestSuite and with larger
// documents; without them, those checks are skipped and the output says so.

#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "decant_index.h"
#include "failure.h"
#include "index_cases.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static unsigned long passed, failed;

static void check(bool fine, const char *what, const char *kernel, const uint8_t *text,
                  size_t length) {
  if (fine) {
    passed++;
    return;
  }
  failed++;
  after_failure();
  if (failed > 40) return;
  printf("FAILED: %s (%s): ", what, kernel);
  for (size_t at = 0; at < length && at < 160; at++) {
    const uint8_t byte = text[at];
    printf(byte >= 0x20 && byte < 0x7F ? "%c" : "<%02X>", byte);
  }
  printf("%s (%zu bytes)\n", length > 160 ? "..." : "", length);
}

// The largest documents are for programs without sanitizers, whose bytes cost several times as much.
#if defined(__SANITIZE_ADDRESS__)
#define IS_INSTRUMENTED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_INSTRUMENTED true
#endif
#endif
#ifndef IS_INSTRUMENTED
#define IS_INSTRUMENTED false
#endif

// MARK: - Guarded memory

// A region between two pages that cannot be touched; texts are placed at either end.
#define GUARDED_BYTES ((size_t)8 << 20)
static uint8_t *guarded;

static void make_guarded(void) {
  const size_t page = 65536;
  uint8_t *region = mmap(NULL, GUARDED_BYTES + 2 * page, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (region == MAP_FAILED || mprotect(region, page, PROT_NONE) != 0 ||
      mprotect(region + page + GUARDED_BYTES, page, PROT_NONE) != 0) {
    printf("cannot map guarded memory\n");
    exit(1);
  }
  guarded = region + page;
}

static const uint8_t *at_end(const void *text, size_t length) {
  return memcpy(guarded + GUARDED_BYTES - length, text, length);
}

static const uint8_t *at_start(const void *text, size_t length) {
  return memcpy(guarded, text, length);
}

// MARK: - Building

static const decant_rules usual_rules = {.maximum_bytes = UINT64_MAX, .maximum_depth = 512};

static decant_context context_of(const uint8_t *text, size_t length) {
  return (decant_context){.text = text, .length = length, .rules = usual_rules};
}

// The answer of one kernel, in memory of its own.
struct answer {
  int32_t code;
  size_t offset, other;
  uint32_t facts, count;
  uint64_t *slots;
};

static struct answer answer_of(const char *kernel, decant_context context) {
  struct answer answer = {.code = decant_index_build_with(kernel, &context)};
  answer.offset = context.error_offset;
  answer.other = context.error_other;
  if (answer.code == DECANT_INDEX_OK) {
    answer.facts = context.facts;
    answer.count = context.slot_count;
    answer.slots = malloc((context.slot_count + 1) * sizeof answer.slots[0]);
    memcpy(answer.slots, context.slots, context.slot_count * sizeof answer.slots[0]);
  } else if (context.owned_slots != NULL) {
    answer.code = -2;  // a failure owns nothing
  }
  decant_index_discard(&context);
  return answer;
}

static bool same_answer(const struct answer *left, const struct answer *right) {
  if (left->code != right->code || left->offset != right->offset) return false;
  if (left->other != right->other || left->facts != right->facts) return false;
  return left->count == right->count &&
         (left->count == 0 ||
          memcmp(left->slots, right->slots, left->count * sizeof left->slots[0]) == 0);
}

// Compares every kernel with the scalar one. `text` may be anywhere.
static int32_t compare_rules(const char *what, const uint8_t *text, size_t length,
                             decant_rules rules) {
  decant_context context = context_of(text, length);
  context.rules = rules;
  struct answer expected = answer_of("scalar", context);
  for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
    const char *name = decant_index_kernel_name(kernel);
    struct answer answer = answer_of(name, context);
    check(same_answer(&answer, &expected), what, name, text, length);
    free(answer.slots);
  }
  free(expected.slots);
  return expected.code;
}

static int32_t compare(const char *what, const uint8_t *text, size_t length) {
  return compare_rules(what, text, length, usual_rules);
}

// MARK: - Tables

static void test_outcomes(void) {
  for (size_t row = 0; row < sizeof outcomes / sizeof outcomes[0]; row++) {
    const struct outcome *outcome = &outcomes[row];
    for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
      const char *name = decant_index_kernel_name(kernel);
      for (int place = 0; place < 2; place++) {
        const uint8_t *text = place ? at_start(outcome->text, outcome->length)
                                    : at_end(outcome->text, outcome->length);
        struct answer answer = answer_of(name, context_of(text, outcome->length));
        const bool fine = answer.code == outcome->code &&
                          (answer.code == DECANT_INDEX_OK || answer.offset == outcome->offset);
        check(fine, "code and offset", name, text, outcome->length);
        if (!fine && failed <= 40) {
          printf("  expected %d at %zu, got %d at %zu\n", outcome->code, outcome->offset,
                 answer.code, answer.offset);
        }
        free(answer.slots);
      }
    }
  }
}

// The same rows within longer documents: behind white space, behind a long string, in a nested
// array. Offsets move along; what is an error of the whole document is left out.
static void test_outcomes_moved(void) {
  static const size_t lengths[] = {1,  7,  31, 32, 33, 50,  58,  59, 60,
                                   61, 62, 63, 64, 65, 127, 128, 200};
  uint8_t text[1024];
  for (size_t row = 0; row < sizeof outcomes / sizeof outcomes[0]; row++) {
    const struct outcome *outcome = &outcomes[row];
    if (outcome->code == DECANT_INDEX_BYTE_ORDER_MARK || outcome->length > 512) continue;
    for (size_t index = 0; index < sizeof lengths / sizeof lengths[0]; index++) {
      const size_t shift = lengths[index];
      memset(text, ' ', shift);
      memcpy(text + shift, outcome->text, outcome->length);
      const size_t length = shift + outcome->length;
      const uint8_t *place = at_end(text, length);
      for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
        const char *name = decant_index_kernel_name(kernel);
        struct answer answer = answer_of(name, context_of(place, length));
        check(answer.code == outcome->code &&
                  (answer.code == DECANT_INDEX_OK || answer.offset == outcome->offset + shift),
              "moved by white space", name, place, length);
        free(answer.slots);
      }
      // ["xxx…", row
      if (shift < 6) continue;
      memset(text, 'x', shift);
      memcpy(text, "[\"", 2);
      memcpy(text + shift - 3, "\", ", 3);
      compare("moved by a string", at_end(text, length), length);
      memcpy(text + length, ",1]", 3);
      compare("moved by a string, in an array", at_end(text, length + 3), length + 3);
    }
  }
}

static void test_slots(void) {
  for (size_t row = 0; row < sizeof expectations / sizeof expectations[0]; row++) {
    const struct expectation *expected = &expectations[row];
    const size_t length = strlen(expected->text);
    for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
      const char *name = decant_index_kernel_name(kernel);
      struct answer answer = answer_of(name, context_of(at_end(expected->text, length), length));
      bool fine = answer.code == DECANT_INDEX_OK && answer.count == expected->count &&
                  answer.facts == expected->facts;
      for (uint32_t slot = 0; fine && slot < answer.count; slot++) {
        fine = answer.slots[slot] == expected->slots[slot];
      }
      check(fine, "slots", name, (const uint8_t *)expected->text, length);
      free(answer.slots);
    }
  }
}

static void test_duplicates(void) {
  decant_rules rules = usual_rules;
  rules.duplicates = DECANT_DUPLICATES_REJECT;
  for (size_t row = 0; row < sizeof duplicates / sizeof duplicates[0]; row++) {
    const struct duplicate *duplicate = &duplicates[row];
    const size_t length = strlen(duplicate->text);
    const uint8_t *text = at_end(duplicate->text, length);
    for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
      const char *name = decant_index_kernel_name(kernel);
      decant_context context = context_of(text, length);
      check(decant_index_build_with(name, &context) == DECANT_INDEX_OK, "duplicates allowed", name,
            text, length);
      decant_index_discard(&context);
      context = context_of(text, length);
      context.rules = rules;
      struct answer answer = answer_of(name, context);
      const bool found = duplicate->second != 0;
      const bool fine = found ? answer.code == DECANT_INDEX_DUPLICATE_KEY &&
                                    answer.offset == duplicate->second &&
                                    answer.other == duplicate->first
                              : answer.code == DECANT_INDEX_OK;
      check(fine, "duplicates rejected", name, text, length);
      free(answer.slots);
    }
  }
}

// Objects of many keys, through the table of duplicates.c.
static void test_wide_objects(void) {
  static char text[1 << 20];
  decant_rules rules = usual_rules;
  rules.duplicates = DECANT_DUPLICATES_REJECT;
  for (int keys = 2; keys < 20000; keys = keys < 200 ? keys + 7 : keys * 3) {
    size_t length = 0;
    text[length++] = '{';
    for (int key = 0; key < keys; key++) {
      length += (size_t)sprintf(text + length, "\"key number %d\":%d,", key, key);
    }
    text[length - 1] = '}';
    const uint8_t *place = at_end(text, length);
    check(compare_rules("wide", place, length, rules) == DECANT_INDEX_OK, "wide", "all", place,
          length);
    const size_t second = length;
    length += (size_t)sprintf(text + length - 1, ",\"k\\u0065y number %d\":0}", keys / 2) - 1;
    place = at_end(text, length);
    decant_context context = context_of(place, length);
    context.rules = rules;
    const int32_t code = decant_index_build(&context);
    check(code == DECANT_INDEX_DUPLICATE_KEY && context.error_offset == second,
          "wide with a duplicate", decant_index_kernel(), place, length);
    decant_index_discard(&context);
  }
}

// MARK: - Limits

static void test_limits(void) {
  for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
    const char *name = decant_index_kernel_name(kernel);
    const uint8_t *text = at_end("[[1],{\"a\":[]}]", 14);
    const struct {
      uint32_t depth;
      int32_t code;
      size_t offset;
    } depths[] = {{0, DECANT_INDEX_TOO_DEEP, 0},
                  {1, DECANT_INDEX_TOO_DEEP, 1},
                  {2, DECANT_INDEX_TOO_DEEP, 10},
                  {3, DECANT_INDEX_OK, 0}};
    for (size_t row = 0; row < 4; row++) {
      decant_context context = context_of(text, 14);
      context.rules.maximum_depth = depths[row].depth;
      struct answer answer = answer_of(name, context);
      check(answer.code == depths[row].code && answer.offset == depths[row].offset, "depth", name,
            text, 14);
      free(answer.slots);
    }
    for (size_t bytes = 0; bytes <= 16; bytes++) {
      decant_context context = context_of(text, 14);
      context.rules.maximum_bytes = bytes;
      struct answer answer = answer_of(name, context);
      check(bytes < 14 ? answer.code == DECANT_INDEX_TOO_LARGE && answer.offset == bytes
                       : answer.code == DECANT_INDEX_OK,
            "size", name, text, 14);
      free(answer.slots);
    }
    // Zero rules: scalars pass no limit of depth, and no byte is within the size.
    decant_context context = context_of(text, 14);
    context.rules = (decant_rules){0};
    check(decant_index_build_with(name, &context) == DECANT_INDEX_TOO_LARGE, "zero rules", name,
          text, 14);
    context = context_of(at_end("true", 4), 4);
    context.rules.maximum_depth = 0;
    check(decant_index_build_with(name, &context) == DECANT_INDEX_OK, "scalar at depth 0", name,
          (const uint8_t *)"true", 4);
    decant_index_discard(&context);
    context = context_of(text, UINT32_MAX);
    check(decant_index_build_with(name, &context) == DECANT_INDEX_TOO_LARGE &&
              context.error_offset == 0xFFFFFFFEu,
          "four gigabytes", name, text, 14);
  }
}

static void test_depth(void) {
  const size_t levels = 1000000;
  uint8_t *text = malloc(7 * levels);
  memset(text, '[', levels);
  memset(text + levels, ']', levels);
  decant_rules rules = usual_rules;
  check(compare_rules("deep", text, levels, rules) == DECANT_INDEX_TOO_DEEP, "deep", "all", text,
        20);
  rules.maximum_depth = UINT32_MAX;
  check(compare_rules("deep", text, 2 * levels, rules) == DECANT_INDEX_OK, "deep", "all", text, 20);
  check(compare_rules("deep", text, 2 * levels - 1, rules) == DECANT_INDEX_UNEXPECTED_END, "deep",
        "all", text, 20);
  rules.maximum_depth = (uint32_t)levels - 1;
  decant_context context = context_of(text, 2 * levels);
  context.rules = rules;
  check(decant_index_build(&context) == DECANT_INDEX_TOO_DEEP && context.error_offset == levels - 1,
        "one too deep", decant_index_kernel(), text, 20);
  rules.maximum_depth = UINT32_MAX;
  for (size_t level = 0; level < levels; level++) memcpy(text + 5 * level, "{\"\":[", 5);
  for (size_t level = 0; level < levels; level++) memcpy(text + 5 * levels + 2 * level, "]}", 2);
  check(compare_rules("deep objects", text, 7 * levels, rules) == DECANT_INDEX_OK, "deep objects",
        "all", text, 20);
  free(text);
}

// MARK: - The processor

#if defined(__x86_64__)
static bool has_kernel(const char *name) {
  for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
    if (strcmp(decant_index_kernel_name(kernel), name) == 0) return true;
  }
  return false;
}

#if __has_include("avx512_in_software.h")
#define HAS_AVX512(feature) true
#else
#define HAS_AVX512(feature) HAS(feature)
#endif

// The library asks the processor itself. The compiler's runtime has to say the same.
static void test_kernels(void) {
#define HAS(feature) (__builtin_cpu_supports(feature) != 0)
  __builtin_cpu_init();
  const bool sse42 = HAS("sse4.2") && HAS("ssse3") && HAS("pclmul") && HAS("popcnt");
  const bool avx2 = sse42 && HAS("avx2") && HAS("bmi") && HAS("bmi2");
  const bool avx512bw = avx2 && HAS_AVX512("avx512f") && HAS_AVX512("avx512bw") &&
                        HAS_AVX512("avx512dq") && HAS_AVX512("avx512vl");
  const bool avx512 = avx512bw && HAS_AVX512("avx512vbmi") && HAS_AVX512("avx512vbmi2");
#undef HAS
  check(has_kernel("sse42") == sse42, "the processor's features", "sse42", NULL, 0);
  check(has_kernel("avx2") == avx2, "the processor's features", "avx2", NULL, 0);
  check(has_kernel("avx512bw") == avx512bw, "the processor's features", "avx512bw", NULL, 0);
  check(has_kernel("avx512") == avx512, "the processor's features", "avx512", NULL, 0);
}
#else
static void test_kernels(void) {}
#endif

// MARK: - Differences between kernels

static uint64_t random_state;

static uint64_t random_word(void) {  // splitmix64
  uint64_t word = random_state += 0x9E3779B97F4A7C15u;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
  word = (word ^ word >> 27) * 0x94D049BB133111EBu;
  return word ^ word >> 31;
}

static size_t random_below(size_t limit) { return (size_t)(random_word() % limit); }

static void test_prefixes(void) {
  for (size_t row = 0; row < sizeof documents / sizeof documents[0]; row++) {
    const size_t length = strlen(documents[row]);
    for (size_t size = 0; size <= length; size++) {
      compare("prefix", at_end(documents[row], size), size);
    }
    check(compare("document", at_start(documents[row], length), length) == DECANT_INDEX_OK,
          "document is valid", "all", (const uint8_t *)documents[row], length);
  }
}

static void test_alignments(void) {
  for (size_t row = 0; row < sizeof documents / sizeof documents[0]; row++) {
    const size_t length = strlen(documents[row]);
    for (size_t alignment = 0; alignment < 64; alignment++) {
      compare("alignment", memcpy(guarded + alignment, documents[row], length), length);
    }
    // Every token once at every place of a block.
    uint8_t *text = guarded + GUARDED_BYTES - length - 64;
    memset(text, ' ', 64);
    memcpy(text + 64, documents[row], length);
    for (size_t before = 0; before <= 64; before++) {
      compare("place in a block", text + 64 - before, length + before);
    }
  }
}

// A byte that is worth trying.
static uint8_t telling_byte(void) {
  static const char telling[] = "\"\"\"\\\\{}[]:,,0123456789.eE+-truefalsn \n\t\r\x01\x1F/bu";
  const size_t pick = random_below(sizeof telling + 8);
  return pick < sizeof telling ? (uint8_t)telling[pick] : (uint8_t)random_word();
}

static void mutate(uint8_t *text, size_t *length) {
  for (size_t edits = 1 + random_below(3); edits > 0; edits--) {
    const size_t at = random_below(*length + 1);
    switch (random_below(4)) {
      case 0:
        if (at < *length) text[at] = telling_byte();
        break;
      case 1:
        memmove(text + at + 1, text + at, *length - at);
        text[at] = telling_byte();
        *length += 1;
        break;
      case 2:
        if (at < *length) memmove(text + at, text + at + 1, --*length - at);
        break;
      default: {  // a piece of it once more, elsewhere
        const size_t from = random_below(*length + 1), room = *length - from;
        const size_t size = random_below(room < 90 ? room + 1 : 90);
        uint8_t piece[90];
        memcpy(piece, text + from, size);
        memmove(text + at + size, text + at, *length - at);
        memcpy(text + at, piece, size);
        *length += size;
      }
    }
  }
}

static void test_mutations(int rounds) {
  static uint8_t text[8192];
  unsigned long valid = 0;
  for (int round = 0; round < rounds; round++) {
    const char *document = documents[random_below(sizeof documents / sizeof documents[0])];
    size_t length = strlen(document);
    memcpy(text, document, length);
    mutate(text, &length);
    valid += compare("mutation", at_end(text, length), length) == DECANT_INDEX_OK;
  }
  printf("mutations: %d, of which %lu valid\n", rounds, valid);
}

static void test_random_bytes(int rounds) {
  uint8_t text[300];
  for (int round = 0; round < rounds; round++) {
    const size_t length = random_below(sizeof text);
    for (size_t at = 0; at < length; at++) text[at] = telling_byte();
    if (length > 0 && random_below(2)) text[0] = '[';
    compare("random bytes", at_end(text, length), length);
    // The same as a string, so that they are not over after a few.
    text[0] = '"';
    for (size_t at = 1; at < length; at++) {
      text[at] = random_below(8) ? (uint8_t)random_word() : telling_byte();
      if (text[at] == '"' && random_below(4)) text[at] = 0xE2;
    }
    compare("random string", at_end(text, length), length);
  }
}

// Every sequence of up to four bytes over the ones that matter to UTF-8, at the seams of blocks.
static void test_utf8(void) {
  static const uint8_t telling[] = {0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0,
                                    0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
                                    0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};
  const size_t kinds = sizeof telling;
  uint8_t text[80];
  for (size_t number = 0; number < kinds * kinds * kinds * kinds; number++) {
    // All of two bytes, and a sample of the rest.
    if (number >= kinds * kinds && random_below(64) != 0) continue;
    const size_t before = 1 + random_below(66);
    memset(text, 'x', sizeof text);
    text[0] = '"';
    size_t rest = number;
    for (size_t at = 0; at < 4; at++, rest /= kinds) text[before + at] = telling[rest % kinds];
    const size_t size = before + 1 + random_below(5);
    text[size] = '"';
    compare("UTF-8", at_end(text, size + 1), size + 1);
  }
  // Every code point, raw.
  static uint8_t all[(0x80 + 0x780 * 2 + 0xF800 * 3) + 0x100000 * 4 + 2];
  size_t length = 0;
  all[length++] = '"';
  for (uint32_t point = 0x20; point <= 0x10FFFF; point++) {
    if (point == '"' || point == '\\' || (point >= 0xD800 && point < 0xE000)) continue;
    if (point < 0x80) {
      all[length++] = (uint8_t)point;
    } else if (point < 0x800) {
      all[length++] = (uint8_t)(0xC0 | point >> 6);
      all[length++] = (uint8_t)(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
      all[length++] = (uint8_t)(0xE0 | point >> 12);
      all[length++] = (uint8_t)(0x80 | (point >> 6 & 0x3F));
      all[length++] = (uint8_t)(0x80 | (point & 0x3F));
    } else {
      all[length++] = (uint8_t)(0xF0 | point >> 18);
      all[length++] = (uint8_t)(0x80 | (point >> 12 & 0x3F));
      all[length++] = (uint8_t)(0x80 | (point >> 6 & 0x3F));
      all[length++] = (uint8_t)(0x80 | (point & 0x3F));
    }
  }
  all[length++] = '"';
  check(compare("all code points", at_end(all, length), length) == DECANT_INDEX_OK,
        "all code points", "all", all, 20);
}

// Numbers of every shape up to a few bytes, in all their terminations.
static void test_numbers(int rounds) {
  static const char letters[] = "0019.eE+-a,";
  static const char *ends[] = {"]", " ]", ",1]", "}", "\"", "", "\n"};
  char text[32];
  for (int round = 0; round < rounds; round++) {
    size_t length = 0;
    text[length++] = '[';
    for (size_t size = 1 + random_below(8); size > 0; size--) {
      text[length++] = letters[random_below(sizeof letters - 1)];
    }
    const char *end = ends[random_below(sizeof ends / sizeof ends[0])];
    memcpy(text + length, end, strlen(end));
    length += strlen(end);
    compare("number", at_end(text, length), length);
  }
}

static void test_long_tokens(void) {
  static char text[1 << 18];
  static const size_t sizes[] = {1, 2, 63, 64, 65, 253, 254, 255, 256, 257, 308, 309, 1000, 70000};
  for (size_t index = 0; index < sizeof sizes / sizeof sizes[0]; index++) {
    const size_t size = sizes[index];
    static const char *shapes[] = {
        "[%s]",           "[-%s]",      "[0.%s]",   "[%s.5]",     "[1e-%s]",
        "[1e%s]",         "[-1.%se-3]", "[\"%s\"]", "{\"%s\":1}", "%s",
        "[%s,\"\\n%s\"]", "[0.%se5]",   "[%s\"\"]", "%s\"a\"",    "{\"a\":-%s.5\"\\n\"}",
        "[%strue]",       "[%s[]]",     "[%s e5]"};
    static char digits[70001];
    memset(digits, '7', size);
    digits[size] = 0;
    for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
      const size_t length = (size_t)snprintf(text, sizeof text, shapes[shape], digits, digits);
      compare("long token", at_end(text, length), length);
    }
  }
}

// MARK: - Memory

struct meter {
  size_t allowed;  // allocations that succeed
  size_t calls;
  size_t live_blocks;
  size_t live_bytes;
  size_t most_bytes;
  bool from_then_on;
};

static void meter_add(struct meter *meter, size_t bytes) {
  meter->live_bytes += bytes;
  if (meter->live_bytes > meter->most_bytes) meter->most_bytes = meter->live_bytes;
}

static bool meter_allows(struct meter *meter) {
  const size_t call = meter->calls++;
  return meter->from_then_on ? call < meter->allowed : call != meter->allowed;
}

static void *meter_allocate(void *state, size_t bytes) {
  struct meter *meter = state;
  if (!meter_allows(meter)) return NULL;
  meter->live_blocks++;
  meter_add(meter, bytes);
  return malloc(bytes);
}

static void *meter_reallocate(void *state, void *block, size_t old_bytes, size_t new_bytes) {
  struct meter *meter = state;
  if (!meter_allows(meter)) return NULL;
  meter_add(meter, new_bytes - old_bytes);
  return realloc(block, new_bytes);
}

static void meter_deallocate(void *state, void *block, size_t bytes) {
  struct meter *meter = state;
  meter->live_blocks--;
  meter->live_bytes -= bytes;
  free(block);
}

static void test_allocation_failures(void) {
  static char text[40000];
  size_t length = 0;
  text[length++] = '{';
  for (int key = 0; length < 39000; key++) {
    length += (size_t)sprintf(text + length, "\"key %d\":[%d,true,{}],", key, key);
  }
  text[length - 1] = '}';
  const uint8_t *place = at_end(text, length);
  for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
    const char *name = decant_index_kernel_name(kernel);
    for (int variant = 0; variant < 16; variant++) {
      for (size_t allowed = 0;; allowed++) {
        struct meter meter = {.allowed = allowed, .from_then_on = variant & 1};
        decant_allocator allocator = {meter_allocate, variant & 2 ? meter_reallocate : NULL,
                                      meter_deallocate, &meter};
        uint64_t buffer[40];
        decant_context context = context_of(place, variant & 8 ? length - 1 : length);
        context.allocator = &allocator;
        context.rules.duplicates = DECANT_DUPLICATES_REJECT;
        if (variant & 4) {
          context.slots = buffer;
          context.slot_capacity = 40;
        }
        const int32_t code = decant_index_build_with(name, &context);
        const bool enough = allowed >= meter.calls;
        const int32_t otherwise = variant & 8 ? DECANT_INDEX_UNEXPECTED_END : DECANT_INDEX_OK;
        bool fine = code == otherwise || (!enough && code == DECANT_INDEX_OUT_OF_MEMORY);
        fine = fine && meter.live_blocks == (code == DECANT_INDEX_OK);
        decant_index_discard(&context);
        fine = fine && meter.live_blocks == 0 && meter.live_bytes == 0;
        check(fine, "allocation failure", name, place, 20);
        if (enough) break;
      }
    }
  }
}

// Without memory, a document is read whose slots are there, and a wrong one is told from one that has too many,
// although a kernel asks for more than it needs.
static void test_no_memory(void) {
  static const struct {
    const char *text;
    int32_t code;
  } documents[] = {
      {"[null,true,null,true,null,true,null,true,null,true,null,true]", DECANT_INDEX_OK},
      {"{wrong, and its letters are more than the buffer has slots", DECANT_INDEX_UNEXPECTED_BYTE},
      {"[0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8]",
       DECANT_INDEX_OUT_OF_MEMORY},
  };
  for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
    const char *name = decant_index_kernel_name(kernel);
    for (size_t at = 0; at < sizeof documents / sizeof *documents; at++) {
      const size_t length = strlen(documents[at].text);
      const uint8_t *place = at_end(documents[at].text, length);
      struct meter meter = {.from_then_on = true};
      decant_allocator allocator = {meter_allocate, NULL, meter_deallocate, &meter};
      uint64_t buffer[40];
      decant_context context = context_of(place, length);
      context.allocator = &allocator;
      context.slots = buffer;
      context.slot_capacity = 40;
      const bool fine = decant_index_build_with(name, &context) == documents[at].code;
      decant_index_discard(&context);
      check(fine, "no memory", name, place, length);
    }
  }
}

// Documents of one piece again and again, with any depth allowed: eight bytes for each of the document's, and 9 KB,
// are enough for all of them, also where an allocator can only copy. What they end with does not close them, or is
// wrong before that: the code and its place are the scalar kernel's.
static void test_most_memory(size_t length) {
  static const struct {
    const char *piece, *end;
  } shapes[] = {{"[", ""},       {"[", "x"},      {"[[],", ""},
                {"[0,", ""},     {"{\"\":", ""},  {"{\"a\":", "}"},
                {"{\"\":[", ""}, {"[{},", "\""},  {"[[],{\"a\":", "]"},
                {"[] ", ""},     {"[[[1,", "]}"}, {"[\n", "\x01"}};
  uint8_t *text = malloc(length + 4);
  if (text == NULL) abort();
  for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
    const char *piece = shapes[shape].piece, *end = shapes[shape].end;
    size_t size = 0;
    while (size + strlen(piece) <= length) {
      memcpy(text + size, piece, strlen(piece));
      size += strlen(piece);
    }
    memcpy(text + size, end, strlen(end));
    size += strlen(end);
    const bool is_over = shape == 9;  // "[] []"
    const int32_t expected = is_over       ? DECANT_INDEX_TRAILING_BYTES
                             : *end == 0   ? DECANT_INDEX_UNEXPECTED_END
                             : *end == '"' ? DECANT_INDEX_UNEXPECTED_END
                                           : DECANT_INDEX_UNEXPECTED_BYTE;
    for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
      const char *name = decant_index_kernel_name(kernel);
      for (int copies = 0; copies < 2; copies++) {
        struct meter meter = {.allowed = SIZE_MAX, .from_then_on = true};
        decant_allocator allocator = {meter_allocate, copies ? NULL : meter_reallocate,
                                      meter_deallocate, &meter};
        decant_context context = context_of(text, size);
        context.allocator = &allocator;
        context.rules.maximum_depth = UINT32_MAX;
        const int32_t code = decant_index_build_with(name, &context);
        // The place: the end of the text; the last byte; or, in "[[[1," and "]}", that of the brace.
        const size_t place = is_over ? 3 : code == DECANT_INDEX_UNEXPECTED_END ? size : size - 1;
        const bool is_right =
            code == expected && (context.error_offset == place || shape == 8 || shape == 10);
        check(is_right && meter.most_bytes <= 8 * size + 9216, piece, name, text, 20);
        check(meter.live_blocks == 0 && meter.live_bytes == 0, "its memory given back", name, text,
              20);
      }
    }
  }
  free(text);
}

// A caller's buffer is used as long as it is large enough, and never overrun.
static void test_buffers(void) {
  for (size_t row = 0; row < sizeof documents / sizeof documents[0]; row++) {
    const size_t length = strlen(documents[row]);
    const uint8_t *text = at_end(documents[row], length);
    struct answer expected = answer_of("scalar", context_of(text, length));
    for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
      const char *name = decant_index_kernel_name(kernel);
      for (size_t capacity = 0; capacity < 200; capacity++) {
        uint64_t *buffer = malloc((capacity + 1) * sizeof buffer[0]);
        buffer[capacity] = 0x1234;
        decant_context context = context_of(text, length);
        context.slots = buffer;
        context.slot_capacity = capacity;
        bool fine = decant_index_build_with(name, &context) == DECANT_INDEX_OK &&
                    context.slot_count == expected.count && buffer[capacity] == 0x1234;
        fine = fine && (context.slots == buffer) == (context.owned_slots == NULL);
        fine =
            fine && memcmp(context.slots, expected.slots, expected.count * sizeof buffer[0]) == 0;
        // Where there is room for two slots for each byte, nothing is allocated.
        if (capacity >= 2 * length) fine = fine && context.slots == buffer;
        check(fine, "caller's buffer", name, text, length);
        decant_index_discard(&context);
        decant_index_discard(&context);
        free(buffer);
      }
    }
    free(expected.slots);
  }
}

// The cache of a thread: nested builds, builds given back elsewhere, and threads that end.
static void *use_cache(void *unused) {
  (void)unused;
  for (int round = 0; round < 50; round++) {
    decant_context contexts[3];
    for (int index = 0; index < 3; index++) {
      contexts[index] = context_of((const uint8_t *)"[1,2,3]", 7);
      if (decant_index_build(&contexts[index]) != DECANT_INDEX_OK) return NULL;
    }
    for (int index = 0; index < 3; index++) {
      const uint64_t three = (uint64_t)(DECANT_NUMBER | 0x0101) << 32 | 5;
      if (contexts[index].slots[4] != three) return NULL;
      decant_index_discard(&contexts[index]);
    }
  }
  return guarded;
}

static void test_threads(void) {
  pthread_t threads[4];
  for (int index = 0; index < 4; index++) pthread_create(&threads[index], NULL, use_cache, NULL);
  for (int index = 0; index < 4; index++) {
    void *result = NULL;
    pthread_join(threads[index], &result);
    check(result != NULL, "thread's cache", decant_index_kernel(), NULL, 0);
  }
}

// MARK: - Other people's documents

static uint8_t *read_file(const char *folder, const char *name, size_t *length) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  fseek(file, 0, SEEK_SET);
  uint8_t *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
  *length = text != NULL ? fread(text, 1, (size_t)size, file) : 0;
  fclose(file);
  return text;
}

// Of the files that a parser may accept or reject, those that Decant accepts.
static bool accepts_freely(const char *name) {
  static const char *accepted[] = {
      "i_number_double_huge_neg_exp.json",  "i_number_huge_exp.json",
      "i_number_neg_int_huge_exp.json",     "i_number_pos_double_huge_exp.json",
      "i_number_real_neg_overflow.json",    "i_number_real_pos_overflow.json",
      "i_number_real_underflow.json",       "i_number_too_big_neg_int.json",
      "i_number_too_big_pos_int.json",      "i_number_very_big_negative_int.json",
      "i_structure_500_nested_arrays.json",
  };
  for (size_t row = 0; row < sizeof accepted / sizeof accepted[0]; row++) {
    if (strcmp(name, accepted[row]) == 0) return true;
  }
  return false;
}

static void test_suite(void) {
  const char *base = getenv("DECANT_CONFORMANCE_DIR");
  char folder[2048];
  snprintf(folder, sizeof folder, "%s/JSONTestSuite/test_parsing", base != NULL ? base : "");
  DIR *directory = base != NULL ? opendir(folder) : NULL;
  if (directory == NULL) {
    printf("skipped: JSONTestSuite (DECANT_CONFORMANCE_DIR is %s)\n", base ? "wrong" : "not set");
    return;
  }
  unsigned counts[2][2] = {{0}};
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    const char *name = entry->d_name;
    const char kind = name[0];
    if (name[1] != '_' || strchr("yni", kind) == NULL) continue;
    size_t length = 0;
    uint8_t *text = read_file(folder, name, &length);
    if (text == NULL) continue;
    const bool expected = kind == 'y' || (kind == 'i' && accepts_freely(name));
    const int32_t code = compare(name, at_end(text, length), length);
    check((code == DECANT_INDEX_OK) == expected, name, "all", text, length);
    counts[kind == 'i'][(code == DECANT_INDEX_OK) == expected]++;
    free(text);
  }
  closedir(directory);
  printf("JSONTestSuite: %u/%u, and %u/%u as documented\n", counts[0][1],
         counts[0][0] + counts[0][1], counts[1][1], counts[1][0] + counts[1][1]);
}

static void test_corpora(void) {
  const char *folder = getenv("DECANT_CORPORA_DIR");
  DIR *directory = folder != NULL ? opendir(folder) : NULL;
  if (directory == NULL) {
    printf("skipped: corpora (DECANT_CORPORA_DIR is %s)\n", folder ? "wrong" : "not set");
    return;
  }
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    size_t length = 0;
    uint8_t *text = entry->d_name[0] != '.' ? read_file(folder, entry->d_name, &length) : NULL;
    if (text == NULL) continue;
    if (length == 0 || length > GUARDED_BYTES) {
      free(text);
      continue;
    }
    const uint8_t *place = at_end(text, length);
    if (strstr(entry->d_name, "ndjson") == NULL) {
      check(compare(entry->d_name, place, length) == DECANT_INDEX_OK, entry->d_name, "all", place,
            20);
    } else {  // one document per line
      for (size_t start = 0, at = 0; at < length; at++) {
        if (text[at] != '\n') continue;
        check(compare("line", place + start, at - start) == DECANT_INDEX_OK, "line", "all",
              place + start, at - start);
        start = at + 1;
      }
    }
    for (int round = 0; round < 40; round++) {
      const size_t size = random_below(length < 40000 ? length : 40000);
      compare("prefix of a corpus", at_end(text, size), size);
      // Damage one byte: 20 KB before the end of the piece, so that the entries' buffer was
      // refilled.
      uint8_t *damaged = guarded + GUARDED_BYTES - size;
      if (size > 0) damaged[random_below(size)] = telling_byte();
      compare("damaged corpus", damaged, size);
    }
    free(text);
  }
  closedir(directory);
}

// Every prefix of every file of a folder, up to 64 KB: each ends at the page that cannot be touched. A
// prefix may be read or refused; what it may not is fault, or name a place outside.
static void test_all_prefixes_in(const char *folder) {
  DIR *directory = opendir(folder);
  if (directory == NULL) return;
  unsigned long prefixes = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    size_t length = 0;
    uint8_t *text = entry->d_name[0] != '.' ? read_file(folder, entry->d_name, &length) : NULL;
    if (text == NULL) continue;
    if (length > 65536) length = 65536;
    bool fine = true;
    for (size_t size = 0; size <= length; size++, prefixes++) {
      const uint8_t *place = at_end(text, size);
      for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
        decant_context context = context_of(place, size);
        const int32_t code = decant_index_build_with(decant_index_kernel_name(kernel), &context);
        fine = fine && (code == DECANT_INDEX_OK || context.error_offset <= size);
        decant_index_discard(&context);
      }
    }
    check(fine, "every prefix", entry->d_name, text, length);
    free(text);
  }
  closedir(directory);
  printf("%s: %lu prefixes through every kernel\n", strrchr(folder, '/') + 1, prefixes);
}

static void test_all_prefixes(void) {
  const char *corpora = getenv("DECANT_CORPORA_DIR"),
             *conformance = getenv("DECANT_CONFORMANCE_DIR");
  char folder[2048];
  if (corpora != NULL) test_all_prefixes_in(corpora);
  snprintf(folder, sizeof folder, "%s/JSONTestSuite/test_parsing", conformance ? conformance : "");
  if (conformance != NULL) test_all_prefixes_in(folder);
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "--prefixes") == 0) {
    make_guarded();
    test_all_prefixes();
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed != 0;
  }
  const bool quick = count > 1 && strcmp(arguments[1], "--quick") == 0;
  const bool fewer = quick || (count > 1 && strcmp(arguments[1], "--fewer") == 0);
  const int share = quick ? 20 : fewer ? 4 : 1;  // where an input is dear
  random_state = count > 1 && !fewer ? strtoull(arguments[1], NULL, 0) : (uint64_t)time(NULL);
  printf("seed: %llu; kernels:", (unsigned long long)random_state);
  for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
    printf(" %s", decant_index_kernel_name(kernel));
  }
  printf("; in use: %s\n", decant_index_kernel());
  make_guarded();
  test_kernels();
  test_outcomes();
  test_outcomes_moved();
  test_slots();
  test_duplicates();
  test_wide_objects();
  test_limits();
  test_depth();
  test_prefixes();
  test_alignments();
  test_utf8();
  test_numbers(40000 / share);
  test_long_tokens();
  test_mutations(400000 / share);
  test_random_bytes(100000 / share);
  test_allocation_failures();
  test_no_memory();
  test_most_memory(100);
  test_most_memory(5000);
  test_most_memory(fewer || IS_INSTRUMENTED ? 200000 : 3000000);
  test_buffers();
  test_threads();
  test_suite();
  test_corpora();
  printf("%lu passed, %lu failed\n", passed, failed);
  return failed != 0;
}
