import ScenarioFormat

/// The possible answers to the requests of a trace, up to a position in it.
///
/// The answers of a path come in order. So only the first ones count, one for each request so far. The answers behind a
/// redirect count as soon as the redirect does.
struct GivenAnswers {
  fileprivate struct Path {
    var route: Scenario.Route?
    /// The number of answers that the route may have sent.
    var given = 0
    /// The number of unfinished requests.
    var open = 0
    /// The images that these answers contain.
    var images: Set<String> = []
    var leadsOn = false
  }

  private let possible: PossibleAnswers
  private let fallback: Scenario.Route?
  private let pathOfImage: [String: ScenarioPath]
  private let imagesOfPath: [ScenarioPath: [String]]
  private var paths: [ScenarioPath: Path]
  /// The route changes that steps have yet to make, in order.
  private var changes: [ScenarioPath: ArraySlice<Scenario.Route>]
  /// The answers that steps have yet to set for all paths, in order.
  private var phases: ArraySlice<Scenario.Route?>
  /// The images in temporary answers for all paths.
  private var everywhere: Set<String> = []
  /// The images in all possible answers behind a path's redirects.
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
        // The unfinished requests may arrive before or after the change.
        path.give(path.open)
      }
    default: break
    }
  }

  private mutating func change(_ name: ScenarioPath, _ change: (inout Path) -> Void) {
    change(&paths[name, default: Path(route: fallback)])
  }

  /// Whether an image may show this picture.
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
  /// Records that the route may have sent this many more answers.
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
