public import EventBus
import Synchronization
import VirtualTime

/// A server of pictures, as a program sees it through the network: it answers later, and not on main.
public final class PictureServer: Sendable {
  /// Why there is no picture.
  public enum Failure: Error, Sendable {
    /// The server does not answer.
    case offline
    /// The program has cancelled the request.
    case cancelled
  }

  /// A request that is under way.
  public final class Request: Cancellation {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    /// Asks for an early end. The completion is still called, with `.cancelled`, unless the answer is already there.
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
  ///   - name: of the queue on which it answers.
  ///   - latency: from the request to its answer, where answers come in time.
  ///   - silent: the pictures for which no answer ever comes.
  ///   - answers: the first ones; afterwards each is the picture that was asked for.
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

  /// Asks for a picture.
  ///
  /// - Parameter completion: is called once, on the queue of the network.
  @discardableResult
  public func fetch(
    _ picture: String, completion: @escaping @Sendable (Result<String, Failure>) -> Void
  ) -> Request {
    let answer = state.withLock { state in
      state.requests.append(picture)
      state.underWay.append(picture)
      return state.answers.isEmpty ? .success(picture) : state.answers.removeFirst()
    }
    runtime.note("request \(picture)")
    let isOver = Once()
    let timer =
      silent.contains(picture)
      ? nil
      : network.schedule(after: latency) { [runtime, self] in
        guard isOver.first() else { return }
        end(picture)
        state.withLock { $0.answered.append(picture) }
        runtime.note(Self.caption(picture, answer))
        completion(answer)
      }
    return Request { [runtime, network, self] in
      guard isOver.first() else { return }
      timer?.cancel()
      runtime.note("cancel \(picture)")
      end(picture)
      network.schedule { completion(.failure(.cancelled)) }
    }
  }

  /// Asks for a picture, from asynchronous code. Does not heed the cancellation of its task.
  public func picture(_ picture: String) async -> String {
    await withCheckedContinuation { continuation in
      fetch(picture) { _ in continuation.resume(returning: picture) }
    }
  }

  /// The same for a server that may fail.
  public func load(_ picture: String) async throws(Failure) -> String {
    try await withCheckedContinuation { continuation in
      fetch(picture) { continuation.resume(returning: $0) }
    }.get()
  }

  private static func caption(_ picture: String, _ answer: Result<String, Failure>) -> String {
    switch answer {
    case .success(""): "answer \(picture): empty"
    case .success: "answer \(picture)"
    case .failure(let failure): "answer \(picture): \(failure)"
    }
  }

  /// The pictures that were asked for, in order.
  var requests: [String] { state.withLock { $0.requests } }

  /// The pictures whose answers have come, in order.
  var answered: [String] { state.withLock { $0.answered } }

  /// The pictures that are under way.
  var underWay: [String] { state.withLock { $0.underWay } }

  /// From now on no picture is wanted: what is under way is in vain.
  func nothingIsWanted() { state.withLock { $0.inVain = $0.underWay } }

  /// What was under way in vain.
  var inVain: [String] { state.withLock { $0.inVain } }

  private func end(_ picture: String) {
    state.withLock { state in
      if let index = state.underWay.firstIndex(of: picture) { state.underWay.remove(at: index) }
    }
  }
}

/// Says yes to the first who asks.
private final class Once: Sendable {
  private let isOver = Mutex(false)

  func first() -> Bool {
    isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }
}
