// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What making the standard library's strings by hand takes from C: LargeString.swift.

#ifndef DECANT_STRINGS_H
#define DECANT_STRINGS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The class of strings that own their bytes: NULL before it is known, DECANT_STRING_CLASS_NONE if strings
// are not kept as they were.
#define DECANT_STRING_CLASS_NONE 1
extern const void *decant_string_class_found;

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

#ifdef __cplusplus
}
#endif
#endif
