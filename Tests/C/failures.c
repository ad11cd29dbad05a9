/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Every allocation fails in turn, once and from then on, cold and warm: each call ends with a status or a
 * right answer, nothing leaks, and out is as it was. The allocator is this program's own, which counts.
 */
#include "check.h"
#include "everything.h"

#include <errno.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

static long until_failure = -1; /* how many allocations succeed; -1: all */
static bool fails_on;           /* all that follow fail too */
static long allocations, blocks;

static bool fails(void) {
  allocations++;
  if (until_failure < 0) return false;
  if (until_failure > 0) {
    until_failure--;
    return false;
  }
  if (!fails_on) until_failure = -1;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size) {
  if (fails()) return NULL;
  blocks++;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  if (fails()) return NULL;
  blocks++;
  return __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
  if (fails()) return NULL;
  if (block == NULL) blocks++;
  return __libc_realloc(block, size);
}
void free(void *block) {
  if (block != NULL) blocks--;
  __libc_free(block);
}

/* One document that is decoded, and what it should come to. */
static char large_json[1 << 16];
static const char wrong_json[] = "{\"flag\":1,\"i8\":999,\"map\":{\"a\":[]},\"names\":[1,2,3]}";

static decant_status attempt(const char *json, size_t length, decant_error *error) {
  struct everything out, before;
  memset(&out, 0xAA, sizeof out);
  memcpy(&before, &out, sizeof out);
  decant_status status = decant_decode(&everything_record, json, length, &out, error);
  if (status == DECANT_OK) {
    bool right = out.i32 == 100 && out.map_count >= 2 && strcmp(out.city, "Ulm") == 0;
    if (!right) check(false, "a right answer");
    decant_free(&everything_record, &out);
  } else if (memcmp(&out, &before, sizeof out) != 0) {
    check(false, "out is untouched");
  }
  return status;
}

static void sweep(const char *name, const char *json, size_t length, decant_status expected) {
  for (int on = 0; on < 2; on++) {
    for (int warm = 0; warm < 2; warm++) {
      long runs = 0;
      for (long at = 0;; at++, runs++) {
        decant_error error = DECANT_ERROR_INIT;
        if (warm) attempt(json, length, NULL);
        long before = blocks;
        fails_on = on;
        until_failure = at;
        decant_status status = attempt(json, length, &error);
        bool failed_once = until_failure < 0 || (on && until_failure == 0);
        until_failure = -1;
        if (status != expected && status != DECANT_OUT_OF_MEMORY) {
          printf("%s: allocation %ld: %s\n", name, at, error.message);
          check(false, "out of memory is what it says");
        }
        /* The thread keeps one block for its next document. */
        if (blocks > before + 1) check(false, "nothing leaks");
        if (!failed_once || at > 1000) {
          check(status == expected, "without a failure, the right answer");
          break;
        }
      }
      printf("%s, %s, %s: %ld failures\n", name, on ? "from then on" : "once", warm ? "warm" : "cold",
             runs);
    }
  }
}

/* everything_json with a map, arrays and strings that are too large for the stack. */
static size_t make_large(void) {
  size_t length = (size_t)sprintf(large_json, "%.*s,\"pad\":[", (int)sizeof everything_json - 2,
                                  everything_json);
  for (int at = 0; at < 2000; at++) {
    length += (size_t)sprintf(large_json + length, "%s\"%d\"", at ? "," : "", at);
  }
  length += (size_t)sprintf(large_json + length, "]}");
  char *map = strstr(large_json, "\"one\":1");
  char tail[1 << 15];
  memcpy(tail, map, length - (size_t)(map - large_json) + 1);
  size_t place = (size_t)(map - large_json);
  for (int at = 0; at < 1500; at++) {
    place += (size_t)sprintf(large_json + place, "\"k%d\":%d,", at, at);
  }
  strcpy(large_json + place, tail);
  return strlen(large_json);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  size_t length = make_large();
  long at_start = blocks;
  sweep("small", everything_json, sizeof everything_json - 1, DECANT_OK);
  sweep("large", large_json, length, DECANT_OK);
  sweep("wrong", wrong_json, sizeof wrong_json - 1, DECANT_MULTIPLE);
  sweep("malformed", large_json, length - 1, DECANT_UNEXPECTED_END);
  check(blocks <= at_start + 1, "nothing leaked in all");
  return check_end();
}
