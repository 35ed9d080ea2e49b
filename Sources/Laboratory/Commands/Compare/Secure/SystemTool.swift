import CommandLineTool
import Foundation

/// A system program required for comparisons over https.
enum SystemTool: String {
  case nginx, openssl, unshare

  /// The folders to search: those in PATH, and the system administration folders, which are often missing from an
  /// ordinary user's PATH.
  private static var folders: [String] {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
      + ["/usr/sbin", "/sbin", "/usr/local/sbin", "/usr/bin", "/bin"]
  }

  private var package: String { self == .unshare ? "util-linux" : rawValue }

  /// Returns the location of the executable.
  ///
  /// - Throws: a failure that names the package to install.
  func find(in folders: [String] = Self.folders) throws(CommandFailure) -> URL {
    let paths = folders.map { "\($0)/\(rawValue)" }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
      throw .cannotStart(
        "\(rawValue) is not installed, but https measurements require it: install the package \(package), for example "
          + "with `sudo apt-get install \(package)`")
    }
    return URL(filePath: path)
  }
}

extension ChildProcess {
  /// Runs a tool until it exits and returns everything that it printed.
  ///
  /// - Throws: a failure with the last line of the output if the tool fails.
  @discardableResult
  static func output(
    of tool: URL, _ words: [String], _ shutdown: Shutdown
  ) async throws(CommandFailure) -> String {
    // A shell redirects standard error to standard output, so that the terminal shows no error messages.
    let shell = ChildProcess(executable: URL(filePath: "/bin/sh"), shutdown: shutdown)
    let outcome = try await shell.run(["-c", #"exec "$@" 2>&1"#, "sh", tool.path] + words, limit: .seconds(60))
    let text = String(decoding: outcome.output, as: UTF8.self)
    guard outcome.end == .exited(0) else {
      let last = text.split(separator: "\n").last.map(String.init) ?? "\(outcome.end)"
      let name = "\(tool.lastPathComponent): "
      throw .cannotStart(last.hasPrefix(name) ? last : name + last)
    }
    return text
  }
}
