// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Writing streams of lines: the opposite of JSONLines.

public import DecantCodable
public import DecantCore

/// Writes values as newline-delimited JSON: each on a line of its own.
///
///     var writer = JSONLinesWriter()
///     for event in events { try writer.write(event) }
///     send(writer.output)
///
/// The output can be any collection of bytes that supports appending. You may take the bytes out and empty it between
/// lines.
public struct JSONLinesWriter<Output: RangeReplaceableCollection<UInt8>> {
  /// The lines.
  public var output: Output
  private let options: JSONWritingOptions
  private let encoder: DecantEncoder

  /// A writer that appends to `output`.
  ///
  /// - Parameters:
  ///   - output: The initial contents; lines are appended.
  ///   - options: For values that write themselves.
  ///   - encoder: For `Encodable` values.
  ///
  /// Options for several lines a document are ignored: each document is on one line.
  public init(
    appendingTo output: Output = [UInt8](), options: JSONWritingOptions = JSONWritingOptions(),
    encoder: DecantEncoder = DecantEncoder()
  ) {
    self.output = output
    self.options = options
    self.encoder = encoder
  }

  /// Writes a value that writes itself.
  ///
  /// - Throws: `JSONWritingError`; then nothing is written.
  public mutating func write(_ value: some JSONWritable) throws(JSONWritingError) {
    add(try value.checkedJSONBytes(options))
  }

  /// Writes an `Encodable` value.
  ///
  /// - Throws: As `DecantEncoder.encode(_:)`; then nothing is written.
  @_disfavoredOverload
  public mutating func write(_ value: some Encodable) throws {
    add(try encoder.encode(value) as [UInt8])
  }

  /// Appends a text and a line feed. Line feeds in a text are white space: those of strings are escaped.
  private mutating func add(_ text: [UInt8]) {
    let feed = UInt8(ascii: "\n")
    if text.contains(feed) {
      for byte in text where byte != feed { output.append(byte) }
    } else {
      output.append(contentsOf: text)
    }
    output.append(feed)
  }
}
