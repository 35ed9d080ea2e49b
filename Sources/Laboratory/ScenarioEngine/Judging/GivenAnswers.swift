import ScenarioFormat

/// The responses that the requests of a trace may have received, up to a position in the trace.
///
/// A path sends its responses in order, so only the first ones count: one for each request so far. Once a redirect
/// counts, the responses of its targets count too.
struct GivenAnswers {
  fileprivate struct Path {
    var route: Scenario.Route?
    /// The number of responses that the route may have sent.
    var given = 0
    /// The number of unfinished requests.
    var open = 0
    /// The images in the responses that the route may have sent.
    var images: Set<String> = []
    var leadsOn = false
  }

  private let possible: PossibleAnswers
  private let fallback: Scenario.Route?
  private let pathOfImage: [String: ScenarioPath]
  private let imagesOfPath: [ScenarioPath: [String]]
  private var paths: [ScenarioPath: Path]
  /// The route changes that later steps will make, in order.
  private var changes: [ScenarioPath: ArraySlice<Scenario.Route>]
  /// The responses for all paths that later steps will set, in order.
  private var phases: ArraySlice<Scenario.Route?>
  /// The images in temporary responses for all paths.
  private var everywhere: Set<String> = []
  /// The images in all possible responses of a path's redirect targets.
  private var reached: [ScenarioPath: Set<String>] = [:]

  init(_ scenario: Scenario) {
    possible = PossibleAnswers(scenario)
    fallback = scenario.origin.fallback.map { Scenario.Route(responses: [$0]) }
    pathOfImage = Dictionary(scenario.images.map { ($0.id, $0.path) }) { first, _ in first }
    imagesOfPath = Dictionary(grouping: scenario.images, by: \.path).mapValues { $0.map(\.id) }
    paths = Dictionary(scenario.origin.routes.map { ($0.path, Path(route: $0)) }) { first, _ in first }
    let routes = scenario.steps.compactMap { step in
      if case .origin(let route) = step.action { route } else { nil }
    }
    changes = Dictionary(grouping: routes, by: \.path).mapValues { $0[...] }
    phases = scenario.allPhases[...]
  }

  func path(of image: String) -> ScenarioPath? { pathOfImage[image] }

  /// Processes the next event.
  mutating func take(_ event: RunEvent) {
    let name = ScenarioPath(event[.path] ?? "")
    switch event.kind {
    case .requestBegin:
      change(name) { path in
        path.open += 1
        path.give(1)
      }
    case .requestEnd:
      change(name) { $0.open -= 1 }
    case .originChange where event[.path] == nil:
      for response in phases.popFirst()??.responses ?? [] {
        if case .image(let id) = response.body { everywhere.insert(id) }
      }
    case .originChange:
      let route = changes[name]?.popFirst()
      change(name) { path in
        path.route = route
        path.given = 0
        // Unfinished requests may reach the origin before or after the change.
        path.give(path.open)
      }
    default: break
    }
  }

  private mutating func change(_ name: ScenarioPath, _ change: (inout Path) -> Void) {
    change(&paths[name, default: Path(route: fallback)])
  }

  /// Whether an image is allowed to show this picture.
  mutating func may(_ image: String, show shown: String) -> Bool {
    guard let path = pathOfImage[image] else { return false }
    if pathOfImage[shown] == path || everywhere.contains(shown) || paths[path]?.images.contains(shown) == true {
      return true
    }
    return paths[path]?.leadsOn == true && images(behind: path).contains(shown)
  }

  private mutating func images(behind path: ScenarioPath) -> Set<String> {
    if let known = reached[path] { return known }
    let targets = possible.targets(of: [path])
    let bodies = targets.flatMap(possible.at).compactMap { if case .image(let id) = $0.body { id } else { nil } }
    let found = Set(bodies + targets.flatMap { imagesOfPath[$0] ?? [] })
    reached[path] = found
    return found
  }
}

extension GivenAnswers.Path {
  /// Records that the route may have sent `count` more responses.
  fileprivate mutating func give(_ count: Int) {
    guard let route else { return }
    for number in given..<given + max(0, count) {
      for response in [route.response(number)] + route.responses.filter({ !$0.condition.isEmpty }) {
        if case .image(let id) = response.body { images.insert(id) }
        if response.redirect != nil { leadsOn = true }
      }
    }
    given += max(0, count)
  }
}
