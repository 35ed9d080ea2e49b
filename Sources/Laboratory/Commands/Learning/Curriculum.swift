import BrokenLessons
import CommandLineTool
import FixedLessons
import HalfRepairedLessons
import Lessons
import PlainText
import ScenarioFormat

/// All lessons with their variants.
struct Curriculum: Sendable {
  struct Entry: Sendable {
    let broken: LessonPlay
    let fixed: LessonPlay
    /// A tempting but incomplete repair, or nil if the lesson has none.
    let halfRepaired: LessonPlay?

    var lesson: Lesson { broken.lesson }
  }

  /// The lessons in numerical order.
  static let entries: [Entry] = brokenLessons.map { broken in
    guard let fixed = fixedLessons.first(where: { $0.lesson.id == broken.lesson.id }) else {
      fatalError("Internal inconsistency: \(broken.lesson.id) has no repair")
    }
    return Entry(
      broken: broken, fixed: fixed,
      halfRepaired: halfRepairedLessons.first { $0.lesson.id == broken.lesson.id })
  }.sorted { $0.lesson.id < $1.lesson.id }

  /// The names of the lessons, such as `L03`, in numerical order.
  static let ids = entries.map(\.lesson.id)

  /// The lessons in display order, grouped by theme.
  static let listed: [Entry] = LessonTheme.allCases.flatMap { theme in entries.filter { $0.lesson.theme == theme } }

  /// Returns the next unsolved lesson after the given one. If there is none, it returns the first unsolved lesson, or
  /// nil if all lessons are solved.
  static func next(after id: String? = nil, _ progress: LessonProgress) -> Entry? {
    let start = listed.firstIndex { $0.lesson.id == id } ?? 0
    return (listed[start...] + listed[..<start]).first { !progress.hasSolved($0.lesson.id) }
  }

  /// Returns the lesson with this name, such as `L03` or `l03`, or nil if there is none.
  static func entry(_ name: String) -> Entry? { entries.first { $0.lesson.id == name.uppercased() } }

  /// Returns the error for an unknown lesson. For `3` or `L3`, the message suggests `L03`.
  static func unknown(_ name: String) -> UsageError {
    let number = Int(name.drop { $0 == "L" || $0 == "l" }).flatMap { number in
      entries.first { $0.lesson.id.dropFirst().drop { $0 == "0" } == "\(number)" }
    }
    if let number { return UsageError("unknown lesson \"\(name)\"; \(Spelling.question(number.lesson.id))") }
    return UsageError("unknown lesson \"\(name)\"; choose from \(ids.joined(separator: ", "))")
  }
}

/// The table of all lessons.
struct LessonList {
  let folder: LessonFolder
  let progress: LessonProgress

  /// Prints one row per lesson, grouped by theme.
  func print(to output: Output) throws(CommandFailure) {
    output.line(
      "Lessons are grouped by theme. Each leads to the next, but you can take them in any order. X2 and X3 are extras."
    )
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
