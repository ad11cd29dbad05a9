// swift-tools-version: 6.2
import PackageDescription

// A package of models for C programs, as a user writes it: no flags, nothing unsafe, one dynamic library.
let package = Package(
  name: "Downstream",
  products: [.library(name: "Shop", type: .dynamic, targets: ["Shop"])],
  dependencies: [.package(name: "Decant", path: "../..")],
  targets: [
    .target(
      name: "Shop",
      dependencies: [
        .product(name: "Decant", package: "Decant"),
        .product(name: "DecantC", package: "Decant"),
        .product(name: "DecantHeader", package: "Decant"),
      ])
  ]
)
