// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Files that are read as they are, or decompressed: gzip by zlib, Zstandard by libzstd, each if the build has it.

#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { FORM_PLAIN = 0, FORM_GZIP = 1, FORM_ZSTD = 2 };

// Whether the build can decompress a form.
bool can_decompress(int form);

struct file;

// A file of a descriptor, which is then the file's. What it holds is known by its first bytes: no JSON begins as
// compressed bytes do. `expected` is what its name says: bytes of another form are damaged. NULL if there is no memory.
struct file *open_file(int descriptor, int expected);

// What is wrong with the bytes of a file.
enum { FILE_IS_CUT = -100001, FILE_IS_DAMAGED = -100002 };

// Fills a buffer, at least in part; 0 at the end; the negative of a number of errno.h, of which EINTR is no failure, but a
// wait that may go on; or one of the above. Calls nothing of Python's.
ptrdiff_t read_file(struct file *file, char *buffer, size_t capacity);

// What is wrong with a file that is damaged, as long as it is open.
const char *words_of_file(const struct file *file);

void close_file(struct file *file);
