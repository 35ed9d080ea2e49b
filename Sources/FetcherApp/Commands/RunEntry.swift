import Bytes
import ScenarioEngine
import ScenarioFormat

/// What `run --json` says of one run.
struct RunEntry: Sendable, Encodable {
  let outcome: ScenarioOutcome
  /// How long it took by the clock on the wall; `seconds` of the outcome are those of the clock of the run.
  let wall: Duration
  /// What happened, where that was asked for.
  let events: [RunEvent]?

  private enum CodingKeys: String, CodingKey { case wallSeconds, trace }

  /// One event. Its keys are those of a pattern, and `ms` is its time since the beginning of the run.
  private struct Event: Encodable {
    let event: RunEvent

    func encode(to encoder: any Encoder) throws {
      var fields = Dictionary(
        uniqueKeysWithValues: event.values.map { ($0.rawValue, JSONValue.string($1.withoutCredentials)) })
      fields["event"] = .string(event.kind.rawValue)
      fields["ms"] = .number(event.time / .milliseconds(1))
      try JSONValue.object(fields).encode(to: encoder)
    }
  }

  func encode(to encoder: any Encoder) throws {
    try outcome.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(wall.inSeconds, forKey: .wallSeconds)
    try container.encodeIfPresent(events?.map(Event.init), forKey: .trace)
  }
}
