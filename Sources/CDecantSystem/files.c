// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Files, mapped or read in chunks: decant_system.h.

#undef _GNU_SOURCE  // has another strerror_r
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE  // madvise
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64  // files of 2 GiB and more, where a long has 32 bits
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decant_system.h"

#if !defined(__wasi__)
#include <poll.h>
#include <sys/mman.h>
#endif

#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif

int decant_file_open(const char *path, size_t length, int *descriptor) {
  if (memchr(path, 0, length)) return ENOENT;
  do {
    *descriptor = open(path, O_RDONLY | O_CLOEXEC);
  } while (*descriptor < 0 && errno == EINTR);
  return *descriptor < 0 ? errno : 0;
}

int decant_file_place(int descriptor, int64_t *place, int64_t *size) {
  *place = *size = -1;
  struct stat status;
  if (fstat(descriptor, &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  if (!S_ISREG(status.st_mode)) return 0;
  *place = lseek(descriptor, 0, SEEK_CUR);
  *size = status.st_size;
  return 0;
}

void decant_file_map(int descriptor, int64_t size, const void **bytes) {
  *bytes = NULL;
#if !defined(__wasi__)
  if (size <= 0 || (uint64_t)size > SIZE_MAX / 2) return;
  void *start = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (start == MAP_FAILED) return;
#if defined(MADV_SEQUENTIAL)
  madvise(start, (size_t)size, MADV_SEQUENTIAL);
#endif
  *bytes = start;
#else
  (void)descriptor;
  (void)size;
#endif
}

void decant_file_unmap(const void *bytes, size_t length) {
#if !defined(__wasi__)
  if (bytes != NULL) munmap((void *)(uintptr_t)bytes, length);
#else
  (void)bytes;
  (void)length;
#endif
}

// Whether to read again after an error: at once after an interruption; for a non-blocking descriptor, when it has bytes.
static bool reads_again(int descriptor, int code) {
#if !defined(__wasi__)
  if (code == EAGAIN || code == EWOULDBLOCK) {
    struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
    return poll(&wanted, 1, -1) >= 0 || errno == EINTR;
  }
#else
  (void)descriptor;
#endif
  return code == EINTR;
}

int decant_file_read(int descriptor, int64_t place, void *buffer, size_t capacity, size_t *length) {
  ssize_t count;
  do {
    count = place < 0 ? read(descriptor, buffer, capacity)
                      : pread(descriptor, buffer, capacity, (off_t)place);
  } while (count < 0 && reads_again(descriptor, errno));
  *length = count > 0 ? (size_t)count : 0;
  return count < 0 ? errno : 0;
}

void decant_file_close(int descriptor) { close(descriptor); }

void decant_system_message(int code, char *buffer, size_t capacity) {
  if (capacity == 0) return;
  // Not `strerror`, whose buffer is shared by all threads.
  if (strerror_r(code, buffer, capacity) == EINVAL) snprintf(buffer, capacity, "error %d", code);
}
