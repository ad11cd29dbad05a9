// swift-tools-version: 6.2
// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The fuzzer: libFuzzer over the library, one executable with all targets in Swift. `run` builds it with the
// instrumentation that libFuzzer reads, and runs it. Only this executable links libFuzzer: it brings a `main`, and the
// compiler's plugin, which is built with the same flags, has its own.

import PackageDescription

let package = Package(
  name: "decant-fuzz",
  dependencies: [.package(name: "Decant", path: "../..")],
  targets: [
    .target(name: "FuzzDriver"),
    .target(
      name: "FuzzTables",
      dependencies: [
        .product(name: "DecantCore", package: "Decant"),
        .product(name: "DecantC", package: "Decant"),
      ]),
    // Random documents over random shapes of types: a target of the fuzzer, and a program of its own.
    .target(
      name: "CodableShapes",
      dependencies: [
        .product(name: "DecantCodable", package: "Decant"),
        .product(name: "DecantFoundation", package: "Decant"),
      ]),
    .executableTarget(name: "codable-shapes", dependencies: ["CodableShapes"]),
    .executableTarget(
      name: "decant-fuzz",
      dependencies: [
        "CodableShapes", "FuzzDriver", "FuzzTables",
        .product(name: "DecantCodable", package: "Decant"),
        .product(name: "DecantC", package: "Decant"),
        .product(name: "DecantJansson", package: "Decant"),
      ],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
  ],
  swiftLanguageModes: [.v5]
)
