import Comparison
import EventBus
import FetcherModel
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where a load gets its images from.
protocol ImageSource: Sendable {
  /// Fetches one image to its end, and returns its bytes.
  func fetch(_ address: String) async -> Result<Int, FetchError>
}

/// Images of the model, fetched with its strategy.
struct ModelSource: ImageSource {
  let environment: FetchEnvironment

  func fetch(_ address: String) async -> Result<Int, FetchError> {
    await IFImage(name: address, url: address, in: environment).result().map(\.bytes.count)
  }
}

/// URLSession with the settings of the strategies, and nothing between it and the load.
///
/// Unchecked because a session is not `Sendable` everywhere; it is only asked for tasks, which any thread may do.
final class BareSource: ImageSource, @unchecked Sendable {
  private let session: URLSession
  private let queue = DispatchQueue(label: "bare", qos: .userInitiated)

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpMaximumConnectionsPerHost = WorkloadSettings.mostConnections
    let operations = OperationQueue()
    operations.maxConcurrentOperationCount = 1
    operations.underlyingQueue = queue
    session = URLSession(configuration: configuration, delegate: nil, delegateQueue: operations)
  }

  func fetch(_ address: String) async -> Result<Int, FetchError> {
    guard let url = URL(string: address) else { return .failure(.invalidURL) }
    return await withCheckedContinuation { continuation in
      session.dataTask(with: url) { data, response, error in
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if let error {
          continuation.resume(returning: .failure(.transport((error as NSError).code)))
        } else if !(200..<300).contains(status) {
          continuation.resume(returning: .failure(.badStatus(status)))
        } else {
          continuation.resume(returning: .success(data?.count ?? 0))
        }
      }.resume()
    }
  }
}
