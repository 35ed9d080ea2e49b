/// The lessons that a user has solved, the number of hints shown so far, and the predictions.
struct LessonProgress: Codable, Sendable, Equatable {
  private var solved: Set<String> = []
  private var hints: [String: Int] = [:]
  /// Nil without predictions, so that the progress of earlier versions can be read.
  private var predictions: [String: String]?

  var solvedCount: Int { solved.count }

  /// The lesson with a negative number of hints, if there is one. Such progress is invalid.
  var invalidLesson: String? { hints.keys.sorted().first { hints[$0, default: 0] < 0 } }

  func hasSolved(_ id: String) -> Bool { solved.contains(id) }

  func hintsTaken(_ id: String) -> Int { hints[id, default: 0] }

  func prediction(_ id: String) -> String? { predictions?[id] }

  /// Records what the user expects of the lesson's program.
  mutating func predict(_ id: String, _ prediction: String) {
    predictions = (predictions ?? [:]).merging([id: prediction]) { $1 }
  }

  /// Records that the lesson is solved.
  mutating func solve(_ id: String) { solved.insert(id) }

  /// Records that another hint was shown, unless all `count` hints were.
  ///
  /// - Returns: the number of hints that had been shown.
  mutating func takeHint(_ id: String, of count: Int) -> Int {
    let shown = hints[id, default: 0]
    if shown < count { hints[id] = shown + 1 }
    return shown
  }

  /// Resets one lesson, or all lessons.
  mutating func forget(_ id: String?) {
    guard let id else { return self = LessonProgress() }
    solved.remove(id)
    hints[id] = nil
    predictions?[id] = nil
  }
}
