// swift-tools-version: 6.2
// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The examples: models, a Swift program and a C library over them. A package of its own, as a user
// of Decant would write it. `./run` builds and runs everything, the C program too.

import PackageDescription

/// The final program of an article about decoding JSON, in modern Swift.
func article(_ name: String, _ products: String...) -> Target {
  .executableTarget(
    name: "Article\(name)",
    dependencies: (["Decant"] + products).map { .product(name: $0, package: "Decant") },
    path: "Articles/\(name)")
}

// SwiftPM names a package by its folder. A checkout in a folder `examples` would be this package, and gets another name by
// a link, which `./run` makes.
let checkout = Context.packageDirectory.split(separator: "/").dropLast().last?.lowercased()
let decant = checkout == "examples" ? ".build/Decant" : ".."

let package = Package(
  name: "DecantExamples",
  products: [
    .executable(name: "decant-examples", targets: ["DecantExamples"]),
    .executable(name: "decant-lines", targets: ["DecantLinesExample"]),
    .library(name: "ExampleModels", type: .dynamic, targets: ["ExampleModelsC"]),
  ],
  dependencies: [
    .package(name: "Decant", path: decant)
  ],
  targets: [
    // The models, each in another of Decant's spellings.
    .target(
      name: "ExampleModels",
      dependencies: [
        .product(name: "Decant", package: "Decant"), .product(name: "DecantC", package: "Decant"),
      ],
      path: "Models"),

    // The same models for C: their structs, and the functions of the headers in Include.
    .target(
      name: "ExampleModelsC",
      dependencies: [
        "ExampleModels", .product(name: "Decant", package: "Decant"),
        .product(name: "DecantC", package: "Decant"),
        .product(name: "DecantHeader", package: "Decant"),
      ],
      path: "CModels",
      linkerSettings: [
        .unsafeFlags(
          [
            "-Xlinker",
            "--version-script=\(Context.packageDirectory)/ExampleModels.exports",
          ], .when(platforms: [.linux]))
      ]),

    .executableTarget(
      name: "DecantExamples",
      dependencies: [
        "ExampleModels", .product(name: "Decant", package: "Decant"),
        .product(name: "DecantJansson", package: "Decant"),
        .product(name: "DecantLines", package: "Decant"),
      ],
      path: "Swift"),

    .executableTarget(
      name: "DecantLinesExample",
      dependencies: [
        "ExampleModels", .product(name: "Decant", package: "Decant"),
        .product(name: "DecantLines", package: "Decant"),
      ],
      path: "Lines"),

    article("Thoughtbot", "DecantFoundation", "DecantOptionalOperators"),
    article("Flickr", "DecantFoundation", "DecantOptionalOperators", "DecantVocabulary"),
    article("Mapper", "DecantFoundation", "DecantVocabulary"),
    article("Argo", "DecantVocabulary"),
    article("Apple"),
  ],
  swiftLanguageModes: [.v6]
)
