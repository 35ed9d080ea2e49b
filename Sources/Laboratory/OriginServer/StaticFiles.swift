import Foundation
import HTTPWire

/// The files in one folder, for access with untrusted paths.
///
/// Paths are bytes here. As `String` values, two different folders could have equal names, and `/` with a combining
/// mark would not be a separator.
struct StaticFiles: Sendable {
  /// The path of the folder, without symbolic links and without a trailing separator.
  private let root: [UInt8]

  /// Returns nil if the folder does not exist.
  init?(_ directory: URL) {
    guard directory.isFileURL, let root = resolvedPath(Array(directory.path.utf8)) else { return nil }
    self.root = root == [Self.separator] ? [] : root
  }

  /// Returns the file at a request's decoded path. Returns nil if the file does not exist or is outside the folder.
  func file(at path: OriginPath) throws(NoDescriptor) -> (file: OpenFile, mediaType: String)? {
    let bytes = Array(path.text.utf8)
    guard bytes.first == Self.separator else { return nil }
    if let file = try open(bytes) { return (file, mediaType(ofPath: path.text)) }
    return try open(bytes + "/index.html".utf8).map { ($0, mediaType(ofPath: "index.html")) }
  }

  /// Opens the file at a path that starts with a separator. Returns nil if the file does not exist or is outside the
  /// folder.
  func open(_ path: [UInt8]) throws(NoDescriptor) -> OpenFile? {
    // Also reject a path that leaves the folder and returns to the folder, because such a path would reveal what exists
    // outside.
    guard !path.contains(0), !PathResolver.names(path).contains(Array("..".utf8)) else { return nil }
    do throws(NoDescriptor) {
      var walk = try PathResolver(from: root, along: path)
      return try walk?.openFile()
    } catch {
      // Throw only if something exists at the path, so that a request for a missing file gets nil even without free
      // descriptors.
      guard let resolved = resolvedPath(root + path), resolved.starts(with: root + [Self.separator]) else { return nil }
      throw error
    }
  }

  private static let separator = UInt8(ascii: "/")
}

/// Returns the media type for a file name's extension.
func mediaType(ofPath path: String) -> String {
  let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? ""[...].utf8
  guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "application/octet-stream" }
  switch String(decoding: asciiLowercased(name[dot...].dropFirst()), as: UTF8.self) {
  case "jpeg", "jpg": return "image/jpeg"
  case "png": return "image/png"
  case "gif": return "image/gif"
  case "webp": return "image/webp"
  case "svg": return "image/svg+xml"
  case "json": return "application/json"
  case "html", "htm": return "text/html; charset=utf-8"
  case "css": return "text/css; charset=utf-8"
  case "js", "mjs": return "text/javascript; charset=utf-8"
  case "txt", "md": return "text/plain; charset=utf-8"
  case "xml", "plist": return "application/xml"
  default: return "application/octet-stream"
  }
}
