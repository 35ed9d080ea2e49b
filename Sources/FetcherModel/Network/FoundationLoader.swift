import Dispatch
import EventBus
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The network as Foundation offers it. The only file of the model that knows `URLSession`.
///
/// Each pool has one session for data and one for downloads, made on first use and kept as long as the process:
/// destroying a session right after a request can crash on Linux (swift-corelibs-foundation #5203). Use ``shared``.
final class FoundationLoader: Sendable {
  /// The loader of the process.
  static let shared = FoundationLoader()

  private let sessions = Locked<[String: FoundationSession]>([:])

  /// Makes a loader with sessions of its own, which stay until the process ends.
  ///
  /// Where the environment names a proxy, the first one adds the loopback to `no_proxy`: plain http to this machine goes to
  /// no other. Make it before other threads read the environment.
  init() { ProxyBypass.activate() }

  /// Reads with `Data(contentsOf:)`: a session and a connection of its own for each call, an idle timeout of 60 seconds.
  func contents(of url: URL) throws(NetworkError) -> Data {
    #if canImport(FoundationNetworking)
      // Tasks say so themselves; here the reason would be lost (swift-corelibs-foundation #5496).
      guard url.host?.contains(":") != true else { throw NetworkError(code: NSURLErrorBadURL) }
    #endif
    do {
      return try Data(contentsOf: url.withSmallScheme)
    } catch {
      throw NetworkError(code: (error as? CocoaError)?.code.rawValue ?? (error as NSError).code)
    }
  }

  /// Starts a data task on the session of the request's pool.
  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    let session = session("\(request.pool).data", DataSessionDelegate())
    return session.start(session.session.dataTask(with: URLRequest(request)), delegate, isDownload: false)
  }

  /// Starts a download task on the session of the request's pool.
  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    let session = session("\(request.pool).download", DownloadSessionDelegate())
    PrivateTemporaryDirectory.downloadBegins()
    return session.start(session.session.downloadTask(with: URLRequest(request)), delegate, isDownload: true)
  }

  /// Deletes what failed downloads left, unless one is in flight.
  func removeTemporaryFiles() { PrivateTemporaryDirectory.removeTemporaryFiles() }

  private func session(_ label: String, _ delegate: @autoclosure () -> SessionDelegate) -> FoundationSession {
    sessions.withLock { sessions in
      if let session = sessions[label] { return session }
      let session = FoundationSession(label, delegate())
      sessions[label] = session
      return session
    }
  }
}

extension URLRequest {
  fileprivate init(_ request: NetworkRequest) {
    self.init(url: request.url.withSmallScheme, timeoutInterval: TimeInterval(max(1, request.timeoutSeconds)))
    httpMethod = request.method
    httpBody = request.body
    httpShouldHandleCookies = false
    for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
  }
}

extension URL {
  /// The same address as Foundation on Linux takes it: `HTTP://` is the same scheme as `http://`, but it loads only the latter.
  fileprivate var withSmallScheme: URL {
    guard let scheme, scheme != scheme.lowercased() else { return self }
    return URL(string: scheme.lowercased() + absoluteString.dropFirst(scheme.count)) ?? self
  }
}

/// One session with the queue of its own that it needs: otherwise its callbacks wait behind blocked workers.
private final class FoundationSession: Sendable {
  let session: URLSession
  private let delegate: SessionDelegate

  init(_ label: String, _ delegate: SessionDelegate) {
    self.delegate = delegate
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpMaximumConnectionsPerHost = 6
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: CallbackQueue(label))
  }

  func start(_ task: URLSessionTask, _ delegate: any NetworkTaskDelegate, isDownload: Bool) -> any Cancellation {
    let exchange = Exchange(task, delegate, isDownload: isDownload)
    self.delegate.exchanges.withLock { $0[task.taskIdentifier] = exchange }
    task.resume()
    return exchange
  }
}

/// Where a session reports. On Linux each report would be an operation with a wake-up of its own, four of them for a small picture;
/// blocks on the queue itself share one if they come together.
///
/// Unchecked, because `OperationQueue` is, whose one further property is a queue.
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

/// One running task. Cancels it at most once and never after its end: Foundation can crash on either.
private final class Exchange: Cancellation {
  private struct State {
    var task: URLSessionTask?
    /// Foundation waits for an answer to a question about the task.
    var isAsked = false
    var isCancelWanted = false

    mutating func takeTask() -> URLSessionTask? {
      defer { task = nil }
      return task
    }
  }
  /// Foundation keeps the caller of a cancel until its work queue has time, and all sessions share that.
  private static let cancels = DispatchQueue(label: "fetcher.cancels", qos: .userInitiated)
  private let state: Locked<State>
  private let hasResponse = Atomic(false)
  let delegate: any NetworkTaskDelegate
  let isDownload: Bool

  init(_ task: URLSessionTask, _ delegate: any NetworkTaskDelegate, isDownload: Bool) {
    state = Locked(State(task: task))
    self.delegate = delegate
    self.isDownload = isDownload
  }

  func cancel() {
    let isOpen = state.withLock { state in
      defer { state.isCancelWanted = true }
      return state.task != nil && !state.isCancelWanted
    }
    guard isOpen else { return }
    Self.cancels.async { [self] in state.withLock { $0.isAsked ? nil : $0.takeTask() }?.cancel() }
  }

  /// Gives Foundation its answer, unless the task is cancelled. A cancel that comes meanwhile waits.
  ///
  /// Foundation traps on an answer about a task that was cancelled after the question.
  func answer(_ answer: () -> Void) {
    let isOpen = state.withLock { state in
      state.isAsked = state.task != nil
      return state.isAsked
    }
    guard isOpen else { return }
    answer()
    let task = state.withLock { state -> URLSessionTask? in
      state.isAsked = false
      return state.isCancelWanted ? state.takeTask() : nil
    }
    task?.cancel()
  }

  /// The task is over and must not be cancelled.
  func close() { withExtendedLifetime(state.withLock { $0.takeTask() }) {} }

  /// Hands over the head once. A download task has no callback for it, so every later callback asks.
  func announce(_ response: URLResponse?) {
    guard let response = response as? HTTPURLResponse, let url = response.url,
      !hasResponse.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    // Foundation unpacks what is packed, and announces the length of the package.
    let isPacked = response.value(forHTTPHeaderField: "Content-Encoding").map { $0 != "identity" } ?? false
    let length = isPacked ? -1 : response.expectedContentLength
    delegate.received(
      NetworkResponse(
        url: url, status: response.statusCode, expectedLength: length >= 0 ? Int(length) : nil,
        contentType: response.value(forHTTPHeaderField: "Content-Type"),
        headers: response.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
          .sorted { $0.name < $1.name }))
  }
}

/// What a session reports of every task.
///
/// Unchecked, because it is not final; all that it has is locked.
private class SessionDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
  let exchanges = Locked<[Int: Exchange]>([:])

  fileprivate func exchange(_ task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // `newRequest` has its scheme rewritten to http on Linux; only the header says where the server points.
    let location = response.value(forHTTPHeaderField: "Location")
    let target = location.flatMap { URL(string: $0, relativeTo: response.url)?.absoluteURL } ?? request.url
    guard let target, let exchange = exchange(task) else { return completionHandler(nil) }
    // What is followed is what was validated.
    var next = request
    next.url = target.withSmallScheme
    exchange.answer {
      completionHandler(exchange.delegate.shouldFollow(target, status: response.statusCode) ? next : nil)
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
      // Anything else leaves the task hanging for ever on Linux (#5456).
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    exchange.close()
    exchange.announce(task.response)
    let failure = error.map { NetworkError(code: ($0 as? URLError)?.code.rawValue ?? ($0 as NSError).code) }
    if exchange.isDownload { PrivateTemporaryDirectory.downloadEnds(leavesFile: failure != nil) }
    exchange.delegate.finished(failure)
  }
}

private final class DataSessionDelegate: SessionDelegate, URLSessionDataDelegate, @unchecked Sendable {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    exchange(dataTask)?.announce(response)
    // Always `.allow`: Linux ignores `.cancel` here, so a refusal cancels the task itself.
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let exchange = exchange(dataTask) else { return }
    exchange.announce(dataTask.response)
    exchange.delegate.received(data)
  }
}

/// No delegate of data tasks: Foundation on Linux would hand it the page of a redirect that was not followed, as that of
/// a data task, and trap because there is none.
private final class DownloadSessionDelegate: SessionDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    guard let exchange = exchange(downloadTask) else { return }
    #if !canImport(FoundationNetworking)
      // On Linux a download has its head only with its end, which may or may not have come when this is called.
      exchange.announce(downloadTask.response)
    #endif
    exchange.delegate.progressed(Int(totalBytesWritten))
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    guard let exchange = exchange(downloadTask) else {
      try? FileManager.default.removeItem(at: location)
      return
    }
    exchange.announce(downloadTask.response)
    // Apple platforms take the file away when this call returns; a move keeps it everywhere.
    // And another name than Foundation's own files have keeps it from those who delete them.
    let own = location.deletingLastPathComponent().appendingPathComponent(UUID().uuidString + ".download")
    let moved = (try? FileManager.default.moveItem(at: location, to: own)) != nil
    exchange.delegate.downloaded(DownloadedFile(moved ? own : location))
  }
}
