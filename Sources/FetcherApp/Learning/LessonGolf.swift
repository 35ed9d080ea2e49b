import Lessons
import ScheduleExplorer

/// Lets the learner break the program with as few deviations as possible.
struct LessonGolf {
  private let entry: Curriculum.Entry
  private let output: Output

  init(_ entry: Curriculum.Entry, _ output: Output) {
    self.entry = entry
    self.output = output
  }

  /// Repeats the game until the learner stops or the input ends.
  func play() {
    output.line("Break \(entry.lesson.id). Item 0 is what first in, first out would run; item 2 costs two deviations.")
    if entry.lesson.deviations == 0 {
      output.line(
        "It breaks with no deviation, so that there is little to choose; `fetcher lesson step L06` is a better one to play."
      )
    }
    _ = StepSession(output, judge: entry.broken.judge).run { verdict, deviations in
      guard let finding = verdict.finding else {
        output.line(output.style(.green, "✓ it survives this order"))
        let least = LessonPages.deviations(entry.lesson.deviations)
        output.line("There is one with \(least) that breaks it: u takes the last choice back.")
        return
      }
      output.line(output.style(.red, "✗ \(finding)"))
      output.line(rank(deviations.cost))
      output.line("token: E1.\(deviations)")
    }
  }

  private func rank(_ cost: Int) -> String {
    let least = entry.lesson.deviations
    let found = "You found it with \(LessonPages.deviations(cost)); "
    return found + (cost > least ? "the minimum is \(least). u takes the last choice back." : "that is the minimum.")
  }
}
