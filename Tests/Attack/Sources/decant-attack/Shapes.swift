// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The shapes, each a document of any size, and what is asked of it.

/// What a contender does with a shape.
enum Question: String {
  /// Read all of it, with as much depth as there is; valid or not.
  case read
  /// Read it with the default depth.
  case readStrictly
  /// Read it and convert every number.
  case numbers
  /// Read it and make its one string.
  case string
  /// Read it and look a thousand of its keys up, in no order.
  case lookUp
  /// Read it and look every key up, in no order.
  case lookUpEvery
  /// Read it where no key may occur twice.
  case refuseDuplicates
  /// Read it into the wrong model: every element is an error.
  case wrongModel
  /// Read it into models of four kilobytes, by Swift and by C.
  case largeModel
  case largeStruct
  /// Keep it, then compare it with another document of the same text, hash it, write it, free it.
  case keep
}

struct Shape: Sendable {
  let name: String
  let question: Question
  let make: @Sendable (Int) -> [UInt8]

  init(_ name: String, _ question: Question, make: @escaping @Sendable (Int) -> [UInt8]) {
    self.name = name
    self.question = question
    self.make = make
  }

  /// `unit` again and again between `first` and `last`, which takes the place of the last comma.
  init(
    _ name: String, _ question: Question, _ first: String, _ unit: String,
    _ last: String
  ) {
    self.init(name, question) { size in
      let repeated = Array(unit.utf8)
      var bytes = Array(first.utf8)
      bytes.reserveCapacity(size + 64)
      while bytes.count + repeated.count < size { bytes += repeated }
      if bytes.last == UInt8(ascii: ",") { bytes.removeLast() }
      return bytes + Array(last.utf8)
    }
  }

  /// `unit(n)` for n = 0, 1, … as the members of an object.
  init(_ name: String, _ question: Question, member: @escaping @Sendable (Int) -> String) {
    self.init(name, question) { size in
      var bytes = Array("{".utf8)
      bytes.reserveCapacity(size + 64)
      var number = 0
      while bytes.count < size {
        bytes += Array((member(number) + ",").utf8)
        number += 1
      }
      bytes[bytes.count - 1] = UInt8(ascii: "}")
      return bytes
    }
  }

  /// `open` and `close` as often as fits.
  init(_ name: String, _ question: Question, open: String, _ inner: String, close: String) {
    self.init(name, question) { size in
      let count = size / (open.utf8.count + close.utf8.count)
      let (left, right) = (Array(open.utf8), Array(close.utf8))
      var bytes: [UInt8] = []
      bytes.reserveCapacity(size + 64)
      for _ in 0..<count { bytes += left }
      bytes += Array(inner.utf8)
      for _ in 0..<count { bytes += right }
      return bytes
    }
  }
}

let shapes: [Shape] = [
  Shape("opened arrays, default depth", .readStrictly, "", "[", ""),
  Shape("opened objects, default depth", .readStrictly, "", #"{"":"#, ""),
  Shape("nested arrays", .read, open: "[", "", close: "]"),
  Shape("nested objects", .read, open: #"{"a":"#, "1", close: "}"),
  Shape("nested arrays, kept", .keep, open: "[", "", close: "]"),
  Shape("nested objects, kept", .keep, open: #"{"a":"#, "1", close: "}"),
  Shape("empty arrays", .read, "[", "[],", "]"),
  Shape("empty objects", .read, "[", "{},", "]"),
  Shape("one-digit integers", .read, "[", "1,", "]"),
  Shape("doubles of 17 digits", .numbers, "[", "-1.2345678901234567e-123,", "]"),
  Shape("doubles near a tie", .numbers, "[", "9007199254740993.0000000000000000001,", "]"),
  Shape("one fraction of sevens", .numbers, "[1.", "7", "]"),
  Shape("one fraction of zeros", .numbers, "[0.", "0", "1]"),
  Shape("one exponent of zeros", .numbers, "[1e", "0", "1]"),
  Shape("a plain string", .string, "\"", "a", "\""),
  Shape("a string of escapes", .string, "\"", #"\u00e9"#, "\""),
  Shape("a string of surrogate pairs", .string, "\"", #"\ud83d\ude00"#, "\""),
  Shape("a string of backslashes", .string, "\"", #"\\"#, "\""),
  Shape("a string of three-byte characters", .string, "\"", "\u{3042}", "\""),
  Shape("a string that does not end", .read, "[\"", "a", ""),
  Shape("short strings", .read, "[", "\"\",", "]"),
  Shape("white space", .read, "[", " ", "]"),
  Shape("an error at the end", .read, "[", "1,", ",]"),
  Shape("distinct keys, looked up", .lookUp) { "\"k\($0)\":1" },
  Shape("colliding keys, looked up", .lookUp, member: colliding),
  Shape("distinct keys, duplicates refused", .refuseDuplicates) { "\"k\($0)\":1" },
  Shape("escaped keys, duplicates refused", .refuseDuplicates) { "\"\\u006b\($0)\":1" },
  Shape("one key again and again", .read) { _ in "\"a\":1" },
  Shape(
    "records", .read, "[",
    #"{"id":123456,"name":"Ann Example","mail":"ann@example.com","tags":["a","b"],"on":true},"#, "]"
  ),
  Shape("small elements into large models", .largeModel, "[", "{},", "]"),
  Shape("small elements into large structs in C", .largeStruct, "[", "{},", "]"),
  Shape("a wrong element, each", .wrongModel, "[", "\"a\",", "]"),
  Shape("distinct keys, every one looked up", .lookUpEvery) { "\"k\($0)\":1" },
  Shape("colliding keys, every one looked up", .lookUpEvery, member: colliding),
]

/// A member whose key has the hash of all others, where strings are hashed as in Java.
private func colliding(_ number: Int) -> String {
  let pairs = (0..<20).map { number >> $0 & 1 == 0 ? "Aa" : "BB" }
  return "\"\(pairs.joined())\":1"
}
