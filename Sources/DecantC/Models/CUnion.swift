// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An enum that a tag tells, as C has it: the tag, and a union of the structs that its cases have.
//
//   enum Message { case order(Order), ping }      struct decant_message {
//                                                   int32_t type;
//   {"type":"order","id":7}                         union { struct decant_order order; } of;
//   {"type":"ping"}                                 void *storage;
//                                                 };

#if !hasFeature(Embedded)

  /// A case of a union: its name in C, its names in JSON, and its value in a model.
  public struct CCase<Model, Part: CModel> {
    @usableFromInline
    let name: String
    @usableFromInline
    let keys: [String]
    @usableFromInline
    let part: (Model) -> Part?

    /// A case.
    ///
    /// - Parameters:
    ///   - name: Its name in C: the member's name, and the end of the constant, as in `DECANT_MESSAGE_ORDER`.
    ///   - keys: The tags in JSON, the first of which is written; by default the name.
    ///   - part: The case's value, or nil for a model that is another case; ``CNothing`` where the case has none.
    @inlinable
    public init(_ name: String, _ keys: String..., part: @escaping (Model) -> Part?) {
      self.name = name
      self.keys = keys.isEmpty ? [name] : keys
      self.part = part
    }

    @usableFromInline
    var outline: CCaseOutline {
      CCaseOutline(name: name, keys: keys, model: Part.self == CNothing.self ? nil : Part.self)
    }
  }

  /// The value of a case that has none.
  public struct CNothing: CModel {
    /// Nothing.
    @inlinable
    public init() {}

    /// No members.
    public static func layout(_ c: inout CLayout<CNothing>) { c.structure("", "", isPart: true) }
  }

  /// A case as a header describes it.
  @usableFromInline
  package struct CCaseOutline {
    package let name: String
    let keys: [String]
    /// Nil for a case without members.
    package let model: (any CModel.Type)?

    @usableFromInline
    init(name: String, keys: [String], model: (any CModel.Type)?) {
      self.name = name
      self.keys = keys
      self.model = model
    }
  }

  extension CLayout {
    /// One of several structs, selected by a tag: a constant for the case of the model, and a union of the structs.
    ///
    ///     c.union("of", tag: "type",
    ///       CCase("order") { message -> Order? in if case .order(let order) = message { return order }; return nil })
    ///
    /// - Parameters:
    ///   - name: The name of the union.
    ///   - tag: The name of the tag, an `int32_t`.
    ///   - key: The key of the tag in JSON; by default the tag's name.
    ///   - cases: The cases, whose constants are counted from 0. A model is one of them.
    @inlinable
    public mutating func union<each Part: CModel>(
      _ name: String, tag: String, key: String? = nil, _ cases: repeat CCase<Model, each Part>
    ) {
      let start = extent.add(Int32._cExtent)
      var whole = _CExtent(size: 0, alignment: 1)
      for part in repeat (each Part)._cExtent {
        whole.size = max(whole.size, part.size)
        whole.alignment = max(whole.alignment, part.alignment)
      }
      whole.size = aligned(whole.size, to: whole.alignment)
      let offset = extent.add(whole)
      if let model = unsafe model {
        var constant: Int32 = 0
        for item in repeat each cases {
          if let part = unsafe item.part(model.pointee) {
            place?.advanced(by: start).store(constant)
            part._store(at: place?.advanced(by: offset), &block)
          }
          constant += 1
        }
      } else if let description {
        var outlines: [CCaseOutline] = []
        for item in repeat each cases { outlines.append(item.outline) }
        description.addUnion(name, tag, at: start, key: key ?? tag, outlines, whole)
      }
    }
  }

#endif
