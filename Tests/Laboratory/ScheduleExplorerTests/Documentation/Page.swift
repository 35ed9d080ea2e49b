import Foundation
import ScheduleExplorer
import TestMachine

/// A page of the module's documentation.
struct Page {
  private let text: String

  init(_ name: String) throws {
    let path = "Sources/Laboratory/ScheduleExplorer/ScheduleExplorer.docc/\(name).md"
    text = try String(contentsOf: packageRoot.appending(path: path), encoding: .utf8)
  }

  func contains(_ text: String) -> Bool { self.text.contains(text) }

  /// Returns whether the page shows the table of the failure and its deciding pair.
  func shows(_ failure: ExplorationFailure) -> Bool {
    let steps = failure.scheduleTable.split(separator: "\n").prefix { !$0.hasPrefix("✗") }.joined(separator: "\n")
    return text.contains(steps) && text.contains(failure.flippedPair ?? "no pair")
  }
}
