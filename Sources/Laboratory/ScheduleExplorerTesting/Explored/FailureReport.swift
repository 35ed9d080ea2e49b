#if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import Foundation
  import ScheduleExplorer
  import Testing

  /// The command that replays an order of a test.
  struct ReplayLine {
    let filter: String

    init(_ test: Test) { filter = Self.filter(test.id) }

    /// A regular expression that selects only this test, and that contains no quote of the shell.
    static func filter(_ id: Test.ID) -> String {
      let name = ([id.moduleName] + [id.nameComponents.joined(separator: "/")]).joined(separator: ".")
      return "^"
        + name.map { character in
          if character == "'" { return "." }
          let isPlain = character.isLetter || character.isNumber || "_/ ".contains(character) || !character.isASCII
          return isPlain ? "\(character)" : "\\\(character)"
        }.joined() + "($|/)"
    }

    func text(_ token: String) -> String { "EXPLORE_REPLAY='\(token)' swift test --filter '\(filter)'" }
  }

  extension FailureReport {
    /// The maximum number of lines of a table in the message of an issue.
    private static let maximumRows = 20
    private static let maximumIssueLines = 6

    init(_ failure: ExplorationFailure, _ issues: [Issue], _ replay: ReplayLine) {
      // Without a deterministic test, there is no order to replay.
      let isOrder = failure.finding.kind != .nondeterminism
      let token = isOrder ? "\(failure.orderToken ?? failure.token)" : ""
      let cost = failure.token.deviations.cost
      var search = isOrder ? "Found in order \(failure.schedulesRun) of the search" : ""
      if isOrder, failure.foundBy == nil {
        search = "Replayed this order"
      } else if isOrder, cost == 0 {
        search +=
          failure.token.deviations.randomSeed == 0
          ? "; it fails in first-in, first-out order, so no pair of jobs decides"
          : "; random numbers of this order decide, such as a delay, and no pair of jobs"
      } else if failure.isMinimal {
        search += "; minimal: no order with fewer deviations fails\(failure.numbers)"
      }
      self.init(
        issues: issues, table: failure.scheduleTable, pair: failure.flippedPair,
        pairLines: failure.pairLines.map { Line(fileID: "", path: $0.path, line: $0.number, column: 1) }, token: token,
        search: search, whole: "")
      whole = """
        \(issues.map { "\($0.line.path):\($0.line.line): \($0.text)" }.joined(separator: "\n"))

        \(failure)

        \(isOrder ? "\(replay.text("\(failure.token)"))\n\(replay.text(token))\n" : "")
        """
    }

    /// The message of the issue that the test records, in at most 35 lines.
    func message(_ test: Test, _ arguments: String?) -> String {
      var lines = Self.cut(issues[0].text, Self.maximumIssueLines)
      if let arguments { lines.append("with the arguments \(arguments)") }
      if issues.count > 1 {
        let others = issues.dropFirst().map { "line \($0.line.line)" }.joined(separator: ", ")
        lines.append("The same order records \(issues.count - 1) more: \(others)")
      }
      if !table.isEmpty { lines += ["Fails in this order:"] + Self.extract(table) }
      if let pair { lines += pair.split(separator: "\n").prefix(1).map(String.init) }
      if isStored {
        lines.append("This order is stored in .explored, from an earlier failure.")
      } else if !search.isEmpty {
        lines.append("\(search).")
      }
      if !token.isEmpty { lines.append("Replay: \(ReplayLine(test).text(token))") }
      return lines.joined(separator: "\n")
    }

    private static func cut(_ text: String, _ count: Int) -> [String] {
      let lines = text.split(separator: "\n").map(String.init)
      return lines.count <= count ? lines : lines.prefix(count - 1) + ["… (the attachment has the whole text)"]
    }

    /// The rows around the deviations and at the end, if the table is long.
    private static func extract(_ table: String) -> [String] {
      let rows = table.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
      guard rows.count > maximumRows else { return rows }
      if rows[0].hasPrefix("The decisive items:") {
        let decisive = rows.dropFirst().prefix(while: { $0 != "All items:" })
        let end = rows.firstIndex { $0.hasPrefix("✗") } ?? rows.endIndex
        return Array(decisive.prefix(maximumRows) + rows[end...].prefix(maximumRows / 2))
      }
      var kept = Set([0]).union(rows.indices.filter { rows[$0].hasPrefix("*") }.prefix(maximumRows / 2))
      for index in rows.indices.reversed() where kept.count < maximumRows { kept.insert(index) }
      return rows.indices.reduce(into: []) { lines, index in
        if kept.contains(index) {
          lines.append(rows[index])
        } else if kept.contains(index - 1) {
          lines.append("        …")
        }
      }
    }
  }
#endif
