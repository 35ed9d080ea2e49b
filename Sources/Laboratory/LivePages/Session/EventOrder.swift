import ScenarioEngine
import ScenarioFormat

/// Places each request after the start of its fetch.
///
/// The model starts the request at once, and main posts `ImageFetchStarted` a little later. On a page, a cause precedes
/// its effect.
struct EventOrder: Sendable {
  /// The time after which a request is shown although no fetch has started for its image.
  static let patience = Duration.milliseconds(100)

  /// The number of events so far.
  private(set) var count = 0
  /// The row of each event.
  private(set) var rows: [Int] = []
  private var next = 0
  private var fetching: Set<String> = []
  private var waiting: [(position: Int, event: RunEvent)] = []
  private var time = Duration.zero

  /// Whether a request waits for the start of its fetch.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Processes the next event. Returns the events to show, in order.
  mutating func take(_ event: RunEvent) -> [RunEvent] {
    defer { count += 1 }
    rows.append(0)
    let image = event[.image] ?? ""
    switch event.kind {
    case .requestBegin where !image.isEmpty && !fetching.contains(image),
      .requestEnd where waiting.contains { $0.event[.image] == image }:
      waiting.append((count, event))
      return []
    case .fetchStart:
      fetching.insert(image)
      return [show(event, count)] + release { $0[.image] == image }
    case .fetchDone, .fetchFailed, .fetchCancelled, .modelDrop: fetching.remove(image)
    default: break
    }
    return [show(event, count)]
  }

  /// Returns the events that have waited for too long. A request for several images has the name of one of them, which
  /// may no longer fetch.
  mutating func overdue(at now: Duration) -> [RunEvent] { release { now - $0.time >= Self.patience } }

  private mutating func release(_ isReady: (RunEvent) -> Bool) -> [RunEvent] {
    let ready = waiting.filter { isReady($0.event) }
    waiting.removeAll { isReady($0.event) }
    return ready.map { show($0.event, $0.position) }
  }

  private mutating func show(_ event: RunEvent, _ position: Int) -> RunEvent {
    var event = event
    event.time = max(event.time, time)
    time = event.time
    rows[position] = next
    next += 1
    return event
  }
}
