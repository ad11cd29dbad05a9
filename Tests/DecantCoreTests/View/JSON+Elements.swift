// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Elements by their indices. A loop over the indices of an array is linear in the array, whatever its order;
// walking from the first element at each turn would take half a minute for the arrays here. Under a sanitizer
// and in another locale, they are shorter.

import Decant
import DecantTestSupport
import Testing

@Suite("Elements by index", .timeLimit(.minutes(1)))
struct ElementTests {
  private static let count = rounds(80_000)

  private static func objects(_ count: Int) -> String {
    "[" + (0..<count).map { #"{"n":\#($0),"x":[]}"# }.joined(separator: ",") + "]"
  }

  private static let orders: [(name: String, indices: [Int])] = [
    ("forwards", Array(0..<count)), ("backwards", (0..<count).reversed()),
    ("in no order", (0..<count).map { $0 * 7919 % count }),
  ]

  @Test("of a JSONValue, forwards, backwards and in no order", arguments: engines)
  func value(engine: Engine) throws {
    let value = try JSONValue(parsing: Self.objects(Self.count), options: .on(engine))
    for order in Self.orders {
      let isRight = order.indices.allSatisfy { value[$0]["n"].int == $0 }
      #expect(isRight, "\(order.name)")
    }
    #expect(!value[Self.count].exists && !value[-1].exists)
  }

  private struct Loop: JSONInitializable {
    let isRight: Bool

    init(json: JSON) throws(DecodeError) {
      var isRight = true
      for order in ElementTests.orders {
        for index in order.indices where json[index]["n"].int != index { isRight = false }
      }
      self.isRight = isRight
    }
  }

  @Test("of a view of borrowed bytes", arguments: engines)
  func view(engine: Engine) throws {
    #expect(try Loop(decoding: Self.objects(Self.count), options: .on(engine)).isRight)
  }

  @Test("by pointers", arguments: engines)
  func pointers(engine: Engine) throws {
    let value = try JSONValue(parsing: #"{"a":\#(Self.objects(Self.count))}"#, options: .on(engine))
    let isRight = stride(from: 0, to: Self.count, by: 3).allSatisfy {
      value[pointer: JSONPointer("/a/\($0)/n")].int == $0
    }
    #expect(isRight)
  }

  @Test("of a matrix, and of two arrays by turns", arguments: engines)
  func matrix(engine: Engine) throws {
    let (side, length) = (300, rounds(20_000))
    let row = "[" + (0..<side).map { "[\($0)]" }.joined(separator: ",") + "]"
    let rows = Array(repeating: row, count: side).joined(separator: ",")
    let value = try JSONValue(
      parsing: #"{"m":[\#(rows)],"a":\#(Self.objects(length)),"b":\#(Self.objects(length))}"#,
      options: .on(engine))
    let matrix = value["m"]
    var isRight = true
    for i in 0..<side {
      for j in 0..<side {
        isRight = isRight && matrix[i][j][0].int == j && matrix[j][i][0].int == i
      }
    }
    #expect(isRight)
    let (a, b) = (value["a"], value["b"])
    let isAlike = (0..<length).allSatisfy {
      a[$0]["n"].int == b[length - 1 - $0]["n"].int.map { length - 1 - $0 }
    }
    #expect(isAlike)
  }

  @Test("by many tasks, while others look keys up and resolve errors", arguments: engines)
  func tasks(engine: Engine) async throws {
    let text = #"{"list":\#(Self.objects(500)),"a":{"b":1,"c":2,"d":3}}"#
    let value = try JSONValue(parsing: text, options: .on(engine))
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<4 {
        group.addTask {
          var isRight = true
          for round in 0..<1_000 {
            switch task {
            case 0:
              isRight =
                isRight && !value["a"]["missing"].exists && !value["list"][round + 500].exists
            case 1: isRight = isRight && value["list"][round % 500]["n"].int == round % 500
            case 2:
              isRight = isRight && value["list"][499 - round % 500]["n"].int == 499 - round % 500
            default:
              value.withView { view in
                isRight = isRight && view["a"]["c"].int == 2 && view["a"]["b"].int == 1
              }
            }
          }
          return isRight
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
