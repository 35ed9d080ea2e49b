public import EventBus
public import Foundation

/// The real network: URLSession, and sockets of our own.
public struct SystemLoader: NetworkLoader {
  /// The network of the process.
  public static let shared = SystemLoader()

  private let foundation = FoundationLoader.shared
  private let sockets: SocketLoader

  /// - Parameter sockets: what socket tasks run on.
  init(sockets: SocketLoader = .shared) { self.sockets = sockets }

  /// Reads with `Data(contentsOf:)`: a session and a connection of its own for each call, an idle timeout of 60 seconds.
  public func contents(of url: URL) throws(NetworkError) -> Data { try foundation.contents(of: url) }

  /// Starts a data task of URLSession, on the session of the request's pool.
  public func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    foundation.dataTask(request, delegate: delegate)
  }

  /// Starts a download task of URLSession, on the session of the request's pool.
  public func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    foundation.downloadTask(request, delegate: delegate)
  }

  /// Starts an exchange over a socket. https ends with code -1002, a packed body with -1016.
  public func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    sockets.task(request, delegate: delegate)
  }

  /// Deletes what failed downloads left, unless one is in flight.
  public func removeTemporaryFiles() { foundation.removeTemporaryFiles() }
}
