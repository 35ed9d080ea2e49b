public import Foundation

/// What a response's body consists of.
public enum OriginBody: Equatable, Sendable {
  /// These bytes.
  case data(Data)
  /// The content of a file, read anew for every request. A file that cannot be read answers 500,
  /// and 503 when the process has no descriptor left for it.
  case file(URL)
  /// The content of the file at this path below a folder, with the answers of ``file(_:)``. A path or a symbolic link that
  /// leads out of the folder names no file.
  case fileInFolder(URL, path: String)
  /// This many bytes of a fixed pattern: the byte at offset `n` is `n % 251`. They are made while they are sent.
  case bytes(Int)

  /// No bytes at all.
  public static let empty = OriginBody.data(Data())

  /// The text in UTF-8.
  public static func text(_ text: String) -> OriginBody { .data(Data(text.utf8)) }

  /// What `.bytes(count)` sends.
  public static func pattern(_ count: Int) -> Data {
    let period = Data(0..<251)
    var bytes = Data(capacity: max(0, count))
    while bytes.count < count { bytes += period.prefix(count - bytes.count) }
    return bytes
  }
}

extension OriginBody {
  /// The number of bytes. Nil when the body is a file that cannot be read.
  package var count: Int? { (try? BodyReader(self))?.count }

  /// All bytes. Nil when the body is a file that cannot be read.
  package func contents() -> Data? {
    if case .data(let data) = self { return data }
    guard let reader = try? BodyReader(self) else { return nil }
    var bytes: [UInt8] = []
    return reader.append(0..<reader.count, to: &bytes) ? Data(bytes) : nil
  }
}
