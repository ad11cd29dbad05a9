// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The JSON form of an error in C, made of the facts in `details`.

package import CDecant
internal import DecantCore

@c @implementation
package func decant_error_json(
  _ error: UnsafePointer<decant_error>!, _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int
) -> Int {
  // SAFETY: the caller's promise: `capacity` bytes from `buffer`.
  let room = unsafe UnsafeMutableRawBufferPointer(
    start: buffer, count: buffer == nil ? 0 : Int(clamping: UInt(bitPattern: capacity)))
  var text = unsafe ErrorSink(room)
  let error = unsafe ErrorOut(UnsafeMutablePointer(mutating: error))
  let isWritten = error.code != ok || error.count > 0
  if error.isThere, isWritten { write(error, to: &text) } else { text.add("{}") }
  return text.length
}

private func write(_ error: ErrorOut, to text: inout ErrorSink) {
  // Why elements were left out, of a call that succeeded.
  let code = DecodeError.Code(
    status: error.code == ok ? Status(DECANT_MULTIPLE) : error.code)
  text.saysRanges = true
  var errors = PackedFacts.Reader(error.details)
  guard let first = errors.next() else {
    // Not even the first error fitted.
    text.open(code)
    text.add(string: #","path":""#) { $0.add(error.text(.path)) }
    if let location = error.location { text.add(member: #","location":{"offset":"#, location) }
    text.add(string: #","message":""#) { $0.add(error.text(.message)) }
    if error.count > 1 { text.add(member: #","omitted":"#, error.count - 1) }
    return text.add("}")
  }
  if error.count <= 1 { return first.writeJSON(to: &text) }
  text.openErrors(code, count: error.count)
  first.writeJSON(to: &text)
  var told = 1
  while let next = errors.next() {
    text.add(",")
    next.writeJSON(to: &text)
    told += 1
  }
  text.closeErrors(omitted: error.count - told)
}
