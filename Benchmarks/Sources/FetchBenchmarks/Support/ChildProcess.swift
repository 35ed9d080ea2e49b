import Foundation
import Harness

/// A program that the benchmarks start. It ends with its input, and so with this process at the latest.
final class ChildProcess: Sendable {
  private let input = Pipe()
  private let output = Pipe()

  /// Starts the program at this path.
  init(_ path: String, _ arguments: [String] = []) {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    do { try process.run() } catch { fatalError("\(path) cannot be started: \(error)") }
  }

  /// Writes a line.
  func send(_ line: String) {
    do {
      try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    } catch {
      fatalError("A program that is measured has ended.")
    }
  }

  /// Waits for a line, which the program writes at once.
  func line() -> String {
    String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// Runs the program to its end and returns what it printed.
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
    require(process.terminationStatus == 0, "\(path) failed.")
    return String(decoding: printed, as: UTF8.self)
  }

  /// Where a program is installed; nil if it is not.
  static func path(of program: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    // Where Debian has servers, which is in the path of its administrators only.
    return (folders + ["/usr/sbin"]).map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
