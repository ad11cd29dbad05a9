// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A model's table as a description.

#if !hasFeature(Embedded)

  internal import CDecant
  public import DecantCore

  extension CTable {
    /// The description of the table: names and kinds as a document, which `ColumnSchema` of DecantColumns and `decant_schema_parse` read.
    ///
    ///     try CTable(User.self).schemaText()
    ///     // {"fields":[{"key":"id","kind":"int64"},{"key":"email","kind":"string","optional":true}]}
    ///
    /// - Throws: `DecodeError` with the code `invalidArgument`, if the struct refers to structs of its own type, which no
    ///   columns can have.
    public func schemaText() throws(DecodeError) -> String {
      guard let record = unsafe record else { throw .outOfMemory }
      var error = decant_error.empty
      var length = 0
      // SAFETY: nothing is written without a buffer, and no more than its bytes with one.
      var status = unsafe decant_record_describe(record, nil, 0, &length, &error)
      var text: [UInt8] = []
      if status == ok {
        text = [UInt8](repeating: 0, count: length + 1)
        status = unsafe text.withUnsafeMutableBytes {
          unsafe decant_record_describe(
            record, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, &length, &error)
        }
      }
      if status != ok {
        throw .invalidArgument(
          error.read { unsafe String(decoding: $0.text(.message).buffer, as: UTF8.self) })
      }
      return String(decoding: text.prefix(length), as: UTF8.self)
    }
  }

#endif
