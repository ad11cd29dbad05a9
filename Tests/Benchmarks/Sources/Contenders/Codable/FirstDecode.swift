// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A model of 30 types, which a fresh process decodes once: then half the time can be the runtime's, which finds out what
// the types conform to.

import Decant
import Foundation

/// Who decodes the model, or nobody: what the process needs besides.
public enum FirstDecode {
  public static let names = ["nobody", "decant.codable", "foundation.JSONDecoder"]

  public static func run(_ name: String) throws {
    let document = document
    switch name {
    case "decant.codable": _ = try DecantDecoder().decode(M1.self, from: Array(document.utf8))
    case "foundation.JSONDecoder": _ = try JSONDecoder().decode(M1.self, from: Data(document.utf8))
    default: _ = (Array(document.utf8), Data(document.utf8))
    }
  }

  private static var document: String {
    var text = ""
    write(1, to: &text)
    return text
  }

  private static func write(_ type: Int, to text: inout String) {
    text += #"{"id":\#(type),"name":"the name of number \#(type)","rate":0.25,"flags":[1,2,3]"#
    if type % 3 != 0 { text += #","note":"a note that is there""# }
    if 2 * type <= 30 {
      text += #","left":["#
      for place in 0..<(type == 1 ? 60 : 2) {
        if place > 0 { text += "," }
        write(2 * type, to: &text)
      }
      text += "]"
    }
    if 2 * type + 1 <= 30 {
      text += #","right":"#
      write(2 * type + 1, to: &text)
    }
    text += "}"
  }
}

private struct M1: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M2]
  var right: M3?
}
private struct M2: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M4]
  var right: M5?
}
private struct M3: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M6]
  var right: M7?
}
private struct M4: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M8]
  var right: M9?
}
private struct M5: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M10]
  var right: M11?
}
private struct M6: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M12]
  var right: M13?
}
private struct M7: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M14]
  var right: M15?
}
private struct M8: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M16]
  var right: M17?
}
private struct M9: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M18]
  var right: M19?
}
private struct M10: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M20]
  var right: M21?
}
private struct M11: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M22]
  var right: M23?
}
private struct M12: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M24]
  var right: M25?
}
private struct M13: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M26]
  var right: M27?
}
private struct M14: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M28]
  var right: M29?
}
private struct M15: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
  var left: [M30]
}
private struct M16: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M17: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M18: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M19: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M20: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M21: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M22: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M23: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M24: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M25: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M26: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M27: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M28: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M29: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
private struct M30: Decodable {
  var id: Int
  var name: String
  var note: String?
  var rate: Double
  var flags: [Int]
}
