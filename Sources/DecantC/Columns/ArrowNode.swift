// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The columns as Arrow sees them. They differ in two places. Elements that are records whose only field is the element
// itself, as in a list of lists, become that field's column. For a map, Arrow has a struct of a key and one value:
//
//   list of members      map
//    └─ structure         └─ entries
//        ├─ key               ├─ key
//        ├─ x                 └─ value: a struct of all others; or the only other one, if it is the member's value
//        └─ y                     ├─ x
//                                 └─ y

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// A node of the exported tree: of its schema, and of its arrays.
struct ArrowNode {
  enum Role {
    case column
    /// The struct of a map's members.
    case entries
    /// The struct of what a member has beside its key.
    case others
  }

  let place: ColumnRef
  let role: Role
  /// The name that the parent gives it, if that is not the column's.
  let givenName: StaticString?

  init(_ place: ColumnRef, _ role: Role = .column, named name: StaticString? = nil) {
    self.place = place
    self.role = role
    givenName = name
  }

  var column: Column { place.column }
  var name: Bytes { givenName?.bytes ?? column.name }
  var isNullable: Bool { role == .column && column.isNullable }
  /// The rows of the batch.
  var count: Int { column.count }
  var hasDictionary: Bool { role == .column && column.form == .names }

  var childCount: Int {
    switch role {
    case .entries: 2
    case .others: column.children.count - 1
    case .column: column.children.count
    }
  }

  func child(_ index: Int) -> ArrowNode {
    switch role {
    case .entries: return index == 0 ? ArrowNode(key, named: "key") : value
    case .others: return ArrowNode(column.children[index < keyIndex ? index : index + 1])
    case .column:
      let child = column.children[index]
      if column.form == .map { return ArrowNode(child, .entries, named: "entries") }
      let isOfElements = column.form == .list || column.form == .fixedList
      return isOfElements && child.column.isTransparent
        ? ArrowNode(child.column.children[0], named: "item") : ArrowNode(child)
    }
  }

  /// The place of the member's key among its columns.
  private var keyIndex: Int {
    for index in 0..<column.children.count
    where column.children[index].column.field?.kind == .key { return index }
    return 0
  }

  private var key: ColumnRef { column.children[keyIndex] }

  private var value: ArrowNode {
    if column.children.count == 2 {
      let other = column.children[1 - keyIndex]
      if let field = other.column.field, field.isItself { return ArrowNode(other, named: "value") }
    }
    return ArrowNode(place, .others, named: "value")
  }
}
