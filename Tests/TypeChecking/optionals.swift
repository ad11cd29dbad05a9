// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantOptionalOperators

struct Model {
  let f1: Int
  let f2: String
  let f3: Int
  let f4: String
  let f5: Int
  let f6: String
  let f7: Int
  let f8: String
  let f9: Int
  let f10: String
  let f11: Int
  let f12: String
  let f13: Int
  let f14: String
  let f15: Int
  let f16: String
  let f17: Int
  let f18: String
  let f19: Int
  let f20: String

  static func decode(_ json: JSONValue) -> Model? {
    JSONObject(json) >>> { d in
      curry(Model.init) <^> d["f1"] >>> JSONInt
        <*> d["f2"] >>> JSONString
        <*> d["f3"] >>> JSONInt
        <*> d["f4"] >>> JSONString
        <*> d["f5"] >>> JSONInt
        <*> d["f6"] >>> JSONString
        <*> d["f7"] >>> JSONInt
        <*> d["f8"] >>> JSONString
        <*> d["f9"] >>> JSONInt
        <*> d["f10"] >>> JSONString
        <*> d["f11"] >>> JSONInt
        <*> d["f12"] >>> JSONString
        <*> d["f13"] >>> JSONInt
        <*> d["f14"] >>> JSONString
        <*> d["f15"] >>> JSONInt
        <*> d["f16"] >>> JSONString
        <*> d["f17"] >>> JSONInt
        <*> d["f18"] >>> JSONString
        <*> d["f19"] >>> JSONInt
        <*> d["f20"] >>> JSONString
    }
  }
}
