// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Decodes and encodes through each framework's protocols, and answers a request that is wrong.

import Decant
import Errors
import Foundation
import Vapor4

#if canImport(Glibc)
  import Glibc
#endif

/// All that is wrong with a body, as a service answers it.
func testRefusals(_ check: inout Check) throws {
  func refusal(_ body: String) -> Refusal? {
    do {
      let buffer = ByteBuffer(string: body)
      _ = try SignUp(decoding: buffer.readableBytesSpan)
      return nil
    } catch { return Refusal(error) }
  }
  check.that(refusal(#"{"name": "Ann", "age": 30}"#) == nil, "nothing is wrong")
  let wrong = refusal("{\"age\": \"30\",\n \"tags\": [1]}")
  check.equal(wrong?.status, 422)
  check.equal(wrong?.body, try answer("422"))
  check.equal(refusal(#"{"name": "Ann",}"#)?.status, 400)
  check.equal(refusal(String(repeating: "[", count: 1000))?.status, 413)
  do {
    _ = try DecantDecoder().decode([Int].self, from: "[1")
  } catch { check.equal(Refusal(error)?.status, 400) }
  for (key, path) in [("a/b", "/a~1b/1"), ("05", "/05/1")] {
    do {
      _ = try DecantDecoder().decode([String: [Int]].self, from: #"{"\#(key)": [1, "c"]}"#)
    } catch {
      check.equal(Refusal(error)?.status, 422)
      check.that(Refusal(error)?.body.hasPrefix(#"{"path":"\#(path)","message":"#) == true, path)
    }
  }
  check.that(Refusal(CancellationError()) == nil, "an error about something else")
}

/// What the page says of a status.
func answer(_ status: String) throws -> String {
  let page = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
  let block = page.components(separatedBy: "```text \(status)\n")[1]
  return block.components(separatedBy: "\n```")[0]
}

/// A body is borrowed: decoding one of 64 MB takes no memory for it.
func testNoCopies(_ check: inout Check) throws {
  #if canImport(Glibc)
    let body = ByteBuffer(bytes: Data(repeating: 0x20, count: 64 << 20) + Data(json.utf8))
    let ofThis = __rusage_who_t(RUSAGE_SELF.rawValue)
    var before = rusage()
    var after = rusage()
    getrusage(ofThis, &before)
    check.equal(try DecantDecoder().decode(Order.self, from: body.readableBytesSpan), Order(id: 7))
    getrusage(ofThis, &after)
    let taken = after.ru_maxrss - before.ru_maxrss
    check.that(taken < 4 << 10, "\(taken) KB")
  #endif
}

func runAll() async throws -> Check {
  var check = Check()
  try testVapor4(&check)
  try testVapor5(&check)
  try await testHummingbird(&check)
  try testLambda(&check)
  try testAlamofire(&check)
  try testOpenCombine(&check)
  try testData(&check)
  try testUserInfo(&check)
  try testRefusals(&check)
  try testNoCopies(&check)
  return check
}

let check = try await runAll()
print("\(check.passed) passed, \(check.failed) failed")
exit(check.failed == 0 ? 0 : 1)
