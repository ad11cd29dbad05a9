/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Follows a pipe of events, a line each, and prints every event as soon as its line has come:
 *
 *     tail -f events.ndjson | follow
 *
 * Chunks are as the pipe gives them: cut anywhere. A line that is wrong is told on standard error, with its place in
 * the stream, and changes nothing for the others.
 *
 * Exit status: 0, 1 if a line was wrong, 2 if the pipe cannot be read.
 */
#define _POSIX_C_SOURCE 200809L

#include <decant.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct event {
  const char *time, *kind, *path;
  int64_t user_id;
  double total;
  void *storage;
};

static const decant_field event_fields[] = {
    DECANT_FIELD(struct event, time), DECANT_FIELD(struct event, kind),
    DECANT_FIELD(struct event, path, .flags = DECANT_OPTIONAL),
    DECANT_FIELD(struct event, user_id, .flags = DECANT_OPTIONAL),
    DECANT_FIELD(struct event, total, .flags = DECANT_OPTIONAL)};
static const decant_record event_record =
    DECANT_TABLE(struct event, event_fields, .storage_offset = offsetof(struct event, storage));

struct counts {
  int64_t events, wrong;
};

static int on_event(void *context, int64_t line, const void *value, const decant_error *error) {
  struct counts *counts = context;
  if (value == NULL) {
    counts->wrong++;
    fprintf(stderr, "%s\n", error->message);
    return 0;
  }
  const struct event *event = value;
  counts->events++;
  printf("%" PRId64 "\t%s\t%s\t%" PRId64 "\t%s\n", line, event->time, event->kind, event->user_id,
         event->path != NULL ? event->path : "");
  return 0;
}

int main(void) {
  decant_error error = DECANT_ERROR_INIT;
  decant_options options = DECANT_OPTIONS_INIT;
  options.skips_byte_order_mark = 1;
  decant_lines *lines;
  if (decant_lines_open(&event_record, &options, &lines, &error) != DECANT_OK) {
    fprintf(stderr, "follow: %s\n", error.message);
    return 2;
  }
  struct counts counts = {0, 0};
  char chunk[1 << 16];
  ssize_t length;
  for (;;) {
    length = read(STDIN_FILENO, chunk, sizeof chunk);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) break;
    decant_lines_feed(lines, chunk, (size_t)length, on_event, &counts, &error);
    fflush(stdout);
  }
  /* What was complete has been printed, also when the pipe fails. */
  const int reason = length < 0 ? errno : 0;
  if (reason == 0) decant_lines_finish(lines, on_event, &counts, &error);
  decant_lines_close(lines);
  fflush(stdout);
  if (reason != 0) fprintf(stderr, "follow: cannot read standard input: %s\n", strerror(reason));
  fprintf(stderr, "%" PRId64 " events, %" PRId64 " lines were wrong\n", counts.events,
          counts.wrong);
  return reason != 0 ? 2 : counts.wrong != 0;
}
