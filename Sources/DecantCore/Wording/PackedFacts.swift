// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The facts of errors as bytes: `details` of decant_error. The struct outlives the document and owns no memory, so the
// facts are copied while the document is read. The message is made of them at once, the JSON when it is asked for.
//
//   | header | source | path | expected | found | message | remark | key | near key | header | source | …
//    one error                                                                       the next
//
// A header says where the parts end, and tells an absent part from an empty one. A NUL byte follows the last error; no
// header begins with one.

/// The facts of one error, in a buffer.
@usableFromInline
package struct PackedFacts: ErrorFacts {
  private let header: Header
  /// The header and the parts.
  private let bytes: Bytes

  /// In the order of the parts.
  @usableFromInline
  package enum Part: Int {
    case source, path, expected, found, message, remark, key, nearKey
  }

  /// Without padding, whose bytes would be anything, on processors of 32 bits, too.
  fileprivate struct Header: BitwiseCopyable {
    private var first = Self.firstByte
    let flags: Flags
    /// Bit n: part n is there.
    private let present: UInt16
    let code: Int32
    private let ends: Ends.Words
    let place, otherPlace: Place

    init(
      _ ends: Ends, _ flags: Flags, _ code: Int32, _ location: DecodeError.Location?,
      _ otherLocation: DecodeError.Location?
    ) {
      self.flags = flags
      present = ends.present
      self.code = code
      self.ends = ends.words
      place = Place(location)
      otherPlace = Place(otherLocation)
    }

    /// The header that bytes begin with; nil if they are too few.
    init?(_ bytes: Bytes) {
      guard bytes.count >= Self.size, let start = unsafe bytes.start else { return nil }
      self.init(Ends(), [], 0, nil, nil)
      // SAFETY: as many bytes are there, and any bytes are a header. They are aligned as a text is, and a struct is not
      // always loaded from such a place by loadUnaligned.
      unsafe withUnsafeMutableBytes(of: &self) {
        unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: start, count: Self.size))
      }
    }

    static var firstByte: UInt8 { 1 }
    static var size: Int { MemoryLayout<Header>.size }

    /// The bytes of a part, from the header's beginning on; nil if it is absent.
    @inline(__always)
    func range(_ part: Part) -> Range<Int>? {
      let number = part.rawValue
      if present >> UInt16(number) & 1 == 0 { return nil }
      return (number == 0 ? Self.size : end(number - 1))..<end(number)
    }

    /// Where a part ends, from the header's beginning on.
    @inline(__always)
    private func end(_ number: Int) -> Int {
      let word = number < 4 ? ends.first : ends.last
      return Int(word >> UInt64(16 * (number & 3)) & 0xFFFF)
    }

    /// Bytes of the header and all parts; nil for bytes that were no header.
    var length: Int? {
      var last = Self.size
      for number in 0..<8 {
        if end(number) < last { return nil }
        last = end(number)
      }
      return last
    }
  }

  /// Where the parts of an error end that is being written; of absent ones, where the part before them does.
  @usableFromInline
  package struct Ends {
    /// Eight times 16 bits.
    @usableFromInline typealias Words = (first: UInt64, last: UInt64)

    @usableFromInline var present: UInt16 = 0
    @usableFromInline var words: Words

    @usableFromInline
    init() {
      let all = Self.four(Header.size)
      words = (all, all)
    }

    @_alwaysEmitIntoClient @inline(__always)
    static func four(_ end: Int) -> UInt64 {
      UInt64(UInt16(truncatingIfNeeded: end)) &* 0x0001_0001_0001_0001
    }

    /// A part ends, and so do those after it, until they do.
    @_alwaysEmitIntoClient @inline(__always)
    mutating func end(_ part: Part, at end: Int) {
      let number = UInt64(part.rawValue)
      present |= 1 << UInt16(number)
      let all = Self.four(end)
      let before = (1 as UInt64) &<< (16 &* (number & 3)) &- 1
      if number < 4 {
        words = (words.first & before | all & ~before, all)
      } else {
        words.last = words.last & before | all & ~before
      }
    }
  }

  @usableFromInline
  package struct Flags: OptionSet, BitwiseCopyable {
    @usableFromInline package let rawValue: UInt8

    @_alwaysEmitIntoClient
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    @_alwaysEmitIntoClient static var redacts: Flags { Flags(rawValue: 1) }
    @_alwaysEmitIntoClient static var isAboutKey: Flags { Flags(rawValue: 2) }
    /// The part `expected` is for programs alone.
    @_alwaysEmitIntoClient static var isAccepted: Flags { Flags(rawValue: 4) }
    /// The path is shown as it is.
    @_alwaysEmitIntoClient static var showsPath: Flags { Flags(rawValue: 8) }
    static var hasPlace: Flags { Flags(rawValue: 16) }
    static var hasOtherPlace: Flags { Flags(rawValue: 32) }
  }

  fileprivate struct Place: BitwiseCopyable {
    let offset, line, column: Int

    init(_ location: DecodeError.Location?) {
      offset = location?.offset ?? 0
      line = location?.line ?? 0
      column = location?.column ?? 0
    }

    var location: DecodeError.Location {
      DecodeError.Location(offset: offset, line: line, column: column)
    }
  }

  fileprivate init(_ header: Header, _ bytes: Bytes) {
    self.header = header
    self.bytes = bytes
  }

  /// The bytes of a part; nil if the error lacks it.
  @inline(__always)
  private func bytes(_ part: Part) -> Bytes? {
    header.range(part).map { bytes[$0] }
  }

  private var location: DecodeError.Location? {
    header.flags.contains(.hasPlace) ? header.place.location : nil
  }

  /// Writes the error's line, as ``DecodeError/description`` has it.
  package func write(to sink: inout ErrorSink) {
    sink.addPlace(source: bytes(.source), location: location)
    if let path = bytes(.path), path.count > 0 {
      if header.flags.contains(.showsPath) { sink.add(path) } else { sink.add(path: writePath) }
      sink.add(": ")
    }
    writeMessage(to: &sink)
  }

  /// Writes the error's JSON.
  package func writeJSON(to sink: inout ErrorSink) {
    writeJSON(to: &sink, source: bytes(.source), location: location, path: writePath)
  }

  private func writePath(to sink: inout ErrorSink) {
    if let path = bytes(.path) { sink.add(path) }
  }

  // MARK: - As facts

  @usableFromInline package var code: DecodeError.Code { DecodeError.Code(status: header.code) }
  @usableFromInline package var redacts: Bool { header.flags.contains(.redacts) }
  @usableFromInline package var isAboutKey: Bool { header.flags.contains(.isAboutKey) }

  @usableFromInline package var otherLocation: DecodeError.Location? {
    header.flags.contains(.hasOtherPlace) ? header.otherPlace.location : nil
  }

  // Inlined, so that the part is known.
  @usableFromInline @inline(__always)
  package func has(_ part: ErrorPart) -> Bool { bytes(of: part) != nil }

  @usableFromInline @inline(__always)
  package func write(_ part: ErrorPart, to sink: inout ErrorSink) {
    if let bytes = bytes(of: part) { sink.add(bytes) }
  }

  @inline(__always)
  private func bytes(of part: ErrorPart) -> Bytes? {
    let isAccepted = header.flags.contains(.isAccepted)
    return switch part {
    case .message: bytes(.message)
    case .expected: isAccepted ? nil : bytes(.expected)
    case .accepted: isAccepted ? bytes(.expected) : nil
    case .found: bytes(.found)
    case .bareFound: bytes(.found)?.withoutKind
    case .remark: bytes(.remark)
    case .key: bytes(.key)
    case .nearKey: bytes(.nearKey)
    }
  }
}

extension Bytes {
  /// What was found, of a number without its kind: `300`.
  fileprivate var withoutKind: Bytes {
    let kind = ("the number " as StaticString).bytes
    return count >= kind.count && self[0..<kind.count] == kind ? self[kind.count..<count] : self
  }
}

// MARK: - Writing

extension ErrorFacts {
  /// Adds the facts to a buffer of others. Nil, and nothing is added, if they do not fit.
  /// - Parameter source: The source's name.
  @_alwaysEmitIntoClient
  package func pack(
    into sink: inout ErrorSink, source: (some ErrorPhrase)?, location: DecodeError.Location?,
    path: (inout ErrorSink) -> Void
  ) -> PackedFacts? {
    let start = sink.beginFacts()
    var ends = PackedFacts.Ends()
    var flags: PackedFacts.Flags = redacts ? .redacts : []
    if isAboutKey { flags.insert(.isAboutKey) }
    if let source {
      source.write(to: &sink)
      ends.end(.source, at: sink.used &- start)
    }
    if sink.add(beginningOfPath: path) { flags.insert(.showsPath) }
    ends.end(.path, at: sink.used &- start)
    if has(.expected) {
      write(.expected, to: &sink)
      ends.end(.expected, at: sink.used &- start)
    } else if has(.accepted) {
      flags.insert(.isAccepted)
      write(.accepted, to: &sink)
      ends.end(.expected, at: sink.used &- start)
    }
    if has(.found) {
      write(.found, to: &sink)
      ends.end(.found, at: sink.used &- start)
    }
    if has(.message) {
      write(.message, to: &sink)
      ends.end(.message, at: sink.used &- start)
    } else {
      if has(.remark) {
        write(.remark, to: &sink)
        ends.end(.remark, at: sink.used &- start)
      }
      if has(.key) {
        write(.key, to: &sink)
        ends.end(.key, at: sink.used &- start)
      }
      if has(.nearKey) {
        write(.nearKey, to: &sink)
        ends.end(.nearKey, at: sink.used &- start)
      }
    }
    return sink.endFacts(from: start, ends, flags, code, location, otherLocation)
  }
}

extension ErrorSink {
  /// Leaves space for a header. Returns where that begins.
  @usableFromInline
  mutating func beginFacts() -> Int {
    let start = used
    leave(PackedFacts.Header.size)
    return start
  }

  /// The facts of which the header begins at a place; nil if they do not fit, and then they are taken back.
  @usableFromInline
  mutating func endFacts(
    from start: Int, _ ends: PackedFacts.Ends, _ flags: PackedFacts.Flags,
    _ code: DecodeError.Code, _ location: DecodeError.Location?,
    _ otherLocation: DecodeError.Location?
  ) -> PackedFacts? {
    var flags = flags
    if location != nil { flags.insert(.hasPlace) }
    if otherLocation != nil { flags.insert(.hasOtherPlace) }
    let header = PackedFacts.Header(ends, flags, code.rawValue, location, otherLocation)
    guard let bytes = text(from: start) else {
      cut(to: start)
      return nil
    }
    put(header, at: start)
    return PackedFacts(header, bytes)
  }
}

// MARK: - Reading

extension PackedFacts {
  /// The errors in a buffer, which ends with a NUL byte.
  package struct Reader: IteratorProtocol, Sequence {
    private var rest: Bytes

    package init(_ bytes: Bytes) { rest = bytes }

    /// The next error; nil at the end, and where the bytes are no error.
    package mutating func next() -> PackedFacts? {
      guard rest.count > Header.size, rest[0] == Header.firstByte,
        let header = Header(rest), let length = header.length, length < rest.count
      else { return nil }
      defer { rest = rest[length..<rest.count] }
      return PackedFacts(header, rest[0..<length])
    }
  }
}
