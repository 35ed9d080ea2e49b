import Dispatch
import EventBus
import Foundation
import ScenarioEngine
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

  /// From here on, a trap ends the process with its exit code and without a message: Foundation traps where the file of a download is
  /// removed while it runs.
  static func silenceTraps() {
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    if null >= 0 { dup2(null, STDERR_FILENO) }
    for number in [SIGILL, SIGTRAP] { signal(number) { _ in _exit(Shutdown.code.load(ordering: .relaxed)) } }
  }

  private static func waitForTheEnd() -> Never {
    while true { pause() }
  }
}
