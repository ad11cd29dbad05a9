// swift-tools-version: 6.2
import PackageDescription

// A client as a user writes it: no flags, no settings, nothing unsafe.
let package = Package(
  name: "Client",
  dependencies: [.package(name: "Decant", path: "../..")],
  targets: [
    .executableTarget(
      name: "Client",
      dependencies: [
        .product(name: "Decant", package: "Decant"),
        .product(name: "DecantFoundation", package: "Decant"),
        .product(name: "DecantJansson", package: "Decant"),
        .product(name: "DecantVocabulary", package: "Decant"),
      ])
  ]
)
