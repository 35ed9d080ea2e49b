import Foundation

/// A page with a table to be renewed. It is read before anything is measured, so that a wrong path costs no time.
struct Page {
  private let path: String
  private let text: String
  private let program: String

  init(_ path: String, for program: String) throws {
    self.path = path
    self.program = program
    text = try String(contentsOfFile: path, encoding: .utf8)
    guard Report.hasPlace(in: text, for: program) else {
      throw UsageError(
        description:
          "\(path) has no place for the table. It needs a line \(Report.beginMark(program)) and below it a line "
          + "\(Report.endMark(program)).")
    }
  }

  func update(with report: Report) throws {
    try report.replacingTable(in: text).write(toFile: path, atomically: true, encoding: .utf8)
  }
}
