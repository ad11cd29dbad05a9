// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

@main
struct Main {
  static func main() throws {
    for (name, result) in try spellings() { print("\(name): \(result)") }
  }
}
