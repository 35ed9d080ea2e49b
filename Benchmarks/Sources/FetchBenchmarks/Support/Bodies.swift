import Foundation
import OriginServer

/// The bodies that the benchmark servers serve.
enum Bodies {
  /// Each name is also a path.
  static let all = [(name: "1k", bytes: OriginBody.pattern(1024)), (name: "picture", bytes: picture)]

  static var picture: Data {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Sources/FetcherApp/Resources/pictures/waves-14.webp").standardizedFileURL
    guard let bytes = try? Data(contentsOf: file) else { fatalError("\(file.path) cannot be read") }
    return bytes
  }
}
