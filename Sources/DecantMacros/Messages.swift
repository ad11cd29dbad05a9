// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The messages of the compiler that the plugin reads and writes: version 7 of the protocol, as the compiler of Swift 6.3
// speaks it. Later compilers serve plugins of this version.

/// A message of the compiler.
struct Request: Decodable {
  struct Empty: Decodable {}

  struct Location: Decodable {
    var fileName: String
    var line: Int
    var offset: Int
  }

  struct Syntax: Decodable {
    var kind: String?
    var source: String
    var location: Location?
  }

  struct Attached: Decodable {
    struct Macro: Decodable { var typeName: String }
    var macro: Macro
    var macroRole: String
    var attributeSyntax: Syntax
    var declSyntax: Syntax
    var extendedTypeSyntax: Syntax?
    var conformanceListSyntax: Syntax?
    var lexicalContext: [Syntax]?
  }

  var getCapability: Empty?
  var expandAttachedMacro: Attached?
}

/// The plugin's answer.
struct Response: Encodable {
  struct Capability: Encodable {
    struct Version: Encodable {
      var protocolVersion: Int
      var features: [String]
    }
    var capability: Version
  }

  struct Position: Encodable {
    var fileName: String
    var offset: Int
  }

  struct Range: Encodable {
    var fileName: String
    var startOffset: Int
    var endOffset: Int
  }

  struct Change: Encodable {
    var range: Range
    var newText: String
  }

  struct FixIt: Encodable {
    var message: String
    var changes: [Change]
  }

  struct Note: Encodable {}

  struct Diagnostic: Encodable {
    var message: String
    var severity: String
    var position: Position
    var highlights: [Range] = []
    var notes: [Note] = []
    var fixIts: [FixIt]
  }

  struct Expanded: Encodable {
    var expandedSource: String?
    var diagnostics: [Diagnostic]
  }

  var getCapabilityResult: Capability?
  var expandMacroResult: Expanded?
}
