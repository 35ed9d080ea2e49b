public import Foundation

/// What a task reports. The calls for one task come one at a time, on any thread; `finished` is the last.
public protocol NetworkTaskDelegate: AnyObject, Sendable {
  /// The head of the final answer has arrived. Comes before any body.
  func received(_ response: NetworkResponse)
  /// A piece of a data task's body has arrived.
  func received(_ bytes: Data)
  /// A download task has `received` bytes in all.
  func progressed(_ received: Int)
  /// The body of a download task is complete; the receiver removes the file.
  func downloaded(_ file: DownloadedFile)
  /// The server redirects to `target`, with this status. Returns whether to follow.
  func shouldFollow(_ target: URL, status: Int) -> Bool
  /// The server wants credentials; the task is about to end, as there are none.
  func challenged(status: Int)
  /// The task is over. Nil for success, which includes every HTTP status.
  func finished(_ error: NetworkError?)
}
