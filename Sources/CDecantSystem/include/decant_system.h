// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The operating system for streams of lines: threads and files, so that Swift need not import libc.

#ifndef DECANT_SYSTEM_H
#define DECANT_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Milliseconds since some moment before the process began.
int64_t decant_milliseconds(void);

// How many processors this process may use: at least 1.
size_t decant_processor_count(void);

// Calls `work` with `context` on at most `count` threads, of which the caller's is one, and returns when all calls have
// returned. Threads that cannot be started are left out. Each has a stack of 8 MiB, as the first thread of a process has.
void decant_run_on_threads(size_t count, void (*work)(void *context), void *context);

// The functions below return 0, or a value of errno.

// Opens a file for reading. A path with a NUL among its `length` bytes names no file.
int decant_file_open(const char *path, size_t length, int *descriptor);

// The place in a regular file, and its size; both are -1 for a pipe and other streams.
int decant_file_place(int descriptor, int64_t *place, int64_t *size);

// Maps a regular file of a size that is not 0, as a whole; `*bytes` is NULL if it cannot be mapped.
void decant_file_map(int descriptor, int64_t size, const void **bytes);
void decant_file_unmap(const void *bytes, size_t length);

// Reads at most `capacity` bytes, at a place of a regular file or, if that is negative, at the descriptor's; `*length` is
// 0 at the end. Waits for the first of them.
int decant_file_read(int descriptor, int64_t place, void *buffer, size_t capacity, size_t *length);
void decant_file_close(int descriptor);

// The text of an errno value, cut to `capacity` bytes with the NUL.
void decant_system_message(int code, char *buffer, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
