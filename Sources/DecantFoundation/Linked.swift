// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Conformances that only casts find, such as the one by which a URL is a string in a Codable model. From a static archive
// a linker takes the objects that others refer to, and a cast refers to none. So each file with something that programs
// call has a function that refers to `linked()`. Nothing calls these functions, and linkers may drop them again.
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
