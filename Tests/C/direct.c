/* Decant: JSON decoding for Swift and C.
 * SPDX-License-Identifier: MIT
 *
 * Small documents into structs take shorter paths, whose results are those of the general path: random
 * tables and documents, decoded by decant_decode() and with memory of the caller's, which takes the general path.
 * A value is also encoded and decoded again, libjansson comes to the same value where it reads the document, and so do
 * a stream of lines and a prepared table. Many structs as an array, which are written in runs, have the text of each.
 * A document lies against a protected page, before it or behind it; in WebAssembly, which has none, against the end of
 * the memory.
 *
 *   direct [SEED [ROUNDS]]
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

#include "check.h"

#include <stdlib.h>
#ifndef __wasm__
#include <sys/mman.h>
#endif
#include <unistd.h>

enum { FIELDS = 7, STRUCT = 176, TEXT = 700, INNER = 3, PARTS = 4 };

/* What documents were decoded by. */
enum {
  WITH_DEFAULTS, LEFT_OUT, WITH_REST, TERMINATED, POINTERS, CONVERTED, AGAIN, BY_JANSSON, IN_COLUMNS, DESCRIBED, IN_LINES,
  PREPARED, USES
};
static const char *const uses_named[] = {"defaults", "elements left out", "the rest", "arrays that end with NULL",
                                         "elements that are pointers", "conversions", "decoded again", "by libjansson",
                                         "in columns", "by descriptions", "in lines", "by prepared tables"};
static unsigned uses[USES];

static uint64_t state;

static uint32_t any(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)((state >> 32) % below);
}

/* ---------------------------------------------------------------------------------------------------
 * Tables
 */

static const char *const keys[] = {
    "id", "name", "email", "ok", "a", "b", "c", "", "ab", "cd", "name_first", "name_other", "the key of this",
    "the key of that", "a key of more than sixteen", "a key of more than sixteem", "d\xC3\xA9", "\xFF",
    "a\":1,\"b", "a\\n", "a\nb", "\x7F"};

static decant_field fields[FIELDS];
static decant_record record;

/* What some fields hold: a struct, or the elements of an array. */
struct inner {
  int64_t a;
  const char *name;
  bool has_b;
  double b;
};
static const decant_field inner_fields[INNER] = {
    {.key = "a", .kind = DECANT_INT64, .offset = offsetof(struct inner, a)},
    {.key = "name", .kind = DECANT_STRING, .flags = DECANT_OPTIONAL, .offset = offsetof(struct inner, name)},
    {.key = "b", .key_length = 1, .kind = DECANT_DOUBLE, .flags = DECANT_OPTIONAL, .offset = offsetof(struct inner, b),
     .presence_offset = offsetof(struct inner, has_b)}};
static const decant_record inner = {.size = sizeof(struct inner), .fields = inner_fields, .field_count = INNER};
static const decant_name names[] = {{"a", 1}, {"Cool User", -2}, {NULL, 0}};
/* The cases of a union: one is a struct, one is another, and one has no members. */
struct other {
  uint32_t c;
  char d[8];
};
static const decant_field other_fields[] = {
    {.key = "c", .kind = DECANT_UINT32, .flags = DECANT_OPTIONAL | DECANT_INTEGRAL, .offset = offsetof(struct other, c)},
    {.key = "d", .kind = DECANT_CHARS, .capacity = 8, .flags = DECANT_OPTIONAL | DECANT_AS_TEXT,
     .offset = offsetof(struct other, d)}};
static const decant_record other = {.size = sizeof(struct other), .fields = other_fields, .field_count = 2};
static const decant_name case_names[] = {{"a", 1}, {"Cool User", 2}, {"none", 3}, {NULL, 0}};
static const decant_record *const cases[] = {&inner, &other, NULL};
static const char *const null_texts[] = {"", "a", NULL};
static const char *const other_keys[] = {"cd", "email", NULL};
/* The members that no field names. */
struct entry {
  const char *key;
  size_t key_length;
  int64_t number;
  decant_text text;
};
static const decant_field number_fields[] = {
    {.kind = DECANT_KEY, .offset = offsetof(struct entry, key), .length_offset = offsetof(struct entry, key_length)},
    {.key = "", .kind = DECANT_INT64, .flags = DECANT_POINTER | DECANT_OPTIONAL,
     .offset = offsetof(struct entry, number)}};
static const decant_record number_entry = {.size = sizeof(struct entry), .fields = number_fields, .field_count = 2};
static const decant_field text_fields[] = {
    {.kind = DECANT_KEY, .offset = offsetof(struct entry, key), .length_offset = offsetof(struct entry, key_length)},
    {.key = "", .kind = DECANT_TEXT, .flags = DECANT_POINTER, .offset = offsetof(struct entry, text)}};
static const decant_record text_entry = {.size = sizeof(struct entry), .fields = text_fields, .field_count = 2};

/* An integer of at most 16 bytes, by itself or in a string: the member is one more. */
static bool is_converted(void *one, const char *value, size_t size, void *member, char message[256]) {
  int64_t number = 0;
  size_t at = size > 1 && value[0] == '-';
  if (size > 16 || at == size) return false;
  for (const size_t first = at; at < size; at++) {
    if (value[at] < '0' || value[at] > '9') return (void)snprintf(message, 256, "no digit at %zu", at - first), false;
    number = 10 * number + value[at] - '0';
  }
  number = (value[0] == '-' ? -number : number) + *(const int *)one;
  memcpy(member, &number, sizeof number);
  return true;
}
static bool is_converted_back(void *one, const void *member, char *value, size_t capacity, size_t *size,
                              char message[256]) {
  int64_t number;
  (void)message;
  memcpy(&number, member, sizeof number);
  *size = (size_t)snprintf(value, capacity, "%lld", (long long)number - *(const int *)one);
  return true;
}
static int one = 1;
static const decant_conversion conversions[] = {{is_converted, is_converted_back, &one, 0, 0},
                                                {is_converted, is_converted_back, &one, 1, 0}};
static const decant_bounds bounds = {.minimum = 1, .maximum = 200, .most = 50, .shortest = 1, .longest = 20};

static size_t width_of(uint16_t kind) {
  static const uint8_t widths[] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};
  switch (kind) {
    case DECANT_ENUM:
    case DECANT_DATE: return 4;
    case DECANT_CHARS: return 12;
    case DECANT_TIME:
    case DECANT_CONVERTED:
    case DECANT_MAP:
    case DECANT_ARRAY: return 8;
    case DECANT_RECORD:
    case DECANT_UNION: return sizeof(struct inner);
    case DECANT_FIXED_BASE64: return 3;
    case DECANT_UUID:
    case DECANT_BASE64:
    case DECANT_DECIMAL: return 16;
    default: return widths[kind];
  }
}

/* A kind that is more than a number or a string, or a list. */
static void make_special(decant_field *field, bool is_list) {
  static const uint8_t specials[] = {DECANT_RECORD, DECANT_ARRAY,   DECANT_ARRAY, DECANT_ENUM,   DECANT_CHARS,
                                     DECANT_TIME,   DECANT_DATE,    DECANT_UUID,  DECANT_BASE64, DECANT_FIXED_BASE64,
                                     DECANT_UNION,  DECANT_DECIMAL, DECANT_CONVERTED, DECANT_MAP, DECANT_ARRAY};
  static const uint8_t elements[] = {DECANT_RECORD, DECANT_INT32, DECANT_STRING, DECANT_TEXT,  DECANT_BOOL,
                                     DECANT_DOUBLE, DECANT_ENUM,  DECANT_INT64,  DECANT_BASE64, DECANT_UUID,
                                     DECANT_DECIMAL, DECANT_RECORD_POINTER, DECANT_CONVERTED, DECANT_STRING,
                                     DECANT_RECORD_POINTER, DECANT_RECORD_POINTER};
  field->kind = is_list ? (any(3) ? DECANT_ARRAY : DECANT_MAP) : specials[any(15)];
  if (field->kind == DECANT_ARRAY) field->element = elements[any(16)];
  if (field->element == DECANT_STRING || field->element == DECANT_RECORD_POINTER)
    field->flags |= any(3) ? DECANT_NULL_TERMINATED : 0;
  if (field->kind == DECANT_CONVERTED || field->element == DECANT_CONVERTED) {
    field->extent = sizeof(int64_t);
    field->conversion = &conversions[any(2)];
  }
  if (field->kind == DECANT_FIXED_BASE64) field->capacity = 3;
  if (field->kind == DECANT_DECIMAL || field->element == DECANT_DECIMAL) field->scale = (uint16_t)any(3);
  field->record = field->kind != DECANT_MAP ? &inner : any(2) ? &number_entry : &text_entry;
  if (field->kind == DECANT_MAP) field->flags = any(4) ? DECANT_REST : field->flags;
  field->names = names;
  if (field->kind == DECANT_CHARS) field->capacity = 12;
  if (field->kind == DECANT_UNION) {
    field->names = case_names;
    field->records = cases;
    field->extent = sizeof(struct inner);
  }
}

static bool is_string(uint16_t kind) { return kind >= DECANT_STRING && kind <= DECANT_CHARS; }

/* What else is read: other forms of a value, and other keys. */
static void make_lenient(decant_field *field) {
  const uint16_t content = field->kind == DECANT_ARRAY ? field->element : field->kind;
  if (is_string(content) && any(2) == 0) field->flags |= DECANT_AS_TEXT;
  if (content >= DECANT_INT8 && content <= DECANT_UINT64 && any(2) == 0) field->flags |= DECANT_INTEGRAL;
  if (content == DECANT_TIME && any(2) == 0) field->flags |= DECANT_ZONELESS;
  if (field->kind == DECANT_UNION || (field->flags & DECANT_REST) != 0) return;
  if (any(3) == 0) field->other_keys = other_keys;
  if ((field->flags & DECANT_OPTIONAL) != 0 && any(3) == 0) {
    field->flags |= DECANT_NULL_TEXTS;
    field->null_texts = null_texts;
  }
}

/* Whether a table may be found in what was encoded: each key once, in its place. */
static bool is_found_again(void) {
  for (size_t at = 0; at < record.field_count; at++) {
    const decant_field *field = &fields[at];
    if (field->kind == DECANT_UNION || (field->flags & DECANT_POINTER) != 0) return false;
    if ((field->flags & DECANT_REST) == 0 && field->key[0] == '\xFF') return false;
    if ((field->flags & DECANT_REST) != 0) continue;
    for (size_t other = 0; other < record.field_count; other++) {
      if ((fields[other].flags & DECANT_REST) != 0) continue;
      if (other != at && strcmp(field->key, fields[other].key) == 0) return false;
      for (const char *const *key = fields[other].other_keys; key != NULL && *key != NULL; key++)
        if (strcmp(field->key, *key) == 0) return false;
    }
  }
  return true;
}

/* Mostly a table of the plain kind, with its storage before or behind the fields. */
static void make_table(void) {
  memset(fields, 0, sizeof fields);
  record.defaults = NULL;
  const bool is_first = any(3) == 0, has_specials = any(2) == 0, has_lists = has_specials && any(3) == 0;
  size_t end = is_first ? 16 : 0;
  record.fields = fields;
  record.field_count = 1 + any(has_lists ? 2 : FIELDS);
  record.flags = has_specials && any(4) == 0 ? DECANT_ANY_CASE : 0;
  for (size_t at = 0; at < record.field_count; at++) {
    decant_field *field = &fields[at];
    field->key = keys[any(4) == 0 ? any(sizeof keys / sizeof *keys) : at % 2 ? any(7) : 7 + any(9)];
    if (any(5) != 0) field->key_length = (uint32_t)strlen(field->key);
    static const uint8_t often[] = {DECANT_INT64, DECANT_STRING, DECANT_TEXT, DECANT_BOOL, DECANT_DOUBLE};
    field->kind = any(2) == 0 ? often[any(5)] : (uint16_t)(1 + any(DECANT_TEXT));
    field->flags = any(2) == 0 ? DECANT_OPTIONAL : 0;
    if (has_lists || (has_specials && any(3) == 0)) make_special(field, has_lists && any(3) != 0);
    if (has_specials && any(3) == 0) make_lenient(field);
    if (any(20) == 0) field->bounds = &bounds;
    if (any(3) != 0 || field->kind >= DECANT_STRING) end = (end + 7) & ~(size_t)7;
    field->offset = (uint32_t)end;
    end += width_of(field->kind);
    const bool may_end_alone = (field->flags & DECANT_NULL_TERMINATED) != 0;
    const bool is_counted = field->kind == DECANT_ARRAY && (!may_end_alone || any(2) == 0);
    if (is_counted || field->kind == DECANT_MAP || field->kind == DECANT_UNION ||
        (is_string(field->kind) && any(2) == 0)) {
      end = (end + 7) & ~(size_t)7;
      field->length_offset = (uint32_t)end;
      end += sizeof(size_t);
    }
    if ((field->kind == DECANT_ARRAY || field->kind == DECANT_MAP) && has_specials && any(2) == 0) {
      field->flags |= DECANT_LEAVE_OUT;
      field->left_out_offset = any(4) ? (uint32_t)end : 0;
      end += field->left_out_offset != 0 ? 4 : 0;
    }
    if (any(12) == 0) field->presence_offset = (uint32_t)end++;
    if (any(60) == 0) field->offset = any(STRUCT);
    if (any(200) == 0) field->kind = (uint16_t)any(40);
    if (any(200) == 0) field->flags = any(64);
    if (any(200) == 0) field->key = NULL;
  }
  record.storage_offset = is_first ? 8 : (end + 7) & ~(size_t)7;
  record.size = is_first ? end : record.storage_offset + sizeof(void *);
  if (any(30) == 0) record.storage_offset = any(60);
  if (any(60) == 0) record.size = 1 + any(STRUCT);
  if (record.size > STRUCT) record.size = STRUCT;
}

/* ---------------------------------------------------------------------------------------------------
 * Documents
 */

static char text[TEXT + 64];
static size_t length;

static void put(const char *string) {
  const size_t count = strlen(string);
  if (length + count > TEXT) return;
  memcpy(text + length, string, count);
  length += count;
}

static void put_white(void) {
  static const char *const spaces[] = {" ", "\n", "\r\n  ", "\t", "        "};
  if (any(8) == 0) put(spaces[any(5)]);
}

static void put_string(void) {
  static const char *const parts[] = {
      "Cool User", "u.cool@example.com", "a", "", "0123456789ABCDE", "\xC3\xA9", "\xE2\x82\xAC\xE2\x82\xAC",
      "\xF0\x9F\x98\x80", "}", "{", "\x7F", ", ", "a rather long text, for once"};
  static const char *const odd[] = {"\\n", "\\u00e9", "\\ud83d\\ude00", "\\u0000", "\\ud83d",
                                    "\\x", "\\", "\xFF", "\xC3", "\xED\xA0\x80", "\x01", "\t"};
  put("\"");
  for (uint32_t more = any(4); more > 0; more--) put(parts[any(13)]);
  if (any(20) == 0) put(odd[any(12)]);
  put("\"");
}

static void put_number(void) {
  static const char *const numbers[] = {
      "0", "-0", "1", "-1", "7", "42", "127", "128", "-128", "-129", "255", "256", "32767", "32768", "-32768",
      "-32769", "65535", "65536", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295",
      "4294967296", "99999999", "100000000", "123456789", "1234567890123456", "12345678901234567",
      "999999999999999999", "-999999999999999999", "1000000000000000000", "9223372036854775807",
      "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
      "18446744073709551616", "1.5", "-0.0", "1e3", "0.1", "3.4e38", "3.5e38", "1e400", "12.75",
      "123456789012345678901234567890", "1.", "01", "-", "+1", ".5", "1e", "00", "-01", "0x1"};
  char small[16];
  snprintf(small, sizeof small, "%d", (int)any(1000000) >> any(20));
  put(any(2) ? small : numbers[any(sizeof numbers / sizeof *numbers - (any(5) ? 10 : 0))]);
}

static void put_value(uint16_t kind) {
  static const char *const others[] = {
      "true", "false", "null", "[]", "{}", "[1,{\"a\":2}]",
      "[ [{\"a\" : [ ] , \"\xC3\xA9\":\"\\n\"} ], -0.5]", "tru", "nul", "True", "[1,]", "{\"a\":1,}", "[1}",
      "{1}", "[1 2]", "{\"a\" 1}", "[", "[01]", "[1.]", "[1e3]", "[1e999]", "[\"\\x\"]"};
  const uint32_t choice = any(40), odd = any(4) ? 7 : 22;
  if (choice < 5 || kind == 0) {
    put(others[choice < 2 || kind == 0 ? any(odd) : 2]);
  } else if (kind == DECANT_BOOL) {
    put(others[any(2)]);
  } else if (kind >= DECANT_STRING ? choice < 38 : choice == 39) {
    put_string();
  } else {
    put_number();
  }
}

static void put_member(const char *key, uint16_t kind, uint16_t element, bool *is_first);

/* A struct of `inner`, its members in any order, with others among them. */
static void put_inner(void) {
  bool is_first = true;
  put("{"), put_white();
  const uint32_t first = any(INNER);
  for (uint32_t at = 0; at < INNER; at++) {
    const decant_field *field = &inner_fields[(first + at) % INNER];
    if (any(8) != 0) put_member(field->key, field->kind, 0, &is_first);
    if (any(5) == 0) put_member(keys[any(8)], (uint16_t)(any(2) * any(14)), 0, &is_first);
  }
  put("}");
}

static void put_field(uint16_t kind, uint16_t element) {
  if (kind == DECANT_RECORD && any(10) != 0) {
    put_inner();
  } else if (kind == DECANT_RECORD_POINTER && any(10) != 0) {
    put_inner();
  } else if (kind == DECANT_CONVERTED && any(10) != 0) {
    char digits[24];
    snprintf(digits, sizeof digits, any(2) ? "%d" : "\"%d\"", ((int)any(2000000) - 1000000) / (1 << any(20)));
    put(digits);
  } else if (kind == DECANT_MAP && any(10) != 0) {
    bool is_first = true;
    put("{");
    for (uint32_t more = any(PARTS); more > 0; more--)
      put_member(keys[any(16)], any(2) ? DECANT_INT64 : DECANT_STRING, 0, &is_first);
    put("}");
  } else if (kind == DECANT_ARRAY && any(10) != 0) {
    put("["), put_white();
    for (uint32_t more = any(4) != 0 ? any(PARTS) : any(5 * PARTS); more > 0; more--) {
      put_field(element, 0), put_white();
      if (more > 1) put(","), put_white();
    }
    put("]");
  } else if (kind == DECANT_TIME && any(8) != 0) {
    put(any(2) ? "\"2026-11-27T01:02:03Z\"" : "\"2026-11-27T01:02:03.5+01:00\"");
  } else if (kind == DECANT_DATE && any(8) != 0) {
    put("\"2026-11-27\"");
  } else if ((kind == DECANT_ENUM || kind == DECANT_UNION) && any(8) != 0) {
    put(any(3) ? "\"Cool User\"" : any(4) ? "\"a\"" : "\"none\"");
  } else if (kind == DECANT_UUID && any(8) != 0) {
    put(any(2) ? "\"f81d4fae-7dec-11d0-a765-00a0c91e6bf6\"" : "\"F81D4FAE-7dec-11d0-a765-00A0C91E6BF6\"");
  } else if ((kind == DECANT_BASE64 || kind == DECANT_FIXED_BASE64) && any(8) != 0) {
    static const char *const texts[] = {"\"AP/+\"", "\"TWFu\"", "\"TWE=\"", "\"TQ==\"", "\"\"", "\"\\u0054WFu\""};
    put(texts[any(kind == DECANT_BASE64 ? 6 : 2)]);
  } else if (kind == DECANT_DECIMAL && any(8) != 0) {
    static const char *const numbers[] = {"12.5", "-0.25", "1e2", "170141183460469231731687303715884105727", "7"};
    put(numbers[any(5)]);
  } else {
    put_value(kind);
  }
}

static void put_member(const char *key, uint16_t kind, uint16_t element, bool *is_first) {
  if (!*is_first) put(",");
  *is_first = false;
  put_white(), put("\"");
  const size_t begin = length;
  put(key);
  if (any(6) == 0)
    for (size_t at = begin; at < length; at++) text[at] = (char)(text[at] >= 'a' && text[at] <= 'z' ? text[at] - 32 : text[at]);
  put("\""), put_white(), put(":"), put_white();
  put_field(kind, element);
  put_white();
}

/* A null under the key of a field, whose other keys count then. */
static void put_null(const char *key, bool *is_first) {
  if (!*is_first) put(",");
  *is_first = false;
  put("\""), put(key), put("\":null");
}

/* An object for the table, often all right, and sometimes not any more after some bytes were changed. */
static void make_document(void) {
  bool is_first = true;
  length = 0;
  put_white(), put("{");
  const uint32_t skips = any(4), adds = any(4);
  for (size_t at = 0; at < record.field_count; at++) {
    const decant_field *field = &fields[any(30) == 0 ? any((uint32_t)record.field_count) : at];
    if (field->key == NULL || (skips == 0 && any(3) == 0)) continue;
    if ((field->flags & DECANT_REST) != 0) {
      for (uint32_t more = any(PARTS); more > 0; more--)
        put_member(keys[any(16)], any(3) ? DECANT_INT64 : DECANT_STRING, 0, &is_first);
      continue;
    }
    const char *const key = field->other_keys != NULL && any(3) != 0 ? other_keys[any(2)] : field->key;
    if (key != field->key && any(3) == 0) put_null(field->key, &is_first);
    put_member(key, field->kind, field->element, &is_first);
    if (field->kind == DECANT_UNION && any(4) != 0) {
      put_member("a", DECANT_INT64, 0, &is_first);
      if (any(2)) put_member("name", DECANT_STRING, 0, &is_first);
      if (any(2)) put_member("c", DECANT_UINT32, 0, &is_first);
    }
    if (adds != 0 || any(6) != 0) continue;
    put_member(keys[any(2) ? any(16) : 4], (uint16_t)(any(2) * any(14)), 0, &is_first);
  }
  put_white(), put("}"), put_white();
  for (uint32_t changes = any(3) == 0 ? 1 + any(2) : 0; changes > 0; changes--) {
    const size_t place = any((uint32_t)length);
    switch (any(4)) {
      case 0: text[place] = "\"\\{}[]:, 019-.tfn\n\xC3\x80z"[any(21)]; break;
      case 1: text[place] = (char)any(256); break;
      case 2:
        memmove(text + place, text + place + 1, length - place - 1);
        length--;
        break;
      default:
        memmove(text + place + 1, text + place, length - place);
        text[place] = "\"{}:, 0-\n"[any(9)];
        length++;
    }
    if (length == 0) put("}");
  }
}

/* ---------------------------------------------------------------------------------------------------
 * Ways
 */

static void *give(void *unused, size_t size) { return (void)unused, malloc(size); }
static void take(void *unused, void *block, size_t size) { (void)unused, (void)size, free(block); }

/* Takes the pointers out of a struct, and says in bytes what they point to. */
static size_t take_texts(char *value, char *texts) {
  size_t count = 0;
  for (size_t at = 0; at < record.field_count; at++) {
    const decant_field *field = &fields[at];
    if ((field->kind < DECANT_STRING || field->kind > DECANT_TEXT) && field->kind != DECANT_RAW &&
        field->kind != DECANT_BASE64)
      continue;
    const char *bytes;
    memcpy(&bytes, value + field->offset, sizeof bytes);
    memset(value + field->offset, 0, sizeof bytes);
    texts[count++] = bytes != NULL;
    if (bytes == NULL) continue;
    size_t size = strlen(bytes);
    if (field->kind == DECANT_TEXT || field->kind == DECANT_BASE64)
      memcpy(&size, value + field->offset + sizeof bytes, sizeof size);
    else if (field->length_offset != 0) memcpy(&size, value + field->length_offset, sizeof size);
    memcpy(texts + count, bytes, size + 1);
    count += size + 1;
  }
  return count;
}

/* Whether a field holds structs or elements, whose texts encoding shows. */
static bool has_parts(void) {
  for (size_t at = 0; at < record.field_count; at++)
    if (fields[at].kind == DECANT_RECORD || fields[at].kind == DECANT_ARRAY || fields[at].kind == DECANT_UNION ||
        fields[at].kind == DECANT_MAP || fields[at].kind == DECANT_RECORD_POINTER)
      return true;
  return false;
}

/* All of both, also what is equal to the defaults. */
static bool is_encoded_the_same(const char *first, const char *second) {
  static char texts[2][16 * TEXT];
  size_t counts[2];
  decant_error error = DECANT_ERROR_INIT, other = DECANT_ERROR_INIT;
  decant_record whole = record;
  whole.defaults = NULL;
  const decant_status status = decant_encode(&whole, first, texts[0], sizeof texts[0], &counts[0], &error);
  if (decant_encode(&whole, second, texts[1], sizeof texts[1], &counts[1], &other) != status) return false;
  if (status != DECANT_OK) return strcmp(error.message, other.message) == 0;
  return counts[0] == counts[1] && memcmp(texts[0], texts[1], counts[0]) == 0;
}

/* How many elements or members a field has; those of an array that nothing counts end with NULL. */
static size_t parts_of(const decant_field *field, const char *value) {
  size_t count = 0;
  if (field->length_offset != 0 || (field->flags & DECANT_LENGTH_AT_ZERO) != 0) {
    memcpy(&count, value + field->length_offset, sizeof count);
    return count;
  }
  void *const *elements;
  memcpy(&elements, value + field->offset, sizeof elements);
  while (elements != NULL && elements[count] != NULL) count++;
  return count;
}

/* Without the flag, the bytes there may be those of another member. */
static bool counts_left_out(const decant_field *field) {
  return field->left_out_offset != 0 && (field->flags & DECANT_LEAVE_OUT) != 0;
}

static uint32_t left_out_of(const decant_field *field, const char *value) {
  uint32_t count = 0;
  if (counts_left_out(field)) memcpy(&count, value + field->left_out_offset, sizeof count);
  return count;
}

/* Whether arrays and maps have as many parts, and end as they should. What was left out is not encoded. */
static bool is_counted_the_same(const char *first, const char *second, bool is_decoded_again) {
  for (size_t at = 0; at < record.field_count; at++) {
    const decant_field *field = &fields[at];
    if (field->kind != DECANT_ARRAY && field->kind != DECANT_MAP) continue;
    const size_t count = parts_of(field, first);
    if (count != parts_of(field, second)) return false;
    if (!is_decoded_again && left_out_of(field, first) != left_out_of(field, second)) return false;
    void *const *elements;
    memcpy(&elements, second + field->offset, sizeof elements);
    if ((field->flags & DECANT_NULL_TERMINATED) != 0 && elements != NULL && elements[count] != NULL) return false;
  }
  return true;
}

static void count_uses(const char *value) {
  bool used[USES] = {[WITH_DEFAULTS] = record.defaults != NULL};
  for (size_t at = 0; at < record.field_count; at++) {
    const decant_field *field = &fields[at];
    const bool is_list = field->kind == DECANT_ARRAY || field->kind == DECANT_MAP;
    const bool has_parts_of_it = is_list && parts_of(field, value) != 0;
    used[LEFT_OUT] |= is_list && left_out_of(field, value) != 0;
    used[WITH_REST] |= has_parts_of_it && (field->flags & DECANT_REST) != 0;
    used[TERMINATED] |= has_parts_of_it && (field->flags & DECANT_NULL_TERMINATED) != 0;
    used[POINTERS] |= has_parts_of_it && field->element == DECANT_RECORD_POINTER;
    int64_t number = 0;
    if (field->kind == DECANT_CONVERTED) memcpy(&number, value + field->offset, sizeof number);
    used[CONVERTED] |= number != 0 || (has_parts_of_it && field->element == DECANT_CONVERTED);
  }
  for (size_t at = 0; at < USES; at++) uses[at] += used[at];
}

/* What is encoded, which leaves out what is equal to the defaults, is decoded as the same value. */
static bool is_decoded_again(const char *value) {
  static char again[16 * TEXT];
  char other[STRUCT + 16];
  size_t count;
  if (!is_found_again() || decant_encode(&record, value, again, sizeof again, &count, NULL) != DECANT_OK) return true;
  decant_error error = DECANT_ERROR_INIT;
  if (decant_decode(&record, again, count, other, &error) != DECANT_OK) {
    printf("encoded as %s\n%s\n", again, error.message);
    return false;
  }
  const bool is_equal = is_encoded_the_same(value, other) && is_counted_the_same(value, other, true);
  if (!is_equal) printf("encoded as %s\n", again);
  decant_free(&record, other);
  uses[AGAIN]++;
  return is_equal;
}

/* libjansson takes no numbers that are too large for it, has no raw text, and -0 is its integer 0. Otherwise it decodes
 * what is decoded natively, as the same value. */
static bool is_same_by_jansson(const char *json, size_t count, decant_status status, const char *value) {
#ifndef WITHOUT_JANSSON
  for (size_t at = 1; at < count; at++)
    if (json[at - 1] == '-' && json[at] == '0') return true;
  char other[STRUCT + 16];
  decant_options options = DECANT_OPTIONS_INIT;
  options.duplicate_keys = DECANT_KEEP_NONE;
  options.engine = DECANT_JANSSON;
  decant_error error = DECANT_ERROR_INIT;
  const decant_status code = decant_decode_with(&record, json, count, other, &options, &error);
  if (code != DECANT_OK) {
    const bool may_fail = code == DECANT_UNSUPPORTED || code == DECANT_NUMBER_OVERFLOW ||
                          (code == DECANT_MULTIPLE && strstr(error.message, "does not keep raw text") != NULL);
    if (status == DECANT_OK && !may_fail) printf("libjansson: %d, %s\n", code, error.message);
    return status != DECANT_OK || may_fail;
  }
  if (status != DECANT_OK) return printf("libjansson decodes\n"), decant_free(&record, other), false;
  const bool is_equal = is_encoded_the_same(value, other) && is_counted_the_same(value, other, false);
  if (!is_equal) printf("libjansson's value differs\n");
  decant_free(&record, other);
  uses[BY_JANSSON]++;
  return is_equal;
#else
  (void)json, (void)count, (void)status, (void)value;
  return true;
#endif
}

/* What is kept of an array and what is left out are all that the document has. */
static bool is_complete(const char *json, size_t count, const decant_options *options, const char *value) {
  struct all {
    const int32_t *kinds;
    size_t count;
    void *storage;
  } all;
  for (size_t at = 0; at < record.field_count; at++) {
    decant_field field = fields[at];
    if (field.kind != DECANT_ARRAY || !counts_left_out(&field)) continue;
    const size_t parts = parts_of(&fields[at], value) + left_out_of(&fields[at], value);
    field.element = DECANT_KIND;
    field.flags &= DECANT_OPTIONAL | DECANT_NULL_TEXTS;
    field.offset = offsetof(struct all, kinds), field.length_offset = offsetof(struct all, count);
    field.presence_offset = field.left_out_offset = field.extent = field.scale = 0;
    field.bounds = NULL, field.record = NULL, field.names = NULL, field.conversion = NULL;
    const decant_record table = {.size = sizeof all, .fields = &field, .field_count = 1,
                                 .storage_offset = offsetof(struct all, storage),
                                 .flags = record.flags & DECANT_ANY_CASE};
    decant_error error = DECANT_ERROR_INIT;
    if (decant_decode_with(&table, json, count, &all, options, &error) != DECANT_OK) return puts(error.message), false;
    /* Absent, null, or empty. */
    const bool is_all = all.kinds == NULL || all.count == parts;
    if (!is_all) printf("%zu of %zu elements\n", parts, all.count);
    decant_free(&table, &all);
    if (!is_all) return false;
  }
  return true;
}

/* A document is a row of columns if it fills the struct, with as many elements of lists and maps. */
static bool is_same_in_columns(const char *json, size_t count, const decant_options *own, decant_status status,
                               const char *value) {
  struct ArrowArrayStream rows, rejects;
  struct ArrowArray row = {0}, reject = {0};
  decant_options options = *own;
  options.framing = DECANT_DOCUMENTS;
  if (decant_read_arrow(&record, json, count, &options, &rows, &rejects, NULL) != DECANT_OK) return true;
  bool is_equal = rows.get_next(&rows, &row) == 0 && rejects.get_next(&rejects, &reject) == 0;
  const bool is_row = row.release != NULL && row.length == 1 && reject.release == NULL;
  is_equal = is_equal && is_row == (status == DECANT_OK);
  if (!is_equal) printf("in columns, it is %s\n", is_row ? "a row" : "no row");
  for (size_t at = 0; at < record.field_count && is_row && is_equal; at++) {
    if (fields[at].kind != DECANT_ARRAY && fields[at].kind != DECANT_MAP) continue;
    const int32_t *ends = row.children[at]->buffers[1];
    is_equal = (size_t)(ends[1] - ends[0]) == parts_of(&fields[at], value);
    if (!is_equal) printf("in columns, field %zu has %d elements\n", at, ends[1] - ends[0]);
  }
  if (row.release != NULL) row.release(&row);
  if (reject.release != NULL) reject.release(&reject);
  rows.release(&rows), rejects.release(&rejects);
  uses[IN_COLUMNS]++;
  return is_equal;
}

/* A line of a stream is what the document alone is. */
struct line {
  decant_status status;
  const char *value;
  int calls;
  bool is_equal;
};
static int compare_line(void *context, int64_t number, const void *value, const decant_error *error) {
  struct line *line = context;
  (void)number;
  line->calls++;
  line->is_equal = (value == NULL ? error->code : DECANT_OK) == line->status;
  if (!line->is_equal || value == NULL) return 0;
  line->is_equal = is_encoded_the_same(line->value, value) && is_counted_the_same(line->value, value, false);
  for (size_t at = 0; at < record.field_count; at++) {
    const size_t place = fields[at].presence_offset;
    if (place != 0 && line->value[place] != ((const char *)value)[place]) line->is_equal = false;
  }
  return 0;
}
static bool is_same_in_lines(const char *json, size_t count, const decant_options *options, decant_status status,
                             const char *value) {
  if (memchr(json, '\n', count) != NULL) return true;
  struct line line = {status, value, 0, true};
  decant_error error = DECANT_ERROR_INIT;
  const decant_status code = decant_decode_lines(&record, json, count, compare_line, &line, options, &error);
  const bool is_called = line.calls == (status == DECANT_EMPTY_INPUT ? 0 : 1);
  const bool is_equal = code != DECANT_OK ? code == status : is_called && line.is_equal;
  if (!is_equal) printf("in %d lines: %d, %s\n", line.calls, code, error.message);
  uses[IN_LINES]++;
  return is_equal;
}

/* The description of a table accepts what the table accepts. */
static bool is_same_by_description(const char *json, size_t count, const decant_options *options, decant_status status) {
  static char words[8192];
  size_t size;
  if (decant_record_describe(&record, words, sizeof words, &size, NULL) != DECANT_OK) return true;
  decant_schema *schema;
  decant_error error = DECANT_ERROR_INIT;
  if (decant_schema_parse(words, size, NULL, &schema, &error) != DECANT_OK) {
    printf("%s\n%s\n", words, error.message);
    return false;
  }
  const decant_record *described = decant_schema_record(schema);
  char *value = malloc(described->size);
  const decant_status other = decant_decode_with(described, json, count, value, options, &error);
  if (other == DECANT_OK) decant_free(described, value);
  free(value);
  decant_schema_free(schema);
  if (other != status) printf("%s\ndescribed: %d, %s\n", words, other, error.message);
  uses[DESCRIBED]++;
  return other == status;
}

/* An array of structs has the text of each, whether its table is prepared or not. */
static bool is_same_in_array(const decant_record *by, const char *value) {
  enum { MANY = 66 };
  static char values[MANY * STRUCT], one[16 * TEXT], all[MANY * 16 * TEXT];
  decant_error error = DECANT_ERROR_INIT, other = DECANT_ERROR_INIT;
  size_t size = 0, whole = 0, measured = 0;
  const size_t count = any(2) ? MANY : 1 + any(MANY);
  const decant_status status = decant_encode(&record, value, one, sizeof one, &size, &error);
  for (size_t at = 0; at < count; at++) memcpy(values + at * record.size, value, record.size);
  if (decant_encode_array(by, values, count, all, sizeof all, &whole, &other) != status) return puts(other.message), false;
  if (status != DECANT_OK) return strncmp(other.path, "/0", 2) == 0 && strcmp(other.path + 2, error.path) == 0;
  if (decant_encode_array(by, values, count, NULL, 0, &measured, NULL) != DECANT_OK || measured != whole) return false;
  bool is_equal = whole == count * (size + 1) + 1;
  for (size_t at = 0; at < count && is_equal; at++) is_equal = memcmp(all + 1 + at * (size + 1), one, size) == 0;
  if (!is_equal) printf("one: %.*s\nin an array: %.*s\n", (int)size, one, (int)size, all);
  return is_equal;
}

/* A prepared table comes to the same. */
static bool is_same_prepared(const char *json, size_t count, const decant_options *options, decant_status status,
                             const char *value, const decant_error *expected) {
  char other[STRUCT + 16], changed[STRUCT + 16];
  const decant_record *prepared = NULL;
  decant_error error = DECANT_ERROR_INIT;
  if (decant_record_prepare(&record, &prepared, &error) != DECANT_OK) return status == error.code;
  bool is_equal = decant_decode_with(prepared, json, count, other, options, &error) == status;
  if (is_equal && status == DECANT_OK)
    is_equal = is_encoded_the_same(value, other) && is_counted_the_same(value, other, false);
  else if (is_equal) is_equal = strcmp(error.message, expected->message) == 0;
  if (!is_equal) printf("prepared: %s\n", error.message);
  if (is_equal && status == DECANT_OK && record.size % 8 == 0) {
    /* Some numbers and bytes are zeros, and some presences are false. */
    memcpy(changed, value, sizeof changed);
    for (size_t at = 0; at < record.field_count; at++) {
      const decant_field *field = &fields[at];
      const bool is_plain = field->kind <= DECANT_DOUBLE || field->kind == DECANT_UUID || field->kind == DECANT_FIXED_BASE64;
      const size_t width = field->kind == DECANT_FIXED_BASE64 ? field->capacity : width_of(field->kind);
      if (is_plain && any(3) == 0) memset(changed + field->offset, 0, width < 8 ? width : 8);
      if (field->presence_offset != 0 && any(3) == 0) changed[field->presence_offset] = 0;
    }
    is_equal = is_same_in_array(&record, changed) && is_same_in_array(prepared, changed);
  }
  if (status == DECANT_OK) decant_free(prepared, other);
  decant_record_free(prepared);
  uses[PREPARED]++;
  return is_equal;
}

/* Now and then, the table's defaults are what a document has. */
static void make_defaults(void) {
  static char values[STRUCT + 16];
  static decant_record earlier;
  static decant_field earlier_fields[FIELDS];
  if (earlier.fields != NULL) decant_free(&earlier, values);
  earlier.fields = NULL;
  if (any(3) != 0) return;
  for (int attempts = 0; attempts < 3; attempts++) {
    make_document();
    if (decant_decode(&record, text, length, values, NULL) != DECANT_OK) continue;
    memcpy(earlier_fields, fields, sizeof fields);
    earlier = record;
    earlier.fields = earlier_fields;
    record.defaults = values;
    return;
  }
}

/* Whether all ways come to the same. */
static bool is_same(const char *json, size_t count, bool *is_ok) {
  static char first[STRUCT + 16], second[STRUCT + 16], before[STRUCT + 16];
  static char first_texts[2 * TEXT], second_texts[2 * TEXT];
  const decant_memory memory = {give, take, NULL};
  decant_options options = DECANT_OPTIONS_INIT;
  options.duplicate_keys = (int32_t)any(3);
  decant_error error = DECANT_ERROR_INIT, other = DECANT_ERROR_INIT;
  memset(before, 0xA5, sizeof before);
  memcpy(first, before, sizeof before);
  memcpy(second, before, sizeof before);
  const decant_status status =
      options.duplicate_keys == DECANT_KEEP_FIRST
          ? decant_decode(&record, json, count, first, &error)
          : decant_decode_with(&record, json, count, first, &options, &error);
  const decant_options own = options;
  /* Columns and descriptions have no defaults, and count all strings, so that those may have NUL bytes. */
  const bool is_read_elsewhere = any(8) == 0 && record.defaults == NULL &&
                                 (status == DECANT_OK || status / 100 == 2) &&
                                 memchr(json, 0, count) == NULL && strstr(text, "\\u0000") == NULL;
  if (is_read_elsewhere && (!is_same_in_columns(json, count, &own, status, first) ||
                            !is_same_by_description(json, count, &own, status)))
    return false;
  if (any(2) == 0 && !is_same_in_lines(json, count, &own, status, first)) return false;
  if (any(4) == 0 && !is_same_prepared(json, count, &own, status, first, &error)) return false;
  options.memory = &memory;
  if (status != decant_decode_with(&record, json, count, second, &options, &other)) return false;
  *is_ok = status == DECANT_OK;
  if (options.duplicate_keys == DECANT_KEEP_NONE && !is_same_by_jansson(json, count, status, first)) return false;
  if (memcmp(first + record.size, before, sizeof before - record.size) != 0) return false;
  if (status != DECANT_OK) {
    return memcmp(first, before, sizeof before) == 0 && strcmp(error.message, other.message) == 0 &&
           strcmp(error.path, other.path) == 0 && error.offset == other.offset;
  }
  count_uses(first);
  if (!is_decoded_again(first) || !is_complete(json, count, &own, first)) return false;
  char copy[STRUCT + 16], other_copy[STRUCT + 16];
  memcpy(copy, first, sizeof copy);
  memcpy(other_copy, second, sizeof copy);
  if (has_parts()) {
    const bool is_equal = is_encoded_the_same(first, second) && is_counted_the_same(first, second, false);
    decant_free(&record, first);
    decant_free_with(&record, second, &options);
    return is_equal;
  }
  const size_t size = take_texts(copy, first_texts), other_size = take_texts(other_copy, second_texts);
  if (record.storage_offset != 0) {
    memset(copy + record.storage_offset, 0, sizeof(void *));
    memset(other_copy + record.storage_offset, 0, sizeof(void *));
  }
  const bool same = size == other_size && memcmp(first_texts, second_texts, size) == 0 &&
                    memcmp(copy, other_copy, record.size) == 0;
  decant_free(&record, first);
  decant_free_with(&record, second, &options);
  return same;
}

static void show(const char *json, size_t count) {
  printf("  document, %zu bytes: %.*s\n", count, (int)count, json);
  printf("  size %zu, storage %zu, flags %u%s\n", record.size, record.storage_offset, record.flags,
         record.defaults != NULL ? ", with defaults" : "");
  for (size_t at = 0; at < record.field_count; at++) {
    const decant_field *field = &fields[at];
    printf("  \"%s\" %u: kind %u of %u, flags %u, offset %u, length %u, presence %u, left out %u\n",
           field->key ? field->key : "NULL", field->key_length, field->kind, field->element, field->flags,
           field->offset, field->length_offset, field->presence_offset, field->left_out_offset);
  }
}

/* A page between two places that must not be read; NULL if the system has none. */
static char *lonely_page(size_t page) {
#ifdef __wasm__
  /* Memory ends behind it. What is read before it is not noticed. */
  const size_t pages = __builtin_wasm_memory_grow(0, 1);
  return pages == SIZE_MAX ? NULL : (char *)((pages + 1) * 65536 - page);
#else
  char *pages = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_READ | PROT_WRITE) != 0) return NULL;
  return pages + page;
#endif
}

/* Elements move where they have no more space, as the fifth and the ninth do. */
static void test_elements_that_move(void) {
  struct list {
    int32_t *items;
    size_t count;
    void *storage;
  } list;
  static const decant_field items = {.key = "a", .kind = DECANT_ARRAY, .element = DECANT_INT32,
                                     .offset = offsetof(struct list, items), .length_offset = offsetof(struct list, count)};
  static const decant_record lists = {.size = sizeof list, .fields = &items, .field_count = 1,
                                      .storage_offset = offsetof(struct list, storage)};
  static const char json[] = "{\"a\":[1,2,3,4,5,6,7,8,9]}";
  if (!check(decant_decode(&lists, json, strlen(json), &list, NULL) == DECANT_OK, "nine elements")) return;
  bool are_in_place = list.count == 9;
  for (size_t at = 0; at < list.count; at++) are_in_place = are_in_place && list.items[at] == (int32_t)at + 1;
  check(are_in_place, "elements that move");
  decant_free(&lists, &list);
}

int main(int count, char **arguments) {
  const uint64_t seed = count > 1 ? strtoull(arguments[1], NULL, 0) : 20240229;
  state = seed * 0x9E3779B97F4A7C15u | 1;
  const size_t size = (size_t)sysconf(_SC_PAGESIZE);
  char *page = lonely_page(size);
  if (!check(page != NULL, "a page")) return check_end();
  test_elements_that_move();
  unsigned decoded = 0;
  const unsigned last = count > 2 ? (unsigned)strtoul(arguments[2], NULL, 0) : (unsigned)rounds(60000);
  for (unsigned round = 0; round < last; round++) {
    if (round % 4 == 0) make_table(), make_defaults();
    make_document();
    /* All of it, and for some every beginning of it. */
    for (size_t part = any(50) == 0 ? 0 : length; part <= length; part++) {
      char *json = any(2) ? page : page + size - part;
      memcpy(json, text, part);
      bool is_ok = false;
      if (!is_same(json, part, &is_ok)) {
        printf("seed %llu, round %u, %s\n", (unsigned long long)seed, round, is_ok ? "decoded" : "refused");
        check(false, "both ways come to the same");
        show(json, part);
        if (failed > 3) return check_end();
      }
      decoded += is_ok;
    }
  }
  check(decoded > last / 20, "many documents are all right");
  for (size_t at = 0; at < USES; at++) {
#ifdef WITHOUT_JANSSON
    if (at == BY_JANSSON) continue;
#endif
    if (!check(uses[at] >= last / 1200, uses_named[at])) printf("  in %u documents alone\n", uses[at]);
    printf("%s: %u documents\n", uses_named[at], uses[at]);
  }
  printf("seed %llu: %u documents decoded\n", (unsigned long long)seed, decoded);
  return check_end();
}
