// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Linked in for `decant_fuzz_main`, which nothing calls by name.
