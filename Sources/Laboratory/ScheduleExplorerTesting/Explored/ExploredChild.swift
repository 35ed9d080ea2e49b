#if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import Foundation
  import ScheduleExplorer
  import Scheduling
  import Testing
  import VirtualTime

  /// Searches the orders of one case of a test, in the child process.
  ///
  /// The search blocks the thread of the case, and runs the test on the thread of `exploreSwift`. The child runs one case
  /// after the other.
  struct ExploredChild {
    @TaskLocal private static var isInside = false
    private static let counts = Locked<[Test.ID: Int]>([:])
    /// The body of the case. A run calls it through this variable, because it must not outlive the case.
    private static let body = Locked<Body?>(nil)

    private struct Body: Sendable {
      let call: @Sendable () async throws -> Void
    }

    private let test: Test
    private let number: Int
    private let arguments: String?
    private let settings: ExploredSettings
    private let environment: ExploredEnvironment
    private let order: ChildOrder
    private let channel: ChildChannel
    private let issues = RunIssues()
    private let starter = TaskStarter()
    /// The number of runs whose test function has not returned.
    private let open = Locked(0)

    /// Runs a case as the parent's order says.
    static func run(
      _ test: Test, _ testCase: Test.Case?, _ settings: ExploredSettings, _ order: ChildOrder,
      _ function: @Sendable () async throws -> Void
    ) async throws {
      // The trait is present twice if both the suite and the test have it.
      guard !isInside, let channel = ChildChannel.shared else { return try await function() }
      let number = counts.withLock { counts in
        defer { counts[test.id, default: 0] += 1 }
        return counts[test.id, default: 0]
      }
      guard order.includes(number) else { return }
      let child = Self(test, testCase, number, settings, order, channel)
      // Everything that records an issue from here on must not reach the event handlers: each order would print it.
      let collecting: IssueHandlingTrait = .compactMapIssues { [issues = child.issues] issue in
        issues.add(issue, test)
        return nil
      }
      try await collecting.provideScope(for: test, testCase: testCase) {
        try await $isInside.withValue(true) { try await child.search(function) }
      }
    }

    private init(
      _ test: Test, _ testCase: Test.Case?, _ number: Int, _ settings: ExploredSettings, _ order: ChildOrder,
      _ channel: ChildChannel
    ) {
      environment = .current
      self.test = test
      self.number = number
      self.settings = settings.changed(by: environment)
      self.order = order
      self.channel = channel
      arguments = test.isParameterized ? testCase.flatMap(Self.arguments) : nil
    }

    /// The arguments of a case, which Swift Testing does not publish.
    private static func arguments(of testCase: Test.Case) -> String? {
      for child in Mirror(reflecting: testCase).children {
        guard let kind = Mirror(reflecting: child.value).children.first else { continue }
        let arguments = Mirror(reflecting: kind.value).children.first { $0.label == "arguments" }
        let values = arguments.map {
          Mirror(reflecting: $0.value).children.compactMap { Mirror(reflecting: $0.value).descendant("value") }
        }
        if let values { return values.map { String(describingForTest: $0) }.joined(separator: ", ") }
      }
      return nil
    }

    private func search(_ function: @Sendable () async throws -> Void) async throws {
      channel.send(.began(test: "\(test.id)", number: number, arguments: arguments))
      starter.begin()
      withoutActuallyEscaping(function) { function in
        Self.body.withLock { $0 = Body(call: function) }
        let report = judge()
        channel.send(.ended(report))
        // Tasks that never end still hold the body, and must not see its end.
        if report.isLast { _exit(0) }
        Self.body.withLock { $0 = nil }
      }
    }

    // MARK: The search

    private func judge() -> CaseReport {
      var report = CaseReport(test: "\(test.id)", number: number, arguments: arguments)
      switch order {
      case .search:
        if let token = environment.replay {
          replay(token, &report, isStored: false)
        } else {
          replayStored(&report)
          if report.failure == nil { explore(&report) }
        }
      case .trial(_, let token): replay(token, &report, isStored: false)
      case .trap(_, let token):
        Traps.catching { replay(token, &report, isStored: false) }
      }
      report.isLast = open.withLock { $0 > 0 }
      return report
    }

    private var explorer: Explorer {
      var explorer = Explorer()
      explorer.schedules = settings.schedules
      explorer.time = settings.time
      explorer.seed = settings.seed
      explorer.search = settings.search
      explorer.shard = settings.shard
      explorer.verifiesDeterminism = settings.search != .fifo
      explorer.host = ProgramHost(
        start: { [starter] program in starter.start(program) }, keepsSleeps: settings.timing == nil,
        begins: { [channel] in channel.beginRun($0) }, deviates: { [channel] in channel.deviate($0) })
      return explorer
    }

    private func explore(_ report: inout CaseReport) {
      do {
        report.note(try explorer.exploreSwift(timing: settings.timing ?? .any) { try await runOnce() }.statistics)
      } catch {
        fail(error, &report)
      }
    }

    /// - Parameter loosely: whether to run the order that is closest to one that can no longer happen.
    private func replay(_ token: String, _ report: inout CaseReport, isStored: Bool, loosely: Bool = false) {
      do {
        let result = try explorer.exploreSwift(
          timing: settings.timing ?? .any, replaying: token, loosely: loosely
        ) { try await runOnce() }
        if !isStored { report.note(result.statistics) }
      } catch let mismatch as ReplayMismatch where !loosely {
        report.stale.append("\(mismatch)")
        if !isStored { replay(token, &report, isStored: false, loosely: true) }
      } catch {
        fail(error, &report)
        report.failure?.isStored = isStored
      }
    }

    private func replayStored(_ report: inout CaseReport) {
      for order in StoredOrders(test).orders where order.number == number {
        replay(order.token, &report, isStored: true)
        if report.failure != nil { return }
      }
    }

    /// Runs the test once, and throws the first issue.
    private func runOnce() async throws {
      issues.clear()
      open.withLock { $0 += 1 }
      defer { open.withLock { $0 -= 1 } }
      guard let body = Self.body.withLock({ $0 }) else { return }
      do {
        try await body.call()
      } catch {
        if issues.isEmpty { issues.add("Caught error: \(error)", test.sourceLocation) }
      }
      if let first = issues.all.first { throw Finding(.check, first.text) }
    }

    private func fail(_ error: any Error, _ report: inout CaseReport) {
      let own = FailureReport.Line(test.sourceLocation)
      guard let failure = error as? ExplorationFailure else {
        let text = "\(error)"
        report.failure = FailureReport(
          issues: [.init(text: text, line: own)], table: "", token: "", search: "", whole: text)
        return
      }
      report.note(failure.statistics)
      var found: [FailureReport.Issue] = []
      if failure.finding.kind == .check {
        // The last run may have been another schedule.
        _ = try? explorer.exploreSwift(timing: settings.timing ?? .any, replaying: "\(failure.token)") {
          try await runOnce()
        }
        found = issues.all
      }
      if found.isEmpty { found = [.init(text: failure.finding.message, line: own)] }
      report.failure = FailureReport(failure, found, ReplayLine(test))
    }
  }

  /// The issues of the current run. Any thread may add one.
  private final class RunIssues: Sendable {
    private let stored = Locked<[FailureReport.Issue]>([])

    var all: [FailureReport.Issue] { stored.withLock { $0 } }
    var isEmpty: Bool { stored.withLock(\.isEmpty) }

    func clear() { stored.withLock { $0 = [] } }

    func add(_ issue: Issue, _ test: Test) {
      guard issue.isFailure else { return }
      let text = (["\(issue.kind)"] + issue.comments.map(\.rawValue)).joined(separator: "\n")
      add(text, issue.sourceLocation ?? test.sourceLocation)
    }

    func add(_ text: String, _ location: SourceLocation) {
      stored.withLock { $0.append(.init(text: text, line: .init(location))) }
    }
  }

  /// Starts tasks that inherit the task-local values of the test, from a thread that runs no task.
  ///
  /// Its own task belongs to the test's task, and waits on an executor that keeps the waiting job. The thread of the
  /// search runs this job whenever it needs a new task.
  private final class TaskStarter: TaskExecutor {
    private struct State {
      var job: UnownedJob?
      var waiting: UnsafeContinuation<Void, Never>?
      var program: (@Sendable () async -> Void)?
    }

    private let state = Locked(State())

    /// Creates the task, which never ends. Call this method from the test's task.
    func begin() {
      Task(executorPreference: self) {
        while let program = self.state.withLock({ $0.program.take() }) {
          Task { await program() }
          await withUnsafeContinuation { waiting in self.state.withLock { $0.waiting = waiting } }
        }
      }
    }

    func start(_ program: @escaping @Sendable () async -> Void) {
      let waiting = state.withLock { state in
        state.program = program
        return state.waiting.take()
      }
      waiting?.resume()
      if let job = state.withLock({ $0.job.take() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      state.withLock { $0.job = job }
    }
  }

  extension CaseReport {
    fileprivate mutating func note(_ statistics: Statistics) {
      schedules += statistics.schedules
      failing += statistics.failing
      // The orders of a bound share their random numbers, so the bound says little.
      bound = statistics.drawsNumbers ? nil : statistics.bound.map { "\($0)" }
    }
  }

  extension FailureReport.Line {
    init(_ location: SourceLocation) {
      self.init(fileID: location.fileID, path: location.filePath, line: location.line, column: location.column)
    }
  }
#endif
