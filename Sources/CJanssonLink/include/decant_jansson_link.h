// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Nothing to call: see link.c.
