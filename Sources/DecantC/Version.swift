// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

public import CDecant

// SAFETY: the bytes of a StaticString end with NUL and live as long as the program.
private func text(_ string: StaticString) -> UnsafePointer<CChar> {
  unsafe UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation
public func decant_version() -> UnsafePointer<CChar>! { unsafe text("0.1.0") }

@c @implementation
public func decant_version_number() -> Int32 { Int32(DECANT_VERSION_NUMBER) }

@c @implementation
public func decant_status_name(_ status: decant_status) -> UnsafePointer<CChar>! {
  let name: StaticString =
    switch Int(status) {
    case DECANT_OK: "ok"
    case DECANT_UNEXPECTED_BYTE: "unexpected byte"
    case DECANT_UNEXPECTED_END: "unexpected end"
    case DECANT_INVALID_LITERAL: "invalid literal"
    case DECANT_INVALID_NUMBER: "invalid number"
    case DECANT_CONTROL_CHARACTER: "control character"
    case DECANT_INVALID_ESCAPE: "invalid escape"
    case DECANT_LONE_SURROGATE: "lone surrogate"
    case DECANT_INVALID_UTF8: "invalid UTF-8"
    case DECANT_TRAILING_BYTES: "trailing bytes"
    case DECANT_BYTE_ORDER_MARK: "byte order mark"
    case DECANT_NUMBER_OVERFLOW: "number overflow"
    case DECANT_TYPE_MISMATCH: "type mismatch"
    case DECANT_MISSING_KEY: "missing key"
    case DECANT_NUMBER_OUT_OF_RANGE: "number out of range"
    case DECANT_NOT_AN_INTEGER: "not an integer"
    case DECANT_INVALID_VALUE: "invalid value"
    case DECANT_CUSTOM: "custom"
    case DECANT_DUPLICATE_KEY: "duplicate key"
    case DECANT_MISSING_ELEMENT: "missing element"
    case DECANT_MULTIPLE: "multiple"
    case DECANT_TOO_DEEP: "too deep"
    case DECANT_TOO_LARGE: "too large"
    case DECANT_EMPTY_INPUT: "empty input"
    case DECANT_INVALID_POINTER: "invalid pointer"
    case DECANT_UNSUPPORTED: "unsupported"
    case DECANT_INVALID_ARGUMENT: "invalid argument"
    case DECANT_INVALID_RECORD: "invalid record"
    case DECANT_OUT_OF_MEMORY: "out of memory"
    default: "unknown status"
    }
  return unsafe text(name)
}
