import Dispatch
import EventBus
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A `URLSession` with its delegate and its queue. A session exists until the process exits, because destroying a
/// session right after a request can crash on Linux (swift-corelibs-foundation #5203).
final class Session: Sendable {
  private static let all = Locked<[String: Session]>([:])

  let urlSession: URLSession
  private let delegate: SessionDelegate
  private let settings: SessionSettings?

  /// Returns the session with this label. The first call creates the session.
  static func labelled(
    _ label: String, _ settings: SessionSettings?, _ delegate: @autoclosure () -> SessionDelegate
  ) -> Session {
    all.withLock { all in
      if let session = all[label] { return session }
      let session = Session(label, settings, delegate())
      all[label] = session
      return session
    }
  }

  private init(_ label: String, _ settings: SessionSettings?, _ delegate: SessionDelegate) {
    self.delegate = delegate
    self.settings = settings
    let configuration = settings?.configuration ?? .ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    if settings == nil { configuration.httpMaximumConnectionsPerHost = 6 }
    // Use a dedicated queue, because callbacks would otherwise wait behind blocked workers.
    urlSession = URLSession(configuration: configuration, delegate: delegate, delegateQueue: CallbackQueue(label))
  }

  /// Starts an exchange, which reports to `delegate`.
  ///
  /// - Parameter open: a closure that creates the task for a request, without starting the task. It is called once for
  ///   the first request, and once for each redirect that is followed.
  func start(
    _ request: NetworkRequest, _ delegate: any NetworkTaskDelegate,
    _ open: @escaping @Sendable (URLSession, URLRequest) -> URLSessionTask
  ) -> Exchange {
    let request = settings?.completed(request) ?? request
    let exchange = Exchange(request, delegate, open)
    self.delegate.send(request, in: exchange, urlSession)
    return exchange
  }
}

/// The queue for a session's callbacks. With a plain operation queue on Linux, each callback wakes a thread, which
/// means four wake-ups for a small picture. With this queue, callbacks that arrive together share one wake-up.
///
/// `Sendable` is unchecked, because it is also unchecked for `OperationQueue`. This class adds only one property, a
/// queue.
private final class CallbackQueue: OperationQueue, @unchecked Sendable {
  // An operation queue does not retain its underlying queue.
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
    self.init(url: request.url.withSmallScheme)
    // Foundation on Linux ignores a timeout that is passed to the initializer.
    timeoutInterval = TimeInterval(request.timeoutSeconds)
    httpMethod = request.method
    httpBody = request.body
    httpShouldHandleCookies = false
    // Foundation sends one field per name. The subscript joins the values of several.
    for (name, _) in request.headers { setValue(request.headers[name], forHTTPHeaderField: name) }
  }
}

extension URL {
  /// The same URL with a lowercase scheme, because Foundation on Linux does not load `HTTP://`.
  var withSmallScheme: URL {
    guard let scheme, scheme != scheme.lowercased() else { return self }
    return URL(string: scheme.lowercased() + absoluteString.dropFirst(scheme.count)) ?? self
  }
}

/// A request in a session, including its redirects. Each redirect that is followed has a new task.
///
/// The exchange cancels its current task at most once and never after the task has ended, because a second or late
/// cancellation can crash Foundation. If the exchange is cancelled before a redirect is followed, no new task starts.
final class Exchange: Cancellation {
  private struct State {
    /// The current request, which changes with each redirect.
    var request: NetworkRequest
    var task: URLSessionTask?
    /// The number of calls to Foundation for the task during which it must not be cancelled.
    var calls = 0
    var isCancelWanted = false

    mutating func takeTask() -> URLSessionTask? {
      defer { task = nil }
      return task
    }
  }
  /// A separate queue for cancellations, because cancelling blocks the caller until Foundation's work queue is free.
  /// All sessions share that work queue.
  private static let cancels = DispatchQueue(label: "fetcher.cancels", qos: .userInitiated)
  private let state: Locked<State>
  private let hasResponse = Atomic(false)
  let delegate: any NetworkTaskDelegate
  /// Creates the task for a request.
  let open: @Sendable (URLSession, URLRequest) -> URLSessionTask

  init(
    _ request: NetworkRequest, _ delegate: any NetworkTaskDelegate,
    _ open: @escaping @Sendable (URLSession, URLRequest) -> URLSessionTask
  ) {
    state = Locked(State(request: request))
    self.delegate = delegate
    self.open = open
  }

  /// The current request.
  var request: NetworkRequest { state.withLock { $0.request } }

  /// Whether the exchange has been cancelled.
  var isCancelWanted: Bool { state.withLock { $0.isCancelWanted } }

  /// Starts a new task, while the exchange has no other one. A cancellation that is requested meanwhile waits until the
  /// task has started.
  func start(_ task: URLSessionTask, for request: NetworkRequest) {
    state.withLock { state in
      (state.task, state.request) = (task, request)
      state.calls += 1
    }
    task.resume()
    callEnded()
  }

  func cancel() {
    let isOpen = state.withLock { state in
      defer { state.isCancelWanted = true }
      return state.task != nil && !state.isCancelWanted
    }
    guard isOpen else { return }
    Self.cancels.async { [self] in state.withLock { $0.calls > 0 ? nil : $0.takeTask() }?.cancel() }
  }

  /// Unless the task is cancelled, calls `answer`, which calls a completion handler from Foundation. A cancellation
  /// that is requested meanwhile waits until `answer` returns.
  ///
  /// Foundation traps if a delegate calls a callback's completion handler after the task has been cancelled.
  func answer(_ answer: () -> Void) {
    let isOpen = state.withLock { state in
      if state.task != nil { state.calls += 1 }
      return state.task != nil
    }
    guard isOpen else { return }
    answer()
    callEnded()
  }

  private func callEnded() {
    let task = state.withLock { state -> URLSessionTask? in
      state.calls -= 1
      return state.isCancelWanted && state.calls == 0 ? state.takeTask() : nil
    }
    task?.cancel()
  }

  /// Releases the task, which has ended or is about to end and must not be cancelled.
  func close() { withExtendedLifetime(state.withLock { $0.takeTask() }) {} }

  /// Reports the response head once. Download tasks have no callback for the head, so each later callback tries to
  /// report it.
  func announce(_ response: URLResponse?) {
    // Foundation can report an informational head before the final one. After 101, no other head follows.
    guard let response = response as? HTTPURLResponse, let url = response.url,
      response.statusCode >= 200 || response.statusCode == 101,
      !hasResponse.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    let length = response.expectedContentLength
    var head = NetworkResponse(
      url: url, status: response.statusCode, expectedLength: length >= 0 ? Int(length) : nil,
      contentType: response.value(forHTTPHeaderField: "Content-Type"),
      headers: HTTPHeaders(
        response.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }.sorted { $0.name < $1.name }))
    // Foundation decompresses the body, but reports the compressed length.
    if head.encoding != nil { head.expectedLength = nil }
    delegate.received(head)
  }
}

/// The session callbacks that all kinds of tasks share: redirects, challenges and completion.
///
/// `Sendable` is unchecked, because the class is not final. A lock protects all of its state.
class SessionDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
  let exchanges = Locked<[Int: Exchange]>([:])
  /// The requests to send when the tasks with these numbers have ended.
  private let redirects = Locked<[Int: (exchange: Exchange, request: NetworkRequest)]>([:])

  func exchange(_ task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  /// Called when an exchange ends, before its delegate is called.
  func ended(_ failure: NetworkError?) {}

  /// Returns the error with which a request fails before it is sent, or nil.
  func refusal(of request: NetworkRequest) -> NetworkError? { nil }

  /// Starts a task for a request. From then on, the exchange receives the callbacks for this task.
  func send(_ request: NetworkRequest, in exchange: Exchange, _ session: URLSession) {
    if let refusal = EnvironmentProxy.refusal(of: request.url) ?? refusal(of: request) {
      exchange.close()
      // Asynchronous, because the caller does not have the exchange yet.
      return session.delegateQueue.addOperation { [self] in end(exchange, refusal) }
    }
    let task = exchange.open(session, URLRequest(request))
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
    exchange.start(task, for: request)
  }

  /// Follows a redirect with a new task, which starts when the old one has ended. The exchange receives no further
  /// callbacks for the old task.
  ///
  /// Foundation must never follow a redirect itself. On Linux, it would reuse the handle of the transfer, and traps if
  /// several transfers share an HTTP/2 connection (swift-corelibs-foundation #5445).
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    guard let exchange = exchange(task) else { return completionHandler(nil) }
    let request = exchange.request
    // On Linux, the scheme of `newRequest` has been rewritten to http. Only the header field contains the real target.
    let location = response.value(forHTTPHeaderField: "Location")
    guard let target = location.flatMap(request.target(of:)) ?? newRequest.url else {
      return exchange.answer { completionHandler(nil) }
    }
    exchange.answer {
      if exchange.delegate.shouldFollow(target, status: response.statusCode) {
        let next = request.redirected(to: target, status: response.statusCode)
        exchanges.withLock { $0[task.taskIdentifier] = nil }
        redirects.withLock { $0[task.taskIdentifier] = (exchange, next) }
        exchange.close()
      }
      completionHandler(nil)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard challenge.protectionSpace.authenticationMethod != "NSURLAuthenticationMethodServerTrust" else {
      return completionHandler(.performDefaultHandling, nil)
    }
    let status = (challenge.failureResponse as? HTTPURLResponse)?.statusCode ?? 401
    exchange(task)?.answer {
      exchange(task)?.delegate.challenged(status: status)
      // Any other disposition hangs the task forever on Linux (#5456).
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let (exchange, next) = redirects.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) {
      return exchange.isCancelWanted ? end(exchange, .cancelled) : send(next, in: exchange, session)
    }
    guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    exchange.close()
    exchange.announce(task.response)
    end(exchange, error.map(NetworkError.init(of:)))
  }

  private func end(_ exchange: Exchange, _ failure: NetworkError?) {
    ended(failure)
    exchange.delegate.finished(failure)
  }
}

extension NetworkError {
  /// Parts of libcurl's messages about a connection that ended too early.
  private static let losses = [
    "Recv failure", "Send failure", "HTTP/2 stream", "HTTP2 framing", "SSL_ERROR_SYSCALL", "SSL_read", "SSL_write",
    "getpeername",
  ]

  /// Converts the error with which a task failed.
  ///
  /// On Linux, many errors have the generic code -1, and only libcurl's message states the reason. If one address of
  /// the host was refused, the error of the connection to another address can have the code of a refused connection.
  init(of error: any Error) {
    let code = (error as? URLError)?.code.rawValue ?? (error as NSError).code
    let message = error.localizedDescription
    if [Self.cutShort.code, Self.refused.code].contains(code), Self.losses.contains(where: message.contains) {
      self = .connectionLost
    } else {
      self = code == Self.cutShort.code ? Self(message: message) : NetworkError(code: code)
    }
  }

  /// Finds the reason in libcurl's message. It is ``cutShort`` if the message is neither about the server's certificate
  /// nor about a body that cannot be decoded.
  init(message: String) {
    let reasons: [(String, NetworkError)] = [
      ("certificate has expired", .certificateExpired),
      ("certificate is not yet valid", .certificateNotYetValid),
      ("self-signed", .certificateHasUnknownRoot),
      ("self signed", .certificateHasUnknownRoot),
      ("issuer certificate", .certificateHasUnknownRoot),
      ("first certificate", .certificateHasUnknownRoot),
      // libcurl's own error about the file with the root certificates.
      ("error setting certificate", .secureConnectionFailed),
      ("certificate", .certificateInvalid),
    ]
    let isUndecodable = Self.decodingFailures.contains(where: message.contains)
    self = reasons.first { message.contains($0.0) }?.1 ?? (isUndecodable ? .packed : .cutShort)
  }

  /// Parts of libcurl's messages about an unknown encoding, about encoded bytes that are invalid, and about bytes that
  /// follow them.
  private static let decodingFailures = [
    "content encoding", "content unencoding", "Content or Transfer-Encoding", "Failed writing received data",
    "Failed reading the chunked-encoded stream",
  ]
}
