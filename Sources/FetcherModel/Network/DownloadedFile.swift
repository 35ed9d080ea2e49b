public import Foundation

/// The body of a finished download task. Whoever receives it calls ``remove()`` once.
public struct DownloadedFile: Sendable {
  private enum Storage: Sendable {
    case file(URL)
    case memory(Data)
  }
  private let storage: Storage

  /// A file that belongs to the receiver from now on.
  public init(_ file: URL) { storage = .file(file) }

  /// A body that never was a file, for a network that is simulated.
  public init(_ bytes: Data) { storage = .memory(bytes) }

  /// The bytes. Reads the disk: not on main.
  public func read() throws -> Data {
    switch storage {
    case .file(let file): try Data(contentsOf: file)
    case .memory(let bytes): bytes
    }
  }

  /// Deletes the file.
  public func remove() {
    if case .file(let file) = storage { try? FileManager.default.removeItem(at: file) }
  }
}
