// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Reads a file from its descriptor, and decompresses it if its first bytes say so. Whether more bytes come is asked of the
// descriptor with a time limit, so that Ctrl-C is noticed while a pipe is quiet.

#include "compressed.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#ifdef DECANT_ZSTD
#include <zstd.h>
#endif

enum { INPUT_SIZE = 1 << 18, LONGEST_MAGIC = 4, LONGEST_WAIT = 100 };  // milliseconds

struct file {
  int descriptor;
  int expected;
  int form;           // -1: not known yet
  bool is_ended;      // no more bytes can be read
  bool is_between;    // no member or frame has begun that has not ended
  const char *words;  // what is wrong
  size_t begin, end;  // the bytes of `input` that were not used
  z_stream gzip;
#ifdef DECANT_ZSTD
  ZSTD_DStream *zstd;
#endif
  unsigned char input[INPUT_SIZE];
};

bool can_decompress(int form) {
#ifdef DECANT_ZSTD
  if (form == FORM_ZSTD) return true;
#endif
  return form == FORM_PLAIN || form == FORM_GZIP;
}

struct file *open_file(int descriptor, int expected) {
  struct file *file = malloc(sizeof *file);
  if (file == NULL) return NULL;
  memset(file, 0, offsetof(struct file, input));
  file->descriptor = descriptor;
  file->expected = expected;
  file->form = -1;
  file->is_between = true;
  return file;
}

const char *words_of_file(const struct file *file) { return file->words; }

void close_file(struct file *file) {
  if (file == NULL) return;
  if (file->form == FORM_GZIP) inflateEnd(&file->gzip);
#ifdef DECANT_ZSTD
  if (file->form == FORM_ZSTD) ZSTD_freeDStream(file->zstd);
#endif
  close(file->descriptor);
  free(file);
}

static ptrdiff_t damaged(struct file *file, const char *words) {
  file->words = words != NULL ? words : "its bytes are damaged";
  return FILE_IS_DAMAGED;
}

// read(). A wait for a pipe ends now and then as a signal would end it: where a handler of another library restarts system
// calls, read() itself would wait on.
static ptrdiff_t read_bytes(const struct file *file, void *buffer, size_t capacity) {
  struct pollfd descriptor = {.fd = file->descriptor, .events = POLLIN};
  const int ready = poll(&descriptor, 1, LONGEST_WAIT);
  if (ready == 0) return -EINTR;
  const ssize_t count = ready < 0 ? -1 : read(file->descriptor, buffer, capacity);
  return count < 0 ? -errno : count;
}

// Reads more bytes behind those that are there; 0, or the negative of a number of errno.h.
static int fill(struct file *file) {
  if (file->begin == file->end) file->begin = file->end = 0;
  const ptrdiff_t count = read_bytes(file, file->input + file->end, sizeof file->input - file->end);
  if (count < 0) return (int)count;
  if (count == 0) file->is_ended = true;
  file->end += (size_t)count;
  return 0;
}

static size_t left(const struct file *file) { return file->end - file->begin; }

static bool begins_with(const struct file *file, const char *magic, size_t count) {
  return left(file) >= count && memcmp(file->input + file->begin, magic, count) == 0;
}
static bool begins_gzip(const struct file *file) { return begins_with(file, "\x1F\x8B", 2); }
static bool begins_zstd(const struct file *file) {
  // A frame, or one that is to be skipped: 50 2A 4D 18 to 5F 2A 4D 18.
  return begins_with(file, "\x28\xB5\x2F\xFD", 4) ||
         (left(file) >= 4 && file->input[file->begin] >> 4 == 5 &&
          memcmp(file->input + file->begin + 1, "\x2A\x4D\x18", 3) == 0);
}

// Looks at the first bytes. 0, or a failure.
static ptrdiff_t find_form(struct file *file) {
  while (left(file) < LONGEST_MAGIC && !file->is_ended) {
    const int status = fill(file);
    if (status != 0) return status;
  }
  int form = begins_gzip(file) ? FORM_GZIP : begins_zstd(file) ? FORM_ZSTD : FORM_PLAIN;
  if (file->expected != FORM_PLAIN && form != file->expected && left(file) > 0)
    return damaged(file, file->expected == FORM_GZIP ? "it is not gzip" : "it is not Zstandard");
  if (form == FORM_GZIP && inflateInit2(&file->gzip, 15 + 16) != Z_OK) return -ENOMEM;
  if (form == FORM_ZSTD) {
#ifdef DECANT_ZSTD
    file->zstd = ZSTD_createDStream();
    if (file->zstd == NULL) return -ENOMEM;
#else
    return damaged(file, "it is Zstandard, and this build has no libzstd");
#endif
  }
  file->form = form;
  return 0;
}

// Between members: passes over zeros behind the last one. 1 if a member begins, 0 at the end, or a failure.
static ptrdiff_t next_member(struct file *file) {
  while (true) {
    while (left(file) > 0 && file->form == FORM_GZIP && file->input[file->begin] == 0)
      file->begin++;
    const size_t magic = file->form == FORM_GZIP ? 2 : 4;
    if (left(file) >= magic) {
      if (file->form == FORM_GZIP ? begins_gzip(file) : begins_zstd(file)) return 1;
      return damaged(file, "there are other bytes behind the compressed ones");
    }
    if (file->is_ended)
      return left(file) == 0 ? 0
                             : damaged(file, "there are other bytes behind the compressed ones");
    if (file->begin > 0) {
      memmove(file->input, file->input + file->begin, left(file));
      file->end -= file->begin;
      file->begin = 0;
    }
    const int status = fill(file);
    if (status != 0) return status;
  }
}

// Decompresses what is there. How many bytes there are, or a failure.
static ptrdiff_t inflate_some(struct file *file, char *buffer, size_t capacity) {
  z_stream *gzip = &file->gzip;
  gzip->next_in = file->input + file->begin;
  gzip->avail_in = (uInt)left(file);
  gzip->next_out = (Bytef *)buffer;
  gzip->avail_out = (uInt)(capacity < 1u << 30 ? capacity : 1u << 30);
  const uInt space = gzip->avail_out;
  const int status = inflate(gzip, Z_NO_FLUSH);
  file->begin = file->end - gzip->avail_in;
  if (status == Z_MEM_ERROR) return -ENOMEM;
  if (status == Z_STREAM_END) {
    file->is_between = true;
    inflateReset(gzip);
  } else if (status != Z_OK && status != Z_BUF_ERROR) {
    return damaged(file, gzip->msg);
  }
  return (ptrdiff_t)(space - gzip->avail_out);
}

#ifdef DECANT_ZSTD
static ptrdiff_t unzstd_some(struct file *file, char *buffer, size_t capacity) {
  ZSTD_inBuffer in = {file->input + file->begin, left(file), 0};
  ZSTD_outBuffer out = {buffer, capacity, 0};
  const size_t status = ZSTD_decompressStream(file->zstd, &out, &in);
  file->begin += in.pos;
  if (ZSTD_isError(status)) return damaged(file, ZSTD_getErrorName(status));
  if (status == 0) file->is_between = true;
  return (ptrdiff_t)out.pos;
}
#endif

ptrdiff_t read_file(struct file *file, char *buffer, size_t capacity) {
  if (file->words != NULL) return FILE_IS_DAMAGED;
  if (file->form < 0) {
    const ptrdiff_t status = find_form(file);
    if (status != 0) return status;
  }
  if (file->form == FORM_PLAIN) {
    if (left(file) > 0) {
      const size_t count = left(file) < capacity ? left(file) : capacity;
      memcpy(buffer, file->input + file->begin, count);
      file->begin += count;
      return (ptrdiff_t)count;
    }
    return file->is_ended ? 0 : read_bytes(file, buffer, capacity);
  }
  while (true) {
    if (file->is_between) {
      const ptrdiff_t status = next_member(file);
      if (status <= 0) return status;
      file->is_between = false;
    }
    // A decompressor may have more to give than it was asked for last time.
    ptrdiff_t count = 0;
#ifdef DECANT_ZSTD
    if (file->form == FORM_ZSTD) count = unzstd_some(file, buffer, capacity);
#endif
    if (file->form == FORM_GZIP) count = inflate_some(file, buffer, capacity);
    if (count != 0 || file->is_between) {
      if (count == 0) continue;
      return count;
    }
    if (left(file) > 0) continue;
    if (file->is_ended) return FILE_IS_CUT;
    const int status = fill(file);
    if (status != 0) return status;
  }
}
