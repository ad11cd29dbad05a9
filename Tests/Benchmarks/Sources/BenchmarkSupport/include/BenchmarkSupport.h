// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What contenders share whatever language they are written in: the works, the checksum over every
// field of a model, and the interface by which a contender in C or C++ takes part.

#ifndef BENCHMARK_SUPPORT_H
#define BENCHMARK_SUPPORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

// In the order of Corpora.Work.
typedef enum benchmark_work {
  BENCHMARK_TINY,
  BENCHMARK_TWITTER,
  BENCHMARK_CITM,
  BENCHMARK_CANADA,
  BENCHMARK_USERS
} benchmark_work;

// Zero bytes that follow every document handed to a C contender.
enum { BENCHMARK_PADDING = 128 };

// A contender in C or C++. Both functions return 0, or another number if the document does not
// decode.
typedef struct benchmark_contender {
  const char *_Nonnull name;

  // Decodes the document `times` times into a model that owns its strings. Calls `held` (unless it
  // is NULL) while each model is whole, and destroys the model before it makes the next one.
  int (*_Nonnull decode)(benchmark_work work, const char *_Nonnull bytes, size_t length,
                         size_t times, void (*_Nullable held)(void *_Nullable context),
                         void *_Nullable context);

  // Decodes the document once, by the same code, and adds up every field of the model.
  int (*_Nonnull checksum)(benchmark_work work, const char *_Nonnull bytes, size_t length,
                           uint64_t *_Nonnull sum);
} benchmark_contender;

// Who writes a model as text.
typedef struct benchmark_writer {
  const char *_Nonnull name;

  // Prepares for a model, a struct of BenchmarkModels.h (user or list), which outlives what is returned; NULL
  // after a failure.
  void *_Nullable (*_Nonnull open)(benchmark_work work, const void *_Nonnull model);

  // Writes the model `times` times. Returns the last text, which lives until the next call, and its
  // length; NULL after a failure.
  const char *_Nullable (*_Nonnull write)(void *_Nonnull state, size_t times,
                                          size_t *_Nonnull length);

  void (*_Nonnull close)(void *_Nonnull state);
} benchmark_writer;

// Who reads and writes the messages of ordinary services, which are counted from 0 (Messages/Message.swift).
typedef struct benchmark_messages {
  const char *_Nonnull name;

  // Reads a message and throws it away; not 0 after a failure.
  int (*_Nonnull read)(int number, const char *_Nonnull bytes, size_t length);

  // Reads a message and keeps it; NULL after a failure.
  void *_Nullable (*_Nonnull open)(int number, const char *_Nonnull bytes, size_t length);

  // Writes it. The text lives until the next call; NULL after a failure.
  const char *_Nullable (*_Nonnull write)(void *_Nonnull state, size_t *_Nonnull length);

  void (*_Nonnull close)(void *_Nonnull state);
} benchmark_messages;

// Makes the compiler believe that somebody reads `model`. Does nothing.
void benchmark_keep(const void *_Nonnull model);

// The checksum: order matters, and so does every bit. Integers, counts, flags and the presence of
// an optional value are added as 64-bit words, floating-point numbers by their bits, strings by
// their length and bytes.
static const uint64_t benchmark_sum_start = UINT64_C(0xCBF29CE484222325);

static inline uint64_t benchmark_sum_word(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return sum ^ (sum >> 29);
}

static inline uint64_t benchmark_sum_double(uint64_t sum, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return benchmark_sum_word(sum, bits);
}

static inline uint64_t benchmark_sum_string(uint64_t sum, const char *_Nonnull bytes,
                                            size_t length) {
  sum = benchmark_sum_word(sum, length);
  for (size_t i = 0; i < length; i++) sum = benchmark_sum_word(sum, (uint8_t)bytes[i]);
  return sum;
}

#ifdef __cplusplus
}
#endif
#endif
