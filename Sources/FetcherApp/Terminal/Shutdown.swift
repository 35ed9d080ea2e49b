import Dispatch
import EventBus
import Foundation
import ScenarioEngine
import ScenarioFormat
import Synchronization

/// Ends the process: stops running work, removes temporary files, and exits with a code. You can use it on any thread.
///
/// The type is unchecked because Dispatch does not declare its sources `Sendable`. ``listen()`` creates the source
/// before other threads know the object, and nothing accesses it afterwards.
final class Shutdown: @unchecked Sendable {
  private struct State {
    var isLeaving = false
    var nextKey = 0
    var actions: [(key: Int, action: @Sendable () -> Void)] = []
  }

  /// The exit code of a process that is ending.
  private static let code = Atomic<Int32>(0)

  private let state = Locked(State())
  private var source: (any DispatchSourceRead)?

  /// Handles Ctrl-C and the termination signal. Earlier signals wait for ``listen()``.
  ///
  /// A closed pipe no longer kills the process. ``Output`` detects it.
  init() {
    signal(SIGPIPE, SIG_IGN)
    // Exceeding the file size limit becomes a write error.
    signal(SIGXFSZ, SIG_IGN)
    SignalPipe.open()
  }

  /// Starts handling signals, including those that arrived since `init`. Call it once. It starts threads.
  func listen() {
    // A separate queue, so that Ctrl-C works while main is busy.
    let queue = DispatchQueue(label: "signals")
    let source = DispatchSource.makeReadSource(fileDescriptor: SignalPipe.readEnd, queue: queue)
    source.setEventHandler { [unowned self] in
      leave(SignalPipe.next() == SIGINT ? .interrupted : .terminated)
    }
    source.activate()
    self.source = source
  }

  /// Registers work for the end of the process. The most recently registered work runs first.
  ///
  /// If the process is already ending, this method never returns, so that no new work begins.
  ///
  /// - Returns: a key for ``forget(_:)``.
  @discardableResult
  func atEnd(_ action: @escaping @Sendable () -> Void) -> Int {
    let key = state.withLock { state -> Int? in
      guard !state.isLeaving else { return nil }
      state.nextKey += 1
      state.actions.append((state.nextKey, action))
      return state.nextKey
    }
    guard let key else { Self.waitForTheEnd() }
    return key
  }

  /// Cancels work that ``atEnd(_:)`` registered.
  func forget(_ key: Int) {
    let forgotten = state.withLock { state in
      state.actions.firstIndex { $0.key == key }.map { state.actions.remove(at: $0) }
    }
    // Released outside the lock, because its captures may run code.
    _ = forgotten
  }

  /// Ends the process. The first call decides the code. Later calls wait for the end.
  func leave(_ code: ExitCode) -> Never {
    let actions = state.withLock { state -> [@Sendable () -> Void]? in
      guard !state.isLeaving else { return nil }
      state.isLeaving = true
      Self.code.store(code.rawValue, ordering: .relaxed)
      return state.actions.reversed().map(\.action)
    }
    guard let actions else { Self.waitForTheEnd() }
    for action in actions { action() }
    // Not `exit`: other threads still run while it calls the destructors of C libraries.
    _exit(code.rawValue)
  }

  /// From here on, a trap parks its thread and prints nothing. Foundation traps if the file of a running download is
  /// removed.
  ///
  /// The process ends in ``leave(_:)``, so that a trap cannot interrupt a removal. If the thread of `leave` itself
  /// traps, the process ends with its exit code after ten seconds.
  static func silenceTraps() {
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    if null >= 0 { dup2(null, STDERR_FILENO) }
    for number in [SIGILL, SIGTRAP] {
      signal(number) { _ in
        sleep(10)
        _exit(Shutdown.code.load(ordering: .relaxed))
      }
    }
  }

  private static func waitForTheEnd() -> Never {
    while true { pause() }
  }
}

/// The exit code of the process.
enum ExitCode: Int32, Sendable, CaseIterable {
  /// The command succeeded.
  case success = 0
  /// The command ran, and an expectation failed or an address could not be fetched.
  case failed = 1
  /// The command line is invalid.
  case usage = 2
  /// A scenario file is invalid.
  case invalidScenario = 3
  /// The command could not start, for example because a port is in use or a file is unreadable.
  case cannotStart = 4
  /// The schedule of a token does not match the program.
  case replayDiverged = 5
  /// Ctrl-C.
  case interrupted = 130
  /// A signal other than Ctrl-C ended the process.
  case terminated = 143

  /// The description in the manual.
  var help: String {
    switch self {
    case .success: "Success."
    case .failed: "An expectation failed, a violation was found, or an address could not be fetched."
    case .usage: "The command line is invalid."
    case .invalidScenario: "A scenario file is invalid."
    case .cannotStart: "The command could not start: a port is in use, or a file is unreadable."
    case .replayDiverged: "The program cannot follow the schedule of a token."
    case .interrupted: "Ctrl-C."
    case .terminated: "Ended by another signal."
    }
  }
}

/// Carries signals from their handler, which can do very little, to a descriptor that a queue can watch.
///
/// It does not use a Dispatch signal source. `dispatchMain` unblocks all signals on the main thread. A signal that
/// arrives before the source is active is then lost (if ignored) or ends the process (if not ignored).
enum SignalPipe {
  /// Written once by ``open()``, before the handlers and other threads exist.
  private nonisolated(unsafe) static var ends: [Int32] = [-1, -1]

  static var readEnd: Int32 { ends[0] }

  /// Creates the pipe and installs the handlers. Call it once, before there is another thread.
  static func open() {
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    writeEnd = ends[1]
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(writeEnd, &byte, 1)
        errno = before
      }
    }
  }

  /// Returns the number of the next signal. Call it when ``readEnd`` is readable.
  static func next() -> Int32 {
    var byte: UInt8 = 0
    return read(readEnd, &byte, 1) == 1 ? Int32(byte) : SIGTERM
  }
}

/// A plain global, which a signal handler can read without running an initializer.
private nonisolated(unsafe) var writeEnd: Int32 = -1
