import Foundation

/// The files of one folder, reached by paths that come from outside.
///
/// Paths are bytes here: as a `String`, another folder could have the same name, and `/` with a combining mark would
/// separate nothing.
struct StaticFiles: Sendable {
  /// Without a separator at its end.
  private let root: [UInt8]

  /// Nil when the folder does not exist.
  init?(_ directory: URL) {
    guard directory.isFileURL, let root = resolvedPath(Array(directory.path.utf8)) else { return nil }
    self.root = root == Array("/".utf8) ? [] : root
  }

  /// The file of a decoded path of a request, or nil when there is none, or none inside the folder.
  func file(at path: OriginPath) throws(NoDescriptor) -> (file: OpenFile, mediaType: String)? {
    let bytes = Array(path.text.utf8)
    guard bytes.first == Self.separator, !bytes.contains(0) else { return nil }
    // Not even a way out that comes back in: it would reveal what lies outside.
    guard !bytes.split(separator: Self.separator).contains(where: { $0.elementsEqual("..".utf8) }) else { return nil }
    if let file = try open(bytes) { return (file, mediaType(ofPath: path.text)) }
    return try open(bytes + "/index.html".utf8).map { ($0, mediaType(ofPath: "index.html")) }
  }

  private func open(_ path: [UInt8]) throws(NoDescriptor) -> OpenFile? {
    guard path.last != Self.separator, let resolved = resolvedPath(root + path),
      resolved.starts(with: root + [Self.separator])
    else { return nil }
    return try OpenFile(path: resolved)
  }

  private static let separator = UInt8(ascii: "/")
}
