import Foundation

/// The files of one folder, reached by paths that come from outside.
struct StaticFiles: Sendable {
  private let root: String

  /// Nil when the folder does not exist.
  init?(_ directory: URL) {
    guard directory.isFileURL, let root = resolvedPath(directory.path) else { return nil }
    self.root = root == "/" ? "" : root
  }

  /// The file of a decoded path of a request, or nil when there is none, or none inside the folder.
  func file(at path: String) -> (file: OpenFile, mediaType: String)? {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
    // Not even a way out that comes back in: it would tell what lies outside.
    guard !path.split(separator: "/").contains("..") else { return nil }
    return open(path) ?? open(path + "/index.html")
  }

  private func open(_ path: String) -> (file: OpenFile, mediaType: String)? {
    guard !path.hasSuffix("/"), let resolved = resolvedPath(root + path), resolved.hasPrefix(root + "/"),
      let file = OpenFile(path: resolved)
    else { return nil }
    return (file, mediaType(ofPath: path))
  }
}
