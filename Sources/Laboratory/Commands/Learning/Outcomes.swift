import CommandLineTool
import Lessons

/// The outcomes among which a learner chooses before the program runs. One of them is the failure that the search finds.
struct Outcomes {
  /// The last outcome of each lesson.
  static let works = "all checks pass, in every order"
  private static let maximumLength = 200

  let id: String
  let texts: [String]

  init(_ entry: Curriculum.Entry, _ text: LessonText) {
    id = entry.lesson.id
    texts = text.outcomes + [Self.works]
  }

  /// Returns the prediction that an answer stands for: the outcome with this number, or the learner's own words.
  func prediction(_ answer: String) throws(UsageError) -> String {
    let answer = answer.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let misuse = "choose an outcome from 1 to \(texts.count), or write at most \(Self.maximumLength) characters"
    if let number = Int(answer) {
      guard texts.indices.contains(number - 1) else { throw UsageError(misuse) }
      return texts[number - 1]
    }
    guard !answer.isEmpty, answer.count <= Self.maximumLength else { throw UsageError(misuse) }
    return answer
  }

  /// Returns whether the prediction is the failure that was found. Returns nil for the learner's own words, which only
  /// the learner can compare.
  func isRight(_ prediction: String, asFound failure: String?) -> Bool? {
    texts.contains(prediction) ? prediction == (failure ?? Self.works) : nil
  }

  /// Compares a prediction with the single run of the author's test.
  func comparison(_ prediction: String, withRun failure: String?) -> String {
    let said = "You predicted: \(prediction)."
    guard let isRight = isRight(prediction, asFound: failure) else { return "\(said) Compare this with the run." }
    if failure == nil, prediction == Self.works { return "\(said) In this order, they do." }
    return "\(said) \(isRight ? "The run shows this." : "This order does not show it.")"
  }

  /// Compares a prediction with the order that breaks the program.
  func comparison(_ prediction: String, withFailure failure: String?) -> String {
    let said = "You predicted: \(prediction)."
    return switch isRight(prediction, asFound: failure) {
    case nil: "\(said) Compare this with the order above."
    case true?: "✓ \(said) You were right."
    case false?: "\(said) The order above shows something else."
    }
  }
}
