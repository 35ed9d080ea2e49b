import Comparison
import EventBus

/// The record of a comparison while it grows, and its one report, whoever asks for it first. Any thread.
final class ComparisonKeeper: Sendable {
  private struct State {
    var record: ComparisonRecord
    var isReported = false
  }

  private let state: Locked<State>

  init(_ record: ComparisonRecord) { state = Locked(State(record: record)) }

  func change(_ body: @Sendable (inout ComparisonRecord) -> Void) { state.withLock { body(&$0.record) } }

  /// The record, for the first caller only.
  func take() -> ComparisonRecord? {
    state.withLock { state in
      guard !state.isReported else { return nil }
      state.isReported = true
      return state.record
    }
  }
}
