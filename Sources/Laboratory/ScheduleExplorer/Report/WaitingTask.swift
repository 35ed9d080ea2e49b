import VirtualTime

/// A task that nothing resumes.
struct WaitingTask: Sendable {
  /// The name of the task; nil for the program.
  let name: String?
  /// The name of the task that it awaits, if it awaits one.
  let awaited: String?
  /// Where it waits, innermost first.
  let addresses: [CodeAddress]
}

/// Closures that are called during a recorded run of unmodified Swift code.
struct TaskObserver: Sendable {
  /// Called before a job runs, with the name of its task, if it has one. The addresses are where the task resumes and then where it was
  /// created, innermost first.
  let resumes: @Sendable (_ task: String?, [CodeAddress]) -> Void
  /// Called after a run whose program has not ended, with the program, the task that it awaits, what that awaits, and so on.
  let stuck: @Sendable ([WaitingTask]) -> Void
}
