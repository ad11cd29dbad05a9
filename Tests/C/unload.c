/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The shared library, with the Swift runtime inside, as a plugin's: it is loaded, used by two threads, unloaded while the
 * one that keeps a buffer for its next document lives, and loaded again. That thread ends between.
 *
 *   unload LIBRARY
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <pthread.h>

#include "check.h"

enum { ELEMENTS = 5000 };
static char json[2 * ELEMENTS + 2] = "[";
static void *library;
static pthread_barrier_t used, unloaded;

/* What is unloaded is not called by name. */
static void *symbol(const char *name) {
  void *address = dlsym(library, name);
  check(address != NULL, name);
  return address;
}

static void use(void) {
  decant_status (*parse)(const char *, size_t, const decant_options *, decant_document **, decant_error *);
  decant_value (*root)(const decant_document *);
  size_t (*count)(decant_value);
  void (*release)(decant_document *);
  *(void **)&parse = symbol("decant_parse");
  *(void **)&root = symbol("decant_root");
  *(void **)&count = symbol("decant_count");
  *(void **)&release = symbol("decant_document_free");
  decant_document *document = NULL;
  if (!check(parse(json, sizeof json - 1, NULL, &document, NULL) == DECANT_OK, "a document")) return;
  check(count(root(document)) == ELEMENTS, "its elements");
  release(document);
}

static void *thread(void *unused) {
  use();
  pthread_barrier_wait(&used);
  pthread_barrier_wait(&unloaded);
  return unused;
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  for (int at = 0; at < ELEMENTS; at++) memcpy(json + 1 + 2 * at, at + 1 < ELEMENTS ? "1," : "1]", 2);
  pthread_barrier_init(&used, NULL, 2);
  pthread_barrier_init(&unloaded, NULL, 2);
  for (int round = 0; round < 3; round++) {
    library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!check(library != NULL, "the library is loaded")) break;
    use();
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    pthread_barrier_wait(&used);
    check(dlclose(library) == 0, "it is closed");
#ifdef __GLIBC__
    check(dlopen(arguments[1], RTLD_NOW | RTLD_NOLOAD) == NULL, "it is gone");
#endif
    pthread_barrier_wait(&unloaded);
    check(pthread_join(other, NULL) == 0, "the thread ends");
  }
  return check_end();
}
