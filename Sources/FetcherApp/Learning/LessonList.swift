import Lessons

/// The table of all lessons.
struct LessonList {
  let folder: LessonFolder
  let progress: LessonProgress

  /// Prints a row for each lesson, by theme.
  func print(to output: Output) throws(CommandFailure) {
    output.line("By theme, and so one leads to the next; each stands alone. X1 to X3 are extras.")
    output.line()
    for theme in LessonTheme.allCases {
      let entries = Curriculum.listed.filter { $0.lesson.theme == theme }
      guard !entries.isEmpty else { continue }
      output.line(output.style(.bold, theme.rawValue))
      for entry in entries {
        let lesson = entry.lesson
        let mark = progress.hasSolved(lesson.id) ? output.style(.green, "✓") : " "
        output.line("\(mark) \(lesson.id)  \(try folder.text(of: lesson).title)")
      }
    }
    let solved = Curriculum.entries.count { progress.hasSolved($0.lesson.id) }
    output.line()
    let count = "\(solved) of \(Curriculum.entries.count) solved."
    guard let next = Curriculum.next(progress) else { return output.line(count) }
    output.line("\(count) \(solved == 0 ? "Begin" : "Go on") with: fetcher lesson start \(next.lesson.id)")
  }
}
