// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values that a model keeps of a borrowed document. Each is a copy of its part, so that a small value does not
// retain a large document. Parts can be inside one another:
//
//   {"id":1,"next":{"id":2,"next":{"id":3}}}    a nested model that keeps each part's JSON
//   39                     23             8      bytes of its values
//
// Copies of the parts alone would take memory quadratic in the depth. So the document counts the copied bytes; beyond four
// times its own bytes, values share one copy of the whole. The copy of a native document has the same nodes. The copy of
// another engine's tree is its text: a value is found in it by its path.

internal import CDecantIndex

extension JSONValue {
  /// A copy of a view whose document is only borrowed, which is read as the document was. Its size was checked there.
  ///
  /// - Complexity: for all the values of a native document together, linear in the document.
  @inline(never)
  init(copying json: JSON) throws(DecodeError) {
    var options = DecodingOptions.unlimited
    let limits = options.rules
    let whole = json.reference.whole
    options.rules = whole.rules
    options.rules.maximum_depth = limits.maximum_depth
    options.rules.maximum_bytes = limits.maximum_bytes
    if whole.hasCopiedMuch, let shared = JSONValue(sharing: json, of: whole, options) {
      self = shared
      return
    }
    let bytes = json.bytes
    whole.addCopied(bytes.count)
    try self.init(parsing: bytes, options: options)
  }

  /// The value in the copy of the whole document; nil if it cannot be found there.
  private init?(sharing json: JSON, of whole: ContextRef, _ options: DecodingOptions) {
    if json.isNative {
      guard let document = Document.keeping(whole, options) else { return nil }
      self.init(document, json.node)
      return
    }
    guard let document = Document.rewriting(whole, options),
      let node = json.node(inCopy: document.reference.root, of: whole)
    else { return nil }
    self.init(document, node)
  }
}

extension JSON {
  /// The node in a native copy of another engine's tree; nil if the value is in several places.
  ///
  /// - Complexity: expected linear in the length of the path.
  fileprivate func node(inCopy copy: JSON, of whole: ContextRef) -> UInt64? {
    var steps: [decant_parent] = []
    var node = node
    while node != whole.root.node {
      var parent = decant_parent()
      // SAFETY: the view's context outlives it.
      guard unsafe decant_parent_of(context, node, &parent) else { return nil }
      steps.append(parent)
      node = parent.node
    }
    var view = copy
    for step in steps.reversed() {
      // SAFETY: the engine keeps the key's bytes as long as the document.
      let next =
        if let key = unsafe step.key {
          unsafe view.member(key, step.key_length)
        } else {
          view.element(Int(step.position))
        }
      if next == DECANT_NODE_NONE { return nil }
      view = JSON(next, within: copy)
    }
    return view.node
  }
}
