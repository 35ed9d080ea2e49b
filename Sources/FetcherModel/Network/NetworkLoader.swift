public import EventBus
public import Foundation

/// The network, in each of the ways that strategies use. Strategies are written once, above it.
///
/// ``SystemLoader`` is the real one; the file of each strategy has its part. A simulation makes timers of a script of answers.
public typealias NetworkLoader = BlockingReads & DataTasks & DownloadTasks & SocketTasks

/// A network that can be read with a call that blocks.
public protocol BlockingReads: Sendable {
  /// Reads `url` and blocks the calling thread until it is done. Not on main.
  func contents(of url: URL) throws(NetworkError) -> Data
}

/// A network with data tasks.
public protocol DataTasks: Sendable {
  /// Starts a task that reports its body piece by piece. Never calls `delegate` inside this call.
  ///
  /// Cancelling the task leads to `finished` with code -999. Cancelling after `finished` does nothing.
  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation
}

/// A network with download tasks.
public protocol DownloadTasks: Sendable {
  /// Starts a task that writes its body to a file and reports that at the end. Never calls `delegate` inside this call.
  ///
  /// A cancel has the effect that it has on ``DataTasks/dataTask(_:delegate:)``.
  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation

  /// Deletes temporary files that no task needs any more.
  func removeTemporaryFiles()
}

extension DownloadTasks {
  /// Does nothing: for a network without temporary files.
  public func removeTemporaryFiles() {}
}

/// A network with exchanges over a socket, without URLSession.
public protocol SocketTasks: Sendable {
  /// Starts an exchange as ``DataTasks/dataTask(_:delegate:)`` does.
  func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation
}
