#if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import Foundation
  import ScheduleExplorer
  import Scheduling
  import Synchronization
  import Testing

  /// Explores one test function in child processes, and records its issues.
  struct ExploredParent {
    let test: Test
    private let settings: ExploredSettings
    private let environment = ExploredEnvironment.current

    init(_ test: Test, _ settings: ExploredSettings) {
      self.test = test
      self.settings = settings
    }

    func run() async {
      guard environment.problems.isEmpty else {
        return record(environment.problems.joined(separator: "\n"), test.sourceLocation)
      }
      let isCancelled = Flag()
      let search = ChildSearch(
        name: test.id.nameComponents.joined(separator: "/"), filter: ReplayLine.filter(test.id),
        isParameterized: test.isParameterized, limit: test.timeLimit, isCancelled: isCancelled)
      let result = await withTaskCancellationHandler {
        await ChildSeats.shared.withSeat {
          await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: search.run()) }.start()
          }
        }
      } onCancel: {
        isCancelled.raise()
      }
      for report in result.reports { take(report) }
      for problem in result.problems { record(problem, test.sourceLocation) }
    }

    private func take(_ report: CaseReport) {
      for text in report.stale {
        let advice =
          environment.replay == nil
          ? "A stored order can no longer happen. Remove it from \(StoredOrders(test).path)."
          : "The replayed order can no longer happen, so the closest one ran. To search again, omit EXPLORE_REPLAY."
        Issue.record("\(advice)\n\(text)", severity: .warning, sourceLocation: test.sourceLocation)
      }
      guard let failure = report.failure, let first = failure.issues.first else { return tell(report) }
      if environment.records, !failure.isStored, environment.replay == nil, !failure.token.isEmpty {
        do {
          try StoredOrders(test).add(failure.token, report.number, first.text)
        } catch {
          Issue.record("The order is not stored: \(error)", severity: .warning, sourceLocation: test.sourceLocation)
        }
      }
      let name = URL(filePath: StoredOrders(test).path).lastPathComponent
      Attachment.record(failure.whole, named: name, sourceLocation: test.sourceLocation)
      if let folder = environment.report { write(failure.whole, to: folder, name) }
      GitHubActions.report(failure, of: test, environment)
      record(failure.message(test, report.arguments), first.line.location)
    }

    /// Says how much a passing test has run, because Swift Testing prints only that it passes.
    private func tell(_ report: CaseReport) {
      let name = test.id.nameComponents.joined(separator: "/") + (report.arguments.map { " with \($0)" } ?? "")
      let text =
        environment.replay == nil
        ? report.passes : report.stale.isEmpty ? "the replayed order passes" : "the closest order passes"
      FileHandle.standardError.write(Data("… \(name): \(text)\n".utf8))
    }

    private func write(_ text: String, to folder: String, _ name: String) {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
      } catch {
        Issue.record("EXPLORE_REPORT: \(error)", severity: .warning, sourceLocation: test.sourceLocation)
      }
    }

    private func record(_ text: String, _ location: SourceLocation) {
      Issue.record(Comment(rawValue: text), sourceLocation: location)
    }
  }

  extension FailureReport.Line {
    var location: SourceLocation { SourceLocation(fileID: fileID, filePath: path, line: line, column: column) }
  }

  /// A flag that one thread raises and another one reads.
  final class Flag: Sendable {
    private let isSet = Atomic(false)

    func raise() { isSet.store(true, ordering: .relaxed) }
    var isRaised: Bool { isSet.load(ordering: .relaxed) }
  }

  /// Limits the number of child processes that run at a time to the number of cores.
  actor ChildSeats {
    static let shared = ChildSeats(ProcessInfo.processInfo.activeProcessorCount)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func withSeat<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
      if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
      let value = await body()
      if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
      return value
    }
  }
#endif
