public import EventBus
public import Foundation

/// The network as Foundation offers it, and nothing more. Strategies are written once, above it.
///
/// ``FoundationLoader`` is the real one; a simulation turns a script of answers into timers.
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

  /// Deletes temporary files that no task needs any more.
  func sweep()
}

extension NetworkLoader {
  public func sweep() {}
}

/// What a task tells. The calls for one task come one at a time, on any thread; `finished` is the last.
public protocol NetworkTaskDelegate: AnyObject, Sendable {
  /// The head of the final answer has arrived. Comes before any body.
  func received(_ response: NetworkResponse)
  /// A piece of a data task's body has arrived.
  func received(_ bytes: Data)
  /// A download task has `received` bytes in all.
  func progressed(_ received: Int)
  /// The body of a download task is complete; the receiver removes the file.
  func downloaded(_ file: DownloadedFile)
  /// The server redirects to `target`. Returns whether to follow.
  func shouldFollow(_ target: URL) -> Bool
  /// The server wants credentials; the task is about to end, as there are none.
  func challenged(status: Int)
  /// The task is over. Nil for success, which includes every HTTP status.
  func finished(_ error: NetworkError?)
}
