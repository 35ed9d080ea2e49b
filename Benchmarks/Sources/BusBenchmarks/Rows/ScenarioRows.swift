import Foundation
import Harness

/// `fetcher` as a user runs it: all scenarios of the folder on the virtual clock, each with its strategies.
enum ScenarioRows {
  static var all: [Row] {
    [
      Row(
        "scenarios", "`fetcher run scenarios --clock virtual`", unit: .milliseconds,
        [.ours("fetcher", atMost: 2000, run)]),
      Row(
        "scenarios-judged", "explore a schedule of `late-response` with `dataTask`, judged",
        [.ours("fetcher", atMost: 200_000, operations: schedules, explore)]),
    ]
  }

  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../..").standardizedFileURL

  /// Enough schedules to make the start of the process negligible.
  private static let schedules = 4000

  private static func run() -> Contender.Work {
    repeating(["run", "scenarios", "--clock", "virtual", "--quiet"], until: " 0 failed")
  }

  private static func explore() -> Contender.Work {
    repeating(
      ["explore", "scenarios/late-response.json", "--strategy", "dataTask", "--budget", "\(schedules)"],
      until: "\(schedules) schedules, none fails")
  }

  private static func repeating(_ words: [String], until success: String) -> Contender.Work {
    // Built here, because the benchmarks package does not need the rest of `fetcher`.
    let build = ["swift", "build", "-c", "release", "--product", "fetcher"]
    _ = output(of: build)
    let folder = output(of: build + ["--show-bin-path"]).trimmingCharacters(in: .newlines)
    return { repetitions in
      for _ in 0..<repetitions {
        let text = output(of: ["\(folder)/fetcher"] + words)
        require(text.contains(success), "a run failed: \(text)")
      }
    }
  }

  /// Returns the output of a command. Ends the process if the command fails.
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
