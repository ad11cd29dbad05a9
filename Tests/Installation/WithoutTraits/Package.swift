// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Client",
  dependencies: [.package(name: "Decant", path: "../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Client", dependencies: [.product(name: "DecantCodable", package: "Decant")])
  ]
)
