/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The header needs nothing before it, may come twice, and has no warnings in any version of C.
 */
#include "decant.h"
#include "decant.h"

decant_error header_error = {sizeof header_error, DECANT_OK, 0, 0, 0, 0, "", "", ""};
decant_options header_options = DECANT_OPTIONS_INIT;
