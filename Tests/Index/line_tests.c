// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The index of lines against the index of each line by itself, and values that are cut off a stream, with every kernel
// that this processor has.
//
//   line_tests [seed]
//   line_tests --long         a string of more than half a gigabyte, whose length is in no slot: seconds
//
// A line that is linked has the slots that the scalar kernel makes of its bytes; a line that is not is invalid, or was
// read together with one that is. Every text ends at a page that cannot be touched. The last line is "N passed, N
// failed"; a check is one text through one kernel.

#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "decant_cut.h"
#include "decant_lines.h"
#include "decant_memory.h"
#include "failure.h"
#include "index_cases.h"
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static unsigned long passed, failed;
static const char *kernel;

static bool check(bool fine, const char *what, const uint8_t *text, size_t length) {
  if (fine) return true;
  failed++;
  after_failure();
  if (failed > 20) return false;
  printf("FAILED: %s (%s): ", what, kernel);
  for (size_t at = 0; at < length && at < 300; at++) {
    printf(text[at] >= 0x20 && text[at] < 0x7F ? "%c" : "<%02X>", text[at]);
  }
  printf(" (%zu bytes)\n", length);
  return false;
}

#define GUARDED_BYTES ((size_t)4 << 20)
static uint8_t *guarded;

static void make_guarded(void) {
  const size_t page = 65536;
  uint8_t *region =
      mmap(NULL, GUARDED_BYTES + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (region == MAP_FAILED || mprotect(region + GUARDED_BYTES, page, PROT_NONE) != 0) {
    printf("cannot map guarded memory\n");
    exit(1);
  }
  guarded = region;
}

static uint64_t random_state = 7;

static uint64_t random_word(void) {  // splitmix64
  uint64_t word = random_state += 0x9E3779B97F4A7C15u;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
  return word ^ (word >> 31);
}

static size_t random_below(size_t limit) { return (size_t)(random_word() % limit); }

// MARK: - One text, line by line

static decant_rules rules;
static decant_line_index *line_index;

// What came of a text.
static struct { unsigned long lines, linked, valid; } totals;

static bool is_blank(const uint8_t *text, size_t length) {
  for (size_t at = 0; at < length; at++) {
    if (!decant_is_white(text[at])) return false;
  }
  return true;
}

static bool is_right(const decant_context *context, const uint8_t *line, size_t length,
                     bool is_linked) {
  decant_context alone = {.text = line, .length = length, .rules = rules};
  const bool is_valid = decant_index_build_with("scalar", &alone) == DECANT_INDEX_OK;
  totals.lines++;
  totals.valid += is_valid;
  totals.linked += is_linked;
  const bool is_same =
      !is_linked ||
      (is_valid && context->text == line && context->length == length && context->root == 0 &&
       (alone.facts & ~context->facts) == 0 && alone.slot_count == context->slot_count &&
       memcmp(alone.slots, context->slots, alone.slot_count * sizeof(uint64_t)) == 0);
  decant_index_discard(&alone);
  return is_same;
}

static bool compare(const char *what, const uint8_t *bytes, size_t length) {
  const uint8_t *const text = memcpy(guarded + GUARDED_BYTES - length, bytes, length);
  decant_context context = {.rules = rules};
  decant_line line;
  decant_line_index_begin(line_index, text, length);
  size_t at = 0, blanks = 0;
  while (at < length) {
    const size_t end = at + decant_line_end((const char *)text + at, length - at);
    if (is_blank(text + at, end - at)) {
      blanks += end < length;
    } else {
      if (!check(decant_line_index_next(line_index, &context, &line), what, text, length) ||
          !check(line.start == at && line.end == end && line.blanks == blanks, "the place", text,
                 length) ||
          !check(is_right(&context, text + at, end - at, line.is_linked), what, text + at,
                 end - at)) {
        return false;
      }
      decant_line_index_end_line(&context);
      blanks = 0;
    }
    at = end + 1;
  }
  return check(!decant_line_index_next(line_index, &context, &line) && line.blanks == blanks &&
                   line_index->next == length,
               "the end", text, length) &&
         ++passed;
}

// MARK: - Texts

static uint8_t text[GUARDED_BYTES];
static size_t text_length;

static void add(const char *bytes, size_t length) {
  memcpy(text + text_length, bytes, length);
  text_length += length;
}
static void add_text(const char *bytes) { add(bytes, strlen(bytes)); }

static void add_feed(void) {
  static const char *const feeds[] = {"\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n \t\r\n\n"};
  add_text(feeds[random_below(sizeof feeds / sizeof feeds[0])]);
}

static void add_valid(void) {
  char line[600];
  const size_t number = random_below(1000000);
  switch (random_below(8)) {
    case 0: snprintf(line, sizeof line, "%zu", number); break;
    case 1: snprintf(line, sizeof line, "-%zu.5e-3", number); break;
    case 2: snprintf(line, sizeof line, "\"%0*d\"", (int)random_below(200), 0); break;
    case 3: snprintf(line, sizeof line, "[%zu,[],{},null , true]", number); break;
    case 4:
      snprintf(line, sizeof line, "{\"id\":%zu,\"a\\\"b\":\"\\u00e9\\\\\",\"c\" : [1 ,2.5]}",
               number);
      break;
    case 5:
      snprintf(line, sizeof line, "{\"\xC3\xA9\":\"\xF0\x9F\x98\x80%0*d\"}", (int)random_below(80),
               0);
      break;
    case 6: snprintf(line, sizeof line, "[[[[{\"a\":{\"b\":[%zu]}}]]]]", number); break;
    default: {
      const char *document = documents[random_below(sizeof documents / sizeof documents[0])];
      for (; *document != 0; document++) {
        if (*document != '\n') add(document, 1);
      }
      return;
    }
  }
  add_text(line);
}

// What no line can be, though stage 1 sees nothing wrong.
static void add_ungrammatical(void) {
  static const char *const lines[] = {"{\"a\":2}TRAILER",
                                      "[1,",
                                      "{\"a\":",
                                      "]",
                                      "1e",
                                      "-",
                                      "1.",
                                      "tru",
                                      "[1 2]",
                                      "{\"a\":1,",
                                      "\"a\"\"b\"",
                                      "nul",
                                      "[1",
                                      "\xEF\xBB\xBF{}",
                                      "{}{}",
                                      "1 1",
                                      "[1 ",
                                      "{\"a\":1 ",
                                      "{\"a\" ",
                                      "fals",
                                      "1e+",
                                      "{\"a\\u00zz\":1}",
                                      "[01]"};
  add_text(lines[random_below(sizeof lines / sizeof lines[0])]);
}

static void add_outcome(void) {
  const struct outcome *row = &outcomes[random_below(sizeof outcomes / sizeof outcomes[0])];
  add(row->text, row->length);
}

static void add_damaged(void) {
  const size_t start = text_length;
  add_valid();
  for (size_t edits = 1 + random_below(2); edits > 0 && text_length > start; edits--) {
    const size_t at = start + random_below(text_length - start);
    static const uint8_t telling[] = "\"\\\n{}[]:,\0\x1F\xC3\xF0\x80 01e-.";
    text[at] = telling[random_below(sizeof telling)];
  }
}

// Lines of which one in `bad` is bad, in each of the ways; 0: none is.
static void make_text(size_t lines, size_t bad, void (*const *ways)(void), size_t count) {
  text_length = 0;
  for (size_t line = 0; line < lines; line++) {
    if (bad != 0 && random_below(bad) == 0) {
      ways[random_below(count)]();
    } else {
      add_valid();
    }
    if (line + 1 < lines || random_below(2)) add_feed();
  }
}

// Of a text that ends with a number, the last line is read by itself.
static size_t number_at_the_end(void) {
  return text_length != 0 && text[text_length - 1] >= '0' && text[text_length - 1] <= '9';
}

static void test_all_valid(void) {
  for (size_t lines = 1; lines < 400; lines += 1 + lines / 7) {
    totals.linked = totals.valid = totals.lines = 0;
    make_text(lines, 0, NULL, 0);
    compare("valid lines", text, text_length);
    check(totals.linked + number_at_the_end() >= totals.lines && totals.valid == totals.lines,
          "every line is linked", text, text_length);
  }
}

static void test_ungrammatical(void) {
  static void (*const ways[])(void) = {add_ungrammatical};
  for (int round = 0; round < 60; round++) {
    totals.linked = totals.valid = totals.lines = 0;
    make_text(200, 1 + (size_t)round % 9, ways, 1);
    compare("bad grammar", text, text_length);
    check(totals.linked + number_at_the_end() >= totals.valid && totals.linked <= totals.valid,
          "every valid line is linked beside bad ones", text, text_length);
  }
}

static void test_damaged(void) {
  static void (*const ways[])(void) = {add_ungrammatical, add_outcome, add_damaged};
  for (int round = 0; round < 400; round++) {
    make_text(1 + random_below(150), 1 + random_below(40), ways, 3);
    compare("damaged lines", text, text_length);
  }
}

// One line of an error of stage 1 among many lines: those around it are read alone, the others are linked.
static void test_one_bad(void) {
  static const char *const lines[] = {"{\"a\":\"b}", "\"\x01\"", "\"\xC3\"",      "[\"\\\"]",
                                      "\"",          "\xFF",     "\"\xF0\x9F\x98"};
  for (size_t bad = 0; bad < sizeof lines / sizeof lines[0]; bad++) {
    text_length = 0;
    for (int line = 0; line < 4000; line++) {
      add_text(line == 2000 ? lines[bad] : "{\"id\":12345,\"name\":\"Ann\"}");
      add_text("\n");
    }
    totals.linked = totals.valid = totals.lines = 0;
    compare("one bad line", text, text_length);
    check(totals.valid == 3999 && totals.linked > 3700, "most lines are linked", text, 60);
  }
}

// Lines with more slots than an index of lines has, and lines that are longer than stage 1's buffer tells.
static void test_long_lines(void) {
  for (size_t values = 900; values <= 9000; values += 450) {
    text_length = 0;
    for (int line = 0; line < 5; line++) {
      add_text("{\"id\":1}\n[0");
      for (size_t value = 1; value < values; value++) add_text(",7");
      add_text(line == 3 ? "]]\n" : "]\n");
      add_text("{\"text\":\"");
      for (size_t value = 0; value < values * 4; value++) add_text("lorem ");
      add_text("\"}\n");
    }
    totals.linked = totals.valid = totals.lines = 0;
    compare("long lines", text, text_length);
    check(totals.linked >= 10 && (values > 2500 || totals.linked == 14),
          "lines beside long ones are linked", text, 60);
  }
}

// A string whose length does not fit its slot, between other lines.
static void test_long_string(void) {
  const size_t size = (size_t)DECANT_STRING_LONG + 5;
  uint8_t *const lines = malloc(size + 6);
  if (lines == NULL) {
    printf("no memory for a long string\n");
    exit(2);
  }
  memset(lines, 'k', size + 6);
  memcpy(lines, "1\n\"", 3);
  memcpy(lines + size + 3, "\"\n2", 3);
  decant_context context = {.rules = rules};
  decant_line line;
  decant_line_index_begin(line_index, lines, size + 6);
  for (int number = 0; number < 3; number++) {
    const bool is_found = decant_line_index_next(line_index, &context, &line);
    const uint8_t *const start = lines + line.start;
    passed += check(is_found && is_right(&context, start, line.end - line.start, line.is_linked),
                    "a long string", start, line.end - line.start);
  }
  free(lines);
}

static void test_rules(void) {
  static void (*const ways[])(void) = {add_ungrammatical, add_damaged};
  const decant_rules usual = rules;
  for (int round = 0; round < 60; round++) {
    rules = usual;
    if (round % 3 == 0) rules.maximum_bytes = random_below(60);
    if (round % 3 == 1) rules.maximum_depth = (uint32_t)random_below(7);
    if (round % 3 == 2) rules.duplicates = DECANT_DUPLICATES_REJECT;
    if (round % 5 == 0) rules.duplicates = DECANT_DUPLICATES_LAST;
    make_text(100, 9, ways, 2);
    add_text("\n{\"a\":1,\"b\":{\"c\":1,\"c\":2}}\n{}");
    compare("rules", text, text_length);
  }
  rules = usual;
}

// Cut at every byte, so that a text ends in every state.
static void test_prefixes(void) {
  static void (*const ways[])(void) = {add_ungrammatical, add_damaged};
  make_text(12, 6, ways, 2);
  const size_t length = text_length;
  for (size_t cut = 0; cut <= length; cut++) compare("a prefix", text, cut);
}

static void test_blank(void) {
  memset(text, '\n', 100000);
  compare("line feeds", text, 100000);
  memset(text, ' ', 70000);
  compare("spaces", text, 70000);
  compare("no bytes", text, 0);
}

// Line feeds that are looked for, and counted by a kernel, as bytes within characters are: a few in as many bytes as there
// may be before and behind a block, and more of them than a byte can count.
static void test_line_feeds(void) {
  for (int round = 0; round < 3000; round++) {
    const size_t length = random_below(round % 100 == 0 ? 70000 : 400);
    memset(text, round % 200 == 0 ? '\n' : 'x', length);
    for (size_t changes = random_below(3); changes > 0 && length > 0; changes--)
      text[random_below(length)] ^= 'x' ^ '\n';
    for (size_t changes = random_below(3); changes > 0 && length > 0; changes--)
      text[random_below(length)] = (uint8_t)(0x7F + random_below(0x43));
    size_t count = 0, last = 0, within = 0;
    for (size_t at = 0; at < length; at++) {
      if (text[at] == '\n') count++, last = at + 1;
      within += (text[at] & 0xC0) == 0x80;
    }
    const char *const placed = memcpy(guarded + GUARDED_BYTES - length, text, length);
    passed +=
        check(decant_kernel_named(kernel)->line_feeds((const uint8_t *)placed, length) == count,
              "how many line feeds", text, length) &&
        check(decant_kernel_named(kernel)->continuations((const uint8_t *)placed, length) == within,
              "how many bytes within a character", text, length) &&
        check(decant_line_feeds(placed, length) == count,
              "how many line feeds, by the kernel in use", text, length) &&
        check(decant_last_line_end(placed, length) == last, "the last line feed", text, length);
  }
}

// Where a value ends, looked for naively: with what was before each byte.
static size_t naive_cut(const uint8_t *bytes, size_t length, bool at_commas, int *found) {
  size_t depth = 0, alike = 0;
  bool in_string = false, escaped = false;
  uint8_t first = 0, last = 0;
  for (size_t at = 0; at < length; at++) {
    const uint8_t byte = bytes[at];
    const bool is_escaped = escaped;
    escaped = byte == '\\' && !is_escaped;
    if (in_string && byte == '\n') return *found = DECANT_CUT_FEED, at;
    if (byte == '"' && !is_escaped) in_string = !in_string;
    if (!in_string && (byte == '{' || byte == '[')) {
      bool may_begin = last == 0 || last == '[' || last == ':';
      if (last == ',') may_begin |= first != '{' || alike < depth;
      size_t start = at;
      while (at_commas && start > 0 && memchr(" \t,", bytes[start - 1], 3) != NULL) start--;
      if (start > 0 && bytes[start - 1] == '\n' && !may_begin) return *found = DECANT_CUT_LINE, at;
      if (depth++ == 0) first = byte;
      alike += byte == first;
    }
    if (!in_string && byte == ',' && at_commas && depth == 0) return *found = DECANT_CUT_END, at;
    if (!in_string && (byte == '}' || byte == ']')) {
      if (depth == 0) return *found = DECANT_CUT_END, at;
      depth--;
      if (byte == first + 2) alike--;
      if ((depth == 0) != (alike == 0)) return *found = DECANT_CUT_MISMATCH, at;
      if (depth == 0 && !at_commas) return *found = DECANT_CUT_END, at;
    }
    if (!decant_is_white(byte)) last = byte != 0 ? byte : 1;
  }
  return *found = DECANT_CUT_ON, length;
}

// MARK: - Elements

// Elements with one index, each against its bytes by themselves. Returns how many were linked; they end at the first
// that is not.
static size_t compare_elements(const char *what, const uint8_t *bytes, size_t length) {
  const uint8_t *const placed = memcpy(guarded + GUARDED_BYTES - length, bytes, length);
  decant_context context = {.rules = rules};
  decant_line element;
  size_t count = 0;
  bool is_last = false;
  decant_line_index_begin(line_index, placed, length);
  for (size_t at = 0; decant_element_index_next(line_index, &context, &element); count++) {
    while (at < length && decant_is_white(placed[at])) at++;
    int found;
    const size_t size = naive_cut(placed + at, length - at, true, &found);
    const uint8_t last = at + size < length ? placed[at + size] : 0;
    if (!check(!is_last && found == DECANT_CUT_END && (last == ',' || last == ']') &&
                   element.start == at && element.end == at + size && element.blanks == 0,
               "an element's place", bytes, length) ||
        !check(is_right(&context, placed + at, size, element.is_linked), what, placed + at, size))
      return count;
    decant_line_index_end_line(&context);
    is_last = last == ']';
    at += size + 1;
  }
  passed++;
  return count;
}

static void make_elements(size_t count, size_t bad) {
  static const char *const commas[] = {",", ",", ",", " ,", ",\n", "\n , ", ",\r\n\t"};
  text_length = 0;
  if (random_below(3) == 0) add_text(" \n");
  for (size_t at = 0; at < count; at++) {
    if (at != 0) add_text(commas[random_below(sizeof commas / sizeof commas[0])]);
    if (bad != 0 && random_below(bad) == 0) {
      (random_below(2) ? add_ungrammatical : add_damaged)();
    } else if (random_below(4) == 0) {
      add_text("{\n  \"a\": 1,\n  \"b\": [\n    {\"c\": 2},\n    []\n  ]\n}");
    } else {
      add_valid();
    }
  }
}

static void test_elements(void) {
  const decant_rules usual = rules;
  for (size_t count = 1; count < 500; count += 1 + count / 5) {
    make_elements(count, 0);
    add_text(random_below(2) ? "]" : " \n]");
    add_text(random_below(2) ? ",1,[2]]" : "}");
    check(compare_elements("valid elements", text, text_length) == count, "every element is linked",
          text, text_length);
  }
  for (int round = 0; round < 600; round++) {
    if (round % 4 == 1) rules.maximum_bytes = 1 + random_below(60);
    if (round % 4 == 2) rules.maximum_depth = (uint32_t)random_below(7);
    if (round % 4 == 3) rules.duplicates = DECANT_DUPLICATES_REJECT;
    make_elements(1 + random_below(200), 1 + random_below(60));
    add_text(random_below(2) ? "]" : ",]");
    compare_elements("damaged elements", text, text_length);
    rules = usual;
  }
  make_elements(12, 6);
  const size_t length = text_length;
  for (size_t cut = 0; cut <= length; cut++) compare_elements("some elements", text, cut);
  // More slots than an index has, and what is not closed at the end of the text.
  make_elements(3, 0);
  add_text(",[0");
  for (int value = 0; value < 9000; value++) add_text(",7");
  add_text("],8]");
  check(compare_elements("a long element", text, text_length) == 3,
        "elements up to a long one are linked", text, 60);
}

static bool same_cut(const decant_cut *a, const decant_cut *b) {
  return a->depth == b->depth && a->alike == b->alike && a->first == b->first &&
         a->last == b->last && a->in_string == b->in_string && a->escaped == b->escaped &&
         a->begins_line == b->begins_line && a->found == b->found;
}

// Values that are cut at once, and in pieces of any size, by every kernel and the scalar one. NUL is one of their bytes.
static void test_cuts(void) {
  static const char bytes[] = "{}[],,\"\"\\\\ab1 \n:\n{\n[\t \n  {";
  for (int round = 0; round < 6000; round++) {
    const size_t length = random_below(300);
    const size_t kinds = round % 4 == 0 ? 6 : round % 4 == 1 ? 11 : sizeof bytes;
    for (size_t at = 0; at < length; at++) text[at] = (uint8_t)bytes[random_below(kinds)];
    if (round % 2 == 0) memset(text, round % 4 == 0 ? '[' : '{', length / 3);
    if (round % 5 == 0) memset(text + length / 3, ' ', length / 3);
    // A string of whose bytes few count, so that most blocks have one of them or none.
    if (round % 7 == 0 && length > 2) {
      for (size_t at = 2; at < length; at++)
        if (random_below(40) != 0) text[at] = 'a';
      text[0] = '{', text[1] = '"';
    }
    // Blanks from block to block.
    if (round % 10 == 0 && length > 150) text[length / 3] = '\n', text[2 * (length / 3)] = '{';
    // Brackets that begin lines, in arrays and out of place.
    if (round % 11 == 0) {
      static const char *const pieces[] = {"[\n ", ",\n  ", "{",      "[", "]",
                                           "}",    "\n",    "\"a\":", "1"};
      for (size_t at = 0; at < length;) {
        const char *piece = pieces[random_below(9)];
        for (; *piece != 0 && at < length; piece++) text[at++] = (uint8_t)*piece;
      }
    }
    const bool at_commas = round % 3 != 0;
    decant_cut expected = {0}, cut = {0};
    const uint8_t *placed = memcpy(guarded + GUARDED_BYTES - length, text, length);
    int naive = 0;
    const size_t end = decant_cut_scalar(&expected, text, length, at_commas);
    bool fine = naive_cut(text, length, at_commas, &naive) == end &&
                (end == length || naive == (int)expected.found) &&
                decant_kernel_named(kernel)->cut(&cut, placed, length, at_commas) == end &&
                same_cut(&cut, &expected);
    cut = (decant_cut){0};
    size_t at = 0, most = 1 + random_below(90);
    while (at < length) {
      const size_t size = length - at < most ? length - at : 1 + random_below(most);
      const size_t found = decant_kernel_named(kernel)->cut(&cut, text + at, size, at_commas);
      at += found;
      if (found < size) break;
    }
    fine = fine && at == end && same_cut(&cut, &expected);
    passed += check(fine, "a value that is cut", text, length);
  }
}

// Where the array at a pointer begins, in a document that comes byte by byte; 0: nowhere.
static void test_seek(void) {
  static const struct {
    const char *pointer, *document;
    size_t behind;
  } rows[] = {
      {"", " [1]", 2},
      {"", "{\"a\":[]}", 0},
      {"", "1", 0},
      {"/a", "{\"a\":[1]}", 6},
      {"/a", "{\"b\":[],\"a\" : [1]}", 15},
      {"/a", "{\"b\":{\"a\":[]},\"c\":\"\\\"a\",\"a\":[", 29},
      {"/a", "{\"b\":\"a\",\"c\":[\"a\",[\"}\"]],\"a\":[", 30},
      {"/a", "{\"a\":{},\"a\":[]}", 0},
      {"/a", "{\"a\":1}", 0},
      {"/a", "{\"ab\":[]}", 0},
      {"/a", "{\"b\":1}", 0},
      {"/a", "[[]]", 0},
      {"/a/b", "{\"a\":{\"c\":[],\"b\":[", 18},
      {"/a/b", "{\"b\":[],\"a\":{\"c\":1},\"b\":[]}", 0},
      {"/0", "[[", 2},
      {"/2/x", "[[],{\"x\":[]},{\"x\":[", 19},
      {"/1", "[{\"a\":[1,2]},[", 14},
      {"/01", "[0,[]]", 0},
      {"/9", "[0,[]]", 0},
      {"/", "{\"\":[", 5},
      {"/a~1b/~0", "{\"a\\u002fb\":{\"~\":[", 18},
      {"/a", "{\"\\u0061\":[", 11},
      {"/a", "{\"\\u00\":[],\"a\":[", 16},
      {"/\xC3\xA9", "{\"\\u00e9\":[", 11},
      {"/a", "\xEF\xBB\xBF {\"a\":[", 10},
      {"", "[\xEF\xBB\xBF[", 1},
      {"", "\xEF\xBF\xBB[", 0},
  };
  kernel = "seek";
  for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
    const uint8_t *document = (const uint8_t *)rows[row].document;
    const size_t length = strlen(rows[row].document);
    decant_seek whole, bytewise;
    decant_seek_begin(&whole, (const uint8_t *)rows[row].pointer, strlen(rows[row].pointer), true);
    bytewise = whole;
    const int32_t found = decant_seek_array(&whole, document, length);
    int32_t step = DECANT_SEEK_ON;
    for (size_t size = 1; size <= length && step == DECANT_SEEK_ON; size++) {
      const uint8_t *placed = memcpy(guarded + GUARDED_BYTES - size, document, size);
      step = decant_seek_array(&bytewise, placed, size);
    }
    const bool fine = rows[row].behind == 0
                          ? found != DECANT_SEEK_FOUND
                          : found == DECANT_SEEK_FOUND && whole.at == rows[row].behind;
    passed += check(fine && step == found && bytewise.at == whole.at, "an array that is looked for",
                    document, length);
  }
}

// Places that are counted over texts of any length, in pieces, and byte by byte.
static void test_places(void) {
  kernel = "places";
  for (int round = 0; round < 2000; round++) {
    const size_t length = random_below(round % 10 == 0 ? 3000 : 300);
    static const uint8_t bytes[] = {'a', 'b', '\n', 0xC3, 0xA9, 0xE2, 0x82, 0xAC, ' ', '{'};
    const size_t kinds = round % 3 == 0 ? 2 : sizeof bytes;
    for (size_t at = 0; at < length; at++) text[at] = bytes[random_below(kinds)];
    decant_text_place expected = {7, 3, random_below(5)}, whole = expected, parts = expected;
    for (size_t at = 0; at < length; at++) {
      expected.line += text[at] == '\n';
      expected.column = text[at] == '\n' ? 0 : expected.column + ((text[at] & 0xC0) != 0x80);
    }
    expected.offset += length;
    decant_text_pass(&whole, text, length);
    for (size_t at = 0, size; at < length; at += size) {
      size = 1 + random_below(length - at);
      decant_text_pass(&parts, text + at, size);
    }
    passed += check(whole.offset == expected.offset && whole.line == expected.line &&
                        whole.column == expected.column && parts.offset == expected.offset &&
                        parts.line == expected.line && parts.column == expected.column,
                    "a place", text, length);
  }
}

int main(int count, char **arguments) {
  const bool is_long = count > 1 && strcmp(arguments[1], "--long") == 0;
  if (count > 1) random_state = strtoull(arguments[1], NULL, 10);
  make_guarded();
  rules = (decant_rules){.maximum_bytes = UINT64_MAX, .maximum_depth = 512};
  for (size_t at = 0; (kernel = decant_index_kernel_name(at)) != NULL; at++) {
    test_line_feeds();
    if (strcmp(kernel, "scalar") == 0) continue;
    void *memory = malloc(decant_line_index_size(&rules) + 1);
    line_index = decant_line_index_make((char *)memory + at % 2, kernel);
    if (is_long) {
      test_long_string();
      break;
    }
    test_all_valid();
    test_ungrammatical();
    test_damaged();
    test_one_bad();
    test_long_lines();
    test_rules();
    test_prefixes();
    test_blank();
    test_cuts();
    test_elements();
    free(memory);
  }
  test_seek();
  test_places();
  decant_rules relaxed = rules;
  relaxed.relaxations = DECANT_ALLOW_COMMENTS;
  check(decant_line_index_size(&relaxed) == 0, "relaxed lines are read one by one", text, 0);
  printf("%lu passed, %lu failed\n", passed, failed);
  return failed != 0;
}
