// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A row of a table: a document and its exact outcome, which is a model or the errors in their order.
//
//   Row("5", is: 5)
//   Row(#"{"id":"5"}"#, fails: .typeMismatch, "1:7", "/id", #"expected an integer, found the string "5""#)
//
// libjansson knows no places after parsing, so a row's place counts natively only; there the other engine
// has to say nothing. Other differences are in Differences.swift.

public import Decant
public import Testing

/// One error, in all that a reader sees of it.
public struct Failure: Hashable, Sendable, CustomStringConvertible {
  public let code: DecodeError.Code
  /// `line:column`; empty without a place.
  public let place: String
  public let path: String
  public let message: String

  public init(_ code: DecodeError.Code, _ place: String, _ path: String, _ message: String) {
    self.code = code
    self.place = place
    self.path = path
    self.message = message
  }

  /// What a resolved error says.
  public init(_ error: DecodeError) {
    code = error.code
    place = error.location.map { "\($0.line):\($0.column)" } ?? ""
    path = error.path.text
    message = error.message
  }

  public var description: String { "\(code.rawValue) \(line)" }

  /// The line of the error's description.
  public var line: String {
    var text = place.isEmpty ? "" : place + ": "
    if !path.isEmpty { text += path + ": " }
    return text + message
  }

  /// The failure as an engine without places reports it.
  public var withoutPlace: Failure { Failure(code, "", path, message) }
}

/// A document and what becomes of it.
public struct Row<Model: Equatable & Sendable>: Sendable {
  public enum Outcome: Sendable {
    case model(Model)
    case failures([Failure])
  }

  public let json: String
  public let outcome: Outcome
  public let sourceLocation: SourceLocation

  public init(
    _ json: String, is model: Model, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.json = json
    self.outcome = .model(model)
    self.sourceLocation = sourceLocation
  }

  public init(
    _ json: String, fails code: DecodeError.Code, _ place: String, _ path: String,
    _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.json = json
    self.outcome = .failures([Failure(code, place, path, message)])
    self.sourceLocation = sourceLocation
  }

  public init(
    _ json: String, failsWith failures: [Failure],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.json = json
    self.outcome = .failures(failures)
    self.sourceLocation = sourceLocation
  }
}

// MARK: - Running

/// Runs a table on an engine, in each way that a document becomes a model.
public func check<Model: JSONDecodable & Equatable & Sendable>(
  _ rows: [Row<Model>], on engine: Engine, options: DecodingOptions = DecodingOptions()
) {
  var options = options
  options.engine = engine
  for row in rows {
    row.check(Model.decode(from: row.json, options: options), on: engine, "decode(from:)")
    row.check(
      Result { () throws(DecodeError) in try Model(decoding: row.json, options: options) },
      on: engine, "init(decoding:)")
    row.check(
      JSONValue.parse(row.json, options: options).flatMap { $0.decoded() }, on: engine,
      "JSONValue.decoded()")
  }
}

/// Runs a table on an engine by a function from the view.
public func check<Model: Equatable & Sendable>(
  _ rows: [Row<Model>], on engine: Engine, options: DecodingOptions = DecodingOptions(),
  by body: (JSON) -> Decoded<Model>
) {
  var options = options
  options.engine = engine
  for row in rows {
    row.check(
      JSONValue.parse(row.json, options: options).flatMap { $0.outcome(body) }, on: engine,
      "JSONValue.outcome(_:)")
  }
}

extension Row {
  /// Compares what came with what should.
  public func check(_ result: Decoded<Model>, on engine: Engine, _ way: String) {
    switch (result, outcome) {
    case (.success(let model), .model(let expected)):
      #expect(model == expected, "\(way): \(json)", sourceLocation: sourceLocation)
    case (.failure(let error), .failures(let expected)):
      let isPlaceless = engine != .native
      let expected = isPlaceless ? expected.map(\.withoutPlace) : expected
      let found = failures(of: error).map { isPlaceless ? $0.withoutPlace : $0 }
      #expect(found == expected, "\(way): \(json)", sourceLocation: sourceLocation)
      if isPlaceless && error.code.category == .data {
        #expect(error.location == nil, "\(way): \(json)", sourceLocation: sourceLocation)
      }
    case (.success(let model), .failures):
      Issue.record("\(way): \(json): \(model)", sourceLocation: sourceLocation)
    case (.failure(let error), .model):
      Issue.record("\(way): \(json): \(error)", sourceLocation: sourceLocation)
    }
  }
}

/// The single errors of an error, in order.
public func failures(of error: DecodeError) -> [Failure] {
  error.underlying.isEmpty ? [Failure(error)] : error.underlying.map { Failure($0) }
}

/// The single errors of a result, in order; none of a success.
public func failures<Model>(of result: Decoded<Model>) -> [Failure] {
  result.error.map { failures(of: $0) } ?? []
}
