package import EventBus
package import FetcherModel
package import Foundation
package import ScenarioFormat

/// What a scenario runs: something that is built on a runtime, a network and a recorder, and takes the steps of a user.
///
/// The engine performs the steps that need no program: `publish`, `subscribe`, `unsubscribe`,
/// `origin`, `busy`, `note` and `wait-idle`; and it records what the user does before the program is asked to do it.
@MainActor package protocol Program: AnyObject {
  /// Does what a step of the user says. A step that means nothing to the program is ignored.
  func perform(_ action: Scenario.Action)

  /// Whether nothing is under way that could still change what a user sees.
  var isIdle: Bool { get }

  /// Which of its views are on the screen, by the names that their subscriptions have. Asked for after each step.
  var visible: [String: Bool] { get }

  /// What the views and the images look like.
  var finalState: RunRecord.Final { get }

  /// Releases everything: views disappear, fetches are cancelled, subscriptions end.
  func close()

  /// How many models are alive; none should be after ``close()``.
  var livingModels: Int { get }
}

extension Program {
  package var visible: [String: Bool] { finalState.visible }
}

/// Builds a program.
package typealias MakeProgram = @MainActor @Sendable (ProgramContext) -> any Program

/// What a program is built on.
package struct ProgramContext: Sendable {
  package let scenario: Scenario
  /// The strategy to begin with.
  package fileprivate(set) var strategy: StrategyName
  /// A strategy beside those that ship.
  var ownStrategy: (any FetchStrategy)?
  package let runtime: any Runtime
  package let bus: EventBus
  /// The network, which records each request.
  package let loader: any NetworkLoader
  /// Where the program records what its views show.
  package let recorder: TraceRecorder
  /// The address of the origin: scheme, host and port.
  package let base: String
  /// The address of each image of the scenario, by its id.
  package let addresses: [String: String]
  /// The image whose picture these bytes are; nil for bytes of none. Where they are the picture of several, the second
  /// argument comes first.
  package let owner: @Sendable (_ bytes: Data, _ image: String?) -> String?
  /// Knows which image a request is for.
  let owners: RequestOwners
}

extension ProgramContext {
  /// The same with another strategy to begin with, beside those that ship.
  func with(_ strategy: any FetchStrategy) -> ProgramContext {
    var context = self
    context.ownStrategy = strategy
    context.strategy = strategy.name
    return context
  }

  /// How the program fetches.
  ///
  /// - Parameter strategy: the one to begin with; nil for that of the run.
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

/// Which view has which image selected, looked up from either side.
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
