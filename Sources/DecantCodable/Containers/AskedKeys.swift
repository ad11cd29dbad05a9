// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The keys that a model has looked up in its containers, so that other members can be rejected.
//
//   struct Order: Decodable { id, then a nested container of "customer": name }
//
//   frame Order    /            id, customer
//                  /customer    name
//
// A frame is one `init(from:)`. When it returns, every object with a container is checked: a member is unknown if no
// container has looked it up. So several containers over one object, as of a class and its superclass, share their keys. A
// model in a single value container has its own frame, so that it can be one of several alternatives. If a model throws,
// its keys are dropped.
//
// Every look-up counts, and so does `allKeys` for the keys that it returns. Objects without a container are not checked:
// dictionaries with string keys, and models that read nothing.

internal import CDecantIndex
internal import DecantCore

/// The looked-up keys of all models that are being decoded.
final class AskedKeys {
  /// An object that a container was opened over.
  struct Object {
    let node: UInt64
    /// In the order of the look-ups. A key may occur several times.
    fileprivate(set) var names: [String] = []

    fileprivate mutating func add(_ name: String) {
      if let last = names.last, areSame(last, name) { return }
      names.append(name)
    }

    /// Whether each of these keys was looked up. Models mostly look up keys in the order of the document.
    fileprivate func hasAll(of json: JSON, _ convert: ((String) -> String)?) -> Bool {
      var place = 0
      var members = ChildCursor(json)
      while members.next(in: json) != nil {
        let key = members.key(in: json)
        let name = convert?(key) ?? key
        while place < names.count, !areSame(names[place], name) { place += 1 }
        if place == names.count { return false }
        place += 1
      }
      return true
    }
  }

  /// For each `init(from:)`, the objects of its look-ups, in order. An object may occur several times.
  @exclusivity(unchecked) @safe private var frames: [[Object]] = []

  func begin() { frames.append([]) }

  /// Ends the last frame. Returns its objects, with their looked-up keys.
  func end() -> [Object] {
    let objects = frames.removeLast()
    if objects.count < 2 { return objects }
    var (merged, places) = ([Object](), [UInt64: Int]())
    for object in objects {
      if let place = places[object.node] {
        merged[place].names += object.names
      } else {
        places[object.node] = merged.count
        merged.append(object)
      }
    }
    return merged
  }

  /// A container was opened over an object. Containers that outlive the call are in no frame.
  func open(_ node: UInt64) {
    guard let frame = frames.indices.last, frames[frame].last?.node != node else { return }
    frames[frame].append(Object(node: node))
  }

  func ask(_ name: String, of node: UInt64) {
    open(node)
    guard let frame = frames.indices.last else { return }
    frames[frame][frames[frame].count - 1].add(name)
  }
}

extension ValueDecoder {
  /// Decodes this decoder's value by the type's `init(from:)`. If the decoder rejects unknown members, refuses those that
  /// were not looked up.
  func checkedModel<Model: Decodable>(_ type: Model.Type = Model.self) throws -> Model {
    guard let asked = context.askedKeys else { return try model(type) }
    asked.begin()
    let made: Model
    do { made = try model(type) } catch {
      _ = asked.end()
      throw error
    }
    guard let error = unknownMembers(asked.end()) else { return made }
    // A decoder of a view has errors in flight.
    throw context.makesDecodeErrors ? error : failure(error, of: type)
  }

  private func unknownMembers(_ objects: [AskedKeys.Object]) -> DecodeError? {
    var errors: DecodeError?
    for object in objects {
      guard let error = unknownMembers(object) else { continue }
      errors = errors.map { .combining($0, error) } ?? error
    }
    return errors
  }

  private func unknownMembers(_ object: AskedKeys.Object) -> DecodeError? {
    // Another engine's errors tell their path in the caller's view alone.
    let json = (context.makesDecodeErrors ? document.whole : document).view(object.node)
    let keys = context.keys
    let convert = keys.isDefault ? nil : keys.conversion(below: codingPath)
    if object.hasAll(of: json, convert) { return nil }
    // Errors show names as documents spell them, if that is known.
    let isSnake = if case .convertFromSnakeCase = keys { true } else { false }
    var asked = Set<String>()
    let names = object.names.filter { asked.insert(distinct($0)).inserted }
    let known = DecodeError.KnownNames(
      names: isSnake ? names.map { DecantEncoder.KeyEncodingStrategy.snakeCased($0) } : names)
    var errors = ErrorList(in: json)
    var members = ChildCursor(json)
    while let member = members.next(in: json) {
      let name = members.key(in: json)
      if asked.contains(distinct(convert?(name) ?? name)) { continue }
      let child = JSON(member, within: json)
      errors.add(child.unknownKey(among: known), at: child, step: .key(name))
    }
    return errors.failure
  }
}

/// Decodes by `init(from:)`, where members that a model does not ask for are refused.
final class CheckingDecoder<Model: Decodable>: TypeDecoder<Model> {
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> Model {
    try decoder.withChild(node, in: container, at: index) { child in
      if !decant_stack_has_room() { throw child.stackIsFull() }
      return try child.checkedModel()
    }
  }

  // SAFETY: the caller has memory for a model.
  override func decode(into buffer: UnsafeMutableRawPointer, _ decoder: ValueDecoder) throws {
    if !decant_stack_has_room() { throw decoder.stackIsFull() }
    unsafe buffer.initializeMemory(as: Model.self, to: try decoder.checkedModel())
  }
}
