import FetcherModel
import Foundation
import OriginServer
import PlainText
import Scheduling

/// The pictures that screens show, by the hash of their bytes. Safe to use from any thread.
///
/// The bytes are those of the model, so the page never fetches a picture from the origin.
final class PictureShelf: Sendable {
  /// The maximum number of pictures. A screen shows far fewer.
  private static let most = 64

  private struct State {
    var pictures: [String: Picture] = [:]
    /// The names, with the picture that was used last at the end.
    var names: [String] = []
    /// The names of known bytes, so that an unchanged picture is hashed once.
    var known: [Data: String] = [:]
  }

  private let state = Locked(State())

  /// Keeps a picture, and returns its name.
  func name(of picture: Picture) -> String {
    state.withLock { state in
      let name = state.known[picture.bytes] ?? Self.hash(picture.bytes)
      state.known[picture.bytes] = name
      state.names.removeAll { $0 == name }
      state.names.append(name)
      state.pictures[name] = picture
      if state.names.count > Self.most, let old = state.pictures.removeValue(forKey: state.names.removeFirst()) {
        state.known[old.bytes] = nil
      }
      return name
    }
  }

  func picture(_ name: String) -> Picture? { state.withLock { $0.pictures[name] } }

  private static func hash(_ bytes: Data) -> String {
    let hash = FNV1a.hash(bytes)
    return String(hash, radix: 16) + "-" + String(bytes.count, radix: 16)
  }
}

/// The files that tools and recordings exchange with the page. Safe to use from any thread.
final class ResultFolder: Sendable {
  private static let most = 16

  private let folder: URL
  private let files = Locked<[(name: String, bytes: [UInt8])]>([])

  init(_ folder: URL) { self.folder = folder }

  func path(_ name: String) -> URL { folder.appending(path: name) }

  /// Keeps a file in memory for a request.
  func keep(_ bytes: [UInt8], as name: String) {
    files.withLock { files in
      files.append((name, bytes))
      if files.count > Self.most { files.removeFirst() }
    }
  }

  func file(_ name: String) -> [UInt8]? { files.withLock { $0.last { $0.name == name }?.bytes } }

  /// Writes a file for a tool, and returns its path.
  func write(_ bytes: [UInt8], as name: String) throws -> URL {
    try Data(bytes).write(to: path(name))
    return path(name)
  }

  /// Keeps a file that a tool has written, and removes it from the disk. Returns false if there is none.
  func load(_ name: String) -> Bool {
    guard let data = try? Data(contentsOf: path(name)) else { return false }
    keep(Array(data), as: name)
    try? FileManager.default.removeItem(at: path(name))
    return true
  }
}
