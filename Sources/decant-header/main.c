/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * decant-header: writes the C headers of a library of Swift models.
 *
 *     decant-header [--check] [--output FOLDER] LIBRARY
 *
 *     --check           writes nothing; status 1 if a header is not what the library would write
 *     --output FOLDER   where the headers are; the current folder
 *     --help            prints this
 *
 * The library is loaded, and its function decant_headers hands the texts over: see CHeader in the module
 * DecantHeader. A function that a header declares and the library does not have is an error. Headers that
 * are as they should be are not touched.
 *
 * Exit status: 0; 1 if something is stale, missing or wrong; 2 if something cannot be read or written.
 */
#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
  const char *library;
  const char *folder;
  bool is_check;
  void *handle;
  char *file; /* the header that functions now belong to */
  int status;
};

static void raise_status(struct job *job, int status) {
  if (job->status < status) job->status = status;
}

static void cannot(struct job *job, const char *verb, const char *path) {
  fprintf(stderr, "decant-header: cannot %s %s: %s\n", verb, path, strerror(errno));
  raise_status(job, 2);
}

/* "FOLDER/name", to be freed. */
static char *join(const char *folder, const char *name) {
  size_t size = strlen(folder) + strlen(name) + 2;
  char *path = malloc(size);
  if (path != NULL) snprintf(path, size, "%s/%s", folder, name);
  return path;
}

/* Whether a file has exactly this text. */
static bool has_text(const char *path, const char *text) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return false;
  bool is_same = true;
  for (; is_same && *text != '\0'; text++) is_same = getc(file) == (unsigned char)*text;
  is_same = is_same && getc(file) == EOF;
  fclose(file);
  return is_same;
}

static void write_text(struct job *job, const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  if (file == NULL) {
    cannot(job, "write", path);
    return;
  }
  bool is_written = fputs(text, file) != EOF;
  if (fclose(file) != 0 || !is_written) {
    cannot(job, "write", path);
    return;
  }
  printf("decant-header: wrote %s\n", path);
}

static void take_header(struct job *job, const char *text) {
  char *path = join(job->folder, job->file);
  if (path == NULL) {
    cannot(job, "write", job->file);
  } else if (has_text(path, text)) {
    /* As it should be. */
  } else if (job->is_check) {
    fprintf(stderr, "decant-header: %s is not what %s says\n", path, job->library);
    raise_status(job, 1);
  } else {
    write_text(job, path, text);
  }
  free(path);
}

/* What the library calls: CHeader.Sink. */
static void take(void *context, const char *name, const char *text) {
  struct job *job = context;
  if (name == NULL) {
    fprintf(stderr, "decant-header: %s\n", text);
    raise_status(job, 1);
  } else if (text != NULL) {
    free(job->file);
    job->file = strdup(name);
    if (job->file == NULL) {
      cannot(job, "write", name);
      return;
    }
    take_header(job, text);
  } else if (dlsym(job->handle, name) == NULL) {
    fprintf(stderr, "decant-header: %s has no function %s, which %s declares\n", job->library, name,
            job->file == NULL ? "a header" : job->file);
    raise_status(job, 1);
  }
}

typedef bool (*headers_function)(void (*sink)(void *, const char *, const char *), void *context);

static void run(struct job *job) {
  /* A name without a slash would be searched for in the system's folders. */
  char *path = strchr(job->library, '/') == NULL ? join(".", job->library) : strdup(job->library);
  job->handle = path == NULL ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
  free(path);
  if (job->handle == NULL) {
    fprintf(stderr, "decant-header: cannot load %s: %s\n", job->library, dlerror());
    raise_status(job, 2);
    return;
  }
  void *symbol = dlsym(job->handle, "decant_headers");
  if (symbol == NULL) {
    fprintf(stderr, "decant-header: %s has no function decant_headers, which names its headers\n",
            job->library);
    raise_status(job, 2);
    return;
  }
  headers_function headers;
  memcpy(&headers, &symbol, sizeof headers);
  if (!headers(take, job)) raise_status(job, 1);
  free(job->file);
}

static const char *const usage = "usage: decant-header [--check] [--output FOLDER] LIBRARY\n";

static int help(void) {
  printf("%s\n%s", usage,
         "Writes the C headers of a library of Swift models.\n\n"
         "  --check           writes nothing; status 1 if a header is not what it would be\n"
         "  --output FOLDER   where the headers are; the current folder\n");
  return 0;
}

/* What is wrong with a word of the command line, or with all of it. */
static int misused(const char *problem, const char *word) {
  if (word != NULL) fprintf(stderr, "decant-header: %s %s\n", problem, word);
  fputs(usage, stderr);
  return 2;
}

int main(int count, char **words) {
  struct job job = {NULL, ".", false, NULL, NULL, 0};
  for (int place = 1; place < count; place++) {
    const char *word = words[place];
    if (strcmp(word, "--help") == 0) return help();
    if (strcmp(word, "--check") == 0) {
      job.is_check = true;
    } else if (strcmp(word, "--output") == 0) {
      if (place + 1 == count) return misused("no folder after", word);
      job.folder = words[++place];
    } else if (word[0] == '-') {
      return misused("unknown option", word);
    } else if (job.library != NULL) {
      return misused("one library at a time: there is also", word);
    } else {
      job.library = word;
    }
  }
  if (job.library == NULL) return misused(NULL, NULL);
  run(&job);
  return job.status;
}
