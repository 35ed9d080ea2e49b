import ScenarioFormat

extension Scenario.Action {
  /// The path of an origin step, or nil if the step changes all responses.
  var originPath: String? { if case .origin(let route) = self { route.path.text } else { nil } }

  /// A sentence that says how an origin step changes the responses, and what follows. Nil for other steps.
  ///
  /// - Parameters:
  ///   - subject: the image or the address whose responses change.
  ///   - scripted: the responses of the address in the program's scenario.
  func originSentence(about subject: String, scripted: [Scenario.Response]? = nil) -> String? {
    let route: Scenario.Route
    switch self {
    case .origin(let changed): route = changed
    case .originOfAll(let changed):
      guard let changed else { return Self.restored }
      route = changed
    default: return nil
    }
    guard let first = route.responses.first, let failure = first.failure,
      scripted?.map(\.failure) != route.responses.map(\.failure)
    else { return Self.repaired }
    guard route.responses.count > 1 else {
      let end = first.fault == .refuse ? "the origin is back online" : "you repair the network"
      return "From now on, \(subject) gets \(failure). A fetch fails until \(end)."
    }
    return
      "The next response to \(subject) is \(failure), and those after it are as scripted. So one fetch of \(subject) fails."
  }

  /// The text of the event of an origin step, for the timeline.
  func originWords(about subject: String, scripted: [Scenario.Response]?) -> String? {
    guard let sentence = originSentence(about: subject, scripted: scripted) else { return nil }
    switch sentence {
    case Self.restored: return "the fault of every address ends"
    case Self.repaired: return "\(subject) responds as scripted"
    default: return sentence.split(separator: ". ").first.map(String.init)
    }
  }

  private static let restored = "The fault of every address has ended. Select a failed picture to fetch it again."
  private static let repaired = "The origin responds as scripted again. Select a failed picture to fetch it again."
}

extension Scenario.Response {
  /// What fails, or nil for a response that does not fail.
  fileprivate var failure: String? {
    switch fault {
    case nil: status >= 400 ? "a \(status)" : nil
    case .refuse: "no connection, because the origin is offline"
    case .reset: "a connection that breaks off"
    case .stall: "a response that stops in the middle, and the fetch waits for its deadline"
    case .truncate: "a response that ends too early"
    case .slowClose: nil
    case let fault?: "a response with the fault \(fault.rawValue)"
    }
  }
}
