import Foundation

/// A command line with its complete result, as a file.
struct GoldenTranscript {
  private static let folder = Program.packageRoot.appending(path: "Tests/CommandLine/Golden")

  /// The files that the commands find in their folder.
  static let files = folder.appending(path: "files")

  /// All transcripts, in alphabetical order.
  static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "transcripts").path)
    return (files ?? []).filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
  }()

  /// The content of the file.
  let text: String
  /// The command line that the shell runs.
  let command: String
  private let file: URL

  init(_ name: String) throws {
    file = Self.folder.appending(path: "transcripts/\(name).txt")
    text = try String(contentsOf: file, encoding: .utf8)
    command = String(text.prefix { $0 != "\n" }.dropFirst(2))
  }

  /// Returns the expected content of the file for an outcome.
  func text(of outcome: Program.Outcome, in folder: URL) -> String {
    let output = Self.normalized(outcome.output, in: folder)
    let notes = Self.normalized(outcome.notes, in: folder)
    return "$ \(command)\nexit \(outcome.code)\n--- standard output\n\(output)--- standard error\n\(notes)"
  }

  func write(_ text: String) throws { try Data(text.utf8).write(to: file) }

  /// Replaces the values that differ between runs and machines: the folder, ports that the system chose, and every
  /// number with two or more decimals, which is a measured time. Times on the virtual clock have fewer decimals.
  private static func normalized(_ text: String, in folder: URL) -> String {
    text.replacing(folder.path, with: "FOLDER")
      .replacing(folder.resolvingSymlinksInPath().path, with: "FOLDER")
      .replacing(/(127\.0\.0\.1:|port )\d{5}/) { "\($0.1)PORT" }
      .replacing(/\d+\.\d\d+/, with: "N")
  }
}
