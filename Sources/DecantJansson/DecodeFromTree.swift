// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The bridge into programs that use libjansson: decoding from a tree the host already has, without
// copying it. The host keeps its reference; a `JSONValue` over the tree takes one of its own.

internal import CDecantIndex
public import CJansson
public import DecantCore

extension JSONDecodable {
  /// Decodes a model from libjansson's tree, which is borrowed for the call.
  ///
  ///     let user = User.decode(jansson: json_object_get(root, "user"))
  ///
  /// A null pointer is an error with the code `DecodeError.Code.invalidArgument`. Strings that a program made without
  /// libjansson's check, by `json_string_nocheck`, must still be UTF-8.
  public static func decode(
    jansson tree: UnsafePointer<json_t>?, options: DecodingOptions = DecodingOptions()
  ) -> Decoded<Self> {
    guard let tree = unsafe tree else {
      return .failure(.invalidArgument("no tree: a null pointer"))
    }
    // SAFETY: the host keeps the tree for the call.
    let root = unsafe Tree.node(of: UnsafeMutablePointer(mutating: tree))
    return unsafe answering(from: root, options.overTree, Self.decode)
  }
}

extension JSONValue {
  /// A value over libjansson's tree. It retains the tree. The host must not change the tree while the value lives.
  public init?(
    jansson tree: UnsafeMutablePointer<json_t>?, options: DecodingOptions = DecodingOptions()
  ) {
    guard let tree = unsafe tree else { return nil }
    unsafe json_incref(tree)
    unsafe self.init(adopting: Document(adopting: Tree.node(of: tree), options.overTree))
  }
}

extension DecodingOptions {
  /// The same, with the engine that a tree of libjansson needs.
  fileprivate var overTree: DecodingOptions {
    var options = self
    options.engine = .jansson
    return options
  }
}
