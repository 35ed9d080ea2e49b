// snippet
import FetcherModel
import Foundation

/// Returns a strategy that reads from a folder. The last path component of the URL is the file name.
func folderStrategy(_ folder: URL) -> StrategyFactory {
  .closure("folder") { request in
    let file = folder.appendingPathComponent(request.url.lastPathComponent)
    guard let bytes = try? Data(contentsOf: file) else { throw FetchError.badStatus(404) }
    return FetchedBody(bytes: bytes)
  }
}
// end
