import PlainText
import ScenarioEngine
import ScenarioFormat

/// Says in a sentence how a run fails: what the user did and which pictures arrived, in order, up to the failure.
enum FailureStory {
  /// The maximum number of events in the sentence. The last ones matter most.
  private static let most = 8

  /// - Parameter outcome: the outcome of the run with these events.
  /// - Returns: nil if nothing that a user notices precedes the failure.
  static func text(_ events: [RunEvent], _ outcome: ScenarioOutcome) -> String? {
    let failing = events.prefix(outcome.failures.first?.step ?? events.count)
    var words = failing.dropLast().compactMap(words)
    if let last = failing.last { words += [drawing(last) ?? self.words(last)].compactMap(\.self) }
    guard words.count > 1 else { return nil }
    let start = words.count > most ? "After other events: " : "In this order: "
    return start + Array(words.suffix(most)).listed(with: "and") + "."
  }

  private static func drawing(_ event: RunEvent) -> String? {
    event.kind == .uiUpdate ? "\(event[.view] ?? "") draws \(event[.shown] ?? "nothing")" : nil
  }

  private static func words(_ event: RunEvent) -> String? {
    let (image, view) = (event[.image] ?? "", event[.view] ?? "")
    return switch event.kind {
    case .viewSelect: "you tap \(image)"
    case .viewTap: "you tap \(event[.text] ?? "")"
    case .viewDeselect, .viewDisappear: "you leave \(view)"
    case .strategySwitch: "you switch to \(event[.strategy] ?? "")"
    case .memoryWarning: "memory runs low"
    case .fetchDone: "the picture of \(image) arrives"
    case .fetchFailed: "the fetch of \(image) fails"
    default: nil
    }
  }
}
