import Foundation
import Harness

/// A page with a table to be renewed. It is read before anything is measured, so that a wrong path costs no time.
struct Page {
  private let path: String
  private let text: String

  init(_ path: String) throws {
    self.path = path
    text = try String(contentsOfFile: path, encoding: .utf8)
    guard Report.hasPlace(in: text) else {
      throw UsageError(
        description: "\(path) has no place for the table. It needs a line \(Report.beginMark) and below it a line "
          + "\(Report.endMark).")
    }
  }

  func update(with report: Report) throws {
    try report.replacingTable(in: text).write(toFile: path, atomically: true, encoding: .utf8)
  }
}
