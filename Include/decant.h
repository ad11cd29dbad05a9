/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The C interface. A table describes a struct of yours; decant_decode() fills the struct from JSON,
 * and decant_encode() writes the struct as JSON, with no other representation in between. Headers
 * that `decant-header` writes from Swift models, such as user.h with decode_user(), need no table:
 * there the model is decoded, and then copied into its struct.
 *
 *     #include <decant.h>
 *     #include <stdio.h>
 *
 *     struct user { int64_t id; const char *name; const char *email; void *storage; };
 *
 *     static const decant_field fields[] = {
 *       DECANT_FIELD(struct user, id),
 *       DECANT_FIELD(struct user, name),
 *       DECANT_FIELD(struct user, email, .flags = DECANT_OPTIONAL)};
 *     static const decant_record record =
 *       DECANT_TABLE(struct user, fields, .storage_offset = offsetof(struct user, storage));
 *
 *     struct user user;
 *     decant_error error = DECANT_ERROR_INIT;
 *     if (decant_decode(&record, json, length, &user, &error) != DECANT_OK) {
 *       fprintf(stderr, "%s\n", error.message);
 *       // 1:7: /id: expected an integer, found the string "5"
 *       //   {"id":"5","name":"Tester"}
 *       //         ^~~
 *       return;
 *     }
 *     user.email = "ann@example.com";
 *     char text[256];
 *     size_t text_length;
 *     if (decant_encode(&record, &user, text, sizeof text, &text_length, &error) == DECANT_OK) {
 *       printf("%.*s\n", (int)text_length, text);
 *       // {"id":5,"name":"Tester","email":"ann@example.com"}
 *     }
 *     decant_free(&record, &user);
 *
 * Rules that hold everywhere:
 *   - Input is a pointer and a length. It is only read, during the call; it needs no terminator.
 *     The whole document is checked against RFC 8259, whatever the table asks for.
 *   - Output is written on success only, and all of it: members of a struct that its table does
 *     not name are zeros, and what the struct owned is not freed. On failure the struct is as it
 *     was, byte for byte. Text is the exception: see decant_encode(). `out` must not overlap the
 *     input, and no other thread may use it during the call.
 *   - Strings that are handed out are UTF-8 and end with a NUL byte that their length does not
 *     count. A counted string may have NUL bytes inside, if the JSON has. Where nothing counts a
 *     string, in a `const char *` or `char[]` without a length, "admin\u0000" would compare equal
 *     to "admin": the call returns DECANT_INVALID_VALUE.
 *   - Every decoded value owns at most one block of memory, and one call releases it. Freeing NULL
 *     or a struct of zeros, or freeing twice, does nothing.
 *   - All functions may be called from any thread, and after fork() with what no other thread was
 *     using; not from signal handlers. Each thread caches one buffer of at most 1 MiB for its next
 *     document, and frees it when it ends; there is no other state between calls that a program
 *     could see. The locale changes nothing, and errno tells nothing.
 *   - Functions of yours that are called may call others here, and have to return: no longjmp(),
 *     no C++ exception.
 *   - Nothing aborts: NULL pointers, invalid tables and exhausted memory are statuses. What the
 *     library cannot check is that a pointer points to what it should. libjansson (DECANT_JANSSON)
 *     has assertions of its own, some of which fail when there is no memory.
 *
 * C99 and later, C++11 and later; DECANT_FIELD and the like need C11 or C++. Included here, too:
 * decant_columns.h with columns, for Arrow, and descriptions, which make tables at run time, and
 * decant_writer.h with text in memory that grows or to a function, and a writer.
 */
#ifndef DECANT_H
#define DECANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------------
 * Version
 */

/* The version of this header: major * 10000 + minor * 100 + patch. */
#define DECANT_VERSION_NUMBER 100

/* The library's version, such as "0.1.0". Never NULL; not to be freed. */
const char *decant_version(void);

/* The library's version as a number. The library serves programs compiled with a header of the same
 * major version (before 1.0: the same minor version) and the same or a lower number. */
int32_t decant_version_number(void);

/* -------------------------------------------------------------------------------------------------
 * Status
 */

/* What a call came to: DECANT_OK or one of the codes below. Codes are added, never renumbered; a
 * code divided by 100 is its category: 1 syntax, 2 data, 3 limit, 4 input, 5 memory. */
typedef int32_t decant_status;

enum {
  DECANT_OK = 0,

  DECANT_UNEXPECTED_BYTE = 101,    /* [1 2]      a byte that no rule allows here */
  DECANT_UNEXPECTED_END = 102,     /* [1,        the input ends inside a value */
  DECANT_INVALID_LITERAL = 103,    /* [nul]      starts like true, false or null and is not */
  DECANT_INVALID_NUMBER = 104,     /* [01]       against the grammar of numbers */
  DECANT_CONTROL_CHARACTER = 105,  /* ["<TAB>"]  a raw byte below 0x20 in a string */
  DECANT_INVALID_ESCAPE = 106,     /* ["\x"]     unknown letter, or not four hex digits after \u */
  DECANT_LONE_SURROGATE = 107,     /* ["\ud800"] an unpaired surrogate */
  DECANT_INVALID_UTF8 = 108,       /* ["<FF>"]   not UTF-8 */
  DECANT_TRAILING_BYTES = 109,     /* 1 2        something after the one value */
  DECANT_BYTE_ORDER_MARK = 110,    /* <BOM>{}    a byte order mark before the document */
  DECANT_NUMBER_OVERFLOW = 111,    /* [1e400]    a number that libjansson cannot hold. The native
                                    *            engine keeps its text; decoding it as a double
                                    *            returns DECANT_NUMBER_OUT_OF_RANGE */

  DECANT_TYPE_MISMATCH = 201,        /* {"id":"5"}      not the kind that the model expects */
  DECANT_MISSING_KEY = 202,          /* {}              a required key is absent, or null */
  DECANT_NUMBER_OUT_OF_RANGE = 203,  /* 300 for int8_t  a number that the field cannot hold */
  DECANT_NOT_AN_INTEGER = 204,       /* 1.5 for int     a number with a fraction or an exponent */
  DECANT_INVALID_VALUE = 205,        /* "brunch"        the right kind, not an accepted value */
  DECANT_CUSTOM = 206,               /*                 the model's own error */
  DECANT_DUPLICATE_KEY = 207,        /* {"a":1,"a":2}   where duplicates are refused */
  DECANT_MISSING_ELEMENT = 208,      /* []              an array that is too short for a path */
  DECANT_UNKNOWN_KEY = 209,          /* {"nmae":1}      where unknown members are refused */
  DECANT_MULTIPLE = 299,             /*                 several of these; message has all */

  DECANT_TOO_DEEP = 301,   /* [[[…   more nesting than the limit (512) */
  DECANT_TOO_LARGE = 302,  /*        more bytes or memory than the limit; message says which */

  DECANT_EMPTY_INPUT = 401,       /*        no bytes, or only white space */
  DECANT_INVALID_POINTER = 402,   /* user   not a JSON Pointer (RFC 6901) */
  DECANT_UNSUPPORTED = 403,       /*        an option that the engine cannot honour */
  DECANT_INVALID_ARGUMENT = 404,  /*        a NULL pointer, or a struct of an unknown size */
  DECANT_INVALID_RECORD = 405,    /*        an invalid table; message says which field and why */

  DECANT_OUT_OF_MEMORY = 501,
  DECANT_BUFFER_TOO_SMALL = 502   /* the caller's buffer; message says how many bytes are needed */
};

/* The name of a status, such as "type mismatch"; "unknown status" for others. Not to be freed. */
const char *decant_status_name(decant_status status);

/* -------------------------------------------------------------------------------------------------
 * Error
 */

/* What went wrong and where. Yours; begin with DECANT_ERROR_INIT, which sets `size`, and hand it
 * in, or hand in NULL. Written on failure only. A struct of zeros is written, too, and gets its
 * size; any other `size` that is less is not this struct's, and nothing is written. */
typedef struct decant_error {
  size_t size;           /* sizeof(decant_error), set by you */
  decant_status code;    /* the status that the call returned */
  int32_t error_count;   /* how many errors `message` is about: 1 or more */
  int64_t offset;        /* of the first offending byte, from 0; -1 if unknown */
  int64_t line, column;  /* from 1, columns in characters; 0 if unknown */
  /* JSON Pointer of the value, such as "/users/3/age". Cut if it is longer, and before a NUL byte
   * in a key, which decant_error_json() and `message` have as \u0000. */
  char path[256];
  char message[1024];    /* for people, UTF-8, the same bytes as in Swift; see below */
  char details[2048];    /* the library's own: what decant_error_json() is made of */
} decant_error;

#define DECANT_ERROR_INIT {sizeof(decant_error), DECANT_OK, 0, -1, 0, 0, "", "", ""}

/* `message` has a line an error, `[source:][line:column: ][path: ]what`, and under it, where the
 * engine knows the place, the source line with a mark, and what helps: the nearest key, the keys
 * that are there. Errors about one place share the lines below. Line feeds end lines, not the text.
 * If the errors do not fit, the text ends with a whole one, and a line `… and 3 more errors`. A
 * single line that does not fit is cut.
 *
 *     events.json:2:1: /1/user_name: the key is missing; is "userName" a misspelling of it?
 *       {"id": 2, "userName": "Ann"}
 *       ^
 *       the object has "id", "userName"
 */

/* The error as a JSON document on one line, for logs and for the answers of services (HTTP 422);
 * the same as `jsonText` in Swift:
 *
 *     {"code":201,"name":"type mismatch","category":"data","path":"/id",
 *      "location":{"offset":6,"line":1,"column":7},
 *      "expected":"an integer","found":"the string \"5\"",
 *      "message":"expected an integer, found the string \"5\""}
 *
 * Several errors are one object with the code 299 and an array `errors`; `omitted` counts those
 * that were not reported, or for which `details` had no room.
 *
 * Returns its length in bytes without the NUL. As much of it as fits is written, and a NUL after
 * it; a length of `capacity` or more says that it was cut. `buffer` may be NULL if `capacity` is 0.
 * An error of NULL, of an unknown size, or that no call has written, is `{}`. Needs no memory. */
size_t decant_error_json(const decant_error *error, char *buffer, size_t capacity);

/* -------------------------------------------------------------------------------------------------
 * Options
 */

enum { DECANT_NATIVE = 0, DECANT_JANSSON = 1 };
enum { DECANT_KEEP_FIRST = 0, DECANT_KEEP_LAST = 1, DECANT_KEEP_NONE = 2 };

/* What is read that RFC 8259 forbids, each of its own. DECANT_NATIVE alone can; DECANT_JANSSON
 * refuses with DECANT_UNSUPPORTED. */
enum {
  DECANT_RELAX_COMMENTS = 1,           /* [1] // one   and slash-star to star-slash */
  DECANT_RELAX_TRAILING_COMMAS = 2,    /* [1,]         and {"a":1,} */
  DECANT_RELAX_NON_FINITE_NUMBERS = 4, /* [NaN]        Infinity, -Infinity, for float and double */
  DECANT_RELAX_BYTE_ORDER_MARK = 8,    /* <BOM>{}      the bytes EF BB BF before the document */
  DECANT_RELAX_LONE_SURROGATES = 16    /* ["\ud800"]   an unpaired surrogate, as U+FFFD */
};

/* What tells the documents of a stream apart: see "Streams". */
enum { DECANT_LINES = 0, DECANT_RECORDS = 1, DECANT_DOCUMENTS = 2 };

/* Where memory comes from, instead of malloc. Both functions are called by the thread that called
 * Decant. `allocate` returns memory aligned for every type, or NULL; `deallocate` gets the size
 * that was asked for, and may be NULL in an arena. */
typedef struct decant_memory {
  void *(*allocate)(void *state, size_t size);
  void (*deallocate)(void *state, void *block, size_t size);
  void *state;
} decant_memory;

/* How a document is read. Yours; begin with DECANT_OPTIONS_INIT. A zero means the default. Members
 * are added at the end, and `size` says which ones you know: programs compiled with an older header
 * keep their meaning, and a library that is older than your header refuses what it does not know,
 * unless it is zero. */
typedef struct decant_options {
  size_t size;  /* sizeof(decant_options), set by you */
  /* DECANT_NATIVE, or DECANT_JANSSON: slower, and errors have no line. */
  int32_t engine;
  /* Which member of several with one key counts: DECANT_KEEP_FIRST or DECANT_KEEP_LAST. With
   * DECANT_KEEP_NONE, the call returns DECANT_DUPLICATE_KEY. */
  int32_t duplicate_keys;
  size_t maximum_depth;  /* arrays and objects inside one another: 512 */
  size_t maximum_bytes;  /* of a document: 4 GiB less 2 */
  /* Errors of a document that are reported one by one, the rest counted: 64. 1 stops at the first
   * error, and counts none behind it. A reject of decant_read_arrow() is about the first. */
  size_t maximum_errors;
  const char *source_name;  /* what messages call the document, such as a file's name */
  /* For all that the call allocates, except the trees of DECANT_JANSSON: malloc. */
  const decant_memory *memory;
  /* A fixed place for the value's block: nothing to free. If it is too small, the call returns
   * DECANT_BUFFER_TOO_SMALL. `memory` is still asked for the index of a document of more than some
   * 25 members; without it the stack has space for some 120 values and keys, where arrays and
   * objects count twice. */
  void *buffer;
  size_t buffer_size;
  uint32_t relaxations;  /* DECANT_RELAX_COMMENTS | …: none */
  /* Not 0: errors leave the document's values out: `expected an integer, found a string`, without
   * the source line and the keys of its objects. Codes, places and paths stay. */
  int32_t redacts_input;
  /* Of streams: the line and the offset that places count from, in a piece of a longer stream:
   * 1 and 0. */
  int64_t first_line;
  int64_t first_offset;
  int64_t batch_rows;       /* of decant_read_arrow(): rows of a batch; see there */
  uint32_t columns;         /* and DECANT_COLUMNS_LINE | …: none */
  int32_t rejects_unknown;  /* not 0: every record is treated as DECANT_CLOSED */
  /* Of streams: what tells documents apart: DECANT_LINES, DECANT_RECORDS or DECANT_DOCUMENTS. */
  int32_t framing;
  /* Of streams, not 0: the bytes EF BB BF at offset 0 are passed over. */
  int32_t skips_byte_order_mark;
  /* Of streams, an RFC 6901 pointer: the stream is one document, and the elements of its array
   * there are handed out; "" if the document is the array. */
  const char *elements_at;
  /* Of decant_read_arrow() and decant_read_arrow_from(): called once, after both streams are
   * released; not at all if the call fails. See there. */
  void (*release)(void *context);
  void *release_context;
  /* Bytes that a document may take. A call that needs more returns DECANT_TOO_LARGE before it
   * allocates them. 0: 64 times the document's own bytes, but 64 MiB at least. See below. */
  size_t maximum_memory;
  size_t maximum_rejects;  /* of decant_read_arrow(): lines with a row in `rejects`: 65,536 */
  int32_t pretty;          /* of decant_encode_text(): not 0: a member or an element a line */

  /* Of decant_read_arrow(): reading ends behind so many rows: never. */
  int64_t maximum_rows;
} decant_options;

#define DECANT_OPTIONS_INIT \
  {sizeof(decant_options), DECANT_NATIVE, DECANT_KEEP_FIRST, 0, 0, 0, NULL, NULL, NULL, 0, 0, 0, \
   0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, 0, 0, 0, 0}

/* `maximum_memory` bounds what small values of large structs take: by default 900 KB of `[{},{},…]`
 * are no 1.2 GB of structs of 4 KB. What counts is the index of a document and what is made of it:
 *
 *   decant_decode() and the like, lines    the block of the value; `options->buffer` has its own
 *                                          size
 *   decant_decode_value()                  the same; the part may take as much as the document
 *   decant_decode_jansson()                the same; a tree has no bytes, so 0 means no bound
 *   decant_parse(), decant_schema_parse()  the document; the table
 *   decant_read_arrow()                    the columns of a batch of rows, by default 128 MiB at
 *                                          least: a batch ends before it would have more, and a
 *                                          row that has more by itself is a reject
 *
 * Blocks that grow may take as much again while they move. Trees of DECANT_JANSSON are not
 * counted. */

/* -------------------------------------------------------------------------------------------------
 * Records: how a struct is filled and written
 */

/* What a field is in C, and what it must be in JSON. Exact: 1.5 and 1.0 are no integers, 1 is no
 * boolean, "5" is no number. What does not fit returns DECANT_NUMBER_OUT_OF_RANGE. */
enum {
  DECANT_BOOL = 1,       /* bool (one byte)     true, false */
  DECANT_INT8,           /* int8_t              an integer */
  DECANT_INT16,          /* int16_t */
  DECANT_INT32,          /* int32_t */
  DECANT_INT64,          /* int64_t */
  DECANT_UINT8,          /* uint8_t */
  DECANT_UINT16,         /* uint16_t */
  DECANT_UINT32,         /* uint32_t */
  DECANT_UINT64,         /* uint64_t */
  DECANT_FLOAT,          /* float               a number, correctly rounded */
  DECANT_DOUBLE,         /* double */
  DECANT_STRING,         /* const char *        a string; its bytes are counted at `length_offset`.
                          *                     Without one, the string must not contain NUL */
  DECANT_TEXT,           /* decant_text         a string, counted */
  DECANT_CHARS,          /* char[capacity]      a string of less than `capacity` bytes, then NUL */
  DECANT_ENUM,           /* int32_t             a string: one of `names` */
  DECANT_FLAGS,          /* uint32_t            an array of strings: the values of their `names`,
                          *                     or-ed */
  DECANT_RAW,            /* const char *        any value, as its bytes are in the document, also
                          *                     those of comments, which must be UTF-8; native
                          *                     engine */
  DECANT_KIND,           /* int32_t             any value: DECANT_VALUE_NULL … _OBJECT */
  DECANT_RECORD,         /* a struct            what `record` says, in place */
  DECANT_RECORD_POINTER, /* a struct *          the same in the value's block; a record may hold
                          *                     itself so */
  DECANT_ARRAY,          /* element *           `element`s, counted at `length_offset` */
  DECANT_FIXED_ARRAY,    /* element[capacity]   at most that many, counted at `length_offset`, or
                          *                     exactly that many where nothing counts them */
  DECANT_MAP,            /* struct *            an object: a `record` a member, counted at
                          *                     `length_offset` */
  DECANT_KEY,            /* const char *        in the record of a map: the member's key; `key` is
                          *                     ignored */
  DECANT_TIME,           /* int64_t             a date and time by RFC 3339, such as
                          *                     "2026-11-27T01:02:03.5+01:00", as microseconds since
                          *                     1970-01-01T00:00:00Z, or what the flags say. Finer
                          *                     digits of a fraction are dropped */
  DECANT_DATE,           /* int32_t             a date, such as "2026-11-27", as days since
                          *                     1970-01-01 */
  DECANT_UNION,          /* a union             the members of the case that a string names */
  DECANT_DECIMAL,        /* decant_decimal      a number, in units of the last of `scale` digits
                          *                     behind the point. Exact: more digits there return
                          *                     DECANT_INVALID_VALUE */
  DECANT_UUID,           /* uint8_t[16]         a string such as
                          *                     "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" */
  DECANT_BASE64,         /* decant_text         a string of base64 (RFC 4648 §4): its bytes */
  DECANT_FIXED_BASE64,   /* uint8_t[capacity]   the same, of exactly so many bytes */
  DECANT_CONVERTED       /* `extent` bytes      what `conversion`, functions of yours, make of it */
};

/* What a value is in JSON. */
enum {
  DECANT_VALUE_MISSING = 0, DECANT_VALUE_NULL = 1, DECANT_VALUE_BOOL = 2, DECANT_VALUE_NUMBER = 4,
  DECANT_VALUE_STRING = 5, DECANT_VALUE_ARRAY = 6, DECANT_VALUE_OBJECT = 7
};

/* Flags of a field. */
enum {
  /* Absent or null: all zeros, NULL, or what the record's `defaults` have. */
  DECANT_OPTIONAL = 1,
  /* Absent or null: what `default_value` points to, also with DECANT_OPTIONAL. */
  DECANT_DEFAULT = 2,
  /* `key` is an RFC 6901 pointer, such as /user/name; "" is the value itself. Of this and every
   * other pointer, a token with ~0 or ~1 in it has at most 255 bytes. */
  DECANT_POINTER = 4,
  /* A number may also be a string with a number in it, such as "5". */
  DECANT_FROM_TEXT = 8,
  /* `length_offset`, `presence_offset`: 0 is an offset, and does not mean that there is none. */
  DECANT_LENGTH_AT_ZERO = 16, DECANT_PRESENCE_AT_ZERO = 32,
  DECANT_STATE = 64, /* the byte at `presence_offset`: absent (0), null (1) or a value (2) */
  /* Elements of an array may be null: all zeros, NULL; in columns, null. When the array is written,
   * those that are a NULL pointer are null. */
  DECANT_NULL_ELEMENTS = 128,
  /* Of a DECANT_TIME: seconds, milliseconds or nanoseconds, instead of microseconds. */
  DECANT_SECONDS = 256, DECANT_MILLISECONDS = 512, DECANT_NANOSECONDS = 1024,
  /* Of a DECANT_TIME: the value is an integer, the number of these units since 1970. */
  DECANT_EPOCH = 2048,
  /* Of any kind but DECANT_KEY: the value is a string, whose text is a JSON document, as logs have
   * it; the kind is that of the document. See "JSON in a string". */
  DECANT_EMBEDDED = 4096,
  DECANT_AS_TEXT = 8192,    /* a DECANT_STRING, _TEXT or _CHARS may also be a number, true or
                             * false: its bytes in the document. Numbers by the native engine */
  DECANT_ZONELESS = 16384,  /* a DECANT_TIME has no zone: "2026-11-27T01:02:03", as if in UTC */
  DECANT_NULL_TEXTS = 32768, /* strings of `null_texts` count as null, where null may be */
  /* Of an integer, or a DECANT_TIME with DECANT_EPOCH: 5.0, 5e0 and 50e-1 are 5, as cJSON writes
   * large integers (1.795732158e+15). Exact; 5.5 returns DECANT_NOT_AN_INTEGER. */
  DECANT_INTEGRAL = 65536,
  /* Of a DECANT_ARRAY of DECANT_STRING, _RAW or _RECORD_POINTER: a NULL ends it, counted or not. */
  DECANT_NULL_TERMINATED = 131072,
  /* Elements of an array, members of a map, that do not fit are left out, counted by the uint32_t
   * at `left_out_offset`; bounds are about those that are left. Limits, and members that no field
   * of a closed record names, are errors all the same. */
  DECANT_LEAVE_OUT = 262144,
  /* Of a DECANT_RAW or a DECANT_MAP: the members that no other field names, which closed records
   * accept here, and encoding writes; without any, NULL. `key` means nothing. Not beside pointers,
   * nor in a case of a union. A DECANT_RAW, by the native engine, is an object: {"x":1,"y":[2]}. */
  DECANT_REST = 524288
};

/* JSON in a string
 *
 *     {"time":1,"log":"{\"level\":\"info\",\"count\":3}"}
 *
 *     {.key = "log", .kind = DECANT_RECORD, .flags = DECANT_EMBEDDED, .record = &entry, …}
 *
 * The inner document is read with the options of the outer one: its depth, size, duplicates and
 * relaxations. It counts as a record that nests. DECANT_OPTIONAL and DECANT_DEFAULT are about the
 * member, not about a null in the text. Its text is unescaped first, which takes memory for as many
 * bytes if that is more than 1 KiB. An error has the place and the path of the member, and in its
 * message those in the text:
 *
 *     2:8: /log: in the inner document, 1:6: /a: expected an integer, found the string "x"
 *
 * Its code is DECANT_INVALID_VALUE, unless a limit was passed or memory is exhausted. Encoding
 * writes the string again; an error's path then leads on into it, as in /log/a. */

/* One of several structs, told by a tag
 *
 *     {"type":"order","id":7}        {"type":"payment","amount":2.5}        {"type":"ping"}
 *
 *     struct message { int type; union { struct order order; struct payment payment; } of; };
 *     static const decant_name types[] = {{"order", 1}, {"payment", 2}, {"ping", 3}, {NULL, 0}};
 *     static const decant_record *const cases[] = {&order_record, &payment_record, NULL};
 *
 *     DECANT_FIELD_AS(struct message, of, DECANT_UNION, .key = "type", .names = types,
 *                     .records = cases, DECANT_TAG(struct message, type))
 *
 * The key is the tag's, whose value, a name, is stored at `length_offset`; a case of NULL has no
 * members. The members of a case are among those of the object, and none is found by a pointer. Any
 * other name returns DECANT_INVALID_VALUE. Where records are closed, the members of all cases are
 * known. Encoding writes the tag and its case; what has no tag needs DECANT_OPTIONAL, the only flag
 * that a union has. It has no columns and no description: there, a field has one type. */

/* A counted string: what a DECANT_TEXT is. */
typedef struct decant_text {
  const char *bytes; /* NULL when absent or null */
  size_t length;
} decant_text;

/* A decimal: a number of 128 bits, as __int128 has it. */
typedef struct decant_decimal {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  int64_t high;
  uint64_t low;
#else
  uint64_t low;
  int64_t high;
#endif
} decant_decimal;

/* A name in JSON and its value in C. Lists of names end with {NULL, 0}. Of equal names, the first
 * counts. Values have 32 bits, with a sign or without; if a document has a name of another, the
 * call returns DECANT_INVALID_RECORD. */
typedef struct decant_name {
  const char *name;
  int64_t value;
} decant_name;

/* A way of yours from a value to a member, and back. `value` is JSON text, by the native engine, or
 * with `takes_text` a string without quotation marks and escapes; it lives during the call. False
 * is DECANT_CUSTOM, with the text that you leave in `message`. decode() gets a member of zeros, may
 * be called several times for one value, and for values of a document that then fails, so that a
 * member must not own anything. encode() writes at most `capacity` bytes and says how many there
 * are: if they are more, it is called again with that much space. */
typedef struct decant_conversion {
  bool (*decode)(void *context, const char *value, size_t length, void *member, char message[256]);
  bool (*encode)(void *context, const void *member, char *value, size_t capacity, size_t *length,
                 char message[256]);  /* or NULL: nothing is written, DECANT_INVALID_RECORD */
  void *context;
  int32_t takes_text, reserved;  /* reserved: 0 */
} decant_conversion;

/* Which ends of bounds are given. */
enum {
  DECANT_HAS_MINIMUM = 1, DECANT_HAS_MAXIMUM = 2, DECANT_HAS_LEAST = 4, DECANT_HAS_MOST = 8,
  DECANT_HAS_SHORTEST = 16, DECANT_HAS_LONGEST = 32
};

/* What is accepted, both ends included. A value outside returns DECANT_INVALID_VALUE. `ends` says
 * which ends are given: {.ends = DECANT_HAS_MINIMUM | DECANT_HAS_MAXIMUM} is 0 alone. If `ends` is
 * 0, the numbers tell: an end of 0 that would let nothing in is none, so {.minimum = 1} is 1 and
 * more, {.maximum = -1} is -1 and less, and {.shortest = 1} is not empty; and the largest number of
 * a member's type excludes nothing: a maximum of INT64_MAX lets every DECANT_UINT64 in. */
typedef struct decant_bounds {
  int64_t minimum, maximum;  /* of integers, DECANT_TIME, _DATE and _DECIMAL as stored; 0, 0: any */
  double least, most;        /* of DECANT_FLOAT, as floats, and of DECANT_DOUBLE; 0, 0: any */
  size_t shortest, longest;  /* bytes of strings, elements of arrays and maps; 0, 0: any */
  uint32_t ends;             /* DECANT_HAS_MINIMUM | …; 0: as above */
  uint32_t reserved;         /* 0 */
} decant_bounds;

/* One field of a struct. What a field does not need stays zero. */
typedef struct decant_field {
  const char *key;           /* UTF-8; required, unless DECANT_OPTIONAL or DECANT_DEFAULT is set */
  uint32_t key_length;       /* 0: up to the NUL byte */
  uint16_t kind;             /* DECANT_BOOL … */
  uint16_t element;          /* of arrays: any kind that is no array, map, union or char[] */
  uint32_t flags;            /* DECANT_OPTIONAL … */
  uint16_t length_kind;      /* of the integer at `length_offset`: DECANT_INT8 …; 0: a size_t */
  uint16_t scale;            /* of DECANT_DECIMAL: digits behind the point */
  uint32_t offset;           /* offsetof(struct yours, field) */
  uint32_t length_offset;    /* of a size_t: the length of a string, array or map; 0: none */
  uint32_t presence_offset;  /* of a bool: whether there was a value; 0: none. See DECANT_STATE */
  uint32_t capacity;         /* of DECANT_CHARS, DECANT_FIXED_ARRAY and DECANT_FIXED_BASE64; digits
                              * of a DECANT_DECIMAL, at most 38; 0: 38 */
  const struct decant_record *record; /* of records, maps, and arrays of records */
  const decant_name *names;    /* of DECANT_ENUM and DECANT_FLAGS */
  const decant_bounds *bounds; /* NULL: all that fits */
  const void *default_value;   /* for DECANT_DEFAULT: a value of the field's type; of a string, the
                                * const char * itself, to which the struct then points */
  const char *column;          /* of columns: what the column is called; NULL: the key */
  const char *const *other_keys; /* ends with NULL: read where the key is absent or null */
  const char *member;          /* DECANT_FIELD sets it: the key, if `key` is NULL */
  const char *zone;            /* of columns: what a DECANT_TIME's zone is called; NULL: UTC */
  const char *const *null_texts; /* of DECANT_NULL_TEXTS: such as "" and "NA"; NULL at the end */
  const struct decant_record *const *records; /* of DECANT_UNION: for each of `names` one or NULL */
  uint32_t extent;             /* sizeof(the member), of pointers and arrays sizeof(an element):
                                * compared with the kind; 0: unknown */
  uint32_t left_out_offset;    /* of a uint32_t: how many DECANT_LEAVE_OUT has left out; 0: none */
  const decant_conversion *conversion; /* of DECANT_CONVERTED */
} decant_field;

/* Flags of a record. */
enum {
  /* Each member that no field names is an error, DECANT_UNKNOWN_KEY, with the nearest key of the
   * record: `unknown key "retires"; did you mean "retries"?`. A pointer names its first token. A
   * record at the pointer "" is a part of the record around it, whose flags alone count; a
   * DECANT_RAW or a DECANT_MAP there takes all members. Costs one more walk over the document's
   * objects. */
  DECANT_CLOSED = 1,

  /* A key that no member has also matches the first member that has it in other letters: A to Z are
   * a to z. Pointers, and records inside, are not affected. */
  DECANT_ANY_CASE = 2
};

/* A struct. Tables are never written to, so declare them static const. Every call checks them, in a
 * few nanoseconds a field if the fields are in the order of their offsets. A call with an invalid
 * table returns DECANT_INVALID_RECORD, and the message says what is wrong with which field, and
 * which field holds its record. Records may nest, also through arrays, maps and pointers, 32 deep.
 * A document that nests deeper into them returns DECANT_TOO_DEEP, on a thread with a small stack
 * perhaps from 4 levels on.
 *
 * Later versions add flags, and members where these structs have reserved ones. A 0 there keeps
 * today's meaning; for anything else, a library that does not know it returns
 * DECANT_INVALID_RECORD. So a table does not need to say how large its rows are. A binding for
 * another language should: if `field_size` is not 0 and not sizeof(decant_field), the call returns
 * DECANT_INVALID_RECORD, and reads no row. */
typedef struct decant_record {
  size_t size;                /* sizeof(struct yours) */
  const decant_field *fields; /* as often as possible in the order of the document */
  size_t field_count;
  size_t storage_offset;      /* of a void *: the block that decant_free() gives back. 0: none, as
                               * in structs without strings and arrays, or inside others */
  uint32_t field_size;        /* sizeof(decant_field); 0 means the same */
  uint32_t flags;             /* DECANT_CLOSED …: none */
  const void *defaults;       /* a struct of this type, or NULL: see below */
} decant_record;

/* With `defaults`, each struct begins as a copy of that one, also in arrays, maps and streams. What
 * is absent or null, where it may be, stays, and so do members that the table does not name, and
 * what is absent from a struct inside; a value that is there replaces the whole field. Pointers are
 * copied as they are: what they lead to must live as long as the struct, and decant_free() does not
 * free it. To read one file over another, use a table whose `defaults` are the struct of the other.
 * `out` must not be the defaults. Encoding leaves out what is equal to them. */

/* Rows of the members themselves, in C11 and C++11: kind, element, capacity and offset are those of
 * the member, so that a row cannot write what the member does not hold. Options are designated
 * initialisers of a decant_field, at most 8; in C++ too, in any order.
 *
 *   DECANT_FIELD(struct user, id)
 *   DECANT_FIELD(struct user, age, .key = "how-old", .flags = DECANT_OPTIONAL)
 *   DECANT_FIELD(struct user, tags, DECANT_COUNT(struct user, tag_count))
 *   DECANT_FIELD_AS(struct user, born, DECANT_DATE)
 *   DECANT_FIELD_AS(struct user, home, DECANT_RECORD, .record = &place)
 *   DECANT_TABLE(struct user, fields, .flags = DECANT_CLOSED)
 *
 *   bool, integers, float, double  their kinds; an enum of C is the integer that it is
 *   char[8], char *, decant_text   DECANT_CHARS, DECANT_STRING, DECANT_TEXT
 *   a pointer to one of these      DECANT_ARRAY: with a DECANT_COUNT; char * is a string
 *   an array of these              DECANT_FIXED_ARRAY: of all, or with a DECANT_COUNT
 *
 * Any other type is a compile error, and so is a kind, named literally in DECANT_FIELD_AS, that the
 * member cannot be of. The key is the member's name, if `key` does not say another. DECANT_COUNT is
 * the integer that counts the field, of any width; more than it holds returns DECANT_INVALID_VALUE.
 * DECANT_TAG is the same of a DECANT_UNION, also an enum; DECANT_PRESENCE is the bool of a
 * `presence_offset`. DECANT_TABLE takes an array of rows. */

/* Checks a table by itself, for tests. Returns DECANT_OK, or DECANT_INVALID_RECORD and why. A
 * table does not know the types of members: in a row that is written out, an int as DECANT_INT64
 * passes if it does not overlap another field or the struct's end. DECANT_FIELD compares the types.
 * An `extent` compares the sizes, of scalars and strings only here. Bounds that let nothing in, and
 * values of names, are checked here; other calls check them where a document needs them. Here, a
 * table with strings, arrays or maps needs a storage_offset, although decoding into
 * `options->buffer`, and structs inside others, need none. */
decant_status decant_record_check(const decant_record *record, decant_error *error);

/* -------------------------------------------------------------------------------------------------
 * Decoding
 */

/* Decodes a document into a struct. `out` is written on success only; it need not be initialised.
 * `error` may be NULL. Returns DECANT_OK, or the code of the error; DECANT_MULTIPLE if there are
 * several, each with its lines in `error->message`. Give a decoded struct back with decant_free().
 * Time linear in the document; one block of memory if the struct has strings, arrays or maps, else
 * none. During the call there may be others: for the index of a document of more than some 25
 * members, which the thread keeps for its next document, and to keep a struct of more than 256
 * bytes aside. */
decant_status decant_decode(
    const decant_record *record, const char *json, size_t length, void *out, decant_error *error);

/* The same with options; NULL means the defaults. */
decant_status decant_decode_with(
    const decant_record *record, const char *json, size_t length, void *out,
    const decant_options *options, decant_error *error);

/* Decodes a tree of libjansson: a json_t *, which is borrowed for the call and left as it is.
 * Errors have no line. Strings that a program made without libjansson's check, by
 * json_string_nocheck(), must be UTF-8 all the same. DECANT_UNSUPPORTED in a library that was built
 * without libjansson. */
decant_status decant_decode_jansson(
    const decant_record *record, const void *tree, void *out, const decant_options *options,
    decant_error *error);

/* Gives back what a decoded struct owns. NULL, and a struct that was freed before, are fine. */
void decant_free(const decant_record *record, void *value);

/* The same for a struct whose block came from `options->memory`: hand the same options in. */
void decant_free_with(const decant_record *record, void *value, const decant_options *options);

/* Structs in the order of a document's array. */
typedef struct decant_array {
  void *items;  /* NULL when there are none */
  size_t count;
  void *storage;
} decant_array;

/* Decodes the array at an RFC 6901 pointer ("" or NULL: the document is the array): all of it, or
 * nothing and the errors of every element that fails. Give it back with decant_array_free(). */
decant_status decant_decode_array(
    const decant_record *record, const char *pointer, const char *json, size_t length,
    decant_array *out, const decant_options *options, decant_error *error);

void decant_array_free(decant_array *array, const decant_options *options);

/* All errors of a document, each a line `[source:][line:column: ][path: ]what`, and none cut: those
 * of decant_decode_with() if `pointer` is NULL, else of decant_decode_array() at that pointer. The
 * document is read again, up to `maximum_errors`. Length, buffer and capacity are as in
 * decant_error_json(); 0 if nothing is wrong. */
size_t decant_error_text(
    const decant_record *record, const char *pointer, const char *json, size_t length,
    const decant_options *options, char *buffer, size_t capacity);

/* -------------------------------------------------------------------------------------------------
 * Streams: newline-delimited JSON, a document a line (LF or CR LF), and documents framed in other
 * ways
 *
 *     decant_lines *lines;
 *     if (decant_lines_open(&record, NULL, &lines, &error) == DECANT_OK) {
 *       while ((length = fread(chunk, 1, sizeof chunk, file)) > 0)
 *         decant_lines_feed(lines, chunk, length, on_event, &events, &error);
 *       decant_lines_finish(lines, on_event, &events, &error);
 *       decant_lines_close(lines);
 *     }
 *
 * Blank lines are skipped. A line that fails is handed out like any other, with places that count
 * from the beginning of the stream, and the stream goes on. A line longer than `maximum_bytes`
 * fails with DECANT_TOO_LARGE, and is never kept whole. `maximum_bytes` is the longest document of
 * every framing; white space on a line, behind a record, and between an element and its comma
 * counts.
 *
 * options.framing says what tells documents apart:
 *
 *   DECANT_LINES      {"id":1}⏎{"id":2}⏎       a line feed ends a document
 *   DECANT_RECORDS    <RS>{"id":1}⏎<RS>{⏎…      RFC 7464: a record separator (1E) is before each.
 *                                            A number or a literal without white space behind it
 *                                            may be cut short: DECANT_UNEXPECTED_END
 *   DECANT_DOCUMENTS  {"id":1}{"id":2} 3 4     one after another: the last bracket or quote ends a
 *                                            document, white space, a bracket or a quote ends
 *                                            others
 *
 * With DECANT_DOCUMENTS, a document that no bracket or quote of its own ends is handed out, as an
 * error, at the byte where it is known to be invalid: at a line feed in a string, at a bracket of
 * the wrong kind, or at a line that begins with { or [ where no value can be. The stream goes on at
 * that byte if it begins a line, else behind the next line feed, in either case at a line that
 * begins with { or [. So one fault loses at most one more document. Words that are no JSON are one
 * error, with the rest of their line. Where documents are numbers, literals or strings, lines may
 * begin with those, too. A document of more than `maximum_bytes` is handed out within 1 KiB behind
 * them, and passed over to its end.
 *
 * Elements of `elements_at` fail in the same ways; a line that begins with { or [ may be indented,
 * and may have a comma before it. The stream goes on at a line that is indented as far as the last
 * good element. Where a fault leaves an array open, the elements behind it belong to that array, by
 * their commas, up to `maximum_bytes`. Where a fault closes the array of the elements, and members
 * of the document around it seem to follow, the elements behind it are lost.
 *
 * Byte order marks have one rule in all framings: one at offset 0 is passed over if
 * options.skips_byte_order_mark is not 0 or DECANT_RELAX_BYTE_ORDER_MARK is set; the document
 * behind any other returns DECANT_BYTE_ORDER_MARK.
 *
 * options.elements_at makes the stream one document, and hands the elements of the array at a
 * pointer out, each checked and decoded as a document, with its place in the stream:
 *
 *   {"type":"FeatureCollection","features":[{"id":1},{"id":2}],"bbox":null}
 *
 * with elements_at = "/features" hands out {"id":1} and {"id":2}.
 *
 * What is around the array is kept, up to `maximum_bytes`, and checked when the stream is finished:
 * it must be a document, and have an array there. What is wrong with it is handed out last, as an
 * error without an element. Of members with one key, the first counts; DECANT_KEEP_LAST returns
 * DECANT_UNSUPPORTED. Of the array, the unfinished element alone is kept. Paths begin at the
 * document's root, as in /features/17/id. Comments cannot be relaxed here, nor in records and
 * documents.
 */

/* What is called for each document of a stream: with the struct, or with NULL and the error. Both
 * live until the function returns; what is to be kept must be copied. `line`, from 1, is where the
 * document begins. Return 0 to go on; any other number ends the stream. The function must not feed,
 * finish or close this stream; other streams it may read. */
typedef int (*decant_line_function)(
    void *context, int64_t line, const void *value, const decant_error *error);

/* Decodes a stream that is one buffer. Returns DECANT_OK, also when `function` ended the stream; a
 * failure only for arguments, options, tables, and where there is no memory for one struct. */
decant_status decant_decode_lines(
    const decant_record *record, const char *json, size_t length, decant_line_function function,
    void *context, const decant_options *options, decant_error *error);

/* A stream that comes in chunks. It keeps the bytes of the line that is unfinished, one struct and
 * one block, which every line uses again; up to 1 MiB of each is kept for the next line. For one
 * thread at a time. */
typedef struct decant_lines decant_lines;

/* Opens a stream. The table, and what `options` points to, must live until it is closed; `options`
 * itself need not. After a failure there is nothing to close. */
decant_status decant_lines_open(
    const decant_record *record, const decant_options *options, decant_lines **out,
    decant_error *error);

/* Decodes the lines that end in a chunk, which may be cut anywhere, also inside a character. When
 * `function` has ended the stream, this and decant_lines_finish() do nothing more. A failure only
 * for NULL, lengths that are too large, and bytes behind decant_lines_finish():
 * DECANT_INVALID_ARGUMENT; a line that there is no memory for is handed out as
 * DECANT_OUT_OF_MEMORY. Time linear in the chunk and the lines that end in it. */
decant_status decant_lines_feed(
    decant_lines *lines, const char *chunk, size_t length, decant_line_function function,
    void *context, decant_error *error);

/* Decodes the last document, if nothing ended it. With `elements_at`, checks what is around the
 * elements. Called again, it does nothing. */
decant_status decant_lines_finish(
    decant_lines *lines, decant_line_function function, void *context, decant_error *error);

/* The line and the offset of the first byte that was not handed out: where the unfinished document
 * begins, a record behind its separator; or where `function` ended the stream. Either pointer may
 * be NULL. */
void decant_lines_place(const decant_lines *lines, int64_t *line, int64_t *offset);

/* Gives back all that the stream has; NULL does nothing. An unfinished line is dropped. */
void decant_lines_close(decant_lines *lines);

/* A part of a stream that begins and ends at lines. */
typedef struct decant_piece {
  const char *json;
  size_t length;
  /* What the options of the same names need, so that places count from the stream's beginning. */
  int64_t first_line;
  int64_t first_offset;
} decant_piece;

/* Splits a stream into at most `count` pieces of about the same length, for as many threads, none
 * of which the library starts. Returns how many there are; none is empty. Time linear in `length`:
 * line feeds are counted, at the speed of memory.
 *
 * A large file is read once if pieces are cut as threads ask for them: of two pieces of a window of
 * the bytes that are left, the first is whole lines, and the second, which may be cut, tells how
 * many. A window that gives one piece is shorter than two lines. */
size_t decant_split_lines(const char *json, size_t length, size_t count, decant_piece *pieces);

/* -------------------------------------------------------------------------------------------------
 * Encoding: a struct as JSON, by the same table
 *
 * What decoding makes of the text is the struct again. Members are in the order of the table;
 * numbers have as many digits as they need to read back as the same float or double. A field is
 * left out if decoding gives it the same value for an absent key:
 *
 *   with presence_offset        false; with DECANT_STATE, 0 is left out, 1 is null, 2 is the value
 *   without, DECANT_OPTIONAL    all zeros, NULL. A 0 or false that is to be written needs a
 *                               presence_offset, or a DECANT_KIND of the same key that says that it
 *                               is there
 *   without, DECANT_DEFAULT     nothing but a default that cannot be written, such as NaN
 *
 * The members of a DECANT_RECORD by the pointer "" are members of the object around it, if no other
 * field has a pointer. Any other field whose `key` is a pointer is written into the objects that
 * the pointer leads through, or into an array if all that is in it are the elements 0, 1, 2 … in
 * the order of the table. A DECANT_RAW is written as it is, after a check that it is JSON, at most
 * 512 deep. A DECANT_KIND is written only if no other field has its value: as null, false, 0, "",
 * [] or {}. Two other fields that have one value, or one a part of the other's, return
 * DECANT_DUPLICATE_KEY, and so does the kind of a part of another field's value, unless that is a
 * DECANT_RAW. Equal keys of a map return DECANT_DUPLICATE_KEY too, if they are among its first 256
 * members; that later ones differ is up to you: comparing them would need memory.
 */

/* Writes a struct into a buffer, which must not be where the struct or what it points to is.
 * `length` is set to the length of the text in bytes; it may be NULL. If the text fits, it is in
 * the buffer; returns DECANT_OK. If not, returns DECANT_BUFFER_TOO_SMALL, and the buffer has the
 * beginning of the text. A NUL follows only where there is space: unlike snprintf(), text as long
 * as the buffer fits, and is not terminated. NULL with a capacity of 0 measures: DECANT_OK. A
 * string is written to its NUL, or as long as its `length_offset` says.
 *
 * For what the table would not decode, the call returns an error with its path, and `length` is 0:
 * a string that is not UTF-8 (DECANT_INVALID_UTF8); NULL, or no presence, where a value is required
 * (DECANT_MISSING_KEY); infinities and NaN, enums and flags without a name, NULL with a length,
 * times outside of the years 0 to 9999, and what is outside the bounds (DECANT_INVALID_VALUE);
 * records more than 32 deep, or than the thread's stack holds, also by pointers that lead back
 * (DECANT_TOO_DEEP); more than 4 GiB (DECANT_TOO_LARGE). The buffer then has the beginning of the
 * text, up to the value that failed, and where that would be, bytes that mean nothing. No byte
 * behind the text is written, whatever the status, and none behind the capacity.
 *
 * Allocates nothing, but for tables with more than 64 fields, with pointers of about 16 tokens or
 * more together, or with many fields that are not in the order of their struct; without memory for
 * pointers, returns DECANT_OUT_OF_MEMORY. Time linear in the text; for records with pointers, also
 * in the bytes of those. */
decant_status decant_encode(
    const decant_record *record, const void *value, char *buffer, size_t capacity, size_t *length,
    decant_error *error);

/* The same for `count` structs, one after another: an array. */
decant_status decant_encode_array(
    const decant_record *record, const void *items, size_t count, char *buffer, size_t capacity,
    size_t *length, decant_error *error);

/* In decant_writer.h: the same into memory that grows, decant_encode_text(), or to a function,
 * decant_encode_to(), also pretty; and JSON that is built without a struct. */

/* -------------------------------------------------------------------------------------------------
 * Documents: looking into JSON without a struct
 *
 *     decant_document *document;
 *     if (decant_parse(json, length, NULL, &document, &error) == DECANT_OK) {
 *       decant_iterator members = decant_iterate(decant_at(decant_root(document), "/user"));
 *       while (decant_next(&members)) printf("%s\n", members.key);
 *       decant_document_free(document);
 *     }
 */

/* A document that was read: its own copy of the bytes, in one block of memory. It never changes, so
 * threads may share it; only decant_document_free() must come last. */
typedef struct decant_document decant_document;

/* A value in a document, valid as long as the document. Yours to copy. A look-up that finds nothing
 * returns a value of kind DECANT_VALUE_MISSING, in which everything else is missing too: look-ups
 * can be chained. A value of zeros is missing. */
typedef struct decant_value {
  const decant_document *document;
  uint64_t node;
} decant_value;

/* Reads a document; `out` is written on success only. Takes twice the document's bytes, and the
 * index: eight bytes for a value or key, 16 for an array or object, so at most ten times the
 * document's bytes in all. */
decant_status decant_parse(
    const char *json, size_t length, const decant_options *options, decant_document **out,
    decant_error *error);

/* Gives a document back. NULL is fine. The options' memory must still be there if it was used. */
void decant_document_free(decant_document *document);

decant_value decant_root(const decant_document *document);

/* DECANT_VALUE_NULL … DECANT_VALUE_OBJECT, or DECANT_VALUE_MISSING. */
int32_t decant_value_kind(decant_value value);

/* The member of an object by its key; counted keys may have NUL bytes. Expected constant time in
 * the order of the document; in any other order m calls for an object of n members take O(n +
 * m). */
decant_value decant_get(decant_value object, const char *key);
decant_value decant_get_counted(decant_value object, const char *key, size_t length);

/* The element of an array, from 0. A loop over the indices of an array takes time linear in its
 * elements, forwards, backwards or in no order: m calls for an array of n elements take O(n + m).
 * An array that is asked often gets a table of 4 bytes for 16 elements, from the document's memory;
 * without memory for it, calls walk to their element. */
decant_value decant_element(decant_value array, size_t index);

/* The value at an RFC 6901 pointer, such as /users/0/name. */
decant_value decant_at(decant_value value, const char *pointer);

/* How many elements an array has, or members an object, equal keys included; 0 for other kinds.
 * Constant time for arrays. The native engine counts an object's members at each call. */
size_t decant_count(decant_value container);

/* Numbers and booleans, exactly: DECANT_OK, or DECANT_TYPE_MISMATCH, DECANT_NOT_AN_INTEGER,
 * DECANT_NUMBER_OUT_OF_RANGE, DECANT_MISSING_KEY, and then `out` is untouched. */
decant_status decant_get_int64(decant_value value, int64_t *out);
decant_status decant_get_uint64(decant_value value, uint64_t *out);
decant_status decant_get_double(decant_value value, double *out);
decant_status decant_get_bool(decant_value value, bool *out);

/* A string's bytes, UTF-8 and NUL-terminated, as long as the document; NULL for other kinds.
 * `length` may be NULL; it is what tells NUL bytes inside. */
const char *decant_get_string(decant_value value, size_t *length);

/* A value as it is in the document, not terminated; NULL for missing values and with libjansson. */
const char *decant_get_raw(decant_value value, size_t *length);

/* A walk over an array or object, in document order; members with equal keys all come. */
typedef struct decant_iterator {
  decant_value value;  /* the element or member that decant_next() reached */
  const char *key;     /* of a member, NUL-terminated; NULL in arrays */
  size_t key_length;
  decant_value container;
  uint64_t position;
} decant_iterator;

/* Before the first element or member. Other kinds, and missing values, have no children. */
decant_iterator decant_iterate(decant_value container);

/* Moves on; false at the end. */
bool decant_next(decant_iterator *iterator);

/* Decodes a part of a document into a struct, as decant_decode_with() decodes a whole one. Uses
 * `memory`, `buffer`, `maximum_memory`, `maximum_errors`, `source_name` and `redacts_input` of the
 * options; values are also left out of errors if the document was read so. Paths and places of
 * errors count from the document's root. A value of kind DECANT_VALUE_MISSING returns
 * DECANT_INVALID_ARGUMENT.
 *
 * Time linear in the part. The first error of a document also reads the document once, and keeps
 * what it finds with the document: about a tenth of its bytes with DECANT_NATIVE at most, some 50
 * bytes a value with DECANT_JANSSON. So n failing parts cost one pass over the document together,
 * not n. With DECANT_JANSSON the path of a part that is null, true or false begins at the part, if
 * the document has several of them. */
decant_status decant_decode_value(
    const decant_record *record, decant_value value, void *out, const decant_options *options,
    decant_error *error);

#ifdef __cplusplus
}
#endif

#include "decant_columns.h"
#include "decant_writer.h"
#if defined(__cplusplus) || __STDC_VERSION__ >= 201112L
#include "decant_fields.h"
#endif

#endif
