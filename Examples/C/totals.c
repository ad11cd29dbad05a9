/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Adds the events of a file of any size up, on all cores:
 *
 *     totals events.ndjson
 *
 * The file is mapped, and split into pieces that begin at lines; a thread for each core takes piece after piece. Wrong
 * lines are told in the file's order, with the line and the byte that they have in the whole file. At a terminal, a
 * line shows how far it is.
 *
 * Exit status: 0, 1 if a line was wrong, 2 if the file cannot be read.
 */
#define _DEFAULT_SOURCE

#include <decant.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 64, PIECE = 4 << 20, MOST_ERRORS = 3 };

struct event {
  int32_t kind;
  double total;
};

enum { OTHER, SIGNUP, VIEW, PURCHASE, KINDS };
static const char *const kind_names[KINDS] = {"other", "signup", "view", "purchase"};
static const decant_name kinds[] = {
    {"other", OTHER}, {"signup", SIGNUP}, {"view", VIEW}, {"purchase", PURCHASE}, {NULL, 0}};
static const decant_field event_fields[] = {
    {.key = "kind", .kind = DECANT_ENUM, .offset = offsetof(struct event, kind), .names = kinds},
    {.key = "total",
     .kind = DECANT_DOUBLE,
     .offset = offsetof(struct event, total),
     .flags = DECANT_OPTIONAL}};
static const decant_record event_record = {
    .size = sizeof(struct event), .fields = event_fields, .field_count = 2};

/* What a piece came to. Its messages are printed when all pieces before it have been. */
struct result {
  int64_t events[KINDS], wrong;
  double total;
  char *messages[MOST_ERRORS];
};

static const decant_piece *pieces;
static struct result *results;
static size_t piece_count;
static _Atomic size_t next_piece, bytes_done;
static _Atomic int64_t lines_done, wrong_done;

static int on_event(void *context, int64_t line, const void *value, const decant_error *error) {
  struct result *result = context;
  (void)line;
  if (value != NULL) {
    const struct event *event = value;
    result->events[event->kind]++;
    result->total += event->total;
  } else {
    if (result->wrong < MOST_ERRORS) result->messages[result->wrong] = strdup(error->message);
    result->wrong++;
  }
  return 0;
}

static void *take_pieces(void *unused) {
  (void)unused;
  for (;;) {
    const size_t at = atomic_fetch_add(&next_piece, 1);
    if (at >= piece_count) return NULL;
    const decant_piece *piece = &pieces[at];
    struct result *result = &results[at];
    decant_options options = DECANT_OPTIONS_INIT;
    options.first_line = piece->first_line;
    options.first_offset = piece->first_offset;
    options.skips_byte_order_mark = 1;
    decant_decode_lines(&event_record, piece->json, piece->length, on_event, result, &options,
                        NULL);
    int64_t lines = result->wrong;
    for (int kind = 0; kind < KINDS; kind++) lines += result->events[kind];
    atomic_fetch_add(&lines_done, lines);
    atomic_fetch_add(&wrong_done, result->wrong);
    atomic_fetch_add(&bytes_done, piece->length);
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Bytes, lines, wrong lines, speed and the time that is left, until all bytes are done. */
static void show_progress(size_t length, double start) {
  while (atomic_load(&bytes_done) < length) {
    const struct timespec pause = {0, 100000000};
    nanosleep(&pause, NULL);
    const double done = (double)atomic_load(&bytes_done), speed = done / (now() - start);
    fprintf(stderr,
            "\r%.0f of %.0f MB, %" PRId64 " lines, %" PRId64 " wrong, %.0f MB/s, %.0f s left  ",
            done / 1e6, (double)length / 1e6, atomic_load(&lines_done), atomic_load(&wrong_done),
            speed / 1e6, speed > 0 ? ((double)length - done) / speed : 0);
  }
  fprintf(stderr, "\r%79s\r", "");
}

static bool run_threads(size_t length, double start) {
  pthread_t threads[MOST_THREADS];
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (cores < 1) cores = 1;
  if (cores > MOST_THREADS) cores = MOST_THREADS;
  long running = 0;
  while (running < cores && pthread_create(&threads[running], NULL, take_pieces, NULL) == 0)
    running++;
  if (running == 0) take_pieces(NULL);
  if (isatty(STDERR_FILENO)) show_progress(length, start);
  for (long at = 0; at < running; at++) pthread_join(threads[at], NULL);
  return running > 0;
}

/* Prints all results; returns how many lines were wrong. */
static int64_t print_results(void) {
  struct result sum = {{0}, 0, 0, {NULL}};
  for (size_t at = 0; at < piece_count; at++) {
    const struct result *result = &results[at];
    for (int kind = 0; kind < KINDS; kind++) sum.events[kind] += result->events[kind];
    sum.wrong += result->wrong;
    sum.total += result->total;
    for (int error = 0; error < MOST_ERRORS; error++) {
      if (result->messages[error] != NULL) fprintf(stderr, "%s\n", result->messages[error]);
      free(result->messages[error]);
    }
    if (result->wrong > MOST_ERRORS) {
      fprintf(stderr, "and %" PRId64 " more\n", result->wrong - MOST_ERRORS);
    }
  }
  for (int kind = 0; kind < KINDS; kind++)
    printf("%s\t%" PRId64 "\n", kind_names[kind], sum.events[kind]);
  printf("total\t%.2f\nwrong\t%" PRId64 "\n", sum.total, sum.wrong);
  return sum.wrong;
}

static int add_up(const char *json, size_t length) {
  const double start = now();
  const size_t most = length / PIECE + 1;
  decant_piece *made = malloc(most * sizeof *made);
  results = calloc(most, sizeof *results);
  if (made == NULL || results == NULL) {
    fprintf(stderr, "totals: out of memory\n");
    free(made);
    free(results);
    return 2;
  }
  piece_count = decant_split_lines(json, length, most, made);
  pieces = made;
  run_threads(length, start);
  const int64_t wrong = print_results();
  free(made);
  free(results);
  return wrong != 0;
}

static int fail(const char *path) {
  fprintf(stderr, "totals: cannot read %s: %s\n", path, strerror(errno));
  return 2;
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "totals FILE\n");
    return 2;
  }
  const int file = open(arguments[1], O_RDONLY);
  struct stat facts;
  if (file < 0 || fstat(file, &facts) != 0) return fail(arguments[1]);
  const size_t length = (size_t)facts.st_size;
  if (length == 0) {
    close(file);
    return add_up("", 0);
  }
  char *json = mmap(NULL, length, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (json == MAP_FAILED) return fail(arguments[1]);
  madvise(json, length, MADV_SEQUENTIAL);
  const int status = add_up(json, length);
  munmap(json, length);
  return status;
}
