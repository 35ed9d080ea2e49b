import ScheduleExplorer
import Synchronization
import VirtualTime

/// The points at which a search interrupts an item of a learner's program: before and after each lock, and before each
/// other atomic operation. Atomic values in global and static variables have no points.
///
/// `fetcher lesson solve` compiles the learner's file so that its atomic operations call the functions below. They
/// include those of a `Mutex`, which the compiler inlines. The points therefore do not depend on names in the file.
enum SwitchPoints {
  /// Whether the program has reached a point since the process started.
  static var areReached: Bool { reached.load(ordering: .relaxed) }

  private static let reached = Atomic(false)
  private static let isOn = Atomic(false)
  private static let runtime = Mutex<VirtualRuntime?>(nil)

  /// Lets the search interrupt items while the closure runs. Only one thread may call this method at a time.
  static func on<Result>(_ body: () -> Result) -> Result {
    isOn.store(true, ordering: .relaxed)
    defer { isOn.store(false, ordering: .relaxed) }
    return body()
  }

  /// Interrupts the items of this runtime while the closure runs.
  static func using<Result>(_ runtime: VirtualRuntime, _ body: () -> Result) -> Result {
    guard isOn.load(ordering: .relaxed) else { return body() }
    Self.runtime.withLock { $0 = runtime }
    defer { Self.runtime.withLock { $0 = nil } }
    return body()
  }

  fileprivate static func reach() {
    reached.store(true, ordering: .relaxed)
    guard isOn.load(ordering: .relaxed) else { return }
    if let runtime = runtime.withLock({ $0 }) { _ = runtime.interrupt() } else { SwiftSession.interrupt() }
  }

  fileprivate static func waitForLock(_ lock: UInt) -> Bool {
    guard isOn.load(ordering: .relaxed) else { return false }
    return runtime.withLock { $0 }?.waitForLock(lock) ?? SwiftSession.waitForLock(lock)
  }
}

/// Called before and after a lock, and before each other atomic operation of a learner's program.
@_cdecl("lesson_point")
package func reachSwitchPoint() { SwitchPoints.reach() }

/// Called if an item needs a lock that another item holds. Returns whether the caller should try again.
@_cdecl("lesson_blocked")
package func waitForLessonLock(_ lock: UnsafeRawPointer?) -> Int32 {
  SwitchPoints.waitForLock(UInt(bitPattern: lock)) ? 1 : 0
}
