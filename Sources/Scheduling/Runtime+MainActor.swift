#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Main-actor isolation under any runtime.
///
/// With virtual time, one process executes many runs. Each run has its own main scheduler, which is not Dispatch's main
/// queue. Views are still ordinary `@MainActor` classes. A runtime's main scheduler represents the main actor, and only
/// this file grants the isolation.
///
/// **The rule that makes this grant sound**: the main-actor state of a run belongs only to that run. Code uses it only
/// on the main scheduler of the run's runtime, which runs one action at a time. The compiler rejects calls from other
/// isolation domains. However, the compiler does not know that there is a second main scheduler. For example, a
/// main-actor function that a task awaits runs on Dispatch's main queue. The entry points of the views therefore verify
/// the scheduler with `requireMain`.
///
/// Swift's run-time check distinguishes threads, not runtimes. Suppose that a virtual run executes inside another run's
/// grant, or on the process's main thread. The check then also accepts code that the run executes off its main
/// scheduler, but `requireMain` does not.
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
    // The cast only removes the isolation, which was verified above. Both function types have the same calling
    // convention.
    return try withoutActuallyEscaping(body) { body in
      try MainActorGrant.hold(unsafeBitCast(body, to: (() throws -> Value).self))
    }
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

/// The threads that Swift's run-time checks accept as the main actor's, in addition to the main queue's thread.
///
/// The compiler adds such a check to an isolated closure that it passes to a module without strict concurrency, such as
/// the standard library. Without the grant, `rows.first { … }` in a main-actor class terminates a virtual run. The
/// Swift runtime library has a hook for this check. A program that links the library statically does not export the
/// hook, so its checks accept only the main queue.
enum MainActorGrant {
  private typealias Original = @convention(thin) (UnownedSerialExecutor) -> Void
  private typealias Hook = @convention(thin) (UnownedSerialExecutor, Original) -> Void

  private static let key = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    if status != 0 { fatalError("The process has used all thread-local keys (pthread_key_create: \(status)).") }
    return key
  }()

  private static let isInstalled = {
    guard let symbol = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_checkIsolated_hook") else { return false }
    symbol.assumingMemoryBound(to: Hook?.self).pointee = { executor, original in
      if pthread_getspecific(key) == nil || !isMain(executor) { original(executor) }
    }
    return true
  }()

  private static func isMain(_ executor: UnownedSerialExecutor) -> Bool {
    unsafeBitCast(executor, to: (UInt, UInt).self)
      == unsafeBitCast(MainActor.sharedUnownedExecutor, to: (UInt, UInt).self)
  }

  /// Runs `body` on this thread. During the call, the checks accept the thread as the main actor's.
  static func hold<Value>(_ body: () throws -> Value) rethrows -> Value {
    _ = isInstalled
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    defer { pthread_setspecific(key, outer) }
    return try body()
  }
}
