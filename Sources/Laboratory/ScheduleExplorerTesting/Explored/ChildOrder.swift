import Foundation
import ScheduleExplorer

/// The task of a child process: a search, or one schedule of one case.
enum ChildOrder: Codable, Sendable, Equatable {
  static let variable = "EXPLORED_CHILD"

  /// Searches the cases from this number on.
  case search(from: Int)
  /// Runs one case under one schedule, which may trap.
  case trial(number: Int, token: String)
  /// Runs one case under a schedule that traps, catches the trap, and reports it.
  case trap(number: Int, token: String)

  func includes(_ number: Int) -> Bool {
    switch self {
    case .search(let first): number >= first
    case .trial(let only, _), .trap(let only, _): number == only
    }
  }

  static let ofThisProcess: Self? = ProcessInfo.processInfo.environment[variable].flatMap {
    try? JSONDecoder().decode(Self.self, from: Data($0.utf8))
  }

  var text: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}

/// A message from a child process to its parent.
enum ChildMessage: Codable, Sendable {
  /// A case begins. Its number counts the cases of the test in this process from zero.
  case began(test: String, number: Int, arguments: String?)
  case ended(CaseReport)
}

/// The result of the search over one case of a test.
struct CaseReport: Codable, Sendable {
  var test: String
  var number: Int
  /// The arguments of the case, if the test has parameters.
  var arguments: String?
  /// The number of orders that ran.
  var schedules = 0
  /// The searched part of all orders, as in `all 28 orders of whole jobs`.
  var bound: String?
  /// The number of orders for each result of the case, for the tests of this module.
  var failing = 0
  var failure: FailureReport?
  /// One sentence for each stored order that can no longer happen.
  var stale: [String] = []
  /// Whether the child has ended after this case, because tasks of the test never end.
  var isLast = false

  /// The orders in which the case passes.
  var passes: String {
    if schedules == 1 { return "passes in \(bound ?? "1 order")" }
    return "passes in \(schedules) orders" + (bound.map { ", among them \($0)" } ?? "")
  }
}

/// The smallest failing order of a case.
struct FailureReport: Codable, Sendable {
  struct Issue: Codable, Sendable, Equatable {
    var text: String
    var line: Line
  }

  struct Line: Codable, Sendable, Hashable {
    var fileID: String
    var path: String
    var line: Int
    var column: Int
  }

  /// The issues of the failing order, in the order in which they were recorded. At least one.
  var issues: [Issue]
  /// The rows of the table.
  var table: String
  var pair: String?
  /// The source lines of the pair.
  var pairLines: [Line] = []
  /// The token to replay and store: the order if there is one, and the schedule otherwise.
  var token: String
  /// How the order was found, and whether it is minimal.
  var search: String
  /// The complete report.
  var whole: String
  /// Whether the order fails again that an earlier run has stored.
  var isStored = false
}
