import EventBus
import FetcherModel
import ScenarioEngine

/// How fetches began and ended, in order, and a way to wait for what comes next. Main only, except for ``wait(for:from:)``.
final class Journal: Sendable {
  enum Entry: Sendable, Equatable {
    case started(ImageID)
    /// The fetch came to its one end, whichever.
    case ended(ImageID)
  }

  private struct Waiter {
    let entry: Entry
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var entries: [Entry] = []
    var waiters: [Waiter] = []
  }

  private let runtime: any Runtime
  private let state: Confined<State>

  init(_ runtime: any Runtime) {
    self.runtime = runtime
    state = Confined(runtime.main, State())
  }

  func record(_ entry: Entry) {
    let due = state.withValue { state in
      state.entries.append(entry)
      defer { state.waiters.removeAll { $0.entry == entry } }
      return state.waiters.filter { $0.entry == entry }
    }
    for waiter in due { waiter.continuation.resume() }
  }

  var count: Int { state.withValue { $0.entries.count } }

  func position(of entry: Entry) -> Int? { state.withValue { $0.entries.firstIndex(of: entry) } }

  /// Returns once there is such an entry at or after `position`.
  func wait(for entry: Entry, from position: Int) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      runtime.main.schedule { [state] in
        let isThere = state.withValue { state in
          let isThere = state.entries[position...].contains(entry)
          if !isThere { state.waiters.append(Waiter(entry: entry, continuation: continuation)) }
          return isThere
        }
        if isThere { continuation.resume() }
      }
    }
  }
}
