package import Foundation
package import Scheduling

/// A network that supports every operation that the built-in strategies need. Each strategy is implemented only once,
/// on top of this type.
///
/// ``SystemLoader`` is the real network. Each strategy's file extends ``SystemLoader`` with that strategy's network
/// call. A simulation replaces ``SystemLoader`` with timers and a script.
package typealias NetworkLoader = BlockingReads & DataTasks & DownloadTasks

/// A network that supports blocking reads.
package protocol BlockingReads: Sendable {
  /// Reads `url`, blocking the calling thread until the read ends. Do not call it on main.
  func contents(of url: URL) throws(NetworkError) -> Data
}

/// A network that supports data tasks.
package protocol DataTasks: Sendable {
  /// Starts a task that reports the response body in pieces. Never calls `delegate` synchronously.
  ///
  /// Cancelling the task results in a call to `finished` with code -999. Cancelling after `finished` has no effect.
  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation
}

/// A network that supports download tasks.
package protocol DownloadTasks: Sendable {
  /// Starts a task that writes the response body to a file and reports the file at the end. Never calls `delegate`
  /// synchronously.
  ///
  /// Cancelling the task has the same effect as for ``DataTasks/dataTask(_:delegate:)``.
  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation

  /// Deletes temporary files that tasks no longer need.
  func removeTemporaryFiles()
}

extension DownloadTasks {
  /// Does nothing. This default is for networks without temporary files.
  package func removeTemporaryFiles() {}
}

/// The callbacks of a task. All callbacks for one task are serial, on any thread, and `finished` is the last one.
package protocol NetworkTaskDelegate: AnyObject, Sendable {
  /// Reports the head of the final response, before any part of the body.
  func received(_ response: NetworkResponse)
  /// Reports a piece of the body of a data task.
  func received(_ bytes: Data)
  /// Reports that a download task has received `received` bytes in total.
  func progressed(_ received: Int)
  /// Reports the complete body of a download task. The receiver must delete the file.
  func downloaded(_ file: DownloadedFile)
  /// Reports a redirect to `target` with the given status. Returns whether to follow it.
  func shouldFollow(_ target: URL, status: Int) -> Bool
  /// Reports that the server requires credentials. The task has no credentials, so it ends.
  func challenged(status: Int)
  /// Reports the end of the task. Nil means success, whatever the HTTP status is.
  func finished(_ error: NetworkError?)
}

/// The body of a finished download task. The receiver must call ``remove()`` once.
package struct DownloadedFile: Sendable {
  private enum Storage: Sendable {
    case file(URL)
    case memory(Data)
  }
  private let storage: Storage

  /// Creates a body from a file. The receiver then owns the file.
  package init(_ file: URL) { storage = .file(file) }

  /// Creates a body without a file, for use by a simulated network.
  package init(_ bytes: Data) { storage = .memory(bytes) }

  /// Returns the bytes. Reads from disk, so do not call it on main.
  package func read() throws -> Data {
    switch storage {
    case .file(let file): try Data(contentsOf: file)
    case .memory(let bytes): bytes
    }
  }

  /// Deletes the file.
  package func remove() {
    if case .file(let file) = storage { try? FileManager.default.removeItem(at: file) }
  }
}
