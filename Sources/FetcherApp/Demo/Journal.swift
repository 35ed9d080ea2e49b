import EventBus
import FetcherModel
import ScenarioEngine

/// What happened, in order, and a way to wait for what happens next. It lives on main.
final class Journal: Sendable {
  /// Who did it.
  enum Lane: String, Sendable, CaseIterable {
    case user, view, model, origin
  }

  /// What can be waited for.
  enum Mark: Sendable, Equatable {
    case note
    case drawn
    case started(ImageID)
    /// The fetch came to its one end, whichever.
    case ended(ImageID)
  }

  /// One line of the timeline.
  struct Entry: Sendable {
    /// Since the journal was opened.
    let time: Duration
    let lane: Lane
    let text: String
    let mark: Mark
  }

  private struct Waiter {
    let key: Int
    let mark: Mark
    let resume: @Sendable (Bool) -> Void
  }

  private struct State {
    var entries: [Entry] = []
    var waiters: [Waiter] = []
    var nextKey = 0
  }

  private let state: Confined<State>
  private let runtime: any Runtime
  private let start: Duration
  private let onEntry: @Sendable (Entry) -> Void

  /// - Parameter onEntry: called on main for each new entry.
  init(_ runtime: any Runtime, onEntry: @escaping @Sendable (Entry) -> Void) {
    self.runtime = runtime
    self.onEntry = onEntry
    start = runtime.now
    state = Confined(runtime.main, State())
  }

  /// Adds an entry and lets go of who waited for it. Main only.
  func record(_ lane: Lane, _ text: String, _ mark: Mark = .note) {
    let entry = Entry(time: runtime.now - start, lane: lane, text: text, mark: mark)
    let due = state.withValue { state in
      state.entries.append(entry)
      let due = state.waiters.filter { $0.mark == mark }
      state.waiters.removeAll { $0.mark == mark }
      return due
    }
    onEntry(entry)
    for waiter in due { waiter.resume(true) }
  }

  /// How many entries there are. Main only.
  var count: Int { state.withValue { $0.entries.count } }

  /// Where the first entry with that mark stands. Main only.
  func position(of mark: Mark) -> Int? { state.withValue { $0.entries.firstIndex { $0.mark == mark } } }

  /// Returns once there is an entry with that mark at or after `position`.
  ///
  /// - Parameter limit: longer than any fetch may take.
  /// - Throws: a failure that names what did not happen, after `limit`.
  func wait(
    for mark: Mark, from position: Int, _ what: String, limit: Duration = .seconds(90)
  ) async throws(CommandFailure) {
    let happened = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      runtime.main.schedule { [self] in
        let key = state.withValue { state -> Int? in
          guard !state.entries[position...].contains(where: { $0.mark == mark }) else { return nil }
          state.nextKey += 1
          state.waiters.append(Waiter(key: state.nextKey, mark: mark) { continuation.resume(returning: $0) })
          return state.nextKey
        }
        guard let key else {
          continuation.resume(returning: true)
          return
        }
        _ = runtime.main.schedule(after: limit) { self.giveUp(key) }
      }
    }
    guard happened else { throw .failed("waited \(limit.inMilliseconds) ms in vain: \(what)") }
  }

  private func giveUp(_ key: Int) {
    let late = state.withValue { state in
      state.waiters.firstIndex { $0.key == key }.map { state.waiters.remove(at: $0) }
    }
    late?.resume(false)
  }
}
