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
  /// Called with each job of a task of the runtime before it runs, on the thread that runs it.
  package var willRunJob: (@Sendable (UnownedJob) -> Void)?

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
