#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The threads that Swift's run-time checks take for the main actor's, besides that of Dispatch's main queue.
///
/// The compiler adds such a check to an isolated closure that it passes to a module without strict concurrency, such as the standard
/// library. Without the grant, `rows.first { … }` in a main-actor class ends a virtual run. The runtime of Swift has a hook for the
/// check. A program that links that runtime statically does not export the hook, and its checks accept the main queue alone.
enum MainActorGrant {
  private typealias Original = @convention(thin) (UnownedSerialExecutor) -> Void
  private typealias Hook = @convention(thin) (UnownedSerialExecutor, Original) -> Void

  private static let key = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    if status != 0 { fatalError("The process has no thread-local key left (pthread_key_create: \(status)).") }
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

  /// Runs `body` on a thread that passes for the main actor's.
  static func hold<Value>(_ body: () throws -> Value) rethrows -> Value {
    _ = isInstalled
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    defer { pthread_setspecific(key, outer) }
    return try body()
  }
}
