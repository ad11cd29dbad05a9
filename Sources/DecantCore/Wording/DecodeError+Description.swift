// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The error's text, the same in Swift and in C.
//
//   users.json:2:4: /1/user_name: the key is missing; is "userName" a misspelling of it?      a line an error
//     {"id": 2, "userName": "Ann"}                                          where the engine knows it:
//     ^                                                                       the source, and a mark
//     the object has "id", "userName"                                       notes
//
// Errors about one place that follow one another share the lines below. Input that is quoted is escaped,
// cut, and valid UTF-8; with `redactsInput` nothing is quoted.

extension DecodeError: CustomStringConvertible {
  /// One line for each error, `[source:][line:column: ][path: ]what`. If the engine knows the place, the source line
  /// follows, with a mark under it.
  public var description: String {
    written { write(to: &$0) }
  }

  /// Writes ``description``.
  package func write(to text: inout ErrorSink) {
    let parts = list == nil ? [self] : underlying
    var note: String?
    var next: Resolution?
    for (place, part) in parts.enumerated() {
      let resolution = next ?? part.resolution(.description)
      next = place + 1 < parts.count ? parts[place + 1].resolution(.description) : nil
      text.beginError()
      text.addPlace(source: resolution.sourceName, location: resolution.location) {
        resolution.writePath(to: &$0)
      }
      KeptFacts(storage: part.storage, resolution: resolution).writeAll(to: &text)
      text.endErrorLine()
      note = resolution.note ?? note
      // Another document may have the same place.
      if let location = resolution.location, location == next?.location,
        resolution.excerpt == next?.excerpt
      {
        continue
      }
      if let excerpt = resolution.excerpt {
        text.add("\n")
        text.add(excerpt)
      }
      if let note {
        text.add("\n  ")
        text.add(note)
      }
      note = nil
    }
    if omittedCount > 0 { text.addOmitted(omittedCount) }
  }

  /// What is wrong, without the place.
  public var message: String {
    if list != nil { return "\(count) errors" }
    let storage = storage
    // A message of the model's own needs nothing of the document.
    let resolution = storage.message == nil ? resolution(.text) : resolution([])
    return written { KeptFacts(storage: storage, resolution: resolution).writeAll(to: &$0) }
  }
}

/// The facts of an error whose document may be gone.
struct KeptFacts: ErrorFacts {
  let storage: DecodeError.Storage
  let resolution: DecodeError.Resolution

  var code: DecodeError.Code { storage.code }
  var redacts: Bool { resolution.redacts }
  var isAboutKey: Bool { storage.isAboutKey }
  var otherLocation: DecodeError.Location? { resolution.otherLocation }

  /// The message, by the code for any facts.
  fileprivate func writeAll(to sink: inout ErrorSink) { writeMessage(to: &sink) }

  func has(_ part: ErrorPart) -> Bool {
    if case .remark = part { return storage.remark != nil }
    return text(part) != nil
  }

  func write(_ part: ErrorPart, to sink: inout ErrorSink) {
    guard let text = text(part) else { return }
    #if !hasFeature(Embedded)
      if case .expected = part, sink.saysRanges, let range = Expectation.range(ofType: text) {
        return sink.add(range)
      }
    #endif
    sink.add(text)
  }

  private func text(_ part: ErrorPart) -> String? {
    switch part {
    case .message: storage.message ?? resolution.message
    case .expected: storage.expectation
    case .found: resolution.found
    case .bareFound: resolution.found.map { bare($0) }
    case .remark: storage.remark.map { $0() }
    case .key: resolution.key
    case .nearKey: resolution.nearKey
    case .accepted: resolution.accepted
    }
  }

  private func bare(_ found: String) -> String {
    let prefix = "the number "
    return found.hasPrefix(prefix) ? String(found.dropFirst(prefix.count)) : found
  }
}
