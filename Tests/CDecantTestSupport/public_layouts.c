// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The switch of decant_layouts.h, from the environment, before the first test: one build of the tests runs with
// private layouts and without them.

#include "decant_public_layouts.h"

#include <stdlib.h>
#include <string.h>

#include "decant_layouts.h"

bool decant_tests_use_public_layouts_only(void) {
  const char *value = getenv("DECANT_PUBLIC_LAYOUTS_ONLY");
  return value != NULL && strcmp(value, "1") == 0;
}

__attribute__((constructor)) static void begin(void) {
  if (decant_tests_use_public_layouts_only()) decant_use_public_layouts_only();
}
