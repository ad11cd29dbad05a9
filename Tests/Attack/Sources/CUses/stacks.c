/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * A record that contains itself, decoded, failed and encoded.
 */
#include "CUses.h"

#include <decant.h>

#include <stddef.h>

struct comment {
  int64_t id;
  struct comment *replies;
  size_t reply_count;
  void *storage;
};

static const decant_record comment_record;
static const decant_field comment_fields[] = {
    {.key = "id",
     .kind = DECANT_INT64,
     .flags = DECANT_OPTIONAL,
     .offset = offsetof(struct comment, id)},
    {.key = "c",
     .kind = DECANT_ARRAY,
     .element = DECANT_RECORD,
     .offset = offsetof(struct comment, replies),
     .length_offset = offsetof(struct comment, reply_count),
     .record = &comment_record},
};
static const decant_record comment_record = {.size = sizeof(struct comment),
                                             .fields = comment_fields,
                                             .field_count = 2,
                                             .storage_offset = offsetof(struct comment, storage)};

int32_t stack_in_c(const char *json, size_t length) {
  struct comment comment = {0};
  decant_error error = DECANT_ERROR_INIT;
  decant_status status = decant_decode(&comment_record, json, length, &comment, &error);
  if (status != DECANT_OK) return status;
  char text[4096];
  size_t written = 0;
  status = decant_encode(&comment_record, &comment, text, sizeof text, &written, &error);
  decant_free(&comment_record, &comment);
  return status;
}

int32_t description_in_c(const char *json, size_t length) {
  decant_schema *schema;
  struct ArrowArrayStream rows;
  decant_status status = decant_schema_parse(json, length, NULL, &schema, NULL);
  if (status != DECANT_OK) return status;
  status = decant_read_arrow(decant_schema_record(schema), "{}", 2, NULL, &rows, NULL, NULL);
  if (status == DECANT_OK) {
    struct ArrowSchema types;
    if (rows.get_schema(&rows, &types) == 0) types.release(&types);
    rows.release(&rows);
  }
  decant_schema_free(schema);
  return status;
}
