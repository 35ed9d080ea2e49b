import Foundation
import Harness

/// A child process. It exits when its input ends, and so no later than this process.
final class ChildProcess: Sendable {
  private let input = Pipe()
  private let output = Pipe()

  /// Starts the executable at this path.
  init(_ path: String, _ arguments: [String] = []) {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    do { try process.run() } catch { fatalError("\(path) cannot be started: \(error)") }
  }

  func send(_ line: String) {
    do {
      try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    } catch {
      fatalError("a measured process has ended")
    }
  }

  /// Waits for a line, which the process writes in one piece.
  func line() -> String {
    String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// Runs the executable to its end and returns its output.
  static func output(of path: String, _ arguments: [String]) -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { fatalError("\(path) cannot be started: \(error)") }
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    require(process.terminationStatus == 0, "\(path) failed")
    return String(decoding: printed, as: UTF8.self)
  }

  /// Returns the path of an installed executable, or nil.
  static func path(of program: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    // Debian installs servers in /usr/sbin, which is only in the path of administrators.
    return (folders + ["/usr/sbin"]).map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
