import EventBus
import ScenarioEngine
import ScheduleExplorer
import VirtualTime

/// Lets the user be the scheduler: each choice is shown, with what has run before it, and one line of input answers it.
struct StepSession {
  private let search: ScenarioSearch
  private let output: Output
  /// What the items do, as far as runs have shown it.
  private let names = Locked<[UInt64: String]>([:])

  init(_ search: ScenarioSearch, _ output: Output) {
    self.search = search
    self.output = output
  }

  /// Runs until the user is content, or there is no more input.
  func run() -> ExitCode {
    output.line("A number runs that item, an empty line the first; u undoes, f goes on to the end by itself, q quits.")
    // So that items have names before they have run.
    _ = search.judge(Stepper(following: [], .nothing, names).schedule)
    var choices: [Int] = []
    while true {
      let stepper = Stepper(following: choices, .user(output), names)
      let verdict = search.judge(stepper.schedule)
      stepper.tell()
      let isUndone: Bool
      switch stepper.end {
      case .quit: return .success
      case .undo: isUndone = true
      case .finished:
        let fails = verdict.finding.map { "fails: \($0)" }
        output.line("The run \(fails ?? "passes").")
        output.line("replay: fetcher explore \(search.path) --strategy \(search.strategy) --replay \(stepper.token)")
        isUndone = readLine() == "u"
        if !isUndone { return verdict.finding == nil ? .success : .failed }
      }
      choices = stepper.answered
      if choices.isEmpty { output.line("There is nothing to undo.") } else { choices.removeLast() }
    }
  }
}
