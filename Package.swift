// swift-tools-version: 6.3
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

// Where compilers find libjansson without being told, SwiftPM need not look, nor warn where it is missing.
#if os(macOS)
  let janssonPackage: String? = "jansson"
#else
  let janssonPackage: String? = nil
#endif

let package = Package(
  name: "Decant",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Decant", targets: ["Decant"]),
    .library(name: "DecantCore", targets: ["DecantCore"]),
    .library(name: "DecantCodable", targets: ["DecantCodable"]),
    .library(name: "DecantFoundation", targets: ["DecantFoundation"]),
    .library(name: "DecantNetworking", targets: ["DecantNetworking"]),
    .library(name: "DecantOptionalOperators", targets: ["DecantOptionalOperators"]),
    .library(name: "DecantC", targets: ["DecantC"]),
    .library(name: "DecantShared", type: .dynamic, targets: ["DecantC"]),
    .library(name: "DecantHeader", targets: ["DecantHeader"]),
    .executable(name: "decant-header", targets: ["decant-header"]),
    .plugin(name: "GenerateHeaders", targets: ["GenerateHeaders"]),
  ],
  traits: [
    .trait(name: "Jansson", description: "The second engine, where libjansson is installed."),
    .trait(
      name: "JanssonRequired", description: "Fails to build where libjansson is not installed.",
      enabledTraits: ["Jansson"]),
    .trait(
      name: "PublicLayoutsOnly",
      description: "Relies on no private layout of the Swift standard library."),
    .default(enabledTraits: ["Jansson"]),
  ],
  targets: [
    .systemLibrary(
      name: "CJansson", pkgConfig: janssonPackage,
      providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),
    .target(
      name: "CJanssonLink", dependencies: ["CJansson"],
      cSettings: [.define("DECANT_JANSSON_REQUIRED", .when(traits: ["JanssonRequired"]))]),
    .target(name: "CDecant", path: "Include", publicHeadersPath: "."),
    .target(
      name: "CDecantIndex",
      cSettings: [.define("DECANT_PUBLIC_LAYOUTS_ONLY", .when(traits: ["PublicLayoutsOnly"]))]),
    .target(name: "DecantCore", dependencies: ["CDecantIndex"], swiftSettings: strict),
    .target(
      name: "DecantJansson",
      dependencies: [
        "DecantCore",
        .target(name: "CJansson", condition: .when(traits: ["Jansson"])),
        .target(name: "CJanssonLink", condition: .when(traits: ["Jansson"])),
      ],
      swiftSettings: strict),
    .target(name: "DecantOperators", dependencies: ["DecantCore"], swiftSettings: strict),
    .target(name: "DecantVocabulary", dependencies: ["DecantCore"], swiftSettings: strict),
    .target(
      name: "DecantCodable", dependencies: ["DecantCore", "CDecantIndex"], swiftSettings: strict),
    .target(name: "CDecantSystem"),
    .target(
      name: "DecantLines",
      dependencies: ["DecantCore", "DecantCodable", "CDecantIndex", "CDecantSystem"],
      swiftSettings: strict),
    .target(
      name: "DecantFoundation", dependencies: ["DecantCore", "DecantCodable"],
      swiftSettings: strict),
    .target(
      name: "DecantOptionalOperators", dependencies: ["DecantCore", "DecantOperators"],
      swiftSettings: strict),
    .target(
      name: "DecantNetworking", dependencies: ["Decant", "DecantFoundation"], swiftSettings: strict
    ),
    .target(
      name: "DecantC",
      dependencies: [
        "DecantCore", "CDecant", "CDecantIndex",
        .target(name: "DecantJansson", condition: .when(traits: ["Jansson"])),
      ],
      swiftSettings: strict),
    .target(name: "DecantHeader", dependencies: ["DecantC"], swiftSettings: strict),
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
    .target(
      name: "Decant",
      dependencies: [
        "DecantCore", "DecantCodable", "DecantLines", "DecantOperators", "DecantVocabulary",
        .target(name: "DecantJansson", condition: .when(traits: ["Jansson"])),
      ],
      swiftSettings: strict),
    .target(
      name: "CDecantTestSupport", dependencies: ["CDecantIndex"], path: "Tests/CDecantTestSupport"),
    .target(
      name: "DecantTestSupport", dependencies: ["Decant", "CDecantTestSupport"],
      path: "Tests/DecantTestSupport", swiftSettings: strict),
    .testTarget(
      name: "DecantCoreTests",
      dependencies: ["Decant", "CDecantTestSupport", "DecantTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "DecantOperatorsTests", dependencies: ["Decant", "DecantTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DecantCodableTests",
      dependencies: [
        "CDecantTestSupport", "Decant", "DecantCodable", "DecantFoundation", "DecantTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "DecantLinesTests", dependencies: ["Decant", "DecantFoundation", "DecantTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DecantFoundationTests",
      dependencies: ["Decant", "DecantFoundation", "DecantTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "VocabularyTests",
      dependencies: [
        "Decant", "DecantOptionalOperators", "DecantFoundation", "DecantTestSupport",
      ],
      path: "Tests/Vocabulary", swiftSettings: strict),
    .testTarget(
      name: "DecantNetworkingTests",
      dependencies: [
        "Decant", "DecantNetworking", "DecantOptionalOperators", "DecantTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DecantJanssonTests",
      dependencies: [
        "Decant", "DecantTestSupport",
        .target(name: "CJansson", condition: .when(traits: ["Jansson"])),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DecantCTests", dependencies: ["DecantC", "CDecant", "CDecantIndex", "DecantCore"],
      swiftSettings: checked),
    .testTarget(
      name: "DecantHeaderTests", dependencies: ["DecantC", "DecantHeader"],
      exclude: ["Golden"], swiftSettings: checked),
    .testTarget(
      name: "ErrorTests",
      dependencies: [
        "CDecant", "Decant", "DecantC", "DecantTestSupport",
        .target(name: "CJansson", condition: .when(traits: ["Jansson"])),
      ],
      path: "Tests/Errors", exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "ConformanceTests", dependencies: ["Decant", "DecantTestSupport"],
      path: "Tests/Conformance", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11
)
