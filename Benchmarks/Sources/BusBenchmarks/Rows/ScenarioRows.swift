import Foundation
import Harness

/// The program as a person starts it: all scenarios of the folder on the virtual clock, each with its strategies.
enum ScenarioRows {
  static var all: [Row] {
    [
      Row(
        "scenarios", "`fetcher run scenarios --clock virtual`", unit: .milliseconds,
        [.ours("fetcher", atMost: 2000, run)])
    ]
  }

  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../..").standardizedFileURL

  private static func run() -> Contender.Work {
    // Built here, as the package of the benchmarks has no use for the rest of the program.
    let build = ["swift", "build", "-c", "release", "--product", "fetcher"]
    _ = output(of: build)
    let folder = output(of: build + ["--show-bin-path"]).trimmingCharacters(in: .newlines)
    return { repetitions in
      for _ in 0..<repetitions {
        let summary = output(of: ["\(folder)/fetcher", "run", "scenarios", "--clock", "virtual", "--quiet"])
        require(summary.contains(" 0 failed"), "Not every scenario held: \(summary)")
      }
    }
  }

  /// What a command prints that has to succeed.
  private static func output(of command: [String]) -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = package
    process.standardOutput = pipe
    do {
      try process.run()
    } catch {
      fatalError("\(command.joined(separator: " ")) cannot be started: \(error)")
    }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    require(process.terminationStatus == 0, "\(command.joined(separator: " ")) failed: \(text)")
    return text
  }
}
