// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The entry points: the choice of a kernel, and the steps that all kernels share.
//
//   build:  size limits  ->  kernel  ->  (on failure) scalar.c for code and offset  ->  duplicates
//
// The kernel is chosen by the first document. Threads that choose at the same time choose the same
// one, so a relaxed atomic pointer is enough.

#include "decant_engine.h"
#include "internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if DECANT_X86
#include <cpuid.h>

// The features that all vector code needs, that code with registers of 32 bytes needs, and that code with 64 needs: of
// CPUID's leaf 1, then of leaf 7.
static const unsigned first_sse = bit_SSE4_2 | bit_SSSE3 | bit_PCLMUL | bit_POPCNT;
static const unsigned first_avx = bit_OSXSAVE | bit_AVX;
static const unsigned next_avx = bit_BMI | bit_BMI2 | bit_AVX2;
static const unsigned first_avx512 =
    bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | (unsigned)bit_AVX512VL;
static const unsigned next_avx512 = bit_AVX512VBMI | bit_AVX512VBMI2;
// The registers that the system saves for a thread. macOS reports those of AVX-512 only after their first use.
static const unsigned kept_avx = 0x06;
#ifdef __APPLE__
static const unsigned kept_avx512 = 0x06;
#else
static const unsigned kept_avx512 = 0xE6;
#endif

// The kernels that can run on this processor, once it has been asked.
enum { ASKED = 1, SSE42 = 2, AVX2 = 4, AVX512BW = 8, AVX512 = 16 };

DECANT_INLINE bool has(unsigned features, unsigned all) { return (features & all) == all; }

// The features that the processor has, and whose registers the system saves. (__builtin_cpu_supports returns the same, but
// links 5 KB of processor names.)
static DECANT_COLD unsigned ask_processor(void) {
  unsigned a, b, c, d, kept, unused;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !has(c, first_sse)) return ASKED;
  unsigned kernels = ASKED | SSE42;
  if (!has(c, first_avx) || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return kernels;
  __asm__("xgetbv" : "=a"(kept), "=d"(unused) : "c"(0));
  if (!has(kept, kept_avx) || !has(b, next_avx)) return kernels;
  kernels |= AVX2;
  if (!has(kept, kept_avx512) || !has(b, first_avx512)) return kernels;
  kernels |= AVX512BW;
  return has(c, next_avx512) ? kernels | AVX512 : kernels;
}

// Asks once: in a virtual machine, the host executes each CPUID, which takes as long as a small document.
static unsigned kernels_here(void) {
  static _Atomic unsigned known;
  unsigned kernels = atomic_load_explicit(&known, memory_order_relaxed);
  if (kernels == 0) {
    kernels = ask_processor();
    atomic_store_explicit(&known, kernels, memory_order_relaxed);
  }
  return kernels;
}
#endif

static const struct decant_kernel scalar = {
    .name = "scalar",
    .build = decant_build_scalar,
    .escape = decant_escape_scalar,
    .copy_plain = decant_copy_plain_scalar,
    .cut = decant_cut_scalar,
    .line_feeds = decant_line_feeds_scalar,
    .continuations = decant_continuations_scalar,
    .store_doubles = decant_store_doubles_scalar,
};

const struct decant_kernel *decant_kernel_at(size_t index) {
  size_t place = 0;
#if DECANT_X86
  const unsigned kernels = kernels_here();
  if (has(kernels, AVX512) && place++ == index) return &decant_avx512;
  if (has(kernels, AVX512BW) && place++ == index) return &decant_avx512bw;
  if (has(kernels, AVX2) && place++ == index) return &decant_avx2;
  if (has(kernels, SSE42) && place++ == index) return &decant_sse42;
#elif DECANT_NEON
  if (place++ == index) return &decant_neon;
#endif
  return place == index ? &scalar : NULL;
}

// NULL if no kernel on this processor has the name.
static const struct decant_kernel *kernel_named(const char *name) {
  for (size_t index = 0; decant_kernel_at(index) != NULL; index++) {
    if (strcmp(decant_kernel_at(index)->name, name) == 0) return decant_kernel_at(index);
  }
  return NULL;
}

static const struct decant_kernel *_Atomic chosen;

// The environment's choice if it can run on this processor, or the fastest kernel. WebAssembly has one kernel, and reading
// the environment would need a host that has one.
static DECANT_COLD const struct decant_kernel *choose(void) {
#ifdef __wasm__
  const char *name = NULL;
#else
  const char *name = getenv("DECANT_KERNEL");
#endif
  const struct decant_kernel *kernel = name != NULL ? kernel_named(name) : NULL;
  if (kernel == NULL) kernel = decant_kernel_at(0);
  atomic_store_explicit(&chosen, kernel, memory_order_relaxed);
  return kernel;
}

DECANT_INLINE const struct decant_kernel *current_kernel(void) {
  const struct decant_kernel *kernel = atomic_load_explicit(&chosen, memory_order_relaxed);
  return DECANT_LIKELY(kernel != NULL) ? kernel : choose();
}

const struct decant_kernel *decant_current_kernel(void) { return current_kernel(); }

static DECANT_COLD int32_t fail(decant_context *context, int32_t code) {
  decant_slots_release(context);
  context->slot_count = 0;
  context->facts = 0;
  return code;
}

static DECANT_COLD int32_t too_large(decant_context *context, uint64_t offset) {
  context->error_offset = (size_t)offset;
  return fail(context, DECANT_INDEX_TOO_LARGE);
}

// Reads the text of a context whose every field is set.
DECANT_INLINE int32_t build_by(decant_kernel_function *build, decant_context *context) {
  if (DECANT_UNLIKELY(context->length > context->rules.maximum_bytes)) {
    return too_large(context, context->rules.maximum_bytes);
  }
  if (DECANT_UNLIKELY(context->length > DECANT_MAXIMUM_LENGTH)) {
    return too_large(context, DECANT_MAXIMUM_LENGTH);
  }
  if (DECANT_UNLIKELY(context->rules.relaxations != 0)) build = decant_build_scalar;
  int32_t code = build(context);
  while (DECANT_UNLIKELY(code < 0)) {
    if (code == DECANT_INDEX_ASK_SCALAR) build = decant_build_scalar;
    code = build(context);
  }
  if (code == DECANT_INDEX_OK &&
      DECANT_UNLIKELY(context->rules.duplicates == DECANT_DUPLICATES_REJECT)) {
    code = decant_check_duplicates(context);
  }
  return DECANT_LIKELY(code == DECANT_INDEX_OK) ? code : fail(context, code);
}

DECANT_INLINE void clear_answers(decant_context *context) {
  if (context->slots == NULL) context->slot_capacity = 0;
  context->owned_slots = NULL;
  context->error_offset = 0;
  context->error_other = 0;
  context->root = 0;
  context->directories = NULL;
}

int32_t decant_index_build(decant_context *context) {
  clear_answers(context);
  return build_by(current_kernel()->build, context);
}

_Static_assert(offsetof(decant_reading, scratch) == sizeof(decant_context) &&
                   sizeof(decant_reading) <= 1024,
               "a context, then its scratch, on the stack");

int32_t decant_context_open(decant_context *context, decant_scratch *scratch, const uint8_t *text,
                            size_t length, const decant_engine *engine, const decant_rules *rules,
                            const decant_start *start) {
  decant_misses *misses = scratch != NULL ? &scratch->misses : NULL;
  uint64_t *slots = scratch != NULL ? scratch->slots : NULL;
  const size_t capacity = scratch != NULL ? DECANT_SCRATCH_SLOTS : 0;
  if (misses != NULL) misses->count = 0;
  decant_context_prepare(context, text, length, rules, engine, slots, capacity, misses);
  context->start = start;
  return engine != NULL ? engine->build(context) : build_by(current_kernel()->build, context);
}

const struct decant_kernel *decant_kernel_named(const char *name) {
  if (name == NULL) return current_kernel();
  const struct decant_kernel *kernel = kernel_named(name);
  return kernel != NULL ? kernel : &scalar;
}

int32_t decant_index_build_with(const char *name, decant_context *context) {
  clear_answers(context);
  return build_by(decant_kernel_named(name)->build, context);
}

size_t decant_line_index_least(void) { return current_kernel()->least_line; }

void decant_index_discard(decant_context *context) {
  decant_table_release(context);
  decant_slots_release(context);
}

void decant_index_move(decant_context *context, uint64_t *to) {
  if (context->slot_count > 0) memcpy(to, context->slots, context->slot_count * sizeof *to);
  decant_index_discard(context);
  context->slots = to;
  context->slot_capacity = context->slot_count;
}

const char *decant_index_kernel(void) { return current_kernel()->name; }

const char *decant_index_kernel_name(size_t index) {
  const struct decant_kernel *kernel = decant_kernel_at(index);
  return kernel != NULL ? kernel->name : NULL;
}
