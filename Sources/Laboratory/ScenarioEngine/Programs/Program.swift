package import EventBus
package import FetcherModel
package import Foundation
package import ScenarioFormat

/// The subject of a scenario: it is built on a runtime, a network and a recorder, and performs the steps of a user.
///
/// The engine performs the steps that need no program: `publish`, `subscribe`, `unsubscribe`, `origin`, `busy`, `note`
/// and `wait-idle`. It records the user's steps before the program performs them.
@MainActor package protocol Program: AnyObject {
  /// Performs a step of the user. Ignores a step that does not apply.
  func perform(_ action: Scenario.Action)

  /// Whether no work is in flight that can still change the visible content.
  var isIdle: Bool { get }

  /// The visible views by the names of their subscriptions. Read after each step.
  var visible: [String: Bool] { get }

  /// The state of the views and the images.
  var finalState: RunRecord.Final { get }

  /// Releases everything: views disappear, fetches are cancelled, subscriptions end.
  func close()

  /// The number of existing models, which must be zero after ``close()``.
  var livingModels: Int { get }
}

extension Program {
  package var visible: [String: Bool] { finalState.visible }
}

/// Builds a program.
package typealias MakeProgram = @MainActor @Sendable (ProgramContext) -> any Program

/// The dependencies of a program.
package struct ProgramContext: Sendable {
  package let scenario: Scenario
  /// The initial strategy.
  package fileprivate(set) var strategy: StrategyName
  /// An additional strategy, or nil.
  var ownStrategy: (any FetchStrategy)?
  package let runtime: any Runtime
  package let bus: EventBus
  /// The network, which records each request.
  package let loader: any NetworkLoader
  /// The recorder of visible content.
  package let recorder: TraceRecorder
  /// The address of the origin: scheme, host and port.
  package let base: String
  /// The address of each image of the scenario, by its id.
  package let addresses: [String: String]
  /// The image whose picture has these bytes, or nil. If several images have this picture, the second argument is the
  /// preferred one.
  package let owner: @Sendable (_ bytes: Data, _ image: String?) -> String?
  /// Maps each request to its image.
  let owners: RequestOwners
}

extension ProgramContext {
  /// The same dependencies with another initial strategy, in addition to those that ship.
  func with(_ strategy: any FetchStrategy) -> ProgramContext {
    var context = self
    context.ownStrategy = strategy
    context.strategy = strategy.name
    return context
  }

  /// The environment of all fetches.
  ///
  /// - Parameter strategy: the initial strategy, or nil for that of the run.
  func environment(
    _ strategy: StrategyName? = nil, policy: TransportPolicy = TransportPolicy(), limits: FetchLimits = FetchLimits(),
    cache: ImageCache? = nil
  ) -> FetchEnvironment {
    let environment = FetchEnvironment(
      runtime: runtime, bus: bus, loader: loader, policy: policy, limits: limits, cache: cache)
    environment.postsAllProgress = true
    if let ownStrategy { environment.register(ownStrategy) }
    let name = strategy ?? self.strategy
    do { try environment.select(strategy: name) } catch {
      fatalError("Internal inconsistency: no strategy \(name)")
    }
    return environment
  }
}

/// The selected image of each view, with lookup in both directions.
struct Selections {
  private var images: [String: String] = [:]
  private var views: [String: Set<String>] = [:]

  /// The image selected in a view.
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
