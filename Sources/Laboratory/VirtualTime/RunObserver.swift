/// Closures that are called during a virtual run. None of them may call the runtime.
public struct RunObserver: Sendable {
  /// Called with each item before it runs, on the thread that runs it.
  public var willRun: (@Sendable (ReadyItem) -> Void)?
  /// Called with each ``VirtualRuntime/note(_:)``, on the thread that made it.
  public var noted: (@Sendable (String) -> Void)?
  /// Called with all that the running item does that makes a difference to others, on the thread that runs it.
  public var touched: (@Sendable (Touch) -> Void)?
  /// Called with each foreign call, on the thread that made it.
  public var calledByForeignThread: (@Sendable (ForeignCall) -> Void)?
  /// Called with the name of the running item, and whether it only looks how things are.
  package var named: (@Sendable (String, _ onlyLooks: Bool) -> Void)?
  /// Called before a job runs with what its task is called, if anything, and with where it goes on and then where it was made,
  /// innermost first.
  package var resumes: (@Sendable (_ task: String?, [CodeAddress]) -> Void)?
  /// Called at the end of a run whose program has not ended with the program, the task that it awaits, what that awaits, and so on.
  package var stuck: (@Sendable ([WaitingTask]) -> Void)?

  /// Makes an observer that calls nothing else.
  public init(
    willRun: (@Sendable (ReadyItem) -> Void)? = nil, noted: (@Sendable (String) -> Void)? = nil,
    calledByForeignThread: (@Sendable (ForeignCall) -> Void)? = nil, touched: (@Sendable (Touch) -> Void)? = nil
  ) {
    self.willRun = willRun
    self.noted = noted
    self.calledByForeignThread = calledByForeignThread
    self.touched = touched
  }
}
