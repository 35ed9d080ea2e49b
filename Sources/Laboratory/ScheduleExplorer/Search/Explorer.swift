import PlainText
import SeededNumbers
import VirtualTime

/// Searches the schedules of a program for one that breaks it.
///
/// ``explore(schedules:for:seed:search:timing:pool:maximumSteps:shard:replaying:loosely:_:)`` is the short form for a
/// test. Use this type if the program creates its own runtime.
public struct Explorer: Sendable {
  /// A closure that runs the program once on a `VirtualRuntime` with this policy and observer, and judges the run.
  public typealias Program = (Schedule) -> Verdict

  /// The maximum number of random completions to run from each choice of a failing run.
  private static let maximumEnds = 200
  /// The maximum number of pairs that the explainer tries to leave out.
  private static let maximumPairs = 200

  /// The maximum number of schedules to run.
  public var schedules = 10_000
  /// The maximum duration of the search in real time, or nil for no limit. After a failure, minimizing and explaining it
  /// may take up to half of this time beyond the limit.
  public var time: Duration?
  /// The seed of all random choices.
  public var seed: UInt64 = 1
  /// The search algorithm.
  public var search = Search.mixed
  /// The part of the search to run.
  public var shard = Shard.whole
  /// The plural noun for the units that the search orders, for the report. It begins with *whole* if they cannot be
  /// interrupted.
  var unit = "whole items"
  /// Whether `exploreSwift` can interrupt jobs, if the hooks are available.
  package var interruptsJobs = true
  /// The maximum number of nodes that the bounded search remembers.
  package var maximumNodes = BoundedSearch.maximumNodes
  /// Whether the first failure ends the search.
  public var stopsAtFailure = true
  /// Whether the search first verifies that the same schedule always leads to the same run.
  public var verifiesDeterminism = true
  /// Whether the sentence about the flipped pair numbers an item whose name occurs more than once in the table.
  package var numbersItems = false
  /// Whether the search first verifies that real time does not change a run.
  var verifiesRealTime = false
  /// The name of the explored program. A token from another program does not match. Empty if the name is unknown.
  package var subject = ""
  /// The call that replays a token, or nil for a test, which a command replays.
  var replay: ReplayCall? = ReplayCall()
  /// The maximum number of schedules to run while minimizing a failure.
  public var minimizing = 20_000
  /// The maximum number of items to run while explaining a failure by random completions. Zero disables the
  /// explanation.
  public var explaining = 20_000
  /// Called after every 64th schedule of the search, with the number of schedules so far.
  public var onProgress: (@Sendable (_ schedules: Int) -> Void)?

  /// The test that hosts the program, or nil if the program is not a test.
  package var host: ProgramHost?
  /// Called on the first failure, before it is minimized.
  package var onFailure: (@Sendable () -> Void)?
  /// Called before each schedule. If it returns true, the search or the minimization ends, and keeps its results.
  package var isStopped: (@Sendable () -> Bool)?

  /// Creates a search that is limited to 10,000 schedules.
  public init() {}

  /// Runs the program repeatedly, each time under a different schedule.
  ///
  /// - Returns: the statistics, and the first failure if there is one.
  public func explore(_ program: Program) -> Exploration {
    withoutActuallyEscaping(program) { program in
      let (runner, begun) = (ProgramRunner(program, host), ContinuousClock.now)
      if verifiesDeterminism, let difference = difference(runner, until: time.map { begun + $0 / 4 }) {
        return Exploration(failure: failure(difference, Deviations(), nil, 0), statistics: Statistics())
      }
      var exploring = Exploring(self, runner, until: deadline(begun))
      exploring.run()
      var result = Exploration(failure: nil, statistics: exploring.statistics)
      if let found = exploring.found {
        onFailure?()
        var failure = failure(found.finding, found.schedule, found.search, found.schedules)
        runner.randomSeed = found.schedule.randomSeed
        minimize(&failure, exploring, runner, begun)
        failure.statistics = exploring.statistics
        if failure.finding.kind == .escape { failure.statistics.bound?.isLimited = true }
        result.failure = failure
      }
      return result
    }
  }

  /// Replays the token if there is one, and searches otherwise. Throws any failure.
  func report(replaying token: String?, loosely: Bool, _ program: Program) throws -> Exploration {
    let exploration: Exploration
    if let token {
      do {
        exploration = try replay(Token(parsing: token), loosely: loosely, program)
      } catch let malformed as Token.Malformed {
        throw ReplayMismatch(description: "“\(token)” is not a token: \(malformed).")
      }
    } else {
      exploration = explore(program)
    }
    if let failure = exploration.failure { throw failure }
    return exploration
  }

  /// Runs the program under a token's schedule.
  ///
  /// - Parameters:
  ///   - token: the token that contains the schedule.
  ///   - loosely: whether to follow the token only as far as it matches the program, for example in another version.
  ///   - program: the program that created the token or, for an order token, another version of it.
  /// - Throws: `ReplayMismatch` if the token does not match the program, unless `loosely` is set.
  public func replay(
    _ token: Token, loosely: Bool = false, _ program: Program
  ) throws(ReplayMismatch) -> Exploration {
    let (recording, verdict, recorder, mismatch) = withoutActuallyEscaping(program) { program in
      let runner = ProgramRunner(program, host)
      runner.randomSeed = token.deviations.randomSeed
      guard token.order.isEmpty else {
        let replay = OrderedReplay(token.order, runner)
        let mismatch = replay.broken.map { "The run does not follow the token: \($0)." }
        return (runner.recording, replay.verdict, replay.recorder, mismatch)
      }
      let (policy, recorder) = (DeviationPolicy(token.deviations.list), Recorder())
      let verdict = runner.run(policy, recorder)
      let checksum = checksum(runner.recording)
      let mismatch =
        policy.mismatch(choices: runner.recording.counts.count, recorder.steps)
        ?? (token.checksum.map { $0 == checksum } == false ? Self.otherItems : nil)
      return (runner.recording, verdict, recorder, mismatch)
    }
    if let mismatch, !loosely {
      throw ReplayMismatch(description: host == nil ? "\(mismatch) \(Self.advice)" : mismatch)
    }
    var result = Exploration(failure: nil, statistics: Statistics())
    result.mismatch = mismatch.map { ReplayMismatch(description: $0) }
    result.statistics.add(verdict, recording.schedule, choices: recording.counts.count)
    let table = ScheduleTable(
      steps: recorder.steps.located, finding: verdict.finding, hasTimes: verdict.keepsTimes,
      waiting: recorder.waiting.located)
    result.scheduleTable = "\(table)"
    guard let finding = verdict.finding else { return result }
    var failure = failure(finding, recording.schedule, nil, 1)
    failure.token = Token(failure.original, checksum: checksum(recording))
    failure.orderToken = token.order.isEmpty ? nil : token
    failure.scheduleTable = result.scheduleTable
    failure.statistics = result.statistics
    result.failure = failure
    return result
  }

  private static let advice = """
    Replay the token with the program, strategy and variant that printed it. With `--loose` (`loosely: true`), the replay \
    ignores what does not fit.
    """

  private static let otherItems =
    "The chosen items differ from those of the token: the program has changed, or the token belongs to another one."

  private func checksum(_ recording: RecordingPolicy) -> UInt32 {
    UInt32(truncatingIfNeeded: subject.utf8.reduce(recording.checksum) { SplitMix64.scatter($0 ^ UInt64($1)) })
  }

  private func failure(
    _ finding: Finding, _ schedule: Deviations, _ search: Search?, _ schedules: Int
  ) -> ExplorationFailure {
    ExplorationFailure(
      finding: finding, schedulesRun: schedules, foundBy: search, seed: seed,
      token: Token(schedule, checksum: nil), original: schedule, replay: replay)
  }

  /// The failure of a schedule that hangs and therefore cannot be minimized.
  func blocked(
    _ finding: Finding, _ schedule: Deviations, _ recording: RecordingPolicy?, _ steps: [RecordedStep], schedules: Int
  ) -> ExplorationFailure {
    var failure = failure(finding, schedule, nil, schedules)
    failure.token = Token(failure.original, checksum: recording.map(checksum))
    let pair = Array((recording?.overtaken.last ?? []).suffix(2))
    failure.scheduleTable = "\(ScheduleTable(steps: steps, finding: finding, pair: pair))"
    if finding.kind == .trap, let recording { failure.describeTrap(recording.overtaken, steps) }
    return failure
  }

  private func deadline(_ begun: ContinuousClock.Instant) -> ContinuousClock.Instant? { time.map { begun + $0 } }

  /// The end of a step after a failure. Such a step may take a quarter of the time beyond the limit of the search.
  private func extendedDeadline(_ begun: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    time.map { max(begun + $0, .now + $0 / 4) }
  }

  // MARK: After a failure

  private func minimize(
    _ failure: inout ExplorationFailure, _ exploring: Exploring, _ runner: ProgramRunner,
    _ begun: ContinuousClock.Instant
  ) {
    guard failure.finding.kind != .escape else { return }
    var minimizer = Minimizer(
      runner, Budget(schedules: minimizing, until: extendedDeadline(begun), isStopped: isStopped),
      maximumNodes: maximumNodes)
    var list = minimizer.shorten(failure.original.list)
    // The search may already have settled this: it ran all schedules up to its bound, and they passed. Its random numbers
    // were those of the seed 0.
    let passing =
      shard == .whole && runner.randomSeed == 0 && exploring.boundedPasses
      ? exploring.statistics.bound?.deviations ?? -1 : -1
    if passing + 1 >= Deviations(list).cost {
      failure.leastDeviations = Deviations(list).cost
    } else {
      let smallest = minimizer.search(below: list)
      list = smallest.list
      failure.leastDeviations = max(smallest.least, min(passing + 1, Deviations(list).cost))
    }
    let recorder = Recorder()
    let verdict = runner.run(DeviationPolicy(list), recorder)
    guard let finding = verdict.finding else {
      failure.finding = Finding(
        .nondeterminism, "the same schedule failed once and then passed: \(failure.finding)\n\(Self.suspects)")
      return
    }
    failure.finding = finding
    failure.token = Token(Deviations(list, randomSeed: runner.randomSeed), checksum: checksum(runner.recording))
    let budget = Budget(schedules: .max, until: extendedDeadline(begun), isStopped: isStopped)
    explain(&failure, Explainer(runner, list, finding, recorder, budget), runner, hasTimes: verdict.keepsTimes)
  }

  private func explain(
    _ failure: inout ExplorationFailure, _ explainer: Explainer, _ runner: ProgramRunner, hasTimes: Bool
  ) {
    failure.flippedPair = explainer.flippedPair(numbered: numbersItems)
    if failure.flippedPair != nil { failure.pairLines = explainer.steps.lines(of: explainer.lastPair) }
    let pairs = explainer.decidingPairs(runs: Self.maximumPairs)
    // An order of items has no seed of random numbers.
    if runner.randomSeed == 0, let token = explainer.token(pairs) {
      // If an item exists only in the failing order, no replay in another order can find it.
      let replay = OrderedReplay(token.order, runner)
      if replay.broken == nil, replay.verdict.finding != nil { failure.orderToken = token }
    }
    let folded = explainer.bystanders(pairs)
    failure.foldedSteps = explainer.steps.count { folded.contains($0.item.identity) }
    let table = ScheduleTable(
      steps: explainer.steps, finding: failure.finding, hasTimes: hasTimes, folded: folded,
      pair: failure.flippedPair == nil ? [] : explainer.lastPair, waiting: explainer.waiting)
    failure.scheduleTable = "\(table)"
    if explainer.isOver { return }
    failure.pointOfNoReturn = explainer.pointOfNoReturn(seed: seed, ends: Self.maximumEnds, budget: explaining)
  }
}

extension DeviationPolicy {
  /// The deviation that the replayed run could not follow, or nil if it followed all of them.
  fileprivate func mismatch(choices: Int, _ steps: [RecordedStep]) -> String? {
    if let impossible {
      let items = impossible.items.map { "“\(steps.name(of: $0))” on \($0.scheduler.label)" }
      return """
        At choice \(impossible.deviation.choice) the token takes index \(impossible.deviation.index), but only these \
        items are ready: \
        \(items.joined(separator: ", ")).
        """
    }
    if hasFollowed { return nil }
    return
      "The run has only \(choices.counted("choice")), fewer than the token requires. Use the same timing as the search."
  }
}
