// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Links conformances that only casts find, such as the one that makes a URL a string in a Codable model. A linker takes
// from a static archive only the objects that others refer to, and a cast refers to none. So each file with a function that
// programs call has another that refers to `linked()`. Nothing calls these functions, and linkers may drop them again.
//
//   main.o  ─► Frameworks.o  ─► Linked.o  ─► Foundation+Codable.o, Foundation+Encoding.o, …

package import DecantCodable
package import DecantCore
package import Foundation

package typealias Linked = (
  decoding: [any StrategyDecodable.Type], encoding: [any StrategyEncodable.Type],
  views: [any JSONDecodable.Type], writing: [any JSONWritable.Type],
  errors: [any LocalizedError.Type], numbers: any DecimalNumbers.Type
)

/// The types with such conformances.
@inline(never)
func linked() -> Linked {
  (
    [Data.self, Date.self, Decimal.self, URL.self, UUID.self],
    [Data.self, Date.self, Decimal.self, URL.self, UUID.self],
    [Data.self, Date.self, Decimal.self, URL.self, UUID.self],
    [Data.self, Date.self, Decimal.self, URL.self, UUID.self],
    [DecodeError.self, JSONWritingError.self], JSONNumber.self
  )
}
