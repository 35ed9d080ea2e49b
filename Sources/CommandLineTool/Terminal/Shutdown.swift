import Dispatch
import Foundation
import Scheduling
import Synchronization

/// Terminates the process: stops running work, removes temporary files, and exits with a code. It is safe to use on
/// any thread.
///
/// The conformance is unchecked because Dispatch does not declare its sources `Sendable`. ``listen()`` creates the
/// source before other threads can access the object, and nothing accesses the source afterwards.
package final class Shutdown: @unchecked Sendable {
  private struct State {
    var isLeaving = false
    var nextKey = 0
    var actions: [(key: Int, action: @Sendable () -> Void)] = []
  }

  /// The exit code, set when the shutdown starts.
  private static let code = Atomic<Int32>(0)

  private let state = Locked(State())
  private var source: (any DispatchSourceRead)?

  /// Installs handlers for Ctrl-C and termination signals. Signals that arrive earlier are handled once ``listen()`` is
  /// called.
  ///
  /// From now on, a closed pipe does not kill the process. ``Output`` detects it instead.
  package init() {
    signal(SIGPIPE, SIG_IGN)
    // A write that exceeds the file size limit now fails with an error.
    signal(SIGXFSZ, SIG_IGN)
    SignalPipe.open()
  }

  /// Starts handling signals, including those that have arrived since `init`. Call this method once. It starts threads.
  package func listen() {
    // Use a separate queue, so that Ctrl-C works while main is busy.
    let queue = DispatchQueue(label: "signals")
    let source = DispatchSource.makeReadSource(fileDescriptor: SignalPipe.readEnd, queue: queue)
    source.setEventHandler { [unowned self] in
      leave(SignalPipe.next() == SIGINT ? .interrupted : .terminated)
    }
    source.activate()
    self.source = source
  }

  /// Registers an action to run before the process exits. The most recently registered action runs first.
  ///
  /// If the process is already exiting, this method never returns, so the caller cannot start new work.
  ///
  /// - Returns: a key for ``forget(_:)``.
  @discardableResult
  package func atEnd(_ action: @escaping @Sendable () -> Void) -> Int {
    let key = state.withLock { state -> Int? in
      guard !state.isLeaving else { return nil }
      state.nextKey += 1
      state.actions.append((state.nextKey, action))
      return state.nextKey
    }
    guard let key else { Self.waitForTheEnd() }
    return key
  }

  /// Removes an action that ``atEnd(_:)`` registered.
  package func forget(_ key: Int) {
    let forgotten = state.withLock { state in
      state.actions.firstIndex { $0.key == key }.map { state.actions.remove(at: $0) }
    }
    // Release the action outside the lock, because releasing its captures may run other code.
    _ = forgotten
  }

  /// Terminates the process. The first call determines the exit code. Later calls wait until the process exits.
  package func leave(_ code: ExitCode) -> Never {
    let actions = state.withLock { state -> [@Sendable () -> Void]? in
      guard !state.isLeaving else { return nil }
      state.isLeaving = true
      Self.code.store(code.rawValue, ordering: .relaxed)
      return state.actions.reversed().map(\.action)
    }
    guard let actions else { Self.waitForTheEnd() }
    for action in actions { action() }
    // Do not call `exit`, because it calls the destructors of C libraries while other threads are still running.
    _exit(code.rawValue)
  }

  /// Makes every later trap suspend its thread without printing anything. Otherwise, Foundation would crash the process
  /// if the file of a running download is removed.
  ///
  /// Because traps only suspend their threads, they cannot interrupt the removal of files in ``leave(_:)``. A suspended
  /// thread exits the process with its exit code after ten seconds, in case the thread that called `leave` trapped.
  package static func silenceTraps() {
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
package enum ExitCode: Int32, Sendable, CaseIterable {
  /// The command succeeded.
  case success = 0
  /// The command ran, but an expectation failed or an address could not be fetched.
  case failed = 1
  /// The command line is invalid.
  case usage = 2
  /// A scenario file is invalid.
  case invalidScenario = 3
  /// The command could not start, for example because a port is in use or a file is unreadable.
  case cannotStart = 4
  /// A token's schedule does not match the program.
  case replayDiverged = 5
  /// Ctrl-C terminated the process.
  case interrupted = 130
  /// A termination signal other than Ctrl-C terminated the process.
  case terminated = 143

  /// The description of the exit code in the manual.
  package var help: String {
    switch self {
    case .success: "Success."
    case .failed: "An expectation failed, a violation was found, or an address could not be fetched."
    case .usage: "The command line is invalid."
    case .invalidScenario: "A scenario file is invalid."
    case .cannotStart: "The command could not start, for example because a port is in use or a file is unreadable."
    case .replayDiverged: "The program cannot follow the token's schedule."
    case .interrupted: "Ended by Ctrl-C."
    case .terminated: "Ended by another signal."
    }
  }
}

/// Forwards signals from a signal handler, which can do very little, to a descriptor that a queue can watch.
///
/// A Dispatch signal source is not suitable, because `dispatchMain` unblocks all signals on the main thread. If a
/// signal arrived before the source was active, it would be lost or terminate the process.
package enum SignalPipe {
  /// The ends of the pipe. ``open()`` sets both ends once, before the handlers and other threads exist.
  private nonisolated(unsafe) static var ends: [Int32] = [-1, -1]

  package static var readEnd: Int32 { ends[0] }

  /// Creates the pipe and installs the handlers. Call this method once, before any other thread starts.
  package static func open() {
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

  /// Returns the number of the next signal. Call this method when ``readEnd`` is readable.
  package static func next() -> Int32 {
    var byte: UInt8 = 0
    return read(readEnd, &byte, 1) == 1 ? Int32(byte) : SIGTERM
  }
}

/// The write end of the pipe. It is a plain global, so a signal handler can read it without running an initializer.
private nonisolated(unsafe) var writeEnd: Int32 = -1
