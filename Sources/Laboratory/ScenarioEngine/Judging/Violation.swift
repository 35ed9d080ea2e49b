/// Something that should not be, found in the record of a run.
struct Violation: Sendable, Equatable {
  /// What should be: `final detail.shown`, `stale-image`.
  let subject: String
  /// What is.
  let message: String
  /// Where in the trace, counted from zero; nil where no single event shows it.
  var position: Int?

  /// As one line, with the position in the trace.
  func line(_ events: [RunEvent]) -> String {
    guard let position, events.indices.contains(position) else { return "\(subject): \(message)" }
    return "\(subject): \(message) (event \(position + 1), t = \(events[position].time.inMilliseconds) ms)"
  }
}
