// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

/// What decant.h declares, which every header includes: no header of models can declare it again. A test holds the
/// list against the header.
let namesOfDecant = Set(
  functionsAndTypes.map { "decant_\($0)" } + constantsAndMacros.map { "DECANT_\($0)" })

private let functionsAndTypes =
  """
  array array_free arrow at bounds count decode decode_array decode_jansson decode_lines \
  decode_value decode_with document document_free element encode encode_array error error_json \
  field free free_with get get_bool get_counted get_double get_int64 get_raw get_string get_uint64 \
  iterate iterator line_function lines lines_close lines_feed lines_finish lines_open lines_place \
  memory name next options parse piece read_arrow read_arrow_from read_function record \
  record_check record_describe root schema schema_free schema_parse schema_record split_lines \
  status status_name text value value_kind version version_number
  """.split(separator: " ")

private let constantsAndMacros =
  """
  ARRAY ARROW_H BOOL BYTE_ORDER_MARK CHARS COLUMNS_BORROW COLUMNS_LINE COLUMNS_UTF8 \
  CONTROL_CHARACTER CUSTOM DEFAULT DOCUMENTS DOUBLE DUPLICATE_KEY EMPTY_INPUT ENUM ERROR_INIT \
  FIXED_ARRAY FLAGS FLOAT FROM_TEXT H INT16 INT32 INT64 INT8 INVALID_ARGUMENT INVALID_ESCAPE \
  INVALID_LITERAL INVALID_NUMBER INVALID_POINTER INVALID_RECORD INVALID_UTF8 INVALID_VALUE JANSSON \
  KEEP_FIRST KEEP_LAST KEEP_NONE KEY KIND LENGTH_AT_ZERO LINES LONE_SURROGATE MAP MISSING_ELEMENT \
  MISSING_KEY MULTIPLE NATIVE NOT_AN_INTEGER NUMBER_OUT_OF_RANGE NUMBER_OVERFLOW OK OPTIONAL \
  OPTIONS_INIT OUT_OF_MEMORY POINTER PRESENCE_AT_ZERO RAW RECORD RECORDS RECORD_POINTER \
  RELAX_BYTE_ORDER_MARK RELAX_COMMENTS RELAX_LONE_SURROGATES RELAX_NON_FINITE_NUMBERS \
  RELAX_TRAILING_COMMAS STATE STRING TEXT TOO_DEEP TOO_LARGE TRAILING_BYTES TYPE_MISMATCH UINT16 \
  UINT32 UINT64 UINT8 UNEXPECTED_BYTE UNEXPECTED_END UNSUPPORTED VALUE_ARRAY VALUE_BOOL \
  VALUE_MISSING VALUE_NULL VALUE_NUMBER VALUE_OBJECT VALUE_STRING VERSION_NUMBER
  """.split(separator: " ")
