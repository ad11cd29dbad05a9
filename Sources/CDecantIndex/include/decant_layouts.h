// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Which private layouts of the Swift standard library this process has found. Sources/DecantCore/Layouts has the layouts,
// and the probes that compare them with the library's; PrivateLayout.swift explains how to add one.

#ifndef DECANT_LAYOUTS_H
#define DECANT_LAYOUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decant_header.h"

DECANT_BEGIN

enum {
  DECANT_LAYOUT_UNKNOWN = 0,  // no probe has run yet
  DECANT_LAYOUT_OTHER = 1,    // another layout, or private layouts are off
  DECANT_LAYOUT_KNOWN = 2,    // as drawn
};

// The switch, and the results of the probes. A process writes them a few times, always with the same values.
extern uint32_t decant_public_layouts_only;
extern uint32_t decant_small_strings;
extern const void *decant_string_class_found;

// Whether probes may find anything. A build with DECANT_PUBLIC_LAYOUTS_ONLY defined begins with false.
static inline bool decant_private_layouts_allowed(void) {
  return __atomic_load_n(&decant_public_layouts_only, __ATOMIC_RELAXED) == 0;
}

// Turns private layouts off for the rest of the process. To be called before the first decode.
void decant_use_public_layouts_only(void);

// MARK: SmallString.swift

DECANT_INLINE uint32_t decant_small_strings_state(void) {
  return __atomic_load_n(&decant_small_strings, __ATOMIC_RELAXED);
}
static inline void decant_small_strings_set(uint32_t state) {
  __atomic_store_n(&decant_small_strings, state, __ATOMIC_RELAXED);
}

// MARK: LargeString.swift

// The class of strings that own their bytes: NULL before it is known, DECANT_STRING_CLASS_NONE if strings
// have another layout.
#define DECANT_STRING_CLASS_NONE 1

static inline const void *decant_string_class(void) {
  return __atomic_load_n(&decant_string_class_found, __ATOMIC_RELAXED);
}
static inline void decant_string_class_set(const void *type) {
  __atomic_store_n(&decant_string_class_found, type, __ATOMIC_RELAXED);
}

#ifdef __swift__
// The Swift runtime's (Runtime.md): an object of this class, with one reference.
void *swift_allocObject(const void *type, size_t bytes, size_t alignment_mask);
#endif

DECANT_END

#endif
