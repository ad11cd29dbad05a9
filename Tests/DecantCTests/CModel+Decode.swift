// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import CDecant
import DecantC
import DecantCore
import Testing

/// The struct as a compiler of C lays it out.
private struct CUser {
  var id: Int64 = -7
  var name: UnsafePointer<CChar>? = nil
  var name_length: Int = -7
  var note: UnsafePointer<CChar>? = nil
  var note_length: Int = -7
  var storage: UnsafeMutableRawPointer? = nil
}

private struct User: CModel, JSONDecodable {
  let id: Int64
  let name: String
  let note: String?

  static func decode(_ json: JSON) -> Decoded<User> {
    build(User.init, json.decode("id"), json.decode("name"), json.decodeIfPresent("note"))
  }

  static func layout(_ c: inout CLayout<User>) {
    c.structure("user", "")
    c.field("id", \.id)
    c.field("name", \.name)
    c.field("note", \.note)
  }
}

/// A model whose text is longer each time it is asked for.
private struct Growing: CModel, JSONDecodable {
  final class Count { var value = 0 }
  let count = Count()

  static func decode(_ json: JSON) -> Decoded<Growing> { .success(Growing()) }

  static func layout(_ c: inout CLayout<Growing>) {
    c.structure("growing", "", array: "growings")
    c.field("id", { _ in 1 })
    c.field(
      "name",
      { growing in
        growing.count.value += 100
        return String(repeating: "x", count: growing.count.value)
      })
    c.field("note", { _ in String?.some("behind it") })
  }
}

/// A struct inside others, which has no functions.
private struct Part: CModel, JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Part> { .success(Part()) }
  static func layout(_ c: inout CLayout<Part>) {
    c.structure("part", "", isPart: true)
    c.field("x", { _ in 1 })
  }
}

@Suite("Models for C")
struct CModelTests {
  private func decode(
    _ json: String, _ user: inout CUser, _ error: UnsafeMutablePointer<decant_error>?
  ) -> decant_status {
    let bytes = json.utf8.map { CChar(bitPattern: $0) }
    return bytes.withUnsafeBufferPointer {
      User.decode($0.baseAddress, $0.count, into: &user, error: error)
    }
  }

  private func newError() -> decant_error {
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    return error
  }

  @Test("fills the struct, with strings in one block that is freed once or twice")
  func success() {
    var user = CUser()
    var error = newError()
    let json = #"{"id":5,"name":"T\u0000é","note":""}"#
    #expect(decode(json, &user, &error) == decant_status(DECANT_OK))
    #expect(user.id == 5)
    #expect(user.name_length == 4)
    let name = user.name.map { Array(UnsafeBufferPointer(start: $0, count: 5)) }
    #expect(name == [0x54, 0, CChar(bitPattern: 0xC3), CChar(bitPattern: 0xA9), 0])
    #expect(user.note.map { $0.pointee } == 0 && user.note_length == 0)
    #expect(error.code == 0)
    User.free(&user)
    #expect(user.storage == nil)
    User.free(&user)
    User.free(nil)
  }

  @Test("a text that grows between two questions is an error, and the block is not left")
  func growing() {
    var user = CUser()
    var error = newError()
    let json = Array("{}".utf8CString)
    #expect(
      Growing.decode(json, 2, into: &user, error: &error) == decant_status(DECANT_INVALID_ARGUMENT))
    #expect(
      messageText(of: error)
        == "a field of the layout is longer when it is written than when it was measured")
    #expect(user.name == nil && user.note == nil && user.storage == nil)
    var users = decant_array()
    let array = Array("[{}]".utf8CString)
    #expect(
      Growing.decodeArray(array, 4, into: &users, error: nil)
        == decant_status(DECANT_INVALID_ARGUMENT))
    #expect(users.items == nil && users.count == 0)
  }

  @Test("absent and empty strings can be told apart")
  func absence() {
    var user = CUser()
    #expect(decode(#"{"id":5,"name":""}"#, &user, nil) == 0)
    #expect(user.note == nil && user.note_length == 0)
    #expect(user.name.map { $0.pointee } == 0)
    User.free(&user)
  }

  @Test("on failure the struct is as it was, and the error says what Swift would say")
  func failure() {
    typealias Row = (
      json: String, code: Int, count: Int32, offset: Int64, line: Int64, column: Int64,
      path: String, message: String
    )
    let rows: [Row] = [
      ("", DECANT_EMPTY_INPUT, 1, 0, 1, 1, "", "1:1: the input is empty"),
      (
        "{\n ]", DECANT_UNEXPECTED_BYTE, 1, 3, 2, 2, "",
        "2:2: expected a quoted key or '}', found ']'\n   ]\n   ^"
      ),
      (
        #"{"id":"5","name":"x"}"#, DECANT_TYPE_MISMATCH, 1, 6, 1, 7, "/id",
        #"""
        1:7: /id: expected an integer, found the string "5"
          {"id":"5","name":"x"}
                ^~~
        """#
      ),
      (
        #"{"name":1}"#, DECANT_MULTIPLE, 2, 0, 1, 1, "/id",
        #"""
        1:1: /id: the key is missing
          {"name":1}
          ^
          the object has "name"
        1:9: /name: expected a string, found the number 1
          {"name":1}
                  ^
        """#
      ),
    ]
    for row in rows {
      var user = CUser()
      var error = newError()
      #expect(decode(row.json, &user, &error) == decant_status(row.code), "\(row.json)")
      #expect(user.id == -7 && user.name_length == -7)
      #expect(user.name == nil && user.storage == nil)
      #expect(Int(error.code) == row.code)
      #expect(error.error_count == row.count, "\(row.json)")
      #expect(error.offset == row.offset, "\(row.json)")
      #expect(error.line == row.line, "\(row.json)")
      #expect(error.column == row.column, "\(row.json)")
      #expect(pathText(of: error) == row.path)
      #expect(messageText(of: error) == row.message)
      let swift = User.decode(from: row.json).error
      #expect(messageText(of: error) == swift?.description)
      #expect(decode(row.json, &user, nil) == decant_status(row.code))
    }
  }

  @Test("NULL and negative lengths are invalid arguments")
  func arguments() {
    let invalid = decant_status(DECANT_INVALID_ARGUMENT)
    var user = CUser()
    var error = newError()
    let json: [CChar] = [0x7B, 0x7D]
    #expect(User.decode(nil, 2, into: &user, error: &error) == invalid)
    #expect(messageText(of: error) == "json or out is NULL, or length is negative")
    #expect(error.offset == -1 && error.line == 0 && error.column == 0)
    #expect(User.decode(json, 2, into: nil, error: &error) == invalid)
    #expect(User.decode(json, -1, into: &user, error: &error) == invalid)
    #expect(User.decode(nil, 0, into: &user, error: nil) == decant_status(DECANT_EMPTY_INPUT))
    #expect(user.id == -7)
  }

  @Test("a struct that is only a part of others is not decoded by itself")
  func part() {
    var error = newError()
    var out: Int64 = -7
    #expect(
      Part.decode("{}", 2, into: &out, error: &error) == decant_status(DECANT_INVALID_ARGUMENT))
    #expect(
      messageText(of: error) == "Part has a layout that is only a part of others")
    #expect(out == -7)
    Part.free(&out)
    #expect(out == -7)
  }

  @Test("arrays are decoded as a whole, or not at all")
  func arrays() {
    var array = decant_array()
    var error = newError()
    let json = #"[{"id":1,"name":"a"},{"id":2,"name":"b","note":"c"}]"#
    #expect(User.decodeArray(json, json.utf8.count, into: &array, error: &error) == 0)
    #expect(array.count == 2)
    let users = array.items.map {
      Array(UnsafeBufferPointer(start: $0.assumingMemoryBound(to: CUser.self), count: 2))
    }
    #expect(users?.map(\.id) == [1, 2])
    #expect(users?.map { $0.name.map { String(cString: $0) } } == ["a", "b"])
    #expect(users?.map { $0.note.map { String(cString: $0) } } == [nil, "c"])
    #expect(users?.map(\.storage) == [nil, nil])
    User.freeArray(&array)
    #expect(array.items == nil && array.count == 0 && array.storage == nil)
    User.freeArray(&array)
    User.freeArray(nil)

    #expect(User.decodeArray("[]", 2, into: &array, error: nil) == 0)
    #expect(array.items == nil && array.count == 0 && array.storage == nil)

    array.count = 77
    let wrong = #"[{"id":1,"name":"a"},{"id":true,"name":7}]"#
    #expect(
      User.decodeArray(wrong, wrong.utf8.count, into: &array, error: &error)
        == decant_status(DECANT_MULTIPLE))
    #expect(error.error_count == 2 && pathText(of: error) == "/1/id")
    #expect(array.count == 77)
    let invalid = decant_status(DECANT_INVALID_ARGUMENT)
    #expect(User.decodeArray(nil, 2, into: &array, error: nil) == invalid)
    #expect(User.decodeArray("[]", 2, into: nil, error: nil) == invalid)
  }

  /// What a line came to.
  private final class Lines {
    var seen: [String] = []
    var last = Int64.max
  }

  private func lines(_ json: String, upTo last: Int64 = .max) -> [String] {
    let lines = Lines()
    lines.last = last
    let status = User.decodeLines(
      json, json.utf8.count,
      to: { context, line, value, error in
        guard let context else { return 1 }
        let lines = Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue()
        if let user = value?.assumingMemoryBound(to: CUser.self).pointee {
          lines.seen.append("\(line): \(user.id) \(user.name.map { String(cString: $0) } ?? "-")")
        } else if let error = error?.pointee {
          lines.seen.append(
            "\(line): \(error.code) at \(error.line):\(error.column), \(error.offset)")
        }
        return line == lines.last ? 1 : 0
      }, Unmanaged.passUnretained(lines).toOpaque(), error: nil)
    #expect(status == 0)
    return lines.seen
  }

  @Test("a stream has a call for each line, wrong ones too, with places in the stream")
  func streams() {
    let json = #"""
      {"id":1,"name":"a"}

      {"id":"2","name":"b"}
      {"id":3,"name":"c"
      {"id":4,"name":"d"}
      """#
    let all = ["1: 1 a", "3: 201 at 3:7, 27", "4: 102 at 4:19, 61", "5: 4 d"]
    #expect(lines(json) == all)
    #expect(lines(json, upTo: 3) == Array(all.prefix(2)))
    // The message and the error as JSON tell the same place.
    let texts = Lines()
    _ = User.decodeLines(
      json, json.utf8.count,
      to: { context, _, _, error in
        guard let context, let error else { return 0 }
        let texts = Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue()
        texts.seen.append(
          withUnsafeBytes(of: error.pointee.message) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
          })
        texts.seen.append(
          withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) {
            _ = decant_error_json(error, $0.baseAddress, $0.count)
            return String(cString: $0.baseAddress!)
          })
        return 1
      }, Unmanaged.passUnretained(texts).toOpaque(), error: nil)
    #expect(texts.seen[0].hasPrefix("3:7: /id: expected an integer"))
    #expect(texts.seen[1].contains(#""location":{"offset":27,"line":3,"column":7}"#))
    #expect(lines("") == [])
    let invalid = decant_status(DECANT_INVALID_ARGUMENT)
    #expect(User.decodeLines("{}", 2, to: nil, nil, error: nil) == invalid)
    #expect(User.decodeLines("{}", -1, to: { _, _, _, _ in 0 }, nil, error: nil) == invalid)
  }

  @Test("an error struct of an unknown size is left alone")
  func unknownSize() {
    var user = CUser()
    for size in [1, 8, MemoryLayout<decant_error>.size - 1] {
      var error = decant_error()
      error.size = size
      error.code = 77
      #expect(decode("[", &user, &error) == decant_status(DECANT_UNEXPECTED_END))
      #expect(error.code == 77)
    }
    var larger = newError()
    larger.size += 64
    #expect(decode("[", &user, &larger) == decant_status(DECANT_UNEXPECTED_END))
    #expect(larger.code == decant_status(DECANT_UNEXPECTED_END))
  }

  @Test("texts that do not fit are cut between characters, and end with NUL")
  func truncation() {
    for filler in ["a", "é", "€", "😀"] {
      for shift in 0..<4 {
        let message = String(repeating: "x", count: shift) + String(repeating: filler, count: 1_100)
        var error = newError()
        _ = report(DecodeError.custom(message), to: &error)
        let cut = messageText(of: error)
        #expect(message.hasPrefix(cut))
        let room = 1_023 - shift
        #expect(cut.utf8.count == shift + room / filler.utf8.count * filler.utf8.count)
      }
    }
    let exact = String(repeating: "y", count: 1_023)
    var error = newError()
    _ = report(DecodeError.custom(exact), to: &error)
    #expect(messageText(of: error) == exact)
  }
}
