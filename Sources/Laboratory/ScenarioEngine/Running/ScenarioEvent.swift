import EventBus

/// An event that a step of a scenario publishes.
struct ScenarioEvent: KeyedEvent {
  let topic: String
  var key: String { topic }
}
