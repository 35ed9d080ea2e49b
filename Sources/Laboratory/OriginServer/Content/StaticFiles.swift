import Foundation

/// The files of one folder, reached by paths that come from outside.
///
/// Paths are bytes here: as a `String`, another folder could have the same name, and `/` with a combining mark would
/// separate nothing.
struct StaticFiles: Sendable {
  /// Without links, and without a separator at its end.
  private let root: [UInt8]

  /// Nil when the folder does not exist.
  init?(_ directory: URL) {
    guard directory.isFileURL, let root = resolvedPath(Array(directory.path.utf8)) else { return nil }
    self.root = root == [Self.separator] ? [] : root
  }

  /// The file of a decoded path of a request, or nil when there is none, or none inside the folder.
  func file(at path: OriginPath) throws(NoDescriptor) -> (file: OpenFile, mediaType: String)? {
    let bytes = Array(path.text.utf8)
    guard bytes.first == Self.separator else { return nil }
    if let file = try open(bytes) { return (file, mediaType(ofPath: path.text)) }
    return try open(bytes + "/index.html".utf8).map { ($0, mediaType(ofPath: "index.html")) }
  }

  /// Opens the file at a path that begins with a separator. Nil when there is none, or none inside the folder.
  func open(_ path: [UInt8]) throws(NoDescriptor) -> OpenFile? {
    // Not even a way out that comes back in: it would reveal what lies outside.
    guard !path.contains(0), !PathWalk.names(path).contains(Array("..".utf8)) else { return nil }
    do throws(NoDescriptor) {
      var walk = try PathWalk(from: root, along: path)
      return try walk?.openFile()
    } catch {
      // Only where there is something, so that the lack does not concern other requests.
      guard let resolved = resolvedPath(root + path), resolved.starts(with: root + [Self.separator]) else { return nil }
      throw error
    }
  }

  private static let separator = UInt8(ascii: "/")
}
