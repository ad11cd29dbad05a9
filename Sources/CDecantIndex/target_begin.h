// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From here to target_end.h, functions are compiled for DECANT_TARGET_FEATURES, whatever the command line says. Call them
// only after a check of the processor's features.

#define DECANT_PRAGMA(text)          _Pragma(#text)
#define DECANT_EXPANDED_PRAGMA(text) DECANT_PRAGMA(text)
#if defined(__clang__)
DECANT_EXPANDED_PRAGMA(clang attribute push(__attribute__((target(DECANT_TARGET_FEATURES))),
                                            apply_to = function))
#else
#pragma GCC push_options
DECANT_EXPANDED_PRAGMA(GCC target(DECANT_TARGET_FEATURES))
#endif
