import Foundation
import PlainText
import ScenarioEngine
import ScenarioFormat
import Scheduling

/// A step that the user has performed.
struct PerformedStep: Sendable {
  let time: Duration
  /// The number of earlier events.
  let position: Int
  let json: JSONValue

  /// Whether the step switches the strategy.
  var switchesStrategy: Bool { json["do"]?.text == "switch" }

  /// Whether the step sets several responses of a path, of which the first is for one request.
  var isArmed: Bool { json["path"] != nil && json["responses"]?.elements.count ?? 0 > 1 }
}

/// A session as a scenario file. It contains the user's steps, and expectations about the screens that have stayed, except
/// for those that violate an invariant.
///
/// The order of a step and of a response that arrives at about the same time differs between clocks. So such a step
/// waits for the event of the response instead of a time.
struct RecordedSession: Sendable {
  /// A step this close to an event is recorded after the event.
  static let nearby = Duration.milliseconds(20)
  /// An expectation covers a screen that has stayed for this long.
  static let lasting = Duration.milliseconds(100)

  let name: String
  let text: String
  /// The number of the user's steps.
  let steps: Int
  /// The number of steps that wait for an event.
  let afterEvents: Int

  /// - Parameter wrong: the positions of the events that violate an invariant.
  init(
    _ program: LiveProgram, strategy: String, _ performed: [PerformedStep], _ record: RunRecord, wrong: Set<Int>,
    _ screens: [ProgramScreen], isIdle: Bool, now: Duration, date: Date = .now
  ) {
    let stamp = date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted)).replacing("T", with: "-")
    name = "live-\(program.name)-\(stamp.filter { $0 != "Z" })"
    let portable = PortableOrigin(program)
    var plan = StepPlan(record.events)
    var lines: [JSONValue] = [program.opening]
    for step in performed { lines.append(plan.json(for: step, portable.step(step.json))) }
    lines.append(["at": .string("\(plan.latest(now).inMilliseconds)ms"), "do": "wait-idle"])
    steps = performed.count
    afterEvents = plan.marked.count
    var file: [(String, JSONValue)] = [
      ("scenario", 1), ("name", .string(name)), ("title", .string("A session with \(program.title)")),
    ]
    if !plan.marked.isEmpty {
      let numbers = plan.marked.map { "\($0 + 1)" }.listed(with: "and")
      let text = "Within 20 ms of an event, and therefore recorded after it: step \(numbers) of the user."
      file.append(("description", .string(text)))
    }
    file += [
      ("program", .string(program.name)), ("strategies", [.string(strategy)]),
      ("limits", ["deadline": .string("\(LiveProgram.deadline.inMilliseconds)ms")]),
      ("images", portable.images), ("origin", portable.origin), ("steps", .list(lines)),
    ]
    if program.variant != Scenario.fixedVariant { file.append(("variants", [.string(program.variant)])) }
    // A blocking read cannot be cancelled, so a stalled one takes longer than a run on the real clock waits.
    let text = Self.format(file.map(\.1))
    let blocks = text.contains("\"stall\"") && text.contains("\"blocking\"")
    if blocks || plan.latest(now) > ScenarioRules.longestReal - .seconds(1) { file.append(("clocks", ["virtual"])) }
    file.append(("expect", .list(Self.expectations(record.events, wrong: wrong, screens, isIdle: isIdle, end: now))))
    self.text = Self.format(file)
  }

  // MARK: Expectations

  private static func expectations(
    _ events: [RunEvent], wrong: Set<Int>, _ screens: [ProgramScreen], isIdle: Bool, end: Duration
  ) -> [JSONValue] {
    let draws = events.indices.filter { events[$0].kind == .uiUpdate || events[$0].kind == .pageShow }
    let steps = events.filter { $0[.lane] == TraceLane.user.rawValue }.map(\.time) + [end]
    // From the last event to the first, so that the next draw of each view and the next step are known.
    var nextDraws: [String?: Duration] = [:]
    var nextStep = steps.count
    var lasting: [Int] = []
    for index in draws.reversed() {
      let event = events[index]
      while nextStep > 0, steps[nextStep - 1] > event.time { nextStep -= 1 }
      let next = nextStep < steps.count ? steps[nextStep] : end
      let isReplaced = nextDraws[event[.view]].map { $0 < next } ?? false
      let isLasting = !isReplaced && next - event.time >= Self.lasting
      if isLasting, !isTransient(event), !wrong.contains(index) { lasting.append(index) }
      nextDraws[event[.view]] = event.time
    }
    lasting.reverse()
    var order: [JSONValue] = []
    for pattern in lasting.map({ pattern(events[$0]) }) where order.last != pattern { order.append(pattern) }
    var list: [JSONValue] = []
    if order.count > 1 {
      list.append(["order": .list(order), "why": "The screens that lasted until nothing was in flight, in order."])
    }
    if order.count == 1, case .object(var count) = order[0] {
      count["atLeast"] = 1
      list.append(["count": .object(count)])
    }
    guard isIdle else { return list }
    for screen in screens where screen.isVisible && screen.hasPicture {
      guard let last = draws.last(where: { events[$0].kind == .uiUpdate && events[$0][.view] == screen.view }),
        !wrong.contains(last), !isTransient(events[last]), let shown = events[last][.shown]
      else { continue }
      list.append([
        "final": .object(["\(screen.view).shown": .string(shown)]), "why": "The picture that the user has seen last.",
      ])
    }
    return list
  }

  /// Whether the event shows a state that ends by itself.
  private static func isTransient(_ event: RunEvent) -> Bool {
    event[.shown] == "loading" || event.kind == .pageShow && event[.error] == nil && event[.text] == "loading"
  }

  private static func pattern(_ event: RunEvent) -> JSONValue {
    var pattern: [String: JSONValue] = ["event": .string(event.kind.rawValue)]
    for attribute in [TraceAttribute.view, .shown, .error] {
      if let value = event[attribute] { pattern[attribute.rawValue] = .string(value) }
    }
    // The message of an error may differ between strategies.
    if event[.error] == nil, let text = event[.text] { pattern["text"] = .string(text) }
    return .object(pattern)
  }

  // MARK: Text

  /// Formats the file with one line for each element of a list, as the scenarios of the repository are written.
  private static func format(_ members: [(String, JSONValue)]) -> String {
    let lines = members.map { name, value in
      var text = format([value])
      switch value {
      case .list(let elements) where elements.count > 1 || name == "steps" || name == "expect":
        text = "[\n" + elements.map { "    " + format([$0]) }.joined(separator: ",\n") + "\n  ]"
      case .object(let object) where object["routes"] != nil:
        let routes = (object["routes"]?.elements ?? []).map { "    " + format([$0]) }.joined(separator: ",\n")
        let rest = object.filter { $0.key != "routes" }.sorted { $0.key < $1.key }
          .map { "\"\($0.key)\": \(format([$0.value])), " }.joined()
        text = "{\(rest)\"routes\": [\n\(routes)\n  ]}"
      default: break
      }
      return "  \"\(name)\": \(text)"
    }
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }

  private static func format(_ values: [JSONValue]) -> String {
    values.map { String(decoding: LiveJSON.of($0), as: UTF8.self) }.joined(separator: " ")
  }
}

/// Chooses when each recorded step starts.
private struct StepPlan {
  private let events: [RunEvent]
  /// The last step with a stated time, and the position after which an event counts for the next step.
  private var before: (time: Duration, id: String?, position: Int) = (.zero, nil, 0)
  private var stated = Duration.zero
  private var count = 0
  /// The indices of the steps that wait for an event.
  private(set) var marked: [Int] = []

  init(_ events: [RunEvent]) { self.events = events }

  /// Returns a time at or after all stated times.
  func latest(_ time: Duration) -> Duration { max(stated, time) }

  mutating func json(for step: PerformedStep, _ json: JSONValue) -> JSONValue {
    defer { count += 1 }
    guard case .object(var members) = json else { return json }
    members["at"] = nil
    var position = step.position
    if let near = event(near: step) {
      let id = "step\(count + 1)"
      members["id"] = .string(id)
      marked.append(count)
      if near >= before.position || before.id == nil {
        members["after"] = pattern(events[near])
        if step.time > events[near].time { members["plus"] = Self.text(step.time - events[near].time) }
      } else {
        // The event comes before the previous step, so this step follows that one.
        members["after"] = .string(before.id ?? "")
        members["plus"] = Self.text(step.time - before.time)
      }
      position = max(position, near + 1)
      before = (step.time, id, position)
    } else {
      members["at"] = Self.text(latest(step.time))
      stated = latest(step.time)
      before = (step.time, nil, position)
    }
    return .object(members)
  }

  private static func text(_ time: Duration) -> JSONValue { .string("\(time.inMilliseconds)ms") }

  /// The last response that arrives at about the time of the step. A response to a request of the step itself does not
  /// count.
  private func event(near step: PerformedStep) -> Int? {
    // The events are in the order of their times.
    let first = start(after: step.time - RecordedSession.nearby)
    let near = (first..<events.count).prefix { events[$0].time < step.time + RecordedSession.nearby }.last { index in
      guard [.fetchDone, .fetchFailed, .serviceAnswer].contains(events[index].kind) else { return false }
      return index < step.position || !startsAfter(step, index)
    }
    // An event before the previous timed step cannot be awaited any more.
    return near.flatMap { $0 >= before.position || before.id != nil ? $0 : nil }
  }

  /// The index of the first event that is later than a time.
  private func start(after time: Duration) -> Int {
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].time > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Whether the request whose response this is began after the step.
  private func startsAfter(_ step: PerformedStep, _ index: Int) -> Bool {
    let event = events[index]
    let isService = event.kind == .serviceAnswer
    return events[step.position..<index].contains { other in
      isService
        ? other.kind == .requestBegin && other[.path] == event[.path]
        : other.kind == .fetchStart && other[.image] == event[.image]
    }
  }

  private func pattern(_ event: RunEvent) -> JSONValue {
    var members: [String: JSONValue] = ["event": .string(event.kind.rawValue)]
    if event.kind == .serviceAnswer {
      members["path"] = event[.path].map { .string($0) }
    } else {
      members["image"] = event[.image].map { .string($0) }
    }
    return .object(members)
  }
}

/// The images and responses of a program without files, so that a recorded session consists of one file. Generated
/// pictures of the same size in bytes replace the pictures.
private struct PortableOrigin {
  let images: JSONValue
  private(set) var origin: JSONValue = [:]
  private let folder: URL
  private let paths: Set<String>

  init(_ program: LiveProgram) {
    folder = program.folder
    let images = program.json["images"]?.elements ?? []
    paths = Set(images.compactMap { $0["path"]?.text })
    let routes = program.json["origin"]?["routes"]?.elements ?? []
    let folder = folder
    self.images = .list(
      images.map { image in
        let file = routes.first { $0["path"] == image["path"] }?["responses"]?.elements
          .compactMap { $0["body"]?["file"]?.text }.first
        guard let file, let size = Self.size(of: file, in: folder) else { return image }
        var image = image
        let side = max(1, Int((Double(size) / 3).squareRoot()))
        image["size"] = .string("\(side)x\(side)")
        return image
      })
    origin = program.json["origin"] ?? [:]
    origin["routes"] = .list(routes.map { responses(of: $0) })
  }

  /// Returns a step whose responses contain no file.
  func step(_ json: JSONValue) -> JSONValue { json["responses"] == nil ? json : responses(of: json) }

  private func responses(of route: JSONValue) -> JSONValue {
    var route = route
    let path = route["path"]?.text ?? ""
    route["responses"] = .list(
      (route["responses"]?.elements ?? []).map { response in
        guard let file = response["body"]?["file"]?.text else { return response }
        var response = response
        response["body"] = paths.contains(path) ? nil : body(file)
        return response
      })
    return route
  }

  private func body(_ file: String) -> JSONValue {
    if file.hasSuffix(".json"), let data = try? Data(contentsOf: folder.appending(path: file)),
      let value = JSONValue(SourceText(path: file, bytes: Array(data)))
    {
      return ["json": value]
    }
    return ["bytes": .integer(Self.size(of: file, in: folder) ?? 0)]
  }

  private static func size(of file: String, in folder: URL) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: folder.appending(path: file).path))?[.size] as? Int
  }
}
