import PlainText
package import ScenarioFormat

/// An event of a run.
package struct RunEvent: Sendable, Equatable {
  package let kind: TraceKind
  /// The time since the start of the run.
  package var time: Duration
  /// The attributes of the event.
  package var values: TraceValues = [:]
  /// The number of the turn of main in which the event happened, counted from one. Nil if it happened elsewhere. A turn
  /// is one closure that runs on main.
  package var turn: Int?
  /// The number of the bus subscription, counted from one in the order in which the subscriptions appear. Nil for posts
  /// and for other events. No exported file contains this number.
  package var subscription: Int?

  package subscript(attribute: TraceAttribute) -> String? { values[attribute] }

  /// The event on one line: its kind, followed by its attributes in a fixed order.
  package var summary: String { EventPattern(kind: kind, values: values).summary }

  /// A short description that omits the lane.
  package var caption: String {
    // The image, if any, implies the path.
    var hidden: [TraceAttribute] = values[.image] == nil ? [.lane] : [.lane, .path]
    if kind == .busPost { hidden.append(.subscriber) }
    let parts = TraceAttribute.allCases.filter { !hidden.contains($0) }.compactMap { values[$0].map(visible) }
    return ([kind.rawValue] + parts).joined(separator: " ")
  }

  /// The text for the bus column, such as `ImageFetched B -> detail`.
  package var busCaption: String {
    let subject = [values[.topic], values[.image], values[.text]].compactMap { $0.map(visible) }.joined(separator: " ")
    let subscriber = visible(values[.subscriber] ?? "")
    let location = values[.lane] == TraceLane.workers.rawValue ? " on a worker" : ""
    let text =
      switch kind {
      case .busPost: subject + receivers
      case .busDeliver: "\(subject) delivered to \(subscriber)"
      case .busSubscribe: "\(subscriber) subscribes to \(subject)"
      case .busUnsubscribe: "\(subscriber) unsubscribes from \(subject)"
      case .busDrop: "\(subject) dropped for \(subscriber)"
      case .busDiscard: "\(subject) discarded for \(subscriber)"
      case .busFail: "\(subject): \(subscriber) failed"
      default: caption
      }
    return text + location
  }

  private var receivers: String {
    guard let names = values[.subscriber] else { return "" }
    if names == Scenario.noSubscriber { return " -> no subscriber" }
    return " -> " + names.split(separator: "\n").map { visible(String($0)) }.joined(separator: ", ")
  }
}

extension EventPattern {
  /// Whether the event matches the pattern.
  package func matches(_ event: RunEvent) -> Bool { matches(event.kind, event.values) }
}
