// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Hello",
  dependencies: [.package(name: "Decant", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Hello", dependencies: [.product(name: "DecantCore", package: "Decant")])
  ]
)
