import ScenarioEngine
import ScenarioFormat

/// Places each request after the start of its fetch, and the end of a fetch after the response.
///
/// The model starts a request at once, and main posts `ImageFetchStarted` a little later. The origin notes a response when
/// it has sent the last byte, and the model may note the end of its fetch before that. On a page, a cause precedes its
/// effect.
struct EventOrder: Sendable {
  /// The time after which an event is shown although its cause has not been recorded.
  static let timeout = Duration.milliseconds(100)

  /// The number of events so far.
  private(set) var count = 0
  /// The row of each event.
  private(set) var rows: [Int] = []
  private var next = 0
  private var fetching: Set<String> = []
  /// The requests without a fetch.
  private var waiting: [(position: Int, event: RunEvent)] = []
  /// The number of shown requests of each image that have not ended.
  private var requests: [String: Int] = [:]
  /// The end of a fetch whose request has not ended, and all events after it.
  private var held: [(position: Int, event: RunEvent)] = []
  private var time = Duration.zero

  /// Whether an event waits for its cause.
  var isWaiting: Bool { !waiting.isEmpty || !held.isEmpty }

  /// Processes the next event. Returns the events to show, in order.
  mutating func take(_ event: RunEvent) -> [RunEvent] {
    defer { count += 1 }
    rows.append(0)
    guard let end = held.first?.event else { return place(event, count) }
    guard event.kind == .requestEnd, event[.image] == end[.image] else {
      held.append((count, event))
      return []
    }
    return place(event, count) + releaseHeld()
  }

  /// Returns the events that have waited for too long. A request for several images has the name of one of them, which
  /// may no longer fetch. A fetch that has reached its deadline ends before its request.
  mutating func overdue(at now: Duration) -> [RunEvent] {
    var ready = release { now - $0.time >= Self.timeout }
    while let end = held.first?.event, now - end.time >= Self.timeout {
      requests[end[.image] ?? ""] = nil
      ready += releaseHeld()
    }
    return ready
  }

  private mutating func place(_ event: RunEvent, _ position: Int) -> [RunEvent] {
    let image = event[.image] ?? ""
    switch event.kind {
    case .requestBegin where !image.isEmpty && !fetching.contains(image),
      .requestEnd where waiting.contains { $0.event[.image] == image }:
      waiting.append((position, event))
      return []
    case .fetchStart:
      fetching.insert(image)
      return [show(event, position)] + release { $0[.image] == image }
    case .fetchDone where requests[image, default: 0] > 0, .fetchFailed where requests[image, default: 0] > 0:
      held.append((position, event))
      return []
    case .fetchDone, .fetchFailed, .fetchCancelled, .modelDrop: fetching.remove(image)
    default: break
    }
    return [show(event, position)]
  }

  /// Releases the requests that are ready.
  private mutating func release(_ isReady: (RunEvent) -> Bool) -> [RunEvent] {
    let ready = waiting.filter { isReady($0.event) }
    waiting.removeAll { isReady($0.event) }
    return ready.map { show($0.event, $0.position) }
  }

  /// Releases what waits for the end of a request. Another end of a fetch among it may wait again.
  private mutating func releaseHeld() -> [RunEvent] {
    let ready = held
    held = []
    return ready.flatMap { position, event -> [RunEvent] in
      guard held.isEmpty else {
        held.append((position, event))
        return []
      }
      return place(event, position)
    }
  }

  private mutating func show(_ event: RunEvent, _ position: Int) -> RunEvent {
    if event.kind == .requestBegin, let image = event[.image] { requests[image, default: 0] += 1 }
    if event.kind == .requestEnd, let image = event[.image] { requests[image, default: 1] -= 1 }
    var event = event
    event.time = max(event.time, time)
    time = event.time
    rows[position] = next
    next += 1
    return event
  }
}
