// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A map in the shape of canada.json: one feature of 480 rings, 55,563 points, no white space, and
// numbers with as many digits as a careless printer of `double` leaves behind.

extension Generator {
  public static func canada() -> String {
    var dice = Dice(seed: 1867)
    var text = #"{"type":"FeatureCollection","features":[{"type":"Feature","#
    text += #""properties":{"name":"Canada"},"geometry":{"type":"Polygon","coordinates":["#
    text.reserveCapacity(2_400_000)
    for ring in 0..<480 {
      text += ring == 0 ? "[" : ",["
      for point in 0..<(ring < 363 ? 116 : 115) {
        if point > 0 { text += "," }
        text += "[-\(number(whole: 52...141, &dice)),\(number(whole: 41...83, &dice))]"
      }
      text += "]"
    }
    return text + "]}}]}\n"
  }

  private static func number(whole: ClosedRange<Int>, _ dice: inout Dice) -> String {
    let micros = "\(dice.integer(1_000_000...1_999_999))".dropFirst()
    let noise =
      switch dice.integer(1...100) {
      case ...10: ""
      case ...55: "0000000\(dice.integer(10...99))"
      default: "9999999\(dice.integer(10...99))"
      }
    return "\(dice.integer(whole)).\(micros)\(noise)"
  }
}
