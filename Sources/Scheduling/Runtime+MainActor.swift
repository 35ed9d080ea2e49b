/// Main-actor isolation under any runtime.
///
/// Under ``DispatchRuntime``, ``Runtime/main`` is Dispatch's main queue, which is the main actor. With virtual time, one
/// process executes many runs, and each run has its own main scheduler. Views are still ordinary `@MainActor` classes:
/// such a runtime isolates them in ``Runtime/withMainActor(_:)``.
///
/// **The rule that makes this sound**: the main-actor state of a run belongs only to that run. Code uses it only on the
/// main scheduler of the run's runtime, which runs one action at a time. The compiler rejects calls from other
/// isolation domains. However, the compiler does not know that there is a second main scheduler. For example, a
/// main-actor function that a task awaits runs on Dispatch's main queue. The entry points of the views therefore verify
/// the scheduler with `requireMain`.
extension Runtime {
  /// Runs `body` isolated to the main actor. The caller must be on ``main``; otherwise, the process terminates with a
  /// message.
  ///
  /// The isolation lasts for this call and also satisfies Swift's run-time checks. Under a runtime other than
  /// ``DispatchRuntime``, `body` must not start a `Task { @MainActor in … }`. Such a task would run on Dispatch's main
  /// queue.
  public func assumeMainActor<Value: Sendable>(
    function: StaticString = #function, _ body: @MainActor () throws -> Value
  ) rethrows -> Value {
    requireMain(function)
    return try withMainActor(body)
  }

  /// Runs `body` with `MainActor.assumeIsolated`, because ``main`` is the main queue.
  public func withMainActor<Value: Sendable>(_ body: @MainActor () throws -> Value) rethrows -> Value {
    try MainActor.assumeIsolated(body)
  }

  /// Runs `action` on ``main`` asynchronously, isolated to the main actor. Can be called on any thread.
  public func scheduleOnMain(_ action: @escaping @MainActor @Sendable () -> Void) {
    main.schedule { assumeMainActor(action) }
  }

  /// Runs `action` on ``main`` after `delay`, isolated to the main actor. Can be called on any thread.
  public func scheduleOnMain(
    after delay: Duration, _ action: @escaping @MainActor @Sendable () -> Void
  ) -> any Cancellation {
    main.schedule(after: delay) { assumeMainActor(action) }
  }

  /// Terminates the process with a message unless the caller is on ``main``.
  package func requireMain(_ function: StaticString = #function) {
    if main.isCurrent { return }
    fatalError(
      """
      \(function) was not called on the main scheduler of its runtime. Call it in runtime.scheduleOnMain { … }. \
      If a task awaits main-actor code, that code runs on Dispatch's main queue, which is the main scheduler only of \
      DispatchRuntime.
      """)
  }
}
