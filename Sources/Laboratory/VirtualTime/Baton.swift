import Scheduling
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Makes one thread wait until it may run. To hand over, the running thread opens the other thread's baton.
final class Baton: Sendable {
  private let gate = DispatchRuntime.shared.gate()
  /// Orders the accesses by both threads for the thread sanitizer, which does not see the semaphore.
  private let handovers = Atomic(0)
  private let isDismissed = Atomic(false)
  /// The thread that waits with this baton, or nil for the thread that started the run.
  let thread: RunThread?

  init(_ thread: RunThread? = nil) { self.thread = thread }

  /// Waits for the handover. Returns false if the thread should exit instead.
  func wait() -> Bool {
    gate.wait()
    _ = handovers.load(ordering: .acquiring)
    return !isDismissed.load(ordering: .acquiring)
  }

  func open() {
    handovers.add(1, ordering: .releasing)
    gate.open()
  }

  func dismiss() {
    isDismissed.store(true, ordering: .releasing)
    gate.open()
  }
}

/// Identifies a running thread. Zero means that there is no thread.
package enum ThreadID {
  package static var current: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
