// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Structs of C by declaration. The macros are expanded by DecantMacros, the compiler's plugin.

#if !hasFeature(Embedded)

  /// Makes a struct, a final class, or an enum with a tag a ``CModel``, with its functions for C. The struct, its table and its
  /// header follow from the one declaration, with the attributes that `@JSONModel` reads.
  ///
  ///     /// A user.
  ///     @CStruct("user") @JSONModel(keys: .snakeCase)
  ///     public struct User {
  ///       public let id: Int
  ///       public let name: String
  ///       /// absent and null are the same
  ///       public let email: String?
  ///     }
  ///
  ///     struct decant_user { int64_t id; const char *name; size_t name_length; … void *storage; };
  ///     decode_user(), user_free(), encode_user(), decode_user_lines()
  ///
  /// Members have the names of the properties in snake case, and their documentation as comments in the header. An enum with
  /// `@JSONModel(tag: "type")` is a tag and a union of its cases' structs. The functions
  /// need a type at file scope; in Swift they are called `decode_User` and so on. `User.cTable` is the ``CTable``:
  /// `ColumnSchema(User.self)` and `User.cTable.schemaText()` follow from the same declaration.
  ///
  /// - Parameters:
  ///   - name: The name in functions: `user` for `decode_user` and `user_free`.
  ///   - prefix: What types begin with: `struct decant_user`.
  ///   - isPart: Whether the struct occurs only inside others: it has no functions, and no member `storage`.
  ///   - array: The plural, for documents that are an array: `users` for `decode_users`, `users_free` and `encode_users`.
  ///   - lines: Whether there is a function `decode_user_lines`, for newline-delimited JSON.
  ///   - encodes: Whether there is a function `encode_user`.
  @attached(extension, conformances: CModel, names: named(layout(_:)), named(cTable))
  @attached(
    peer,
    names: prefixed(decode_), suffixed(_free), prefixed(encode_), prefixed(decodeLines_),
    prefixed(decodeArray_), suffixed(_freeArray), prefixed(encodeArray_))
  public macro CStruct(
    _ name: String, prefix: String = "decant", isPart: Bool = false, array: String? = nil,
    lines: Bool = true, encodes: Bool = true
  ) = #externalMacro(module: "DecantMacros", type: "CStruct")

  /// Names a member of a ``CStruct(_:prefix:isPart:array:lines:encodes:)``, and its companion. A computed property with it
  /// becomes a member: another view of a property that C cannot express. `@JSONField` names its key in JSON.
  ///
  ///     @CIgnored let createdAt: Date
  ///     @CField @JSONField("created_at") var createdAtSeconds: Double { createdAt.timeIntervalSince1970 }
  ///
  /// - Parameters:
  ///   - name: The member's name; by default that of the property, in snake case.
  ///   - companion: The name of the length, or of the flag that there is a value; by default `email_length`, `has_age`.
  @attached(peer)
  public macro CField(_ name: String? = nil, companion: String? = nil) =
    #externalMacro(module: "DecantMacros", type: "CField")

  /// Leaves a property out of a ``CStruct(_:prefix:isPart:array:lines:encodes:)``.
  @attached(peer)
  public macro CIgnored() = #externalMacro(module: "DecantMacros", type: "CIgnored")

#endif
