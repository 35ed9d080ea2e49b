package import EventBus

/// The real runtime, with tasks on the threads of the tests that wait: behind hundreds of tests that compute, the fetch of a strategy
/// that is a task could get no thread before its deadline.
package struct UncrowdedRuntime: Runtime {
  private let base = DispatchRuntime.shared

  package init() {}

  package var main: any Scheduler { base.main }
  package var workers: any Scheduler { base.workers }
  package var now: Duration { base.now }
  package func serial(_ label: String) -> any Scheduler { base.serial(label) }
  package func gate() -> any Gate { base.gate() }
  package func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(executorPreference: QueueExecutor.waiting, operation: body)
  }
}
