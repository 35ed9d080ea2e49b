import BrokenLessons
import FixedLessons
import HalfRepairedLessons
import Lessons

/// All lessons, each with its variants.
struct Curriculum: Sendable {
  /// One lesson.
  struct Entry: Sendable {
    let broken: LessonPlay
    let fixed: LessonPlay
    /// With the tempting repair that does not hold; nil where the lesson warns of none.
    let halfRepaired: LessonPlay?

    var lesson: Lesson { broken.lesson }
  }

  /// In the order of their numbers.
  static let entries: [Entry] = brokenLessons.map { broken in
    guard let fixed = fixedLessons.first(where: { $0.lesson.id == broken.lesson.id }) else {
      fatalError("Internal inconsistency: \(broken.lesson.id) has no repair")
    }
    return Entry(
      broken: broken, fixed: fixed,
      halfRepaired: halfRepairedLessons.first { $0.lesson.id == broken.lesson.id })
  }.sorted { $0.lesson.id < $1.lesson.id }

  /// The lesson of that name, such as `L03` or `l03`; nil for any other word.
  static func entry(_ name: String) -> Entry? { entries.first { $0.lesson.id == name.uppercased() } }
}
