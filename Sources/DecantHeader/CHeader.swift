// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Headers of models, and how `decant-header` gets them. A library of models names its headers and exports one
// function; `decant-header` loads the library, calls it, and writes what it gets.
//
//   @c(decant_headers)
//   public func decant_headers(_ sink: CHeader.Sink, _ context: UnsafeMutableRawPointer?) -> Bool {
//     CHeader.write([CHeader("user.h", "Users.", [User.self])], to: sink, context)
//   }
//
// A struct is declared in the header that lists its model. One that none lists, such as a struct inside another,
// and an enum's constants are declared in the first header that needs them; the others include it.

public import DecantC

/// A header: its file, and the models that it declares.
public struct CHeader: Sendable {
  /// Such as `user.h`.
  public let file: String
  /// The first comment of the header.
  public let comment: String
  /// The models whose structs and functions it declares, in this order.
  public let models: [any CModel.Type]

  /// A header of some models.
  public init(_ file: String, _ comment: String, _ models: [any CModel.Type]) {
    self.file = file
    self.comment = comment
    self.models = models
  }

  /// An error in the declarations, such as a member that is a keyword of C.
  public struct Problem: Error, CustomStringConvertible {
    /// The message, with the name in question.
    public let description: String
  }

  /// The files and their texts.
  ///
  /// - Throws: A ``Problem`` if a C compiler would reject the text.
  public static func texts(_ headers: [CHeader]) throws(Problem) -> [(file: String, text: String)] {
    let plans = try HeaderPlan.all(headers)
    return plans.map { ($0.header.file, HeaderText($0).text) }
  }

  // MARK: - The door to decant-header

  /// The function that `decant-header` passes. It takes a file and its text; or the name of a function that the library must
  /// have, and no text; or no name, and an error.
  public typealias Sink =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
      _ text: UnsafePointer<CChar>?
    ) -> Void

  /// The body of a library's function `decant_headers`. Returns false after an error.
  @unsafe
  public static func write(
    _ headers: [CHeader], to sink: Sink, _ context: UnsafeMutableRawPointer?
  ) -> Bool {
    do {
      let plans = try HeaderPlan.all(headers)
      for plan in plans {
        let text = HeaderText(plan)
        unsafe sink(context, plan.header.file, text.text)
        for function in text.functions { unsafe sink(context, function, nil) }
      }
      return true
    } catch {
      unsafe sink(context, nil, error.description)
      return false
    }
  }
}
