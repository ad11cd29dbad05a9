// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The loosely typed tree of the article, and the functions that narrow it: the exact kind, or nil. No
// string reads as a number. One generic function each, for views and for values: two overloads would
// multiply with those of the operators.

public import DecantCore

/// A decoded object: its values by key.
public typealias JSONDictionary = [String: JSONValue]

/// A decoded array.
public typealias JSONArray = [JSONValue]

/// The accessors that `JSON` views and `JSONValue` share.
@_documentation(visibility: internal)
public protocol LooseJSON: ~Escapable {
  var string: String? { get }
  var int: Int? { get }
}

extension JSON: LooseJSON {}
extension JSONValue: LooseJSON {}

/// The string here, or nil for other kinds.
public func JSONString<Value: LooseJSON & ~Escapable>(_ json: Value) -> String? { json.string }

/// The integer here, exactly, or nil for other kinds.
public func JSONInt<Value: LooseJSON & ~Escapable>(_ json: Value) -> Int? { json.int }

/// The members by key, or nil for other kinds. Views need no such step: a view of another kind has no
/// members.
public func JSONObject(_ json: JSONValue) -> JSONDictionary? { json.object }
