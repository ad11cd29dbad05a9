/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * The rest of the manual that decant.h begins: streams of JSON as columns, tables that are made at
 * run time, and bindings. decant.h includes this header.
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
 * The table is the schema. What is filled are not structs, but the columns of the Arrow C data
 * interface, which DuckDB, Polars, pyarrow, Spark, Ray and others take as they are. No library of
 * Arrow is needed here.
 *
 *     struct ArrowArrayStream rows, rejects;
 *     if (decant_read_arrow(&record, json, length, NULL, &rows, &rejects, &error) == DECANT_OK) {
 *       …
 *     }
 *
 *   DECANT_BOOL                     bool
 *   DECANT_INT8 … DECANT_DOUBLE     int8 … uint64, float, double
 *   DECANT_STRING, _TEXT, _CHARS    utf8_view, or utf8: DECANT_COLUMNS_UTF8
 *   DECANT_RAW                      the same, as Arrow's extension type arrow.json: the value as
 *                                   its bytes are in the document
 *   DECANT_ENUM                     dictionary of the names, by int32; of several names of a value,
 *                                   the first. Invalid with more than 4,096 names, values of more
 *                                   than 32 bits, or a default without a name
 *   DECANT_FLAGS, DECANT_KIND       uint32, int32
 *   DECANT_TIME                     timestamp in its unit, whose zone is `zone`, or UTC; the
 *                                   instants are those of the texts. Without a zone:
 *                                   DECANT_ZONELESS
 *   DECANT_DATE                     date32
 *   DECANT_DECIMAL                  decimal128 of `capacity` digits and `scale`
 *   DECANT_UUID                     fixed_size_binary of 16 bytes, as arrow.uuid
 *   DECANT_BASE64                   binary_view, or binary: DECANT_COLUMNS_UTF8
 *   DECANT_FIXED_BASE64             fixed_size_binary
 *   DECANT_RECORD, _RECORD_POINTER  struct; invalid if the record holds itself
 *   DECANT_ARRAY                    list. If its elements are records with one field, by the
 *                                   pointer "", it is a list of that field's values: so are lists
 *                                   of lists
 *   DECANT_FIXED_ARRAY              fixed_size_list; list if its elements are counted
 *   DECANT_MAP                      map of the DECANT_KEY and the value, which is a struct unless
 *                                   the only other field is that of the pointer ""; a list of
 *                                   structs if the record has no such fields
 *
 * For an invalid table, the call returns DECANT_INVALID_RECORD.
 *
 * A column is called what the field's `column` says. Without one, it has the key as its name, up to
 * a NUL byte; the pointer "" is `value`. A key, a column's name, an enum's name or a default that
 * is not UTF-8 makes the table invalid, and so do two columns of a record that have one name.
 * DECANT_OPTIONAL makes a column nullable: absent and null are null; but a DECANT_KIND holds
 * DECANT_VALUE_NULL where the value is null. DECANT_DEFAULT does not. DECANT_NULL_ELEMENTS makes
 * the elements of a list nullable. The metadata of DECANT_RAW, _KIND and _FLAGS have a key
 * `decant.kind` with "raw", "kind" or "flags", and of flags `decant.names` and `decant.values`.
 * Offsets, lengths and presences of the table are checked, but mean nothing here, and no
 * storage_offset is needed. A column counts its text, so that text may have NUL bytes.
 *
 * Rows are lines, or what else `framing` and `elements_at` make the documents of a stream: see
 * "Streams". The manual says "line" for each of them, and means the line and the byte where the
 * document begins.
 *
 * A line that fails has no row, not even a part of one, and a row in `rejects`:
 *
 *   line          int64     from 1, or from first_line
 *   line_offset   int64     of the line's first byte
 *   offset        int64     of the first offending byte; null if unknown
 *   path          utf8      JSON Pointer of the value
 *   code          int32     a decant_status; the first error's, if the line has several
 *   message       utf8      what is wrong, without the place
 *   text          utf8      the line's first 1,024 bytes, with U+FFFD for what is not UTF-8; null
 *                           if `redacts_input`
 *   count         int64     1
 *
 * At most `maximum_rejects` lines have such a row; 0 means 65,536. If others fail, one more row is
 * the last: its `count` is how many, its code DECANT_MULTIPLE, and the line is null. So the sum of
 * `count` is the number of lines that failed, always. With `elements_at`, what is wrong with the
 * document around the elements counts as one more: the last reject, whose line_offset and text are
 * null.
 */

/* What columns are like: decant_read_arrow(). */
enum {
  DECANT_COLUMNS_LINE = 1,   /* a last column `_line`: the line that a row is from */
  DECANT_COLUMNS_UTF8 = 2,   /* text as utf8; utf8_view is not known to every consumer */
  DECANT_COLUMNS_BORROW = 4  /* text without escapes is not copied: batches refer to `json` */
};

/* Reads a stream of JSON as two streams of batches. Either may be NULL: without `rejects` failures
 * are dropped, without `rows` lines are checked alone. The structs are written on success only;
 * each is to be released, as Arrow demands, in any order.
 *
 * Lines are read when a stream is asked for its next batch: the table, `json` and what `options`
 * point to must live until both streams are released. `options->release` is called then, by the
 * thread that releases the last one, with `options->release_context`: the streams can own what they
 * need, such as a decant_schema, a mapped file or an object of another language. Batches and
 * schemas have memory of their own and outlive the streams. With DECANT_COLUMNS_BORROW text of more
 * than 12 bytes that has no escapes is not copied, and `json` must outlive the batches, too.
 * `memory` is where everything comes from; batches are given back by whichever thread releases
 * them.
 *
 * A batch has `batch_rows` rows, the last one fewer; 0 means 65,536, but not more than 64 MiB of
 * lines, nor of columns of fixed size. Batches end before they are of more than 2^31 - 1 bytes of
 * lines, before a column would have more bytes of text, or elements of lists, and before their
 * columns would take more than `maximum_memory`; a line that has so much by itself fails with
 * DECANT_TOO_LARGE.
 *
 * The streams may be used by two threads. What they yield does not depend on which is read first:
 * batches that are read for the other one wait in memory. So read `rows` first, or release it. One
 * thread reads at a time; get_next() of the other stream waits for the end of its batch, unless a
 * batch is at hand. get_schema(), get_last_error() and release() never wait. get_next() fails with
 * ENOMEM without having lost a row, and may be called again.
 *
 * With `maximum_rows` both streams end with that row: the rejects are those of the lines before it,
 * and what is around `elements_at` is not checked.
 *
 * Time linear in the input. One block of memory for each column and batch, and what a column's
 * values need. */
decant_status decant_read_arrow(
    const decant_record *record, const char *json, size_t length,
    const decant_options *options, struct ArrowArrayStream *rows,
    struct ArrowArrayStream *rejects, decant_error *error);

/* Where bytes come from: writes at most `capacity` bytes, which is never 0, to `buffer`, and
 * returns how many there are; 0 at the end, or the negative of a number of errno.h if they cannot
 * be read. More than `capacity` is an error: EIO. No lock of Decant's is held during the call. If
 * the function needs a lock of yours, no thread may hold that lock while it calls get_next(): the
 * thread that reads would wait for the lock, and the other thread for the reader. */
typedef ptrdiff_t (*decant_read_function)(
    void *context, char *buffer, size_t capacity);

/* The same for a stream that is read as batches are asked for: a file, a pipe, a socket. It may be
 * cut anywhere. Keeps 1 MiB of bytes, or the longest line and as much again; of a line of more than
 * `maximum_bytes` no more than that. `function` is called by the thread that asks for a batch,
 * until it returns 0; it must not call either stream. If it fails, the rows or rejects that are
 * complete come first; then get_next() returns its number, and calls it again when it is called
 * again. What is then missing of a line is no row and no reject. DECANT_COLUMNS_BORROW returns
 * DECANT_INVALID_ARGUMENT. */
decant_status decant_read_arrow_from(
    const decant_record *record, decant_read_function function,
    void *context, const decant_options *options,
    struct ArrowArrayStream *rows, struct ArrowArrayStream *rejects,
    decant_error *error);

/* -------------------------------------------------------------------------------------------------
 * Schemas: tables that are made at run time, of a description in JSON
 *
 *     {"fields":[
 *       {"key":"id","kind":"int64","minimum":1},
 *       {"key":"name","kind":"string","optional":true},
 *       {"key":"kind","kind":"enum","names":["view","purchase"],"default":"view"},
 *       {"key":"tags","kind":"array","element":"string","longest":16},
 *       {"pointer":"/user/at","kind":"record","fields":[{"key":"x","kind":"double"}]}]}
 *
 *   key, pointer          a member's key, or a JSON Pointer: DECANT_POINTER; not both. A DECANT_KEY
 *                         has neither
 *   kind, element         "bool", "int8" … "uint64", "float", "double", "string", "text", "chars",
 *                         "enum", "flags", "raw", "kind", "record", "record_pointer", "array",
 *                         "fixed_array", "map", "key", "time", "date", "decimal", "uuid", "base64",
 *                         "fixed_base64"
 *   column                the name of the column, if it is not the key
 *   null_elements         true, of arrays: DECANT_NULL_ELEMENTS
 *   unit, epoch           of "time": "s", "ms", "us" or "ns"; true: DECANT_EPOCH
 *   zone, zoneless        of "time": what its column's zone is called; true: DECANT_ZONELESS
 *   as_text               true, of "string", "text" and "chars": DECANT_AS_TEXT
 *   null_texts            an array of strings: DECANT_NULL_TEXTS
 *   other_keys            an array of keys or pointers
 *   integral, any_case    true: DECANT_INTEGRAL; of what has fields, DECANT_ANY_CASE
 *   optional, from_text   true: DECANT_OPTIONAL, DECANT_FROM_TEXT
 *   embedded              true: DECANT_EMBEDDED
 *   default               a value of the field's kind, inside its bounds or not: DECANT_DEFAULT
 *   names                 of enums and flags: an object of names with their values; or an array,
 *                         where the values are 0, 1, 2 …, and of flags, at most 32, 1, 2, 4 …
 *   fields, closed        of records, maps, and arrays of records, and of the whole; true:
 *                         DECANT_CLOSED
 *   capacity, counted     of "chars", "fixed_base64" and "fixed_array"; true: at most that many
 *                         elements
 *   precision, scale      of "decimal": digits, and those of them that are behind the point
 *   minimum, maximum      of numbers; of "time", "date" and "decimal", values of theirs
 *   shortest, longest     bytes of strings, elements of arrays and maps
 *
 * A key that says nothing about the kind of its field returns DECANT_INVALID_VALUE.
 *
 * The struct has the fields in their order, each at a multiple of eight bytes, and behind each,
 * eight bytes each: the length of "string", "raw", "key", "array", "map" and of a fixed array that
 * is counted; the presence of an optional field that is in the struct itself. Its storage is at the
 * end.
 */

typedef struct decant_schema decant_schema;

/* Reads a description; `out` is written on success only. It is checked as a table is, and what is
 * wrong is reported with its place and its path. Records that nest more than 32 deep, or deeper
 * than the thread's stack holds, return DECANT_TOO_DEEP. Uses the options that say how a document
 * is read, `source_name`, `memory`, `maximum_memory` and `redacts_input`; DECANT_JANSSON returns
 * DECANT_UNSUPPORTED. */
decant_status decant_schema_parse(
    const char *json, size_t length, const decant_options *options, decant_schema **out,
    decant_error *error);

/* The table, as long as the schema lives. NULL for NULL. */
const decant_record *decant_schema_record(const decant_schema *schema);

/* Gives a schema back; NULL does nothing. The options' memory must still be there if it was
 * used. */
void decant_schema_free(decant_schema *schema);

/* Writes the description of any table, as decant_encode() writes a struct. Reading makes a table of
 * it that accepts the same documents; its struct is another one. A record that holds itself has
 * none, and returns DECANT_INVALID_RECORD. */
decant_status decant_record_describe(
    const decant_record *record, char *buffer, size_t capacity,
    size_t *length, decant_error *error);

/* -------------------------------------------------------------------------------------------------
 * Bindings for other languages
 *
 * Sizes, offsets and values of all that is here, by which a binding can be written and tested, are
 * on the page "Bindings" of the documentation.
 */

/* Writes DECANT_OPTIONS_INIT into `capacity` bytes, as far as they go, with a `size` that says so.
 * Returns sizeof(decant_options) of this library; `options` may be NULL if `capacity` is 0. */
size_t decant_options_init(decant_options *options, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
