// swift-tools-version: 6.2
// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Hostile shapes, measured: `run` builds it and makes the table.

import PackageDescription

let package = Package(
  name: "decant-attack",
  dependencies: [.package(name: "Decant", path: "../..")],
  targets: [
    .executableTarget(
      name: "decant-attack", dependencies: [.product(name: "Decant", package: "Decant")],
      swiftSettings: [.treatAllWarnings(as: .error)], linkerSettings: [.linkedLibrary("jansson")])
  ]
)
