import Foundation
import PlainText

/// Rules that involve several fields of a scenario. Each rule applies if the fields that it reads are valid, even if
/// other fields are not.
package enum ScenarioRules {
  /// The maximum length of a scenario on the real clock, because people wait for the run to end. A recorded session may
  /// last as long as this.
  package static let longestReal = Duration.seconds(60)

  /// All rules.
  static var all: [Rule<Scenario>] {
    [
      Rule("timing", run: validateExploration),
      Rule("program", run: validateModel), Rule("clocks", run: validateLength),
      Rule("clock", "clocks", run: validateClock), Rule("clocks", "origin", run: validateRefusals),
      Rule("clocks", "origin", "steps", run: validateChanges), Rule("images", "origin", "program", run: validateRoutes),
      Rule("images", "origin", "steps", "expect", run: validateLimits), Rule("steps", "program", run: validateViews),
      Rule("expect", run: validatePlaceholders), Rule("expect", run: validateFinals),
      Rule("expect", run: validateCounts), Rule("steps", "program", run: validateSelections),
      Rule("images", "origin", "steps", "expect", "program", run: validateRequests),
    ]
  }

  /// Reports model settings in a scenario whose program has its own model.
  private static func validateModel(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard scenario.program != Scenario.standardProgram else { return }
    for key in ["cache", "onDisappear"] {
      guard let location = root[key]?.range else { continue }
      reading.report(
        .wrongValue, "the program \(quoted(scenario.program)) sets \(quoted(key)) itself", at: location,
        "remove it, or use the program \(quoted(Scenario.standardProgram))")
    }
  }

  private static func validateExploration(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard let explore = root["explore"], scenario.timing == .exact else { return }
    reading.report(
      .exactExploration, "\"exact\" timing leaves almost nothing to explore", at: (root["timing"] ?? explore).range,
      "write \"timing\": {\"slack\": \"100ms\"}, or \"timing\": \"any\"")
  }

  /// Warns about a route that no image uses and no redirect targets.
  private static func validateRoutes(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    // If no step selects an image, the file is intended for the `origin` command and its clients.
    let isRun = scenario.steps.contains { if case .select = $0.action { true } else { false } }
    guard isRun, scenario.program == Scenario.standardProgram else { return }
    let paths = Set(scenario.images.map(\.path))
    let targets = Set(
      scenario.allResponses.compactMap(\.redirect).map { lastPart(of: $0.removingPercentEncoding ?? $0) })
    for route in scenario.origin.routes
    where !paths.contains(route.path) && !targets.contains(lastPart(of: route.path.text)) {
      reading.report(
        .unusedRoute, "no image has the path \(quoted(route.path.text)), so nothing requests this route",
        at: route.location.range,
        Spelling.hint(for: route.path.text, among: scenario.images.map(\.path.text))
          ?? "add an image with this path, or remove the route")
    }
  }

  /// Names a similar view that appears. Either name can be the wrong one. Returns nil if no view is similar.
  static func mistypedView(_ view: String, among appearing: [String]) -> String? {
    // Names that differ only in a number are names of different views.
    let words = { (name: String) in name.filter { !$0.isNumber } }
    return Spelling.hint(for: view, among: appearing).flatMap { _ in Spelling.nearest(to: view, among: appearing) }
      .flatMap { words($0) == words(view) ? nil : $0 }
      .map { "a step makes \(quoted($0)) appear; one of the two names is probably a typo" }
  }

  /// If other views appear, warns about a view that is named in steps but never appears.
  private static func validateViews(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard scenario.program == Scenario.standardProgram else { return }
    var known = Set(scenario.steps.compactMap(\.action.appearing))
    let seen = known.sorted()
    guard !seen.isEmpty else { return }
    for step in scenario.steps {
      // The name with an index that nothing replaces is reported elsewhere.
      guard let view = step.action.view, UnknownIndex.index(in: view) == nil, known.insert(view).inserted else {
        continue
      }
      let typo = mistypedView(view, among: seen)
      reading.report(
        typo == nil ? .unseenView : .wrongValue, "the view \(quoted(view)) never appears, so it never shows anything",
        at: step.range, typo ?? "add an \"appear\" step for it, or write \(quoted(seen[0]))")
    }
  }

  /// Warns about a selection in a view that has disappeared and does not appear again.
  private static func validateSelections(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard scenario.program == Scenario.standardProgram else { return }
    var gone: [String: [Scenario.Step]] = [:]
    for step in scenario.steps {
      switch step.action {
      case .appear(let view): gone[view] = nil
      case .disappear(let view): gone[view] = []
      case .select(_, let view): gone[view]?.append(step)
      default: break
      }
    }
    for (view, steps) in gone {
      for step in steps {
        reading.report(
          .unseenView, "the view \(quoted(view)) has disappeared before this step, so it shows nothing", at: step.range,
          "select before the step \"disappear\", or let the view appear again")
      }
    }
  }

  /// Reports a state of `final` that differs from an earlier one.
  private static func validateFinals(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    var known: [String: (value: String, range: Range<Int>)] = [:]
    for node in root["expect"]?.elements ?? [] {
      guard case .object(let object)? = node["final"]?.content else { continue }
      for member in object.members {
        let value = if case .null = member.value.content { quoted("nothing") } else { member.value.spelled }
        guard let earlier = known[member.key] else {
          known[member.key] = (value, member.keyRange)
          continue
        }
        guard earlier.value != value else { continue }
        reportContradiction(
          "\(quoted(member.key)) is \(earlier.value) there, and \(value) here", earlier.range, at: member.keyRange,
          &reading)
      }
    }
  }

  /// The largest number of patterns to compare with each other, because the time grows with its square.
  private static let mostCompared = 200

  /// Reports an expectation that needs more events than an earlier one allows, or the reverse.
  private static func validateCounts(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    var known: [(pattern: EventPattern, range: ClosedRange<Int>, place: Range<Int>)] = []
    for (expectation, node) in zip(scenario.expectations, root["expect"]?.elements ?? []) {
      guard case .object(let object) = node.content,
        let place = object.members.first(where: { $0.key != "why" })?.keyRange
      else { continue }
      for (pattern, range) in expectation.kind.counts {
        guard known.count < mostCompared else { return }
        let other = known.first { one in
          pattern.implies(one.pattern) && range.lowerBound > one.range.upperBound
            || one.pattern.implies(pattern) && one.range.lowerBound > range.upperBound
        }
        if let other {
          let (low, high) = (
            max(range.lowerBound, other.range.lowerBound), min(range.upperBound, other.range.upperBound)
          )
          reportContradiction(
            "one needs at least \(low) \(pattern.summary), the other allows at most \(high)", other.place, at: place,
            &reading)
          break
        }
        known.append((pattern, range, place))
      }
    }
  }

  private static func reportContradiction(
    _ what: String, _ earlier: Range<Int>, at place: Range<Int>, _ reading: inout Reading
  ) {
    let line = reading.line(of: earlier)
    reading.report(
      .pointlessExpectation, "an expectation that contradicts the one in line \(line): \(what)", at: place,
      "remove one of them")
  }

  /// Warns about an expectation that waits for a view to draw an image, but also holds if the view draws only the
  /// placeholder.
  private static func validatePlaceholders(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard let nodes = root["expect"]?.elements else { return }
    for (expectation, node) in zip(scenario.expectations, nodes) {
      switch expectation.kind {
      case .within(let pattern, let start, _):
        if case .event(let start) = start, start.provesPicture(of: pattern.values[.image]) { continue }
        reportPlaceholder(pattern, node["within"], &reading)
      // An exact number, or only a maximum, includes every drawing on purpose.
      case .count(let pattern, let range) where range.lowerBound > 0 && range.lowerBound < range.upperBound:
        reportPlaceholder(pattern, node["count"], &reading)
      case .order(let patterns):
        for (pattern, node) in zip(patterns, node["order"]?.elements ?? [])
        where !patterns.contains(where: { $0.provesPicture(of: pattern.values[.image]) }) {
          reportPlaceholder(pattern, node, &reading)
        }
      default: break
      }
    }
  }

  private static func reportPlaceholder(_ pattern: EventPattern, _ node: JSONNode?, _ reading: inout Reading) {
    guard pattern.kind == .uiUpdate, pattern.values[.shown] == nil, let image = pattern.values[.image],
      let location = node?["event"]?.range
    else { return }
    reading.report(
      .placeholderCounts, "drawing the placeholder of \(quoted(image)) also counts as this update", at: location,
      "add \"shown\": \(quoted(image))")
  }

  /// Warns about an expectation that holds in every run because no request of the file has the path or the status of its
  /// pattern.
  private static func validateRequests(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    let responses = scenario.allResponses
    guard scenario.program == Scenario.standardProgram, !responses.contains(where: { $0.redirect != nil }),
      let nodes = root["expect"]?.elements
    else { return }
    let paths = Set(scenario.images.map(\.path))
    // The origin sends these statuses without a response in the file.
    let statuses = Set([200, 206, 304, 404, 416] + responses.map(\.status))
    for (expectation, node) in zip(scenario.expectations, nodes) {
      let (pattern, object): (EventPattern, JSONNode?)
      switch expectation.kind {
      case .never(let never): (pattern, object) = (never, node["never"])
      case .always(let always, _): (pattern, object) = (always, node["always"])
      default: continue
      }
      if let path = pattern.values[.path], [.requestBegin, .requestEnd].contains(pattern.kind),
        !paths.contains(ScenarioPath(path)),
        let place = object?["path"]
      {
        reading.report(
          .emptyPattern, "no image has the path \(quoted(path)), so nothing requests it", at: place.range,
          Names(scenario.images.map(\.path.text)).advice(
            for: path, orElse: "add an image with this path", only: "the only path is"))
      }
      if let text = pattern.values[.status], let status = Int(text), !statuses.contains(status),
        let place = object?["status"]
      {
        reading.report(
          .emptyPattern, "no response of this file has the status \(status)", at: place.range,
          "add a response with it to \"origin\", or remove this")
      }
    }
  }

  private static func lastPart(of path: String) -> Substring {
    path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
  }

  private static func validateLength(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard reading.times.latest + scenario.busyTime > longestReal, scenario.clocks.contains(.real) else { return }
    let location = root["clocks"] ?? root["steps"]?.elements.last?["at"] ?? root
    reading.report(
      .wrongValue, "the run is longer than \(longestReal.spelled), the maximum on the real clock",
      at: location.range.clamped(to: location.range.lowerBound..<location.range.lowerBound + 40),
      "write \"clocks\": [\"virtual\"]")
  }

  private static func validateClock(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard !scenario.clocks.contains(scenario.clock), let location = root["clock"]?.range else { return }
    reading.report(
      .wrongValue, "\"clocks\" leaves out the \(scenario.clock.rawValue) clock", at: location,
      "choose a clock from \"clocks\", or remove this")
  }

  private static func validateLimits(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard let longest = RunLength(scenario).longest, let nodes = root["expect"]?.elements else { return }
    for (expectation, node) in zip(scenario.expectations, nodes) {
      guard case .within(_, _, let limit) = expectation.kind, limit > longest,
        let location = node["within"]?["limit"]?.range
      else { continue }
      reading.report(
        .pointlessExpectation, "an expectation that can never fail: every run is shorter than \(limit.spelled)",
        at: location, "a run takes at most \(longest.spelled)")
    }
  }

  /// Reports a path that refuses only some connections, which is impossible on the real clock. There, a single
  /// path that refuses has a dedicated port without a server, for the entire run. To refuse all paths, the origin stops
  /// listening for some time.
  private static func validateRefusals(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard scenario.clocks.contains(.real) else { return }
    let all = scenario.origin.routes + [fallback(of: scenario)].compactMap(\.self)
    for route in all where route.refusal == nil { report(route, &reading) }
  }

  /// Reports a step that changes whether a path refuses connections, which is impossible on the real clock.
  private static func validateChanges(_ scenario: Scenario, _ root: JSONNode, _ reading: inout Reading) {
    guard scenario.clocks.contains(.real) else { return }
    let fallback = fallback(of: scenario)
    let routes = Dictionary(scenario.origin.routes.map { ($0.path, $0) }) { first, _ in first }
    for step in scenario.steps {
      switch step.action {
      case .originOfAll(let phase?) where phase.refusal == nil: report(phase, isPhase: true, &reading)
      case .origin(let route):
        let before = (routes[route.path] ?? fallback)?.refusal ?? .never
        if route.refusal == nil || route.refusal != before { report(route, &reading) }
      default: break
      }
    }
  }

  private static func fallback(of scenario: Scenario) -> Scenario.Route? {
    scenario.origin.fallback.map { Scenario.Route(responses: [$0]) }
  }

  private static func report(_ route: Scenario.Route, isPhase: Bool = false, _ reading: inout Reading) {
    let location = (route.responses.first { $0.fault == .refuse }?.location ?? route.location).range
    if isPhase {
      reading.report(
        .wrongValue, "on the real clock, the responses for \"all\" paths must refuse either every connection or none",
        at: location, "move the other responses to a separate step, or write \"clocks\": [\"virtual\"]")
    } else {
      reading.report(
        .wrongValue, "on the real clock, a path must refuse connections during the whole run or never", at: location,
        "write \"clocks\": [\"virtual\"]")
    }
  }
}

extension Scenario.Expectation.Kind {
  /// The numbers of events that fulfill the expectation, for each pattern on whose number it depends. Some kinds fail if no
  /// event matches.
  fileprivate var counts: [(EventPattern, ClosedRange<Int>)] {
    switch self {
    case .never(let pattern): [(pattern, 0...0)]
    case .count(let pattern, let range): [(pattern, range)]
    case .nth(let pattern, let number, _): [(pattern, number...Int.max)]
    case .within(let pattern, _, _), .always(let pattern, _), .lane(let pattern, _), .atOnce(let pattern, _):
      [(pattern, 1...Int.max)]
    case .apart(let pattern, _): [(pattern, 2...Int.max)]
    case .order(let patterns): patterns.map { ($0, 1...Int.max) }
    case .final, .outcome, .leaks, .stall: []
    }
  }
}

extension EventPattern {
  /// Whether every event that matches this pattern also matches the other one.
  fileprivate func implies(_ other: EventPattern) -> Bool {
    kind == other.kind && other.values.allSatisfy { values[$0] == $1 }
  }

  /// Whether an event that matches this pattern occurs only if the image has a picture.
  fileprivate func provesPicture(of image: String?) -> Bool {
    switch kind {
    case .uiUpdate: values[.shown] == image
    case .fetchDone, .cacheHit: values[.image] == image
    default: false
    }
  }
}
