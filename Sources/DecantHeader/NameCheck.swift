// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Checks names before a header is written, so that the C compiler need not: identifiers that are no keywords of C or
// C++, occur once, and are not declared by decant.h. The names of decant.h are listed at the end.

import DecantC

/// The names of all headers that are written together.
struct NameCheck {
  private var files: Set<String> = []
  private var functions: Set<String> = []
  private var types: Set<String> = []
  private var constants: Set<String> = []

  /// A header's own name, and the macro that keeps it from being read twice.
  mutating func check(file: String, guardName: String) throws(CHeader.Problem) {
    let owner = "the header \(file)"
    let isName = file.utf8.allSatisfy {
      $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    let ours = [
      "decant.h", "decant_arrow.h", "decant_columns.h", "decant_documents.h", "decant_fields.h",
      "decant_writer.h",
    ]
    guard isName, !file.isEmpty, !ours.contains(file) else {
      throw problem(owner, "is not a name that it can have")
    }
    if !files.insert(file).inserted { throw problem(owner, "is there twice") }
    if !constants.insert(guardName).inserted || namesOfDecant.contains(guardName) {
      throw problem(owner, "needs a macro \(guardName), which is there already")
    }
  }

  mutating func check(_ declaration: HeaderPlan.Declaration) throws(CHeader.Problem) {
    switch declaration {
    case .constants(let type): try check(type, in: declaration.name)
    case .structure(let outline): try check(outline)
    }
  }

  private mutating func check(_ outline: COutline) throws(CHeader.Problem) {
    let owner = outline.typeName
    try checkWord(outline.prefix, in: owner)
    try checkWord(outline.name, in: owner)
    try add(outline.typeName, in: owner)
    if let array = outline.arrayTypeName { try add(array, in: owner) }
    if outline.members.isEmpty { throw problem(owner, "has no members, which C forbids") }
    var seen: Set<String> = []
    for member in outline.members {
      try checkMember(member.name, in: owner)
      if !seen.insert(member.name).inserted {
        throw problem(owner, "has two members \(member.name)")
      }
    }
    for constant in outline.tagConstants { try check(constant: constant, in: owner) }
    for case .union(let cases, _) in outline.members.map(\.type) {
      if !cases.contains(where: { $0.model != nil }) {
        throw problem(owner, "has a union without members, which C forbids")
      }
      for item in cases { try checkMember(item.name, in: owner) }
    }
    for function in FunctionText.all(of: outline).map(\.name) {
      try checkWord(function, in: owner)
      if namesOfDecant.contains(function) {
        throw problem(owner, "needs a function \(function), which decant.h has")
      }
      if !functions.insert(function).inserted {
        throw problem(owner, "needs a function \(function), which another struct has")
      }
    }
  }

  /// A struct, such as `struct decant_user`. A prefix and a name may be a keyword together: `co` and `yield`.
  private mutating func add(_ type: String, in owner: String) throws(CHeader.Problem) {
    let name = String(type.dropFirst("struct ".count))
    if namesOfDecant.contains(name) {
      throw problem(owner, "decant.h has \(type), too; the model needs another prefix")
    }
    if keywords.contains(name) {
      throw problem(owner, "\(name) is a keyword of C or C++; the model needs another prefix")
    }
    // A type of <stddef.h> or <stdint.h>, which C++ does not let structs be called like.
    let standard =
      /u?int(_least|_fast)?(8|16|32|64)_t|u?int(max|ptr)_t|(size|ptrdiff|max_align|nullptr)_t/
    if name.wholeMatch(of: standard) != nil {
      throw problem(owner, "\(name) is a type of C's own; the model needs another prefix")
    }
    if !types.insert(type).inserted { throw problem(owner, "\(type) is declared twice") }
  }

  private mutating func check(_ type: any CConstants.Type, in owner: String)
    throws(CHeader.Problem)
  {
    try checkWord(type.cName, in: owner)
    if type.allCases.isEmpty { throw problem(owner, "has no constants, which C forbids") }
    for constant in type.namedConstants {
      try check(constant: constant.name, in: owner)
      if !type.accepts(constant.value) {
        throw problem(owner, "\(constant.name) does not fit 32 bits")
      }
    }
  }

  private mutating func check(constant: String, in owner: String) throws(CHeader.Problem) {
    try checkWord(constant, in: owner)
    if namesOfDecant.contains(constant) || constant.hasPrefix("DECANT_FIELDS_") {
      throw problem(owner, "decant.h has \(constant), too; the enum needs another prefix")
    }
    if !constants.insert(constant).inserted {
      throw problem(owner, "has a constant \(constant), which is there already")
    }
  }

  /// Checks a member's name, which has no prefix and no suffix.
  private func checkMember(_ name: String, in owner: String) throws(CHeader.Problem) {
    try checkWord(name, in: owner)
    if keywords.contains(name) { throw problem(owner, "\(name) is a keyword of C or C++") }
    // The C standard reserves names of these forms, also for `<stdint.h>`.
    let reserved = /_[A-Z_].*|(U?INT.*|PTRDIFF|SIG_ATOMIC|SIZE|WCHAR|WINT)_(MAX|MIN|C|WIDTH)/
    if name.wholeMatch(of: reserved) != nil || macros.contains(name) {
      throw problem(owner, "\(name) is a name that compilers have for themselves")
    }
    if name.hasPrefix("DECANT_") {
      throw problem(owner, "\(name) is a name that decant.h has for itself")
    }
  }

  private func checkWord(_ name: String, in owner: String) throws(CHeader.Problem) {
    let isWord = name.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
    }
    guard isWord, let first = name.utf8.first, first > UInt8(ascii: "9") else {
      throw problem(owner, "\"\(name)\" is no name in C")
    }
  }

  private func problem(_ owner: String, _ text: String) -> CHeader.Problem {
    CHeader.Problem(description: "\(owner): \(text)")
  }
}

/// C23's and C++20's, but those with a capital.
private let keywords = Set(
  """
  alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class \
  co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype \
  default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline \
  int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public \
  register reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast \
  struct switch template this thread_local throw true try typedef typeid typename typeof typeof_unqual union \
  unsigned using virtual void volatile wchar_t while xor xor_eq
  """.split(separator: " ").map { String($0) })

/// Macros of `<stddef.h>` and `<errno.h>`, and of compilers without a standard as option; and types of members, whose names
/// C++ does not allow for members.
private let macros: Set<String> = [
  "NULL", "errno", "i386", "linux", "unix", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t",
  "uint16_t", "uint32_t", "uint64_t", "size_t", "decant_text",
]

extension CConstants {
  /// The constants as C has them: DECANT_MEAL_LUNCH.
  static var namedConstants: [(name: String, value: Int64)] {
    allCases.map { ("\(cPrefix)_\(cName)_\($0.cCase)".constantCase, $0.cConstant) }
  }

  static func accepts(_ value: Int64) -> Bool {
    isFlag ? UInt32(exactly: value).map { $0 > 0 } ?? false : Int32(exactly: value) != nil
  }

  static var isFlag: Bool { self is any CFlag.Type }
}

extension String {
  /// `openLate` and `open-late` as `OPEN_LATE`.
  var constantCase: String {
    var result = ""
    var wasSmall = false
    for character in self {
      let isCapital = character.isUppercase
      if isCapital && wasSmall { result += "_" }
      result += character.isLetter || character.isNumber ? character.uppercased() : "_"
      wasSmall = character.isLowercase || character.isNumber
    }
    return result
  }
}

/// The names that decant.h declares. Every header includes decant.h, so no header of models can declare them again. A test
/// compares the list with the header.
let namesOfDecant = Set(
  functionsAndTypes.map { "decant_\($0)" } + constantsAndMacros.map { "DECANT_\($0)" })

private let functionsAndTypes =
  """
  array array_free arrow at bounds columns conversion count decimal decode decode_array decode_jansson decode_lines \
  decode_value decode_with document document_free documents element encode encode_array encode_array_text encode_array_to \
  encode_text encode_to error error_json error_text \
  field fields free free_with get get_bool get_counted get_double get_int64 get_raw get_string get_uint64 \
  iterate iterator line_function lines lines_close lines_feed lines_finish lines_open lines_place \
  memory name next options options_init parse piece read_arrow read_arrow_from read_function \
  record \
  record_check record_describe record_free record_prepare root rows schema schema_free schema_parse schema_record split_lines \
  status status_name text text_free value value_kind version version_number \
  write_function writer writer_array writer_bool writer_double writer_end \
  writer_finish writer_int64 writer_key writer_key_counted writer_null writer_object writer_raw writer_string \
  writer_string_counted writer_struct writer_to_buffer writer_to_function writer_to_text writer_uint64 writer_value
  """.split(separator: " ")

private let constantsAndMacros =
  """
  ANY_CASE ARRAY ARROW_H AS_TEXT AT AT_ELEMENTS BASE64 BOOL BUFFER_TOO_SMALL BYTE_ORDER_MARK CHARS CLOSED COLUMNS_BORROW COLUMNS_H COLUMNS_LINE \
  COLUMNS_UTF8 CONTROL_CHARACTER CONVERTED COUNT CUSTOM DATE DECIMAL DEFAULT DOCUMENTS DOCUMENTS_H DOUBLE DUPLICATE_KEY EMBEDDED \
  EMPTY_INPUT ENUM EPOCH ERROR_INIT FIELD FIELDS_H FIELD_AS FIXED_ARRAY FIXED_BASE64 FLAGS FLOAT FROM_TEXT H HAS_LEAST HAS_LONGEST HAS_MAXIMUM \
  HAS_MINIMUM HAS_MOST HAS_SHORTEST INT16 INT32 INT64 INT8 INTEGRAL INVALID_ARGUMENT INVALID_ESCAPE \
  INVALID_LITERAL INVALID_NUMBER INVALID_POINTER INVALID_RECORD INVALID_UTF8 INVALID_VALUE \
  JANSSON KEEP_FIRST KEEP_LAST KEEP_NONE KEY KIND LEAVE_OUT LEFT_OUT LENGTH_AT_ZERO LINES LONE_SURROGATE MAP \
  MILLISECONDS MISSING_ELEMENT MISSING_KEY MULTIPLE NANOSECONDS NATIVE NOT_AN_INTEGER \
  NULL_ELEMENTS NULL_TERMINATED NULL_TEXTS NUMBER_OUT_OF_RANGE NUMBER_OVERFLOW OK OPTIONAL OPTIONS_INIT OUT_OF_MEMORY \
  POINTER PRESENCE PRESENCE_AT_ZERO RAW RECORD RECORDS RECORD_POINTER RELAX_BYTE_ORDER_MARK \
  RELAX_COMMENTS RELAX_LONE_SURROGATES RELAX_NON_FINITE_NUMBERS RELAX_TRAILING_COMMAS REST SECONDS \
  STATE STRING TABLE TAG TEXT TIME TOO_DEEP TOO_LARGE TRAILING_BYTES TYPE_MISMATCH UINT16 UINT32 UINT64 UNION \
  UINT8 UNEXPECTED_BYTE UNEXPECTED_END UNKNOWN_KEY UNSUPPORTED VALUE_ARRAY VALUE_BOOL \
  VALUE_MISSING VALUE_NULL VALUE_NUMBER VALUE_OBJECT VALUE_STRING UUID VERSION_NUMBER \
  WRITER_H ZONELESS
  """.split(separator: " ")
