import Foundation
import OriginServer

/// What the servers of the benchmarks serve.
enum Bodies {
  /// The names are those of paths.
  static let all = [(name: "1k", bytes: OriginBody.pattern(1024)), (name: "picture", bytes: picture)]

  static var picture: Data {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Sources/FetcherApp/Resources/pictures/waves-14.webp").standardizedFileURL
    guard let bytes = try? Data(contentsOf: file) else { fatalError("\(file.path) cannot be read.") }
    return bytes
  }
}
