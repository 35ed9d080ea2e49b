import EventBus
package import FetcherModel

/// A record of an image's events, of whether each was posted on main, and of the image's state at that time.
package final class EventRecorder: Sendable {
  package struct Entry: Sendable {
    package let kind: String
    package let isOnMain: Bool
    package let state: ImageState?
    package let isFetching: Bool?
    package var strategy: StrategyName = ""
    package var error: FetchError?
    /// The received and expected bytes. The expected number is -1 if it is unknown.
    package var bytes: [Int] = []
  }

  private struct State {
    var entries: [Entry] = []
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var subscriptions: [Subscription] = []

    var ended: Int { entries.count { ["fetched", "failed", "cancelled"].contains($0.kind) } }
  }
  private let state = Locked(State())

  package init(_ image: IFImage, in environment: FetchEnvironment) {
    let (bus, id, main) = (environment.bus, image.id, environment.runtime.main)
    let note = {
      @Sendable [weak self, weak image] (kind: String, strategy: StrategyName, error: FetchError?, bytes: [Int]) in
      guard let self else { return }
      let entry = Entry(
        kind: kind, isOnMain: main.isCurrent, state: image?.state, isFetching: image?.isFetching, strategy: strategy,
        error: error, bytes: bytes)
      self.append(entry)
    }
    let subscriptions = [
      bus.subscribe(to: ImageFetchStarted.self, key: id) { note("started", $0.strategy, nil, []) },
      bus.subscribe(to: ImageFetchProgress.self, key: id) {
        note("progress", "", nil, [$0.received, $0.expected ?? -1])
      },
      bus.subscribe(to: ImageFetched.self, key: id) { note("fetched", $0.strategy, nil, []) },
      bus.subscribe(to: ImageFetchFailed.self, key: id) { note("failed", $0.strategy, $0.error, []) },
      bus.subscribe(to: ImageFetchCancelled.self, key: id) { note("cancelled", $0.strategy, nil, []) },
    ]
    state.withLock { $0.subscriptions = subscriptions }
  }

  package var entries: [Entry] { state.withLock { $0.entries } }
  /// The kinds in order, without progress.
  package var kinds: [String] { entries.map(\.kind).filter { $0 != "progress" } }
  /// The received and expected bytes of each progress event. The expected number is -1 if it is unknown.
  package var progress: [[Int]] { entries.filter { $0.kind == "progress" }.map(\.bytes) }
  package var last: Entry? { entries.last }

  /// Waits until `count` fetches have ended.
  package func ended(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.ended >= count { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  private func append(_ entry: Entry) {
    let ready = state.withLock { state in
      state.entries.append(entry)
      let ended = state.ended
      defer { state.waiting.removeAll { $0.count <= ended } }
      return state.waiting.filter { $0.count <= ended }
    }
    for waiter in ready { waiter.continuation.resume() }
  }
}

/// Asks each millisecond whether `condition` holds, until it does or the test is cancelled at its time limit. Without the
/// pause, the questions would take a core from the code that the test waits for.
package func wait(_ environment: FetchEnvironment, until condition: () -> Bool) async {
  while !condition(), !Task.isCancelled {
    await settle(environment)
    try? await Task.sleep(for: .milliseconds(1))
  }
}

/// Returns when main and the workers have run the actions that were scheduled before. On a runtime that is not tracked,
/// a worker may be late. In that case, wait for its result instead.
package func settle(_ environment: FetchEnvironment) async {
  if let runtime = environment.runtime as? TrackedRuntime { await runtime.rest() }
  for _ in 0..<4 {
    await withCheckedContinuation { continuation in
      environment.runtime.workers.schedule { environment.runtime.main.schedule { continuation.resume() } }
    }
  }
}
