@testable import ScenarioEngine
@testable import ScenarioFormat

extension RunRecord {
  /// Creates a record of events at a fixed interval, on main unless a lane is given.
  init(trace events: [(TraceKind, TraceValues)], every interval: Duration = .milliseconds(1)) {
    self.init()
    var log = RequestLog()
    for (kind, given) in events {
      var values = given
      if values[.lane] == nil { values[.lane] = "main" }
      let position = self.events.count
      let path = ScenarioPath(values[.path] ?? "")
      if kind == .requestBegin { _ = log.begin(path, at: position) }
      if kind == .requestEnd { log.end(path, nil, at: position) }
      let time = interval * position
      self.events.append(RunEvent(kind: kind, time: time, values: values))
    }
    requests = log.requests
  }
}
