import Foundation

/// A page with a table to update. The program reads it before it measures, so that a wrong path fails early.
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
          "\(path) has no marks for the table; add the lines \(Report.beginMark(program)) and \(Report.endMark(program))"
      )
    }
  }

  func update(with report: Report) throws {
    try report.replacingTable(in: text).write(toFile: path, atomically: true, encoding: .utf8)
  }
}
