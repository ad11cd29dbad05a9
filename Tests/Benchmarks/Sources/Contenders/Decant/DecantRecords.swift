// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contenders decant.c and decant.c.embedded: see Sources/DecantRecords/decant_records.c.

import BenchmarkSupport
import DecantRecords
import Glibc

extension ForeignContender {
  static var decantRecords: Self { Self(decant_records_contender) }

  /// The same over the library of Embedded Swift: its names would clash with the full library's, so it comes
  /// from a shared object that shows none of them. Nil without one.
  static var decantRecordsEmbedded: Self? {
    guard let path = getenv("DECANT_EMBEDDED_CONTENDER") else { return nil }
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL),
      let contender = dlsym(library, "decant_records_contender")
    else { fatalError(String(cString: dlerror())) }
    return Self(contender.load(as: benchmark_contender.self))
  }
}
