import FetcherModel
import Foundation
import PlainText
import Scheduling

/// Files in memory that the page can request: the pictures of screens, or results. Safe to use from any thread.
///
/// The bytes of a picture are those of the model, so the page never fetches a picture from the origin.
final class KeptFiles: Sendable {
  struct File {
    let name: String
    /// The media type.
    let type: String
    let bytes: Data
  }

  private let most: Int
  /// The files, with the one that was used last at the end.
  private let files = Locked<[File]>([])

  /// - Parameter most: the maximum number of files.
  init(most: Int) { self.most = most }

  /// Keeps a file, and forgets the oldest one if there are too many.
  func keep(_ bytes: Data, as name: String, type: String) {
    files.withLock { files in
      files.removeAll { $0.name == name }
      files.append(File(name: name, type: type, bytes: bytes))
      if files.count > most { files.removeFirst() }
    }
  }

  /// Keeps a picture, and returns its name, which is the hash of its bytes.
  func keep(_ picture: Picture) -> String {
    let known = files.withLock { files in files.first { $0.bytes == picture.bytes }?.name }
    let name = known ?? "\(String(FNV1a.hash(picture.bytes), radix: 16))-\(picture.bytes.count)"
    keep(picture.bytes, as: name, type: picture.format.mediaType)
    return name
  }

  func file(_ name: String) -> File? { files.withLock { $0.first { $0.name == name } } }
}
