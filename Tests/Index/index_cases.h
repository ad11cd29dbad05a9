// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The cases of index_tests.c: what every kernel must answer, and documents to damage.

#ifndef DECANT_INDEX_CASES_H
#define DECANT_INDEX_CASES_H

#include "decant_index.h"

// An input, the code of its first offence and its offset. Depth and size have tests of their
// own.
struct outcome {
  const char *text;
  size_t length;
  int32_t code;
  size_t offset;
};

#define ROW(text, code, offset) \
  { text, sizeof(text) - 1, DECANT_INDEX_##code, offset }

static const struct outcome outcomes[] = {
    // OK
    ROW("{}", OK, 0),
    ROW("[]", OK, 0),
    ROW("\"\"", OK, 0),
    ROW("0", OK, 0),
    ROW("-0", OK, 0),
    ROW("true", OK, 0),
    ROW("false", OK, 0),
    ROW("null", OK, 0),
    ROW(" [ ] ", OK, 0),
    ROW("{\"a\":1}", OK, 0),
    ROW("[1,2,3]", OK, 0),
    ROW("[[],{},[{}]]", OK, 0),
    ROW("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", OK, 0),
    ROW("\"\\u0000\"", OK, 0),
    ROW("\"\\uD83D\\uDE00\"", OK, 0),
    ROW("\"\\ud83d\\ude00\\u00e9\"", OK, 0),
    ROW("{\"\":\"\"}", OK, 0),
    ROW("{\"a\\\"b\":{\"c\":[]}}", OK, 0),
    ROW("[0.5,-0.5,1e5,1E5,1e+5,1e-5,1.5e05,-0e0,0.0e-00]", OK, 0),
    ROW("[10,0,-10,-0]", OK, 0),
    ROW("[true,false,null]", OK, 0),
    ROW("\x09\x0D\x0A 1\x09\x0D\x0A ", OK, 0),
    ROW("[\"\x7F\"]", OK, 0),
    ROW("1e308", OK, 0),
    ROW("[1.7976931348623157e308]", OK, 0),
    ROW("[1e-400]", OK, 0),
    ROW("[123456789012345678901234567890]", OK, 0),
    ROW("0e99999999999999999999", OK, 0),
    ROW("[0.00000000000000000001e320]", OK, 0),
    ROW("[\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"]", OK, 0),
    ROW("\"\\\\\"", OK, 0),
    ROW("\"\\\\\\\\\\\\\"", OK, 0),
    ROW("[\"\\\\\",1]", OK, 0),
    ROW("{\"true\":true}", OK, 0),
    ROW("[1 ,2\x0A,3\x09]", OK, 0),
    ROW("{ \"a\" : 1 , \"b\" : [ ] }", OK, 0),
    ROW("\"\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80"
        "\xF4\x8F\xBF\xBF\"",
        OK, 0),
    ROW("[\"\xEF\xBB\xBF\"]", OK, 0),
    // UNEXPECTED_BYTE
    ROW("[1 2]", UNEXPECTED_BYTE, 3),
    ROW("]", UNEXPECTED_BYTE, 0),
    ROW("}", UNEXPECTED_BYTE, 0),
    ROW(",", UNEXPECTED_BYTE, 0),
    ROW(":", UNEXPECTED_BYTE, 0),
    ROW("[,]", UNEXPECTED_BYTE, 1),
    ROW("[1,]", UNEXPECTED_BYTE, 3),
    ROW("[1,,2]", UNEXPECTED_BYTE, 3),
    ROW("{,}", UNEXPECTED_BYTE, 1),
    ROW("{\"a\":1,}", UNEXPECTED_BYTE, 7),
    ROW("{1:2}", UNEXPECTED_BYTE, 1),
    ROW("{\"a\" 1}", UNEXPECTED_BYTE, 5),
    ROW("{\"a\",1}", UNEXPECTED_BYTE, 4),
    ROW("{\"a\":}", UNEXPECTED_BYTE, 5),
    ROW("{\"a\":1 \"b\":2}", UNEXPECTED_BYTE, 7),
    ROW("{\"a\":1:2}", UNEXPECTED_BYTE, 6),
    ROW("[1:2]", UNEXPECTED_BYTE, 2),
    ROW("[1}", UNEXPECTED_BYTE, 2),
    ROW("{\"a\":1]", UNEXPECTED_BYTE, 6),
    ROW("{]", UNEXPECTED_BYTE, 1),
    ROW("[}", UNEXPECTED_BYTE, 1),
    ROW("[+1]", UNEXPECTED_BYTE, 1),
    ROW("[.5]", UNEXPECTED_BYTE, 1),
    ROW("[True]", UNEXPECTED_BYTE, 1),
    ROW("[NaN]", UNEXPECTED_BYTE, 1),
    ROW("[Infinity]", UNEXPECTED_BYTE, 1),
    ROW("['a']", UNEXPECTED_BYTE, 1),
    ROW("[\\n]", UNEXPECTED_BYTE, 1),
    ROW("[\x00]", UNEXPECTED_BYTE, 1),
    ROW("\x00", UNEXPECTED_BYTE, 0),
    ROW("[1\x00]", UNEXPECTED_BYTE, 2),
    ROW("[\"a\"b]", UNEXPECTED_BYTE, 4),
    ROW("[\"a\"\"b\"]", UNEXPECTED_BYTE, 4),
    ROW("[true\"a\"]", UNEXPECTED_BYTE, 5),
    ROW("[1\"a\"]", UNEXPECTED_BYTE, 2),
    ROW("{a:1}", UNEXPECTED_BYTE, 1),
    ROW("{\"a\":b}", UNEXPECTED_BYTE, 5),
    ROW("[/*a*/1]", UNEXPECTED_BYTE, 1),
    ROW("//a", UNEXPECTED_BYTE, 0),
    ROW("[\x0C"
        "1]",
        UNEXPECTED_BYTE, 1),
    ROW("[1,\x7F]", UNEXPECTED_BYTE, 3),
    ROW("{null:1}", UNEXPECTED_BYTE, 1),
    ROW("{[]:1}", UNEXPECTED_BYTE, 1),
    ROW("{\"a\":[}", UNEXPECTED_BYTE, 6),
    ROW("[\xC3\xA9]", UNEXPECTED_BYTE, 1),
    ROW("\xC3\xA9", UNEXPECTED_BYTE, 0),
    ROW("[1\xC3\xA9]", UNEXPECTED_BYTE, 2),
    ROW("a", UNEXPECTED_BYTE, 0),
    ROW("[a", UNEXPECTED_BYTE, 1),
    ROW("{\"a\"a:1}", UNEXPECTED_BYTE, 4),
    ROW("{\"a\":1,1}", UNEXPECTED_BYTE, 7),
    ROW("[[],]", UNEXPECTED_BYTE, 4),
    ROW("[{},]", UNEXPECTED_BYTE, 4),
    ROW("[\"\"\x01]", UNEXPECTED_BYTE, 3),
    ROW("\x1F"
        "1",
        UNEXPECTED_BYTE, 0),
    ROW("[1\x7F]", UNEXPECTED_BYTE, 2),
    ROW("{\"a\"\\:1}", UNEXPECTED_BYTE, 4),
    ROW("[\"a\"\\]", UNEXPECTED_BYTE, 4),
    ROW("[true,\\\"a\"]", UNEXPECTED_BYTE, 6),
    ROW("\xFF", UNEXPECTED_BYTE, 0),
    ROW("[\x80]", UNEXPECTED_BYTE, 1),
    ROW("\xEF\xBB{}", UNEXPECTED_BYTE, 0),
    ROW("\x00\x00\xFE", UNEXPECTED_BYTE, 0),
    ROW("\xEF", UNEXPECTED_BYTE, 0),
    // UNEXPECTED_END
    ROW("[", UNEXPECTED_END, 1),
    ROW("{", UNEXPECTED_END, 1),
    ROW("[1", UNEXPECTED_END, 2),
    ROW("[1,", UNEXPECTED_END, 3),
    ROW("{\"a\"", UNEXPECTED_END, 4),
    ROW("{\"a\":", UNEXPECTED_END, 5),
    ROW("{\"a\":1", UNEXPECTED_END, 6),
    ROW("{\"a\":1,", UNEXPECTED_END, 7),
    ROW("\"", UNEXPECTED_END, 1),
    ROW("\"a", UNEXPECTED_END, 2),
    ROW("\"\\", UNEXPECTED_END, 2),
    ROW("\"\\u", UNEXPECTED_END, 3),
    ROW("\"\\u00", UNEXPECTED_END, 5),
    ROW("\"\\ud83d", UNEXPECTED_END, 7),
    ROW("\"\\ud83d\\", UNEXPECTED_END, 8),
    ROW("\"\\ud83d\\ude0", UNEXPECTED_END, 12),
    ROW("-", UNEXPECTED_END, 1),
    ROW("1.", UNEXPECTED_END, 2),
    ROW("1e", UNEXPECTED_END, 2),
    ROW("1e+", UNEXPECTED_END, 3),
    ROW("-0.", UNEXPECTED_END, 3),
    ROW("t", UNEXPECTED_END, 1),
    ROW("tru", UNEXPECTED_END, 3),
    ROW("fals", UNEXPECTED_END, 4),
    ROW("nul", UNEXPECTED_END, 3),
    ROW("[[]", UNEXPECTED_END, 3),
    ROW("[nul", UNEXPECTED_END, 4),
    ROW("[\"a\\\"", UNEXPECTED_END, 5),
    ROW("[1 ", UNEXPECTED_END, 3),
    ROW("{\"a\":1 ", UNEXPECTED_END, 7),
    ROW("\"\\u0041", UNEXPECTED_END, 7),
    ROW("[[[[", UNEXPECTED_END, 4),
    ROW("[1.5e", UNEXPECTED_END, 5),
    ROW("\"\xE2\x82", UNEXPECTED_END, 3),
    ROW("\"\xC3", UNEXPECTED_END, 2),
    ROW("\"\xF0\x9F\x98", UNEXPECTED_END, 4),
    // INVALID_LITERAL
    ROW("[nul]", INVALID_LITERAL, 4),
    ROW("[nulls]", INVALID_LITERAL, 5),
    ROW("nulll", INVALID_LITERAL, 4),
    ROW("[truE]", INVALID_LITERAL, 4),
    ROW("[t]", INVALID_LITERAL, 2),
    ROW("tr ue", INVALID_LITERAL, 2),
    ROW("[fa1se]", INVALID_LITERAL, 3),
    ROW("[fals,1]", INVALID_LITERAL, 5),
    ROW("true1", INVALID_LITERAL, 4),
    ROW("[true.]", INVALID_LITERAL, 5),
    ROW("[nul\x00]", INVALID_LITERAL, 4),
    ROW("truefalse", INVALID_LITERAL, 4),
    ROW("{\"a\":nan}", INVALID_LITERAL, 6),
    ROW("tRUE", INVALID_LITERAL, 1),
    ROW("[true-]", INVALID_LITERAL, 5),
    ROW("[false+1]", INVALID_LITERAL, 6),
    ROW("n\"ull\"", INVALID_LITERAL, 1),
    ROW("[true\\n]", INVALID_LITERAL, 5),
    // INVALID_NUMBER
    ROW("[01]", INVALID_NUMBER, 2),
    ROW("[-01]", INVALID_NUMBER, 3),
    ROW("[00]", INVALID_NUMBER, 2),
    ROW("[1.]", INVALID_NUMBER, 3),
    ROW("[-]", INVALID_NUMBER, 2),
    ROW("[1a]", INVALID_NUMBER, 2),
    ROW("[1.a]", INVALID_NUMBER, 3),
    ROW("[1e]", INVALID_NUMBER, 3),
    ROW("[1e+]", INVALID_NUMBER, 4),
    ROW("[--1]", INVALID_NUMBER, 2),
    ROW("[-a]", INVALID_NUMBER, 2),
    ROW("[1.5.5]", INVALID_NUMBER, 4),
    ROW("[1e5.5]", INVALID_NUMBER, 4),
    ROW("[1e5e5]", INVALID_NUMBER, 4),
    ROW("[1-2]", INVALID_NUMBER, 2),
    ROW("[1+2]", INVALID_NUMBER, 2),
    ROW("[1.-5]", INVALID_NUMBER, 3),
    ROW("[-.5]", INVALID_NUMBER, 2),
    ROW("[1.e5]", INVALID_NUMBER, 3),
    ROW("[0x10]", INVALID_NUMBER, 2),
    ROW("[1_000]", INVALID_NUMBER, 2),
    ROW("1a", INVALID_NUMBER, 1),
    ROW("-x", INVALID_NUMBER, 1),
    ROW("01", INVALID_NUMBER, 1),
    ROW("[1e+-5]", INVALID_NUMBER, 4),
    ROW("[1e5-]", INVALID_NUMBER, 4),
    ROW("[-Infinity]", INVALID_NUMBER, 2),
    ROW("[1.5f]", INVALID_NUMBER, 4),
    ROW("{\"a\":1.}", INVALID_NUMBER, 7),
    ROW("[1\\n]", INVALID_NUMBER, 2),
    ROW("[-\"a\"]", INVALID_NUMBER, 2),
    ROW("[-,1]", INVALID_NUMBER, 2),
    ROW("- 1", INVALID_NUMBER, 1),
    ROW("1. 5", INVALID_NUMBER, 2),
    ROW("[0e]", INVALID_NUMBER, 3),
    ROW("[0.e1]", INVALID_NUMBER, 3),
    ROW("[-0.0.0]", INVALID_NUMBER, 5),
    ROW("[1ee5]", INVALID_NUMBER, 3),
    ROW("[1.5E5E5]", INVALID_NUMBER, 6),
    ROW("0a", INVALID_NUMBER, 1),
    ROW("[-\x00]", INVALID_NUMBER, 2),
    ROW("[12'1]", INVALID_NUMBER, 3),
    // Numbers beyond a double are numbers.
    ROW("[1e400]", OK, 0),
    ROW("-1e309", OK, 0),
    ROW("[1,1.8e308]", OK, 0),
    ROW("1.7976931348623159e308", OK, 0),
    ROW("[123123e100000]", OK, 0),
    ROW("1e99999999999999999999999", OK, 0),
    ROW("0.1e310", OK, 0),
    ROW("[0.001e312,1]", OK, 0),
    // CONTROL_CHARACTER
    ROW("[\"\x09\"]", CONTROL_CHARACTER, 2),
    ROW("\"\x00\"", CONTROL_CHARACTER, 1),
    ROW("\"a\x0A"
        "b\"",
        CONTROL_CHARACTER, 2),
    ROW("\"\x1F", CONTROL_CHARACTER, 1),
    ROW("{\"a\x0D\":1}", CONTROL_CHARACTER, 3),
    ROW("[\"a\",\"b\x0A", CONTROL_CHARACTER, 7),
    ROW("\"\\n\x0A\"", CONTROL_CHARACTER, 3),
    // INVALID_ESCAPE
    ROW("[\"\\x\"]", INVALID_ESCAPE, 3),
    ROW("\"\\a\"", INVALID_ESCAPE, 2),
    ROW("\"\\U0041\"", INVALID_ESCAPE, 2),
    ROW("\"\\u00g0\"", INVALID_ESCAPE, 5),
    ROW("\"\\u\"", INVALID_ESCAPE, 3),
    ROW("\"\\u12\"", INVALID_ESCAPE, 5),
    ROW("\"\\u123\"", INVALID_ESCAPE, 6),
    ROW("\"\\ \"", INVALID_ESCAPE, 2),
    ROW("\"\\0\"", INVALID_ESCAPE, 2),
    ROW("{\"\\q\":1}", INVALID_ESCAPE, 3),
    ROW("\"\\u 041\"", INVALID_ESCAPE, 3),
    ROW("\"\\\\\\a\"", INVALID_ESCAPE, 4),
    ROW("\"\\\x0A\"", INVALID_ESCAPE, 2),
    ROW("\"\\\xC3\xA9\"", INVALID_ESCAPE, 2),
    ROW("\"\\u-123\"", INVALID_ESCAPE, 3),
    ROW("\"\\u00\\n00\"", INVALID_ESCAPE, 5),
    ROW("\"\\'\"", INVALID_ESCAPE, 2),
    // LONE_SURROGATE
    ROW("[\"\\ud800\"]", LONE_SURROGATE, 2),
    ROW("\"\\udc00\"", LONE_SURROGATE, 1),
    ROW("\"a\\uDFFF\"", LONE_SURROGATE, 2),
    ROW("\"\\ud800\\u0041\"", LONE_SURROGATE, 1),
    ROW("\"\\ud800\\ud800\"", LONE_SURROGATE, 1),
    ROW("\"\\ud800\\n\"", LONE_SURROGATE, 1),
    ROW("\"\\ud800a\"", LONE_SURROGATE, 1),
    ROW("\"\\ud83d\\ude00\\ude00\"", LONE_SURROGATE, 13),
    ROW("\"\\ud800\\udbff\\udc00\"", LONE_SURROGATE, 1),
    ROW("\"\\uDBFF\\u\"", LONE_SURROGATE, 1),
    ROW("{\"\\ud800\":1}", LONE_SURROGATE, 2),
    ROW("\"\\ud800\\\\udc00\"", LONE_SURROGATE, 1),
    ROW("\"\\udc00\\ud800\"", LONE_SURROGATE, 1),
    ROW("\"\\udc00\\udc00\"", LONE_SURROGATE, 1),
    ROW("\"\\v\"", INVALID_ESCAPE, 2),
    // INVALID_UTF8
    ROW("[\"\xFF\"]", INVALID_UTF8, 2),
    ROW("\"\x80\"", INVALID_UTF8, 1),
    ROW("\"a\xC3\"", INVALID_UTF8, 2),
    ROW("\"\xC3(\"", INVALID_UTF8, 1),
    ROW("\"\xC0\x80\"", INVALID_UTF8, 1),
    ROW("\"\xC1\xBF\"", INVALID_UTF8, 1),
    ROW("\"\xE2\x82\"", INVALID_UTF8, 1),
    ROW("\"\xE0\x80\x80\"", INVALID_UTF8, 1),
    ROW("\"\xE0\x9F\xBF\"", INVALID_UTF8, 1),
    ROW("\"\xED\xA0\x80\"", INVALID_UTF8, 1),
    ROW("\"\xED\xBF\xBF\"", INVALID_UTF8, 1),
    ROW("\"\xF0\x80\x80\x80\"", INVALID_UTF8, 1),
    ROW("\"\xF0\x8F\xBF\xBF\"", INVALID_UTF8, 1),
    ROW("\"\xF4\x90\x80\x80\"", INVALID_UTF8, 1),
    ROW("\"\xF5\x80\x80\x80\"", INVALID_UTF8, 1),
    ROW("\"\xF8\x88\x80\x80\x80\"", INVALID_UTF8, 1),
    ROW("\"\xE2(\xA1\"", INVALID_UTF8, 1),
    ROW("\"\xE2\x82(\"", INVALID_UTF8, 1),
    ROW("\"\xF0\x9F\x98\"", INVALID_UTF8, 1),
    ROW("\"\xC3\xA9\xA9\"", INVALID_UTF8, 3),
    ROW("{\"\xFF\":1}", INVALID_UTF8, 2),
    ROW("\"\xE2\x82\\u0041\"", INVALID_UTF8, 1),
    ROW("\"\xFE\"", INVALID_UTF8, 1),
    // TRAILING_BYTES
    ROW("1 2", TRAILING_BYTES, 2),
    ROW("1,", TRAILING_BYTES, 1),
    ROW("{}[]", TRAILING_BYTES, 2),
    ROW("[]]", TRAILING_BYTES, 2),
    ROW("\"\"\"\"", TRAILING_BYTES, 2),
    ROW("{} x", TRAILING_BYTES, 3),
    ROW("true,", TRAILING_BYTES, 4),
    ROW("1]", TRAILING_BYTES, 1),
    ROW("1\"a\"", TRAILING_BYTES, 1),
    ROW("null null", TRAILING_BYTES, 5),
    ROW("[1]\x00", TRAILING_BYTES, 3),
    ROW("0\x00", TRAILING_BYTES, 1),
    ROW("{}\xEF\xBB\xBF", TRAILING_BYTES, 2),
    ROW("[]\x0A\x0A,", TRAILING_BYTES, 4),
    ROW("\"a\" \"b\"", TRAILING_BYTES, 4),
    ROW("1 \x01", TRAILING_BYTES, 2),
    ROW("{}\\", TRAILING_BYTES, 2),
    // BYTE_ORDER_MARK
    ROW("\xEF\xBB\xBF{}", BYTE_ORDER_MARK, 0),
    ROW("\xEF\xBB\xBF", BYTE_ORDER_MARK, 0),
    ROW("\xFE\xFF\x00[", BYTE_ORDER_MARK, 0),
    ROW("\xFF\xFE[\x00", BYTE_ORDER_MARK, 0),
    ROW("\xFF\xFE\x00\x00[\x00\x00\x00", BYTE_ORDER_MARK, 0),
    ROW("\x00\x00\xFE\xFF\x00\x00\x00[", BYTE_ORDER_MARK, 0),
    // EMPTY_INPUT
    ROW("", EMPTY_INPUT, 0),
    ROW(" ", EMPTY_INPUT, 1),
    ROW("\x09\x0D\x0A ", EMPTY_INPUT, 4),
    ROW("\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A"
        "\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A"
        "\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A\x0A"
        "\x0A\x0A\x0A\x0A\x0A\x0A\x0A",
        EMPTY_INPUT, 70),
};

// Valid documents and their slots, the high half first.
struct expectation {
  const char *text;
  uint32_t facts;
  uint32_t count;
  uint64_t slots[16];
};

#define SLOT(high, low)      ((uint64_t)(high) << 32 | (low))
#define OBJECT(next, offset) SLOT(DECANT_OBJECT | (next), offset)
#define ARRAY(next, offset)  SLOT(DECANT_ARRAY | (next), offset)
#define COUNT(elements)      SLOT(0, elements)
#define FLAT(elements)       SLOT(DECANT_ARRAY_FLAT, elements)
#define WORD                 SLOT(0, 0)
#define NUMBER(flags, bytes, before, after, offset) \
  SLOT(DECANT_NUMBER | (flags) | (bytes) | (before) << 8 | (after) << 16, offset)
#define REAL     DECANT_NUMBER_REAL
#define MINUS    DECANT_NUMBER_MINUS
#define EXPONENT DECANT_NUMBER_EXPONENT

static const struct expectation expectations[] = {
    {"{\"a\":[1,2],\"b\":\"x\"}",
     0,
     9,
     {OBJECT(9, 0), WORD, SLOT(1, 1), ARRAY(7, 5), FLAT(2), NUMBER(0, 1, 1, 0, 6),
      NUMBER(0, 1, 1, 0, 8), SLOT(1, 11), SLOT(1, 15)}},
    {"[]", 0, 2, {ARRAY(2, 0), FLAT(0)}},
    {"{}", 0, 2, {OBJECT(2, 0), WORD}},
    {" [ [ ] , { } ] ", 0, 6, {ARRAY(6, 1), COUNT(2), ARRAY(4, 3), FLAT(0), OBJECT(6, 9), WORD}},
    {"[1,[2,3],4]",
     0,
     8,
     {ARRAY(8, 0), COUNT(3), NUMBER(0, 1, 1, 0, 1), ARRAY(7, 3), FLAT(2), NUMBER(0, 1, 1, 0, 4),
      NUMBER(0, 1, 1, 0, 6), NUMBER(0, 1, 1, 0, 9)}},
    {"\"\"", 0, 1, {SLOT(0, 0)}},
    {"\"\\n\"", DECANT_FACT_ESCAPES, 1, {SLOT(DECANT_STRING_ESCAPE | 2, 0)}},
    {"[\"\\ud83d\\ude00\",\"\xC3\xA9\"]",
     DECANT_FACT_ESCAPES | DECANT_FACT_NON_ASCII,
     4,
     {ARRAY(4, 0), FLAT(2), SLOT(DECANT_STRING_ESCAPE | 12, 1), SLOT(2, 16)}},
    {"{\"\\\"\":{\"\\\\\":null}}",
     DECANT_FACT_ESCAPES,
     7,
     {OBJECT(7, 0), WORD, SLOT(DECANT_STRING_ESCAPE | 2, 1), OBJECT(7, 6), WORD,
      SLOT(DECANT_STRING_ESCAPE | 2, 7), SLOT(DECANT_NULL, 12)}},
    {"[true,false,null]",
     0,
     5,
     {ARRAY(5, 0), FLAT(3), SLOT(DECANT_TRUE, 1), SLOT(DECANT_FALSE, 6), SLOT(DECANT_NULL, 12)}},
    {"0", 0, 1, {NUMBER(0, 1, 1, 0, 0)}},
    {" -0 ", 0, 1, {NUMBER(MINUS, 2, 1, 0, 1)}},
    {"-12.50e3", 0, 1, {NUMBER(REAL | MINUS | EXPONENT, 8, 2, 2, 0)}},
    {"[1e5 ,2.25,-3E-07]",
     0,
     5,
     {ARRAY(5, 0), FLAT(3), NUMBER(REAL | EXPONENT, 3, 1, 0, 1), NUMBER(REAL, 4, 1, 2, 6),
      NUMBER(REAL | MINUS | EXPONENT, 6, 1, 0, 11)}},
    {"12345678901234567890", 0, 1, {NUMBER(0, 20, 20, 0, 0)}},
};

// Objects that name a key twice: where the second one is, 0 for no second, and where the first is.
struct duplicate {
  const char *text;
  size_t second, first;
};

static const struct duplicate duplicates[] = {
    {"{\"a\":1,\"b\":2}", 0, 0},
    {"{\"a\":1,\"a\":2}", 7, 1},
    {"{\"a\":1,\"\\u0061\":2}", 7, 1},
    {"{\"\\u0061\":1,\"a\":2}", 12, 1},
    {"{\"\\/\":1,\"/\":2}", 8, 1},
    {"{\"\\n\":1,\"\\u000A\":2}", 8, 1},
    {"{\"\\ud83d\\ude00\":1,\"\xF0\x9F\x98\x80\":2}", 18, 1},
    {"{\"\\u00e9\":1,\"\xC3\xA9\":2,\"\\u20AC\":3,\"\xE2\x82\xAC\":4}", 12, 1},
    {"{\"a\":1,\"A\":2,\"aa\":3,\"\":4,\" a\":5}", 0, 0},
    {"{\"\":1,\"\":2}", 6, 1},
    {"{\"a\":{\"a\":1},\"b\":{\"a\":1}}", 0, 0},
    {"{\"a\":{\"b\":1,\"b\":2},\"a\":3}", 12, 6},
    {"{\"a\":1,\"a\":{\"b\":1,\"b\":2}}", 7, 1},
    {"[{\"a\":1},{\"a\":1},[{\"x\":[{}],\"y\":0,\"x\":1}]]", 34, 19},
    {"{\"a\":[1,2,{\"a\":3}],\"b\":[],\"c\":{},\"a\":null}", 33, 1},
    {"{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"j\":0}", 0, 0},
    {"{\"a\":1,\"b\":2,\"c\":3,\"d\":4,"
     "\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"c\":0,\"a\":1}",
     55, 13},
    {"{\"a\":1,\"b\":2,\"c\":3,\"d\":4,"
     "\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"\\u0063\":0}",
     55, 13},
    {"{\"a\\u0000b\":1,\"a\\u0000c\":2,\"a\":3}", 0, 0},
    {"{\"a\":1,\"b\":{\"c\":1},\"b\":{\"d\":[{\"e\":1,\"e\":2}]}}", 19, 7},
};

// Valid documents for prefixes, alignments and damage.
static const char *const documents[] = {
    "{\"id\":1,\"name\":\"Cool User\",\"email\":\"u.cool@example.com\"}",
    "[]",
    "\"a string that is longer than one block of sixty-four bytes, so that it spans two of them\"",
    "-123.456e-78",
    "[-65.613616999999977,43.420273000000009,[0,-0,0.0,1e1,1E+1,1e-1],12345678901234567890]",
    "{\n  \"numbers\": [\n    0,\n    -1,\n    2.5e10 ,\n    100\n  ],\n  \"flags\": {\n"
    "    \"yes\": true,\n    \"no\": false,\n    \"nothing\": null\n  },\n  \"empty\": [ ],\n"
    "  \"none\": { },\n  \"text\": \"a \\\"quoted\\\" \\\\ word\"\n}\n",
    "[\"\\\\\",\"\\\\\\\\\",\"\\\\\\\"\",\"\\\"\\\\\","
    "\"\\u0041\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\",\""
    "\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"
    "\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"
    "\",\"\\\\\\\\\\\"\"]",
    "{\"k\xC3\xA9y\":\"\xE2\x82\xAC\xF0\x9F\x98\x80 "
    "\xE3\x81\x82\xE3\x81\x84\xE3\x81\x86\xE3\x81\x88\xE3\x81\x8A\xE3\x81\x8B\xE3\x81\x8D"
    "\xE3\x81\x8F\xE3\x81\x91\xE3\x81\x93\xE3\x81\x95\xE3\x81\x97\xE3\x81\x99\xE3\x81\x9B\","
    "\"plain\":[\"ascii\",\"\xD0\xB6\"]}",
    "[[[[[[[[1],2],3],4],5],6],7],8]",
    "[{\"a\":{\"b\":{\"c\":[{},{},{\"d\":[]}]}}},{\"a\":null},{\"a\":[true,[false,[null]]]}]",
    "{\"a\\u0062\":1,\"\\\"\":{\"\\\\\":[\"\\n\"]},\"x\":\"\\u00e9\\u20ac\"}",
    "[1,22,333,4444,55555,666666,7777777,88888888,999999999,1234567890,-1,-22,-333,0.1,0.22,33.3]",
    "[true,false,null,true ,false ,null ,\ttrue\t,\nfalse\n]",
};

#endif
