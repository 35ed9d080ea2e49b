public import EventBus
public import Foundation

/// The network, in each of the forms that strategies use. Each strategy is written once, on top of it.
///
/// ``SystemLoader`` is the real network. The file of each strategy extends it. A simulation replaces it with timers
/// and a script.
public typealias NetworkLoader = BlockingReads & DataTasks & DownloadTasks & SocketTasks

/// A network with a blocking read.
public protocol BlockingReads: Sendable {
  /// Reads `url` and blocks the calling thread until the end. Do not call it on main.
  func contents(of url: URL) throws(NetworkError) -> Data
}

/// A network with data tasks.
public protocol DataTasks: Sendable {
  /// Starts a task that reports its body in pieces. Never calls `delegate` inside this call.
  ///
  /// Cancelling the task causes `finished` with code -999. Cancelling after `finished` has no effect.
  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation
}

/// A network with download tasks.
public protocol DownloadTasks: Sendable {
  /// Starts a task that writes its body to a file and reports the file at the end. Never calls `delegate` inside this
  /// call.
  ///
  /// A cancel has the same effect as for ``DataTasks/dataTask(_:delegate:)``.
  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation

  /// Deletes temporary files that no task needs any more.
  func removeTemporaryFiles()
}

extension DownloadTasks {
  /// Does nothing, for a network without temporary files.
  public func removeTemporaryFiles() {}
}

/// A network with exchanges over a socket, without URLSession.
public protocol SocketTasks: Sendable {
  /// Starts an exchange as ``DataTasks/dataTask(_:delegate:)`` does.
  func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation
}

/// The callbacks of a task. The calls for one task are serial, on any thread. `finished` is the last.
public protocol NetworkTaskDelegate: AnyObject, Sendable {
  /// Reports the head of the final response, before any body.
  func received(_ response: NetworkResponse)
  /// Reports a piece of a data task's body.
  func received(_ bytes: Data)
  /// Reports that a download task has received `received` bytes in total.
  func progressed(_ received: Int)
  /// Reports the complete body of a download task. The receiver deletes the file.
  func downloaded(_ file: DownloadedFile)
  /// Reports a redirect to `target` with this status. Returns whether to follow it.
  func shouldFollow(_ target: URL, status: Int) -> Bool
  /// Reports that the server requires credentials. The task has none, and ends.
  func challenged(status: Int)
  /// Reports the end of the task. Nil means success, with any HTTP status.
  func finished(_ error: NetworkError?)
}

/// The reason for a network failure: a `URLError` code, or a Cocoa code from a blocking read.
public struct NetworkError: Error, Equatable, Sendable {
  /// The code, as in `URLError.Code` or `CocoaError.Code`.
  public var code: Int

  /// Makes a failure with this code.
  public init(code: Int) { self.code = code }

  /// The same failure as an error of the model.
  public var asFetchError: FetchError {
    switch code {
    case -999: .cancelled
    case -1001: .timedOut
    default: .transport(code)
    }
  }
}

/// The error codes of a network without URLSession. URLSession has the same codes for the same reasons.
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
  /// The body stops before its announced end. Foundation on Linux has no separate code for this.
  static let cutShort = NetworkError(code: -1)
}

/// The body of a finished download task. The receiver calls ``remove()`` once.
public struct DownloadedFile: Sendable {
  private enum Storage: Sendable {
    case file(URL)
    case memory(Data)
  }
  private let storage: Storage

  /// Makes a body from a file, which now belongs to the receiver.
  public init(_ file: URL) { storage = .file(file) }

  /// Makes a body without a file, for a simulated network.
  public init(_ bytes: Data) { storage = .memory(bytes) }

  /// Returns the bytes. Reads the disk: do not call it on main.
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
