/* odd.h: written by decant-header from Swift models; not to be edited.
 *
 * Comments of * / *.h
 *
 * decant.h says what holds for all functions and strings.
 */
#ifndef LIBRARY_ODD_H
#define LIBRARY_ODD_H

#include <decant.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  DECANT_DAY_FIRST = 1,
  DECANT_DAY_SECOND = 1073741824
};

#define DECANT_DAY_LAST UINT32_C(2147483648)

#define DECANT_LAST_ONLY UINT32_C(2147483648)

/* Of a/ *.json / * / and ** / what?? /
 *
 * is \
 *
 * that all?? /
 */
struct library_odd {
  int64_t class_;    /* of a/ *.c * / */
  /* one
   *
   * two
   */
  int64_t two_lines;
  uint32_t days;     /* DECANT_DAY_…, or-ed */
  uint32_t last;     /* DECANT_LAST_…, or-ed */
};

/* The layout that the library writes. */
#if defined __cplusplus
#define DECANT_ASSERT static_assert
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define DECANT_ASSERT _Static_assert
#endif
#ifdef DECANT_ASSERT
DECANT_ASSERT(sizeof(struct library_odd) == 24, "struct library_odd");
DECANT_ASSERT(offsetof(struct library_odd, class_) == 0, "class_");
DECANT_ASSERT(offsetof(struct library_odd, two_lines) == 8, "two_lines");
DECANT_ASSERT(offsetof(struct library_odd, days) == 16, "days");
DECANT_ASSERT(offsetof(struct library_odd, last) == 20, "last");
#undef DECANT_ASSERT
#endif

#ifdef __cplusplus
}
#endif

#endif
