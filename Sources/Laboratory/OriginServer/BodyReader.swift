package import Foundation

/// Reads the body of a response piece by piece.
enum BodyReader {
  case data(Data)
  case file(OpenFile)
  case pattern(Int)

  /// Opens a body. Returns nil if the body is a file that cannot be read.
  init?(_ body: OriginBody) throws(NoDescriptor) {
    switch body {
    case .data(let data): self = .data(data)
    case .bytes(let count): self = .pattern(max(0, count))
    case .file(let url):
      guard url.isFileURL, let file = try OpenFile(path: Array(url.path.utf8)) else { return nil }
      self = .file(file)
    case .fileInFolder(let folder, let path):
      guard let file = try StaticFiles(folder)?.open(Array("/\(path)".utf8)) else { return nil }
      self = .file(file)
    }
  }

  var count: Int {
    switch self {
    case .data(let data): data.count
    case .file(let file): file.size
    case .pattern(let count): count
    }
  }

  /// Appends a piece to the output. Returns false if the file has become shorter.
  func append(_ range: Range<Int>, to output: inout [UInt8]) -> Bool {
    switch self {
    case .data(let data):
      data.withUnsafeBytes { output.append(contentsOf: $0[range]) }
      return true
    case .file(let file):
      let piece = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
        count = file.read(UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)
      }
      output += piece
      return piece.count == range.count
    case .pattern:
      var position = range.lowerBound
      while position < range.upperBound {
        let start = position % OriginBody.period
        let count = min(Self.block.count - start, range.upperBound - position)
        output.append(contentsOf: Self.block[start..<start + count])
        position += count
      }
      return true
    }
  }

  private static let block = [UInt8](OriginBody.pattern(OriginBody.period * 256))
}

extension OriginBody {
  /// The length of the body in bytes, or nil if the body is a file that cannot be read.
  package var count: Int? { (try? BodyReader(self))?.count }

  /// Returns all bytes of the body, or nil if the body is a file that cannot be read.
  package func contents() -> Data? {
    if case .data(let data) = self { return data }
    guard let reader = try? BodyReader(self) else { return nil }
    var bytes: [UInt8] = []
    return reader.append(0..<reader.count, to: &bytes) ? Data(bytes) : nil
  }
}
