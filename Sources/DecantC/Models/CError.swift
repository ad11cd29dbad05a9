// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)

  public import CDecant
  public import DecantCore

  /// Writes an error into the caller's struct, if there is one and it is of a size we know, and answers
  /// with its code.
  @unsafe
  public func report(_ failure: DecodeError, to error: UnsafeMutablePointer<decant_error>?)
    -> decant_status
  {
    let code = failure.code.rawValue
    // SAFETY: the caller's promise: a decant_error of the size that it begins with.
    guard let error = unsafe error, unsafe error.pointee.size >= MemoryLayout<decant_error>.size
    else {
      return code
    }
    unsafe error.pointee.code = code
    unsafe error.pointee.error_count =
      Int32(clamping: max(1, failure.underlying.count + failure.omittedCount))
    unsafe error.pointee.offset = Int64(failure.location?.offset ?? -1)
    unsafe error.pointee.line = Int64(failure.location?.line ?? 0)
    unsafe error.pointee.column = Int64(failure.location?.column ?? 0)
    unsafe copy(failure.path.text, to: &error.pointee.path)
    unsafe copy(failure.description, to: &error.pointee.message)
    unsafe copy(details(of: failure, room: 2048), to: &error.pointee.details)
    return code
  }

  /// A line of JSON an error, as many of them as fit.
  private func details(of failure: DecodeError, room: Int) -> String {
    var text = ""
    for part in failure.underlying.isEmpty ? [failure] : failure.underlying {
      let line = part.jsonText
      if text.utf8.count + line.utf8.count + 2 > room { break }
      text += (text.utf8.isEmpty ? "" : "\n") + line
    }
    return text
  }

  /// Copies as many whole characters as fit, with a NUL byte after them.
  private func copy<Field>(_ text: String, to field: inout Field) {
    // SAFETY: `Field` is a C array of char, imported as a tuple; nothing is written past it.
    unsafe withUnsafeMutableBytes(of: &field) { room in
      var used = 0
      for scalar in text.unicodeScalars {
        let bytes = UTF8.encode(scalar).map { Array($0) } ?? []
        if used + bytes.count >= room.count { break }
        for byte in bytes {
          unsafe room[used] = byte
          used += 1
        }
      }
      unsafe room[used] = 0
    }
  }

#endif
