import BrokenLessons
import CommandLineTool
import FixedLessons
import HalfRepairedLessons
import Lessons
import PlainText
import ScenarioFormat
import ScheduleExplorer

/// All lessons with their variants.
struct Curriculum: Sendable {
  struct Entry: Sendable {
    let broken: LessonPlay
    let fixed: LessonPlay
    /// A tempting but incomplete repair, or nil if the lesson has none.
    let halfRepaired: LessonPlay?

    var lesson: Lesson { broken.lesson }
    /// The failure of the broken variant, which the lesson's token replays.
    var finding: String? { try? broken.replay(lesson.token)?.finding.message }
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

  /// The lessons in the order of the course.
  static let listed: [Entry] = Course.stops.compactMap { entry($0.id) }

  /// Returns the next unsolved lesson after the given one, or before it if there is none. A lesson that builds on unsolved
  /// ones comes after all others. Nil if all lessons are solved.
  static func next(after id: String? = nil, _ progress: LessonProgress) -> Entry? {
    let start = listed.firstIndex { $0.lesson.id == id } ?? 0
    let open = (listed[start...] + listed[..<start]).filter { !progress.hasSolved($0.lesson.id) }
    return open.first { Course.stop($0.lesson.id)?.after.allSatisfy(progress.hasSolved) ?? true } ?? open.first
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
