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

/// Why the network failed: a `URLError` code, or a Cocoa code from a blocking read.
public struct NetworkError: Error, Equatable, Sendable {
  /// The code, as in `URLError.Code` or `CocoaError.Code`.
  public var code: Int

  /// A failure with this code.
  public init(code: Int) { self.code = code }

  /// The same failure in the words of the model.
  public var asFetchError: FetchError {
    switch code {
    case -999: .cancelled
    case -1001: .timedOut
    default: .transport(code)
    }
  }
}

/// The codes of the network without URLSession, which are those of URLSession for the same reasons.
extension NetworkError {
  static let cancelled = NetworkError(code: -999)
  static let silence = NetworkError(code: -1001)
  static let unsupportedScheme = NetworkError(code: -1002)
  static let notHTTP = NetworkError(code: -1002)
  static let unknownHost = NetworkError(code: -1003)
  static let refused = NetworkError(code: -1004)
  static let lost = NetworkError(code: -1005)
  static let unusableAnswer = NetworkError(code: -1011)
  static let packed = NetworkError(code: -1016)
  /// A body that stops before its announced end. Foundation on Linux has no code of its own for that.
  static let cutShort = NetworkError(code: -1)
}

/// The body of a finished download task. Whoever receives it calls ``remove()`` once.
public struct DownloadedFile: Sendable {
  private enum Storage: Sendable {
    case file(URL)
    case memory(Data)
  }
  private let storage: Storage

  /// A file that belongs to the receiver from now on.
  public init(_ file: URL) { storage = .file(file) }

  /// A body that never was a file, for a network that is simulated.
  public init(_ bytes: Data) { storage = .memory(bytes) }

  /// The bytes. Reads the disk: not on main.
  public func read() throws -> Data {
    switch storage {
    case .file(let file): try Data(contentsOf: file)
    case .memory(let bytes): bytes
    }
  }

  /// Deletes the file.
  public func remove() {
    if case .file(let file) = storage { try? FileManager.default.removeItem(at: file) }
  }
}
