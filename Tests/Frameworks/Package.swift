// swift-tools-version: 6.2
import PackageDescription

// The adapters that the page "In frameworks" has, without flags, as users write them; and a program that uses them.
let decant: [Target.Dependency] = ["DecantCodable", "DecantFoundation"].map {
  .product(name: $0, package: "Decant")
}
let frameworks: [Target.Dependency] = [
  "NIOCore", "Vapor4", "Vapor5", "Hummingbird", "AWSLambdaRuntime", "Alamofire", "OpenCombine",
].map { .product(name: $0, package: "StandIns") }

func adapter(_ name: String, _ framework: String) -> Target {
  .target(
    name: name, dependencies: decant + [.product(name: framework, package: "StandIns")],
    path: "Adapters/\(name)")
}

let package = Package(
  name: "Frameworks",
  dependencies: [.package(name: "Decant", path: "../.."), .package(path: "StandIns")],
  targets: [
    adapter("Vapor4Adapter", "Vapor4"),
    adapter("Vapor5Adapter", "Vapor5"),
    adapter("HummingbirdAdapter", "Hummingbird"),
    adapter("LambdaAdapter", "AWSLambdaRuntime"),
    adapter("AlamofireAdapter", "Alamofire"),
    adapter("OpenCombineAdapter", "OpenCombine"),
    .target(
      name: "Errors", dependencies: [.product(name: "Decant", package: "Decant")],
      path: "Adapters/Errors"),
    .executableTarget(
      name: "Frameworks",
      dependencies: decant + frameworks + [
        "Vapor4Adapter", "Vapor5Adapter", "HummingbirdAdapter", "LambdaAdapter",
        "AlamofireAdapter", "OpenCombineAdapter", "Errors",
        .product(name: "Decant", package: "Decant"),
      ]),
  ]
)
