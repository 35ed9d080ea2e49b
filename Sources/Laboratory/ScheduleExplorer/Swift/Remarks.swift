import Scheduling
import VirtualTime

/// Collects the actions of the explored code that a search does not vary.
package final class Remarks: Sendable {
  private static let maximumSites = 5
  /// The maximum number of calls whose stacks are compared. Reading a stack takes longer than a short run.
  private static let maximumCalls = 100

  private static let maximumFrames = 20

  private struct State: Sendable {
    var hasSlept = false
    var usesMainSerialExecutor = false
    /// The calls that start work outside the search, each with its stack.
    var outside: [(call: String, stack: [CodeAddress])] = []
    var calls = 0
  }

  private let state = Locked(State())

  func noteSleep() { state.withLock { $0.hasSlept = true } }
  func noteMainSerialExecutor() { state.withLock { $0.usesMainSerialExecutor = true } }
  func noteOutside(_ call: String) {
    let isCompared = state.withLock { state in
      state.calls += 1
      return state.calls <= Self.maximumCalls
    }
    guard isCompared else { return }
    let stack = CallStack.addresses(most: Self.maximumFrames)
    state.withLock { state in
      guard state.outside.count < Self.maximumSites, !state.outside.contains(where: { $0.stack == stack }) else {
        return
      }
      state.outside.append((call, stack))
    }
  }

  /// Adds the remarks to the statistics of a search.
  ///
  /// - Parameters:
  ///   - interrupts: whether jobs could be interrupted.
  ///   - hasHooks: whether the clocks that the code reads are virtual.
  func complete(
    _ statistics: inout Statistics, interrupts: Bool, timing: Timing, hasHooks: Bool = JobHooks.live != nil
  ) {
    let state = state.withLock { $0 }
    var texts: [String] = []
    texts.append(
      interrupts
        ? "switches inside a job, except at calls into Swift's runtime"
        : "switches inside a job: at the start of a task, a resume, a cancellation, or a call to an actor."
    )
    if !hasHooks {
      texts.append("the clocks that the code reads: they show real time, and sleeps take none. \(JobHooks.advice)")
    }
    if state.usesMainSerialExecutor {
      texts.append("the order of tasks: withMainSerialExecutor runs all of them on main. Search without it.")
    }
    let sites = CodeSites(state.outside.flatMap(\.stack))
    for call in state.outside {
      let site = sites.first(of: call.stack).map { " in \($0)" } ?? ""
      texts.append("when the work of \(call.call)\(site) runs. Wrap the call in External.call.")
    }
    statistics.add(
      remarks: texts, hasExactSleeps: state.hasSlept && timing == .exact,
      isLimited: state.usesMainSerialExecutor || !state.outside.isEmpty || statistics.drawsNumbers)
  }
}
