// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The properties of a member in JSON, for a table, beyond its kind: its key, its default, its bounds.
//
//   c.field("score", \.score, json: .key("points").inRange(0...100).defaulting(to: 5))
//   decant_field   {"points", DECANT_INT64, DECANT_DEFAULT, bounds {0, 100}, default_value 5}
//
// Used for tables only, never while a model is written to a struct.

#if !hasFeature(Embedded)

  internal import CDecant

  /// The properties of a member in JSON, for a ``CTable``: see ``CLayout``.
  public struct CRules<Value> {
    /// The first key, or the pointer; nil for the member's name.
    let key: String?
    private(set) var erased = CMemberRules()

    /// The member's name is its key, and it has to be there unless it is optional.
    public init() { key = nil }

    private init(key: String) { self.key = key }

    /// The key.
    public static func key(_ key: String) -> CRules { CRules(key: key) }

    /// A place deeper inside, by a JSON Pointer (RFC 6901) such as `/user/name`.
    public static func pointer(_ pointer: String) -> CRules {
      var rules = CRules(key: pointer)
      rules.erased.isPointer = true
      return rules
    }

    /// Other keys, or pointers, which are read in this order where the key is absent or null.
    public func orKeys(_ keys: String...) -> CRules {
      var rules = self
      rules.erased.otherKeys += keys
      return rules
    }

    /// A number may also be a string with a number in it.
    public var numberOrString: CRules {
      var rules = self
      rules.erased.isFromText = true
      return rules
    }

    /// An integer may also be spelled with a point or an exponent, as `5.0`.
    public var integral: CRules {
      var rules = self
      rules.erased.isIntegral = true
      return rules
    }

    /// Strings and arrays that are empty are refused.
    public var nonEmpty: CRules {
      var rules = self
      rules.erased.isNonEmpty = true
      return rules
    }

    /// Numbers that are not in the range are refused. Ends that a table cannot say are an error of the table.
    public func inRange<Bounds: RangeExpression>(_ range: Bounds) -> CRules
    where Bounds.Bound == Value {
      var rules = self
      rules.erased.bounds = CBounds(range)
      return rules
    }

    /// The same of a number that is optional.
    public func inRange<Bounds: RangeExpression>(_ range: Bounds) -> CRules
    where Value == Bounds.Bound? {
      var rules = self
      rules.erased.bounds = CBounds(range)
      return rules
    }
  }

  extension CRules where Value: CValue {
    /// The value of an absent member and of `null`. A table supports the empty array only, and no struct: with another
    /// default of these types, the table requires the member.
    public func defaulting(to value: Value) -> CRules {
      var rules = self
      rules.erased.fallback = CFallback(value)
      return rules
    }
  }

  /// The rules of a member, whatever its type.
  struct CMemberRules {
    var isPointer = false
    var otherKeys: [String] = []
    var isFromText = false
    var isIntegral = false
    var isRest = false
    var isNonEmpty = false
    var bounds: CBounds?
    var fallback: CFallback?
  }

  /// The value of an absent member.
  enum CFallback {
    /// All zeros: the empty array.
    case zeros
    case text(String)
    /// The value as it is in the struct.
    case bytes([UInt8])

    /// Nil for what a table has no default for.
    init?<Value: CValue>(_ value: Value) {
      let text = (value as? String?) ?? (value as? String)
      if let text {
        if text.utf8.contains(0) { return nil }
        self = .text(text)
        return
      }
      switch CForm(Value.self) {
      case .many:
        guard let elements = value as? any Collection, elements.isEmpty else { return nil }
        self = .zeros
      case .lossy, .one(.structure), .optional(.structure, _), .one(.text), .optional(.text, _),
        .one(.raw), .optional(.raw, _), .one(.special(.bytes)), .optional(.special(.bytes), _):
        return nil
      case .one(let type), .optional(let type, _):
        guard let bytes = CFallback.bytes(of: value, type.extent.size) else { return nil }
        self = .bytes(bytes)
      }
    }

    /// The first bytes of a value without parts; nil for nil.
    private static func bytes<Value: CValue>(of value: Value, _ size: Int) -> [UInt8]? {
      let whole = Value._cExtent
      return unsafe withUnsafeTemporaryAllocation(
        byteCount: whole.size, alignment: whole.alignment
      ) { memory in
        let place = unsafe _CMemory(memory.baseAddress!)
        place.clear(whole.size)
        var block = _CBlock.measuring
        value._store(at: place, &block)
        // The flag follows an optional value.
        if whole.size > size, !place.load(Bool.self, at: size) { return nil }
        return (0..<size).map { place.load(UInt8.self, at: $0) }
      }
    }
  }

  /// The ends of a range, as a table has them.
  struct CBounds {
    private(set) var bounds = decant_bounds()

    init<Bounds: RangeExpression>(_ range: Bounds) {
      typealias Bound = Bounds.Bound
      switch range {
      case let range as ClosedRange<Bound>: set(range.lowerBound, range.upperBound)
      case let range as Range<Bound>: set(range.lowerBound, range.upperBound, isHalfOpen: true)
      case let range as PartialRangeFrom<Bound>: set(range.lowerBound, nil)
      case let range as PartialRangeThrough<Bound>: set(nil, range.upperBound)
      case let range as PartialRangeUpTo<Bound>: set(nil, range.upperBound, isHalfOpen: true)
      default: fatalError("a table has no bounds like \(range)")
      }
    }

    private mutating func set<Bound>(_ lower: Bound?, _ upper: Bound?, isHalfOpen: Bool = false) {
      if Bound.self is any BinaryInteger.Type {
        if let lower = integer(lower) { bounds.set(\.minimum, lower, DECANT_HAS_MINIMUM) }
        if let upper = integer(upper) {
          bounds.set(\.maximum, upper - (isHalfOpen ? 1 : 0), DECANT_HAS_MAXIMUM)
        }
      } else {
        if let lower { bounds.set(\.least, real(lower, isHalfOpen: false), DECANT_HAS_LEAST) }
        if let upper { bounds.set(\.most, real(upper, isHalfOpen: isHalfOpen), DECANT_HAS_MOST) }
      }
    }

    /// Nil for none, as the largest of a uint64_t is one.
    private func integer<Bound>(_ bound: Bound?) -> Int64? {
      guard let bound = bound as? any BinaryInteger else { return nil }
      if bound as? UInt64 == .max || bound as? UInt == .max { return nil }
      guard let number = Int64(exactly: bound) else {
        fatalError("a table has no bounds like \(bound), which is no int64_t")
      }
      return number
    }

    private func real<Bound>(_ bound: Bound, isHalfOpen: Bool) -> Double {
      switch bound {
      case let bound as Double: isHalfOpen ? bound.nextDown : bound
      case let bound as Float: Double(isHalfOpen ? bound.nextDown : bound)
      default: fatalError("a table has no bounds of \(type(of: bound))")
      }
    }
  }

  extension decant_bounds {
    /// Sets an end, and that it is given.
    mutating func set<Number>(
      _ end: WritableKeyPath<decant_bounds, Number>, _ number: Number, _ flag: Int
    ) {
      self[keyPath: end] = number
      ends |= UInt32(flag)
    }
  }

#endif
