import EventBus
import Foundation

/// The built program, or another one, run as a user would run it.
struct Program: Sendable {
  /// What a program left behind when it ended.
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

  /// The program beside the test bundle.
  static var built: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    return (bundle ?? Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
      .deletingLastPathComponent().appending(path: "fetcher")
  }

  /// The folder of Package.swift.
  static let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The pictures that come with the program.
  static let pictures = packageRoot.appending(path: "Sources/FetcherApp/Resources/pictures")

  /// The program in another folder. Copied by another process: a file that this one writes could stay open in the children that
  /// tests beside start meanwhile, and could not be run.
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
  func start(_ words: [String]) throws -> RunningProgram {
    let process = Process()
    process.executableURL = executable
    process.arguments = words
    process.currentDirectoryURL = workingDirectory
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    return try RunningProgram(process)
  }
}

/// A program that is running. Dropping it ends the program.
///
/// Unchecked because `Process` is not `Sendable`: it is only read, and told to end, after `init`.
final class RunningProgram: @unchecked Sendable {
  private enum State {
    case running
    case awaited(CheckedContinuation<Int32, Never>)
    case ended(Int32)
  }

  private let process: Process
  private let output = Pipe()
  private let notes = Pipe()
  private let state = Locked(State.running)

  init(_ process: Process) throws {
    self.process = process
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = notes
    process.terminationHandler = { [weak self] process in self?.end(process.terminationStatus) }
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// As Ctrl-C does.
  func interrupt() { kill(process.processIdentifier, SIGINT) }

  /// Kills each child process whose command line contains the text.
  func killChild(for text: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for id in names.compactMap(Int32.init) {
      let read = { (name: String) in (try? String(contentsOfFile: "/proc/\(id)/\(name)", encoding: .utf8)) ?? "" }
      guard read("status").contains("PPid:\t\(process.processIdentifier)\n"), read("cmdline").contains(text) else {
        continue
      }
      kill(id, SIGKILL)
    }
  }

  /// Closes our end of what it writes its results to.
  func closeOutput() throws { try output.fileHandleForReading.close() }

  /// The next line of the results.
  func line() async -> String { await Self.onThread { [output] in Self.line(output.fileHandleForReading) } }

  /// Does as Ctrl-C does as soon as `moment` holds, looking every ten milliseconds. Also when the tests keep all threads of
  /// async functions busy: the moment might pass.
  func interrupt(when moment: @escaping @Sendable () -> Bool) async {
    await Self.onThread { [self] in
      while !moment() { usleep(10_000) }
      interrupt()
    }
  }

  /// Does as Ctrl-C does at the next line of the results, and returns the line. At once, also when the tests keep all
  /// threads of async functions busy: what is interrupted might end by itself.
  func interruptAtLine() async -> String {
    await Self.onThread { [self] in
      defer { interrupt() }
      return Self.line(output.fileHandleForReading)
    }
  }

  /// The next line of the notes.
  func noteLine() async -> String { await Self.onThread { [notes] in Self.line(notes.fileHandleForReading) } }

  /// All that is still written to the results, until nobody can write any more.
  func restOfOutput() async -> Data {
    await Self.onThread { [output] in Self.rest(of: output.fileHandleForReading) }
  }

  /// All that is still written to the notes, until nobody can write any more, children included.
  func restOfNotes() async -> Data {
    await Self.onThread { [notes] in Self.rest(of: notes.fileHandleForReading) }
  }

  /// The exit code, when it has ended.
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

  /// Closes the handle as well: the thread that reads keeps it for good on Linux.
  private static func rest(of handle: FileHandle) -> Data {
    defer { try? handle.close() }
    return handle.readDataToEndOfFile()
  }

  private static func line(_ handle: FileHandle) -> String {
    var bytes: [UInt8] = []
    while let byte = handle.readData(ofLength: 1).first, byte != 10 { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reading blocks, and the threads of async functions are few.
  private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: body()) }.start()
    }
  }
}

/// A folder for one test, gone with it.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    // Not the temporary directory: other suites of this process move it and count what is in it.
    url = Program.built.deletingLastPathComponent().appending(path: "test-folders/\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A folder with one scenario. A comparison that starts in it does not play all scenarios with each strategy.
  static func withOneScenario() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let scenarios = folder.url.appending(path: "scenarios")
    try FileManager.default.createDirectory(at: scenarios, withIntermediateDirectories: false)
    for name in ["scenario.schema.json", "late-response.json"] {
      let file = Program.packageRoot.appending(path: "scenarios/\(name)")
      try FileManager.default.copyItem(at: file, to: scenarios.appending(path: name))
    }
    return folder
  }

  /// The names in it, in order.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  /// Writes a text file into it.
  func write(_ text: String, to name: String) throws -> String {
    let file = url.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}
