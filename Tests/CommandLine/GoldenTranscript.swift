import Foundation

/// One command line with all that comes of it, as a file.
struct GoldenTranscript {
  private static let folder = Program.packageRoot.appending(path: "Tests/CommandLine/Golden")

  /// What the commands find in their folder.
  static let files = folder.appending(path: "files")

  /// All transcripts, in alphabetical order.
  static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "transcripts").path)
    return (files ?? []).filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
  }()

  /// The whole file.
  let text: String
  /// The line for the shell.
  let command: String
  private let file: URL

  init(_ name: String) throws {
    file = Self.folder.appending(path: "transcripts/\(name).txt")
    text = try String(contentsOf: file, encoding: .utf8)
    command = String(text.prefix { $0 != "\n" }.dropFirst(2))
  }

  /// The file as it should be after that outcome.
  func text(of outcome: Program.Outcome, in folder: URL) -> String {
    let output = Self.normalised(outcome.output, in: folder)
    let notes = Self.normalised(outcome.notes, in: folder)
    return "$ \(command)\nexit \(outcome.code)\n--- standard output\n\(output)--- standard error\n\(notes)"
  }

  func write(_ text: String) throws { try Data(text.utf8).write(to: file) }

  /// The text without what differs from run to run and from machine to machine: the folder, ports that the system chose, and
  /// every number with two decimals or more, which is a time that was measured. Times on the virtual clock have fewer.
  private static func normalised(_ text: String, in folder: URL) -> String {
    text.replacing(folder.path, with: "FOLDER")
      .replacing(folder.resolvingSymlinksInPath().path, with: "FOLDER")
      .replacing(/(127\.0\.0\.1:|port )\d{5}/) { "\($0.1)PORT" }
      .replacing(/\d+\.\d\d+/, with: "N")
  }
}
