/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The second part of the manual: streams of JSON as columns, tables that are made at run time, and
 * bindings. decant.h includes this header.
 */
#ifndef DECANT_COLUMNS_H
#define DECANT_COLUMNS_H

#include "decant.h"
#include "decant_arrow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------------
 * Columns: streams of JSON as Arrow
 *
 * The table is the schema. The documents of a stream become rows of columns in the Arrow C data
 * interface, which DuckDB, Polars, pyarrow, Spark, Ray and others import without a copy. Decant
 * itself needs no Arrow library.
 *
 *     struct ArrowArrayStream rows, rejects;
 *     if (decant_read_arrow(&record, json, length, NULL, &rows, &rejects, &error) == DECANT_OK) {
 *       …
 *     }
 *
 *   DECANT_BOOL                     bool
 *   DECANT_INT8 … DECANT_DOUBLE     int8 … uint64, float, double
 *   DECANT_STRING, _TEXT, _CHARS    utf8_view, or utf8: DECANT_COLUMNS_UTF8
 *   DECANT_RAW                      the same, as Arrow's extension type arrow.json: the value's
 *                                   bytes in the document
 *   DECANT_ENUM                     dictionary of the names, indexed by int32. If a value has
 *                                   several names, the first. Invalid with more than 4,096 names,
 *                                   values of more than 32 bits, or a default without a name
 *   DECANT_FLAGS, DECANT_KIND       uint32, int32
 *   DECANT_TIME                     timestamp in the field's unit, in the zone `zone` or UTC. The
 *                                   zone does not change the instants. With DECANT_ZONELESS, a
 *                                   timestamp without a zone
 *   DECANT_DATE                     date32
 *   DECANT_DECIMAL                  decimal128 of `capacity` digits and `scale`
 *   DECANT_UUID                     fixed_size_binary of 16 bytes, as arrow.uuid
 *   DECANT_BASE64                   binary_view, or binary: DECANT_COLUMNS_UTF8
 *   DECANT_FIXED_BASE64             fixed_size_binary
 *   DECANT_RECORD, _RECORD_POINTER  struct; invalid if the record contains itself
 *   DECANT_ARRAY                    list. If its elements are records whose only field has the
 *                                   pointer "", a list of that field's values; this makes lists of
 *                                   lists
 *   DECANT_FIXED_ARRAY              fixed_size_list; list if the field has a `length_offset`
 *   DECANT_MAP                      map of the DECANT_KEY to a struct. If the only other field has
 *                                   the pointer "", a map to that field's values. Without a
 *                                   DECANT_KEY, or without other fields, a list of structs
 *
 * If a table is invalid, the call returns DECANT_INVALID_RECORD.
 *
 * The name of a column is the field's `column`. If that is NULL, the name is the key, up to a NUL
 * byte; for the pointer "", it is `value`; without a key, `rest`. A key, a column's name, an enum's
 * name or a default that is not UTF-8 makes the table invalid. So do two columns of a record with
 * the same name.
 *
 * DECANT_OPTIONAL makes a column nullable: absent and null become null. A DECANT_KIND becomes
 * DECANT_VALUE_NULL if the value is null. With DECANT_DEFAULT, a column is not nullable.
 * DECANT_NULL_ELEMENTS makes the elements of a list nullable. The metadata of a DECANT_RAW, _KIND
 * or _FLAGS has the key `decant.kind` with "raw", "kind" or "flags"; that of flags also has
 * `decant.names` and `decant.values`. Offsets, lengths and presences of the table are checked, and
 * not used. No storage_offset is needed. Text may contain NUL bytes, because columns count it.
 *
 * A DECANT_RAW with DECANT_REST is a nullable column: the members that no other column has, as one
 * object. DECANT_LEAVE_OUT leaves elements out of lists and maps; no column counts them. Unions and
 * conversions have no columns and no descriptions: a column has one type, and JSON no functions.
 *
 * Each document of a stream is a row. `framing` and `elements_at` say what a document is: see
 * "Streams". This manual says "line" for a document, too; its line number and offset are those of
 * the document's first byte.
 *
 * A line that fails adds nothing to `rows`, and one row to `rejects`:
 *
 *   line          int64     from 1, or from first_line
 *   line_offset   int64     of the line's first byte
 *   offset        int64     of the first offending byte; null if unknown
 *   path          utf8      JSON Pointer of the value
 *   code          int32     a decant_status; the first error's, if the line has several
 *   message       utf8      what is wrong, without the place
 *   text          utf8      the line's first 1,024 bytes, with U+FFFD for bytes that are not UTF-8;
 *                           null with `redacts_input`
 *   count         int64     1
 *
 * At most `maximum_rejects` lines have such a row; 0 means 65,536. If more lines fail, one last row
 * counts them: its `count` is their number, its code is DECANT_MULTIPLE, and its line is null. So
 * the sum of `count` is always the number of lines that failed. With `elements_at`, errors of the
 * document around the elements add one reject, the last one. Its line_offset and text are null.
 */

/* How columns are made: `columns` of the options. */
enum {
  DECANT_COLUMNS_LINE = 1,   /* a last column `_line`: the line of each row */
  DECANT_COLUMNS_UTF8 = 2,   /* text as utf8; not every consumer knows utf8_view */
  DECANT_COLUMNS_BORROW = 4  /* text without escapes is not copied: batches refer to `json` */
};

/* Reads a stream of JSON as two streams of batches. Either may be NULL: without `rejects`, failures
 * are dropped; without `rows`, lines are only checked. The structs are written on success only.
 * Release both, in any order, as Arrow requires.
 *
 * Lines are read when a stream is asked for its next batch. So the table, `json` and everything
 * that `options` points to must live until both streams are released. Then the thread that releases
 * the second stream calls `options->release` with `options->release_context`. In this way the
 * streams can own what they need, such as a decant_schema, a mapped file or an object of another
 * language. Batches and schemas have memory of their own, and outlive the streams. With
 * DECANT_COLUMNS_BORROW, text of more than 12 bytes without escapes is not copied, and `json` must
 * outlive the batches, too. All memory comes from `options->memory`; the thread that releases a
 * batch frees its memory.
 *
 * A batch has `batch_rows` rows, the last one fewer. 0 means 65,536 rows, and at most 8 MiB of
 * lines and 64 MiB of columns of fixed size. A batch also ends before it has more than 2^31 - 1
 * bytes of lines, before a column has more than that many bytes of text or elements of lists, and
 * before its columns take more than `maximum_memory`. A line that exceeds such a limit alone fails
 * with DECANT_TOO_LARGE.
 *
 * Two threads may use the two streams. The streams yield the same in any order of reading: batches
 * that are made while the other stream is read wait in memory. So read `rows` first, or release it.
 * One thread reads at a time; get_next() of the other stream waits for the end of that batch,
 * unless it has a batch already. get_schema(), get_last_error() and release() never wait. If
 * get_next() fails with ENOMEM, no row is lost, and it may be called again.
 *
 * With `maximum_rows`, both streams end with that row. The rejects are those of earlier lines, and
 * the text around `elements_at` is not checked.
 *
 * Takes time linear in the input. Allocates one block for each column and batch, and the space of
 * the column's values. */
decant_status decant_read_arrow(
    const decant_record *record, const char *json, size_t length,
    const decant_options *options, struct ArrowArrayStream *rows,
    struct ArrowArrayStream *rejects, decant_error *error);

/* Your function, which provides bytes. Writes at most `capacity` bytes, which is never 0, to
 * `buffer`, and returns their number; 0 at the end; or a negated number of errno.h if reading
 * fails. A number above `capacity` is the error EIO. The library holds no lock during the call. If
 * the function takes a lock of yours, no thread may hold that lock while it calls get_next(): the
 * reading thread would wait for the lock, and the other thread for the reading one. */
typedef ptrdiff_t (*decant_read_function)(
    void *context, char *buffer, size_t capacity);

/* The same for a stream that is read when batches are requested: a file, a pipe, a socket. Pieces
 * may end anywhere. Buffers 1 MiB, or twice the longest line; of a line longer than
 * `maximum_bytes`, at most that many bytes. The thread that requests a batch calls `function`,
 * until the function returns 0. The function must not call either stream. If it fails, complete
 * rows and rejects are delivered first. Then get_next() returns its number; the next get_next()
 * calls it again. An incomplete line becomes neither a row nor a reject. DECANT_COLUMNS_BORROW
 * returns DECANT_INVALID_ARGUMENT. */
decant_status decant_read_arrow_from(
    const decant_record *record, decant_read_function function,
    void *context, const decant_options *options,
    struct ArrowArrayStream *rows, struct ArrowArrayStream *rejects,
    decant_error *error);

/* -------------------------------------------------------------------------------------------------
 * Schemas: tables that are made at run time, from a description in JSON
 *
 *     {"fields":[
 *       {"key":"id","kind":"int64","minimum":1},
 *       {"key":"name","kind":"string","optional":true},
 *       {"key":"kind","kind":"enum","names":["view","purchase"],"default":"view"},
 *       {"key":"tags","kind":"array","element":"string","longest":16},
 *       {"pointer":"/user/at","kind":"record","fields":[{"key":"x","kind":"double"}]}]}
 *
 *   key, pointer          a member's key, or a JSON Pointer (DECANT_POINTER); not both. A
 *                         DECANT_KEY has neither
 *   kind, element         "bool", "int8" … "uint64", "float", "double", "string", "text", "chars",
 *                         "enum", "flags", "raw", "kind", "record", "record_pointer", "array",
 *                         "fixed_array", "map", "key", "time", "date", "decimal", "uuid", "base64",
 *                         "fixed_base64"
 *   column                the name of the column, if it is not the key
 *   null_elements         true, of arrays: DECANT_NULL_ELEMENTS
 *   unit, epoch           of "time": "s", "ms", "us" or "ns"; true: DECANT_EPOCH
 *   zone, zoneless        of "time": the zone of its column; true: DECANT_ZONELESS
 *   as_text               true, of "string", "text" and "chars": DECANT_AS_TEXT
 *   null_texts            an array of strings: DECANT_NULL_TEXTS
 *   other_keys            an array of keys or pointers
 *   integral, any_case    true: DECANT_INTEGRAL; beside `fields`, DECANT_ANY_CASE
 *   optional, from_text   true: DECANT_OPTIONAL, DECANT_FROM_TEXT
 *   embedded              true: DECANT_EMBEDDED
 *   leave_out             true, of arrays and maps: DECANT_LEAVE_OUT
 *   rest                  true, of "raw" and "map": DECANT_REST; needs no key
 *   default               a value of the field's kind (DECANT_DEFAULT); bounds do not apply to it
 *   names                 of enums and flags: an object of names and their values; or an array. Its
 *                         names have the values 0, 1, 2 …; those of flags, at most 32, 1, 2, 4 …
 *   fields, closed        of records, maps, and arrays of records, and of the whole; true:
 *                         DECANT_CLOSED
 *   capacity, counted     of "chars", "fixed_base64" and "fixed_array"; true: at most that many
 *                         elements
 *   precision, scale      of "decimal": all digits, and the digits after the point
 *   minimum, maximum      of numbers, "time", "date" and "decimal": values of the field's kind
 *   shortest, longest     bytes of strings, elements of arrays and maps
 *
 * A key that does not apply to the kind of its field returns DECANT_INVALID_VALUE.
 *
 * The struct has the fields in the order of the description, each at a multiple of eight bytes.
 * Eight bytes follow for the length of a "string", "raw", "key", "array", "map" or a "fixed_array"
 * that is counted, eight for the number of elements that were left out, and eight for the presence
 * of an optional field that is stored in place. The storage is the last member.
 */

typedef struct decant_schema decant_schema;

/* Reads a description. `out` is written on success only. The description is checked as a table is;
 * errors have a place and a path in it. Records that nest more than 32 deep, or deeper than the
 * thread's stack allows, return DECANT_TOO_DEEP. Uses the options for reading a document,
 * `source_name`, `memory`, `maximum_memory` and `redacts_input`. DECANT_JANSSON returns
 * DECANT_UNSUPPORTED. */
decant_status decant_schema_parse(
    const char *json, size_t length, const decant_options *options, decant_schema **out,
    decant_error *error);

/* Returns the table, which is valid as long as the schema; NULL for NULL. */
const decant_record *decant_schema_record(const decant_schema *schema);

/* Releases a schema. NULL does nothing. The allocator of the options must still work if it was
 * used. */
void decant_schema_free(decant_schema *schema);

/* Writes the description of any table, as decant_encode() writes a struct. decant_schema_parse()
 * makes a table from it that accepts the same documents, with another struct. Strings may contain
 * NUL bytes there, but those of "chars" may not. A record that contains itself has no description,
 * and returns DECANT_INVALID_RECORD. */
decant_status decant_record_describe(
    const decant_record *record, char *buffer, size_t capacity,
    size_t *length, decant_error *error);

/* -------------------------------------------------------------------------------------------------
 * Bindings for other languages
 *
 * The page "Bindings" of the documentation lists the sizes, offsets and values of these headers, to
 * write a binding and to test it.
 */

/* Writes DECANT_OPTIONS_INIT into `options`, at most `capacity` bytes of it, and sets `size` to the
 * bytes written. Returns sizeof(decant_options) of this library. `options` may be NULL if
 * `capacity` is 0. */
size_t decant_options_init(decant_options *options, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
