import CommandLineTool
import Dispatch
import EventBus
import Foundation

/// Runs an executable as a child process that exits when this process exits.
struct ChildProcess: Sendable {
  let executable: URL
  let shutdown: Shutdown
  /// Whether the child starts other processes. The child terminates these processes if it is interrupted, but not if it
  /// is killed.
  var hasChildren = false
  /// The arguments that precede those passed to ``run(_:input:limit:keeping:)``.
  var firstWords: [String] = []

  /// Returns a child process that runs this executable.
  static func ofThisExecutable(_ shutdown: Shutdown) throws(CommandFailure) -> ChildProcess {
    guard let executable = Bundle.main.executableURL else {
      throw .cannotStart("fetcher cannot find its own executable")
    }
    return ChildProcess(executable: executable, shutdown: shutdown)
  }

  /// The reason why a child exited.
  enum End: Sendable, Equatable {
    /// The child exited with this code.
    case exited(Int32)
    /// The child crashed, or another process killed it.
    case signal(Int32)
    /// The watchdog killed the child.
    case overdue
  }

  /// The result of running a child.
  struct Outcome: Sendable {
    /// The standard output of the child.
    let output: Data
    /// The standard error of the child, or nothing if the child shares that of this process.
    var errors = Data()
    let end: End
  }

  /// Runs the executable with these arguments until it exits, or kills it after `limit`.
  ///
  /// If this process exits, the child's stdin closes and the child exits too. A crash appears on stderr as one line,
  /// without a backtrace.
  ///
  /// - Parameters:
  ///   - input: bytes for the child's stdin, at most 4,096.
  ///   - most: the number of bytes of the standard output to keep. Further output is dropped.
  ///   - errors: the number of bytes to keep from the end of stderr, or nil if the child shares this process's stderr.
  /// - Throws: a failure if the child cannot be started.
  func run(
    _ words: [String], input: Data = Data(), limit: Duration? = nil, keeping most: Int = .max,
    keepingErrors errors: Int? = nil
  ) async throws(CommandFailure) -> Outcome {
    // Below this limit, Foundation on Linux reports a bad descriptor, or traps.
    let descriptors = sysconf(Int32(_SC_OPEN_MAX))
    guard descriptors >= 256 || descriptors < 0 else {
      throw .cannotStart(
        "cannot start \(executable.path): at most \(descriptors) files can be open, but a child process requires 256; "
          + "raise the limit with `ulimit -n 1024`")
    }
    let process = Process()
    process.executableURL = executable
    process.arguments = firstWords + words
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    let errorPipe = errors.map { _ in Pipe() }
    if let errorPipe { process.standardError = errorPipe }
    // Nothing more is written to this pipe later. The system closes it even if this process is killed.
    let lifeline = Pipe()
    if !input.isEmpty {
      // The pipe holds the bytes until the child reads them.
      try? lifeline.fileHandleForWriting.write(contentsOf: input)
    }
    process.standardInput = lifeline
    let ending = Ending()
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { process in
      ended.signal()
      let status = process.terminationStatus
      ending.set(process.terminationReason == .exit ? .exited(status) : .signal(status))
    }
    let child = Locked(pid_t?.none)
    // Register the action before starting the child, and hold the lock during the start, because this process can exit
    // at any time.
    let key = shutdown.atEnd {
      guard let child = child.withLock({ $0 }) else { return }
      // The child's files are in the temporary directory, which is removed next. The child must not create new files
      // during the removal.
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
    async let lastErrors = Self.read(errorPipe) { $0 = Data(($0 + $1).suffix(errors ?? 0)) }
    let data = await Self.read(pipe) { $0 += $1.prefix(most - $0.count) }
    let end = await ending.value
    watchdog?.cancel()
    try? lifeline.fileHandleForWriting.close()
    return Outcome(
      output: data, errors: await lastErrors, end: isOverdue.withLock { $0 } ? .overdue : end)
  }

  /// Reads to the end, so that the child never waits for space in the pipe. Returns nothing without a pipe.
  ///
  /// - Parameter keep: a closure that adds a part to the bytes kept so far.
  private static func read(_ pipe: Pipe?, keep: @escaping @Sendable (inout Data, Data) -> Void) async -> Data {
    guard let output = pipe?.fileHandleForReading else { return Data() }
    return await withCheckedContinuation { continuation in
      // Use a dedicated thread, because the read blocks until the child closes its end of the pipe.
      Thread {
        var kept = Data()
        while let part = try? output.read(upToCount: 1 << 16), !part.isEmpty { keep(&kept, part) }
        continuation.resume(returning: kept)
      }.start()
    }
  }
}

extension ChildProcess.End: CustomStringConvertible {
  var description: String {
    switch self {
    case .exited(let code): "exited with code \(code)"
    case .signal(let number): "was terminated by signal \(number) (\(String(cString: strsignal(number))))"
    case .overdue: "was terminated because it exceeded its time limit"
    }
  }
}

/// How a child exited or will exit.
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

/// Runs in the child process and terminates it when its parent exits. The child's stdin never receives data, so it
/// becomes readable only when the parent exits.
///
/// The conformance is unchecked because Dispatch does not declare its sources `Sendable`. After its initializer, the
/// type only cancels the source, which is safe on any thread.
final class ParentWatch: @unchecked Sendable {
  // Use the highest quality of service, which has separate threads. The child's work may have starved the other
  // threads.
  private let source = DispatchSource.makeReadSource(
    fileDescriptor: STDIN_FILENO, queue: DispatchQueue(label: "parent", qos: .userInteractive))

  /// Watches the parent until ``end()`` is called.
  init(_ shutdown: Shutdown) {
    source.setEventHandler { shutdown.leave(.terminated) }
    source.activate()
  }

  func end() { source.cancel() }
}
