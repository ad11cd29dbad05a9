// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The state behind decant_layouts.h.

#include "decant_layouts.h"

#ifdef DECANT_PUBLIC_LAYOUTS_ONLY
uint32_t decant_public_layouts_only = 1;
#else
uint32_t decant_public_layouts_only;
#endif

uint32_t decant_small_strings;
const void *decant_string_class_found;

void decant_use_public_layouts_only(void) {
  __atomic_store_n(&decant_public_layouts_only, 1, __ATOMIC_RELAXED);
  decant_small_strings_set(DECANT_LAYOUT_OTHER);
  decant_string_class_set((const void *)DECANT_STRING_CLASS_NONE);
}
