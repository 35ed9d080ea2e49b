#if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import Foundation
  import ScheduleExplorer

  /// Searches the cases of one test function in child processes, one process at a time. It blocks its thread.
  struct ChildSearch: Sendable {
    struct Result: Sendable {
      var reports: [CaseReport] = []
      /// One text for each problem that belongs to no case.
      var problems: [String] = []
    }

    private static let progressInterval = Duration.seconds(5)
    private static let trialLimit = Duration.seconds(20)
    private static let outputLines = 20

    /// The name of the test, such as `Forecasts/lastSelectionWins()`.
    let name: String
    /// A regular expression that selects only this test.
    let filter: String
    let isParameterized: Bool
    let limit: Duration?
    let isCancelled: Flag
    /// Environment variables of the child processes.
    var variables: [String: String] = [:]

    func run() -> Result {
      var result = Result()
      var first = 0
      do {
        while let next = try search(from: first, &result) { first = next }
      } catch {
        result.problems.append("The test could not be explored: \(error)")
      }
      return result
    }

    private func child(_ order: ChildOrder, limit: Duration?) -> ChildProcess {
      ChildProcess(
        arguments: ["--testing-library", "swift-testing", "--no-parallel", "--filter", filter],
        order: order, variables: variables, limit: limit, isCancelled: { isCancelled.isRaised })
    }

    /// Runs a child. Returns the number of the first case that is left, or nil.
    private func search(from first: Int, _ result: inout Result) throws -> Int? {
      var child = child(.search(from: first), limit: limit)
      var told = ContinuousClock.now
      child.onProgress = { schedules in
        guard told.duration(to: .now) > Self.progressInterval else { return }
        told = .now
        FileHandle.standardError.write(Data("… \(name): \(schedules) orders so far\n".utf8))
      }
      let ended = try child.run()
      var begun: (number: Int, arguments: String?)?
      var count = 0
      for message in ended.messages {
        count += 1
        switch message {
        case .began(_, let number, let arguments): begun = (number, arguments)
        case .ended(let report):
          begun = nil
          result.reports.append(report)
          if report.isLast { return isParameterized ? report.number + 1 : nil }
        }
      }
      switch ended.end {
      case .cancelled: return nil
      case .late:
        result.problems.append("Time limit was exceeded: \(limit.map { "\($0)" } ?? "") for the search over one case.")
        return nil
      case .exited, .signaled: break
      }
      if let begun {
        result.reports.append(
          try TrapSearch(name: name, number: begun.number, arguments: begun.arguments) {
            self.child($0, limit: Self.trialLimit)
          }.run(ended))
        return isParameterized ? begun.number + 1 : nil
      }
      if count == 0 && first == 0 || ended.end != .exited(EXIT_SUCCESS) {
        let reason =
          count == 0
          ? "The child process ran no case of this test."
          : "The child process recorded an issue that belongs to no order, for example in a detached task."
        result.problems.append("\(reason) Its output ends with:\n\(Self.lastLines(ended.output))")
      }
      return nil
    }

    private static func lastLines(_ text: String) -> String {
      text.split(separator: "\n").suffix(outputLines).joined(separator: "\n")
    }
  }

  /// Replays, minimizes and explains a schedule that ends the process, with one process per trial.
  struct TrapSearch {
    private static let maximumTrials = 60

    let name: String
    let number: Int
    let arguments: String?
    let child: (ChildOrder) -> ChildProcess

    func run(_ ended: ChildProcess.Result) throws -> CaseReport {
      var trials = 0
      func fails(_ token: String) throws -> Bool {
        trials += 1
        guard trials <= Self.maximumTrials else { return false }
        if case .signaled = try child(.trial(number: number, token: token)).run().end { return true }
        return false
      }
      func token(_ list: [Deviations.Deviation]) -> String {
        "E1.\(Deviations(list, randomSeed: ended.schedule.randomSeed))"
      }
      func fails(_ list: [Deviations.Deviation]) throws -> Bool { try fails(token(list)) }

      let found = ended.schedule.list
      var report = CaseReport(test: name, number: number, arguments: arguments)
      guard case .signaled = ended.end, try fails(found) else {
        report.failure = unrepeated(ended)
        return report
      }
      let list = try shorten(found, fails)
      let last = try child(.trap(number: number, token: token(list))).run()
      guard case .ended(var trapped)? = last.messages.last, var failure = trapped.failure else {
        report.failure = unrepeated(ended)
        return report
      }
      let flipped = Deviations(list).withLastPairFlipped?.list
      if try flipped.map(fails) ?? true { failure.pair = nil }
      let schedule = token(list)
      if failure.token != schedule, try !fails(failure.token) { failure.token = schedule }
      if let message = Self.message(last.output) { failure.issues[0].text = message + " (\(failure.issues[0].text))" }
      failure.search = "Found by the search, and minimized in \(trials) processes"
      trapped.failure = failure
      return trapped
    }

    /// Returns the shortest failing prefix, without the deviations that can be omitted.
    private func shorten(
      _ list: [Deviations.Deviation], _ fails: ([Deviations.Deviation]) throws -> Bool
    ) rethrows -> [Deviations.Deviation] {
      var (low, high) = (0, list.count)
      while low < high {
        let middle = (low + high) / 2
        if try fails(Array(list.prefix(middle))) { high = middle } else { low = middle + 1 }
      }
      var best = Array(list.prefix(high))
      var position = best.count - 1
      while position >= 0 {
        var changed = best
        changed.remove(at: position)
        if try fails(changed) {
          best = changed
        } else if best[position].index > 1 {
          changed = best
          changed[position].index = 1
          if try fails(changed) { best = changed }
        }
        position -= 1
      }
      return best
    }

    private func unrepeated(_ ended: ChildProcess.Result) -> FailureReport {
      let how =
        switch ended.end {
        case .signaled(let signal): "ended by a signal (\(Traps.name(signal)))"
        case .exited(let code): "exited with code \(code)"
        case .late, .cancelled: "was killed"
        }
      let message = Self.message(ended.output).map { "\n\($0)" } ?? ""
      let text = "The process of the search \(how), and a replay of the same order did not repeat that.\(message)"
      return FailureReport(
        issues: [.init(text: text, line: .init(fileID: "", path: "", line: 1, column: 1))], table: "",
        token: "E1.\(ended.schedule)", search: "", whole: text + "\n" + ended.output)
    }

    /// The message of the last fatal error in the output of a process.
    static func message(_ output: String) -> String? {
      let lines = output.split(separator: "\n")
      let line = lines.last {
        $0.contains("Fatal error:") || $0.contains("Precondition failed") || $0.contains("Assertion failed")
          || $0.contains("Simultaneous accesses") || $0.contains("SWIFT TASK CONTINUATION")
      }
      return line.map(String.init)
    }
  }
#endif
