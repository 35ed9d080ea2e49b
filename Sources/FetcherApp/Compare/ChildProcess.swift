import Dispatch
import EventBus
import Foundation

/// This program once more, for a measurement that must not inherit anything.
struct ChildProcess: Sendable {
  let executable: URL
  let shutdown: Shutdown

  /// The running program.
  static func ofThisProgram(_ shutdown: Shutdown) throws(CommandFailure) -> ChildProcess {
    guard let executable = Bundle.main.executableURL else {
      throw .cannotStart("the program cannot find its own executable")
    }
    return ChildProcess(executable: executable, shutdown: shutdown)
  }

  /// What a child left behind.
  struct Outcome: Sendable {
    /// All that it printed on stdout.
    let output: Data
    /// Its exit code; nil when the watchdog ended it.
    let status: Int32?
  }

  /// Runs the program with these words and returns what it printed on stdout.
  ///
  /// - Throws: a failure if the child cannot be started, or does not end with code 0.
  func output(_ words: [String]) async throws(CommandFailure) -> Data {
    let outcome = try await run(words)
    guard let status = outcome.status, status == 0 else {
      throw .failed("`fetcher \(words.joined(separator: " "))` ended with code \(outcome.status ?? SIGKILL)")
    }
    return outcome.output
  }

  /// Runs the program with these words to its end, or kills it after `limit`.
  ///
  /// The child ends with this process, however that ends: its stdin closes. Its notes go where ours go.
  ///
  /// - Throws: a failure if the child cannot be started.
  func run(_ words: [String], limit: Duration? = nil) async throws(CommandFailure) -> Outcome {
    let process = Process()
    process.executableURL = executable
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    // Never written to. The system closes it even if we are killed.
    let lifeline = Pipe()
    process.standardInput = lifeline
    let ending = Ending()
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { process in
      ended.signal()
      ending.set(process.terminationStatus)
    }
    let child = Locked(pid_t?.none)
    // Before the child is there, and with a lock around its start: the end may come at any moment.
    let key = shutdown.atEnd {
      guard let child = child.withLock({ $0 }) else { return }
      kill(child, SIGKILL)
      // Its files are in our temporary directory, which is removed next: it must not make new ones meanwhile.
      _ = ended.wait(timeout: .now() + 2)
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
    let status = await ending.value
    watchdog?.cancel()
    try? lifeline.fileHandleForWriting.close()
    return Outcome(output: data, status: isOverdue.withLock { $0 } ? nil : status)
  }
}

/// The exit code of a child, now or when it comes.
private final class Ending: Sendable {
  private enum State {
    case running
    case awaited(CheckedContinuation<Int32, Never>)
    case ended(Int32)
  }

  private let state = Locked(State.running)

  var isThere: Bool {
    state.withLock { state in
      if case .ended = state { true } else { false }
    }
  }

  func set(_ status: Int32) {
    let waiter = state.withLock { state -> CheckedContinuation<Int32, Never>? in
      defer { state = .ended(status) }
      guard case .awaited(let waiter) = state else { return nil }
      return waiter
    }
    waiter?.resume(returning: status)
  }

  var value: Int32 {
    get async {
      await withCheckedContinuation { continuation in
        let status = state.withLock { state -> Int32? in
          if case .ended(let status) = state { return status }
          state = .awaited(continuation)
          return nil
        }
        if let status { continuation.resume(returning: status) }
      }
    }
  }
}
