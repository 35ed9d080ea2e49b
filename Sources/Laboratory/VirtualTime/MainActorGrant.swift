import Scheduling

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension VirtualRuntime {
  /// Runs `body`, and makes Swift's run-time checks accept this thread as the main actor's during the call.
  public func withMainActor<Value: Sendable>(_ body: @MainActor () throws -> Value) rethrows -> Value {
    try MainActorGrant.hold(body)
  }
}

extension ManualRuntime {
  /// Runs `body`, and makes Swift's run-time checks accept this thread as the main actor's during the call.
  public func withMainActor<Value: Sendable>(_ body: @MainActor () throws -> Value) rethrows -> Value {
    try MainActorGrant.hold(body)
  }
}

extension ImmediateRuntime {
  /// Runs `body`, and makes Swift's run-time checks accept this thread as the main actor's during the call.
  public func withMainActor<Value: Sendable>(_ body: @MainActor () throws -> Value) rethrows -> Value {
    try MainActorGrant.hold(body)
  }
}

/// The threads that Swift's run-time checks accept as the main actor's, in addition to the main queue's thread.
///
/// The compiler adds such a check to an isolated closure that it passes to a module without strict concurrency, such as
/// the standard library. Without the grant, `rows.first { … }` in a main-actor class terminates a virtual run. The
/// Swift runtime library has a hook for this check. A program that links the library statically does not export the
/// hook, so its checks accept only the main queue.
///
/// Swift's run-time check distinguishes threads, not runtimes. Suppose that a virtual run executes inside another run's
/// grant, or on the process's main thread. The check then also accepts code that the run executes off its main
/// scheduler, but `requireMain` does not.
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

  /// Runs `body` on this thread, which runs a main scheduler. During the call, the checks accept the thread as the main
  /// actor's.
  static func hold<Value>(_ body: @MainActor () throws -> Value) rethrows -> Value {
    _ = isInstalled
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    defer { pthread_setspecific(key, outer) }
    // The cast only removes the isolation. Both function types have the same calling convention.
    return try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: (() throws -> Value).self)() }
  }
}
