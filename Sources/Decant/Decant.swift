// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The umbrella: one import for the value layer, the decoding verbs, the operators, `Codable` and the macros.

@_exported public import DecantCodable
@_exported public import DecantCore
@_exported public import DecantOperators
