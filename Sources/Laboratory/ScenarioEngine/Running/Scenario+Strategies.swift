package import ScenarioFormat

extension Scenario {
  /// The strategy of a run that names none.
  package static let standardStrategy = "dataTask"

  /// The strategies of a run that asks for no others.
  package var plannedStrategies: [String] { strategies.isEmpty ? [Self.standardStrategy] : strategies }
}
