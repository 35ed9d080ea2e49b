public import EventBus
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
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    /// Cancels the request. The server calls the completion with `.cancelled`, unless the answer has already arrived.
    public func cancel() { action() }
  }

  private struct State {
    var requests: [String] = []
    var underWay: [String] = []
    var inVain: [String] = []
    var answered: [String] = []
    var answers: [Result<String, Failure>] = []
  }

  private let runtime: VirtualRuntime
  private let network: any Scheduler
  private let latency: Duration
  private let silent: Set<String>
  private let state: Mutex<State>

  /// - Parameters:
  ///   - name: The name of the queue used for answers.
  ///   - latency: The time between a request and its answer, if the stage keeps due times.
  ///   - silent: The pictures for which the server never sends an answer.
  ///   - answers: The answers to the first requests. Every later request is answered with the requested picture.
  init(
    _ runtime: VirtualRuntime, named name: String = "network", latency: Duration = .milliseconds(100),
    silent: Set<String> = [],
    answers: [Result<String, Failure>] = []
  ) {
    self.runtime = runtime
    self.silent = silent
    self.latency = latency
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
    let (number, answer) = state.withLock { state in
      state.requests.append(picture)
      state.underWay.append(picture)
      return (UInt64(state.requests.count), state.answers.isEmpty ? .success(picture) : state.answers.removeFirst())
    }
    runtime.note("request \(picture)")
    runtime.mark(
      RunMark(.begins(.request, number: number, name: "GET \(picture)"), fileID: "\(fileID)", line: Int(line)))
    let isOver = Once()
    let timer =
      silent.contains(picture)
      ? nil
      : network.schedule(after: latency) { [runtime, self] in
        guard isOver.first() else { return }
        end(picture)
        state.withLock { $0.answered.append(picture) }
        runtime.note(Self.caption(picture, answer))
        runtime.mark(RunMark(.ends(.request, number: number, error: Self.error(answer))))
        completion(answer)
      }
    return Request { [runtime, network, self] in
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
    await withCheckedContinuation { continuation in
      fetch(picture) { _ in continuation.resume(returning: picture) }
    }
  }

  /// Requests a picture from asynchronous code. Throws if the server returns a failure.
  public func load(_ picture: String) async throws(Failure) -> String {
    try await withCheckedContinuation { continuation in
      fetch(picture) { continuation.resume(returning: $0) }
    }.get()
  }

  private static func error(_ answer: Result<String, Failure>) -> String? {
    if case .failure(let failure) = answer { "\(failure)" } else { nil }
  }

  private static func caption(_ picture: String, _ answer: Result<String, Failure>) -> String {
    switch answer {
    case .success(""): "answer \(picture): empty"
    case .success: "answer \(picture)"
    case .failure(let failure): "answer \(picture): \(failure)"
    }
  }

  /// The pictures that were requested, in order.
  var requests: [String] { state.withLock { $0.requests } }

  /// The pictures whose answers have arrived, in order.
  var answered: [String] { state.withLock { $0.answered } }

  /// The pictures whose requests are in flight.
  var underWay: [String] { state.withLock { $0.underWay } }

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
