/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * What the standard library's hashing and the engine's draw their seeds from. That of wasi-libc does the same, and
 * brings all of printf for its assertions.
 */
#include <stdlib.h>
#include <wasi/api.h>

void arc4random_buf(void *bytes, size_t count);
void arc4random_buf(void *bytes, size_t count) {
  if (__wasi_random_get(bytes, count) != 0) abort();
}
