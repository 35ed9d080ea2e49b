import FetcherModel
import PlainText
import ScenarioFormat

/// Finds the reasons why a run does not test its scenario: it did not finish, or it is not repeatable.
struct RunJudge: Sendable {
  let scenario: Scenario
  let record: RunRecord

  /// The problems, each with the index of the step that it concerns, or nil if it concerns the previous step.
  ///
  /// This list omits deadlocks and livelocks, which are violations of an ``Invariant``.
  var violations: [(violation: Violation, step: Int?)] {
    if let violation = bypassed { return [(violation, nil)] }
    var found: [(violation: Violation, step: Int?)] = []
    switch record.termination {
    case .waiting(let step):
      found.append((Violation(subject: name(step), message: missing(step)), step))
    case .fetching:
      let message = "the run went idle before it was complete"
      found.append((Violation(subject: "end", message: message + stillUnderWay), nil))
    case .waitingTooLong(let step):
      let message = "\(missing(step)); \(cutOff)" + stillUnderWay
      found.append((Violation(subject: name(step), message: message), step))
    case .outOfTime(let step):
      found.append((Violation(subject: step.map(name) ?? "end", message: outOfTime(before: step)), step))
    case .endless, .deadlocked, nil: break
    }
    if record.foreignCalls > 0 {
      let message =
        "not deterministic: calls from threads outside the run (\(record.foreignCalls)); schedule all asynchronous"
        + " work on the environment's runtime"
      found.append((Violation(subject: "virtual time", message: message), nil))
    }
    return found
  }

  /// The violation if a strategy did not use the run's network. All other failures of such a run follow from this one.
  var bypassed: Violation? {
    guard let strategy = record.bypassing else { return nil }
    let message =
      "the strategy \(quoted("\(strategy)")) did not use the run's network; send each request through the loader that "
      + "the strategy receives, or run the scenario with --clock real"
    return Violation(subject: "network", message: message)
  }

  /// Describes the event that a step waits for. Only an event after the previous step counts.
  private func missing(_ step: Int) -> String {
    guard case .afterEvent(let pattern, _) = scenario.steps[step].start else {
      return "the awaited event did not happen"
    }
    guard let index = record.events.firstIndex(where: { pattern.matches($0) }) else {
      let retries = pattern.kind == .fetchFailed ? scenario.limits.retries : 0
      return "it waits for \(pattern.summary), which did not happen"
        + (retries > 0 ? "; a fetch that is retried (\"retries\": \(retries)) has not failed" : "")
    }
    var advice =
      "a step waits for an event after the previous step; give this step an \"at\", or move it up, but then the steps "
      + "below it wait as well, even those with an earlier \"at\""
    if step > 0, case .afterEvent(pattern, _) = scenario.steps[step - 1].start {
      advice = "to perform both steps on the same event, write \"after\" with the id of the other step"
    }
    return
      "it waits for \(pattern.summary), which had already happened before the previous step (event \(index + 1) of the "
      + "run) and did not happen again; " + advice
  }

  /// Returns the name of a step in messages. Messages identify a step by its number, and an event by its kind and values.
  private func name(_ step: Int) -> String {
    let places = scenario.steps.map(\.range).filter { !$0.isEmpty }
    let isExpanded = Set(places).count < places.count
    return "step \(step + 1) of the file" + (isExpanded ? ", counting each round of a repetition" : "")
  }

  private var cutOff: String { "the run was cut off after \(record.duration.inMilliseconds) ms" }

  private func outOfTime(before step: Int?) -> String {
    var message = cutOff
    if step != nil { message += ", before this step" }
    return message + stillUnderWay + #"; shorten the scenario, or exclude the real clock with "clocks": ["virtual"]"#
  }

  private var stillUnderWay: String {
    unfinished.isEmpty ? "" : "; still in flight: \(unfinished.joined(separator: ", "))"
  }

  /// The unfinished work: fetches, or requests that no fetch is waiting for anymore.
  private var unfinished: [String] {
    let fetches = record.final.images.filter { $0.value == .fetching }.keys.sorted()
    if !fetches.isEmpty { return fetches.map { "the fetch of \(quoted($0))" } }
    let open = record.events.reduce(into: [ScenarioPath: Int]()) { open, event in
      let path = ScenarioPath(event[.path] ?? "")
      if event.kind == .requestBegin { open[path, default: 0] += 1 }
      if event.kind == .requestEnd { open[path, default: 0] -= 1 }
    }
    return open.filter { $0.value > 0 }.keys.sorted().map { "a request for \(quoted($0.text))" }
  }
}

/// A violation found in a run's record.
struct Violation: Sendable, Equatable {
  /// The name of the violated rule, such as `final detail.shown` or `stale-image`.
  let subject: String
  /// A description of the violation, such as the expected and the actual value.
  let message: String
  /// The position in the trace, counted from zero, or nil if no single event shows the violation.
  var position: Int?

  /// The violation on one line, with its position in the trace.
  func line(_ events: [RunEvent]) -> String {
    guard let position, events.indices.contains(position) else { return "\(subject): \(message)" }
    return "\(subject): \(message) (event \(position + 1), t = \(events[position].time.inMilliseconds) ms)"
  }
}
