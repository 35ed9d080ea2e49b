import EventBus
import Foundation

/// The built program or another one, which tests run as a user would.
struct Program: Sendable {
  /// The exit code and the output of a program that ended.
  struct Outcome: Sendable {
    let code: Int32
    let notes: String
    let bytes: Data

    /// The results as text. Pictures are not decoded unless a test asks.
    var output: String { String(decoding: bytes, as: UTF8.self) }
  }

  var executable = Self.built
  var workingDirectory: URL?
  var environment: [String: String] = [:]

  /// The program next to the test bundle.
  static var built: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    return (bundle ?? Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
      .deletingLastPathComponent().appending(path: "fetcher")
  }

  /// The folder of Package.swift.
  static let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The pictures that ship with the program.
  static let pictures = packageRoot.appending(path: "Sources/FetcherApp/Resources/pictures")

  /// Copies the program to another folder. A separate process makes the copy: a file that this process writes could
  /// stay open in child processes that other tests start meanwhile, and could then not be executed.
  static func copied(to folder: URL) async throws -> URL {
    let copy = folder.appending(path: "fetcher")
    _ = try await Program(executable: URL(filePath: "/bin/cp")).run(built.path, copy.path)
    return copy
  }

  /// Runs to the end.
  func run(_ words: String...) async throws -> Outcome { try await run(words) }

  /// Runs to the end.
  func run(_ words: [String]) async throws -> Outcome {
    let running = try start(words)
    async let output = running.restOfOutput()
    async let notes = running.restOfNotes()
    let code = await running.code()
    return Outcome(code: code, notes: String(decoding: await notes, as: UTF8.self), bytes: await output)
  }

  /// Starts and leaves it running.
  ///
  /// - Parameter readsInput: whether the program reads the lines that ``RunningProgram/type(_:)`` writes.
  func start(_ words: [String], readsInput: Bool = false) throws -> RunningProgram {
    let process = Process()
    process.executableURL = executable
    process.arguments = words
    process.currentDirectoryURL = workingDirectory
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    return try RunningProgram(process, readsInput: readsInput)
  }
}

/// A program that is running. Releasing this value ends the program.
///
/// The conformance is unchecked because `Process` is not `Sendable`. After `init`, the process is only read and
/// terminated.
final class RunningProgram: @unchecked Sendable {
  private enum State {
    case running
    case awaited(CheckedContinuation<Int32, Never>)
    case ended(Int32)
  }

  private let process: Process
  private let output = Pipe()
  private let notes = Pipe()
  private let input: Pipe?
  private let state = Locked(State.running)

  init(_ process: Process, readsInput: Bool = false) throws {
    self.process = process
    input = readsInput ? Pipe() : nil
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = notes
    process.terminationHandler = { [weak self] process in self?.end(process.terminationStatus) }
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Sends the signal of Ctrl-C.
  func interrupt() { kill(process.processIdentifier, SIGINT) }

  /// Kills each child process whose command line contains the text.
  func killChild(for text: String) {
    let read = { (path: String) in (try? String(contentsOfFile: "/proc/\(path)", encoding: .utf8)) ?? "" }
    // The kernel lists a child under the thread that started it.
    let tasks = "\(process.processIdentifier)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(tasks)")) ?? []
    for id in threads.flatMap({ read("\(tasks)/\($0)/children").split(separator: " ").compactMap { Int32($0) } }) {
      if read("\(id)/cmdline").contains(text) { kill(id, SIGKILL) }
    }
  }

  /// Writes a line to the program's input.
  func type(_ line: String) { input?.fileHandleForWriting.write(Data("\(line)\n".utf8)) }

  /// Ends the program's input.
  func endInput() throws { try input?.fileHandleForWriting.close() }

  /// Closes this side of the pipe for the program's results.
  func closeOutput() throws { try output.fileHandleForReading.close() }

  /// Returns the next line of the results.
  func line() async -> String { await Self.onThread { [output] in Self.line(output.fileHandleForReading) } }

  /// Sends the signal of Ctrl-C as soon as `moment` returns true, with a check every ten milliseconds. A dedicated
  /// thread does this, because the moment could pass while tests keep the cooperative pool busy.
  func interrupt(when moment: @escaping @Sendable () -> Bool) async {
    await Self.onThread { [self] in
      while !moment() { usleep(10_000) }
      interrupt()
    }
  }

  /// Sends the signal of Ctrl-C at the next line of the results, and returns the line. A dedicated thread does this,
  /// because the program could end by itself while tests keep the cooperative pool busy.
  func interruptAtLine() async -> String {
    await Self.onThread { [self] in
      defer { interrupt() }
      return Self.line(output.fileHandleForReading)
    }
  }

  /// Returns the next line of the notes.
  func noteLine() async -> String { await Self.onThread { [notes] in Self.line(notes.fileHandleForReading) } }

  /// Returns the rest of the results, until the last writer closes the pipe.
  func restOfOutput() async -> Data {
    await Self.onThread { [output] in Self.rest(of: output.fileHandleForReading) }
  }

  /// Returns the rest of the notes, until the last writer closes the pipe, including child processes.
  func restOfNotes() async -> Data {
    await Self.onThread { [notes] in Self.rest(of: notes.fileHandleForReading) }
  }

  /// Waits for the end of the program, and returns its exit code.
  func code() async -> Int32 {
    await withCheckedContinuation { continuation in
      let ended = state.withLock { state -> Int32? in
        if case .ended(let code) = state { return code }
        state = .awaited(continuation)
        return nil
      }
      if let ended { continuation.resume(returning: ended) }
    }
  }

  private func end(_ code: Int32) {
    let waiter = state.withLock { state -> CheckedContinuation<Int32, Never>? in
      defer { state = .ended(code) }
      guard case .awaited(let waiter) = state else { return nil }
      return waiter
    }
    waiter?.resume(returning: code)
  }

  /// Reads the rest and closes the handle, because on Linux the reading thread would keep it forever.
  private static func rest(of handle: FileHandle) -> Data {
    defer { try? handle.close() }
    return handle.readDataToEndOfFile()
  }

  private static func line(_ handle: FileHandle) -> String {
    var bytes: [UInt8] = []
    while let byte = handle.readData(ofLength: 1).first, byte != 10 { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Runs a body on a dedicated thread, because reading blocks and the cooperative pool has few threads.
  private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: body()) }.start()
    }
  }
}

/// A folder for one test, which is removed with this value.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    // The folder is not in the temporary directory, because other suites of this process move it and count its files.
    url = Program.built.deletingLastPathComponent().appending(path: "test-folders/\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Creates a folder with these files of the shipped scenarios. A comparison that starts in the folder runs them per
  /// strategy instead of all shipped ones.
  static func withScenarios(_ names: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let scenarios = folder.url.appending(path: "scenarios")
    try FileManager.default.createDirectory(at: scenarios, withIntermediateDirectories: false)
    for name in ["scenario.schema.json"] + names {
      let file = Program.packageRoot.appending(path: "scenarios/\(name)")
      try FileManager.default.copyItem(at: file, to: scenarios.appending(path: name))
    }
    return folder
  }

  /// The names in it, in order.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  /// Writes a text file into the folder, and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    let file = url.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}
