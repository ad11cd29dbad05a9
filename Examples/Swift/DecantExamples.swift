// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The example program. Without a file it decodes the documents in Data; with one it shows the
// document's shape, and models that read it.

import Decant
import Glibc

@main
enum DecantExamples {
  static func main() {
    do throws(Failure) {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      switch arguments.command {
      case .help: print(Arguments.help)
      case .generate(let size): try Output.write(generatedUsers(atLeast: size))
      case .file(let path): try OwnDocument(path, engine: arguments.engine).show()
      case .tour(let data, let large):
        try Tour(data: data, large: large, engine: arguments.engine).run()
      }
    } catch {
      fflush(nil)
      Output.complain(error.message)
      exit(error.status)
    }
  }
}

/// What ends the program early: one line for standard error, and the exit status.
struct Failure: Error {
  let message: String
  let status: Int32

  /// A call that cannot be answered, a file that cannot be read.
  static func usage(_ message: String) -> Failure { Failure(message: message, status: 2) }

  /// A document that is wrong.
  static func document(_ message: String) -> Failure { Failure(message: message, status: 1) }
}
