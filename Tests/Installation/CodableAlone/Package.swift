// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "CodableAlone",
  dependencies: [.package(name: "Decant", path: "../../..")],
  targets: [
    .executableTarget(
      name: "CodableAlone", dependencies: [.product(name: "DecantCodable", package: "Decant")])
  ]
)
