// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

public import Decant
import DecantJansson
public import Testing

/// Tests name engines often.
public typealias Engine = DecodingOptions.Engine

/// Every engine there is, as a test's arguments: one table, run by all.
public let engines: [Engine] = [.native, .jansson]

extension DecodingOptions.Engine: CustomTestStringConvertible {
  public var testDescription: String { name }
}

extension DecodingOptions {
  /// The default options on an engine.
  public static func on(_ engine: Engine) -> DecodingOptions { DecodingOptions(engine: engine) }
}

extension JSONWritingOptions {
  /// A member or element a line.
  public static var pretty: JSONWritingOptions { JSONWritingOptions(isPretty: true) }
}
