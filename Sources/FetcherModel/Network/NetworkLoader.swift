public import EventBus
public import Foundation

/// The network, in each of the ways that strategies use, and nothing more. Strategies are written once, above it.
///
/// ``SystemLoader`` is the real one; a simulation makes timers of a script of answers.
public protocol NetworkLoader: Sendable {
  /// Reads `url` and blocks the calling thread until it is done. Not on main.
  func contents(of url: URL) throws(NetworkError) -> Data

  /// Starts a task that hands over its body piece by piece. Never calls `delegate` inside this call.
  ///
  /// Cancelling the task leads to `finished` with code -999. Cancelling after `finished` does nothing.
  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation

  /// Starts a task that writes its body to a file and hands that over at the end. Never calls `delegate` inside this
  /// call.
  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation

  /// Starts an exchange as ``dataTask(_:delegate:)`` does, over a socket without URLSession.
  func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation

  /// Deletes temporary files that no task needs any more.
  func removeTemporaryFiles()
}

extension NetworkLoader {
  /// Does nothing: for a network without temporary files.
  public func removeTemporaryFiles() {}
}
