// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A model by view, whose errors are printed where only casts find their text, and a Codable one.

import DecantCodable
import DecantCore
import DecantFoundation
import Foundation

struct Page: JSONInitializable {
  let url: URL

  init(json: JSON) throws(DecodeError) { url = try json.get("url") }
}

@main
struct ByView {
  static func main() {
    show {
      let url: Any = try Page(decoding: #"{"url":"/a"}"#).url
      return "\(url)"
    }
    do { _ = try Page(decoding: #"{"url":1}"#) } catch {
      let error: any Error = error
      print(error, error.localizedDescription, separator: "\n")
    }
    show {
      let model = try DecantDecoder().decode(Model.self, from: text)
      return show(text: try DecantEncoder().encode(model) as [UInt8])
    }
  }
}
