// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

@_exported import DecantCodable
@_exported import DecantFoundation

public typealias JSONDecoder = DecantDecoder
public typealias JSONEncoder = DecantEncoder
