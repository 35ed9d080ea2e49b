import ScenarioFormat

extension Scenario.Action {
  /// The path of an origin step, or nil if the step changes all responses.
  var originPath: String? { if case .origin(let route) = self { route.path.text } else { nil } }

  /// The text of an origin step's row, and a sentence that says how the step changes the responses and what follows. Nil
  /// for other steps.
  ///
  /// - Parameters:
  ///   - subject: the image or the address whose responses change.
  ///   - scripted: the responses of the address in the program's scenario.
  func originWords(about subject: String, scripted: [Scenario.Response]? = nil) -> (row: String, sentence: String)? {
    let again = "Select a failed picture to fetch it again."
    let route: Scenario.Route
    switch self {
    case .origin(let changed): route = changed
    case .originOfAll(let changed):
      guard let changed else {
        return ("the fault of every address ends", "The fault of every address has ended. \(again)")
      }
      route = changed
    default: return nil
    }
    guard let first = route.responses.first, let failure = first.failure,
      scripted?.map(\.failure) != route.responses.map(\.failure)
    else { return ("\(subject) responds as scripted", "The origin responds as scripted again. \(again)") }
    guard route.responses.count > 1 else {
      let row = "From now on, \(subject) gets \(failure)"
      let end = first.fault == .refuse ? "the origin is back online" : "you repair the network"
      return (row, "\(row). A fetch fails until \(end).")
    }
    let row = "The next response to \(subject) is \(failure), and those after it are as scripted"
    return (row, "\(row). So one fetch of \(subject) fails.")
  }
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
