import Dispatch
import EventBus
import Foundation

/// Runs an executable as a child process, and ends it with this process.
struct ChildProcess: Sendable {
  let executable: URL
  let shutdown: Shutdown
  /// Whether the child starts other processes, which it ends only when it is interrupted.
  var hasChildren = false

  /// The running executable.
  static func ofThisExecutable(_ shutdown: Shutdown) throws(CommandFailure) -> ChildProcess {
    guard let executable = Bundle.main.executableURL else {
      throw .cannotStart("fetcher cannot find its own executable")
    }
    return ChildProcess(executable: executable, shutdown: shutdown)
  }

  /// The end of a child.
  enum End: Sendable, Equatable {
    /// It exited with this code.
    case exited(Int32)
    /// It crashed, or another process killed it.
    case signal(Int32)
    /// The watchdog killed it.
    case overdue
  }

  /// The result of a child.
  struct Outcome: Sendable {
    /// Its standard output.
    let output: Data
    let end: End
  }

  /// Runs the executable with these arguments to its end, or kills it after `limit`.
  ///
  /// The child ends with this process, however that ends: its stdin closes. Its notes go where ours go, but a crash is
  /// reported in one line, without the stacks of its threads.
  ///
  /// - Throws: a failure if the child cannot be started.
  func run(_ words: [String], limit: Duration? = nil) async throws(CommandFailure) -> Outcome {
    let process = Process()
    process.executableURL = executable
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    // Never written to. The system closes it even if we are killed.
    let lifeline = Pipe()
    process.standardInput = lifeline
    let ending = Ending()
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { process in
      ended.signal()
      let status = process.terminationStatus
      ending.set(process.terminationReason == .exit ? .exited(status) : .signal(status))
    }
    let child = Locked(pid_t?.none)
    // Before the child is there, and with a lock around its start: the end may come at any moment.
    let key = shutdown.atEnd {
      guard let child = child.withLock({ $0 }) else { return }
      // Its files are in our temporary directory, which is removed next: it must not make new ones meanwhile.
      if hasChildren {
        kill(child, SIGINT)
        if ended.wait(timeout: .now() + 5) == .success { return }
      }
      kill(child, SIGKILL)
      _ = ended.wait(timeout: .now() + 60)
    }
    defer { shutdown.forget(key) }
    do {
      try child.withLock { child in
        try process.run()
        child = process.processIdentifier
      }
    } catch {
      throw .cannotStart("cannot start \(executable.path): \(error.localizedDescription)")
    }
    let isOverdue = Locked(false)
    let watchdog = limit.map { limit in
      DispatchRuntime.shared.main.schedule(after: limit) {
        guard let child = child.withLock({ $0 }), !ending.isThere else { return }
        isOverdue.withLock { $0 = true }
        kill(child, SIGKILL)
      }
    }
    let data = await withCheckedContinuation { continuation in
      // A thread of its own: reading blocks until the child closes its end.
      Thread { continuation.resume(returning: pipe.fileHandleForReading.readDataToEndOfFile()) }.start()
    }
    let end = await ending.value
    watchdog?.cancel()
    try? lifeline.fileHandleForWriting.close()
    return Outcome(output: data, end: isOverdue.withLock { $0 } ? .overdue : end)
  }
}

extension ChildProcess.End: CustomStringConvertible {
  var description: String {
    switch self {
    case .exited(let code): "ended with code \(code)"
    case .signal(let number): "was ended by signal \(number) (\(String(cString: strsignal(number))))"
    case .overdue: "was ended by its watchdog"
    }
  }
}

/// The end of a child, now or when it comes.
private final class Ending: Sendable {
  private typealias End = ChildProcess.End

  private enum State {
    case running
    case awaited(CheckedContinuation<End, Never>)
    case ended(End)
  }

  private let state = Locked(State.running)

  var isThere: Bool {
    state.withLock { state in
      if case .ended = state { true } else { false }
    }
  }

  func set(_ end: ChildProcess.End) {
    let waiter = state.withLock { state -> CheckedContinuation<End, Never>? in
      defer { state = .ended(end) }
      guard case .awaited(let waiter) = state else { return nil }
      return waiter
    }
    waiter?.resume(returning: end)
  }

  var value: ChildProcess.End {
    get async {
      await withCheckedContinuation { continuation in
        let end = state.withLock { state -> End? in
          if case .ended(let end) = state { return end }
          state = .awaited(continuation)
          return nil
        }
        if let end { continuation.resume(returning: end) }
      }
    }
  }
}

/// Ends a child process with its parent: its stdin never receives data and becomes readable when the parent exits.
///
/// Unchecked because Dispatch declares no source `Sendable`; it is only cancelled, which any thread may do.
final class ParentWatch: @unchecked Sendable {
  // Of the highest quality, which has threads of its own: the child may have starved the others.
  private let source = DispatchSource.makeReadSource(
    fileDescriptor: STDIN_FILENO, queue: DispatchQueue(label: "parent", qos: .userInteractive))

  /// Watches until ``end()``.
  init(_ shutdown: Shutdown) {
    source.setEventHandler { shutdown.leave(.terminated) }
    source.activate()
  }

  /// Stops watching.
  func end() { source.cancel() }
}
