/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Text out: structs as JSON in memory that grows, or to a function; and JSON that is built in a few
 * calls, without a struct.
 *
 *     char text[256];
 *     size_t length;
 *     decant_error error = DECANT_ERROR_INIT;
 *     decant_writer writer;
 *     decant_writer_to_buffer(&writer, text, sizeof text, NULL, &error);
 *     decant_writer_object(&writer);
 *     decant_writer_key(&writer, "id");
 *     decant_writer_int64(&writer, 5);
 *     decant_writer_key(&writer, "user");
 *     decant_writer_struct(&writer, &record, &user);
 *     decant_writer_end(&writer);
 *     if (decant_writer_finish(&writer, NULL, &length) != DECANT_OK) puts(error.message);
 *     // {"id":5,"user":{"id":7,"name":"Ann"}}
 *
 * Included by decant.h, whose rules hold here, too.
 */
#ifndef DECANT_WRITER_H
#define DECANT_WRITER_H

#include "decant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes a piece of a text: bytes that live until the function returns, and end anywhere, also
 * inside a character. DECANT_OK to go on. Any other number ends the text, and is what the call
 * returns: a code of decant.h, or a number of yours, which should be negative, and is DECANT_CUSTOM
 * in the error. */
typedef decant_status (*decant_write_function)(void *context, const char *text, size_t length);

/* decant_encode() into memory that is as large as the text and a NUL behind it: `text` and
 * `length`, which may be NULL, are written on success only. Uses `memory` and `pretty` of the
 * options: two spaces a level, which stay from the 64th level on. A text of more than 1 KiB takes
 * the time of two, and calls each conversion twice: a value that is longer the second time is
 * DECANT_CUSTOM. Give the text back with decant_text_free() and the same options; without
 * `memory`, free() does, too. */
decant_status decant_encode_text(
    const decant_record *record, const void *value, const decant_options *options, char **text,
    size_t *length, decant_error *error);

decant_status decant_encode_array_text(
    const decant_record *record, const void *items, size_t count, const decant_options *options,
    char **text, size_t *length, decant_error *error);

/* Gives a text back; NULL does nothing. */
void decant_text_free(char *text, const decant_options *options);

/* The same to a function, in pieces of at most 1 KiB: the text is nowhere in one piece, but for
 * what DECANT_EMBEDDED fields write as strings. Uses `pretty`. After a failure the function has the
 * beginning of a text. Time linear in the text. */
decant_status decant_encode_to(
    const decant_record *record, const void *value, decant_write_function write, void *context,
    const decant_options *options, decant_error *error);

decant_status decant_encode_array_to(
    const decant_record *record, const void *items, size_t count, decant_write_function write,
    void *context, const decant_options *options, decant_error *error);

/* A text that is being written: one value, with what is inside. Yours, on the stack or anywhere; it
 * needs no initialiser, and must not be copied. For one thread at a time.
 *
 * One of the three functions decant_writer_to_… begins it, decant_writer_finish() ends it. The
 * calls between need no checks: the first failure is written to `error`, stays, and is what all
 * calls behind it return, which do nothing. Failures are calls in the wrong order, such as a value
 * where a key belongs (DECANT_INVALID_ARGUMENT), more than 512 levels (DECANT_TOO_DEEP), what JSON
 * has not (DECANT_INVALID_UTF8, DECANT_INVALID_VALUE), and what writing comes to. That keys of an
 * object differ is up to you. `offset` of the error is that of the text.
 *
 * Of the options, `pretty` and `memory` are used. `error` and they may be NULL, and must otherwise
 * live until the writer is finished. */
typedef struct decant_writer {
  uint64_t state[384];  /* the library's own */
} decant_writer;

/* Into a buffer, as decant_encode() does: the length counts on when the buffer is full. */
decant_status decant_writer_to_buffer(
    decant_writer *writer, char *buffer, size_t capacity, const decant_options *options,
    decant_error *error);

/* Into memory that grows, twice as large each time. */
decant_status decant_writer_to_text(
    decant_writer *writer, const decant_options *options, decant_error *error);

/* To a function, in pieces of at most 1 KiB, and without other memory. */
decant_status decant_writer_to_function(
    decant_writer *writer, decant_write_function write, void *context,
    const decant_options *options, decant_error *error);

/* Begin an object or an array, which decant_writer_end() ends. */
decant_status decant_writer_object(decant_writer *writer);
decant_status decant_writer_array(decant_writer *writer);
decant_status decant_writer_end(decant_writer *writer);

/* The key of a member, whose value comes next. */
decant_status decant_writer_key(decant_writer *writer, const char *key);
decant_status decant_writer_key_counted(decant_writer *writer, const char *key, size_t length);

/* Values. Numbers have as many digits as they need; infinities and NaN are failures. A string of
 * NULL is null, if its length is 0. */
decant_status decant_writer_null(decant_writer *writer);
decant_status decant_writer_bool(decant_writer *writer, bool value);
decant_status decant_writer_int64(decant_writer *writer, int64_t value);
decant_status decant_writer_uint64(decant_writer *writer, uint64_t value);
decant_status decant_writer_double(decant_writer *writer, double value);
decant_status decant_writer_string(decant_writer *writer, const char *text);
decant_status decant_writer_string_counted(
    decant_writer *writer, const char *text, size_t length);

/* A value that is JSON text, after a check that it is. */
decant_status decant_writer_raw(decant_writer *writer, const char *json, size_t length);

/* A struct, as decant_encode() writes it. */
decant_status decant_writer_struct(
    decant_writer *writer, const decant_record *record, const void *value);

/* A document or a part of it, as it is written there, by the native engine. What relaxations let in
 * is a failure: DECANT_INVALID_VALUE. */
decant_status decant_writer_value(decant_writer *writer, decant_value value);

/* Ends the text: DECANT_OK, or the first failure; DECANT_INVALID_ARGUMENT if the value is not
 * complete, DECANT_BUFFER_TOO_SMALL with the length that is needed. Of decant_writer_to_text(),
 * `text` gets the text, which ends with a NUL byte, to be given back with decant_text_free(); after
 * a failure, or if it is NULL, the text is given back here. `length` is set to the bytes of the
 * text; either may be NULL. Afterwards the writer owns nothing, and may begin again. */
decant_status decant_writer_finish(decant_writer *writer, char **text, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
