/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * A library in somebody's process leaves its signals alone: every handler is the default one when main begins, and
 * after a decode. (SwiftPM's dynamic product comes with the toolchain's runtime, whose backtracer takes some.) */

#define _POSIX_C_SOURCE 200809L
#include <decant.h>
#include <signal.h>

#include "check.h"

static int handled(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT, SIGPIPE, SIGTERM};
  int count = 0;
  for (size_t at = 0; at < sizeof signals / sizeof *signals; at++) {
    struct sigaction action;
    if (sigaction(signals[at], NULL, &action) != 0 || action.sa_handler != SIG_DFL) count++;
  }
  return count;
}

int main(void) {
  check(handled() == 0, "no handler before the first call");
  decant_document *document = NULL;
  check(decant_parse("[1, 2]", 6, NULL, &document, NULL) == DECANT_OK, "a document is read");
  decant_document_free(document);
  check(decant_parse("[1, 2", 5, NULL, &document, NULL) != DECANT_OK, "a bad one is refused");
  check(handled() == 0, "no handler after calls");
  return check_end();
}
