import Scheduling
import VirtualTime

/// The calls into the module `ExplorerHooks`, which the executable of a test links. Without it, a search cannot interrupt
/// a job.
struct JobHooks: Sendable {
  fileprivate static let registered = Locked<JobHooks?>(nil)

  /// The hooks of this process. Nil if the executable does not link them, or if it links the standard library
  /// statically.
  static let live = registered.withLock { $0 }.flatMap { $0.isLive ? $0 : nil }

  /// How to make the hooks available, for reports without them.
  static var advice: String {
    registered.withLock { $0 } == nil
      ? "To vary them, link the library ScheduleExplorerTesting in a test, or ExplorerHooks in an executable."
      : "To vary them, link the Swift runtime dynamically."
  }

  enum Mode: Int32 { case off, searching, noise }

  private let isLive: Bool
  private let setInside: @convention(c) (Int32) -> Int32
  private let beginItem: @convention(c) () -> Void
  private let setMode: @convention(c) (Int32) -> Void
  private let setTime: @convention(c) (Int64) -> Void
  private let runBlock: @convention(c) (UnsafeMutableRawPointer?) -> Void
  private let startRun: @convention(c) (UInt32) -> Void
  private let drawn: @convention(c) () -> Int32

  fileprivate init(
    _ isLive: Bool, _ setInside: @escaping @convention(c) (Int32) -> Int32,
    _ beginItem: @escaping @convention(c) () -> Void, _ setMode: @escaping @convention(c) (Int32) -> Void,
    _ setTime: @escaping @convention(c) (Int64) -> Void,
    _ runBlock: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void,
    _ startRun: @escaping @convention(c) (UInt32) -> Void, _ drawn: @escaping @convention(c) () -> Int32
  ) {
    self.runBlock = runBlock
    self.startRun = startRun
    self.drawn = drawn
    self.isLive = isLive
    self.setInside = setInside
    self.beginItem = beginItem
    self.setMode = setMode
    self.setTime = setTime
  }

  /// Switches the hooks on or off for the whole process.
  func arm(_ mode: Mode) { setMode(mode.rawValue) }

  /// Marks the calling thread as running explored code, which begins an item.
  func begin() { beginItem() }

  /// Marks the calling thread as running the explorer's own code, or explored code again. Returns the previous mark.
  func enter(_ inside: Bool) -> Bool { setInside(inside ? 1 : 0) != 0 }

  /// Runs a block that explored code dispatched, and releases it.
  func run(_ block: UInt) {
    beginItem()
    runBlock(UnsafeMutableRawPointer(bitPattern: block))
    _ = enter(false)
  }

  /// Starts a run: clocks show the time zero, and random numbers come from the sequence with this seed.
  func beginRun(randomSeed: UInt32) { startRun(randomSeed) }

  /// Whether explored code has drawn a random number since the run began.
  var hasDrawnNumbers: Bool { drawn() != 0 }

  /// Sets the virtual time that explored code reads from clocks.
  func show(_ time: Duration) {
    let (seconds, attoseconds) = time.components
    setTime(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}

// The calls from `ExplorerHooks`, which that module declares in hooks.c.

@_cdecl("explorer_register")
package func registerJobHooks(
  isLive: Int32, setInside: @escaping @convention(c) (Int32) -> Int32, beginItem: @escaping @convention(c) () -> Void,
  setMode: @escaping @convention(c) (Int32) -> Void, setTime: @escaping @convention(c) (Int64) -> Void,
  runBlock: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void,
  startRun: @escaping @convention(c) (UInt32) -> Void, drawn: @escaping @convention(c) () -> Int32
) {
  JobHooks.registered.withLock {
    $0 = JobHooks(isLive != 0, setInside, beginItem, setMode, setTime, runBlock, startRun, drawn)
  }
}

@_cdecl("explorer_point")
package func reachPoint(resume: UnsafeRawPointer?, context: UnsafeRawPointer?) {
  ProcessExecutors.current?.reachPoint(AsyncPoint(resume: resume, context: context))
}

@_cdecl("explorer_blocked")
package func waitForLock(lock: UnsafeRawPointer?) -> Int32 {
  ProcessExecutors.current?.waitForLock(UInt(bitPattern: lock)) == true ? 1 : 0
}

@_cdecl("explorer_dispatch")
package func dispatchOnMain(block: UnsafeMutableRawPointer?, delay: Int64) -> Int32 {
  guard let (_, run) = SwiftSession.currentRun else { return 0 }
  run.dispatchOnMain(UInt(bitPattern: block), after: delay < 0 ? nil : .nanoseconds(delay))
  return 1
}

@_cdecl("explorer_outside")
package func noteOutside(call: UnsafePointer<CChar>?) {
  guard let (session, _) = SwiftSession.currentRun, let call else { return }
  session.remarks.noteOutside(String(cString: call))
}

/// The position of a task that hops. Both values are nil for a call that does not suspend its task.
struct AsyncPoint {
  /// The function that resumes the task.
  let resume: UnsafeRawPointer?
  /// The context with which it resumes.
  let context: UnsafeRawPointer?
}
