// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Files in and out, with the C library only.

import Glibc

enum Input {
  /// The bytes of a file, or of standard input for `-`.
  static func bytes(of path: String) throws(Failure) -> [UInt8] {
    let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { throw failure(path) }
    defer { if path != "-" { close(file) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(file, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { throw failure(path) }
    }
  }

  /// What messages call a file.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  private static func failure(_ path: String) -> Failure {
    .usage("cannot read \(name(path)): \(String(cString: strerror(errno)))")
  }
}

enum Output {
  static func write(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR {
        throw .usage("cannot write: \(String(cString: strerror(errno)))")
      }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// One line on standard error.
  static func complain(_ message: String) {
    let line = Array("decant-examples: \(message)\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
