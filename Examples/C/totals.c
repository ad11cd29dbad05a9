/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Adds the events of a file of any size up, on all cores:
 *
 *     totals events.ndjson
 *
 * The file is mapped, so nobody may write to it or shorten it meanwhile. A thread for each core takes piece after piece,
 * which begins and ends at lines. Pieces are cut as they are taken, so that the file is read once. Wrong lines are told in
 * the file's order, with the line and the byte that they have in the whole file. At a terminal, a line shows how far it is.
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
    DECANT_FIELD_AS(struct event, kind, DECANT_ENUM, .names = kinds),
    DECANT_FIELD(struct event, total, .flags = DECANT_OPTIONAL)};
static const decant_record event_record = DECANT_TABLE(struct event, event_fields);

/* What a piece came to. Its messages are printed when all pieces before it have been. */
struct result {
  int64_t events[KINDS], wrong;
  double total;
  char *messages[MOST_ERRORS];
};

/* The file, and how much of it threads have taken. */
static struct {
  pthread_mutex_t lock;
  const char *json;
  size_t length, taken, pieces;
  int64_t line;
} file = {.lock = PTHREAD_MUTEX_INITIALIZER, .line = 1};

static struct result *results;
static _Atomic size_t bytes_done;
static _Atomic int64_t lines_done, wrong_done;

/* Cuts the next piece, with the lock held. Returns NULL at the end of the file. */
static struct result *cut_piece(decant_piece *piece) {
  const char *const next = file.json + file.taken;
  const size_t rest = file.length - file.taken;
  decant_piece halves[2];
  size_t count = 0;
  /* The first half of a window is whole lines; the second tells its line, and may be cut. A window that does not split
   * has a line that is longer. */
  for (size_t window = 2 * PIECE; rest > PIECE && window < rest && count < 2; window *= 2)
    count = decant_split_lines(next, window, 2, halves);
  if (count < 2) count = decant_split_lines(next, rest, 1, halves);
  if (count == 0) return NULL;
  *piece = halves[0];
  piece->first_line = file.line;
  piece->first_offset = (int64_t)file.taken;
  file.taken += piece->length;
  if (count > 1) file.line += halves[1].first_line - 1;
  return &results[file.pieces++];
}

static struct result *take_piece(decant_piece *piece) {
  pthread_mutex_lock(&file.lock);
  struct result *result = cut_piece(piece);
  pthread_mutex_unlock(&file.lock);
  return result;
}

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
  decant_piece piece;
  for (struct result *result; (result = take_piece(&piece)) != NULL;) {
    decant_options options = DECANT_OPTIONS_INIT;
    options.first_line = piece.first_line;
    options.first_offset = piece.first_offset;
    options.skips_byte_order_mark = 1;
    decant_error error = DECANT_ERROR_INIT;
    if (decant_decode_lines(&event_record, piece.json, piece.length, on_event, result, &options,
                            &error) != DECANT_OK) {
      /* Not a line is wrong, but the table, the options, or that there is no memory. */
      fprintf(stderr, "totals: %s\n", error.message);
      exit(2);
    }
    int64_t lines = result->wrong;
    for (int kind = 0; kind < KINDS; kind++) lines += result->events[kind];
    atomic_fetch_add(&lines_done, lines);
    atomic_fetch_add(&wrong_done, result->wrong);
    atomic_fetch_add(&bytes_done, piece.length);
  }
  return NULL;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Bytes, lines, wrong lines, speed and the time that is left, until all bytes are done. */
static void show_progress(double start) {
  while (atomic_load(&bytes_done) < file.length) {
    const struct timespec pause = {0, 100000000};
    nanosleep(&pause, NULL);
    const double done = (double)atomic_load(&bytes_done), speed = done / (now() - start);
    fprintf(
        stderr, "\r%.0f of %.0f MB, %" PRId64 " lines, %" PRId64 " wrong, %.0f MB/s, %.0f s left  ",
        done / 1e6, (double)file.length / 1e6, atomic_load(&lines_done), atomic_load(&wrong_done),
        speed / 1e6, speed > 0 ? ((double)file.length - done) / speed : 0);
  }
  fprintf(stderr, "\r%79s\r", "");
}

static void run_threads(double start) {
  pthread_t threads[MOST_THREADS];
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (cores < 1) cores = 1;
  if (cores > MOST_THREADS) cores = MOST_THREADS;
  long running = 0;
  while (running < cores && pthread_create(&threads[running], NULL, take_pieces, NULL) == 0)
    running++;
  if (running == 0) take_pieces(NULL);
  if (isatty(STDERR_FILENO)) show_progress(start);
  for (long at = 0; at < running; at++) pthread_join(threads[at], NULL);
}

/* Prints all results; returns how many lines were wrong. */
static int64_t print_results(void) {
  struct result sum = {{0}, 0, 0, {NULL}};
  for (size_t at = 0; at < file.pieces; at++) {
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
  file.json = json;
  file.length = length;
  /* A piece has at least so many bytes, but for the last one. */
  results = calloc(length / PIECE + 1, sizeof *results);
  if (results == NULL) {
    fprintf(stderr, "totals: out of memory\n");
    return 2;
  }
  run_threads(start);
  const int64_t wrong = print_results();
  free(results);
  return wrong != 0;
}

static int fail(const char *path, const char *reason) {
  fprintf(stderr, "totals: cannot read %s: %s\n", path, reason);
  return 2;
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: totals FILE\n");
    return 2;
  }
  const int descriptor = open(arguments[1], O_RDONLY);
  struct stat facts;
  if (descriptor < 0 || fstat(descriptor, &facts) != 0) return fail(arguments[1], strerror(errno));
  /* A pipe has no length, and cannot be mapped: follow reads it. */
  if (!S_ISREG(facts.st_mode)) return fail(arguments[1], "not a regular file");
  const size_t length = (size_t)facts.st_size;
  if (length == 0) {
    close(descriptor);
    return add_up("", 0);
  }
  char *json = mmap(NULL, length, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (json == MAP_FAILED) return fail(arguments[1], strerror(errno));
  madvise(json, length, MADV_SEQUENTIAL);
  const int status = add_up(json, length);
  munmap(json, length);
  return status;
}
