// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The rivals in C++ (Rivals/): from a shared library, of which `rivals.sh` compiles one for each set of processor
// features.

import BenchmarkSupport
import Glibc

/// The rivals of the library that `DECANT_RIVALS` names; none without it.
enum Rivals {
  static var contenders: [ForeignContender] {
    ["simdjson_ondemand_contender", "yyjson_contender"].compactMap { name in
      symbol(name).map { ForeignContender($0.load(as: benchmark_contender.self)) }
    }
  }

  static var writers: [benchmark_writer] {
    ["yyjson_writer", "rapidjson_writer"].compactMap { symbol($0)?.load(as: benchmark_writer.self) }
  }

  static var messages: [benchmark_messages] {
    ["yyjson_messages"].compactMap { symbol($0)?.load(as: benchmark_messages.self) }
  }

  /// Who they are, and what their code was compiled for.
  static var features: String? {
    typealias Features = @convention(c) () -> UnsafePointer<CChar>
    let parts = ["simdjson_features", "yyjson_features", "rapidjson_features"].compactMap { name in
      symbol(name).map { String(cString: unsafeBitCast($0, to: Features.self)()) }
    }
    guard !parts.isEmpty, let path = getenv("DECANT_RIVALS") else { return nil }
    let target = String(cString: path).split(separator: "/").dropLast().last ?? "native"
    return parts.joined(separator: ", ") + ", compiled for \(target)"
  }

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    guard let path = getenv("DECANT_RIVALS"), path[0] != 0 else { return nil }
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL), let symbol = dlsym(library, name)
    else { fatalError(String(cString: dlerror())) }
    return symbol
  }
}

/// The kernel in use, and the rivals: what a table's reader must know of its run.
public var processorFeatures: String {
  "Decant's kernel \(decantKernel)" + (Rivals.features.map { "; \($0)" } ?? "")
}
