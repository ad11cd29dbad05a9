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
      name: "Client",
      dependencies: [
        "Decant", "DecantColumns", "DecantFoundation", "DecantHeader", "DecantJansson",
        "DecantLines", "DecantOptionalOperators", "DecantVocabulary",
      ].map { .product(name: $0, package: "Decant") })
  ]
)
