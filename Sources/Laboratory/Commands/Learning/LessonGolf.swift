import CommandLineTool
import Lessons
import ScheduleExplorer

/// A game in which the learner tries to break the program with as few deviations as possible.
struct LessonGolf {
  private let entry: Curriculum.Entry
  private let output: Output

  init(_ entry: Curriculum.Entry, _ output: Output) {
    self.entry = entry
    self.output = output
  }

  /// Repeats the game until the learner stops or the input ends.
  func play() {
    output.line(
      "Break \(entry.lesson.id). Item 0 is next in first-in, first-out order; choosing item 2 costs two deviations.")
    if entry.lesson.deviations == 0 {
      output.line(
        "This program breaks in first-in, first-out order with this input, so there is little to find. `fetcher lesson step L06` offers more."
      )
    }
    _ = StepSession(output, judge: entry.broken.judge).run { verdict, deviations in
      guard let finding = verdict.finding else {
        output.line(output.style(.green, "✓ the program passes in this order"))
        let least = LessonPages.deviations(entry.lesson.deviations)
        output.line("An order with \(least) breaks the program; u undoes the last choice.")
        return
      }
      output.line(output.style(.red, "✗ \(finding)"))
      output.line(rank(deviations.cost))
    }
  }

  private func rank(_ cost: Int) -> String {
    let least = entry.lesson.deviations
    let found = "You found it with \(LessonPages.deviations(cost)); "
    return found + (cost > least ? "the minimum is \(least). u undoes the last choice." : "that is the minimum.")
  }
}
