// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The JSON form of an error in C. `details` has an object a line, one for each error; several become one
// object here.

public import CDecant
internal import DecantCore

@c @implementation
public func decant_error_json(
  _ error: UnsafePointer<decant_error>!, _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int
) -> Int {
  // SAFETY: the caller's promise: `capacity` bytes from `buffer`.
  let room = unsafe UnsafeMutableRawBufferPointer(
    start: buffer, count: buffer == nil ? 0 : max(capacity, 0))
  var text = unsafe ErrorSink(room)
  // SAFETY: the caller's promise: a decant_error of the size that it begins with.
  if let error = unsafe error, unsafe error.pointee.size >= MemoryLayout<decant_error>.size {
    unsafe write(error, to: &text)
  } else {
    text.add("{}")
  }
  return text.length
}

@unsafe
private func write(_ error: UnsafePointer<decant_error>, to text: inout ErrorSink) {
  let count = Int(unsafe error.pointee.error_count)
  let details = unsafe CText(error, at: detailsOffset)
  var lines = 0
  var scalars = details.scalars
  while let scalar = scalars.next() { if lines == 0 || scalar == "\n" { lines += 1 } }
  if lines == 1, count <= 1 { return details.write(to: &text) }
  let code = DecodeError.Code(rawValue: unsafe error.pointee.code)
  if lines == 0 {
    // Not even the first error had room.
    text.open(code)
    unsafe text.add(member: "path", CText(error, at: pathOffset))
    if unsafe error.pointee.offset >= 0 {
      unsafe text.add(
        member: "location",
        DecodeError.Location(
          offset: Int(clamping: error.pointee.offset), line: Int(clamping: error.pointee.line),
          column: Int(clamping: error.pointee.column)))
    }
    unsafe text.add(member: "message", CText(error, at: messageOffset))
    if count > 1 { text.add(member: "omitted", count - 1) }
    return text.add("}")
  }
  text.openErrors(code, count: count)
  scalars = details.scalars
  while let scalar = scalars.next() { text.add(scalar == "\n" ? "," : scalar) }
  text.closeErrors(omitted: count - lines)
}

extension CText {
  /// A member of the caller's struct.
  @unsafe
  fileprivate init(_ error: UnsafePointer<decant_error>, at offset: Int) {
    unsafe self.init((UnsafeRawPointer(error) + offset).assumingMemoryBound(to: CChar.self))
  }
}
