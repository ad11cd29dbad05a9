// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// libjansson's function-like macros as functions, which is all that Swift cannot import. No logic.

#ifndef CJANSSON_SHIM_H
#define CJANSSON_SHIM_H

#include <jansson.h>

static inline json_type decant_jansson_type(const json_t *value) { return json_typeof(value); }
static inline size_t decant_jansson_any(void) { return JSON_DECODE_ANY; }
static inline size_t decant_jansson_allow_nul(void) { return JSON_ALLOW_NUL; }
static inline size_t decant_jansson_reject_duplicates(void) { return JSON_REJECT_DUPLICATES; }

#endif
