// swift-tools-version: 6.2
// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The benchmarks: Decant and its rivals over the same documents, the same models and the same run.
// A package of its own, so that the library never depends on a rival. `run` builds and runs it.

import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "decant-benchmarks",
  products: [
    .executable(name: "decant-benchmarks", targets: ["decant-benchmarks"]),
    .executable(name: "decant-allocations", targets: ["decant-allocations"]),
  ],
  dependencies: [
    .package(name: "Decant", path: "../..")
  ],
  targets: [
    // What C, C++ and Swift contenders share: the works, the checksum, the interface of a C
    // contender.
    .target(name: "BenchmarkSupport", cSettings: [.unsafeFlags(["-O3"])]),
    // What contenders in C share besides: models that own what they point to.
    .target(
      name: "BenchmarkModels", dependencies: ["BenchmarkSupport"],
      cSettings: [.unsafeFlags(["-O3"])]),
    // Contenders in C. Those in C++ are libraries of their own (Rivals/).
    .target(
      name: "RivalJansson",
      dependencies: ["BenchmarkModels"],
      cSettings: [.unsafeFlags(["-O3"])],
      linkerSettings: [.linkedLibrary("jansson")]
    ),
    .target(
      name: "DecantRecords",
      dependencies: ["BenchmarkModels", .product(name: "DecantC", package: "Decant")],
      cSettings: [.unsafeFlags(["-O3"])]
    ),
    // The documents, and every contender's models and decoding.
    .target(name: "Corpora", swiftSettings: strict),
    .target(
      name: "Contenders",
      dependencies: [
        "BenchmarkSupport", "Corpora", "DecantRecords", "RivalJansson",
        .product(name: "Decant", package: "Decant"),
        .product(name: "DecantJansson", package: "Decant"),
      ],
      swiftSettings: strict
    ),
    // The stopwatch, with the system's malloc untouched.
    .executableTarget(
      name: "decant-benchmarks",
      dependencies: [
        "Contenders", "Corpora", .product(name: "DecantFoundation", package: "Decant"),
        .product(name: "DecantLines", package: "Decant"),
      ],
      swiftSettings: strict
    ),
    // The counter: malloc and its family are defined in this executable, and in no other.
    .target(name: "AllocationMeter", cSettings: [.unsafeFlags(["-O3", "-fno-builtin"])]),
    .executableTarget(
      name: "decant-allocations",
      dependencies: ["AllocationMeter", "Contenders", "Corpora"],
      swiftSettings: strict
    ),
  ]
)
