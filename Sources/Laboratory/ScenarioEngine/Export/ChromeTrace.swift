import FetcherModel
import PlainText
package import ScenarioFormat

/// A file in Chrome's trace format, which Perfetto and other viewers can display. Each run is drawn as a process. Each
/// lane, each scheduler, and each further thread of a scheduler is drawn as a thread.
package struct ChromeTrace: Sendable {
  private var events: [JSONValue] = []
  private var processes = 0
  private var flows = 0
  private var spans = 0

  package init() {}

  /// The content of the file.
  package var json: JSONValue { ["traceEvents": .list(events), "displayTimeUnit": "ms"] }

  /// Adds a run.
  ///
  /// - Parameter name: the name of the process.
  package mutating func add(_ name: String, _ record: RunRecord) {
    processes += 1
    events.append(metadata("process_name", 0, ["name": .string(name)]))
    let threads = Self.threads(record)
    for (thread, label) in threads.enumerated() {
      events.append(metadata("thread_name", thread, ["name": .string(label)]))
      events.append(metadata("thread_sort_index", thread, ["sort_index": .integer(thread)]))
    }
    addClosures(record.activity.closures, threads)
    addCounter("queued", record.activity.closures.flatMap(\.waiting))
    addCounter("busy workers", record.activity.closures.flatMap(\.working))
    addCounter("live subscriptions", record.activity.subscriptions)
    addSpans(record.events, until: record.duration)
    for event in record.events where !event.kind.isSpan && !event.kind.isOfBus { addInstant(event, threads) }
    addBus(record.shown.map(\.event).filter(\.kind.isOfBus), threads)
  }

  /// The lanes: the user and main first, then the others in order of appearance.
  private static func threads(_ record: RunRecord) -> [String] {
    let first = [TraceLane.user.rawValue, "main events", TraceLane.main.rawValue]
    let others =
      record.activity.closures.filter { $0.time != nil }.map(\.thread) + record.shown.map(\.event.thread)
    return others.reduce(into: first) { threads, label in
      if !threads.contains(label) { threads.append(label) }
    }
  }

  private mutating func addClosures(_ closures: [ClosureSpan], _ threads: [String]) {
    for (number, span) in closures.enumerated() {
      guard let time = span.time, let thread = threads.firstIndex(of: span.thread) else { continue }
      var arguments: [String: JSONValue] = ["closure": .integer(number)]
      arguments["cause"] = span.cause.map { .integer($0) }
      let length = Self.microseconds(time.upperBound - time.lowerBound)
      events.append(
        event(
          "X", span.scheduler, time.lowerBound, thread, ["cat": "closure", "dur": length, "args": .object(arguments)]))
      guard let cause = span.cause, closures[cause].time != nil,
        let from = threads.firstIndex(of: closures[cause].thread)
      else { continue }
      flows += 1
      let flow: [String: JSONValue] = ["cat": "enqueue", "id": .integer(flows)]
      events.append(event("s", "enqueue", span.enqueued, from, flow))
      events.append(event("f", "enqueue", time.lowerBound, thread, flow.merging(["bp": "e"]) { $1 }))
    }
  }

  /// Adds a counter. Simultaneous changes are drawn as one change.
  private mutating func addCounter(_ name: String, _ changes: [CountChange]) {
    let sums = Dictionary(changes.map { ($0.time, $0.change) }, uniquingKeysWith: +)
      .merging([.zero: 0], uniquingKeysWith: +)
    var value = 0
    for (time, change) in sums.sorted(by: { $0.key < $1.key }) where change != 0 || time == .zero {
      value += change
      events.append(event("C", name, time, 0, ["args": ["value": .integer(value)]]))
    }
  }

  /// Adds the spans of fetches and requests, which can overlap.
  private mutating func addSpans(_ trace: [RunEvent], until last: Duration) {
    var open: [(key: UTF8String, id: Int)] = []
    for event in trace {
      guard let key = event.kind.isSpan ? event.spanKey : nil else { continue }
      if event.kind == .fetchStart || event.kind == .requestBegin {
        spans += 1
        open.append((key, spans))
        events.append(asynchronous("b", key.text, event.time, spans, Self.arguments(event)))
      } else if let index = open.firstIndex(where: { $0.key == key }) {
        // A viewer shows only the name of a span, so its result goes into the arguments.
        let end = Self.arguments(event).merging(["end": .string(event.kind.rawValue)]) { $1 }
        events.append(asynchronous("e", key.text, event.time, open.remove(at: index).id, end))
      }
    }
    // Without an end, the viewer would draw the span forever.
    for (key, id) in open { events.append(asynchronous("e", key.text, last, id, ["unfinished": true])) }
  }

  /// Adds the bus events. Each event is drawn as a slice of one nanosecond, because arrows connect slices. An
  /// arrow connects each post to each of its deliveries. No two slices have the same time: simultaneous events are
  /// drawn one after another.
  private mutating func addBus(_ steps: [RunEvent], _ threads: [String]) {
    guard let thread = threads.firstIndex(of: RunEvent.busThread) else { return }
    let posts = BusCauses.posts(of: steps)
    var last = Duration.zero
    var times: [Duration] = []
    for (number, step) in steps.enumerated() {
      last = max(step.time, last + .nanoseconds(2))
      times.append(last)
      var arguments = Self.arguments(step)
      if step.kind == .busPost { arguments["post"] = .integer(number) }
      arguments["delivers"] = posts[number].map { .integer($0) }
      events.append(
        event(
          "X", step.busCaption, last, thread,
          ["cat": "bus", "dur": Self.microseconds(.nanoseconds(1)), "args": .object(arguments)]))
    }
    for (delivery, post) in posts.sorted(by: { $0.key < $1.key }) {
      flows += 1
      let flow: [String: JSONValue] = ["cat": "deliver", "id": .integer(flows)]
      events.append(event("s", "deliver", times[post], thread, flow))
      events.append(event("f", "deliver", times[delivery], thread, flow.merging(["bp": "e"]) { $1 }))
    }
  }

  private mutating func addInstant(_ traced: RunEvent, _ threads: [String]) {
    let thread = threads.firstIndex(of: traced.thread) ?? 0
    events.append(
      event(
        "i", traced.kind.rawValue, traced.time, thread,
        ["cat": "lifecycle", "s": "t", "args": .object(Self.arguments(traced))]))
  }

  /// The values of an event, with OpenTelemetry names where these exist.
  private static func arguments(_ event: RunEvent) -> [String: JSONValue] {
    var arguments: [String: JSONValue] = [:]
    for attribute in TraceAttribute.allCases {
      guard let value = event[attribute]?.withoutCredentials else { continue }
      switch attribute {
      case .status: arguments["http.response.status_code"] = .integer(Int(value) ?? 0)
      case .path: arguments["url.full"] = .string("http://127.0.0.1\(value)")
      case .error: arguments["error.type"] = .string(value)
      default: arguments[attribute.rawValue] = .string(value)
      }
    }
    if event.kind == .requestBegin { arguments["http.request.method"] = "GET" }
    return arguments
  }

  private func event(
    _ phase: String, _ name: String, _ time: Duration, _ thread: Int, _ more: [String: JSONValue]
  ) -> JSONValue {
    let common: [String: JSONValue] = [
      "ph": .string(phase), "name": .string(name), "ts": Self.microseconds(time), "pid": .integer(process),
      "tid": .integer(id(of: thread)),
    ]
    return .object(common.merging(more) { $1 })
  }

  private func asynchronous(
    _ phase: String, _ name: String, _ time: Duration, _ id: Int, _ arguments: [String: JSONValue]
  ) -> JSONValue {
    event(phase, name, time, 0, ["cat": "image", "id": .integer(id), "args": .object(arguments)])
  }

  private func metadata(_ name: String, _ thread: Int, _ arguments: JSONValue) -> JSONValue {
    ["ph": "M", "name": .string(name), "pid": .integer(process), "tid": .integer(id(of: thread)), "args": arguments]
  }

  /// The number of the process. The gaps between process numbers are large, so that no two threads share a number,
  /// which would confuse Perfetto. Perfetto also treats a thread specially if its number is zero or equals its process
  /// number.
  private var process: Int { processes * 1000 }

  private func id(of thread: Int) -> Int { process + 1 + thread }

  private static func microseconds(_ time: Duration) -> JSONValue { .number(time / .microseconds(1)) }
}

extension ClosureSpan {
  /// The thread on which the closure is drawn.
  fileprivate var thread: String { slot == 0 ? scheduler : "\(scheduler) \(slot + 1)" }

  /// The changes in the number of closures that are ready but not running.
  fileprivate var waiting: [CountChange] {
    guard let time else { return [] }
    return [CountChange(time: min(due, time.lowerBound), change: 1), CountChange(time: time.lowerBound, change: -1)]
  }

  /// The changes in the number of busy workers.
  fileprivate var working: [CountChange] {
    guard let time, scheduler == TraceLane.workers.rawValue else { return [] }
    return [CountChange(time: time.lowerBound, change: 1), CountChange(time: time.upperBound, change: -1)]
  }
}

extension TraceKind {
  /// Whether an event of this kind starts or ends a span.
  fileprivate var isSpan: Bool {
    switch self {
    case .fetchStart, .fetchDone, .fetchFailed, .fetchCancelled, .requestBegin, .requestEnd: true
    default: false
    }
  }
}

extension RunEvent {
  /// The thread on which the event is drawn. It differs from the thread of the scheduler's closures, where viewers
  /// would attach an arrow to the latest slice.
  fileprivate var thread: String {
    if kind.isOfBus { return Self.busThread }
    let lane = self[.lane] ?? TraceLane.user.rawValue
    return lane == TraceLane.user.rawValue ? lane : "\(lane) events"
  }

  fileprivate static let busThread = "bus"

  /// The values that both ends of a span share.
  fileprivate var spanKey: UTF8String {
    kind == .requestBegin || kind == .requestEnd
      ? "GET \(self[.path]?.withoutCredentials ?? "")" : "fetch \(self[.image] ?? "")"
  }
}
