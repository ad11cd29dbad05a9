/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The C interface: what every C program that uses Decant shares. Functions that fill a struct of yours,
 * such as decode_user(), stand in the header that belongs to the model.
 *
 *     #include <decant.h>
 *     #include "user.h"
 *
 *     struct decant_user user;
 *     decant_error error = DECANT_ERROR_INIT;
 *     if (decode_user(json, length, &user, &error) != DECANT_OK) {
 *       fprintf(stderr, "%s\n", error.message);   // 1:7: /id: expected an integer, found the string "5"
 *     } else {
 *       printf("%lld %s\n", (long long)user.id, user.name);
 *       user_free(&user);
 *     }
 *
 * Rules that hold everywhere:
 *   - Input is a pointer and a length. It is only read, during the call; it needs no terminator.
 *   - Output is written on success only. On failure the struct is as it was.
 *   - Strings that are handed out are UTF-8 and end with a NUL byte that their length does not count.
 *     They may have NUL bytes inside, if the JSON has.
 *   - Every decoded value owns one block of memory, which its *_free function gives back. Freeing NULL,
 *     or twice, does nothing.
 *   - No function keeps state, and all may be called from any thread.
 *
 * C99 and later, C++11 and later.
 */
#ifndef DECANT_H
#define DECANT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define DECANT_NULLABLE _Nullable
#else
#define DECANT_NULLABLE
#endif

/* ---------------------------------------------------------------------------------------------------
 * Version
 */

/* The version of this header: major * 10000 + minor * 100 + patch. */
#define DECANT_VERSION_NUMBER 100

/* The library's version, such as "0.1.0". Never NULL; not to be freed. */
const char *decant_version(void);

/* The library's version as a number. The library serves programs compiled with a header of the same
 * major version (before 1.0: the same minor version) and the same or a lower number. */
int32_t decant_version_number(void);

/* ---------------------------------------------------------------------------------------------------
 * Status
 */

/* What a call came to: DECANT_OK or one of the codes below. Codes are added, never renumbered; a code
 * divided by 100 is its category: 1 syntax, 2 data, 3 limit, 4 input, 5 memory. */
typedef int32_t decant_status;

enum {
  DECANT_OK = 0,

  DECANT_UNEXPECTED_BYTE = 101,    /* [1 2]      a byte that no rule allows here */
  DECANT_UNEXPECTED_END = 102,     /* [1,        the input ends inside a value */
  DECANT_INVALID_LITERAL = 103,    /* [nul]      starts like true, false or null and is not */
  DECANT_INVALID_NUMBER = 104,     /* [01]       against the grammar of numbers */
  DECANT_CONTROL_CHARACTER = 105,  /* ["<TAB>"]  a raw byte below 0x20 in a string */
  DECANT_INVALID_ESCAPE = 106,     /* ["\x"]     unknown letter, or not four hex digits after \u */
  DECANT_LONE_SURROGATE = 107,     /* ["\ud800"] half of a surrogate pair */
  DECANT_INVALID_UTF8 = 108,       /* ["<FF>"]   not UTF-8 */
  DECANT_TRAILING_BYTES = 109,     /* 1 2        something after the one value */
  DECANT_BYTE_ORDER_MARK = 110,    /* <BOM>{}    a byte order mark before the document */
  DECANT_NUMBER_OVERFLOW = 111,    /* [1e400]    a number that no double can hold */

  DECANT_TYPE_MISMATCH = 201,        /* {"id":"5"}      another kind of value than the model expects */
  DECANT_MISSING_KEY = 202,          /* {}              a required key is absent, or null */
  DECANT_NUMBER_OUT_OF_RANGE = 203,  /* 300 for int8_t  an integer that the field cannot hold */
  DECANT_NOT_AN_INTEGER = 204,       /* 1.5 for int     a number with a fraction or an exponent */
  DECANT_INVALID_VALUE = 205,        /* "brunch"        the right kind, not an accepted value */
  DECANT_CUSTOM = 206,               /*                 the model's own error */
  DECANT_DUPLICATE_KEY = 207,        /* {"a":1,"a":2}   where duplicates are refused */
  DECANT_MISSING_ELEMENT = 208,      /* []              an array that is too short for a path */
  DECANT_MULTIPLE = 299,             /*                 several of the above; message has them all */

  DECANT_TOO_DEEP = 301,   /* [[[…   more nesting than the limit (512) */
  DECANT_TOO_LARGE = 302,  /*        more bytes than the limit (4 GiB) */

  DECANT_EMPTY_INPUT = 401,       /*        no bytes, or only white space */
  DECANT_INVALID_POINTER = 402,   /* user   not a JSON Pointer (RFC 6901) */
  DECANT_UNSUPPORTED = 403,       /*        an option that the engine cannot honour */
  DECANT_INVALID_ARGUMENT = 404,  /*        a NULL pointer, or a struct of an unknown size */

  DECANT_OUT_OF_MEMORY = 501
};

/* The name of a status, such as "type mismatch"; "unknown status" for others. Not to be freed. */
const char *decant_status_name(decant_status status);

/* ---------------------------------------------------------------------------------------------------
 * Error
 */

/* What went wrong and where. Yours; begin with DECANT_ERROR_INIT, which sets `size`, and hand it in, or
 * hand in NULL. Written on failure only. */
typedef struct decant_error {
  size_t size;           /* sizeof(decant_error), set by you */
  decant_status code;    /* the status that the call returned */
  int32_t error_count;   /* how many errors `message` is about: 1 or more */
  int64_t offset;        /* of the first offending byte, from 0; -1 if unknown */
  int64_t line, column;  /* from 1, columns in characters; 0 if unknown */
  char path[256];        /* JSON Pointer of the value, such as "/users/3/age"; cut if longer */
  char message[1024];    /* one line an error, UTF-8, as in Swift; cut if longer */
} decant_error;

#define DECANT_ERROR_INIT {sizeof(decant_error), DECANT_OK, 0, -1, 0, 0, "", ""}

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#ifdef __cplusplus
}
#endif

#endif
