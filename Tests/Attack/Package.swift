// swift-tools-version: 6.2
// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Hostile shapes and everyday loops, measured, and recursive models on small stacks: `run` builds it and makes the
// tables.

import PackageDescription

let package = Package(
  name: "decant-attack",
  dependencies: [.package(name: "Decant", path: "../..")],
  targets: [
    .target(name: "CUses", dependencies: [.product(name: "DecantC", package: "Decant")]),
    .executableTarget(
      name: "decant-attack",
      dependencies: [
        "CUses", .product(name: "Decant", package: "Decant"),
        .product(name: "DecantC", package: "Decant"),
        .product(name: "DecantColumns", package: "Decant"),
        .product(name: "DecantJansson", package: "Decant"),
        .product(name: "DecantLines", package: "Decant"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)], linkerSettings: [.linkedLibrary("jansson")]),
    .executableTarget(
      name: "decant-stacks",
      dependencies: [
        "CUses", .product(name: "Decant", package: "Decant"),
        .product(name: "DecantC", package: "Decant"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ]
)
