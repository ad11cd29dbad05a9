/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Writing text: structs as JSON into memory that grows, or to a function; and JSON that calls of a
 * writer build, without a struct.
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
 * decant.h includes this header. Its rules apply here, too.
 */
#ifndef DECANT_WRITER_H
#define DECANT_WRITER_H

#include "decant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Your function, which gets a piece of a text. The bytes are valid until the function returns; a
 * piece may end anywhere, also inside a character. Return DECANT_OK to continue. Any other number
 * ends the text, and the call returns that number: a code of decant.h, or a number of yours, which
 * should be negative. The error's code is then DECANT_CUSTOM. */
typedef decant_status (*decant_write_function)(void *context, const char *text, size_t length);

/* Writes a struct as decant_encode() does, into a new block with the text and a NUL. `text` and
 * `length` are written on success only; `length` may be NULL. Uses `memory` and `pretty` of the
 * options. Pretty text is indented by two spaces a level, up to the 64th level. A text of more than
 * 1 KiB is written into memory that doubles; without `memory`, the block is then cut to the text.
 * Takes time linear in the text. Release the text with decant_text_free() and the same options;
 * without `memory`, free() does the same. */
decant_status decant_encode_text(
    const decant_record *record, const void *value, const decant_options *options, char **text,
    size_t *length, decant_error *error);

/* Writes `count` structs, one after another in memory, as an array. */
decant_status decant_encode_array_text(
    const decant_record *record, const void *items, size_t count, const decant_options *options,
    char **text, size_t *length, decant_error *error);

/* Releases a text. NULL does nothing. */
void decant_text_free(char *text, const decant_options *options);

/* Writes a struct to a function, in pieces of at most 1 KiB. The whole text is never in memory.
 * Uses `pretty` of the options. If the call fails, the function got the beginning of the text.
 * Takes time linear in the text. */
decant_status decant_encode_to(
    const decant_record *record, const void *value, decant_write_function write, void *context,
    const decant_options *options, decant_error *error);

/* Writes `count` structs, one after another in memory, as an array. */
decant_status decant_encode_array_to(
    const decant_record *record, const void *items, size_t count, decant_write_function write,
    void *context, const decant_options *options, decant_error *error);

/* A writer: builds the text of one value. You own the struct, on the stack or elsewhere. It needs
 * no initializer, and must not be copied. One thread at a time may use it.
 *
 * A function decant_writer_to_… begins the text, and decant_writer_finish() ends it. The calls in
 * between need no checks: the first failure is written to `error`, and all later calls do nothing
 * and return it. Failures are calls in the wrong order, such as a value in place of a key
 * (DECANT_INVALID_ARGUMENT), more than 512 levels of objects and arrays that calls begin
 * (DECANT_TOO_DEEP), values that JSON does not have (DECANT_INVALID_UTF8, DECANT_INVALID_VALUE),
 * and failures to write. The writer does not check that the keys of an object differ. The error's
 * `offset` is a place in the text; errors in a struct have a path instead.
 *
 * `options` may be NULL; the writer uses its `pretty` and `memory`. `error` may be NULL, too.
 * Both must live until the writer is finished. */
typedef struct decant_writer {
  uint64_t state[384];  /* private */
} decant_writer;

/* Begins a text in a buffer, as decant_encode() does: when the buffer is full, only the length
 * grows. */
decant_status decant_writer_to_buffer(
    decant_writer *writer, char *buffer, size_t capacity, const decant_options *options,
    decant_error *error);

/* Begins a text in a block that doubles when it is full. */
decant_status decant_writer_to_text(
    decant_writer *writer, const decant_options *options, decant_error *error);

/* Begins a text that goes to a function, in pieces of at most 1 KiB. Allocates nothing. The
 * function must not use this writer. */
decant_status decant_writer_to_function(
    decant_writer *writer, decant_write_function write, void *context,
    const decant_options *options, decant_error *error);

/* Begin an object or an array. decant_writer_end() ends it. */
decant_status decant_writer_object(decant_writer *writer);
decant_status decant_writer_array(decant_writer *writer);
decant_status decant_writer_end(decant_writer *writer);

/* Writes the key of a member. The value must follow. */
decant_status decant_writer_key(decant_writer *writer, const char *key);
decant_status decant_writer_key_counted(decant_writer *writer, const char *key, size_t length);

/* Write values. Numbers have as many digits as they need to read back as the same number.
 * Infinities and NaN are failures. If `text` is NULL and the length is 0, the value is null. */
decant_status decant_writer_null(decant_writer *writer);
decant_status decant_writer_bool(decant_writer *writer, bool value);
decant_status decant_writer_int64(decant_writer *writer, int64_t value);
decant_status decant_writer_uint64(decant_writer *writer, uint64_t value);
decant_status decant_writer_double(decant_writer *writer, double value);
decant_status decant_writer_string(decant_writer *writer, const char *text);
decant_status decant_writer_string_counted(
    decant_writer *writer, const char *text, size_t length);

/* Writes a value that is JSON text, and checks that it is valid. */
decant_status decant_writer_raw(decant_writer *writer, const char *json, size_t length);

/* Writes a struct, as decant_encode() does. */
decant_status decant_writer_struct(
    decant_writer *writer, const decant_record *record, const void *value);

/* Writes a document or a part of it, as its bytes are (native engine only). Text that only
 * relaxations allow is a failure: DECANT_INVALID_VALUE. */
decant_status decant_writer_value(decant_writer *writer, decant_value value);

/* Ends the text. Returns DECANT_OK, or the first failure; DECANT_INVALID_ARGUMENT if the value is
 * incomplete; DECANT_BUFFER_TOO_SMALL if the buffer is, with the needed length. After
 * decant_writer_to_text(), `text` is set to the text, which ends with a NUL byte; release it with
 * decant_text_free(). After a failure, or if `text` is NULL, this call releases the text. `length`
 * is set to the length of the text in bytes. Either pointer may be NULL. Afterwards the writer owns
 * nothing, and may begin again. A second call does nothing, and returns the failure, or
 * DECANT_INVALID_ARGUMENT. */
decant_status decant_writer_finish(decant_writer *writer, char **text, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
