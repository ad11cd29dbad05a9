// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// libjansson's function-like macros as functions, which is all that Swift cannot import. No logic.
//
// Importers of DecantJansson need libjansson. Decant itself builds where it is not installed, with
// DECANT_JANSSON_OPTIONAL: missing.h has what DecantJansson needs to compile, and decant_jansson_found() is false.
//
// The module links nothing: Sources/CJanssonLink requests the library from the linker if the header is found. Define
// DECANT_JANSSON_MISSING to build as on a machine without libjansson.

#ifndef CJANSSON_SHIM_H
#define CJANSSON_SHIM_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<jansson.h>) && !defined(DECANT_JANSSON_MISSING)

#include <jansson.h>

static inline bool decant_jansson_found(void) { return true; }
static inline json_type decant_jansson_type(const json_t *value) { return json_typeof(value); }
static inline size_t decant_jansson_any(void) { return JSON_DECODE_ANY; }
static inline size_t decant_jansson_allow_nul(void) { return JSON_ALLOW_NUL; }
static inline size_t decant_jansson_reject_duplicates(void) { return JSON_REJECT_DUPLICATES; }

#elif defined(DECANT_JANSSON_OPTIONAL)

#include "missing.h"

static inline bool decant_jansson_found(void) { return false; }

#else
#error "DecantJansson needs libjansson: install libjansson-dev (Debian) or jansson (Homebrew)"
#endif

#endif
