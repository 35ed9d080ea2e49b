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

  /// The row of each event.
  private(set) var rows: [Int] = []
  private var shown = 0
  private var time = Duration.zero
  private var fetching: Set<String> = []
  /// The number of shown requests of each image that have not ended.
  private var requests: [String: Int] = [:]
  /// The events that wait for their causes, each with its position.
  private var waiting: [(position: Int, event: RunEvent)] = []

  /// The number of events so far.
  var count: Int { rows.count }

  /// Whether an event waits for its cause.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Processes the next event. Returns the events to show, in order.
  mutating func take(_ event: RunEvent) -> [RunEvent] {
    rows.append(0)
    guard !waits(event) else {
      waiting.append((count - 1, event))
      return []
    }
    return [show(event, count - 1)] + release { _ in false }
  }

  /// Returns the events that have waited for too long. A request for several images has the name of one of them, which
  /// may no longer fetch. A fetch that has reached its deadline ends before its request.
  mutating func overdue(at now: Duration) -> [RunEvent] { release { now - $0.time >= Self.timeout } }

  /// Whether an event waits for its cause, or for an earlier event.
  private func waits(_ event: RunEvent) -> Bool {
    let image = event[.image] ?? ""
    // All events wait for the end of a fetch, except for the response for which the end waits.
    if let end = waiting.first(where: { $0.event.kind == .fetchDone || $0.event.kind == .fetchFailed })?.event,
      event.kind != .requestEnd || image != end[.image]
    {
      return true
    }
    return switch event.kind {
    case .requestBegin: !image.isEmpty && !fetching.contains(image)
    case .requestEnd: waiting.contains { $0.event.kind == .requestBegin && $0.event[.image] == image }
    case .fetchDone, .fetchFailed: requests[image, default: 0] > 0
    default: false
    }
  }

  private mutating func release(_ isOverdue: (RunEvent) -> Bool) -> [RunEvent] {
    var released: [RunEvent] = []
    var isChanged = true
    while isChanged, !waiting.isEmpty {
      let events = waiting
      waiting = []
      for (position, event) in events {
        if waits(event), !isOverdue(event) {
          waiting.append((position, event))
        } else {
          released.append(show(event, position))
        }
      }
      isChanged = waiting.count < events.count
    }
    return released
  }

  private mutating func show(_ event: RunEvent, _ position: Int) -> RunEvent {
    let image = event[.image] ?? ""
    switch event.kind {
    case .fetchStart: fetching.insert(image)
    case .fetchDone, .fetchFailed:
      fetching.remove(image)
      requests[image] = nil
    case .fetchCancelled, .modelDrop: fetching.remove(image)
    case .requestBegin: requests[image, default: 0] += 1
    case .requestEnd: requests[image, default: 1] -= 1
    default: break
    }
    var event = event
    time = max(event.time, time)
    event.time = time
    rows[position] = shown
    shown += 1
    return event
  }
}
