import ScenarioFormat

/// How much of what events begin and other events end is under way, while a trace is read from its beginning.
struct OpenTally {
  /// By image, view or path: what tells one beginning from another.
  private var open: [String: Int] = [:]
  private var count = 0

  /// Takes the next event in.
  ///
  /// - Returns: how much of what the pattern's events begin is under way.
  mutating func take(_ event: RunEvent, _ pattern: EventPattern) -> Int {
    let subject = event[.view] ?? event[.path] ?? event[.image] ?? ""
    if pattern.matches(event) {
      open[subject, default: 0] += 1
      count += 1
    } else if pattern.kind.ends.contains(event.kind) {
      close(subject, 1)
    } else if event.kind == .modelDrop, pattern.kind == .fetchStart {
      // An image that nobody holds reports no end.
      close(subject, open[subject] ?? 0)
    }
    return count
  }

  private mutating func close(_ subject: String, _ ended: Int) {
    let ended = min(ended, open[subject] ?? 0)
    open[subject, default: 0] -= ended
    count -= ended
  }
}
