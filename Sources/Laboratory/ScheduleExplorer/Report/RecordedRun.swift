import VirtualTime

/// One run of a program under a schedule. It contains the items that ran and the items that were ready before each of
/// them.
package struct RecordedRun: Sendable {
  /// An item that could have run.
  package struct Ready: Sendable, Equatable {
    package let name: String
    /// The label of the item's scheduler.
    package let scheduler: String
    /// Whether this is the item that ran.
    package let isChosen: Bool
  }

  /// The items, in the order in which they ran.
  package let steps: [RecordedStep]
  package let verdict: Verdict
  private let choices: [[ReadyItem]]
  private let positions: [UInt64: Int]
  private let log: RunLog
  private let lastDeviation: Deviations.Deviation?

  /// Runs the program once, under the schedule that the deviations describe.
  ///
  /// - Parameter recordsCallers: Whether ``linesOfLastPair`` contains the lines that schedule closures.
  package init(_ deviations: Deviations, recordsCallers: Bool = false, of program: (Schedule) -> Verdict) {
    let recorder = Recorder(recordsCallers: recordsCallers)
    let (verdict, choices) = withoutActuallyEscaping(program) { program in
      let runner = ProgramRunner(program)
      let verdict = runner.run(DeviationPolicy(deviations.list), recorder, recordsReady: true)
      return (verdict, runner.recording.ready)
    }
    (steps, self.choices, self.verdict) = (recorder.steps.located, choices, verdict)
    (log, lastDeviation) = (recorder.log, deviations.list.last)
    positions = Dictionary(steps.enumerated().map { ($1.item.identity, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The items that were ready before the step at this index, in the order in which they became ready.
  package func ready(before step: Int) -> [Ready] {
    let item = steps[step].item
    let choice = steps[step].choices - 1
    let isOwn = choice >= 0 && steps[step].choices > (step == 0 ? 0 : steps[step - 1].choices)
    let items = isOwn ? choices[choice] : [item]
    return zip(items, names(of: items)).map { ready, name in
      Ready(name: name, scheduler: ready.scheduler.label, isChosen: ready.identity == item.identity)
    }
  }

  /// The names of the items that the step at this index overtook.
  package func overtaken(by step: Int) -> [String] {
    guard let deviation = steps[step].deviation else { return [] }
    let items = choices[deviation.choice]
    return zip(items, names(of: items)).prefix(deviation.index).map { "“\($1)” on \($0.scheduler.label)" }
  }

  /// The source lines of the two items whose order the last deviation changes: where a task resumes, or where the
  /// program schedules a closure. Items whose line is unknown are left out.
  package var linesOfLastPair: [SourceLine] {
    guard let lastDeviation, choices.indices.contains(lastDeviation.choice) else { return [] }
    let pair = choices[lastDeviation.choice].prefix(lastDeviation.index + 1).suffix(2)
    return pair.flatMap { item in
      let line = steps.lines(of: [item]).first
      let caller = line == nil ? log.caller(of: item) : []
      return [line ?? CodeSites(caller).firstLine(of: caller)].compactMap(\.self)
    }
  }

  private func names(of items: [ReadyItem]) -> [String] {
    items.distinctNames { item in positions[item.identity].map { steps[$0].name } ?? item.title }
  }
}
