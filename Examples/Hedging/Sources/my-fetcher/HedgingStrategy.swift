import FetcherModel
import Foundation
import Synchronization

/// Fetches like `dataTask`. If no response arrives in time, abandons the request and sends it a second time.
struct HedgingStrategy: FetchStrategy {
  let name: StrategyName = "hedging"
  let capabilities = StrategyCapabilities(
    canCancel: true, seesStatus: true, reportsProgress: true, seesRedirects: true, sendsHeaders: true,
    note: "a second try after 100 ms")
  private let base: any FetchStrategy
  private let timers: any Scheduler

  init(in context: StrategyContext) {
    base = context.strategy(.dataTask)
    timers = context.runtime.serial("hedging timers")
  }

  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    let fetch = HedgedFetch(completion) { [base] in base.fetch(request, completion: $0) }
    fetch.start(timers)
    return fetch
  }
}

/// One fetch: its request, and the timer for the second try.
private final class HedgedFetch: Cancellation {
  typealias Completion = @Sendable (Result<FetchedBody, FetchError>) -> Void

  private struct State {
    /// Nil after the end of the fetch.
    var completion: Completion?
    var attempt = 1
    var request: (any Cancellation)?
    var timer: (any Cancellation)?
  }

  private let state: Mutex<State>
  private let begin: @Sendable (@escaping Completion) -> any Cancellation

  init(_ completion: @escaping Completion, _ begin: @escaping @Sendable (@escaping Completion) -> any Cancellation) {
    state = Mutex(State(completion: completion))
    self.begin = begin
  }

  func start(_ timers: any Scheduler) {
    let timer = timers.schedule(after: .milliseconds(100)) { self.sendAgain() }
    state.withLock { $0.timer = timer }
    send(1)
  }

  private func send(_ attempt: Int) {
    let request = begin { self.end($0, attempt) }
    let isWanted = state.withLock { state in
      guard state.completion != nil, state.attempt == attempt else { return false }
      state.request = request
      return true
    }
    if !isWanted { request.cancel() }
  }

  private func sendAgain() {
    let old = state.withLock { state in
      state.attempt = 2
      return state.request.take()
    }
    old?.cancel()
    send(2)
  }

  private func end(_ result: Result<FetchedBody, FetchError>, _ attempt: Int) {
    let ended = state.withLock { state -> State? in
      guard state.completion != nil, state.attempt == attempt else { return nil }
      defer { state = State(completion: nil, attempt: attempt) }
      return state
    }
    ended?.timer?.cancel()
    ended?.completion?(result)
  }

  func cancel() {
    let ended = state.withLock { state in
      defer { state.completion = nil }
      return state
    }
    ended.request?.cancel()
    ended.completion?(.failure(.cancelled))
  }
}
