// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How fast each kernel builds the index of whole files.
//
//   index_bench [--samples N] FILE…
//
// Prints one row per file and kernel: the fastest of N builds (default 200), in microseconds and
// MB/s, with the slots and a checksum that must be the same for every kernel. Set DECANT_KERNEL to
// measure one kernel only. Without an allocator the slots come from the thread's cache, or for
// large documents from malloc, page faults included: for a steady heap run it under
// GLIBC_TUNABLES=glibc.malloc.mmap_threshold=1000000000:glibc.malloc.trim_threshold=1000000000

#define _POSIX_C_SOURCE 200809L

#include "decant_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint8_t *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  fseek(file, 0, SEEK_SET);
  uint8_t *text = malloc((size_t)size + 1);
  *length = text != NULL ? fread(text, 1, (size_t)size, file) : 0;
  fclose(file);
  return text;
}

static uint64_t checksum(const decant_context *context) {
  uint64_t sum = context->facts;
  for (uint32_t slot = 0; slot < context->slot_count; slot++) {
    sum = (sum ^ context->slots[slot]) * 0x9E3779B97F4A7C15u;
  }
  return sum;
}

static void measure(const char *path, const uint8_t *text, size_t length, const char *kernel,
                    int samples) {
  uint64_t buffer[128];
  double fastest = 1e9;
  uint64_t sum = 0;
  uint32_t slots = 0;
  const int repeats = length < 4096 ? 2000 : 1;
  for (int sample = 0; sample < samples; sample++) {
    const double start = seconds();
    for (int repeat = 0; repeat < repeats; repeat++) {
      decant_context context = {.text = text, .length = length};
      context.slots = buffer;
      context.slot_capacity = 128;
      context.rules = (decant_rules){.maximum_bytes = UINT64_MAX, .maximum_depth = 512};
      const int32_t code =
          kernel != NULL ? decant_index_build_with(kernel, &context) : decant_index_build(&context);
      if (code != DECANT_INDEX_OK) {
        printf("%s: code %d at %zu\n", path, code, context.error_offset);
        return;
      }
      if (sample == 0 && repeat == 0) sum = checksum(&context);
      slots = context.slot_count;
      decant_index_discard(&context);
    }
    const double taken = (seconds() - start) / repeats;
    if (taken < fastest) fastest = taken;
  }
  const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
  printf("%-24s %-9s %10.3f us %9.1f MB/s  %8u slots  %016llx\n", name,
         kernel != NULL ? kernel : decant_index_kernel(), fastest * 1e6,
         (double)length / fastest * 1e-6, slots, (unsigned long long)sum);
}

int main(int count, char **arguments) {
  int samples = 200, first = 1;
  if (count > 2 && strcmp(arguments[1], "--samples") == 0) {
    samples = atoi(arguments[2]);
    first = 3;
  }
  for (int index = first; index < count; index++) {
    size_t length = 0;
    uint8_t *text = read_file(arguments[index], &length);
    if (text == NULL) {
      fprintf(stderr, "cannot read %s\n", arguments[index]);
      return 1;
    }
    if (getenv("DECANT_KERNEL") != NULL) {
      measure(arguments[index], text, length, NULL, samples);
    } else {
      for (size_t kernel = 0; decant_index_kernel_name(kernel) != NULL; kernel++) {
        measure(arguments[index], text, length, decant_index_kernel_name(kernel), samples);
      }
    }
    free(text);
  }
  return 0;
}
