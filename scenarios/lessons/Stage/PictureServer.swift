public import EventBus
import ScheduleExplorer
import Synchronization
import VirtualTime

/// A picture server that answers asynchronously, and never on main.
public final class PictureServer: Sendable {
  /// The reason why the server did not return a picture.
  public enum Failure: Error, Sendable {
    /// The server is offline.
    case offline
    /// The program has cancelled the request.
    case cancelled
  }

  /// A request in flight.
  public final class Request: Cancellation {
    private let stored: Watched<String?>
    private let action: @Sendable () -> Void

    init(_ image: Watched<String?>, _ action: @escaping @Sendable () -> Void) {
      stored = image
      self.action = action
    }

    /// The picture, or nil if it has not arrived or cannot be loaded.
    public var image: String? { stored.value }

    /// Cancels the request. The server calls the completion with `.cancelled`, unless the answer has already arrived.
    public func cancel() { action() }
  }

  private struct State {
    var requests: [String] = []
    var underWay: [String] = []
    var inVain: [String] = []
    var answered: [String] = []
    var images: Set<String> = []
    var maximumUnderWay = 0
    var answers: [Result<String, Failure>] = []
  }

  private let runtime: VirtualRuntime
  private let data: RunData
  private let network: any Scheduler
  private let latency: @Sendable (String) -> Duration
  private let silent: Set<String>
  private let broken: Set<String>
  private let state: Mutex<State>

  /// - Parameters:
  ///   - data: The data of the run, with the answers to the pictures.
  ///   - name: The name of the queue used for answers.
  ///   - latency: The time between a request and its answer, if the stage keeps due times.
  ///   - silent: The pictures for which the server never sends an answer.
  ///   - broken: The pictures that the server cannot load.
  ///   - answers: The answers to the first requests. Every later request is answered with the requested picture.
  convenience init(
    _ runtime: VirtualRuntime, _ data: RunData, named name: String = "network", latency: Duration = .milliseconds(100),
    silent: Set<String> = [], broken: Set<String> = [], answers: [Result<String, Failure>] = []
  ) {
    self.init(
      runtime, data, named: name, latencies: { _ in latency }, silent: silent, broken: broken, answers: answers)
  }

  /// - Parameter latencies: The time between the request for a picture and its answer.
  init(
    _ runtime: VirtualRuntime, _ data: RunData, named name: String = "network",
    latencies: @escaping @Sendable (String) -> Duration, silent: Set<String> = [], broken: Set<String> = [],
    answers: [Result<String, Failure>] = []
  ) {
    self.runtime = runtime
    self.data = data
    self.silent = silent
    self.broken = broken
    latency = latencies
    network = runtime.network(name)
    state = Mutex(State(answers: answers))
  }

  /// Requests a picture.
  ///
  /// - Parameters:
  ///   - fileID: The caller's file, shown on the run's page.
  ///   - line: The caller's line in that file.
  ///   - completion: A closure that is called once, on the network queue.
  @discardableResult
  public func fetch(
    _ picture: String, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<String, Failure>) -> Void
  ) -> Request {
    fetch(picture, answer: nil, fileID: fileID, line: line, completion: completion)
  }

  @discardableResult
  private func fetch(
    _ picture: String, answer given: Result<String, Failure>?, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<String, Failure>) -> Void
  ) -> Request {
    let (number, answer) = state.withLock { state in
      state.requests.append(picture)
      state.underWay.append(picture)
      state.maximumUnderWay = max(state.maximumUnderWay, state.underWay.count)
      return (
        UInt64(state.requests.count),
        given != nil || state.answers.isEmpty ? given ?? usualAnswer(picture) : state.answers.removeFirst()
      )
    }
    runtime.note(silent.contains(picture) ? "request \(picture), never answered" : "request \(picture)")
    runtime.mark(
      RunMark(.begins(.request, number: number, name: "GET \(picture)"), fileID: "\(fileID)", line: Int(line)))
    let (isOver, image) = (Once(), Watched<String?>(nil))
    let timer =
      silent.contains(picture)
      ? nil
      : network.schedule(after: latency(picture)) { [runtime, self] in
        guard isOver.first() else { return }
        end(picture)
        state.withLock { state in
          state.answered.append(picture)
          if case .success(let image) = answer { state.images.insert(image) }
        }
        image.value = try? answer.get()
        runtime.note(caption(picture, answer))
        runtime.mark(RunMark(.ends(.request, number: number, error: Self.error(answer))))
        completion(answer)
      }
    return Request(image) { [runtime, network, self] in
      guard isOver.first() else { return }
      timer?.cancel()
      runtime.note("cancel \(picture)")
      runtime.mark(RunMark(.ends(.request, number: number, error: "\(Failure.cancelled)")))
      end(picture)
      network.schedule { completion(.failure(.cancelled)) }
    }
  }

  /// Requests a picture from asynchronous code. The request continues even if its task is cancelled.
  public func picture(_ picture: String) async -> String {
    // A checked continuation complains about a picture that never arrives.
    await withUnsafeContinuation { continuation in
      fetch(picture) { continuation.resume(returning: (try? $0.get()) ?? "no picture") }
    }
  }

  /// Requests a picture from asynchronous code. Throws if the server returns a failure.
  public func load(_ picture: String) async throws(Failure) -> String {
    try await withUnsafeContinuation { continuation in
      fetch(picture) { continuation.resume(returning: $0) }
    }.get()
  }

  private static func error(_ answer: Result<String, Failure>) -> String? {
    if case .failure(let failure) = answer { "\(failure)" } else { nil }
  }

  private func usualAnswer(_ picture: String) -> Result<String, Failure> {
    broken.contains(picture) ? .failure(.offline) : .success(data.answer(to: picture))
  }

  private func caption(_ picture: String, _ answer: Result<String, Failure>) -> String {
    switch answer {
    case .success(""): "answer \(picture): empty"
    case .success(let image): data.isShown ? "answer \(picture)" : "answer \(picture): \(image)"
    case .failure(let failure): "answer \(picture): \(failure)"
    }
  }

  /// Requests a picture whose answer differs from the usual one.
  func load(_ picture: String, answer: Result<String, Failure>) async throws(Failure) -> String {
    try await withUnsafeContinuation { continuation in
      fetch(picture, answer: answer) { continuation.resume(returning: $0) }
    }.get()
  }

  /// Requests a picture. Cancelling the task cancels the request, which then throws.
  func loadUntilCancelled(_ picture: String) async throws(Failure) -> String {
    let request = Watched<Request?>(nil)
    let result = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        request.value = fetch(picture) { continuation.resume(returning: $0) }
        if Task.isCancelled { request.value?.cancel() }
      }
    } onCancel: {
      request.value?.cancel()
    }
    return try result.get()
  }

  /// The pictures that were requested, in order.
  var requests: [String] { state.withLock { $0.requests } }

  /// The pictures whose answers have arrived, in order.
  var answered: [String] { state.withLock { $0.answered } }

  /// The pictures whose requests are in flight.
  var underWay: [String] { state.withLock { $0.underWay } }

  /// The maximum number of requests that were in flight at the same time.
  var maximumUnderWay: Int { state.withLock { $0.maximumUnderWay } }

  /// Whether an answer with this image has arrived.
  func hasDelivered(_ image: String) -> Bool { state.withLock { $0.images.contains(image) } }

  /// Throws unless exactly these pictures were requested, in any order.
  func verify(requests expected: [String]) throws(Finding) {
    try require(
      requests.sorted() == expected.sorted(), "the requests must be \(expected.sorted()), but are \(requests.sorted())")
  }

  /// Marks all requests in flight as unwanted.
  func nothingIsWanted() { state.withLock { $0.inVain = $0.underWay } }

  /// The unwanted requests.
  var inVain: [String] { state.withLock { $0.inVain } }

  private func end(_ picture: String) {
    state.withLock { state in
      if let index = state.underWay.firstIndex(of: picture) { state.underWay.remove(at: index) }
    }
  }
}

/// Returns true for the first caller only.
private final class Once: Sendable {
  private let isOver = Mutex(false)

  func first() -> Bool {
    isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }
}
