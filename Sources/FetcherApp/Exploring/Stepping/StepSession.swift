import EventBus
import ScheduleExplorer
import VirtualTime

/// Lets the user be the scheduler: each choice is shown, with what has run before it, and one line of input answers it.
struct StepSession {
  private let judge: (Schedule) -> Verdict
  private let output: Output
  /// What the items do, as far as runs have shown it.
  private let names = Locked<[UInt64: String]>([:])

  /// - Parameter judge: runs the program once.
  init(_ output: Output, judge: @escaping (Schedule) -> Verdict) {
    self.output = output
    self.judge = judge
  }

  /// Runs until the user is content, or there is no more input.
  ///
  /// - Parameter report: prints what there is to say of a run that came to its end.
  /// - Returns: what the last run showed; nil where the user left in the middle.
  func run(report: (Verdict, Deviations) -> Void) -> Verdict? {
    output.line("A number runs that item, an empty line the first; u undoes, f goes on to the end by itself, q quits.")
    // So that items have names before they have run.
    _ = judge(Stepper(following: [], .nothing, names).schedule)
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
      if choices.isEmpty { output.line("There is nothing to undo.") } else { choices.removeLast() }
    }
  }
}
