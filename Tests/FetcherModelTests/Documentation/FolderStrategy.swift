// snippet
import FetcherModel
import Foundation

/// Answers from a folder instead of the network, by the last part of the address.
func folderStrategy(_ folder: URL) -> ClosureStrategy {
  ClosureStrategy("folder") { request in
    let file = folder.appendingPathComponent(request.url.lastPathComponent)
    guard let bytes = try? Data(contentsOf: file) else { throw FetchError.badStatus(404) }
    return FetchedBody(bytes: bytes)
  }
}
// end
