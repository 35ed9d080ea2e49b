import CommandLineTool
import EventBus
import PlainText
import ScenarioFormat
import ScheduleExplorer
import VirtualTime

/// A schedule policy that follows a recorded list of choices and then asks the user. It is used by one thread at a
/// time.
final class Stepper: SchedulePolicy {
  /// The source of the choices that follow the recorded ones.
  enum Chooser: Sendable {
    /// No chooser: the remaining items run first in, first out.
    case nothing
    case user(Output)

    fileprivate var output: Output? {
      if case .user(let output) = self { output } else { nil }
    }
  }

  /// The reason why the run ended.
  enum End: Sendable {
    case finished
    case undo
    case quit
  }

  private struct State {
    var chooser: Chooser
    /// The stream to which items are reported, or nil while they are not reported.
    var output: Output?
    var made: [Int] = []
    /// The number of choices that the user made.
    var answered = 0
    var end = End.finished
    /// Whether an item has run that has not been reported yet.
    var hasRun = false
    var log = RunLog()
    /// The item that was chosen but has not run yet.
    var chosen: ReadyItem?
  }

  private let given: [Int]
  private let names: Locked<[UInt64: String]>
  private let state: Locked<State>

  init(following given: [Int], _ chooser: Chooser, _ names: Locked<[UInt64: String]>) {
    self.given = given
    self.names = names
    state = Locked(State(chooser: chooser, output: chooser.output))
  }

  var end: End { state.withLock { $0.end } }
  /// The recorded and entered choices, which an undo can revert.
  var answered: [Int] { state.withLock { Array($0.made.prefix($0.answered)) } }
  /// The run's deviations from first in, first out.
  var deviations: Deviations {
    Deviations(state.withLock { $0.made }.enumerated().filter { $1 > 0 }.map { .init(choice: $0, index: $1) })
  }

  var schedule: Schedule {
    Schedule(policy: self, observer: observer)
  }

  private var observer: RunObserver {
    var observer = RunObserver(
      willRun: { [self] item in
        state.withLock { if $0.chosen?.identity == item.identity { $0.chosen = nil } }
        tell()
        state.withLock { state in
          state.hasRun = true
          state.log.add(item)
        }
      },
      noted: { [state] text in state.withLock { $0.log.note(text) } })
    observer.named = { [state] name, onlyLooks in state.withLock { $0.log.name(name, onlyLooks: onlyLooks) } }
    return observer
  }

  func choose(from ready: ReadySet) -> Int {
    tell()
    let (choice, chooser) = state.withLock { ($0.made.count, $0.chooser) }
    let isGiven = choice < given.count
    let answer: Int?
    if isGiven {
      answer = given[choice]
    } else if case .user(let output) = chooser {
      answer = ask(output, choice, ready)
    } else {
      answer = nil
    }
    return state.withLock { state in
      let index = min(answer ?? 0, ready.count - 1)
      state.made.append(index)
      state.chosen = ready[index]
      if answer != nil { state.answered = state.made.count }
      return index
    }
  }

  /// Asks the user, and returns the choice. Returns nil if the user finishes, undoes or quits the run; the stepper then
  /// asks no further questions.
  private func ask(_ output: Output, _ choice: Int, _ ready: ReadySet) -> Int? {
    let done = state.withLock { $0.log.steps.count { $0.name.hasPrefix("step ") } }
    // A lesson has no steps of a scenario.
    let isScenario = names.withLock { $0.values.contains { $0.hasPrefix("step ") } }
    output.line(
      "choice \(choice), t = \(ready.now.spelled)"
        + (isScenario ? ", \(done.counted("step")) of the scenario done" : ""))
    let names = (0..<ready.count).map { ready[$0] }.distinctNames(name)
    for index in 0..<ready.count {
      let item = ready[index]
      let scheduler = visible(item.scheduler.label)
      if ready.joinsQueue(index) {
        let first = (0..<index).first { ready[$0].scheduler == item.scheduler && !ready.joinsQueue($0) }
        output.line(
          "  \(index)  \(names[index]) arrives at \(scheduler)" + (first.map { ", behind \(names[$0])" } ?? ""))
      } else {
        output.line("  \(index)  \(names[index]) on \(scheduler)")
      }
    }
    while true {
      let line = readLine()
      switch line {
      case nil, "f": return leave(.finished)
      case "u": return leave(.undo)
      case "q": return leave(.quit)
      case "": return 0
      case let text?:
        if let index = Int(text), (0..<ready.count).contains(index) { return index }
        output.line("enter 0 to \(ready.count - 1), u, f or q")
      }
    }
  }

  private func leave(_ end: End) -> Int? {
    state.withLock { state in
      state.end = end
      state.chooser = .nothing
      if case .finished = end { return }
      state.output = nil
    }
    return nil
  }

  private func name(_ item: ReadyItem) -> String {
    visible(names.withLock { $0[item.identity] } ?? item.title)
  }

  /// Reports the previous item. By now, that item has either finished running, or arrived at its scheduler without
  /// running.
  func tell() {
    let (ran, arrived, output) = state.withLock { state in
      defer { (state.hasRun, state.chosen) = (false, nil) }
      return (
        state.hasRun ? state.log.steps.last : nil, state.chosen, state.made.count >= given.count ? state.output : nil
      )
    }
    if let ran {
      // Without notes, the recorded name says more: it has the name of the task.
      names.withLock { names in
        if !ran.notes.isEmpty || names[ran.item.identity] == nil { names[ran.item.identity] = ran.name }
      }
      if !ran.isLook { output?.line("     ran \(name(ran.item))") }
    }
    if let arrived { output?.line("     \(name(arrived)) arrived at \(visible(arrived.scheduler.label))") }
  }
}

/// Lets the user act as the scheduler. For each choice, the session shows the previous item and the ready items, and
/// reads one line of input.
struct StepSession {
  private let judge: (Schedule) -> Verdict
  private let output: Output
  /// The names of the items, learned from earlier runs.
  private let names = Locked<[UInt64: String]>([:])

  /// - Parameter judge: a closure that runs the program once.
  init(_ output: Output, judge: @escaping (Schedule) -> Verdict) {
    self.output = output
    self.judge = judge
  }

  /// Repeats the run until the user accepts the result or the input ends.
  ///
  /// - Parameter report: a closure that prints the result of a completed run.
  /// - Returns: the verdict of the last run, or nil if the user quit.
  func run(report: (Verdict, Deviations) -> Void) -> Verdict? {
    output.line(
      "Enter the number of the item to run, or an empty line for the first; "
        + "u undoes the last choice, f finishes the run, q quits."
    )
    // Run once without the user, so that the items have names before the user chooses.
    let steps = RecordedRun(Deviations(), of: judge).steps
    names.withLock { names in for step in steps { names[step.item.identity] = step.name } }
    var choices: [Int] = []
    while true {
      let stepper = Stepper(following: choices, .user(output), names)
      let verdict = judge(stepper.schedule)
      stepper.tell()
      switch stepper.end {
      case .quit: return nil
      case .undo: break
      case .finished:
        report(verdict, stepper.deviations)
        guard readLine() == "u" else { return verdict }
      }
      choices = stepper.answered
      if choices.isEmpty { output.line("There is no choice to undo.") } else { choices.removeLast() }
    }
  }
}
