// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Classes: a subclass decodes through the metatype of its superclass, from a registry by name, and from its
// superclass's decoder.

class Animal: Shaped {
  let name: String
  private enum Key: String, CodingKey { case name }

  required init(from decoder: any Decoder) throws {
    name = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .name)
  }
  class func document(_ choices: inout Choices) -> String {
    object([("name", String.part(&choices))], &choices)
  }
  var told: String { "\(type(of: self)) \(name)" }
}

/// Its superclass reads the same object.
class Dog: Animal {
  let breed: String?
  var notes: [Int] = []
  private enum Key: String, CodingKey { case breed, notes }

  required init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    breed = try members.decodeIfPresent(String.self, forKey: .breed)
    notes = try members.decode([Int].self, forKey: .notes)
    try super.init(from: decoder)
  }
  override class func document(_ choices: inout Choices) -> String {
    object(
      [
        ("name", String.part(&choices)), ("breed", String?.part(&choices)),
        ("notes", [Int].part(&choices)),
      ],
      &choices)
  }
  override var told: String { super.told + " \(breed.told) \(notes)" }
}

/// Reads nothing of its own: its initialiser is its superclass's.
final class Puppy: Dog {
  var age = 1
  override var told: String { super.told + " \(age)" }
}

/// Its superclass reads the member `super`.
final class Cat: Animal {
  let lives: Int
  private enum Key: String, CodingKey { case lives }

  required init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    lives = try members.decode(Int.self, forKey: .lives)
    try super.init(from: members.superDecoder())
  }
  override class func document(_ choices: inout Choices) -> String {
    object([("lives", Int.part(&choices)), ("super", Animal.document(&choices))], &choices)
  }
  override var told: String { super.told + " \(lives)" }
}

/// A class over any shape.
class Holder<Value: Shaped>: Animal {
  let value: Value
  private enum Key: String, CodingKey { case value }

  required init(from decoder: any Decoder) throws {
    value = try decoder.container(keyedBy: Key.self).decode(Value.self, forKey: .value)
    try super.init(from: decoder)
  }
  override class func document(_ choices: inout Choices) -> String {
    object([("name", #""h""#), ("value", Value.part(&choices))], &choices)
  }
  override var told: String { super.told + " \(value.told)" }
}

let animals: [(name: String, type: Animal.Type)] = [
  ("animal", Animal.self), ("dog", Dog.self), ("puppy", Puppy.self), ("cat", Cat.self),
  ("holder", Holder<[Int]>.self), ("friend", Holder<Puppy>.self),
]

/// An animal whose class its document names, decoded through the metatype of `Animal`.
struct Registered: Shaped {
  enum Key: String, CodingKey { case kind, animal, others }
  struct Unknown: Error {}
  let animal: Animal
  let others: [Animal]
  let again: Animal

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    let kind = try members.decode(String.self, forKey: .kind)
    guard let type = animals.first(where: { $0.name == kind })?.type else { throw Unknown() }
    animal = try members.decode(type, forKey: .animal)
    var list = try members.nestedUnkeyedContainer(forKey: .others)
    var others: [Animal] = []
    while !list.isAtEnd { others.append(try list.decode(type)) }
    self.others = others
    // And as a part of a decoder of the superclass.
    again = try type.init(from: members.superDecoder(forKey: .animal))
  }
  static func document(_ choices: inout Choices) -> String {
    let (name, type) = choices.one(of: animals)
    let others = (0..<choices.next(3)).map { _ in type.part(&choices) }.joined(separator: ",")
    return object(
      [("kind", "\"\(name)\""), ("animal", type.part(&choices)), ("others", "[\(others)]")],
      &choices)
  }
  var told: String { "\(animal.told) \(others.told) \(again.told)" }
}

/// An animal decoded as a value of a container of one value, through a metatype.
struct Single<Value: Shaped>: Shaped {
  let animal: Animal
  init(from decoder: any Decoder) throws {
    let type: Animal.Type = Holder<Value>.self
    animal = try decoder.singleValueContainer().decode(type)
  }
  static func document(_ choices: inout Choices) -> String { Holder<Value>.part(&choices) }
  var told: String { animal.told }
}
