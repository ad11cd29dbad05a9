// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How much stack a thread needs, measured on one that was painted before: the same for a large document as
// for a small one. An optimised build keeps below 64 KB, which Tests/Attack/run holds; an unoptimised one
// needs 80 KB, most of it for vectors that C spills. Of libjansson's need its recursion grows, by a
// document's levels.

import Decant
import DecantTestSupport
import Glibc
import Testing

/// The bytes of stack that `body` and the thread around it used.
private func stackUse(_ body: @escaping @Sendable () -> Bool) -> Int {
  final class Box {
    let body: @Sendable () -> Bool
    var isTrue = false
    init(_ body: @escaping @Sendable () -> Bool) { self.body = body }
  }
  let (size, paint) = (1 << 20, UInt8(0xA5))
  let painted = [UInt8](repeating: paint, count: 4_096)
  let box = Box(body)
  // SAFETY: the stack and the box outlive the thread, which is joined before this returns.
  return unsafe withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { attributes in
    let stack = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4_096)
    defer { unsafe stack.deallocate() }
    unsafe memset(stack.baseAddress!, Int32(paint), size)
    unsafe pthread_attr_init(attributes.baseAddress!)
    unsafe pthread_attr_setstack(attributes.baseAddress!, stack.baseAddress!, size)
    var thread = pthread_t()
    let status = unsafe pthread_create(
      &thread, attributes.baseAddress!,
      { argument in
        let box = unsafe Unmanaged<Box>.fromOpaque(argument!).takeUnretainedValue()
        box.isTrue = box.body()
        return nil
      }, Unmanaged.passUnretained(box).toOpaque())
    if status == 0 { pthread_join(thread, nil) }
    unsafe pthread_attr_destroy(attributes.baseAddress!)
    #expect(status == 0 && box.isTrue)
    // Page by page, as a loop over a megabyte takes long where it is not optimised.
    var clean = 0
    while clean < size, unsafe memcmp(stack.baseAddress! + clean, painted, painted.count) == 0 {
      clean += painted.count
    }
    return size - clean
  }
}

/// What is done with a document of so many parts; false if it did not do what it should.
private struct Activity: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let run: @Sendable (_ parts: Int, _ engine: Engine) -> Bool

  init(_ name: String, _ run: @escaping @Sendable (Int, Engine) -> Bool) {
    testDescription = name
    self.run = run
  }
}

private func nested(_ levels: Int) -> String {
  String(repeating: #"[{"a":"#, count: levels / 2) + "1"
    + String(repeating: "}]", count: levels / 2)
}

private func list(_ count: Int, _ element: (Int) -> String) -> String {
  "[" + (0..<count).map(element).joined(separator: ",") + "]"
}

private let flat: [Activity] = [
  Activity("doubles") { count, engine in
    let json = list(count) { "0.\(String(repeating: "7", count: 20))\($0)e-\($0 % 300)" }
    return [Double].decode(from: json, options: .on(engine)).value?.count == count
  },
  Activity("a long fraction") { count, engine in
    let json = "[0." + String(repeating: "1234567890", count: count) + "]"
    return [Double].decode(from: json, options: .on(engine)).value?.count == 1
  },
  Activity("errors") { count, engine in
    let error = [Int].decode(from: list(count) { _ in "\"a\"" }, options: .on(engine)).error
    return error?.description.isEmpty == false && error?.jsonText.isEmpty == false
  },
  Activity("a dictionary") { count, engine in
    let members = (0..<count).map { "\"\\u006b\($0)\":\"v\"" }.joined(separator: ",")
    return [String: String].decode(from: "{\(members)}", options: .on(engine)).value?.count == count
  },
  Activity("duplicates") { count, engine in
    let members = (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",")
    var options = DecodingOptions.on(engine)
    options.duplicateKeys = .reject
    return JSONValue.parse("{\(members),\"k0\":2}", options: options).error?.code == .duplicateKey
  },
]

private let deep: [Activity] = [
  Activity("compare, hash, write") { levels, _ in
    let options = DecodingOptions(maximumDepth: levels)
    let value = JSONValue.parse(nested(levels), options: options).value
    let other = JSONValue.parse(nested(levels), options: options).value
    return value != nil && value == other && value?.hashValue == other?.hashValue
      && value?.jsonBytes(JSONWritingOptions(maximumDepth: levels)).count
        == nested(levels).utf8.count
  },
  Activity("too deep") { levels, _ in
    JSONValue.parse(nested(levels), options: DecodingOptions(maximumDepth: levels - 1)).error?.code
      == .tooDeep
  },
  Activity("cut") { levels, _ in
    let options = DecodingOptions(maximumDepth: levels)
    let error = JSONValue.parse(nested(levels).dropLast(), options: options).error
    return error?.code == .unexpectedEnd
  },
  Activity("the wrong type") { levels, _ in
    let options = DecodingOptions(maximumDepth: levels)
    let error = [String: Int].decode(from: nested(levels), options: options).error
    return error?.code == .typeMismatch && error?.description.isEmpty == false
  },
]

/// The first call of anything needs some more, for the linker to find it; pages are the grain.
private func expectConstant(_ small: Int, _ large: Int) {
  #expect(large <= small + 16_384)
  #expect(large <= 128 << 10)
}

@Suite("Stack use")
struct StackTests {
  @Test("what a document's length needs", arguments: flat, engines)
  private func length(activity: Activity, engine: Engine) {
    let small = stackUse { activity.run(200, engine) }
    let large = stackUse { activity.run(1_000, engine) }
    expectConstant(small, large)
  }

  @Test("what a document's depth needs", arguments: deep)
  private func depth(activity: Activity) {
    let small = stackUse { activity.run(100, .native) }
    let large = stackUse { activity.run(20_000, .native) }
    expectConstant(small, large)
  }
}
