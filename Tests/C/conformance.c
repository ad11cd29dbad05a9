/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Test data of others, through decant.h; prints what each file came to, which is the same on every platform.
 *
 *   conformance FOLDER FILE…
 *
 * A file *.json is of Nicolas Seriot's JSONTestSuite ("Parsing JSON is a Minefield", 2016): y_ is accepted, n_ is
 * refused, i_ may be either. A file *.txt is of parse-number-fxx-test-data, a line `3C00 3F800000 3FF0000000000000 1.0`
 * a number: its bits as half, float and double, and its text, which is left out where it is no number of JSON.
 */
#include "check.h"

#include <stdlib.h>

/* The bytes of a file; NULL if it cannot be read. */
static char *read_file(const char *folder, const char *name, size_t *length) {
  enum { MOST = 1 << 21 };
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  char *bytes = malloc(MOST);
  if (bytes != NULL) *length = fread(bytes, 1, MOST, file);
  fclose(file);
  return bytes;
}

/* As messages show it, so that outputs can be compared line by line. */
static void show(const char *name, const decant_error *error) {
  printf("%s: %d, %lld, %lld:%lld, %s\n", name, (int)error->code, (long long)error->offset, (long long)error->line,
         (long long)error->column, error->message);
}

static bool is_right(const char *name, const char *json, size_t length) {
  decant_document *document = NULL;
  decant_error error = DECANT_ERROR_INIT;
  const decant_status status = decant_parse(json, length, NULL, &document, &error);
  if ((status == DECANT_OK) != (document != NULL)) return false;
  if (status == DECANT_OK) printf("%s: accepted\n", name);
  else show(name, &error);
  decant_document_free(document);
  const char *slash = strrchr(name, '/');
  const char group = slash != NULL ? slash[1] : name[0];
  return group == 'i' || (status == DECANT_OK) == (group == 'y');
}

/* A field `n`, in as many bits as it has. */
static decant_status decode_number(const char *json, size_t length, uint16_t kind, size_t width, uint64_t *bits) {
  const decant_field field = {.key = "n", .kind = kind};
  const decant_record record = {.size = width, .fields = &field, .field_count = 1};
  uint32_t single = 0;
  const decant_status status = decant_decode(&record, json, length, width == 4 ? (void *)&single : (void *)bits, NULL);
  if (width == 4) *bits = single;
  return status;
}

/* Whether a number has these bits, or is out of range where they are infinity's. */
static bool has_bits(const char *json, size_t length, uint16_t kind, size_t width, uint64_t bits, uint64_t infinity) {
  uint64_t found = 0;
  const decant_status status = decode_number(json, length, kind, width, &found);
  if ((bits & infinity) == infinity) return status == DECANT_NUMBER_OUT_OF_RANGE;
  return status == DECANT_OK && found == bits;
}

static bool are_right(const char *name, const char *lines, size_t length) {
  unsigned numbers = 0, others = 0, wrong = 0;
  const char *const end = lines + length;
  for (const char *line = lines; line < end;) {
    const char *last = memchr(line, '\n', (size_t)(end - line));
    if (last == NULL) last = end;
    char json[2048];
    const int written = snprintf(json, sizeof json, "{\"n\":%.*s}", (int)(last - line - 31), line + 31);
    const uint64_t as_float = strtoull(line + 5, NULL, 16), as_double = strtoull(line + 14, NULL, 16);
    decant_document *document = NULL;
    if (decant_parse(json, (size_t)written, NULL, &document, NULL) != DECANT_OK) {
      others++;
    } else {
      numbers++;
      if (!has_bits(json, (size_t)written, DECANT_FLOAT, 4, as_float, 0x7F800000) ||
          !has_bits(json, (size_t)written, DECANT_DOUBLE, 8, as_double, 0x7FF0000000000000)) {
        if (wrong++ < 10) printf("%s\n", json);
      }
    }
    decant_document_free(document);
    line = last + 1;
  }
  printf("%s: %u numbers, %u wrong, %u others\n", name, numbers, wrong, others);
  return numbers > 0 && wrong == 0;
}

int main(int count, char **arguments) {
  for (int at = 2; at < count; at++) {
    size_t length = 0;
    char *json = read_file(arguments[1], arguments[at], &length);
    const bool holds_numbers = strstr(arguments[at], ".txt") != NULL;
    const bool is_fine = json != NULL && (holds_numbers ? are_right : is_right)(arguments[at], json, length);
    if (!check(is_fine, "as the suite has it")) puts(arguments[at]);
    free(json);
  }
  return check_end();
}
