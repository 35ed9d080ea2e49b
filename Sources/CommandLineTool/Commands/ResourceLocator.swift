package import Foundation

/// Finds the files that ship with the executable. It first searches next to the executable, where `Scripts/install`
/// puts these files. It then searches the build folder in the working directory.
///
/// It does not use `Bundle.module`, which traps if the executable has been moved.
package struct ResourceLocator: Sendable {
  /// The folders to search, in search order.
  package let locations: [URL]

  /// - Parameters:
  ///  - executable: the running executable, with symbolic links resolved.
  ///  - workingDirectory: the directory that contains the build folder.
  package init(executable: URL, workingDirectory: URL) {
    let build = workingDirectory.appending(path: ".build")
    let own = executable.deletingLastPathComponent()
    let installed = own.deletingLastPathComponent().appending(path: "share/fetcher")
    let folders = { Self.resources(of: "FetcherApp", in: $0).map { $0.appending(path: "Resources") } }
    locations = folders(own) + [installed] + Self.builds.flatMap { folders(build.appending(path: $0)) }
  }

  /// The folders of built products, below `.build`. On Apple platforms, Swift 6.4 has another one.
  private static var builds: [String] {
    #if os(Linux)
      ["debug", "release"]
    #else
      ["debug", "release", "out/Products/Debug", "out/Products/Release"]
    #endif
  }

  /// The folders in which a build places the resources of a target. On Apple platforms, the folder depends on the build
  /// system.
  package static func resources(of target: String, in folder: URL) -> [URL] {
    #if os(Linux)
      return [folder.appending(path: "swift-fetcher-lab_\(target).resources")]
    #else
      let bundle = folder.appending(path: "swift-fetcher-lab_\(target).bundle")
      return [bundle, bundle.appending(path: "Contents/Resources")]
    #endif
  }

  /// The locator for the current process.
  package static var ofProcess: ResourceLocator {
    let executable = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    return ResourceLocator(
      executable: executable.resolvingSymlinksInPath(),
      workingDirectory: URL(filePath: FileManager.default.currentDirectoryPath))
  }

  /// Returns the folder with this name in the first location that contains it.
  ///
  /// - Throws: a failure with code 4 that lists all locations.
  package func folder(_ name: String) throws(CommandFailure) -> URL {
    for location in locations {
      let folder = location.appending(path: name)
      var isDirectory: ObjCBool = false
      if FileManager.default.fileExists(atPath: folder.path, isDirectory: &isDirectory), isDirectory.boolValue {
        return folder
      }
    }
    let list = locations.map { "  \($0.path)" }.joined(separator: "\n")
    throw .cannotStart(
      "fetcher's folder \"\(name)\" was not found. It was expected next to the executable, in the installation, or in the build folder:\n\(list)"
    )
  }
}
