#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Main-actor isolation under any runtime.
///
/// Virtual time runs many mains in one process, and none of them is Dispatch's main queue. Views are still ordinary
/// `@MainActor` classes: the main scheduler of a runtime represents the main actor, and this file alone grants the
/// isolation.
///
/// **The rule that makes it sound**: the main-actor state of a run belongs to that run alone. Code uses it only on the
/// main scheduler of that runtime, which runs one action at a time. The compiler rejects calls from other isolation
/// domains. It cannot see a second main: an `await` from a task, for example, leads to Dispatch's main queue. The entry
/// points of the views therefore verify it with `requireMain`.
///
/// Swift's run-time check knows threads, not runtimes. If a virtual run executes inside another run's grant, or on the
/// main thread of the process, the check also accepts code that the run executes off its main. `requireMain` does not.
extension Runtime {
  /// Runs `body` isolated to the main actor. The caller must be on ``main``; elsewhere the process ends with a message.
  ///
  /// The isolation holds for this call, also for Swift's checks at run time. Under a runtime other than Dispatch's,
  /// `body` must start no `Task { @MainActor in … }`: it runs on Dispatch's main queue.
  public func assumeMainActor<Value: Sendable>(
    function: StaticString = #function, _ body: @MainActor () throws -> Value
  ) rethrows -> Value {
    requireMain(function)
    // The cast only removes the isolation, which was verified. Functions of both types have the same calling
    // convention.
    return try withoutActuallyEscaping(body) { body in
      try MainActorGrant.hold(unsafeBitCast(body, to: (() throws -> Value).self))
    }
  }

  /// Runs `action` on ``main`` asynchronously, isolated to the main actor. Any thread.
  public func scheduleOnMain(_ action: @escaping @MainActor @Sendable () -> Void) {
    main.schedule { assumeMainActor(action) }
  }

  /// Runs `action` on ``main`` after `delay`, isolated to the main actor. Any thread.
  public func scheduleOnMain(
    after delay: Duration, _ action: @escaping @MainActor @Sendable () -> Void
  ) -> any Cancellation {
    main.schedule(after: delay) { assumeMainActor(action) }
  }

  /// Ends the process with a message unless the caller is on ``main``.
  package func requireMain(_ function: StaticString = #function) {
    if main.isCurrent { return }
    fatalError(
      """
      \(function) was called away from the main scheduler of its runtime. Call it in runtime.scheduleOnMain { … }; \
      an `await` of main-actor code leads to Dispatch's main queue, which is the main scheduler only of DispatchRuntime.
      """)
  }
}

/// The threads that Swift's run-time checks accept as the main actor's, in addition to that of Dispatch's main queue.
///
/// The compiler adds such a check to an isolated closure that it passes to a module without strict concurrency, such as
/// the standard library. Without the grant, `rows.first { … }` in a main-actor class ends a virtual run. The runtime of
/// Swift has a hook for the check. A program that links that runtime statically does not export the hook, and its
/// checks accept the main queue alone.
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

  /// Runs `body` on a thread that the checks accept as the main actor's.
  static func hold<Value>(_ body: () throws -> Value) rethrows -> Value {
    _ = isInstalled
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    defer { pthread_setspecific(key, outer) }
    return try body()
  }
}
