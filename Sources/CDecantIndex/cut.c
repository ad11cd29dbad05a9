// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Where values begin and end in a stream (decant_cut.h), byte by byte; simd_cut.h does the same to 64 bytes at a time.

#include "decant_cut.h"

#include <string.h>

#include "decant_lines.h"
#include "keys.h"
#include "text.h"

size_t decant_cut_value(decant_cut *cut, const uint8_t *text, size_t length, bool at_commas) {
  return decant_current_kernel()->cut(cut, text, length, at_commas);
}

// A byte as decant_cut.last stores it. 0 there means that there was none, so a NUL becomes another byte that is not JSON.
static uint8_t as_last(uint8_t byte) { return byte != 0 ? byte : 1; }

bool decant_cut_may_begin(const decant_cut *cut, const uint8_t *text, size_t at) {
  uint8_t last = cut->last;
  while (at > 0) {
    if (decant_is_white(text[--at])) continue;
    last = as_last(text[at]);
    break;
  }
  const bool has_array = cut->first != '{' || cut->alike < cut->depth;
  return last == 0 || last == '[' || last == ':' || (last == ',' && has_array);
}

// Whether a byte is the first of its line; of an element, the first that is neither blank nor a comma.
static bool begins_line(const decant_cut *cut, const uint8_t *text, size_t at, bool at_commas) {
  while (at_commas && at > 0 &&
         (text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == ','))
    at--;
  return at == 0 ? cut->begins_line : text[at - 1] == '\n';
}

void decant_cut_keep(decant_cut *cut, const uint8_t *text, size_t length, bool at_commas) {
  cut->begins_line = begins_line(cut, text, length, at_commas);
  while (length > 0 && decant_is_white(text[length - 1])) length--;
  if (length > 0) cut->last = as_last(text[length - 1]);
}

size_t decant_cut_scalar(decant_cut *cut, const uint8_t *text, size_t length, bool at_commas) {
  for (size_t at = 0; at < length; at++) {
    const uint8_t byte = text[at];
    if (cut->in_string) {
      if (byte == '\n') return decant_cut_end(cut, DECANT_CUT_FEED, at);
      cut->in_string = byte != '"' || cut->escaped;
      cut->escaped = byte == '\\' && !cut->escaped;
      continue;
    }
    const bool is_escaped = cut->escaped;
    cut->escaped = byte == '\\' && !is_escaped;
    if (byte == '"' && !is_escaped) {
      cut->in_string = true;
    } else if (byte == '{' || byte == '[' || byte == '}' || byte == ']' || byte == ',') {
      const decant_cut_found found =
          decant_cut_pass(cut, text, at, begins_line(cut, text, at, at_commas), at_commas);
      if (found != DECANT_CUT_ON) return decant_cut_end(cut, found, at);
    }
  }
  decant_cut_keep(cut, text, length, at_commas);
  return length;
}

// MARK: - Seeking

#define LONGEST_TOKEN 255u

void decant_seek_begin(decant_seek *seek, const uint8_t *pointer, size_t length, bool allows_mark) {
  *seek = (decant_seek){
      .pointer = pointer, .length = length, .leads_on = true, .allows_mark = allows_mark};
}

// Bytes that only begin like a mark are refused when the document is read.
static bool is_mark(const decant_seek *seek, uint8_t byte) {
  static const uint8_t mark[3] = {0xEF, 0xBB, 0xBF};
  return seek->allows_mark && seek->at < sizeof mark && byte == mark[seek->at];
}

// The token that is looked for, unescaped; its length.
static size_t asked(const decant_seek *seek, uint8_t token[LONGEST_TOKEN]) {
  size_t length = 0;
  for (size_t at = seek->token; at < seek->rest && length < LONGEST_TOKEN; at++) {
    uint8_t byte = seek->pointer[at];
    if (byte == '~' && at + 1 < seek->rest) byte = seek->pointer[++at] == '0' ? '~' : '/';
    token[length++] = byte;
  }
  return length;
}

static bool leads_to_key(const decant_seek *seek, const uint8_t *text, size_t end) {
  struct decant_key key = {.at = text + seek->key, .end = text + end};
  for (size_t at = seek->key; at < end; at++) {
    if (text[at] != '\\') continue;
    size_t size;
    // An invalid escape is reported when the document is read.
    if (decant_check_escape(text, at, end, &size) != DECANT_INDEX_OK) return false;
    key.escaped = true;
    at += size - 1;
  }
  uint8_t token[LONGEST_TOKEN];
  const size_t length = asked(seek, token);
  return decant_same_key(key, decant_key_of(token, length));
}

// Whether the token is the index, without a leading zero.
static bool leads_to_element(const decant_seek *seek) {
  const size_t digits = seek->rest - seek->token;
  uint64_t index = 0;
  if (digits == 0 || digits > 18 || (digits > 1 && seek->pointer[seek->token] == '0')) return false;
  for (size_t at = seek->token; at < seek->rest; at++) {
    if (seek->pointer[at] < '0' || seek->pointer[at] > '9') return false;
    index = index * 10 + (seek->pointer[at] - '0');
  }
  return index == seek->index;
}

// Goes into a container on the way; its token is the next one.
static void enter(decant_seek *seek, uint8_t bracket) {
  seek->token = ++seek->rest;
  while (seek->rest < seek->length && seek->pointer[seek->rest] != '/') seek->rest++;
  seek->container = bracket;
  seek->index = 0;
  seek->expects_key = bracket == '{';
  seek->leads_on = bracket == '[' && leads_to_element(seek);
}

static void pass_string_byte(decant_seek *seek, const uint8_t *text, size_t at) {
  if (seek->escaped) {
    seek->escaped = false;
  } else if (text[at] == '\\') {
    seek->escaped = true;
  } else if (text[at] == '"') {
    if (seek->in_key) seek->leads_on = leads_to_key(seek, text, at);
    seek->in_string = seek->in_key = false;
  }
}

// A byte outside strings.
static int32_t pass_byte(decant_seek *seek, uint8_t byte) {
  if (byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t' || byte == ':')
    return DECANT_SEEK_ON;
  if (seek->depth != 0) {
    seek->depth += byte == '{' || byte == '[';
    seek->depth -= byte == '}' || byte == ']';
    seek->in_string = byte == '"';
    return DECANT_SEEK_ON;
  }
  if (byte == '"' && seek->expects_key) {
    seek->in_string = seek->in_key = true;
    seek->expects_key = false;
    seek->key = seek->at + 1;
    return DECANT_SEEK_ON;
  }
  if (byte == ',' && seek->container != 0) {
    seek->index++;
    seek->expects_key = seek->container == '{';
    seek->leads_on = seek->container == '[' && leads_to_element(seek);
    return DECANT_SEEK_ON;
  }
  if (byte == '}' || byte == ']') return DECANT_SEEK_NOWHERE;
  if (seek->leads_on) {
    const bool is_last = seek->rest == seek->length;
    if (byte == '[' && is_last) return DECANT_SEEK_FOUND;
    if ((byte != '[' && byte != '{') || is_last) return DECANT_SEEK_NOWHERE;
    enter(seek, byte);
  } else {
    seek->depth = byte == '{' || byte == '[';
    seek->in_string = byte == '"';
  }
  return DECANT_SEEK_ON;
}

int32_t decant_seek_array(decant_seek *seek, const uint8_t *text, size_t length) {
  for (; seek->at < length; seek->at++) {
    if (seek->in_string) {
      pass_string_byte(seek, text, seek->at);
    } else if (!is_mark(seek, text[seek->at])) {
      const int32_t found = pass_byte(seek, text[seek->at]);
      if (found == DECANT_SEEK_FOUND) seek->at++;
      if (found != DECANT_SEEK_ON) return found;
    }
  }
  return DECANT_SEEK_ON;
}

void decant_seek_forget(decant_seek *seek, size_t count) {
  if (count == 0) return;
  seek->in_key = seek->in_key && seek->key >= count;
  if (seek->in_key) seek->key -= count;
  seek->at -= count;
  seek->allows_mark = false;
}

// MARK: - Places

static size_t add(size_t a, size_t b) { return a < SIZE_MAX / 2 - b ? a + b : SIZE_MAX / 2; }

// The number of bytes that begin a character. The others begin with the bits 10.
static size_t count_characters(const uint8_t *text, size_t length) {
  return length - decant_current_kernel()->continuations(text, length);
}

// White space between documents is a few bytes.
static void pass_bytes(decant_text_place *place, const uint8_t *text, size_t length) {
  place->offset = add(place->offset, length);
  for (size_t at = 0; at < length; at++) {
    place->line = add(place->line, text[at] == '\n');
    place->column = text[at] == '\n' ? 0 : add(place->column, (text[at] & 0xC0) != 0x80);
  }
}

void decant_text_pass(decant_text_place *place, const uint8_t *text, size_t length) {
  if (length < 8) {
    pass_bytes(place, text, length);
    return;
  }
  const size_t feeds = decant_line_feeds((const char *)text, length);
  const size_t start = feeds != 0 ? decant_last_line_end((const char *)text, length) : 0;
  if (feeds != 0) place->column = 0;
  place->line = add(place->line, feeds);
  place->offset = add(place->offset, start);
  decant_text_pass_on_line(place, text + start, length - start);
}

void decant_text_pass_on_line(decant_text_place *place, const uint8_t *text, size_t length) {
  place->offset = add(place->offset, length);
  place->column = add(place->column, count_characters(text, length));
}

#define NEAR 4096

size_t decant_last_comma(const uint8_t *text, size_t length) {
  const size_t least = length > NEAR ? length - NEAR : 1;
  for (size_t at = length; at > least; at--) {
    // Both closing brackets.
    if (text[at - 1] == ',' && (text[at - 2] | 0x20) == '}') return at;
  }
  return 0;
}
