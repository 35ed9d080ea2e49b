import Dispatch
import EventBus
import Foundation
import ScenarioEngine
import ScenarioFormat
import Synchronization

/// The one way out of the process: stops what runs, removes what is temporary, and leaves with a code. Any thread.
///
/// Unchecked because Dispatch declares no source `Sendable`; it is made in ``listen()``, before other threads know of the
/// object, and never touched again.
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

  /// Takes over Ctrl-C and the request to terminate; what comes before ``listen()`` waits for it.
  ///
  /// A closed pipe no longer kills the process either: ``Output`` detects it.
  init() {
    signal(SIGPIPE, SIG_IGN)
    // The limit of a file's size is an error of its write.
    signal(SIGXFSZ, SIG_IGN)
    SignalPipe.open()
  }

  /// Heeds the signals from now on, and those that came since `init`. Call it once; it starts threads.
  func listen() {
    // Not the main queue, so that Ctrl-C works also while main is busy.
    let queue = DispatchQueue(label: "signals")
    let source = DispatchSource.makeReadSource(fileDescriptor: SignalPipe.readEnd, queue: queue)
    source.setEventHandler { [unowned self] in
      leave(SignalPipe.next() == SIGINT ? .interrupted : .terminated)
    }
    source.activate()
    self.source = source
  }

  /// Registers work for the end of the process: the last that was registered runs first.
  ///
  /// Once the process is ending this never returns: nothing new may begin.
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

  /// Calls off what ``atEnd(_:)`` registered, for work that has been done in the meantime.
  func forget(_ key: Int) {
    let forgotten = state.withLock { state in
      state.actions.firstIndex { $0.key == key }.map { state.actions.remove(at: $0) }
    }
    // Released here, outside the lock, with whatever it captured.
    _ = forgotten
  }

  /// Ends the process. The first call decides the code; later ones wait for the end.
  func leave(_ code: ExitCode) -> Never {
    let actions = state.withLock { state -> [@Sendable () -> Void]? in
      guard !state.isLeaving else { return nil }
      state.isLeaving = true
      Self.code.store(code.rawValue, ordering: .relaxed)
      return state.actions.reversed().map(\.action)
    }
    guard let actions else { Self.waitForTheEnd() }
    for action in actions { action() }
    // Not `exit`: other threads are still running, and destructors of C libraries would run under their feet.
    _exit(code.rawValue)
  }

  /// From here on, a trap parks its thread and prints nothing. Foundation traps if the file of a running download is removed.
  ///
  /// The process ends in ``leave(_:)``, so that a trap cannot interrupt a removal. If the thread of `leave` itself traps, the
  /// process ends with its exit code after ten seconds.
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
  /// All went well.
  case success = 0
  /// The command ran, and an expectation failed or an address could not be fetched.
  case failed = 1
  /// The command line could not be understood.
  case usage = 2
  /// A scenario file is invalid.
  case invalidScenario = 3
  /// The command could not start: a port, a file.
  case cannotStart = 4
  /// The schedule of a token is not one of the program.
  case replayDiverged = 5
  /// Ctrl-C.
  case interrupted = 130
  /// Asked to end by a signal other than Ctrl-C.
  case terminated = 143

  /// One sentence for the manual.
  var help: String {
    switch self {
    case .success: "All went well."
    case .failed: "An expectation failed, a violation was found, or an address could not be fetched."
    case .usage: "The command line could not be understood."
    case .invalidScenario: "A scenario file is invalid."
    case .cannotStart: "The command could not start: a port, a file."
    case .replayDiverged: "The schedule of a token is not one of the program."
    case .interrupted: "Ctrl-C."
    case .terminated: "Asked to end by another signal."
    }
  }
}

/// Carries signals out of their handler, where next to nothing is allowed, to a descriptor that a queue can watch.
///
/// Not a signal source of Dispatch: `dispatchMain` unblocks all signals on the main thread, so that one which comes before
/// the source is at work either is lost (ignored) or ends the process (not ignored).
enum SignalPipe {
  /// Written once, by ``open()``, before the handlers exist and before there is another thread.
  private nonisolated(unsafe) static var ends: [Int32] = [-1, -1]

  static var readEnd: Int32 { ends[0] }

  /// Makes the pipe and installs the handlers. Call it once, before there is another thread.
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

  /// The number of the next signal. Call it when ``readEnd`` is readable.
  static func next() -> Int32 {
    var byte: UInt8 = 0
    return read(readEnd, &byte, 1) == 1 ? Int32(byte) : SIGTERM
  }
}

/// A plain global, which a signal handler can read without running an initialiser.
private nonisolated(unsafe) var writeEnd: Int32 = -1
