# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# The kernels for AVX-512 on processors without it, to be sourced.
#
#   avx512_in_software FOLDER     # a copy of Sources/CDecantIndex: its AVX-512 is Tests/Support/avx512_in_software.h's
#
# The processor is taken for one that has all of it, but nothing is compiled for what it lacks. Nothing happens where it
# lacks nothing.

avx512_in_software() {
  [ "$(uname -m)" = x86_64 ] && ! grep -qs avx512_vbmi2 /proc/cpuinfo || return 0
  local engine=$root/Sources/CDecantIndex
  cp "$root/Tests/Support/avx512_in_software.h" "$1" &&
    sed -i 's/"avx512[a-z0-9,]*,avx2,/"avx2,/; s/<immintrin.h>/"avx512_in_software.h"/' "$1/avx512.c" &&
    sed -i '/^static DECANT_COLD unsigned ask_processor(void) {$/a return ASKED | SSE42 | AVX2 | AVX512BW | AVX512;' \
      "$1/index.c" &&
    ! cmp -s "$1/avx512.c" "$engine/avx512.c" && ! cmp -s "$1/index.c" "$engine/index.c"
}
