import CommandLineTool
import Foundation
import PlainText
import ScenarioEngine
import ScenarioFormat
import Scheduling

/// Describes a run in sentences. Each event of interest gets one line with its time, actor and action.
struct Narration: Sendable {
  let events: [RunEvent]

  /// Returns the lines, colored if the style supports color.
  func lines(_ style: TextStyle) -> [String] {
    sentences.compactMap { event in
      guard let (who, text, look) = Self.sentence(event) else { return nil }
      let time = event.milliseconds.padded(to: 9, .right)
      let name = who.padded(to: 8)
      return "\(time)  \(style(look, name)) \(visible(text))"
    }
  }

  /// The events, with simultaneous subscriptions of a page merged into one event.
  private var sentences: [RunEvent] {
    events.reduce(into: []) { found, event in
      guard let last = found.last, last.isSubscription, event.isSubscription, last.kind == event.kind,
        last.turn == event.turn, last[.subscriber] == event[.subscriber], last[.image] == event[.image],
        last[.text] == event[.text],
        let topic = last[.topic], let other = event[.topic]
      else { return found.append(event) }
      found[found.count - 1].values[.topic] = "\(topic), \(other)"
    }
  }

  private static func sentence(_ event: RunEvent) -> (who: String, text: String, look: TextStyle.Look)? {
    let view = event[.view] ?? ""
    let image = event[.image].map { "“\($0)”" } ?? "nothing"
    let isUser = event[.lane] == TraceLane.user.rawValue
    let who = isUser ? "user" : "page"
    let look: TextStyle.Look = isUser ? .yellow : .green
    let path = event[.path] ?? ""
    switch event.kind {
    case .viewAppear: return (who, "\(view) appears", look)
    case .viewDisappear: return (who, "\(view) disappears", look)
    case .viewSelect: return (who, "\(view): \(isUser ? "chooses" : "automatically selects") \(image)", look)
    case .viewDeselect: return (who, "\(view): navigates back", look)
    case .viewTap: return (who, "\(view): taps “\(event[.text] ?? "")”", look)
    case .uiUpdate: return (who, "\(view): shows \(shown(event))", look)
    case .pageShow:
      let isWrong = event[.error] != nil
      return (isWrong ? "alert" : who, "\(view): \(event[.text] ?? "")", isWrong ? .red : look)
    case .serviceAnswer: return ("answer", "status \(event[.status] ?? "") from \(path); \(event[.text] ?? "")", .blue)
    case .fetchStart: return ("model", "ImageFetchStarted: \(image), by \(event[.strategy] ?? "")", .blue)
    case .fetchDone: return ("model", "ImageFetched: \(image)", .blue)
    case .fetchFailed: return ("model", "ImageFetchFailed: \(image), \(event[.error] ?? "")", .red)
    case .fetchCancelled: return ("model", "ImageFetchCancelled: \(image)", .blue)
    case .cacheHit: return ("model", "\(image) is in memory: no fetch", .blue)
    case .requestBegin:
      let isBlocking = event[.lane] == TraceLane.workers.rawValue
      return ("network", isBlocking ? "a worker blocks while reading \(path)" : "requests \(path)", .dim)
    case .requestEnd:
      let end = [event[.status].map { "status \($0)" }, event[.error]].compactMap(\.self).joined(separator: ", ")
      return ("network", "finished \(path)" + (end.isEmpty ? "" : ": \(end)"), .dim)
    case .note: return ("", event[.text] ?? "", .bold)
    case .memoryWarning: return ("user", "memory is low: the cache is emptied", .yellow)
    case .headersChange: return ("user", "later requests send the header fields: \(event[.text] ?? "")", look)
    case .originChange: return ("origin", "changes its responses: \(path)", .yellow)
    case .networkChange: return ("network", "changes: \(event[.text] ?? "")", .yellow)
    case .busPost where event[.subscriber] == Scenario.noSubscriber && !matters(event): return nil
    case .busPost, .busSubscribe, .busUnsubscribe, .busDrop, .busDiscard, .busFail:
      return ("bus", event.busCaption, .dim)
    // Omit all other events, because the page shows their effects.
    default: return nil
    }
  }

  /// Returns whether this event could have changed what a page shows.
  private static func matters(_ post: RunEvent) -> Bool {
    let topics: [ModelTopic] = [
      .fetched, .fetchFailed, .serviceChanged, .serviceFailed, .slidePictureFetched, .slidePictureFailed,
      .slideFavoriteChanged,
    ]
    return topics.contains { $0.rawValue == post[.topic] }
  }

  private static func shown(_ event: RunEvent) -> String {
    let shown = event[.shown] ?? "nothing"
    guard let image = event[.image] else { return shown }
    return shown == image ? "“\(image)”" : "\(shown) for “\(image)”"
  }
}

extension RunEvent {
  fileprivate var isSubscription: Bool { kind == .busSubscribe || kind == .busUnsubscribe }

  /// The time in milliseconds, with one decimal. On the virtual clock, this time is the same in every run.
  fileprivate var milliseconds: String { (time.inSeconds * 1000).fixed(1) + " ms" }
}

/// The costs and results of a run that differ between strategies.
struct SystemFigures: Sendable {
  static let columns: [Table.Column] = [
    .text("strategy"), .number("requests"), .number("answers seen"), .number("worker blocked ms"),
    .number("first picture ms"), .number("total ms"),
  ]

  let cells: [String]

  init(_ strategy: String, _ events: [RunEvent]) {
    let milliseconds = { (time: Duration) in (time.inSeconds * 1000).fixed(1) }
    let picture = events.first { $0.kind == .fetchDone }
    cells = [
      strategy, "\(events.count { $0.kind == .requestBegin })", "\(events.count { $0.kind == .serviceAnswer })",
      milliseconds(Self.blocked(events)), picture.map { milliseconds($0.time) } ?? "none",
      milliseconds(events.last?.time ?? .zero),
    ]
  }

  /// Returns the total time for which workers were blocked.
  private static func blocked(_ events: [RunEvent]) -> Duration {
    var since: [String: [Duration]] = [:]
    var sum = Duration.zero
    for event in events where event[.lane] == TraceLane.workers.rawValue {
      let path = event[.path] ?? ""
      if event.kind == .requestBegin { since[path, default: []].append(event.time) }
      if event.kind == .requestEnd, let begin = since[path]?.popFirst() { sum += event.time - begin }
    }
    return sum
  }
}

extension Array {
  fileprivate mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}
