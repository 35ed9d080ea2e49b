package import EventBus
package import FetcherModel
package import Foundation
package import ScenarioFormat

/// The code that a scenario runs. A program is built on a runtime, a network and a recorder, and performs a user's
/// steps.
///
/// The engine performs the steps that do not need a program: `publish`, `subscribe`, `unsubscribe`, `origin`, `busy`,
/// `note` and `wait-idle`. The engine records the user's steps before the program performs them.
@MainActor package protocol Program: AnyObject {
  /// Performs a user's step, or ignores a step that does not apply.
  func perform(_ action: Scenario.Action)

  /// Whether no work in flight can still change the visible content.
  var isIdle: Bool { get }

  /// Whether each view is visible, keyed by the name of its subscription. The engine reads this property after each
  /// step.
  var visible: [String: Bool] { get }

  /// The content of each view, for a client that draws the program.
  var screens: [ProgramScreen] { get }

  /// The final state of the views and the images.
  var finalState: RunRecord.Final { get }

  /// Releases everything: views disappear, fetches are cancelled, and subscriptions end.
  func close()

  /// The number of models that still exist. The number must be zero after ``close()``.
  var livingModels: Int { get }
}

extension Program {
  package var visible: [String: Bool] { finalState.visible }
  package var screens: [ProgramScreen] { [] }
}

/// A closure that builds a program.
package typealias MakeProgram = @MainActor @Sendable (ProgramContext) -> any Program

/// The dependencies of a program.
package struct ProgramContext: Sendable {
  package let scenario: Scenario
  /// The strategy with which the program starts.
  package fileprivate(set) var strategy: StrategyName
  /// An additional strategy that does not ship with the library, or nil.
  var ownStrategy: (any FetchStrategy)?
  package let runtime: any Runtime
  package let bus: EventBus
  /// The network, which records each request.
  package let loader: any NetworkLoader
  /// The recorder of the visible content.
  package let recorder: TraceRecorder
  /// The origin's address: scheme, host and port.
  package let base: String
  /// The address of each of the scenario's images, keyed by the image's id.
  package let addresses: [String: String]
  /// Returns the image whose picture consists of these bytes, or nil. If several images have this picture, the second
  /// argument is the preferred one.
  package let owner: @Sendable (_ bytes: Data, _ image: String?) -> String?
  /// Maps each request to its image.
  let owners: RequestOwners
  /// Observes whether strategies use the run's network, or nil on the real clock.
  let networkUse: NetworkUse?
}

extension ProgramContext {
  /// Returns a copy that starts with the given strategy, which is added to the shipped strategies.
  func with(_ strategy: any FetchStrategy) -> ProgramContext {
    var context = self
    context.ownStrategy = strategy
    context.strategy = strategy.name
    return context
  }

  /// The environment of all fetches.
  ///
  /// - Parameter strategy: the initial strategy, or nil for the run's strategy.
  func environment(
    _ strategy: StrategyName? = nil, policy: TransportPolicy = TransportPolicy(), limits: FetchLimits = FetchLimits(),
    cache: ImageCache? = nil
  ) -> FetchEnvironment {
    let observe = { networkUse?.watching($0, on: runtime) ?? $0 }
    let environment = FetchEnvironment(
      runtime: runtime, bus: bus, loader: loader, policy: policy, limits: limits,
      maximumInFlight: scenario.limits.inFlight, cache: cache)
    LaboratoryStrategies.register(in: environment, observe: observe)
    if let ownStrategy { environment.register(observe(ownStrategy)) }
    let name = strategy ?? self.strategy
    do { try environment.select(name) } catch { fatalError("Internal inconsistency: no strategy \(name)") }
    return environment
  }
}

/// The selected image of each view, with lookup in both directions.
struct Selections {
  private var images: [String: String] = [:]
  private var views: [String: Set<String>] = [:]

  /// The image that is selected in a view.
  subscript(view: String) -> String? {
    get { images[view] }
    set {
      if let old = images.removeValue(forKey: view) { views[old]?.remove(view) }
      guard let newValue else { return }
      images[view] = newValue
      views[newValue, default: []].insert(view)
    }
  }

  /// Clears the selection of each view that shows this image, and returns these views.
  mutating func removeImage(_ image: String) -> Set<String> {
    let cleared = views.removeValue(forKey: image) ?? []
    for view in cleared { images[view] = nil }
    return cleared
  }
}

extension Scenario.ImageStateName {
  /// Creates the name that scenarios use for an image's state.
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
