/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The C interface. A table describes a struct of yours. decant_decode() fills the struct from JSON,
 * and decant_encode() writes the struct as JSON; no tree is built in between. `decant-header`
 * writes headers from Swift models, such as user.h with decode_user(). These need no table: the
 * library decodes the model, and copies it into the struct.
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
 *   - Input is a pointer and a length. The library reads it during the call, and never writes to
 *     it. It needs no terminator. The whole document is checked against RFC 8259, also the parts
 *     that the table does not name.
 *   - Output is written on success only, and completely: members that the table does not name
 *     become zeros, and memory that the struct owned before is not freed. On failure the struct is
 *     unchanged, byte for byte. Text is the exception: see decant_encode(). `out` must not overlap
 *     the input, and no other thread may use it during the call.
 *   - Strings that the library returns are UTF-8, and end with a NUL byte that their length does
 *     not count. A counted string contains NUL bytes if the JSON does. A string without a length,
 *     in a `const char *` or `char[]`, must not: "admin\u0000" would compare equal to "admin".
 *     There the call returns DECANT_INVALID_VALUE.
 *   - Every decoded value owns at most one block of memory, and one call releases it. Freeing NULL
 *     or a struct of zeros, or freeing twice, does nothing.
 *   - All functions may be called from any thread, but not from signal handlers. After fork() the
 *     child may use everything that no other thread was using. Each thread caches one buffer of at
 *     most 1 MiB for its next document, and frees it when the thread ends. A program can observe no
 *     other state between calls. The locale has no effect. errno has no meaning after a call.
 *   - Functions of yours that the library calls may call functions of this header. They must
 *     return: no longjmp(), no C++ exception.
 *   - Nothing aborts: NULL pointers, invalid tables and exhausted memory are statuses. The library
 *     cannot check that a pointer points to what it should. libjansson (DECANT_JANSSON) has
 *     assertions of its own, and some of them fail when memory is exhausted.
 *
 * The header needs C99 or C++11; DECANT_FIELD and its relatives need C11 or C++11. It includes
 * decant_columns.h: columns for Arrow, and descriptions, which make tables at run time;
 * decant_documents.h: reading JSON without a struct; and decant_writer.h: text into memory that
 * grows or to a function, and JSON that is built without a struct.
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

/* This header's version: major * 10000 + minor * 100 + patch. */
#define DECANT_VERSION_NUMBER 100

/* Returns the library's version, such as "0.1.0". Never NULL; do not free it. */
const char *decant_version(void);

/* Returns the library's version as a number. A library works with programs that were compiled with
 * a header of the same major version (before 1.0: the same minor version) and the same or a lower
 * number. */
int32_t decant_version_number(void);

/* -------------------------------------------------------------------------------------------------
 * Status
 */

/* The result of a call: DECANT_OK, or one of the codes below. Later versions add codes, and never
 * renumber them. A code divided by 100 is its category: 1 syntax, 2 data, 3 limit, 4 input,
 * 5 memory. */
typedef int32_t decant_status;

enum {
  DECANT_OK = 0,

  DECANT_UNEXPECTED_BYTE = 101,    /* [1 2]      a byte that the grammar does not allow here */
  DECANT_UNEXPECTED_END = 102,     /* [1,        the input ends inside a value */
  DECANT_INVALID_LITERAL = 103,    /* [nul]      starts like true, false or null, and is none */
  DECANT_INVALID_NUMBER = 104,     /* [01]       violates the grammar of numbers */
  DECANT_CONTROL_CHARACTER = 105,  /* ["<TAB>"]  a raw byte below 0x20 in a string */
  DECANT_INVALID_ESCAPE = 106,     /* ["\x"]     unknown letter, or not four hex digits after \u */
  DECANT_LONE_SURROGATE = 107,     /* ["\ud800"] an unpaired surrogate */
  DECANT_INVALID_UTF8 = 108,       /* ["<FF>"]   not UTF-8 */
  DECANT_TRAILING_BYTES = 109,     /* 1 2        something after the document's value */
  DECANT_BYTE_ORDER_MARK = 110,    /* <BOM>{}    a byte order mark before the document */
  DECANT_NUMBER_OVERFLOW = 111,    /* [1e400]    a number that libjansson cannot hold. The native
                                    *            engine keeps the text; decoding it as a double
                                    *            returns DECANT_NUMBER_OUT_OF_RANGE */

  DECANT_TYPE_MISMATCH = 201,        /* {"id":"5"}      not the kind that the model expects */
  DECANT_MISSING_KEY = 202,          /* {}              a required key is absent, or null */
  DECANT_NUMBER_OUT_OF_RANGE = 203,  /* 300 for int8_t  a number that the field cannot hold */
  DECANT_NOT_AN_INTEGER = 204,       /* 1.5 for int     a number with a fraction or an exponent */
  DECANT_INVALID_VALUE = 205,        /* "brunch"        the right kind, not an accepted value */
  DECANT_CUSTOM = 206,               /*                 the model's own error */
  DECANT_DUPLICATE_KEY = 207,        /* {"a":1,"a":2}   where duplicates are an error */
  DECANT_MISSING_ELEMENT = 208,      /* []              an array that is too short for a path */
  DECANT_UNKNOWN_KEY = 209,          /* {"nmae":1}      where unknown members are an error */
  DECANT_MULTIPLE = 299,             /*                 several of these; see message */

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

/* Returns the name of a status, such as "type mismatch"; for numbers that are not a status,
 * "unknown status". Do not free it. */
const char *decant_status_name(decant_status status);

/* -------------------------------------------------------------------------------------------------
 * Error
 */

/* What went wrong, and where. You own the struct: initialize it with DECANT_ERROR_INIT, which sets
 * `size`, and pass its address, or pass NULL. Calls write it on failure only; but see
 * `tells_left_out`. A struct of zeros is accepted, and gets its size. If `size` is less than this
 * struct's and not 0, nothing is written. */
typedef struct decant_error {
  size_t size;           /* sizeof(decant_error), set by you */
  decant_status code;    /* the status that the call returned */
  int32_t error_count;   /* how many errors there are */
  int64_t offset;        /* of the first offending byte, from 0; -1 if unknown */
  int64_t line, column;  /* from 1, columns in characters; 0 if unknown */
  /* JSON Pointer of the value, such as "/users/3/age". A longer one is cut, and so is the rest from
   * a NUL byte in a key on. decant_error_json() and `message` write that byte as \u0000. */
  char path[256];
  char message[1024];    /* for people, in UTF-8, with the same bytes as in Swift; see below */
  char details[2048];    /* private: the source of decant_error_json() */
} decant_error;

#define DECANT_ERROR_INIT {sizeof(decant_error), DECANT_OK, 0, -1, 0, 0, "", "", ""}

/* `message` has one line for each error, `[source:][line:column: ][path: ]what`. If the engine
 * knows the place, the source line follows, with a mark under it, and then hints: the nearest key,
 * the keys of the object. Errors at one place share these lines. The text has a line feed between
 * lines, and none at its end. If not all errors fit, the last line is `… and 3 more errors`. A
 * single line that does not fit is cut.
 *
 *     events.json:2:1: /1/user_name: the key is missing; is "userName" a misspelling of it?
 *       {"id": 2, "userName": "Ann"}
 *       ^
 *       the object has "id", "userName"
 */

/* Writes the error as a JSON document on one line, for logs and for responses of services
 * (HTTP 422). The text is that of `jsonText` in Swift:
 *
 *     {"code":201,"name":"type mismatch","category":"data","path":"/id",
 *      "location":{"offset":6,"line":1,"column":7},
 *      "expected":"an integer","found":"the string \"5\"",
 *      "message":"expected an integer, found the string \"5\""}
 *
 * Several errors are one object with the code 299 and an array `errors`. `omitted` counts the
 * errors that were not reported, and those that did not fit into `details`. Every error of a
 * document has `expected`: for [1 2], "',' or ']'".
 *
 * Returns the length of the text in bytes, without the NUL. Writes as much of the text as fits, and
 * a NUL; if the length is `capacity` or more, the text was cut. `buffer` may be NULL if `capacity`
 * is 0. If `error` is NULL, has an unknown size, or was not written by a call, the text is `{}`.
 * Allocates nothing. */
size_t decant_error_json(const decant_error *error, char *buffer, size_t capacity);

/* -------------------------------------------------------------------------------------------------
 * Options
 */

enum { DECANT_NATIVE = 0, DECANT_JANSSON = 1 };
enum { DECANT_KEEP_FIRST = 0, DECANT_KEEP_LAST = 1, DECANT_KEEP_NONE = 2 };

/* Texts that RFC 8259 forbids, and that are read all the same. Each flag stands for one of them.
 * DECANT_JANSSON supports none of them, and returns DECANT_UNSUPPORTED. */
enum {
  DECANT_RELAX_COMMENTS = 1,           /* [1] // one   and slash-star to star-slash */
  DECANT_RELAX_TRAILING_COMMAS = 2,    /* [1,]         and {"a":1,} */
  DECANT_RELAX_NON_FINITE_NUMBERS = 4, /* [NaN]        Infinity, -Infinity, for float and double */
  DECANT_RELAX_BYTE_ORDER_MARK = 8,    /* <BOM>{}      the bytes EF BB BF before the document */
  DECANT_RELAX_LONE_SURROGATES = 16    /* ["\ud800"]   an unpaired surrogate, as U+FFFD */
};

/* How a stream separates its documents: see "Streams". */
enum { DECANT_LINES = 0, DECANT_RECORDS = 1, DECANT_DOCUMENTS = 2 };

/* An allocator in place of malloc. The thread that called Decant calls both functions. `allocate`
 * returns memory that is aligned for every type, or NULL. `deallocate` gets the size that was
 * requested. An arena may leave `deallocate` NULL. */
typedef struct decant_memory {
  void *(*allocate)(void *state, size_t size);
  void (*deallocate)(void *state, void *block, size_t size);
  void *state;
} decant_memory;

/* How a document is read. You own the struct: initialize it with DECANT_OPTIONS_INIT. A zero means
 * the default. Later versions add members at the end, and `size` tells the library which members
 * your program has, so a program that was compiled with an older header keeps its meaning. A
 * library that is older than your header returns DECANT_INVALID_ARGUMENT if a member that it does
 * not know is not zero. */
typedef struct decant_options {
  size_t size;  /* sizeof(decant_options), set by you */
  /* DECANT_NATIVE; or DECANT_JANSSON, which is slower, and whose errors have no line. */
  int32_t engine;
  /* Which of several members with the same key counts: DECANT_KEEP_FIRST or DECANT_KEEP_LAST. With
   * DECANT_KEEP_NONE, the call returns DECANT_DUPLICATE_KEY. Default: DECANT_KEEP_FIRST. */
  int32_t duplicate_keys;
  size_t maximum_depth;  /* of nested arrays and objects. Default: 512 */
  size_t maximum_bytes;  /* of a document. Default: 4 GiB less 2 */
  /* How many errors of a document are reported one by one; the others are counted. 1 stops at the
   * first error, and counts no others. A reject of decant_read_arrow() is the line's first error.
   * Default: 64. */
  size_t maximum_errors;
  const char *source_name;  /* the document's name in messages, such as a file's. Default: none */
  /* Allocates all memory of the call, except the trees of DECANT_JANSSON. Default: malloc. */
  const decant_memory *memory;
  /* A buffer of yours for the value's block; then there is nothing to free. If it is too small, the
   * call returns DECANT_BUFFER_TOO_SMALL. `memory` still provides the index of a document of more
   * than some 25 members. If it has no space for that, the stack holds up to some 120 values and
   * keys; arrays and objects count twice. Default: none. */
  void *buffer;
  size_t buffer_size;
  uint32_t relaxations;  /* DECANT_RELAX_COMMENTS | …. Default: none */
  /* If not 0, errors do not show values of the document: `expected an integer, found a string`.
   * They have no source line, and no keys of objects. Codes, places and paths stay. */
  int32_t redacts_input;
  /* Of streams: the line and the offset of the first byte, if the bytes are a piece of a longer
   * stream. Default: 1 and 0. */
  int64_t first_line;
  int64_t first_offset;
  int64_t batch_rows;       /* of decant_read_arrow(): rows of a batch; see there */
  uint32_t columns;         /* of decant_read_arrow(): DECANT_COLUMNS_LINE | …. Default: none */
  int32_t rejects_unknown;  /* if not 0, every record is treated as DECANT_CLOSED */
  /* Of streams: how documents are separated. Default: DECANT_LINES. */
  int32_t framing;
  /* Of streams: if not 0, the bytes EF BB BF at offset 0 are skipped. */
  int32_t skips_byte_order_mark;
  /* Of streams: an RFC 6901 pointer to an array. The stream is one document, and your function gets
   * the elements of the array; "" if the document is the array. Default: none. */
  const char *elements_at;
  /* Of decant_read_arrow(): called once, after both streams are released. See there. */
  void (*release)(void *context);
  void *release_context;
  /* How many bytes of memory a document may take. A call that needs more returns DECANT_TOO_LARGE
   * before it allocates them. Default: 64 times the document's own bytes, and at least 64 MiB. See
   * below. */
  size_t maximum_memory;
  size_t maximum_rejects;  /* of decant_read_arrow(): lines with a row in `rejects`.
                            * Default: 65,536 */
  int32_t pretty;          /* of text: if not 0, one line for each member or element */
  /* If not 0, a call that fills a struct writes its error, too: the reasons why DECANT_LEAVE_OUT
   * left elements out, with the code DECANT_OK. Costs one more walk over the document. */
  int32_t tells_left_out;
  /* Of decant_read_arrow(): reading ends after this many rows. Default: no limit. */
  int64_t maximum_rows;
} decant_options;

#define DECANT_OPTIONS_INIT \
  {sizeof(decant_options), DECANT_NATIVE, DECANT_KEEP_FIRST, 0, 0, 0, NULL, NULL, NULL, 0, 0, 0, \
   0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, 0, 0, 0, 0, 0}

/* `maximum_memory` limits what a small document can make the library allocate: by default, 900 KB
 * of `[{},{},…]` do not become 1.2 GB of structs of 4 KB. These bytes count, besides the index of
 * the document:
 *
 *   decant_decode() and the like, lines    the block of the value; `options->buffer` has its own
 *                                          size
 *   decant_decode_value()                  the same; the part may take as much as the document
 *   decant_decode_jansson()                the same; a tree has no bytes, so 0 means no bound
 *   decant_parse(), decant_schema_parse()  the document; the table
 *   decant_read_arrow()                    the columns of a batch of rows, by default at least
 *                                          128 MiB. A batch ends before it exceeds the limit; a
 *                                          row that exceeds it alone is a reject
 *
 * A block that grows may take as much again while it moves. Trees of DECANT_JANSSON do not
 * count. */

/* -------------------------------------------------------------------------------------------------
 * Records: how a struct is filled and written
 */

/* The type of a field in C, and what it must be in JSON. Conversions are exact: 1.5 and 1.0 are no
 * integers, 1 is no boolean, "5" is no number. A number that the type cannot hold returns
 * DECANT_NUMBER_OUT_OF_RANGE. */
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
  DECANT_STRING,         /* const char *        a string; its length is at `length_offset`. Without
                          *                     a `length_offset`, it must not contain NUL */
  DECANT_TEXT,           /* decant_text         a string, counted */
  DECANT_CHARS,          /* char[capacity]      a string of less than `capacity` bytes, then NUL */
  DECANT_ENUM,           /* int32_t             a string: one of `names` */
  DECANT_FLAGS,          /* uint32_t            an array of strings: the values of their `names`,
                          *                     or-ed */
  DECANT_RAW,            /* const char *        any value: the bytes that the document has for it,
                          *                     including comments, which must be UTF-8. Native
                          *                     engine only */
  DECANT_KIND,           /* int32_t             any value: DECANT_VALUE_NULL … _OBJECT */
  DECANT_RECORD,         /* a struct            the members of `record`, in place */
  DECANT_RECORD_POINTER, /* a struct *          the same, in the value's block; so a record may
                          *                     contain itself */
  DECANT_ARRAY,          /* element *           an array; its length is at `length_offset` */
  DECANT_FIXED_ARRAY,    /* element[capacity]   an array of at most `capacity` elements; its length
                          *                     is at `length_offset`. Without a `length_offset`,
                          *                     of exactly `capacity` elements */
  DECANT_MAP,            /* struct *            an object: one `record` for each member; their
                          *                     number is at `length_offset` */
  DECANT_KEY,            /* const char *        in the record of a map: the member's key; `key` is
                          *                     ignored */
  DECANT_TIME,           /* int64_t             a date and time of RFC 3339, such as
                          *                     "2026-11-27T01:02:03.5+01:00", in microseconds since
                          *                     1970-01-01T00:00:00Z. Flags select other units.
                          *                     Finer digits of a fraction are dropped */
  DECANT_DATE,           /* int32_t             a date, such as "2026-11-27", in days since
                          *                     1970-01-01 */
  DECANT_UNION,          /* a union             the members of the case that a string names */
  DECANT_DECIMAL,        /* decant_decimal      a number, multiplied by 10 to the power of `scale`.
                          *                     Exact: more than `scale` digits after the point
                          *                     return DECANT_INVALID_VALUE */
  DECANT_UUID,           /* uint8_t[16]         a string such as
                          *                     "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" */
  DECANT_BASE64,         /* decant_text         a string of base64 (RFC 4648 §4): its bytes */
  DECANT_FIXED_BASE64,   /* uint8_t[capacity]   the same, of exactly `capacity` bytes */
  DECANT_CONVERTED       /* `extent` bytes      any value: the result of your `conversion` */
};

/* The kinds of JSON values. */
enum {
  DECANT_VALUE_MISSING = 0, DECANT_VALUE_NULL = 1, DECANT_VALUE_BOOL = 2, DECANT_VALUE_NUMBER = 4,
  DECANT_VALUE_STRING = 5, DECANT_VALUE_ARRAY = 6, DECANT_VALUE_OBJECT = 7
};

/* Flags of a field. */
enum {
  /* The key may be absent or null. The field is then all zeros or NULL, or keeps the value of the
   * record's `defaults`. */
  DECANT_OPTIONAL = 1,
  /* The key may be absent or null. The field is then what `default_value` points to, also with
   * DECANT_OPTIONAL. */
  DECANT_DEFAULT = 2,
  /* `key` is an RFC 6901 pointer, such as /user/name; "" is the value itself. In all pointers, a
   * token that contains ~0 or ~1 has at most 255 bytes. */
  DECANT_POINTER = 4,
  /* A number may also be a string that contains a number, such as "5". */
  DECANT_FROM_TEXT = 8,
  /* `length_offset` or `presence_offset` is 0. Without these flags, 0 means that there is none. */
  DECANT_LENGTH_AT_ZERO = 16, DECANT_PRESENCE_AT_ZERO = 32,
  DECANT_STATE = 64, /* the byte at `presence_offset`: absent (0), null (1) or a value (2) */
  /* Elements of an array may be null. They become all zeros or NULL; in columns, null. Encoding
   * writes an element that is a NULL pointer as null. */
  DECANT_NULL_ELEMENTS = 128,
  /* Of a DECANT_TIME: seconds, milliseconds or nanoseconds, instead of microseconds. */
  DECANT_SECONDS = 256, DECANT_MILLISECONDS = 512, DECANT_NANOSECONDS = 1024,
  /* Of a DECANT_TIME: the value is an integer, the number of these units since 1970. */
  DECANT_EPOCH = 2048,
  /* Of any kind but DECANT_KEY: the value is a string that contains a JSON document, as in logs.
   * The kind is that of the inner document. See "JSON in a string". */
  DECANT_EMBEDDED = 4096,
  DECANT_AS_TEXT = 8192,    /* a DECANT_STRING, _TEXT or _CHARS may also be a number, true or
                             * false: the bytes in the document. Numbers: native engine only */
  DECANT_ZONELESS = 16384,  /* a DECANT_TIME has no zone: "2026-11-27T01:02:03", read as UTC */
  DECANT_NULL_TEXTS = 32768, /* strings of `null_texts` count as null, where null is accepted */
  /* Of an integer, or a DECANT_TIME with DECANT_EPOCH: 5.0, 5e0 and 50e-1 are 5. cJSON writes
   * large integers so (1.795732158e+15). Exact: 5.5 returns DECANT_NOT_AN_INTEGER. */
  DECANT_INTEGRAL = 65536,
  /* Of a DECANT_ARRAY of DECANT_STRING, _RAW or _RECORD_POINTER: NULL follows the last element. A
   * `length_offset` is allowed, and not needed. */
  DECANT_NULL_TERMINATED = 131072,
  /* Elements of an array, or members of a map, that fail are left out. The uint32_t at
   * `left_out_offset` counts them. Bounds apply to the elements that remain, and the capacity of a
   * DECANT_FIXED_ARRAY to all elements. Exceeded limits, and unknown members of closed records, are
   * errors all the same. */
  DECANT_LEAVE_OUT = 262144,
  /* Of a DECANT_RAW or a DECANT_MAP: all members that no other field names; NULL if there are none.
   * Closed records accept them, and encoding writes them. `key` is ignored. Not allowed in a record
   * with pointers, nor in a case of a union. A DECANT_RAW (native engine only) is an object:
   * {"x":1,"y":[2]}. */
  DECANT_REST = 524288
};

/* JSON in a string
 *
 *     {"time":1,"log":"{\"level\":\"info\",\"count\":3}"}
 *
 *     {.key = "log", .kind = DECANT_RECORD, .flags = DECANT_EMBEDDED, .record = &entry, …}
 *
 * The options of the outer document apply to the inner one: depth, size, duplicates, relaxations.
 * It counts as a nested record. DECANT_OPTIONAL and DECANT_DEFAULT apply to the member, and not to
 * a null in the text. The text is unescaped first; a text of more than 1 KiB needs memory of its
 * size for that. An error has the place and the path of the member. Its message has the place and
 * the path in the text, too:
 *
 *     2:8: /log: in the inner document, 1:6: /a: expected an integer, found the string "x"
 *
 * The code is DECANT_INVALID_VALUE, unless a limit is exceeded or memory is exhausted. Encoding
 * writes a string again; the path of an error continues into it, as in /log/a. */

/* One of several structs, selected by a tag
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
 * `key` is the key of the tag. The tag must be one of `names`, and the value of the name is stored
 * at `length_offset`. Any other name returns DECANT_INVALID_VALUE. A case that is NULL has no
 * members. The members of a case are members of the same object; their keys cannot be pointers. A
 * closed record knows the members of all cases. Encoding writes the tag and the case. It returns
 * DECANT_INVALID_RECORD if a field of the case has the key of a field around it, or if two names of
 * the tag's value have different records. A tag that may be absent needs DECANT_OPTIONAL, the only
 * flag of a union. Columns and descriptions have no unions, because each of their fields has one
 * type. */

/* A counted string: the type of a DECANT_TEXT. */
typedef struct decant_text {
  const char *bytes; /* NULL when absent or null */
  size_t length;
} decant_text;

/* A decimal: an integer of 128 bits, with the layout of __int128. */
typedef struct decant_decimal {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  int64_t high;
  uint64_t low;
#else
  uint64_t low;
  int64_t high;
#endif
} decant_decimal;

/* A name in JSON, and its value in C. A list of names ends with {NULL, 0}. If a name occurs twice,
 * the first one counts. Values have 32 bits, signed or unsigned. If a document contains a name with
 * a larger value, the call returns DECANT_INVALID_RECORD. */
typedef struct decant_name {
  const char *name;
  int64_t value;
} decant_name;

/* Functions of yours that convert a value to a member, and back. `value` is JSON text (native
 * engine only); with `takes_text`, the text of a string, without quotation marks and escapes. It is
 * valid during the call. If a function returns false, the error is DECANT_CUSTOM with the text that
 * you wrote to `message`. decode() gets a member of zeros. It may be called several times for one
 * value, and for values of a document that fails later, so a member must not own anything. encode()
 * writes at most `capacity` bytes, and sets `length` to the length of the whole text. If that is
 * more than `capacity`, it is called again with enough space. */
typedef struct decant_conversion {
  bool (*decode)(void *context, const char *value, size_t length, void *member, char message[256]);
  bool (*encode)(void *context, const void *member, char *value, size_t capacity, size_t *length,
                 char message[256]);  /* NULL: encoding returns DECANT_INVALID_RECORD */
  void *context;
  int32_t takes_text, reserved;  /* reserved: 0 */
} decant_conversion;

/* The ends of bounds that are given. */
enum {
  DECANT_HAS_MINIMUM = 1, DECANT_HAS_MAXIMUM = 2, DECANT_HAS_LEAST = 4, DECANT_HAS_MOST = 8,
  DECANT_HAS_SHORTEST = 16, DECANT_HAS_LONGEST = 32
};

/* The accepted values, both ends included. A value outside returns DECANT_INVALID_VALUE. `ends`
 * says which ends are given: {.ends = DECANT_HAS_MINIMUM | DECANT_HAS_MAXIMUM} accepts 0 only. If
 * `ends` is 0, the numbers decide. An end of 0 that would exclude every value is no end:
 * {.minimum = 1} accepts 1 and more, {.maximum = -1} accepts -1 and less, and {.shortest = 1}
 * excludes empty strings. The largest number of the member's type excludes nothing: a maximum of
 * INT64_MAX accepts every DECANT_UINT64. */
typedef struct decant_bounds {
  int64_t minimum, maximum;  /* of integers, DECANT_TIME, _DATE and _DECIMAL as stored; 0, 0: any */
  double least, most;        /* of DECANT_FLOAT, as floats, and of DECANT_DOUBLE; 0, 0: any */
  size_t shortest, longest;  /* bytes of strings, elements of arrays and maps; 0, 0: any */
  uint32_t ends;             /* DECANT_HAS_MINIMUM | …; 0: the numbers decide */
  uint32_t reserved;         /* 0 */
} decant_bounds;

/* One field of a struct. Members that a field does not need are zero. */
typedef struct decant_field {
  const char *key;           /* UTF-8; required, unless DECANT_OPTIONAL or DECANT_DEFAULT is set */
  uint32_t key_length;       /* 0: up to the NUL byte */
  uint16_t kind;             /* DECANT_BOOL … */
  uint16_t element;          /* of arrays: any kind but arrays, maps, unions and char[] */
  uint32_t flags;            /* DECANT_OPTIONAL … */
  uint16_t length_kind;      /* of the integer at `length_offset`: DECANT_INT8 …; 0: a size_t */
  uint16_t scale;            /* of DECANT_DECIMAL: digits after the point */
  uint32_t offset;           /* offsetof(struct yours, field) */
  uint32_t length_offset;    /* of the length of a string, array or map; 0: none */
  uint32_t presence_offset;  /* of a bool: true if there was a value; 0: none. See DECANT_STATE */
  uint32_t capacity;         /* of DECANT_CHARS, DECANT_FIXED_ARRAY and DECANT_FIXED_BASE64; digits
                              * of a DECANT_DECIMAL, at most 38; 0: 38 */
  const struct decant_record *record; /* of records, maps, and arrays of records */
  const decant_name *names;    /* of DECANT_ENUM and DECANT_FLAGS */
  const decant_bounds *bounds; /* NULL: every value of the type */
  const void *default_value;   /* of DECANT_DEFAULT: points to a value of the field's type; for a
                                * string, the const char * itself, to which the struct then
                                * points */
  const char *column;          /* of columns: the name of the column; NULL: the key */
  const char *const *other_keys; /* ends with NULL: read if the key is absent or null */
  const char *member;          /* set by DECANT_FIELD: the key, if `key` is NULL */
  const char *zone;            /* of columns: the zone of a DECANT_TIME; NULL: UTC */
  const char *const *null_texts; /* of DECANT_NULL_TEXTS: such as "" and "NA"; ends with NULL */
  const struct decant_record *const *records; /* of DECANT_UNION: for each of `names` one or NULL */
  uint32_t extent;             /* sizeof(the member); of pointers and arrays, sizeof(an element).
                                * Compared with the kind; 0: unknown */
  uint32_t left_out_offset;    /* of a uint32_t: how many DECANT_LEAVE_OUT left out; 0: none */
  const decant_conversion *conversion; /* of DECANT_CONVERTED */
} decant_field;

/* Flags of a record. */
enum {
  /* Each member that no field names is an error, DECANT_UNKNOWN_KEY, with the nearest key of the
   * record: `unknown key "retires"; did you mean "retries"?`. A pointer names its first token. A
   * record at the pointer "" belongs to its parent record, whose flags apply; a DECANT_RAW, a
   * DECANT_CONVERTED or a DECANT_MAP there takes all members. Costs one more walk over the
   * document's objects. */
  DECANT_CLOSED = 1,

  /* If no member has a key exactly, the key matches the first member that differs in the case of
   * letters A to Z only, and whose key is not exactly that of another field. Pointers and nested
   * records are not affected. Records at the pointer "", and the cases of a union, have a flag of
   * their own. */
  DECANT_ANY_CASE = 2
};

/* A table: the description of a struct. The library never writes to tables, so declare them static
 * const. Every call checks the table, unless it is prepared; that takes a few nanoseconds a field
 * if the fields are in the order of their offsets. If the table is invalid, the call returns
 * DECANT_INVALID_RECORD. The message names the field, what is wrong with it, and the field that
 * leads to its record. Records nest at most 32 deep, also through arrays, maps and pointers. A
 * document that nests deeper returns DECANT_TOO_DEEP; on a thread with a small stack, that may
 * happen from 4 levels on.
 *
 * Later versions add flags, and use the members that are reserved here. A 0 there keeps its
 * meaning. For any other value, a library that does not know it returns DECANT_INVALID_RECORD. So a
 * table need not tell how large its rows are. A binding for another language should: if
 * `field_size` is neither 0 nor sizeof(decant_field), the call returns DECANT_INVALID_RECORD, and
 * reads no row. */
typedef struct decant_record {
  size_t size;                /* sizeof(struct yours) */
  const decant_field *fields; /* fastest in the order of the document */
  size_t field_count;
  size_t storage_offset;      /* of a void *: the block that decant_free() releases. 0: none, as in
                               * structs without strings and arrays, and in nested structs */
  uint32_t field_size;        /* sizeof(decant_field); 0 means the same */
  uint32_t flags;             /* DECANT_CLOSED …: none */
  const void *defaults;       /* a struct of this type, or NULL: see below */
} decant_record;

/* With `defaults`, each struct starts as a copy of that struct, also in arrays, maps and streams.
 * An optional field that is absent or null keeps its default. So do members that the table does not
 * name, and absent members of nested structs. A value in the document replaces the whole field. The
 * bool of a presence_offset says whether the object in the document has a value. Pointers are
 * copied: what they point to must live as long as the struct, and decant_free() does not free it.
 * To read one file over another, use a table whose `defaults` are the struct of the first file.
 * `out` must not be the defaults. Encoding leaves out fields that equal their defaults. */

/* Macros for rows, in C11 and C++11. They take kind, element, capacity and offset from the member's
 * type, so a row cannot write more than the member holds. Options are designated initializers of a
 * decant_field, at most 8, in any order, in C++ too.
 *
 *   DECANT_FIELD(struct user, id)
 *   DECANT_FIELD(struct user, age, .key = "how-old", .flags = DECANT_OPTIONAL)
 *   DECANT_FIELD(struct user, tags, DECANT_COUNT(struct user, tag_count))
 *   DECANT_FIELD_AS(struct user, born, DECANT_DATE)
 *   DECANT_FIELD_AS(struct user, home, DECANT_RECORD, .record = &place)
 *   DECANT_TABLE(struct user, fields, .flags = DECANT_CLOSED)
 *
 *   bool, integers, float, double  their kinds; an enum of C is its integer type
 *   char[8], char *, decant_text   DECANT_CHARS, DECANT_STRING, DECANT_TEXT
 *   a pointer to one of these      DECANT_ARRAY, with a DECANT_COUNT; but char * is a string
 *   an array of these              DECANT_FIXED_ARRAY; with a DECANT_COUNT, of at most that many
 *
 * Any other type is a compile error. So is a kind in DECANT_FIELD_AS that does not fit the member,
 * if the kind is written as its name. The key is the member's name, unless `key` is given.
 * DECANT_COUNT names the integer, of any width, that counts the field; a larger count returns
 * DECANT_INVALID_VALUE. DECANT_TAG names the tag of a DECANT_UNION, an integer or an enum.
 * DECANT_PRESENCE names the bool of a `presence_offset`. DECANT_TABLE takes an array of rows. */

/* The place and the extent of a member, or of an array's or a pointer's element, in rows of C99. */
#define DECANT_AT(t, m) \
  .offset = (uint32_t)offsetof(t, m), .extent = (uint32_t)sizeof(((t *)0)->m)
#define DECANT_AT_ELEMENTS(t, m) \
  .offset = (uint32_t)offsetof(t, m), .extent = (uint32_t)sizeof(*((t *)0)->m)

/* Checks a table by itself, for tests. Returns DECANT_OK; or DECANT_INVALID_RECORD, and the message
 * says why. A table is compared with its struct in three places:
 *
 *   the compiler         DECANT_FIELD, DECANT_FIELD_AS: the member's type fits the kind
 *   every call           what a field writes, its count and its presence are inside `size`, and
 *                        overlap no other field; `extent` is that of the record or the element
 *   decant_record_check  `extent` of scalars and strings; bounds that exclude every value; values
 *                        of names; a storage_offset, which `options->buffer` makes unnecessary
 *
 * A row without `extent` can be wrong: DECANT_INT64 for an int is found only if the next four bytes
 * are another field's or after the struct, not if they are padding or in no row. Types of the same
 * size, such as int32_t and float, are told apart by DECANT_FIELD only. */
decant_status decant_record_check(const decant_record *record, decant_error *error);

/* Prepares a table for many calls: pass `*out` to them instead of `record`. They do not check the
 * table again, and find and write members faster, whatever order the members have. `record`, and
 * everything that it points to, must live and stay unchanged until decant_record_free(). Threads
 * may share a prepared table. Do not copy it: a copy is invalid. If `record` has more than 1,024
 * fields in all, or leads to more than 64 records, `*out` is `record`. Returns
 * DECANT_INVALID_RECORD, or DECANT_OUT_OF_MEMORY. decant_record_free() ignores NULL and tables that
 * are not prepared. */
decant_status decant_record_prepare(
    const decant_record *record, const decant_record **out, decant_error *error);
void decant_record_free(const decant_record *prepared);

/* -------------------------------------------------------------------------------------------------
 * Decoding
 */

/* Decodes a document into a struct. `out` is written on success only; it need not be initialized.
 * `error` may be NULL. Returns DECANT_OK, or the code of the error. If there are several errors,
 * returns DECANT_MULTIPLE, and `error->message` has the lines of each. Release a decoded struct
 * with decant_free().
 *
 * Takes time linear in the document. Allocates one block if the struct has strings, arrays or maps.
 * During the call it may allocate two others: the index of a document of more than some 25 members,
 * which the thread caches for its next document, and a copy of a struct of more than 256 bytes. */
decant_status decant_decode(
    const decant_record *record, const char *json, size_t length, void *out, decant_error *error);

/* The same with options; NULL means the defaults. */
decant_status decant_decode_with(
    const decant_record *record, const char *json, size_t length, void *out,
    const decant_options *options, decant_error *error);

/* Decodes a tree of libjansson: a json_t *, which the call borrows and does not change. Errors have
 * no line. Strings that were made by json_string_nocheck() must be UTF-8 all the same. A library
 * that was built without libjansson returns DECANT_UNSUPPORTED. */
decant_status decant_decode_jansson(
    const decant_record *record, const void *tree, void *out, const decant_options *options,
    decant_error *error);

/* Releases the memory that a decoded struct owns. `value` may be NULL, or freed already. */
void decant_free(const decant_record *record, void *value);

/* The same for a struct whose block came from `options->memory`: pass the same options. */
void decant_free_with(const decant_record *record, void *value, const decant_options *options);

/* Structs, in the order of the document's array. */
typedef struct decant_array {
  void *items;  /* NULL when there are none */
  size_t count;
  void *storage;
} decant_array;

/* Decodes the array at an RFC 6901 pointer; "" or NULL: the document is the array. If an element
 * fails, nothing is written, and the error has the errors of all elements. Release the array with
 * decant_array_free(). */
decant_status decant_decode_array(
    const decant_record *record, const char *pointer, const char *json, size_t length,
    decant_array *out, const decant_options *options, decant_error *error);

void decant_array_free(decant_array *array, const decant_options *options);

/* Writes all errors of a document, each as a line `[source:][line:column: ][path: ]what`, and cuts
 * none. They are the errors of decant_decode_with() if `pointer` is NULL, and otherwise those of
 * decant_decode_array() at the pointer. The call decodes the document again, up to
 * `maximum_errors`. Length, buffer and capacity are as in decant_error_json(). Returns 0 if there
 * is no error. */
size_t decant_error_text(
    const decant_record *record, const char *pointer, const char *json, size_t length,
    const decant_options *options, char *buffer, size_t capacity);

/* -------------------------------------------------------------------------------------------------
 * Streams: newline-delimited JSON, one document a line (LF or CR LF), and other framings
 *
 *     decant_lines *lines;
 *     if (decant_lines_open(&record, NULL, &lines, &error) == DECANT_OK) {
 *       while ((length = fread(chunk, 1, sizeof chunk, file)) > 0)
 *         decant_lines_feed(lines, chunk, length, on_event, &events, &error);
 *       decant_lines_finish(lines, on_event, &events, &error);
 *       decant_lines_close(lines);
 *     }
 *
 * Blank lines are skipped. If a line fails, your function gets the error, whose places count from
 * the beginning of the stream, and the stream continues. A line longer than `maximum_bytes` fails
 * with DECANT_TOO_LARGE, and is never buffered whole. In every framing, `maximum_bytes` limits one
 * document, together with white space on its line, after a record, and between an element and its
 * comma.
 *
 * options.framing says how documents are separated:
 *
 *   DECANT_LINES      {"id":1}⏎{"id":2}⏎       a line feed ends a document
 *   DECANT_RECORDS    <RS>{"id":1}⏎<RS>{⏎…     RFC 7464: a record separator (1E) precedes each.
 *                                            A number or a literal may be cut short if no white
 *                                            space follows it: DECANT_UNEXPECTED_END
 *   DECANT_DOCUMENTS  {"id":1}{"id":2} 3 4     one after another: the last bracket or quote ends a
 *                                            document; white space, a bracket or a quote ends a
 *                                            number or a literal
 *
 * With DECANT_DOCUMENTS, a document that lacks its last bracket or quote fails at the byte that
 * proves it invalid: a line feed in a string, a bracket of the wrong kind, or a line that begins
 * with { or [ where no value is allowed. The stream continues at that byte if it begins a line, and
 * otherwise after the next line feed, in both cases at a line that begins with { or [. So a fault
 * loses at most one more document. Words that are not JSON are one error, together with the rest of
 * their line. If documents are numbers, literals or strings, lines may begin with those, too. A
 * document of more than `maximum_bytes` fails within 1 KiB after them, and is skipped to its end.
 *
 * Elements of `elements_at` fail in the same ways. There a line that begins with { or [ may be
 * indented, and a comma may precede the bracket. The stream continues at a line with the
 * indentation of the last good element. If a fault leaves an array open, the following elements
 * belong to that array, by their commas, up to `maximum_bytes`. If a fault closes the array of the
 * elements, and members of the enclosing document seem to follow, the following elements are lost.
 *
 * Byte order marks have one rule in all framings. A mark at offset 0 is skipped if
 * options.skips_byte_order_mark is not 0 or DECANT_RELAX_BYTE_ORDER_MARK is set. The document after
 * any other mark fails with DECANT_BYTE_ORDER_MARK.
 *
 * With options.elements_at the stream is one document. Your function gets the elements of the array
 * at that pointer. Each is checked and decoded as a document, with its place in the stream:
 *
 *   {"type":"FeatureCollection","features":[{"id":1},{"id":2}],"bbox":null}
 *
 * With elements_at = "/features", the function gets {"id":1} and {"id":2}.
 *
 * The text around the array is buffered, up to `maximum_bytes`, and checked when the stream is
 * finished: it must be a document with an array at the pointer. If it is not, the function gets a
 * last error, without an element. If a key occurs twice, the first member counts; DECANT_KEEP_LAST
 * returns DECANT_UNSUPPORTED. Of the array, only the unfinished element is buffered. Paths begin at
 * the document's root, as in /features/17/id. DECANT_RELAX_COMMENTS is not supported here, nor with
 * DECANT_RECORDS and DECANT_DOCUMENTS.
 */

/* Your function, which is called for each document of a stream: with the struct, or with NULL and
 * the error; with `tells_left_out`, perhaps with both. Both are valid until the function returns;
 * copy what you need later. `line`, from 1, is the line where the document begins. Return 0 to
 * continue; any other number ends the stream. The function must not feed, finish or close this
 * stream. It may read other streams. */
typedef int (*decant_line_function)(
    void *context, int64_t line, const void *value, const decant_error *error);

/* Decodes a stream that is one buffer. Returns DECANT_OK, also if `function` ended the stream.
 * Other statuses tell of invalid arguments, options or tables, or of no memory for one struct. */
decant_status decant_decode_lines(
    const decant_record *record, const char *json, size_t length, decant_line_function function,
    void *context, const decant_options *options, decant_error *error);

/* A stream that arrives in chunks. It owns the bytes of the unfinished line, one struct, and one
 * block. All lines reuse them; at most 1 MiB of each stays allocated between lines. One thread at a
 * time may use a stream. */
typedef struct decant_lines decant_lines;

/* Opens a stream. The table, and everything that `options` points to, must live until the stream is
 * closed; `options` itself need not. After a failure there is nothing to close. */
decant_status decant_lines_open(
    const decant_record *record, const decant_options *options, decant_lines **out,
    decant_error *error);

/* Decodes the lines that end in a chunk. A chunk may be cut anywhere, also inside a character. Once
 * `function` has ended the stream, this function and decant_lines_finish() do nothing. Returns
 * DECANT_INVALID_ARGUMENT for NULL, for a length that is too large, and after
 * decant_lines_finish(). If memory is exhausted, `function` gets DECANT_OUT_OF_MEMORY for the line.
 * Takes time linear in the chunk and the lines that end in it. */
decant_status decant_lines_feed(
    decant_lines *lines, const char *chunk, size_t length, decant_line_function function,
    void *context, decant_error *error);

/* Decodes the last document, if its end was not seen yet. With `elements_at`, checks the text
 * around the elements. A second call does nothing. */
decant_status decant_lines_finish(
    decant_lines *lines, decant_line_function function, void *context, decant_error *error);

/* Returns the line and the offset of the first byte that was not decoded yet: the beginning of the
 * unfinished document (of a record, the byte after its separator), or the place where `function`
 * ended the stream. Either pointer may be NULL. */
void decant_lines_place(const decant_lines *lines, int64_t *line, int64_t *offset);

/* Releases the stream. NULL does nothing. An unfinished line is dropped. */
void decant_lines_close(decant_lines *lines);

/* A part of a stream that begins and ends at lines. */
typedef struct decant_piece {
  const char *json;
  size_t length;
  /* For the options of the same names, so that places count from the stream's beginning. */
  int64_t first_line;
  int64_t first_offset;
} decant_piece;

/* Splits a stream into at most `count` pieces of about the same length, for as many threads. The
 * library starts no threads. Returns the number of pieces; no piece is empty. Takes time linear in
 * `length`: it counts line feeds, at the speed of memory.
 *
 * To share one large file among threads and read it once, split a window of the remaining bytes
 * into two pieces. The first piece ends at a line: decode it. The second piece's first_line and
 * first_offset are where the next window begins. A window that returns one piece is shorter than
 * two lines. */
size_t decant_split_lines(const char *json, size_t length, size_t count, decant_piece *pieces);

/* -------------------------------------------------------------------------------------------------
 * Encoding: a struct as JSON, by the same table
 *
 * Decoding the text yields the struct again. Members are in the order of the table. Numbers have as
 * many digits as they need to read back as the same float or double. A field is left out if
 * decoding yields its value for an absent key:
 *
 *   with presence_offset        if the bool is false. With DECANT_STATE, 0 is left out, 1 is null,
 *                               2 is the value
 *   without, DECANT_OPTIONAL    if it is all zeros or NULL. To write 0 or false, add a
 *                               presence_offset, or a DECANT_KIND of the same key, which says that
 *                               there is a value
 *   without, DECANT_DEFAULT     only if the default cannot be written, such as NaN
 *
 * The members of a DECANT_RECORD with the pointer "" become members of the enclosing object, if no
 * other field has a pointer. Any other field whose `key` is a pointer is written into the objects
 * that the pointer names. They are arrays if their elements are 0, 1, 2 … in the order of the
 * table. A DECANT_RAW is copied, after a check that it is JSON, at most 512 deep. A DECANT_KIND is
 * written only if no other field has its value: as null, false, 0, "", [] or {}. If two fields have
 * the same value, or one has a part of the other's, the call returns DECANT_DUPLICATE_KEY. A
 * DECANT_KIND is one of them only if it is the kind of a part of another field's value, unless that
 * field is a DECANT_RAW. Equal keys among the first 256 members of a map return
 * DECANT_DUPLICATE_KEY, too. Later keys are not compared, because that would need memory; they must
 * differ.
 */

/* Writes a struct into a buffer. The buffer must not overlap the struct or what the struct points
 * to. `length`, which may be NULL, is set to the length of the text in bytes. If the text fits,
 * returns DECANT_OK. Otherwise returns DECANT_BUFFER_TOO_SMALL, and the buffer has the beginning of
 * the text. A NUL follows the text if there is space: unlike with snprintf(), a text as long as the
 * buffer fits, and is not terminated. NULL with a capacity of 0 measures, and returns DECANT_OK. A
 * string is written up to its NUL, or with the length at its `length_offset`.
 *
 * If the table could not decode the value, the call returns an error with a path, and `length` is
 * 0:
 *
 *   DECANT_INVALID_UTF8   a string that is not UTF-8
 *   DECANT_MISSING_KEY    NULL, or no presence, for a required value
 *   DECANT_INVALID_VALUE  infinities, NaN, enums and flags without a name, NULL with a length,
 *                         times outside of the years 0 to 9999, values outside their bounds
 *   DECANT_TOO_DEEP       records more than 32 deep, or deeper than the thread's stack allows, also
 *                         by pointers that form a cycle
 *   DECANT_TOO_LARGE      more than 4 GiB
 *
 * The buffer then has the beginning of the text, up to the value that failed; bytes after that are
 * unspecified. Whatever the status, nothing is written beyond the text or beyond `capacity`.
 *
 * Allocates nothing, unless the table has more than 64 fields, pointers of about 16 tokens or more
 * together, or many fields that are not in the order of their struct, or an array has 64 structs or
 * more and the table is not prepared. Without memory for pointers, returns DECANT_OUT_OF_MEMORY;
 * other memory only makes the call faster. Takes time linear in the text, and in the bytes of
 * records that have pointers. */
decant_status decant_encode(
    const decant_record *record, const void *value, char *buffer, size_t capacity, size_t *length,
    decant_error *error);

/* Writes `count` structs, one after another in memory, as an array. */
decant_status decant_encode_array(
    const decant_record *record, const void *items, size_t count, char *buffer, size_t capacity,
    size_t *length, decant_error *error);

#ifdef __cplusplus
}
#endif

#include "decant_columns.h"
#include "decant_documents.h"
#include "decant_writer.h"
#if defined(__cplusplus) || __STDC_VERSION__ >= 201112L
#include "decant_fields.h"
#endif

#endif
