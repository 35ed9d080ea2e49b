import Dispatch
import EventBus
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One `URLSession`, its delegate and its queue, kept as long as the process: destroying a session right after a request can crash
/// on Linux (swift-corelibs-foundation #5203).
final class Session: Sendable {
  private static let all = Locked<[String: Session]>([:])

  let urlSession: URLSession
  private let delegate: SessionDelegate

  /// The session of this label, created by its first use.
  static func labelled(
    _ label: String, connectionsPerHost: Int, _ delegate: @autoclosure () -> SessionDelegate
  ) -> Session {
    all.withLock { all in
      if let session = all[label] { return session }
      let session = Session(label, connectionsPerHost, delegate())
      all[label] = session
      return session
    }
  }

  private init(_ label: String, _ connectionsPerHost: Int, _ delegate: SessionDelegate) {
    self.delegate = delegate
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpMaximumConnectionsPerHost = connectionsPerHost
    // A dedicated queue: otherwise callbacks wait behind blocked workers.
    urlSession = URLSession(configuration: configuration, delegate: delegate, delegateQueue: CallbackQueue(label))
  }

  /// Connects a task that has not started with `delegate`, which gets its callbacks.
  func exchange(_ task: URLSessionTask, _ delegate: any NetworkTaskDelegate) -> Exchange {
    let exchange = Exchange(task, delegate)
    self.delegate.exchanges.withLock { $0[task.taskIdentifier] = exchange }
    return exchange
  }
}

/// The queue of a session's callbacks. On Linux each callback would be an operation with a separate wake-up, four for a small picture.
/// Blocks on the queue itself share one if they arrive together.
///
/// Unchecked, because `OperationQueue` is. The one property that this class adds is a queue.
private final class CallbackQueue: OperationQueue, @unchecked Sendable {
  // An operation queue does not keep the queue that it runs on.
  private let queue: DispatchQueue

  init(_ label: String) {
    queue = DispatchQueue(label: "fetcher.\(label)", qos: .userInitiated)
    super.init()
    maxConcurrentOperationCount = 1
    underlyingQueue = queue
  }

  #if canImport(FoundationNetworking)
    override func addOperation(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }
  #endif
}

extension URLRequest {
  init(_ request: NetworkRequest) {
    self.init(url: request.url.withSmallScheme, timeoutInterval: TimeInterval(max(1, request.timeoutSeconds)))
    httpMethod = request.method
    httpBody = request.body
    httpShouldHandleCookies = false
    for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
  }
}

extension URL {
  /// The same address with its scheme in small letters: Foundation on Linux does not load `HTTP://`.
  var withSmallScheme: URL {
    guard let scheme, scheme != scheme.lowercased() else { return self }
    return URL(string: scheme.lowercased() + absoluteString.dropFirst(scheme.count)) ?? self
  }
}
