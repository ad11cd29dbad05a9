// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// avx512.c for processors that have AVX-512BW and not VBMI2 (Skylake-X, Cascade Lake): bytes are
// classified by nibbles, and entries listed as AVX2 does.

#include "internal.h"

#if DECANT_X86
#define DECANT_VBMI 0
#define DECANT_TARGET_FEATURES \
  "avx512f,avx512bw,avx512dq,avx512vl,avx2,pclmul,popcnt,bmi,bmi2,lzcnt"
#include "avx512.c"
#endif
