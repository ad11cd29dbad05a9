// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender simdjson.ondemand: see Sources/RivalSimdjson/simdjson_ondemand.cpp.

import RivalSimdjson

extension ForeignContender {
  static var simdjsonOnDemand: Self { Self(simdjson_ondemand_contender) }
}

/// The instruction sets of its inline half and of its first stage.
public var simdjsonKernels: String { String(cString: simdjson_ondemand_kernels()) }
