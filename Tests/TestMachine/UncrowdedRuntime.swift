package import EventBus

/// The Dispatch runtime, with tasks on the threads of the waiting tests. Behind hundreds of computing tests, a strategy
/// that fetches in a task might get no thread before its deadline.
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
