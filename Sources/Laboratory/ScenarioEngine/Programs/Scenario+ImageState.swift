import FetcherModel
import ScenarioFormat

extension Scenario.ImageStateName {
  /// The name of a state.
  init(_ state: ImageState) {
    self =
      switch state {
      case .idle: .idle
      case .fetching: .fetching
      case .loaded: .loaded
      case .failed: .failed
      }
  }
}
