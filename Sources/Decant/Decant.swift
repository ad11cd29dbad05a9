// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The umbrella: one import for the value layer, the decoding verbs, the operators, `Codable`, streams of lines, the
// words of other libraries, and both engines.

@_exported public import DecantCodable
@_exported public import DecantCore
@_exported public import DecantLines
@_exported public import DecantOperators
@_exported public import DecantVocabulary

#if Jansson
  @_exported public import DecantJansson
#endif
