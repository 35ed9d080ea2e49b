/// Where something happens.
package enum TraceLane: String, Sendable, CaseIterable {
  /// The hand of the user: the steps of a scenario.
  case user
  case main
  case workers
  case origin
}
