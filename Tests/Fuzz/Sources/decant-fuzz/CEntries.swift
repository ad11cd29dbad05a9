// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The way to C: a model into a struct. A failure leaves the struct as it was and says why in a text that
// ends; a success says the same as Swift does, and one free gives back what it took.

import CDecant
import DecantCodable
import DecantCore
import DecantC

private struct CFields {
  var id: Int64 = -7
  var name: UnsafePointer<CChar>?
  var name_length = -7
  var note: UnsafePointer<CChar>?
  var note_length = -7
  var storage: UnsafeMutableRawPointer?
}

private struct Fields: CModel, JSONDecodable {
  let id: Int64
  let name: String
  let note: String?

  static func decode(_ json: JSON) -> Decoded<Fields> {
    build(Fields.init, json.decode("id"), json.decode("name"), json.decodeIfPresent("note"))
  }

  static func layout(_ c: inout CLayout<Fields>) {
    c.structure("fields", "")
    c.field("id", \.id)
    c.field("name", \.name)
    c.field("note", \.note)
  }
}

func fuzzC(_ bytes: UnsafeRawBufferPointer) {
  let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
  var out = CFields()
  var error = decant_error()
  error.size = MemoryLayout<decant_error>.size
  let status = Fields.decode(text, bytes.count, into: &out, error: &error)
  switch Fields.decode(from: bytes) {
  case .success(let model):
    require(status == 0 && out.id == model.id, "status \(status)")
    require(out.name_length == model.name.utf8.count, "name")
    let name = UnsafeRawBufferPointer(start: out.name, count: out.name_length)
    require(name.elementsEqual(model.name.utf8), "name")
    require(out.name?[out.name_length] == 0, "terminator")
    Fields.free(&out)
    Fields.free(&out)
  case .failure(let failure):
    require(status == failure.code.rawValue || bytes.isEmpty, "\(status) and \(failure.code)")
    require(out.id == -7 && out.name == nil && out.storage == nil, "the struct was touched")
    let ends = withUnsafeBytes(of: &error.message) { $0.contains(0) }
    require(ends && withUnsafeBytes(of: &error.path) { $0.contains(0) }, "a text does not end")
  }
}
