// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The compiler's plugin. It exchanges messages in JSON with the compiler, over standard input and output. Each message
// follows its length in eight bytes, little-endian. It does not need swift-syntax: a declaration arrives as text.

import Foundation

/// Receives messages and replies to them, until the compiler has no more.
struct Plugin {
  private let input = FileHandle.standardInput
  private let output = FileHandle.standardOutput

  func run() {
    while let message = receive() {
      guard let request = try? JSONDecoder().decode(Request.self, from: message) else {
        send(Response(expandMacroResult: nil))
        continue
      }
      if request.getCapability != nil {
        send(
          Response(getCapabilityResult: .init(capability: .init(protocolVersion: 7, features: []))))
      } else if let expansion = request.expandAttachedMacro {
        let (text, diagnostics) = Expansion(expansion).result
        send(Response(expandMacroResult: .init(expandedSource: text, diagnostics: diagnostics)))
      } else {
        send(Response(expandMacroResult: .init(expandedSource: nil, diagnostics: [])))
      }
    }
  }

  private func receive() -> Data? {
    guard let head = try? input.read(upToCount: 8), head.count == 8 else { return nil }
    let count = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    return try? input.read(upToCount: count)
  }

  private func send(_ response: Response) {
    guard let body = try? JSONEncoder().encode(response) else { return }
    var message = Data()
    withUnsafeBytes(of: UInt64(body.count).littleEndian) { message.append(contentsOf: $0) }
    message.append(body)
    output.write(message)
  }
}

Plugin().run()
