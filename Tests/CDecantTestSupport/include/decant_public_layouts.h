// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

#ifndef DECANT_PUBLIC_LAYOUTS_H
#define DECANT_PUBLIC_LAYOUTS_H

#include <stdbool.h>

// Whether the tests run without private layouts: the environment has DECANT_PUBLIC_LAYOUTS_ONLY=1.
bool decant_tests_use_public_layouts_only(void);

#endif
