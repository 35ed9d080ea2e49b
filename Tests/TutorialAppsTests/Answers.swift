import EventBus
import FetcherModel
import ModelFixtures
import TutorialApps

/// A record of the events that services post about their responses.
final class Answers: Sendable {
  struct Entry: Sendable {
    let answer: ServiceResponded
    let isOnMain: Bool
  }

  private let entries = Locked<[Entry]>([])
  private let subscription = Locked<Subscription?>(nil)

  init(in environment: FetchEnvironment) {
    let main = environment.runtime.main
    let token = environment.bus.subscribe(to: ServiceResponded.self) { [weak self] answer in
      let entry = Entry(answer: answer, isOnMain: main.isCurrent)
      self?.entries.withLock { $0.append(entry) }
    }
    subscription.withLock { $0 = token }
  }

  var all: [Entry] { entries.withLock { $0 } }
}

extension Workbench {
  /// Returns the result of a call with a completion, and whether the completion ran on main.
  func result<Value: Sendable, Failure: Error>(
    _ call: (@escaping @Sendable (Result<Value, Failure>) -> Void) -> Void
  ) async -> (result: Result<Value, Failure>, isOnMain: Bool) {
    let main = environment.runtime.main
    return await withCheckedContinuation { continuation in
      call { continuation.resume(returning: ($0, main.isCurrent)) }
    }
  }
}
