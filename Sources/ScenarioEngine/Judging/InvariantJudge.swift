import FetcherModel
import ScenarioFormat

/// Finds what must never be, whatever the scenario, in the record of a run.
///
/// It does not look for ``Invariant/reentrantState``. There is no record of it: a `Confined` value that is entered again while
/// it is being changed ends the program, as nobody could hand out the half-changed value a second time.
struct InvariantJudge: Sendable {
  private struct Request {
    var open = 0
    /// Whether somebody waits for the last of them; else a further request may begin before it ends.
    var isWanted = false
  }

  private let scenario: Scenario
  private let record: RunRecord
  private let answers: PossibleAnswers
  private var found: [Invariant: Violation] = [:]
  private var visible: Set<String> = []
  private var selected: [String: String] = [:]
  private var fetching: Set<String> = []
  private var cancelled: Set<String> = []
  private var listening: Set<String> = []
  private var requests: [ScenarioPath: Request] = [:]

  /// Everything that is wrong: at most one violation of each invariant, in the order of ``Invariant``.
  static func violations(of scenario: Scenario, in record: RunRecord) -> [Violation] {
    var judge = InvariantJudge(scenario: scenario, record: record)
    for (position, event) in record.events.enumerated() { judge.look(at: event, position) }
    judge.lookAtTheEnd()
    return Invariant.allCases.compactMap { judge.found[$0] }
  }

  private init(scenario: Scenario, record: RunRecord) {
    self.scenario = scenario
    self.record = record
    answers = PossibleAnswers(scenario)
  }

  private mutating func find(_ invariant: Invariant, _ message: String, _ position: Int?) {
    guard found[invariant] == nil else { return }
    found[invariant] = Violation(subject: invariant.rawValue, message: message, position: position)
  }

  private mutating func look(at event: RunEvent, _ position: Int) {
    switch event.kind {
    case .viewAppear: visible.insert(event[.view] ?? "")
    case .viewDisappear: visible.remove(event[.view] ?? "")
    case .viewSelect: selected[event[.view] ?? ""] = event[.image]
    case .viewDeselect: selected[event[.view] ?? ""] = nil
    case .uiUpdate: lookAtUpdate(event, position)
    case .fetchStart:
      fetching.insert(event[.image] ?? "")
      cancelled.remove(event[.image] ?? "")
    case .fetchDone, .fetchFailed, .fetchCancelled: lookAtEnd(event, position)
    case .modelDrop: drop(event[.image] ?? "")
    case .requestBegin, .requestEnd: lookAtRequest(event, position)
    case .busSubscribe: listening.insert(event[.subscriber] ?? "")
    case .busUnsubscribe: listening.remove(event[.subscriber] ?? "")
    case .busDeliver:
      let name = event[.subscriber] ?? ""
      guard !listening.contains(name) else { return }
      find(.deliveredAfterCancel, "\(quoted(name)) was called after it stopped listening", position)
    default: break
    }
  }

  private mutating func lookAtUpdate(_ event: RunEvent, _ position: Int) {
    let view = event[.view] ?? ""
    let shown = event[.shown] ?? "nothing"
    if event[.lane] != TraceLane.main.rawValue {
      find(.uiOffMain, "\(quoted(view)) drew itself on \(event[.lane] ?? "no lane")", position)
    }
    if !visible.contains(view) {
      find(.updateAfterDisappear, "\(quoted(view)) drew itself although nobody sees it", position)
    }
    guard shown != "placeholder", shown != "nothing" else { return }
    let selected = selected[view]
    guard selected.map({ pictures(of: $0).contains(shown) }) != true else { return }
    find(
      .staleImage,
      "\(quoted(view)) shows \(quoted(shown)) while \(selected.map(quoted) ?? "nothing") is selected", position)
  }

  /// What the address of an image may answer with, one image's id or another's, redirects and `default` included.
  private func pictures(of id: String) -> Set<String> {
    guard let path = scenario.images.first(where: { $0.id == id })?.path else { return [] }
    let paths = answers.targets(of: [path]).union([path])
    let bodies = paths.flatMap(answers.at).compactMap { if case .image(let id) = $0.body { id } else { nil } }
    return Set(bodies + scenario.images.filter { paths.contains($0.path) }.map(\.id))
  }

  private mutating func lookAtEnd(_ event: RunEvent, _ position: Int) {
    let image = event[.image] ?? ""
    if fetching.remove(image) == nil {
      if cancelled.contains(image) {
        find(.deliveredAfterCancel, "\(quoted(image)) ended with \(event.kind.rawValue) after its cancel", position)
      } else {
        find(.completedTwice, "\(quoted(image)) ended with \(event.kind.rawValue) without a fetch under way", position)
      }
    }
    if event.kind == .fetchCancelled { cancelled.insert(image) }
    leaveRequest(of: image)
  }

  private mutating func drop(_ image: String) {
    fetching.remove(image)
    for (view, id) in selected where id == image { selected[view] = nil }
    leaveRequest(of: image)
  }

  /// The image waits no more. Its request goes on to be wanted while another image with its path is being fetched.
  private mutating func leaveRequest(of id: String) {
    guard let path = scenario.images.first(where: { $0.id == id })?.path,
      !scenario.images.contains(where: { $0.path == path && fetching.contains($0.id) })
    else { return }
    requests[path]?.isWanted = false
  }

  private mutating func lookAtRequest(_ event: RunEvent, _ position: Int) {
    let path = ScenarioPath(event[.path] ?? "")
    var request = requests[path] ?? Request()
    defer { requests[path] = request.open > 0 ? request : nil }
    guard event.kind == .requestBegin else {
      request.open -= 1
      return
    }
    if request.open > 0, request.isWanted {
      find(.duplicateFetch, "a second request for \(quoted(path.text)) while the first is under way", position)
    }
    request.open += 1
    request.isWanted = true
  }

  private mutating func lookAtTheEnd() {
    if case .deadlocked(let waiting) = record.cut {
      find(.deadlock, "nothing can go on: \(waiting.joined(separator: ", ")) wait", record.events.indices.last)
    }
    if record.poolStarved { find(.starvedPool, "work waited for a worker while all of them were blocked", nil) }
    if case .endless(let limit) = record.cut { find(.livelock, "no end after \(limit)", record.events.indices.last) }
    guard record.cut?.isAbrupt != true else { return }
    if let image = scenario.images.map(\.id).first(where: { fetching.contains($0) }) {
      find(.neverCompleted, "the fetch of \(quoted(image)) has no end", nil)
    }
    if record.leaks.models > 0 { find(.leakedModel, "\(record.leaks.models) still alive", nil) }
    if record.leaks.subscriptions > 0 {
      find(.leakedSubscription, "\(record.leaks.subscriptions) still alive", nil)
    }
  }
}

extension RunRecord.Limit: CustomStringConvertible {
  var description: String {
    switch self {
    case .events(let count): "\(count) events"
    case .closures(let count): "\(count) closures"
    case .closuresAtOnce(let count): "\(count) closures at one moment of the virtual clock"
    }
  }
}
