import EventBus

/// Runs the jobs of a task as actions of a scheduler.
final class AgendaTaskExecutor: TaskExecutor {
  private let scheduler: AgendaScheduler

  init(_ scheduler: AgendaScheduler) { self.scheduler = scheduler }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    scheduler.schedule { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
