// swift-tools-version: 6.3
import CompilerPluginSupport
import PackageDescription

// Warnings are errors where the environment asks for it, as Tests/run does, and nowhere else: a compiler that warns of
// more than ours did must not keep anybody from building, and Xcode suppresses warnings in dependencies, which it
// cannot combine with this. Strict memory safety only warns, too, and takes time in every client's build.
let isChecked = Context.environment["DECANT_WARNINGS_ARE_ERRORS"] == "1"
let checked: [SwiftSetting] =
  (isChecked ? [.treatAllWarnings(as: .error)] : []) + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
  ]
let strict: [SwiftSetting] = checked + (isChecked ? [.strictMemorySafety()] : [])

// The engine is optimized in debug builds, too. Without -O2, checking a document of 550 KB takes 33.0 million instructions
// instead of 7.0, and decoding its 5,000 models in a debug build 96 million instead of 69.
let engine: [CSetting] = [.unsafeFlags(["-O2"], .when(configuration: .debug))]

// Where compilers find libjansson without being told, SwiftPM need not look, nor warn where it is missing.
#if os(macOS)
  let janssonPackage: String? = "jansson"
#else
  let janssonPackage: String? = nil
#endif

// Code of a module can be in all modules that import it, directly or through another. SwiftPM compiles a module anew if
// one has changed that it depends on or that is of a product that it depends on, and looks no further. So products and
// dependencies name all that their modules bring in.
let core = ["DecantCore", "CDecantIndex"]
let codable = ["DecantCodable"] + core
let decant = ["Decant", "DecantOperators"] + codable
let jansson = ["DecantJansson", "CJansson", "CJanssonLink"]
let onCore = core.map { Target.Dependency.target(name: $0) }
let onCodable = codable.map { Target.Dependency.target(name: $0) }
let onDecant = decant.map { Target.Dependency.target(name: $0) }
let onJansson = jansson.map { Target.Dependency.target(name: $0) }
let onTests = onDecant + onJansson + ["DecantTestSupport"]

// A module that imports DecantJansson needs libjansson's header. With this, the package itself builds without it:
// DecantC then has no second engine.
let withoutJansson: [CSetting] = [.define("DECANT_JANSSON_OPTIONAL")]

let package = Package(
  name: "Decant",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "Decant", targets: decant),
    .library(name: "DecantCore", targets: core),
    .library(name: "DecantCodable", targets: codable),
    .library(name: "DecantFoundation", targets: ["DecantFoundation"] + codable),
    .library(name: "DecantLines", targets: ["DecantLines"] + codable),
    .library(name: "DecantJansson", targets: ["DecantJansson"] + core),
    .library(name: "DecantVocabulary", targets: ["DecantVocabulary"] + core),
    .library(
      name: "DecantOptionalOperators",
      targets: ["DecantOptionalOperators", "DecantOperators"] + core),
    .library(name: "DecantColumns", targets: ["DecantColumns", "DecantC", "CDecant"] + core),
    .library(name: "DecantC", targets: ["DecantC", "CDecant"] + core),
    .library(name: "DecantShared", type: .dynamic, targets: ["DecantC"]),
    .library(name: "DecantHeader", targets: ["DecantHeader", "DecantC", "CDecant"] + core),
    .executable(name: "decant-header", targets: ["decant-header"]),
    .plugin(name: "GenerateHeaders", targets: ["GenerateHeaders"]),
  ],
  traits: [
    .trait(
      name: "PublicLayoutsOnly",
      description: "Relies on no private layout of the Swift standard library.")
  ],
  targets: [
    .systemLibrary(
      name: "CJansson", pkgConfig: janssonPackage,
      providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),
    .target(name: "CJanssonLink"),
    .target(name: "CDecant", path: "Include", publicHeadersPath: "."),
    .target(
      name: "CDecantIndex",
      cSettings: engine + [
        .define("DECANT_PUBLIC_LAYOUTS_ONLY", .when(traits: ["PublicLayoutsOnly"]))
      ]),
    .target(name: "DecantCore", dependencies: ["CDecantIndex"], swiftSettings: strict),
    .target(
      name: "DecantJansson",
      dependencies: onCore + ["CJansson", "CJanssonLink"], cSettings: withoutJansson,
      swiftSettings: strict),
    .target(name: "DecantOperators", dependencies: onCore, swiftSettings: strict),
    .target(name: "DecantVocabulary", dependencies: onCore, swiftSettings: strict),
    .target(name: "DecantCodable", dependencies: onCore, swiftSettings: strict),
    .target(name: "CDecantSystem"),
    .target(
      name: "DecantLines", dependencies: onCodable + ["CDecantSystem"], swiftSettings: strict),
    .target(name: "DecantFoundation", dependencies: onCodable, swiftSettings: strict),
    .target(
      name: "DecantOptionalOperators", dependencies: onCore + ["DecantOperators"],
      swiftSettings: strict),
    .target(
      name: "DecantC", dependencies: onCore + onJansson + ["CDecant", "DecantMacros"],
      swiftSettings: strict + [.define("DECANT_JANSSON")]),
    .target(
      name: "DecantColumns", dependencies: onCore + ["DecantC", "CDecant"], swiftSettings: strict),
    .target(
      name: "DecantHeader", dependencies: onCore + ["DecantC", "CDecant"], swiftSettings: strict),
    .executableTarget(name: "decant-header"),
    .plugin(
      name: "GenerateHeaders",
      capability: .command(
        intent: .custom(
          verb: "decant-header", description: "Writes the C headers of a library's models."),
        permissions: [
          .writeToPackageDirectory(reason: "The headers are written beside your sources.")
        ]),
      dependencies: ["decant-header"], path: "Sources/GenerateHeaders"),
    .macro(name: "DecantMacros"),
    .target(
      name: "Decant",
      dependencies: onCodable + ["DecantMacros", "DecantOperators"], swiftSettings: strict),
    .target(
      name: "CDecantTestSupport", dependencies: ["CDecantIndex"], path: "Tests/CDecantTestSupport"),
    .target(
      name: "DecantTestSupport",
      dependencies: onDecant + onJansson + ["CDecantTestSupport"],
      path: "Tests/DecantTestSupport", cSettings: withoutJansson, swiftSettings: strict),
    .testTarget(
      name: "DecantCoreTests",
      dependencies: onTests + ["CDecantTestSupport", "DecantVocabulary"], swiftSettings: strict),
    .testTarget(
      name: "DecantOperatorsTests", dependencies: onTests + ["DecantVocabulary"],
      swiftSettings: strict),
    .testTarget(
      name: "DecantCodableTests",
      dependencies: onTests + ["CDecantTestSupport", "DecantFoundation"], swiftSettings: strict),
    .testTarget(
      name: "DecantLinesTests",
      dependencies: onTests + ["DecantFoundation", "DecantLines", "DecantVocabulary"],
      swiftSettings: strict),
    .testTarget(
      name: "DecantFoundationTests", dependencies: onTests + ["DecantFoundation"],
      swiftSettings: strict),
    .testTarget(
      name: "VocabularyTests",
      dependencies: onTests + [
        "DecantFoundation", "DecantOptionalOperators", "DecantVocabulary",
      ],
      path: "Tests/Vocabulary", swiftSettings: strict),
    .testTarget(
      name: "ThoughtbotTests",
      dependencies: onTests + ["DecantFoundation", "DecantOptionalOperators"],
      path: "Tests/Thoughtbot", swiftSettings: strict),
    .testTarget(name: "DecantJanssonTests", dependencies: onTests, swiftSettings: strict),
    .testTarget(
      name: "DecantCTests",
      dependencies: onDecant + [
        "DecantC", "DecantColumns", "DecantFoundation", "CDecant",
      ],
      swiftSettings: checked),
    .testTarget(
      name: "DecantColumnsTests", dependencies: onCore + ["DecantC", "DecantColumns", "CDecant"],
      swiftSettings: checked),
    .testTarget(
      name: "DecantHeaderTests",
      dependencies: onDecant + ["DecantC", "DecantFoundation", "CDecant", "DecantHeader"],
      exclude: ["Golden"], swiftSettings: checked),
    .testTarget(
      name: "ErrorTests", dependencies: onTests + ["CDecant", "DecantC", "DecantVocabulary"],
      path: "Tests/Errors", exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "ModelTests", dependencies: onTests + ["DecantFoundation"],
      path: "Tests/Models", exclude: ["corpus.py", "run", "typed.py"], swiftSettings: strict),
    .testTarget(
      name: "ConformanceTests", dependencies: onTests,
      path: "Tests/Conformance", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11
)

// Chosen tests are built with what they need, and nothing else: `Tests/run swift FILTER`.
if let chosen = Context.environment["DECANT_TEST_MODULES"] {
  let modules = chosen.split(separator: " ").map(String.init)
  package.targets.removeAll { $0.type == .test && !modules.contains($0.name) }
}
