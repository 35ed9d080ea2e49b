import Foundation

/// Finds the files that come with the executable: beside the executable, where `Scripts/install` puts them, then in the build folder
/// of the working directory.
///
/// Not `Bundle.module`, which traps once the executable has been moved.
struct ResourceLocator: Sendable {
  /// The folders that are searched, in this order.
  let locations: [URL]

  /// - Parameters:
  ///   - executable: the file that is running, symbolic links resolved.
  ///   - workingDirectory: where the build folder is searched.
  init(executable: URL, workingDirectory: URL) {
    #if os(Linux)
      let bundle = "swift-fetcher-lab_FetcherApp.resources"
    #else
      let bundle = "swift-fetcher-lab_FetcherApp.bundle"
    #endif
    let build = workingDirectory.appending(path: ".build")
    let own = executable.deletingLastPathComponent()
    let builds = [own, build.appending(path: "debug"), build.appending(path: "release")].map {
      $0.appending(path: bundle).appending(path: "Resources")
    }
    locations = [builds[0], own.deletingLastPathComponent().appending(path: "share/fetcher")] + builds.dropFirst()
  }

  /// The locator of the running process.
  static var ofProcess: ResourceLocator {
    let executable = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    return ResourceLocator(
      executable: executable.resolvingSymlinksInPath(),
      workingDirectory: URL(filePath: FileManager.default.currentDirectoryPath))
  }

  /// The folder of that name in the first of them that has it.
  ///
  /// - Throws: a failure with code 4 that names each of them.
  func folder(_ name: String) throws(CommandFailure) -> URL {
    for location in locations {
      let folder = location.appending(path: name)
      var isDirectory: ObjCBool = false
      if FileManager.default.fileExists(atPath: folder.path, isDirectory: &isDirectory), isDirectory.boolValue {
        return folder
      }
    }
    let list = locations.map { "  \($0.path)" }.joined(separator: "\n")
    throw .cannotStart(
      "the folder \"\(name)\" of fetcher was not found. Looked beside the executable, where it would be installed, and in the build folder:\n\(list)"
    )
  }
}
