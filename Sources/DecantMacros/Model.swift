// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The model that a declaration describes, with its JSON.

/// A declaration with a macro: a struct, a class or an enum.
struct Model {
  enum Kind { case structure, enumeration, finalClass }

  var kind = Kind.structure
  var name = ""
  /// Where its name begins in the source.
  var offset = 0
  /// `public `, `package ` or nothing.
  var access = ""
  /// Whether it is `private` or `fileprivate`.
  var isPrivate = false
  /// `@JSONModel` and the like, in their order.
  var attributes: [Attribute] = []
  /// The first paragraph of what documents it.
  var comment = ""
  /// The names of generic parameters.
  var parameters: [String] = []
  /// The inherited types after the name: protocols, or an enum's raw type.
  var inherited: [String] = []
  var members: [Member] = []
  var cases: [Case] = []
  /// Whether the declaration has a function `validate`.
  var validates = false
  /// Whether the compiler makes an initializer that takes each property: not beside one in the declaration, and it
  /// gives those of a pattern no defaults.
  var hasMemberwise = true

  var plainName: String { name.filter { $0 != "`" } }

  /// A property that is stored or a view for C, or those that a condition of compilation has.
  indirect enum Member {
    case property(Property)
    /// `#if`, `#elseif` and `#else` with their conditions as they are spelled; `#endif` follows the last.
    case conditional([(directive: String, members: [Member])])
  }
}

/// A stored property, or a computed one with `@CField`.
struct Property {
  /// As it is spelled, with backticks if it has any.
  var name: String
  /// The type as it is spelled, or nil if it is inferred.
  var type: String?
  /// The value as it is spelled.
  var value: String?
  var isLet = false
  /// `@JSONField(…)` and the like, in their order.
  var attributes: [Attribute] = []
  /// Where its name begins in the source.
  var offset: Int
  /// The place where its declaration begins: its attributes, or its modifiers.
  var start = 0
  var isComputed = false
  /// The first paragraph of what documents it.
  var comment = ""

  var hasValue: Bool { value != nil }

  /// The name without backticks.
  var plainName: String { name.filter { $0 != "`" } }

  /// The name as an argument's label. Of the keywords, `inout` alone needs backticks there.
  var label: String {
    let isWord = plainName.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
    return isWord && plainName != "inout" ? plainName : name
  }
}

/// A case of an enum.
struct Case {
  /// An associated value.
  struct Value {
    var label: String?
    var type: String
    /// The default as it is spelled.
    var fallback: String?
  }

  /// As it is spelled, with backticks if it has any.
  var name: String
  var values: [Value] = []
  var attributes: [Attribute] = []
  var offset: Int

  var plainName: String { name.filter { $0 != "`" } }
}

/// `@Name(label: value, …)`.
struct Attribute {
  var name: String
  var arguments: [(label: String?, value: String, range: Range<Int>)] = []
  /// Where it begins and ends in the source.
  var range: Range<Int>

  func value(_ label: String) -> String? { arguments.first { $0.label == label }?.value }
  /// The place of an argument's value in the source.
  func range(of value: String) -> Range<Int>? { arguments.first { $0.value == value }?.range }
  var unlabeled: [String] { arguments.filter { $0.label == nil }.map(\.value) }
}

/// A message that the compiler shows at a place of the source.
struct Diagnostic: Error {
  var message: String
  /// Bytes from the beginning of the declaration's source.
  var offset: Int
  var isWarning = false
  /// A mend: what it says, which bytes it replaces, and by what.
  var fix: (message: String, range: Range<Int>, text: String)?
}
