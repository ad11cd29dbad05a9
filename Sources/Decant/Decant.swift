// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The umbrella: one import for the value layer, the pipeline, the operators, `Codable` and both
// engines.

@_exported public import DecantCodable
@_exported public import DecantCore
@_exported public import DecantOperators

#if Jansson
  @_exported public import DecantJansson
#endif
