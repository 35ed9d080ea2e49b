/// Runs in the format of Chrome's tracing, which Perfetto and others show: one process for each run, one thread for each
/// lane.
struct ChromeTrace: Sendable {
  private var events: [JSONValue] = []
  private var processes = 0
  private var flows = 0
  private var spans = 0

  /// The whole file.
  var json: JSONValue { ["traceEvents": .list(events), "displayTimeUnit": "ms"] }

  /// Adds a run.
  ///
  /// - Parameter name: what the process is called.
  mutating func add(_ name: String, _ record: RunRecord) {
    processes += 1
    events.append(metadata("process_name", 0, ["name": .string(name)]))
    let threads = threads(record.closures)
    for (thread, label) in threads.enumerated() {
      events.append(metadata("thread_name", thread, ["name": .string(label)]))
      events.append(metadata("thread_sort_index", thread, ["sort_index": .integer(thread)]))
    }
    addClosures(record.closures, threads)
    addCounters(record.closures, threads)
    addSpans(record.events, until: record.duration)
    for event in record.events where !event.kind.isSpan { addInstant(event) }
  }

  private static func label(_ span: ClosureSpan) -> String {
    span.slot == 0 ? span.lane : "\(span.lane) \(span.slot + 1)"
  }

  /// The lanes: the user's hand and main first, then the others as they appear.
  private func threads(_ closures: [ClosureSpan]) -> [String] {
    closures.reduce(into: [TraceLane.user.rawValue, TraceLane.main.rawValue]) { threads, span in
      let label = Self.label(span)
      if span.begin != nil, !threads.contains(label) { threads.append(label) }
    }
  }

  private mutating func addClosures(_ closures: [ClosureSpan], _ threads: [String]) {
    for span in closures {
      guard let begin = span.begin, let end = span.end, let thread = threads.firstIndex(of: Self.label(span)) else {
        continue
      }
      events.append(event("X", span.lane, begin, thread, ["cat": "closure", "dur": Self.microseconds(end - begin)]))
      guard let cause = span.cause, let from = threads.firstIndex(of: Self.label(closures[cause])) else { continue }
      flows += 1
      let flow: [String: JSONValue] = ["cat": "enqueue", "id": .integer(flows)]
      events.append(event("s", "enqueue", span.enqueued, from, flow))
      events.append(event("f", "enqueue", begin, thread, flow.merging(["bp": "e"]) { $1 }))
    }
  }

  private mutating func addCounters(_ closures: [ClosureSpan], _ threads: [String]) {
    var changes: [(time: Duration, name: String, change: Int)] = []
    for span in closures {
      guard let begin = span.begin, let end = span.end else { continue }
      changes.append((span.enqueued, "queued", 1))
      changes.append((begin, "queued", -1))
      guard span.lane == TraceLane.workers.rawValue else { continue }
      changes.append((begin, "busy workers", 1))
      changes.append((end, "busy workers", -1))
    }
    var values: [String: Int] = [:]
    for (_, change) in changes.enumerated().sorted(by: { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) })
    {
      values[change.name, default: 0] += change.change
      let value = JSONValue.integer(values[change.name] ?? 0)
      events.append(event("C", change.name, change.time, 0, ["args": ["value": value]]))
    }
  }

  /// Fetches and requests, which overlap.
  private mutating func addSpans(_ trace: [TraceEvent], until last: Duration) {
    var open: [(key: String, id: Int, name: String)] = []
    for event in trace {
      guard let key = event.kind.isSpan ? event.spanKey : nil else { continue }
      if event.kind == .fetchStart || event.kind == .requestBegin {
        spans += 1
        open.append((key, spans, key))
        events.append(asynchronous("b", key, event.time, spans, Self.arguments(event)))
      } else if let index = open.firstIndex(where: { $0.key == key }) {
        let span = open.remove(at: index)
        events.append(asynchronous("e", key, event.time, span.id, Self.arguments(event)))
      }
    }
    // An end that never came would make the viewer draw the span for ever.
    for span in open { events.append(asynchronous("e", span.name, last, span.id, ["unfinished": true])) }
  }

  private mutating func addInstant(_ traced: TraceEvent) {
    let thread = traced[.lane] == TraceLane.user.rawValue ? 0 : 1
    events.append(
      event(
        "i", traced.kind.rawValue, traced.time, thread,
        ["cat": "lifecycle", "s": "t", "args": .object(Self.arguments(traced))]))
  }

  /// What is known of an event, with the names of OpenTelemetry where it has some.
  private static func arguments(_ event: TraceEvent) -> [String: JSONValue] {
    var arguments: [String: JSONValue] = [:]
    for attribute in TraceAttribute.allCases {
      guard let value = event[attribute] else { continue }
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
      "ph": .string(phase), "name": .string(name), "ts": Self.microseconds(time), "pid": .integer(processes),
      "tid": .integer(thread),
    ]
    return .object(common.merging(more) { $1 })
  }

  private func asynchronous(
    _ phase: String, _ name: String, _ time: Duration, _ id: Int, _ arguments: [String: JSONValue]
  ) -> JSONValue {
    event(phase, name, time, 1, ["cat": "image", "id": .integer(id), "args": .object(arguments)])
  }

  private func metadata(_ name: String, _ thread: Int, _ arguments: JSONValue) -> JSONValue {
    ["ph": "M", "name": .string(name), "pid": .integer(processes), "tid": .integer(thread), "args": arguments]
  }

  private static func microseconds(_ time: Duration) -> JSONValue { .number(time / .microseconds(1)) }
}

extension TraceEvent.Kind {
  /// Whether it begins or ends something that lasts.
  fileprivate var isSpan: Bool {
    switch self {
    case .fetchStart, .fetchDone, .fetchFailed, .fetchCancelled, .requestBegin, .requestEnd: true
    default: false
    }
  }
}

extension TraceEvent {
  /// What the beginning and the end of one span have in common.
  fileprivate var spanKey: String {
    kind == .requestBegin || kind == .requestEnd ? "GET \(self[.path] ?? "")" : "fetch \(self[.image] ?? "")"
  }
}
