/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Rows that would lie about their members. Each LIE must not compile; without one, all of this does. The texts that
 * compilers have to show are in Tests/C/run.
 */
#include <decant.h>

struct part { int x; };
struct row {
  int port;
  char letter;
  struct part part;
  struct part *parts;
  char names[2][8];
  void *storage;
  float ratio;
  double *reals;
  int flags[3];
  bool has_port;
};

static const decant_field fields[] = {
  DECANT_FIELD(struct row, port),
#if LIE == 1
  DECANT_FIELD(struct row, letter),
#elif LIE == 2
  DECANT_FIELD(struct row, part),
#elif LIE == 3
  DECANT_FIELD(struct row, parts),
#elif LIE == 4
  DECANT_FIELD(struct row, names),
#elif LIE == 5
  DECANT_FIELD(struct row, storage, .flags = DECANT_OPTIONAL),
#elif LIE == 6
  DECANT_FIELD_AS(struct row, port, DECANT_INT64),
#elif LIE == 7
  DECANT_FIELD_AS(struct row, port, DECANT_STRING, .flags = DECANT_OPTIONAL),
#elif LIE == 8
  DECANT_FIELD_AS(struct row, port, DECANT_TIME),
#elif LIE == 9
  DECANT_FIELD_AS(struct row, ratio, DECANT_DOUBLE),
#elif LIE == 10
  DECANT_FIELD_AS(struct row, reals, DECANT_FIXED_ARRAY, .element = DECANT_DOUBLE),
#elif LIE == 11
  DECANT_FIELD_AS(struct row, flags, DECANT_ARRAY, .element = DECANT_INT32),
#elif LIE == 12
  DECANT_FIELD(struct row, reals, DECANT_COUNT(struct row, ratio)),
#elif LIE == 13
  DECANT_FIELD(struct row, ratio, DECANT_PRESENCE(struct row, port)),
#elif LIE == 14
  DECANT_FIELD_AS(struct row, letter, DECANT_ENUM),
#elif LIE == 15
  DECANT_FIELD_AS(struct row, ratio, DECANT_DATE),
#elif LIE == 16
  DECANT_FIELD(struct row, flags, .flags = DECANT_LEAVE_OUT, DECANT_LEFT_OUT(struct row, ratio)),
#endif
};
extern const decant_record record;
const decant_record record = DECANT_TABLE(struct row, fields);
