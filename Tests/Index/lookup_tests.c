// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Look-ups in the native index, compared with a sorted list of the keys, which knows neither hints nor
// filters nor directories.
//
//   lookup_tests [seed]
//   lookup_tests --quick      smaller objects and no times, for emulators: seconds instead of minutes
//   lookup_tests --emulated   no times
//   lookup_tests --long       keys of more than half a gigabyte, whose length is in no slot: half a minute
//   lookup_tests --races      threads alone, for ThreadSanitizer
//
// Objects of 0 to 5,000 keys, some of them equal, some escaped, under both rules for duplicates; keys
// that are there and keys that are not, in document order, backwards, at random and mixed. Then what an
// attacker would try: time against size, keys that collide, allocations that fail, threads. The last
// line is "N passed, N failed"; a check is one object under one rule.

#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "decant_lookup.h"
#include "decant_numbers.h"
#include "decant_walk.h"
#include "failure.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static unsigned long passed, failed;

static void check(bool fine, const char *what, size_t number) {
  if (fine) {
    passed++;
  } else {
    if (failed++ < 40) printf("FAILED: %s (%zu)\n", what, number);
    after_failure();
  }
}

static _Thread_local uint64_t random_state;

static uint64_t random_word(void) {  // SplitMix64
  uint64_t word = random_state += 0x9E3779B97F4A7C15u;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
  word = (word ^ word >> 27) * 0x94D049BB133111EBu;
  return word ^ word >> 31;
}

static size_t random_below(size_t limit) { return (size_t)(random_word() % limit); }

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// MARK: - Objects

// An object's text, and what each of its keys spells.
struct object {
  char *text;
  size_t length;
  char (*keys)[24];
  size_t *key_lengths;
  size_t count;
  struct known *known;  // as many as there are keys, in the order of the keys
};

// A key, and one of the places where it is.
struct known {
  const char *key;
  size_t length, place;
};

static int compare_known(const void *left, const void *right) {
  const struct known *a = left, *b = right;
  const int order = memcmp(a->key, b->key, a->length < b->length ? a->length : b->length);
  if (order != 0) return order;
  if (a->length != b->length) return a->length < b->length ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

static void free_object(struct object *object) {
  free(object->text);
  free(object->keys);
  free(object->key_lengths);
  free(object->known);
}

static void put(struct object *object, const char *piece) {
  const size_t size = strlen(piece);
  memcpy(object->text + object->length, piece, size);
  object->length += size;
}

// A key in its place: plain, or with one of its bytes as an escape.
static void put_key(struct object *object, const char *key, size_t length, bool escaped) {
  const size_t at = length != 0 && escaped ? random_below(length) : length;
  put(object, "\"");
  for (size_t place = 0; place < length; place++) {
    char piece[8] = {key[place], 0};
    if (place == at) snprintf(piece, sizeof piece, "\\u%04x", (unsigned)key[place]);
    put(object, piece);
  }
  put(object, "\":");
}

// Of so many different keys at random; of as many as `count`, each once. The values tell their place.
static struct object make_object(size_t count, size_t variety, size_t escapes_in_16) {
  struct object object = {.count = count};
  object.text = malloc(count * 100 + 3);
  object.keys = calloc(count + 1, sizeof object.keys[0]);
  object.key_lengths = calloc(count + 1, sizeof object.key_lengths[0]);
  put(&object, "{");
  for (size_t place = 0; place < count; place++) {
    const size_t number = variety == count ? place : random_below(variety);
    static const char *shapes[] = {"%zx", "key%zu", "k%07zu", "a longer key %zu"};
    object.key_lengths[place] =
        (size_t)snprintf(object.keys[place], sizeof object.keys[0], shapes[number % 4], number);
    if (number == 0) object.key_lengths[place] = 0;  // the empty key
    if (place != 0) put(&object, ",");
    put_key(&object, object.keys[place], object.key_lengths[place],
            random_below(16) < escapes_in_16);
    char value[48];
    const char *shape = random_below(5) ? "%zu" : "[%zu,{\"key1\":[]},[]]";
    snprintf(value, sizeof value, shape, place);
    put(&object, value);
  }
  put(&object, "}");
  object.known = calloc(count + 1, sizeof object.known[0]);
  for (size_t place = 0; place < count; place++) {
    object.known[place] = (struct known){object.keys[place], object.key_lengths[place], place};
  }
  qsort(object.known, count, sizeof object.known[0], compare_known);
  return object;
}

static decant_context context_of(const struct object *object, uint8_t duplicates) {
  return (decant_context){
      .text = (const uint8_t *)object->text,
      .length = object->length,
      .rules = {.maximum_bytes = UINT64_MAX, .maximum_depth = 512, .duplicates = duplicates}};
}

// The place of the key by the rule, or SIZE_MAX.
static size_t place_of(const struct object *object, const char *key, size_t length, bool last) {
  const struct known wanted = {key, length, last ? SIZE_MAX : 0};
  size_t low = 0, high = object->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (compare_known(&object->known[middle], &wanted) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  // The key's first place is here, and its last one before.
  const size_t at = last ? low - 1 : low;
  if (at >= object->count) return SIZE_MAX;
  const struct known *found = &object->known[at];
  const bool is_it = found->length == length && memcmp(found->key, key, length) == 0;
  return is_it ? found->place : SIZE_MAX;
}

// What a look-up's node says: the place that the value tells.
static size_t place_at(const decant_context *context, uint64_t node) {
  if (node == DECANT_NODE_NONE) return SIZE_MAX;
  if (decant_slot_high(context->slots[node]) >= DECANT_CONTAINER) node += 2;
  return strtoul((const char *)context->text + decant_slot_offset(context->slots[node]), NULL, 10);
}

// As for a short key with zeros behind it.
static uint64_t lookup_small(const decant_context *context, const uint8_t *key, size_t length) {
  uint8_t padded[16] = {0};
  memcpy(padded, key, length);
  return decant_lookup_small(context, 0, padded, length);
}

static bool looks_up(const decant_context *context, const struct object *object, const char *key,
                     size_t length) {
  const bool last = context->rules.duplicates == DECANT_DUPLICATES_LAST;
  const uint8_t *bytes = (const uint8_t *)key;
  const size_t way = random_below(length <= 15 ? 3 : 2);
  const uint64_t node = way == 0   ? decant_lookup(context, 0, bytes, length)
                        : way == 1 ? decant_lookup_key(context, 0, bytes, length)
                                   : lookup_small(context, bytes, length);
  return place_at(context, node) == place_of(object, key, length, last);
}

// Every key once more, in document order.
static bool walks_again(const decant_context *context, const struct object *object) {
  decant_lookup_rewind(context, 0);
  for (size_t place = 0; place < object->count; place++) {
    if (!looks_up(context, object, object->keys[place], object->key_lengths[place])) return false;
  }
  return true;
}

// The members that do not count are those that a look-up of their key does not find.
static bool has_losers(const decant_context *context, const struct object *object) {
  const bool last = context->rules.duplicates == DECANT_DUPLICATES_LAST;
  uint8_t *losers = calloc(object->count / 8 + 1, 1);
  bool fine = decant_shadowed_members(context, 0, losers) == DECANT_INDEX_OK;
  for (size_t place = 0; fine && place < object->count; place++) {
    const bool counts =
        place_of(object, object->keys[place], object->key_lengths[place], last) == place;
    fine = (losers[place / 8] >> place % 8 & 1) == !counts;
  }
  free(losers);
  return fine;
}

// MARK: - Memory that ends

struct meter {
  size_t allowed, calls, live_blocks, live_bytes;
};

static void *meter_allocate(void *state, size_t bytes) {
  struct meter *meter = state;
  if (meter->calls++ >= meter->allowed) return NULL;
  meter->live_blocks++;
  meter->live_bytes += bytes;
  return malloc(bytes);
}

static void meter_deallocate(void *state, void *block, size_t bytes) {
  struct meter *meter = state;
  meter->live_blocks--;
  meter->live_bytes -= bytes;
  free(block);
}

// MARK: - Against the reference

static void test_against_reference(size_t count, size_t variety, size_t escapes) {
  struct object object = make_object(count, variety, escapes);
  static const uint8_t rules[] = {DECANT_DUPLICATES_FIRST, DECANT_DUPLICATES_LAST};
  for (size_t rule = 0; rule < 2; rule++) {
    for (int order = 0; order < 4; order++) {
      decant_context context = context_of(&object, rules[rule]);
      bool fine = decant_index_build(&context) == DECANT_INDEX_OK;
      const size_t questions = count < 300 ? 3 * count + 10 : 700;
      for (size_t question = 0; fine && question < questions; question++) {
        const size_t place = count == 0   ? 0
                             : order == 0 ? question % count
                             : order == 1 ? count - 1 - question % count
                                          : random_below(count);
        const char *key = object.keys[place];
        size_t length = object.key_lengths[place];
        char missing[24];
        if (count == 0 || (order == 3 && random_below(3) == 0)) {
          length = (size_t)snprintf(missing, sizeof missing, "\\u%04zx%zu", question, question);
          key = missing;
        }
        fine = looks_up(&context, &object, key, length);
      }
      check(fine, rules[rule] ? "against the reference, last wins" : "against the reference",
            count);
      if (order == 0) {
        check(has_losers(&context, &object), "the members that do not count", count);
        if (count <= 500) check(walks_again(&context, &object), "from the first key again", count);
        decant_index_fit(&context);
        const uint32_t slots = context.slot_count;
        check(context.slot_capacity == slots, "as much memory as slots", count);
        if (count <= 500) check(walks_again(&context, &object), "after that too", count);
      }
      decant_index_discard(&context);
      decant_index_discard(&context);
    }
  }
  free_object(&object);
}

// Where no key may occur twice, the error is about the first repeated key, and tells where it occurred first.
static void test_rejection(size_t count, size_t variety) {
  struct object object = make_object(count, variety, 1);
  size_t second = SIZE_MAX, first = SIZE_MAX;
  for (size_t place = 0; place < count && second == SIZE_MAX; place++) {
    first = place_of(&object, object.keys[place], object.key_lengths[place], false);
    if (first != place) second = place;
  }
  decant_context valid = context_of(&object, DECANT_DUPLICATES_FIRST);
  check(decant_index_build(&valid) == DECANT_INDEX_OK, "an object to be rejected", count);
  size_t offsets[2] = {0};
  uint64_t slot = 2;
  for (size_t place = 0; place < count; place++, slot = decant_slot_after(valid.slots, slot + 1)) {
    if (place == first) offsets[0] = decant_slot_offset(valid.slots[slot]);
    if (place == second) offsets[1] = decant_slot_offset(valid.slots[slot]);
  }
  decant_index_discard(&valid);
  for (size_t allowed = 0;; allowed++) {
    struct meter meter = {.allowed = allowed};
    decant_allocator allocator = {meter_allocate, NULL, meter_deallocate, &meter};
    decant_context context = context_of(&object, DECANT_DUPLICATES_REJECT);
    context.allocator = &allocator;
    const int32_t code = decant_index_build(&context);
    if (meter.calls > allowed) {
      check(code == DECANT_INDEX_OUT_OF_MEMORY, "duplicates, without memory", allowed);
    } else {
      check(second == SIZE_MAX
                ? code == DECANT_INDEX_OK
                : code == DECANT_INDEX_DUPLICATE_KEY && context.error_other == offsets[0] &&
                      context.error_offset == offsets[1],
            "the first second key", count);
    }
    decant_index_discard(&context);
    check(meter.live_blocks == 0 && meter.live_bytes == 0, "its memory given back", allowed);
    if (meter.calls <= allowed) break;
  }
  free_object(&object);
}

// An object's second key at the end, and that of an object inside it before: the inner one comes first.
static void test_nested_rejection(size_t inner_keys, size_t outer_keys) {
  struct object text = {.text = malloc((inner_keys + outer_keys) * 24 + 100)};
  char piece[48];
  put(&text, "{\"in\":{");
  for (size_t key = 0; key < inner_keys; key++) {
    snprintf(piece, sizeof piece, "\"k%zu\":0,", key);
    put(&text, piece);
  }
  const size_t second = text.length;
  put(&text, "\"k1\":1}");
  for (size_t key = 0; key < outer_keys; key++) {
    snprintf(piece, sizeof piece, ",\"o%zu\":0", key);
    put(&text, piece);
  }
  put(&text, ",\"in\":1}");
  decant_context context = context_of(&text, DECANT_DUPLICATES_REJECT);
  check(
      decant_index_build(&context) == DECANT_INDEX_DUPLICATE_KEY && context.error_offset == second,
      "the inner second key comes first", inner_keys);
  free(text.text);
}

// MARK: - Escapes and misses

// Keys of one letter each, by its short escape and by its code: the same key twice.
static void test_letters(void) {
  static const char *const pairs[][2] = {{"\\b", "\\u0008"},
                                         {"\\f", "\\u000C"},
                                         {"\\n", "\\u000a"},
                                         {"\\r", "\\u000d"},
                                         {"\\t", "\\u0009"},
                                         {"\\\\", "\\u005c"},
                                         {"\\/", "/"},
                                         {"\\\"", "\\u0022"},
                                         {"\\u00e9", "\xC3\xA9"},
                                         {"\\ud83d\\ude00", "\xF0\x9F\x98\x80"}};
  const size_t count = sizeof pairs / sizeof pairs[0];
  for (size_t twice = 0; twice <= count; twice++) {
    char text[512] = "{";
    for (size_t place = 0; place < count; place++) {
      snprintf(text + strlen(text), 32, "%s\"%s\":%zu", place ? "," : "", pairs[place][0], place);
    }
    const size_t second = strlen(text) + 1;
    if (twice < count) snprintf(text + strlen(text), 32, ",\"%s\":0", pairs[twice][1]);
    strcat(text, "}");
    struct object object = {.text = text, .length = strlen(text)};
    decant_context context = context_of(&object, DECANT_DUPLICATES_REJECT);
    const int32_t code = decant_index_build(&context);
    check(code == (twice < count ? DECANT_INDEX_DUPLICATE_KEY : DECANT_INDEX_OK) &&
              (twice == count || context.error_offset == second),
          "one key in two spellings", twice);
    decant_index_discard(&context);
  }
}

// The last few look-ups that found nothing are remembered, in the order in which they failed.
static void test_misses(void) {
  decant_misses misses = {0};
  const decant_context context = {.misses = &misses};
  uint64_t nodes[3 * DECANT_MISSES];
  char key[DECANT_MISS_KEY + 20];
  memset(key, 'k', sizeof key);
  for (size_t number = 0; number < 3 * DECANT_MISSES; number++) {
    nodes[number] = decant_miss(&context, number, (const uint8_t *)key, number * 9, INT64_MIN);
  }
  for (size_t number = 0; number < 3 * DECANT_MISSES; number++) {
    uint64_t parent;
    int64_t index;
    size_t length;
    const uint8_t *found = decant_missed(&context, nodes[number], &parent, &index, &length);
    const bool is_kept = number >= 2 * DECANT_MISSES;
    check((found != NULL) == is_kept, "the last misses are kept", number);
    if (found == NULL) continue;
    const size_t kept = length < DECANT_MISS_KEY ? length : DECANT_MISS_KEY;
    check(parent == number && index == INT64_MIN && length == number * 9 &&
              memcmp(found, key, kept) == 0,
          "with parent, key and its length", number);
  }
  const uint64_t element = decant_miss(&context, 5, NULL, 0, 7);
  uint64_t parent;
  int64_t index;
  size_t length;
  check(decant_missed(&context, element, &parent, &index, &length) && parent == 5 && index == 7,
        "an index", 0);
  const decant_context forgetful = {0};
  check(decant_miss(&forgetful, 1, NULL, 0, 0) == DECANT_NODE_MISSING, "nowhere to remember", 0);
  check(!decant_missed(&context, DECANT_NODE_MISSING, &parent, &index, &length), "nothing missed",
        0);
}

// MARK: - Time

// Seconds for `questions` look-ups at random.
static double time_of(const struct object *object, uint8_t duplicates, size_t questions,
                      bool miss) {
  decant_context context = context_of(object, duplicates);
  bool fine = decant_index_build(&context) == DECANT_INDEX_OK;
  const double start = seconds();
  for (size_t question = 0; question < questions; question++) {
    const size_t place = random_below(object->count);
    const size_t length = object->key_lengths[place];
    char key[24];
    memcpy(key, object->keys[place], sizeof key);
    if (miss) key[0] = '#';
    const uint64_t node = decant_lookup(&context, 0, (const uint8_t *)key, length);
    fine = fine && (node == DECANT_NODE_NONE) == (miss && length != 0);
  }
  const double time = seconds() - start;
  check(fine, "timed look-ups", object->count);
  decant_index_discard(&context);
  return time;
}

// The least times of several rounds, in which both take turns: what else runs slows some rounds of both. Rounds end when
// the second is below `most` times the first; after 40 rounds it is not.
struct times {
  double first, second;
};

static struct times least_times(struct times (*round)(const void *), const void *context,
                                double most) {
  struct times least = {1e9, 1e9};
  for (int count = 0; count < 40; count++) {
    const struct times times = round(context);
    if (times.first < least.first) least.first = times.first;
    if (times.second < least.second) least.second = times.second;
    if (count >= 2 && least.second < most * least.first) break;
  }
  return least;
}

struct comparison {
  struct object first, second;
  uint8_t duplicates;
  bool miss;
};

static struct times times_of_comparison(const void *context) {
  const struct comparison *it = context;
  return (struct times){
      time_of(&it->first, it->duplicates, it->first.count, it->miss),
      time_of(&it->second, it->duplicates, it->second.count, it->miss),
  };
}

// m look-ups over n keys in O(n + m): eight times the keys may take eight times the time, with room for
// caches that no longer hold them; quadratic would be sixty-four.
static void test_time(void) {
  static const char *names[] = {"first wins", "last wins"};
  for (uint8_t rule = DECANT_DUPLICATES_FIRST; rule <= DECANT_DUPLICATES_LAST; rule++) {
    for (int miss = 0; miss < 2; miss++) {
      struct comparison sizes = {make_object(5000, 5000, 0), make_object(40000, 40000, 0), rule,
                                 miss};
      const struct times times = least_times(times_of_comparison, &sizes, 28);
      printf("%s, %s keys: %.0f ns a look-up of 5,000, %.0f ns of 40,000\n", names[rule],
             miss ? "missing" : "present", times.first / 5000 * 1e9, times.second / 40000 * 1e9);
      check(times.second < 28 * times.first, "time of 40,000 look-ups",
            (size_t)(times.second / times.first));
      free_object(&sizes.first);
      free_object(&sizes.second);
    }
  }
}

// Keys of one length and one beginning, whose bytes collide in every hash that adds or multiplies
// without a secret ("AaAa" and "BBBB" for the one of Java), against random keys.
static struct object make_keys(size_t count, bool colliding) {
  struct object object = {.count = count};
  object.text = malloc(count * 100 + 3);
  object.keys = calloc(count + 1, sizeof object.keys[0]);
  object.key_lengths = calloc(count + 1, sizeof object.key_lengths[0]);
  put(&object, "{");
  for (size_t place = 0; place < count; place++) {
    for (size_t at = 0; at < 16; at++) {
      const uint64_t digit = random_word();
      object.keys[place][at] = (char)('A' + digit % 26);
    }
    for (size_t pair = 0; colliding && pair < 8; pair++) {
      memcpy(object.keys[place] + 2 * pair, place >> 2 * pair & 1 ? "BB" : "Aa", 2);
    }
    if (colliding) {
      char ending[24];
      snprintf(ending, sizeof ending, "%06zu", place);
      memcpy(object.keys[place] + 10, ending, 6);
    }
    object.key_lengths[place] = 16;
    if (place != 0) put(&object, ",");
    put_key(&object, object.keys[place], 16, false);
    put(&object, "1");
  }
  put(&object, "}");
  return object;
}

static void test_flooding(void) {
  struct comparison keys = {make_keys(20000, false), make_keys(20000, true),
                            DECANT_DUPLICATES_FIRST, false};
  const struct times times = least_times(times_of_comparison, &keys, 2);
  printf("flooding: 20,000 colliding keys take %.2f times as long as random ones\n",
         times.second / times.first);
  check(times.second < 2 * times.first, "flooding, in percent",
        (size_t)(100 * times.second / times.first));
  free_object(&keys.first);
  free_object(&keys.second);
}

// MARK: - Memory

// Without memory for a directory, scanning goes on, and the answers are the same.
static void test_allocation_failures(void) {
  struct object object = make_object(600, 500, 1);
  for (size_t more = 0; more < 4; more++) {
    struct meter meter = {.allowed = SIZE_MAX};
    decant_allocator allocator = {meter_allocate, NULL, meter_deallocate, &meter};
    decant_context context = context_of(&object, DECANT_DUPLICATES_FIRST);
    context.allocator = &allocator;
    bool fine = decant_index_build(&context) == DECANT_INDEX_OK;
    meter.allowed = meter.calls + more;
    for (size_t question = 0; fine && question < 3000; question++) {
      const size_t place = random_below(object.count);
      fine = looks_up(&context, &object, object.keys[place], object.key_lengths[place]);
    }
    check(fine && meter.live_blocks == 1 + (more < 2 ? more : 2), "allocation failure", more);
    decant_index_discard(&context);
    check(meter.live_blocks == 0 && meter.live_bytes == 0, "everything given back", more);
  }
  // Without memory to count with, the members that do not count are not known; without memory to move to,
  // an index stays where it is.
  for (size_t more = 0; more < 2; more++) {
    struct meter meter = {.allowed = SIZE_MAX};
    decant_allocator allocator = {meter_allocate, NULL, meter_deallocate, &meter};
    decant_context context = context_of(&object, DECANT_DUPLICATES_FIRST);
    context.allocator = &allocator;
    check(decant_index_build(&context) == DECANT_INDEX_OK, "it is built", more);
    uint8_t losers[100] = {0};
    meter.allowed = meter.calls + more;
    check(decant_shadowed_members(&context, 0, losers) ==
              (more ? DECANT_INDEX_OK : DECANT_INDEX_OUT_OF_MEMORY),
          "the members that do not count, without memory", more);
    meter.allowed = more ? SIZE_MAX : 0;
    decant_index_fit(&context);
    check((context.slot_capacity == context.slot_count) == (more != 0), "moved if it can be", more);
    const uint64_t *slots = context.slots;
    if (more) decant_index_fit(&context);
    check(context.slots == slots, "where it fits, it stays", more);
    bool found = true;
    for (size_t place = 0; found && place < object.count; place++) {
      found = looks_up(&context, &object, object.keys[place], object.key_lengths[place]);
    }
    check(found, "the same answers after it moved, or did not", more);
    decant_index_discard(&context);
    check(meter.live_blocks == 0 && meter.live_bytes == 0, "everything given back after that",
          more);
  }
  // A context that nobody has to discard gets no directory.
  decant_context context = context_of(&object, DECANT_DUPLICATES_FIRST);
  context.slots = malloc(2 * object.length * sizeof context.slots[0]);
  context.slot_capacity = 2 * object.length;
  bool fine = decant_index_build(&context) == DECANT_INDEX_OK && context.owned_slots == NULL;
  for (size_t question = 0; fine && question < 3000; question++) {
    const size_t place = random_below(object.count);
    fine = looks_up(&context, &object, object.keys[place], object.key_lengths[place]);
  }
  check(fine && context.directories == NULL, "caller's slots", 0);
  free(context.slots);
  free_object(&object);
}

// Another thread makes a table or a directory first: here it is the allocator that does, in between.
struct rival {
  struct meter meter;
  size_t turn;  // the allocation before which the rival asks
  const decant_context *context;
  const struct object *object;
};

static void *rival_allocate(void *state, size_t bytes) {
  struct rival *rival = state;
  if (rival->context != NULL && rival->meter.calls == rival->turn) {
    const decant_context *context = rival->context;
    rival->context = NULL;
    for (size_t question = 0; context->directories == NULL || question < 2000; question++) {
      const size_t place = question % rival->object->count;
      const uint8_t *key = (const uint8_t *)rival->object->keys[place];
      decant_lookup_scan(context, 0, key, rival->object->key_lengths[place]);
    }
  }
  return meter_allocate(&rival->meter, bytes);
}

static void test_rivals(void) {
  struct object object = make_object(600, 600, 1);
  for (size_t turn = 1; turn <= 2; turn++) {
    struct rival rival = {.meter = {.allowed = SIZE_MAX}, .object = &object};
    decant_allocator allocator = {rival_allocate, NULL, meter_deallocate, &rival};
    decant_context context = context_of(&object, DECANT_DUPLICATES_FIRST);
    context.allocator = &allocator;
    bool fine = decant_index_build(&context) == DECANT_INDEX_OK;
    rival.turn = rival.meter.calls + turn - 1;
    rival.context = &context;
    for (size_t question = 0; fine && question < 3000; question++) {
      const size_t place = random_below(object.count);
      fine = looks_up(&context, &object, object.keys[place], object.key_lengths[place]);
    }
    check(fine && rival.context == NULL, "a rival's directory", turn);
    check(rival.meter.live_blocks == 3, "one index, one table, one directory", turn);
    decant_index_discard(&context);
    check(rival.meter.live_blocks == 0 && rival.meter.live_bytes == 0, "all given back", turn);
  }
  free_object(&object);
}

// An object so wide that its effort cannot be counted to the end has a directory before that.
static void test_widest(void) {
  const size_t keys = 140000;
  struct object object = {.text = malloc(keys * 16 + 8)};
  for (size_t key = 0; key < keys; key++) {
    char piece[24];
    snprintf(piece, sizeof piece, "%c\"%zu\":%zu", key ? ',' : '{', key, key);
    put(&object, piece);
  }
  put(&object, "}");
  decant_context context = context_of(&object, DECANT_DUPLICATES_FIRST);
  bool fine = decant_index_build(&context) == DECANT_INDEX_OK;
  for (size_t question = 0; fine && question < 1000; question++) {
    char key[24];
    const size_t place = question < 20 ? keys + question : random_below(keys);
    const size_t length = (size_t)snprintf(key, sizeof key, "%zu", place);
    const uint64_t node = decant_lookup(&context, 0, (const uint8_t *)key, length);
    fine = place_at(&context, node) == (place < keys ? place : SIZE_MAX);
  }
  check(fine && context.directories != NULL, "the widest object", keys);
  decant_index_discard(&context);
  free_object(&object);
}

// Keys whose length does not fit a slot: found, passed, and rejected where they occur twice. The first one
// has an escape; the second one spells the same, or is longer by a byte.
static void test_long_keys(bool twice) {
  const size_t size = (size_t)DECANT_STRING_LONG + 5, middle = size / 2;
  char *key = malloc(size);
  struct object object = {.text = malloc(2 * size + 100)};
  if (key == NULL || object.text == NULL) {
    printf("no memory for long keys\n");
    exit(2);
  }
  memset(key, 'k', size);
  key[middle] = '/';
  put(&object, "{\"");
  memcpy(object.text + object.length, key, size);
  object.text[object.length + middle - 1] = '\\';
  object.length += size;
  put(&object, "\":0,\"a\":1,\"");
  const size_t second = object.length - 1;
  memcpy(object.text + object.length, key + twice, size - twice);
  if (twice) memcpy(object.text + object.length + middle - 1, "/k", 2);
  object.length += size - twice;
  put(&object, "\":2}");
  decant_context context =
      context_of(&object, twice ? DECANT_DUPLICATES_REJECT : DECANT_DUPLICATES_FIRST);
  const int32_t code = decant_index_build(&context);
  if (twice) {
    check(code == DECANT_INDEX_DUPLICATE_KEY && context.error_offset == second, "a long key twice",
          context.error_offset);
  } else {
    check(code == DECANT_INDEX_OK, "long keys", (size_t)code);
    const uint64_t a = decant_lookup(&context, 0, (const uint8_t *)"a", 1);
    check(place_at(&context, a) == 1, "a short key behind a long one", (size_t)a);
    const uint64_t node = decant_lookup(&context, 0, (const uint8_t *)key, size);
    check(place_at(&context, node) == 2, "a long key", (size_t)node);
    check(decant_string_length(&context, 2) == size, "the length of one", 0);
  }
  decant_index_discard(&context);
  free(key);
  free_object(&object);
}

// Keys whose length is the tag of an escaped key. The text ends before a page that cannot be touched; of the keys' half a
// gigabyte, most is the system's page of zeros.
static void test_lengths_like_tags(void) {
  static const char document[] = "{\"\\u0061\":1}";
  const size_t length = sizeof document - 1, page = 65536;
  const size_t size = (size_t)DECANT_STRING_ESCAPE + 6;
  uint8_t *region =
      mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uint8_t *key =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED || key == MAP_FAILED || mprotect(region + page, page, PROT_NONE) != 0) {
    printf("cannot map a long key\n");
    exit(2);
  }
  struct object object = {.text = (char *)memcpy(region + page - length, document, length),
                          .length = length};
  // As far as the text goes, the key is what follows its quotation mark.
  memcpy(key, document + 2, length - 2);
  decant_context context = context_of(&object, DECANT_DUPLICATES_FIRST);
  check(decant_index_build(&context) == DECANT_INDEX_OK, "an escaped key", 0);
  check(decant_slot_high(context.slots[2]) == size, "its tag is a length", size);
  check(decant_lookup(&context, 0, key, size) == DECANT_NODE_NONE, "a long key is missing", 0);
  check(decant_lookup_key(&context, 0, key, size) == DECANT_NODE_NONE, "a long key is missing", 1);
  decant_walk walk = decant_walk_begin(&context, 0, true);
  check(decant_walk_find(&walk, &context, key, size) == DECANT_NODE_NONE, "a walk misses one", 0);
  check(place_at(&context, decant_lookup(&context, 0, (const uint8_t *)"a", 1)) == 1, "the key", 0);
  decant_index_discard(&context);
  munmap(key, size);
  munmap(region, 2 * page);
}

// What Swift reads of the tables of numbers is what it asks for.
static void test_number_tables(void) {
  uint64_t power = 1;
  for (int exponent = 0; exponent < 20; exponent++, power *= 10) {
    check(decant_get_power_of_ten(exponent) == power, "a power of ten", (size_t)exponent);
  }
  double exact = 1;
  for (int exponent = 0; exponent < 23; exponent++, exact *= 10) {
    check(decant_get_exact_power_of_ten(exponent) == exact, "an exact power", (size_t)exponent);
  }
  uint64_t five = 1;
  for (int exponent = 0; exponent < 28; exponent++, five *= 5) {
    const decant_power_of_five leading = decant_get_power_of_five(exponent);
    const uint64_t upper = five << __builtin_clzll(five);
    check(leading.upper == upper && leading.lower == 0, "a power of five", (size_t)exponent);
  }
  for (int count = 0; count <= 16; count++) {
    const decant_digit_mask mask = decant_get_digit_mask(count);
    uint8_t bytes[16];
    memcpy(bytes, &mask, sizeof bytes);
    bool fine = true;
    for (int byte = 0; byte < 16; byte++)
      fine = fine && bytes[byte] == (byte < 16 - count ? 0 : 0xFF);
    check(fine, "a mask of digits", (size_t)count);
  }
}

// Many wide objects in one document, looked into by turns: each has a directory of its own.
static void test_many_directories(void) {
  enum { OBJECTS = 200 };
  struct object objects[OBJECTS];
  struct object all = {.text = malloc(OBJECTS * 90 * 101 + 100)};
  put(&all, "[");
  for (size_t number = 0; number < OBJECTS; number++) {
    objects[number] = make_object(90, 80, 1);
    if (number != 0) put(&all, ",");
    memcpy(all.text + all.length, objects[number].text, objects[number].length);
    all.length += objects[number].length;
  }
  put(&all, "]");
  decant_context context = context_of(&all, DECANT_DUPLICATES_FIRST);
  bool fine = decant_index_build(&context) == DECANT_INDEX_OK;
  uint64_t slots[OBJECTS];
  uint64_t slot = 2;
  for (size_t number = 0; fine && number < OBJECTS; number++) {
    slots[number] = slot;
    slot = decant_slot_after(context.slots, slot);
  }
  for (size_t question = 0; fine && question < OBJECTS * 300; question++) {
    const size_t number = random_below(OBJECTS);
    const struct object *object = &objects[number];
    const size_t place = random_below(object->count);
    const char *key = object->keys[place];
    const size_t length = object->key_lengths[place];
    const uint64_t node = decant_lookup(&context, slots[number], (const uint8_t *)key, length);
    fine = place_at(&context, node) == place_of(object, key, length, false);
  }
  check(fine && context.directories != NULL, "many directories", OBJECTS);
  decant_index_discard(&context);
  for (size_t number = 0; number < OBJECTS; number++) free_object(&objects[number]);
  free(all.text);
}

// A name that no kernel has means the fastest; asked for by name, it means the one that runs everywhere.
static void test_kernel_names(void) {
  check(strcmp(decant_index_kernel(), decant_index_kernel_name(0)) == 0, "the fastest kernel", 0);
  struct object object = {.text = "[1]", .length = 3};
  decant_context context = context_of(&object, DECANT_DUPLICATES_FIRST);
  check(decant_index_build_with("none", &context) == DECANT_INDEX_OK, "an unknown kernel", 0);
  decant_index_discard(&context);
}

// A copy of a context, as JSONValue.withView makes them, uses and makes its original's directories.
static void test_copies(void) {
  struct object object = make_object(600, 500, 1);
  decant_context context = context_of(&object, DECANT_DUPLICATES_FIRST);
  bool fine = decant_index_build(&context) == DECANT_INDEX_OK;
  for (size_t question = 0; fine && question < 3000; question++) {
    decant_context copy = decant_context_copy(&context, NULL);
    const size_t place = random_below(object.count);
    fine = looks_up(&copy, &object, object.keys[place], object.key_lengths[place]);
    if (question < 5) fine = fine && context.directories == NULL;
  }
  check(fine && context.directories != NULL, "copies", 0);
  decant_index_discard(&context);
  free_object(&object);
}

// MARK: - Elements

// Arrays in an array, of so many elements each: of objects, of arrays, or of numbers, which need no table.
static struct object make_matrix(size_t rows, size_t columns, const char *shape) {
  struct object text = {.text = malloc(rows * columns * 40 + rows * 2 + 100)};
  put(&text, "[");
  for (size_t row = 0; row < rows; row++) {
    put(&text, row ? ",[" : "[");
    for (size_t column = 0; column < columns; column++) {
      char piece[64];
      if (column != 0) put(&text, ",");
      snprintf(piece, sizeof piece, shape, row * columns + column);
      put(&text, piece);
    }
    put(&text, "]");
  }
  put(&text, "]");
  return text;
}

// The number that an element is, or begins with.
static size_t number_at(const decant_context *context, uint64_t node) {
  if (node == DECANT_NODE_NONE) return SIZE_MAX;
  const uint32_t high = decant_slot_high(context->slots[node]);
  if (high >= DECANT_CONTAINER) node += high >= DECANT_OBJECT ? 3 : 2;
  return strtoul((const char *)context->text + decant_slot_offset(context->slots[node]), NULL, 10);
}

static bool finds_element(const decant_context *context, size_t columns, size_t row,
                          size_t column) {
  const uint64_t array = decant_array_element(context, 0, row);
  return array != DECANT_NODE_NONE &&
         number_at(context, decant_array_element(context, array, column)) ==
             row * columns + column &&
         decant_array_element(context, array, columns) == DECANT_NODE_NONE;
}

static const char *const element_shapes[] = {"{\"n\":%zu}", "[%zu,[],{}]", "%zu"};

// Every element by its indices: rows forwards, columns forwards, backwards, and at random.
static void test_elements(size_t rows, size_t columns) {
  for (size_t shape = 0; shape < 3; shape++) {
    struct object text = make_matrix(rows, columns, element_shapes[shape]);
    for (int order = 0; order < 4; order++) {
      decant_context context = context_of(&text, DECANT_DUPLICATES_FIRST);
      bool fine = decant_index_build(&context) == DECANT_INDEX_OK;
      for (size_t question = 0; fine && question < rows * columns; question++) {
        const size_t place = order == 1   ? rows * columns - 1 - question
                             : order == 2 ? question % rows * columns + question / rows
                             : order == 3 ? random_below(rows * columns)
                                          : question;
        fine = finds_element(&context, columns, place / columns, place % columns);
      }
      check(fine && decant_array_element(&context, 0, rows) == DECANT_NODE_NONE, "elements",
            columns);
      decant_index_discard(&context);
    }
    free(text.text);
  }
}

// Without memory for the table, or in a context that nobody has to discard, elements are walked to.
static void test_elements_without_memory(void) {
  struct object text = make_matrix(3, 500, element_shapes[0]);
  for (size_t more = 0; more < 4; more++) {
    struct meter meter = {.allowed = SIZE_MAX};
    decant_allocator allocator = {meter_allocate, NULL, meter_deallocate, &meter};
    decant_context context = context_of(&text, DECANT_DUPLICATES_FIRST);
    context.allocator = &allocator;
    bool fine = decant_index_build(&context) == DECANT_INDEX_OK;
    meter.allowed = meter.calls + more;
    for (size_t question = 0; fine && question < 3000; question++) {
      fine = finds_element(&context, 500, question % 3, random_below(500));
    }
    check(fine && meter.live_blocks == 1 + more, "elements without memory", more);
    decant_index_discard(&context);
    check(meter.live_blocks == 0 && meter.live_bytes == 0, "their tables given back", more);
  }
  decant_context context = context_of(&text, DECANT_DUPLICATES_FIRST);
  context.slots = malloc(text.length * sizeof context.slots[0]);
  context.slot_capacity = text.length;
  bool fine = decant_index_build(&context) == DECANT_INDEX_OK && context.owned_slots == NULL;
  for (size_t question = 0; fine && question < 3000; question++) {
    fine = finds_element(&context, 500, question % 3, random_below(500));
  }
  check(fine && context.directories == NULL, "elements in a caller's slots", 0);
  free(context.slots);
  free(text.text);
}

// Seconds for an array's elements, from the last to the first.
static double time_of_elements(size_t count) {
  struct object text = make_matrix(1, count, element_shapes[0]);
  decant_context context = context_of(&text, DECANT_DUPLICATES_FIRST);
  bool fine = decant_index_build(&context) == DECANT_INDEX_OK;
  const double start = seconds();
  for (size_t place = count; fine && place-- > 0;) fine = finds_element(&context, count, 0, place);
  const double time = seconds() - start;
  check(fine, "timed elements", count);
  decant_index_discard(&context);
  free(text.text);
  return time;
}

static struct times times_of_elements(const void *context) {
  (void)context;
  return (struct times){time_of_elements(10000), time_of_elements(80000)};
}

static void test_time_of_elements(void) {
  const struct times times = least_times(times_of_elements, NULL, 28);
  printf("elements: %.0f ns each of 10,000, %.0f ns each of 80,000\n", times.first / 10000 * 1e9,
         times.second / 80000 * 1e9);
  check(times.second < 28 * times.first, "time of 80,000 elements",
        (size_t)(times.second / times.first));
}

// MARK: - Threads

static struct {
  decant_context context;
  struct object object;
  pthread_barrier_t start;
} shared;

static void *ask_shared(void *seed) {
  uint64_t state = random_state = (uint64_t)(uintptr_t)seed;
  bool fine = true;
  pthread_barrier_wait(&shared.start);
  for (size_t question = 0; fine && question < 2000; question++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const size_t place = (size_t)(state >> 33) % shared.object.count;
    decant_context copy = decant_context_copy(&shared.context, NULL);
    const decant_context *context = question & 1 ? &copy : &shared.context;
    fine = looks_up(context, &shared.object, shared.object.keys[place],
                    shared.object.key_lengths[place]);
  }
  return fine ? &shared : NULL;
}

static void *ask_elements(void *seed) {
  random_state = (uint64_t)(uintptr_t)seed;
  bool fine = true;
  pthread_barrier_wait(&shared.start);
  for (size_t question = 0; fine && question < 3000; question++) {
    decant_context copy = decant_context_copy(&shared.context, NULL);
    fine =
        finds_element(question & 1 ? &copy : &shared.context, 300, question % 3, random_below(300));
  }
  return fine ? &shared : NULL;
}

static void test_threads(int rounds, void *(*ask)(void *)) {
  for (int round = 0; round < rounds; round++) {
    shared.object =
        ask == ask_shared ? make_object(400, 300, 1) : make_matrix(3, 300, element_shapes[0]);
    shared.context = context_of(&shared.object, DECANT_DUPLICATES_FIRST);
    check(decant_index_build(&shared.context) == DECANT_INDEX_OK, "a shared document", 0);
    pthread_t threads[4];
    pthread_barrier_init(&shared.start, NULL, 4);
    for (uintptr_t index = 0; index < 4; index++) {
      pthread_create(&threads[index], NULL, ask, (void *)(index + 1));
    }
    for (int index = 0; index < 4; index++) {
      void *result = NULL;
      pthread_join(threads[index], &result);
      check(result != NULL, "threads", (size_t)round);
    }
    pthread_barrier_destroy(&shared.start);
    decant_index_discard(&shared.context);
    free_object(&shared.object);
  }
}

int main(int count, char **arguments) {
  setenv("DECANT_KERNEL", "none", 1);
  if (count > 1 && strcmp(arguments[1], "--long") == 0) {
    test_long_keys(true);
    test_long_keys(false);
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed != 0;
  }
  if (count > 1 && strcmp(arguments[1], "--races") == 0) {
    test_rivals();
    test_threads(30, ask_shared);
    test_threads(30, ask_elements);
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed != 0;
  }
  const bool quick = count > 1 && strcmp(arguments[1], "--quick") == 0;
  const bool emulated = quick || (count > 1 && strcmp(arguments[1], "--emulated") == 0);
  random_state = count > 1 && !emulated ? strtoull(arguments[1], NULL, 0) : (uint64_t)time(NULL);
  printf("seed %llu\n", (unsigned long long)random_state);
  static const size_t counts[] = {0, 1, 2, 7, 31, 32, 63, 64, 65, 100, 500, 5000};
  for (size_t index = 0; index < sizeof counts / sizeof counts[0]; index++) {
    if (quick && counts[index] > 500) continue;
    for (size_t escapes = 0; escapes < 3; escapes++) {
      test_against_reference(counts[index], counts[index], escapes);
      test_against_reference(counts[index], counts[index] / 2 + 1, escapes * 8);
    }
  }
  static const size_t rejected[] = {2, 8, 9, 40, 300, 4096, 4097, 6000, 9000};
  for (size_t index = 0; index < sizeof rejected / sizeof rejected[0]; index++) {
    const size_t keys = rejected[index];
    if (quick && keys > 300 && keys != 4097) continue;
    test_rejection(keys, keys);
    for (size_t more = 0; more < (quick ? 2 : 6); more++)
      test_rejection(keys, keys << (2 * more + 1));
    test_nested_rejection(keys, 3);
    test_nested_rejection(keys, 5000);
  }
  test_lengths_like_tags();
  test_number_tables();
  test_rivals();
  if (!quick) test_widest();
  test_kernel_names();
  test_many_directories();
  test_letters();
  test_misses();
  test_allocation_failures();
  test_copies();
  test_elements(1, 63);
  test_elements(3, 64);
  test_elements(70, 70);
  test_elements(5, quick ? 300 : 3000);
  test_elements_without_memory();
  test_threads(quick ? 3 : emulated ? 10 : 30, ask_shared);
  test_threads(quick ? 3 : emulated ? 10 : 30, ask_elements);
  if (!emulated) {
    test_time_of_elements();
    test_time();
    test_flooding();
  }
  printf("%lu passed, %lu failed\n", passed, failed);
  return failed != 0;
}
