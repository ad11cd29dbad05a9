// swift-tools-version: 6.2
import PackageDescription

// Protocols of frameworks. A package of its own, as theirs are: an adapter owns neither the type nor the protocol.
func standIn(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: name,
    swiftSettings: [
      .enableExperimentalFeature("Lifetimes"), .enableUpcomingFeature("InternalImportsByDefault"),
    ])
}

let targets = [
  standIn("NIOCore"),
  standIn("HTTPTypes"),
  standIn("Vapor4", ["NIOCore"]),
  standIn("Vapor5", ["HTTPTypes"]),
  standIn("Hummingbird", ["HTTPTypes", "NIOCore"]),
  standIn("AWSLambdaRuntime", ["NIOCore"]),
  standIn("Alamofire"),
  standIn("OpenCombine"),
]

let package = Package(
  name: "StandIns", products: targets.map { .library(name: $0.name, targets: [$0.name]) },
  targets: targets)
