import Lessons

/// The table of all lessons.
struct LessonList {
  let folder: LessonFolder
  let progress: LessonProgress

  /// Prints a row for each lesson, by theme.
  func print(to output: Output) throws(CommandFailure) {
    for theme in LessonTheme.allCases {
      let entries = Curriculum.entries.filter { $0.lesson.theme == theme }
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
    output.line("\(solved) of \(Curriculum.entries.count) solved. Begin with: fetcher lesson start L03")
  }
}
