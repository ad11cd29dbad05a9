// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Linkage",
  dependencies: [.package(name: "Decant", path: "../..")],
  targets: [
    .executableTarget(
      name: "Linkage", dependencies: [.product(name: "Decant", package: "Decant")])
  ]
)
