// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The native engine's first stage alone, and its kernels: what the report asks about, not a
// contender.

import CDecantIndex
import Corpora

/// Builds the structural index of a document so many times, and nothing more.
public func indexing(_ document: Document) -> (_ times: Int) throws -> Void {
  { times in
    let text = document.padded.assumingMemoryBound(to: UInt8.self)
    var rules = decant_rules()
    rules.maximum_bytes = .max
    rules.maximum_depth = 512
    rules.maximum_errors = 1
    let context = UnsafeMutablePointer<decant_context>.allocate(capacity: 1)
    defer { context.deallocate() }
    for _ in 0..<times {
      decant_context_prepare(context, text.baseAddress, text.count, &rules, nil, nil, 0, nil)
      guard decant_index_build(context) == 0 else { throw ContenderFailure() }
      decant_index_discard(context)
    }
  }
}

/// The kernel in use.
public var decantKernel: String { String(cString: decant_index_kernel()) }

/// Every kernel that this processor can run, fastest first.
public var decantKernels: [String] {
  (0...).lazy.map { decant_index_kernel_name($0) }.prefix { $0 != nil }.map { String(cString: $0!) }
}
