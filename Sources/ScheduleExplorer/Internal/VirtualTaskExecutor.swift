import EventBus

/// Runs the jobs of tasks as closures of a virtual runtime.
final class VirtualTaskExecutor: TaskExecutor {
  private let core: VirtualCore

  init(_ core: VirtualCore) { self.core = core }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    core.schedule(
      VirtualState.Action { job.runSynchronously(on: self.asUnownedTaskExecutor()) }, on: .tasks)
  }
}
