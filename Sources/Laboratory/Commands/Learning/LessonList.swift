import CommandLineTool
import Lessons
import PlainText

/// The course with the learner's position, as a table or as JSON.
struct LessonList {
  private static let width = 80

  let folder: LessonFolder
  let progress: LessonProgress

  private var next: Curriculum.Entry? { Curriculum.next(progress) }
  private func hasSolved(_ stop: Course.Stop) -> Bool { progress.hasSolved(stop.id) }
  private func minutes(_ stops: [Course.Stop]) -> Int { stops.reduce(0) { $0 + $1.minutes } }

  /// Prints one row per lesson, in the order of the course.
  func print(to output: Output) throws(CommandFailure) {
    output.line("A course in \(Course.sittings.count) sittings. ✓ marks a solved lesson, and → the next one.")
    for (index, sitting) in Course.sittings.enumerated() {
      output.line()
      output.line(output.style(.bold, "Sitting \(index + 1), \(sitting.minutes) minutes: \(sitting.title)"))
      output.line("  lesson  time    level   after    title")
      for stop in sitting.stops { try row(stop, to: output) }
    }
    let solved = Course.stops.filter(hasSolved)
    output.line()
    let count =
      "\(solved.count) of \(Course.stops.count) solved, \(minutes(solved)) of \(minutes(Course.stops)) minutes."
    guard let next else { return output.line(count) }
    output.line("\(count) \(solved.isEmpty ? "Begin" : "Go on") with: fetcher lesson start \(next.lesson.id)")
    if solved.isEmpty {
      output.line("If you know queues and locks well, begin with L04, and go on with sitting 3.")
    }
  }

  private func row(_ stop: Course.Stop, to output: Output) throws(CommandFailure) {
    guard let entry = Curriculum.entry(stop.id) else { return }
    let mark = hasSolved(stop) ? output.style(.green, "✓") : next?.lesson.id == stop.id ? "→" : " "
    let facts = [
      stop.id.padded(to: 6), "\(stop.minutes) min".padded(to: 6), stop.level.rawValue.padded(to: 6),
      stop.after.joined(separator: " ").padded(to: 7),
    ].joined(separator: "  ")
    let titles = try folder.text(of: entry.lesson).title.wrapped(to: Self.width - 4 - facts.count)
    output.line("\(mark) \(facts)  \(titles[0])")
    for title in titles.dropFirst() { output.line(String(repeating: " ", count: facts.count + 4) + title) }
  }

  /// Returns the course as JSON. A teacher can collect the progress of a class in this form.
  func json() throws -> String {
    let lessons = try Course.sittings.enumerated().flatMap { index, sitting in
      try sitting.stops.compactMap { stop in
        try Curriculum.entry(stop.id).map { entry in
          JSON.Lesson(
            id: stop.id, title: try folder.text(of: entry.lesson).title, theme: entry.lesson.theme.rawValue,
            sitting: index + 1, minutes: stop.minutes, level: stop.level, after: stop.after, solved: hasSolved(stop),
            hints: progress.hintsTaken(stop.id),
            prediction: try progress.prediction(stop.id).map { text in
              JSON.Prediction(
                text: text,
                isRight: try Outcomes(entry, folder.text(of: entry.lesson)).isRight(text, asFound: entry.finding))
            })
        }
      }
    }
    let solved = Course.stops.filter(hasSolved)
    return try JSONText.of(
      JSON(
        lessons: lessons, solved: solved.count, minutes: minutes(Course.stops), minutesSolved: minutes(solved),
        next: next?.lesson.id))
  }

  private struct JSON: Encodable {
    struct Lesson: Encodable {
      let id, title, theme: String
      let sitting, minutes: Int
      let level: Course.Level
      let after: [String]
      let solved: Bool
      let hints: Int
      let prediction: Prediction?
    }

    struct Prediction: Encodable {
      let text: String
      /// Nil for a prediction in the learner's own words.
      let isRight: Bool?
    }

    let lessons: [Lesson]
    let solved, minutes, minutesSolved: Int
    let next: String?
  }
}
