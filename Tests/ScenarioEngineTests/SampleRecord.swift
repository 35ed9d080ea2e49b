@testable import ScenarioEngine
@testable import ScenarioFormat

extension RunRecord {
  /// A record of events on main, each one millisecond after the one before.
  init(trace events: [(TraceKind, [TraceAttribute: String])]) {
    self.init()
    for (kind, values) in events {
      let time = Duration.milliseconds(self.events.count)
      self.events.append(
        RunEvent(kind: kind, time: time, values: values.merging([.lane: "main"]) { own, _ in own }))
    }
  }
}
