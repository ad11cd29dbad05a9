// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One stream of lines or records on several threads. Whoever asks for a batch cuts the input into parts of whole lines, which
// workers read into columns, each by a call of decant_read_arrow() with the part's first line and byte. Streams hand the
// batches of the parts out in order:
//
//   input   │ part 0 │ part 1 │ part 2 │ part 3 │ …            cut by who asks, as far ahead as there are workers
//   state     done     done     claimed  waiting
//   rows               ▲ next batch
//   rejects   ▲ next batch
//
// A part is freed when both streams have passed it. The lock is held for a few instructions, never while the input is
// read, a part is read, or memory of the consumer's is released.

#define _GNU_SOURCE  // memrchr
#include "parallel.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS, REJECTS, SIDES };

#define PART_BYTES ((size_t)4 << 20)
#define READ_BYTES \
  ((size_t)1 << 18)  // read at once: line feeds are counted while the cache has them
#define MOST_THREADS ((size_t)256)
#define MOST_REJECTS ((int64_t)1 << 16)
#define STACK_SIZE   ((size_t)8 << 20)

struct batches {
  struct ArrowArray *list;
  size_t count, capacity;
};

// Bytes that were read. Blocks are used again: memory that the system gives anew is what costs most of reading.
struct block {
  struct block *next;
  size_t capacity;
  char bytes[];
};

struct part {
  const char *bytes;
  struct block *block;  // what owns the bytes; NULL if they are the caller's
  size_t length;
  int64_t first_line, first_offset;
  bool is_done;     // a worker has read it
  bool is_settled;  // and its rejects are those that are told: streams may have it
  int number;       // of errno.h, if it could not be read
  struct batches batches[SIDES];
  int64_t others;  // lines that failed, and are counted alone
  struct part *next;
};

// Where a stream is: what it hands out next.
struct side {
  bool is_open;
  struct part *part;    // NULL: the next one that is cut
  size_t batch, ahead;  // ahead: parts from `part` on
};

struct parallel {
  pthread_mutex_t lock;
  pthread_cond_t has_work;     // for workers: a part is unclaimed
  pthread_cond_t has_settled;  // for who asks for a batch: a part is settled, or cut
  const decant_record *record;
  decant_options options;
  void (*release)(void *context);
  void *release_context;
  pid_t process;
  size_t thread_count, started;
  pthread_t threads[MOST_THREADS];

  // Guarded by the lock.
  struct side sides[SIDES];
  struct part *first, *last, *unclaimed, *unsettled;
  struct block *unused;
  int64_t settled;  // rejects of the parts before `unsettled`
  size_t waiting;   // parts that no worker has
  bool is_cutting, is_at_end, is_ending;
  int failure;  // of the input

  // Of who cuts.
  const char *json;
  size_t left;
  decant_read_function function;
  void *context;
  char *rest;  // the beginning of a document that the next bytes follow
  size_t rest_length;
  int64_t next_line, next_offset;

  // Of who asks for rejects.
  int64_t told, others;
  bool are_others_told;
};

// ---------------------------------------------------------------------------------------------------
// Parts

static void release_batches(const struct batches *batches) {
  for (size_t at = 0; at < batches->count; at++)
    if (batches->list[at].release != NULL) batches->list[at].release(&batches->list[at]);
  free(batches->list);
}

static void free_part(struct part *part) {
  for (int side = 0; side < SIDES; side++) release_batches(&part->batches[side]);
  free(part->block);
  free(part);
}

static bool add_batch(struct batches *batches, const struct ArrowArray *batch) {
  if (batches->count == batches->capacity) {
    const size_t capacity = batches->capacity == 0 ? 4 : 2 * batches->capacity;
    struct ArrowArray *list = realloc(batches->list, capacity * sizeof *list);
    if (list == NULL) return false;
    batches->list = list;
    batches->capacity = capacity;
  }
  batches->list[batches->count++] = *batch;
  return true;
}

// All batches of a stream. 0, or a number of errno.h.
static int drain(struct ArrowArrayStream *stream, struct batches *batches) {
  while (true) {
    struct ArrowArray batch;
    const int number = stream->get_next(stream, &batch);
    if (number != 0) return number;
    if (batch.release == NULL) return 0;
    if (add_batch(batches, &batch)) continue;
    batch.release(&batch);
    return ENOMEM;
  }
}

static void read_part(const struct parallel *self, struct part *part, bool has_rows,
                      bool has_rejects) {
  decant_options options = self->options;
  options.first_line = part->first_line;
  options.first_offset = part->first_offset;
  struct ArrowArrayStream streams[SIDES];
  const bool has[SIDES] = {has_rows, has_rejects};
  if (!has_rows && !has_rejects) return;
  const decant_status status = decant_read_arrow(self->record, part->bytes, part->length, &options,
                                                 has_rows ? &streams[ROWS] : NULL,
                                                 has_rejects ? &streams[REJECTS] : NULL, NULL);
  if (status != DECANT_OK) {
    // The table and the options were accepted before.
    part->number = ENOMEM;
    return;
  }
  for (int side = 0; side < SIDES; side++) {
    if (!has[side]) continue;
    if (part->number == 0) part->number = drain(&streams[side], &part->batches[side]);
  }
  for (int side = 0; side < SIDES; side++)
    if (has[side]) streams[side].release(&streams[side]);
}

// Whether a batch of rejects has lines that are counted alone, as its last row.
static bool is_null(const struct ArrowArray *column, int64_t row) {
  const uint8_t *bits = column->buffers[0];
  return bits != NULL && !(bits[row / 8] >> row % 8 & 1);
}

static int64_t most_rejects(const struct parallel *self) {
  return self->options.maximum_rejects != 0 ? (int64_t)self->options.maximum_rejects : MOST_REJECTS;
}

// Rejects that will not be told, because the parts before have as many as are, are counted at once. With the lock.
// Returns what is to be released without it.
static struct batches settle(struct parallel *self) {
  struct batches dropped = {NULL, 0, 0};
  while (self->unsettled != NULL && self->unsettled->is_done && dropped.list == NULL) {
    struct part *part = self->unsettled;
    self->unsettled = part->next;
    part->is_settled = true;
    struct batches *rejects = &part->batches[REJECTS];
    int64_t count = 0;
    for (size_t at = 0; at < rejects->count; at++) {
      const struct ArrowArray *batch = &rejects->list[at];
      const int64_t *counts = batch->children[7]->buffers[1];
      for (int64_t row = 0; row < batch->length; row++) count += counts[row];
    }
    if (self->settled >= most_rejects(self)) {
      part->others = count;
      dropped = *rejects;
      *rejects = (struct batches){NULL, 0, 0};
    } else {
      self->settled += count;
    }
  }
  return dropped;
}

// With the lock.
static void give_back(struct parallel *self, struct block *block) {
  if (block == NULL) return;
  block->next = self->unused;
  self->unused = block;
}

static void *work(void *context) {
  struct parallel *self = context;
  pthread_mutex_lock(&self->lock);
  while (!self->is_ending) {
    struct part *part = self->unclaimed;
    if (part == NULL) {
      pthread_cond_wait(&self->has_work, &self->lock);
      continue;
    }
    self->unclaimed = part->next;
    self->waiting--;
    const bool has_rows = self->sides[ROWS].is_open, has_rejects = self->sides[REJECTS].is_open;
    pthread_mutex_unlock(&self->lock);
    read_part(self, part, has_rows, has_rejects);
    pthread_mutex_lock(&self->lock);
    // Batches have memory of their own.
    give_back(self, part->block);
    part->block = NULL;
    part->is_done = true;
    // Behind this one there may be others that were done before.
    for (struct batches dropped; (dropped = settle(self)).list != NULL;) {
      pthread_mutex_unlock(&self->lock);
      release_batches(&dropped);
      pthread_mutex_lock(&self->lock);
    }
    pthread_cond_broadcast(&self->has_settled);
  }
  pthread_mutex_unlock(&self->lock);
  return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Cutting the input

// Counts 16 bytes at a time, each in a lane of its own, for as many rounds as a lane of a byte can count. Every processor
// of 64 bits has such vectors; of larger ones GCC makes code for single bytes, which takes as long as reading a line.
static int64_t line_feeds(const char *bytes, size_t length) {
  typedef uint8_t lanes __attribute__((vector_size(16)));
  int64_t count = 0;
  size_t at = 0;
  while (length - at >= sizeof(lanes)) {
    const size_t left = (length - at) / sizeof(lanes);
    const char *const end = bytes + at + (left < UINT8_MAX ? left : UINT8_MAX) * sizeof(lanes);
    lanes found = {0};
    for (const char *place = bytes + at; place != end; place += sizeof(lanes)) {
      lanes block;
      memcpy(&block, place, sizeof block);
      // A lane that is equal is -1.
      found -= (lanes)(block == '\n');
    }
    for (size_t lane = 0; lane < sizeof found; lane++) count += found[lane];
    at = (size_t)(end - bytes);
  }
  for (; at < length; at++) count += bytes[at] == '\n';
  return count;
}

static struct part *make_part(struct parallel *self, const char *bytes, struct block *block,
                              size_t length, int64_t lines) {
  struct part *part = calloc(1, sizeof *part);
  if (part == NULL) return NULL;
  part->bytes = bytes;
  part->block = block;
  part->length = length;
  part->first_line = self->next_line;
  part->first_offset = self->next_offset;
  self->next_line += lines;
  self->next_offset += (int64_t)length;
  return part;
}

// Where a part ends: behind a line feed, or before the separator that begins a record. What begins a line is preferred:
// messages count columns from there.
#define SEPARATOR '\x1E'

// The first end of a part in bytes, or their length.
static size_t first_end(const struct parallel *self, const char *bytes, size_t length) {
  if (self->options.framing == DECANT_LINES) {
    const char *end = memchr(bytes, '\n', length);
    return end != NULL ? (size_t)(end + 1 - bytes) : length;
  }
  const size_t near = length < PART_BYTES ? length : PART_BYTES;
  const char *end = memmem(bytes, near, "\n\x1E", 2);
  if (end != NULL) return (size_t)(end + 1 - bytes);
  end = memchr(bytes, SEPARATOR, length);
  return end != NULL ? (size_t)(end - bytes) : length;
}

// The last end of a part in bytes; 0 if there is none.
static size_t last_end(const struct parallel *self, const char *bytes, size_t length) {
  if (self->options.framing == DECANT_LINES) {
    const char *end = memrchr(bytes, '\n', length);
    return end != NULL ? (size_t)(end + 1 - bytes) : 0;
  }
  const char *last = memrchr(bytes, SEPARATOR, length);
  for (const char *end = last; end != NULL && end > bytes;
       end = memrchr(bytes, SEPARATOR, (size_t)(end - bytes)))
    if (end[-1] == '\n') return (size_t)(end - bytes);
  return last != NULL ? (size_t)(last - bytes) : 0;
}

// The next part of a buffer; NULL at the end, or with a number of errno.h.
static struct part *cut_buffer(struct parallel *self, int *number) {
  if (self->left == 0) return NULL;
  size_t length = self->left;
  if (length > PART_BYTES) {
    length = PART_BYTES + first_end(self, self->json + PART_BYTES, length - PART_BYTES);
  }
  struct part *part = make_part(self, self->json, NULL, length, line_feeds(self->json, length));
  if (part == NULL) {
    *number = ENOMEM;
    return NULL;
  }
  self->json += length;
  self->left -= length;
  return part;
}

static struct block *grow_block(struct block *block, size_t capacity) {
  struct block *larger = capacity < SIZE_MAX / 2 ? realloc(block, sizeof *block + capacity) : NULL;
  if (larger != NULL) larger->capacity = capacity;
  return larger;
}

// A block of as many bytes or more; NULL if there is no memory.
static struct block *take_block(struct parallel *self, size_t capacity) {
  pthread_mutex_lock(&self->lock);
  struct block *block = self->unused;
  if (block != NULL) self->unused = block->next;
  pthread_mutex_unlock(&self->lock);
  // One that had a long line is not kept: there may be as many blocks as parts.
  if (block != NULL && block->capacity == capacity) return block;
  free(block);
  return grow_block(NULL, capacity);
}

// The same of what the function reads.
static struct part *cut_stream(struct parallel *self, int *number) {
  struct block *block =
      take_block(self, PART_BYTES > 2 * self->rest_length ? PART_BYTES : 2 * self->rest_length);
  size_t filled = self->rest_length, whole = 0;
  if (block == NULL) {
    *number = ENOMEM;
    return NULL;
  }
  if (filled > 0) memcpy(block->bytes, self->rest, filled);
  bool is_at_end = false;
  int64_t lines = line_feeds(block->bytes, filled);
  while (true) {
    size_t space = block->capacity - filled;
    if (space > READ_BYTES) space = READ_BYTES;
    const ptrdiff_t count = self->function(self->context, block->bytes + filled, space);
    if (count < 0 || (size_t)count > space) {
      *number = count < 0 && count > -4096 ? (int)-count : EIO;
      break;
    }
    lines += line_feeds(block->bytes + filled, (size_t)count);
    filled += (size_t)count;
    is_at_end = count == 0;
    if (is_at_end) break;
    if (filled < block->capacity) continue;
    if (last_end(self, block->bytes, filled) > 0) break;
    // One document.
    struct block *larger = grow_block(block, 2 * block->capacity);
    if (larger == NULL) {
      *number = ENOMEM;
      break;
    }
    block = larger;
  }
  // What is complete comes before a failure; the last line may lack its line feed.
  whole = is_at_end ? filled : last_end(self, block->bytes, filled);
  lines -= line_feeds(block->bytes + whole, filled - whole);
  free(self->rest);
  self->rest = NULL;
  self->rest_length = filled - whole;
  if (self->rest_length > 0 && *number == 0) {
    self->rest = malloc(self->rest_length);
    if (self->rest == NULL) {
      *number = ENOMEM;
      self->rest_length = 0;
    } else {
      memcpy(self->rest, block->bytes + whole, self->rest_length);
    }
  }
  struct part *part = whole > 0 ? make_part(self, block->bytes, block, whole, lines) : NULL;
  if (part == NULL) {
    if (whole > 0) *number = ENOMEM;
    free(block);
  }
  return part;
}

// Cuts one part, with the lock, which is left meanwhile.
static void cut(struct parallel *self) {
  self->is_cutting = true;
  pthread_mutex_unlock(&self->lock);
  int number = 0;
  struct part *part =
      self->function != NULL ? cut_stream(self, &number) : cut_buffer(self, &number);
  pthread_mutex_lock(&self->lock);
  self->is_cutting = false;
  if (part != NULL) {
    if (self->last != NULL) self->last->next = part;
    if (self->first == NULL) self->first = part;
    self->last = part;
    if (self->unclaimed == NULL) self->unclaimed = part;
    if (self->unsettled == NULL) self->unsettled = part;
    self->waiting++;
    for (int side = 0; side < SIDES; side++) {
      struct side *other = &self->sides[side];
      if (!other->is_open) continue;
      if (other->part == NULL) other->part = part;
      other->ahead++;
    }
  }
  if (number != 0) self->failure = number;
  // Of a stream, a part that is short may be the last one; the next cut finds that out.
  if (part == NULL || number != 0) self->is_at_end = true;
  if (part != NULL) pthread_cond_signal(&self->has_work);
  // The other stream may have waited for this one to cut.
  pthread_cond_broadcast(&self->has_settled);
}

// ---------------------------------------------------------------------------------------------------
// Streams

// Frees the parts that both streams have passed, with the lock. Returns them, to be freed without it.
static struct part *take_passed(struct parallel *self) {
  struct part *passed = NULL, **end = &passed;
  while (self->first != NULL && self->first->is_settled) {
    for (int side = 0; side < SIDES; side++)
      if (self->sides[side].is_open && self->sides[side].part == self->first) return passed;
    struct part *part = self->first;
    self->first = part->next;
    if (self->first == NULL) self->last = NULL;
    part->next = NULL;
    *end = part;
    end = &part->next;
  }
  return passed;
}

static void free_parts(struct part *part) {
  while (part != NULL) {
    struct part *next = part->next;
    free_part(part);
    part = next;
  }
}

// The next batch of a side as its part has it; one that is released at the end. 0, or a number of errno.h.
static int take(struct parallel *self, int which, struct ArrowArray *batch) {
  struct side *side = &self->sides[which];
  struct part *passed = NULL;
  int number = 0;
  memset(batch, 0, sizeof *batch);
  pthread_mutex_lock(&self->lock);
  while (true) {
    struct part *part = side->part;
    // Workers are to have something to do, and no more than that is kept ahead.
    if (!self->is_at_end && !self->is_cutting && self->waiting < self->thread_count &&
        side->ahead < 3 * self->thread_count) {
      cut(self);
      continue;
    }
    if (part == NULL && self->is_at_end) {
      number = self->failure;
      break;
    }
    if (part == NULL || !part->is_settled) {
      pthread_cond_wait(&self->has_settled, &self->lock);
      continue;
    }
    if (part->number != 0) {
      number = part->number;
      break;
    }
    if (side->batch < part->batches[which].count) {
      *batch = part->batches[which].list[side->batch];
      part->batches[which].list[side->batch++].release = NULL;
      break;
    }
    if (which == REJECTS) self->others += part->others;
    side->part = part->next;
    side->batch = 0;
    side->ahead--;
    struct part *more = take_passed(self);
    struct part **end = &passed;
    while (*end != NULL) end = &(*end)->next;
    *end = more;
  }
  pthread_mutex_unlock(&self->lock);
  free_parts(passed);
  return number;
}

static int make_schema(struct parallel *self, int which, struct ArrowSchema *schema) {
  struct ArrowArrayStream stream;
  if (decant_read_arrow(self->record, "", 0, &self->options, which == ROWS ? &stream : NULL,
                        which == REJECTS ? &stream : NULL, NULL) != DECANT_OK)
    return ENOMEM;
  const int number = stream.get_schema(&stream, schema);
  stream.release(&stream);
  return number;
}

static int next_rows(struct ArrowArrayStream *stream, struct ArrowArray *batch) {
  struct parallel *self = stream->private_data;
  if (getpid() != self->process) return EDEADLK;
  return take(self, ROWS, batch);
}

// Rejects: parts are read with all that may be told; what is beyond is counted here.

static void cut_batch(struct ArrowArray *batch, int64_t offset, int64_t length) {
  batch->length = length;
  for (int64_t column = 0; column < batch->n_children; column++) {
    batch->children[column]->offset = offset;
    batch->children[column]->length = length;
    batch->children[column]->null_count = -1;
  }
}

// The last row: how many others failed. 0, or a number of errno.h.
static int tell_others(struct parallel *self, struct ArrowArray *batch) {
  decant_options options = self->options;
  options.maximum_rejects = 1;
  options.framing = DECANT_LINES;
  struct ArrowArrayStream stream;
  // Of two lines that fail, the second is counted alone.
  if (decant_read_arrow(self->record, "]\n]", 3, &options, NULL, &stream, NULL) != DECANT_OK)
    return ENOMEM;
  const int number = stream.get_next(&stream, batch);
  stream.release(&stream);
  if (number != 0) return number;
  memcpy((char *)batch->children[7]->buffers[1] + sizeof self->others, &self->others,
         sizeof self->others);
  cut_batch(batch, 1, 1);
  self->are_others_told = true;
  return 0;
}

static int next_rejects(struct ArrowArrayStream *stream, struct ArrowArray *batch) {
  struct parallel *self = stream->private_data;
  if (getpid() != self->process) return EDEADLK;
  const int64_t most = most_rejects(self);
  while (true) {
    const int number = take(self, REJECTS, batch);
    if (number != 0) return number;
    if (batch->release == NULL)
      return self->others > 0 && !self->are_others_told ? tell_others(self, batch) : 0;
    int64_t length = batch->length;
    if (is_null(batch->children[0], length - 1)) {
      length--;
      self->others += ((const int64_t *)batch->children[7]->buffers[1])[length];
    }
    if (length > most - self->told) {
      self->others += length - (most - self->told);
      length = most - self->told;
    }
    self->told += length;
    if (length < batch->length) cut_batch(batch, 0, length);
    if (length > 0) return 0;
    batch->release(batch);
  }
}

static int schema_of_rows(struct ArrowArrayStream *stream, struct ArrowSchema *schema) {
  return make_schema(stream->private_data, ROWS, schema);
}
static int schema_of_rejects(struct ArrowArrayStream *stream, struct ArrowSchema *schema) {
  return make_schema(stream->private_data, REJECTS, schema);
}

static const char *last_error(struct ArrowArrayStream *stream) {
  const struct parallel *self = stream->private_data;
  return getpid() != self->process
             ? "the process was forked, and the threads that read are its parent's"
             : "the input could not be read";
}

static void end(struct parallel *self) {
  if (getpid() == self->process)
    for (size_t at = 0; at < self->started; at++) pthread_join(self->threads[at], NULL);
  free_parts(self->first);
  while (self->unused != NULL) {
    struct block *next = self->unused->next;
    free(self->unused);
    self->unused = next;
  }
  free(self->rest);
  pthread_cond_destroy(&self->has_work);
  pthread_cond_destroy(&self->has_settled);
  pthread_mutex_destroy(&self->lock);
  if (self->release != NULL) self->release(self->release_context);
  free(self);
}

static void release(struct ArrowArrayStream *stream, int which) {
  struct parallel *self = stream->private_data;
  stream->release = NULL;
  pthread_mutex_lock(&self->lock);
  self->sides[which].is_open = false;
  self->sides[which].part = NULL;
  self->is_ending = !self->sides[1 - which].is_open;
  const bool is_last = self->is_ending;
  struct part *passed = take_passed(self);
  pthread_cond_broadcast(&self->has_work);
  pthread_cond_broadcast(&self->has_settled);
  pthread_mutex_unlock(&self->lock);
  free_parts(passed);
  if (is_last) end(self);
}

static void release_rows(struct ArrowArrayStream *stream) { release(stream, ROWS); }
static void release_rejects(struct ArrowArrayStream *stream) { release(stream, REJECTS); }

decant_status parallel_read_arrow(const decant_record *record, const char *json, size_t length,
                                  decant_read_function function, void *context, size_t threads,
                                  const decant_options *options, struct ArrowArrayStream *rows,
                                  struct ArrowArrayStream *rejects, decant_error *error) {
  // The table and the options are checked as a whole.
  struct ArrowArrayStream nothing;
  decant_options checked = *options;
  checked.release = NULL;
  const decant_status status = decant_read_arrow(record, "", 0, &checked, &nothing, NULL, error);
  if (status != DECANT_OK) return status;
  nothing.release(&nothing);
  struct parallel *self = calloc(1, sizeof *self);
  if (self == NULL) return DECANT_OUT_OF_MEMORY;
  self->record = record;
  self->options = checked;
  self->release = options->release;
  self->release_context = options->release_context;
  self->process = getpid();
  self->json = json;
  self->left = length;
  self->function = function;
  self->context = context;
  self->next_line = options->first_line > 0 ? options->first_line : 1;
  self->next_offset = options->first_offset;
  self->sides[ROWS].is_open = self->sides[REJECTS].is_open = true;
  self->thread_count = threads < MOST_THREADS ? threads : MOST_THREADS;
  pthread_mutex_init(&self->lock, NULL);
  pthread_cond_init(&self->has_work, NULL);
  pthread_cond_init(&self->has_settled, NULL);
  // A signal is for the threads of the program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) == 0) {
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    while (self->started < self->thread_count &&
           pthread_create(&self->threads[self->started], &attributes, work, self) == 0)
      self->started++;
    pthread_attr_destroy(&attributes);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (self->started == 0) {
    pthread_cond_destroy(&self->has_work);
    pthread_cond_destroy(&self->has_settled);
    pthread_mutex_destroy(&self->lock);
    free(self);
    return DECANT_OUT_OF_MEMORY;
  }
  *rows = (struct ArrowArrayStream){schema_of_rows, next_rows, last_error, release_rows, self};
  *rejects =
      (struct ArrowArrayStream){schema_of_rejects, next_rejects, last_error, release_rejects, self};
  return DECANT_OK;
}
