// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Overrides of what has types of Foundation: DecantJSONDecoder and DecantJSONEncoder have them, as Foundation's do.

import Foundation

class LoggingDecoder: JSONDecoder, @unchecked Sendable {
  override func decode<T>(_ type: T.Type, from data: Data) throws -> T where T: Decodable {
    try super.decode(type, from: data)
  }
  override var dateDecodingStrategy: DateDecodingStrategy {
    get { .iso8601 }
    set {}
  }
  override var dataDecodingStrategy: DataDecodingStrategy { didSet {} }
}

class LoggingEncoder: JSONEncoder, @unchecked Sendable {
  override init() {
    super.init()
    dateEncodingStrategy = .iso8601
  }
  override func encode<T>(_ value: T) throws -> Data where T: Encodable { try super.encode(value) }
  override var dateEncodingStrategy: DateEncodingStrategy { didSet {} }
  override var dataEncodingStrategy: DataEncodingStrategy { didSet {} }
}
