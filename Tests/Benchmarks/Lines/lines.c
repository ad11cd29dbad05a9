// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How fast streams of events become structs, by the ways that the C interface has.
//
//   lines events SIZE BYTES        prints events
//   lines measure SIZE BYTES SECONDS
//
// Measuring takes the ways in turn, round after round, and prints a row each: size, way, the most megabytes a second
// that a round had. All ways must see the same events: the same bytes of texts once, before anything is timed, and the
// same numbers and lengths in every round.

#define _POSIX_C_SOURCE 200809L

#include "events.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool is_small;
static const decant_record *record;
static const char *events, *as_array;
static size_t length, array_length;

static void stop(const char *what, const decant_error *error) {
  fprintf(stderr, "lines: %s: %s\n", what, error != NULL ? error->message : "");
  exit(1);
}

static bool reads_texts;

static uint64_t checksum(const void *value) {
  if (reads_texts) return is_small ? text_sum_small(value) : text_sum_large(value);
  return is_small ? checksum_small(value) : checksum_large(value);
}

static int on_event(void *context, int64_t line, const void *value, const decant_error *error) {
  (void)line;
  if (value == NULL) stop("an event", error);
  *(uint64_t *)context += checksum(value);
  return 0;
}

static uint64_t whole(void) {
  uint64_t sum = 0;
  if (decant_decode_lines(record, events, length, on_event, &sum, NULL, NULL) != DECANT_OK)
    stop("whole", NULL);
  return sum;
}

static uint64_t loop(void) {
  uint64_t sum = 0;
  union {
    struct small_event small;
    struct large_event large;
  } event;
  decant_error error = DECANT_ERROR_INIT;
  for (const char *at = events, *end = events + length; at < end;) {
    const char *feed = memchr(at, '\n', (size_t)(end - at));
    if (feed == NULL) feed = end;
    if (decant_decode(record, at, (size_t)(feed - at), &event, &error) != DECANT_OK)
      stop("loop", &error);
    sum += checksum(&event);
    decant_free(record, &event);
    at = feed + 1;
  }
  return sum;
}

enum { CHUNK = 64 * 1024 };

static uint64_t feed(const char *text, size_t size, const decant_options *options) {
  uint64_t sum = 0;
  decant_lines *lines;
  if (decant_lines_open(record, options, &lines, NULL) != DECANT_OK) stop("open", NULL);
  for (size_t at = 0; at < size; at += CHUNK) {
    const size_t count = size - at < CHUNK ? size - at : CHUNK;
    decant_lines_feed(lines, text + at, count, on_event, &sum, NULL);
  }
  decant_lines_finish(lines, on_event, &sum, NULL);
  decant_lines_close(lines);
  return sum;
}

static uint64_t fed(void) { return feed(events, length, NULL); }

// Blocks of the events, cut when a thread asks for one: their lines are counted while other threads decode, and are in the
// cache of the thread that decodes them next.
enum { BLOCK = 256 * 1024 };

struct blocks {
  pthread_mutex_t lock;
  size_t taken;
  int64_t line;
};

// The whole lines of the next block; false at the end.
static bool take_block(struct blocks *blocks, decant_piece *block) {
  pthread_mutex_lock(&blocks->lock);
  const char *const at = events + blocks->taken;
  const size_t rest = length - blocks->taken;
  decant_piece pieces[2];
  size_t count = 0;
  // Of two pieces of a window the second may be cut. A window with one piece has no whole line.
  for (size_t window = 2 * BLOCK; rest > BLOCK && window < rest && count < 2; window *= 2)
    count = decant_split_lines(at, window, 2, pieces);
  if (count < 2) count = decant_split_lines(at, rest, 1, pieces);
  *block = pieces[0];
  if (count > 0) {
    block->first_line = blocks->line;
    block->first_offset = (int64_t)blocks->taken;
    blocks->taken += block->length;
  }
  if (count > 1) blocks->line += pieces[1].first_line - 1;
  pthread_mutex_unlock(&blocks->lock);
  return count > 0;
}

struct worker {
  struct blocks *blocks;
  uint64_t sum;
  pthread_t thread;
};

static void *decode_blocks(void *argument) {
  struct worker *worker = argument;
  // A sum on the thread's own stack: threads that add to neighbours measure the cache lines between them.
  uint64_t sum = 0;
  decant_piece block;
  while (take_block(worker->blocks, &block)) {
    decant_options options = DECANT_OPTIONS_INIT;
    options.first_line = block.first_line;
    options.first_offset = block.first_offset;
    decant_decode_lines(record, block.json, block.length, on_event, &sum, &options, NULL);
  }
  worker->sum = sum;
  return NULL;
}

static uint64_t threads(void) {
  struct blocks blocks = {PTHREAD_MUTEX_INITIALIZER, 0, 1};
  // The caller's own thread is one of them.
  struct worker workers[2] = {{.blocks = &blocks}, {.blocks = &blocks}};
  if (pthread_create(&workers[1].thread, NULL, decode_blocks, &workers[1]) != 0)
    stop("a thread", NULL);
  decode_blocks(&workers[0]);
  pthread_join(workers[1].thread, NULL);
  return workers[0].sum + workers[1].sum;
}

// The events as the elements of an array, all of them at once.
static uint64_t array(void) {
  uint64_t sum = 0;
  decant_array all;
  decant_error error = DECANT_ERROR_INIT;
  if (decant_decode_array(record, "/events", as_array, array_length, &all, NULL, &error) !=
      DECANT_OK) {
    stop("array", &error);
  }
  for (size_t at = 0; at < all.count; at++) sum += checksum((char *)all.items + at * record->size);
  decant_array_free(&all, NULL);
  return sum;
}

// The same in chunks.
static uint64_t elements(void) {
  decant_options options = DECANT_OPTIONS_INIT;
  options.elements_at = "/events";
  return feed(as_array, array_length, &options);
}

static const struct way {
  const char *name;
  uint64_t (*run)(void);
} ways[] = {{"decant_decode_lines", whole},    {"memchr + decant_decode", loop},
            {"decant_lines_feed, 64 KB", fed}, {"decant_split_lines, 2 threads", threads},
            {"decant_decode_array", array},    {"elements of an array, 64 KB", elements}};
enum { WAYS = sizeof ways / sizeof ways[0] };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// The first of the ways, each printed with what is behind its name.
static void measure(size_t size, double seconds, size_t count, const char *suffix) {
  double best[WAYS] = {0};
  reads_texts = true;
  const uint64_t texts = ways[0].run();
  for (size_t way = 1; way < count; way++)
    if (ways[way].run() != texts) stop(ways[way].name, NULL);
  reads_texts = false;
  const uint64_t expected = ways[0].run();
  const double start = now();
  for (int round = 0; round < 3 || now() - start < seconds; round++) {
    for (size_t way = 0; way < count; way++) {
      const double before = now();
      if (ways[way].run() != expected) stop(ways[way].name, NULL);
      const double speed = (double)length / 1e6 / (now() - before);
      if (speed > best[way]) best[way] = speed;
    }
  }
  for (size_t way = 0; way < count; way++)
    printf("%zu\t%s%s\t%.1f\n", size, ways[way].name, suffix, best[way]);
}

// {"events":[…,…]}
static void make_array(void) {
  char *text = malloc(length + 32);
  if (text == NULL) stop("memory", NULL);
  array_length = (size_t)sprintf(text, "{\"events\":[");
  for (size_t at = 0; at < length; at++)
    text[array_length++] = events[at] == '\n' ? ',' : events[at];
  text[array_length - 1] = ']';
  text[array_length++] = '}';
  as_array = text;
}

int main(int count, char **arguments) {
  const bool prints = count == 4 && strcmp(arguments[1], "events") == 0;
  const bool is_one = count == 6 && strcmp(arguments[1], "one") == 0;
  if (!prints && !is_one && !(count == 5 && strcmp(arguments[1], "measure") == 0)) {
    fprintf(stderr,
            "lines events SIZE BYTES\nlines measure SIZE BYTES SECONDS\n"
            "lines one SIZE BYTES SECONDS SUFFIX\n");
    return 2;
  }
  const size_t size = strtoul(arguments[2], NULL, 10);
  events = make_events(size, strtoul(arguments[3], NULL, 10), &length);
  if (events == NULL) stop("memory", NULL);
  if (prints) return fwrite(events, 1, length, stdout) == length ? 0 : 1;
  is_small = size < 100;
  record = is_small ? &small_record : &large_record;
  if (is_one) {
    measure(size, atof(arguments[4]), 1, arguments[5]);
    return 0;
  }
  make_array();
  measure(size, atof(arguments[4]), WAYS, "");
  return 0;
}
