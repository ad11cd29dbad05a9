// swift-tools-version: 6.2
import PackageDescription

// The run script puts the address of a bare clone in the place of REPOSITORY.
let package = Package(
  name: "Client",
  dependencies: [
    .package(url: "REPOSITORY", from: "0.1.0", traits: [.defaults, "PublicLayoutsOnly"])
  ],
  targets: [
    .executableTarget(
      name: "Client", dependencies: [.product(name: "Decant", package: "Decant")])
  ]
)
