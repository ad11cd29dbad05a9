// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The command of SwiftPM: builds a dynamic library of models and runs `decant-header` on it.
//
//   swift package decant-header [--check] [--product NAME] [--output FOLDER]
//
//   --product NAME    the library; the package's only dynamic one
//   --output FOLDER   where the headers are, from the package's folder; Include

import Foundation
import PackagePlugin

@main
struct GenerateHeaders: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var words = ArgumentExtractor(arguments)
    let product = words.extractOption(named: "product").last ?? onlyLibrary(of: context.package)
    let folder = words.extractOption(named: "output").last ?? "Include"
    let isCheck = words.extractFlag(named: "check") > 0
    guard let product, words.remainingArguments.isEmpty else {
      throw Failure("usage: swift package decant-header [--check] --product NAME [--output FOLDER]")
    }

    let build = try packageManager.build(
      .product(product), parameters: .init(configuration: .inherit, logging: .concise))
    let libraries = build.builtArtifacts.filter { $0.kind == .dynamicLibrary }
    guard build.succeeded, let library = libraries.first(where: { isOf(product, $0.url) }) else {
      throw Failure(
        build.succeeded ? "\(product) is no dynamic library" : "\(build.logText)\nthe build failed")
    }

    let tool = Process()
    tool.executableURL = try context.tool(named: "decant-header").url
    tool.arguments =
      (isCheck ? ["--check"] : [])
      + [
        "--output", URL(filePath: folder, relativeTo: context.package.directoryURL).path,
        library.url.path,
      ]
    try tool.run()
    tool.waitUntilExit()
    if tool.terminationStatus != 0 {
      throw Failure(isCheck ? "the headers are out of date" : "the headers are not written")
    }
  }

  private func onlyLibrary(of package: Package) -> String? {
    let libraries = package.products.compactMap { $0 as? LibraryProduct }.filter {
      $0.kind == .dynamic
    }
    return libraries.count == 1 ? libraries[0].name : nil
  }

  private func isOf(_ product: String, _ file: URL) -> Bool {
    file.deletingPathExtension().lastPathComponent == "lib\(product)"
  }
}

private struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
