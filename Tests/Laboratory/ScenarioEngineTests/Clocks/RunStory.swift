import Foundation
import Scheduling

@testable import ScenarioEngine
@testable import ScenarioFormat

/// The events of a run for each view, image, subscriber and topic, in order, and the end of the run. Two runs of one
/// scenario must have the same story, on any clock. A story does not record how its chapters are interleaved.
///
/// The model and the network of an image are two chapters, because a request begins on a worker while main still
/// reports the fetch.
struct RunStory: Sendable {
  /// One event, or consecutive progress reports, which count as one line.
  struct Line: Sendable {
    let text: String
    let time: Duration
    /// The number of events in this line.
    var count = 1
  }

  struct Chapter: Sendable {
    let subject: String
    var lines: [Line] = []
  }

  /// The maximum difference in time between the clocks without a stall. It is less than the second by which a slow
  /// close is late.
  private static let tolerance = Duration.milliseconds(700)

  private(set) var chapters: [Chapter] = []

  init(_ scenario: Scenario, _ record: RunRecord) {
    let isRequest = { (event: RunEvent) in event.kind == .requestBegin || event.kind == .requestEnd }
    for id in scenario.images.map(\.id) {
      add("model of \(id)", record) { $0[.image] == id && $0[.view] == nil && !isRequest($0) }
      add("network of \(id)", record) { $0[.image] == id && isRequest($0) }
    }
    for view in scenario.views { add("view \(view)", record) { $0[.view] == view } }
    for name in scenario.subscribers { add("subscriber \(name)", record) { $0[.subscriber] == name } }
    for topic in scenario.topics { add("topic \(topic)", record) { $0[.topic] == topic && $0[.subscriber] == nil } }
    // Main receives an answer while the network still receives its body. A line omits the header fields, because some
    // describe the server's connection.
    let answers = record.events.filter { $0.kind == .serviceAnswer }.map { event in
      Line(text: "\(event[.status] ?? "") from \(event[.path] ?? "")", time: event.time)
    }
    chapters.append(Chapter(subject: "the answers to services", lines: answers))
    add("the rest", record) { event in
      event.kind != .serviceAnswer && [.image, .view, .subscriber, .topic].allSatisfy { event[$0] == nil }
    }
    chapters.append(Chapter(subject: "the end", lines: Self.ending(record)))
  }

  private mutating func add(_ subject: String, _ record: RunRecord, _ isPart: (RunEvent) -> Bool) {
    var chapter = Chapter(subject: subject)
    for event in record.events where isPart(event) {
      if event.kind == .fetchProgress, chapter.lines.last?.text == event.summary {
        chapter.lines[chapter.lines.count - 1].count += 1
      } else {
        chapter.lines.append(Line(text: event.summary, time: event.time))
      }
    }
    chapters.append(chapter)
  }

  private static func ending(_ record: RunRecord) -> [Line] {
    let images = record.final.images.map { "\($0.key) is \($0.value.rawValue)" }
    let views = record.final.visible.map { "\($0.key) is \($0.value ? "visible" : "hidden")" }
    let requests = Dictionary(grouping: record.events.filter { $0.kind == .requestBegin }) { $0[.path] ?? "" }
      .map { "\($0.value.count) requests for \($0.key)" }
    let rest = [
      "leaks: \(record.leaks.models) models, \(record.leaks.subscriptions) subscriptions",
      "cut: \(record.termination.map { "\($0)" } ?? "none")",
    ]
    return (images.sorted() + views.sorted() + requests.sorted() + rest).map { Line(text: $0, time: record.duration) }
  }

  /// Returns the first line in which a run on the real clock differs from this one, or nil if they agree.
  ///
  /// - Parameter stall: the time in which the real run had to wait for a processor. It excuses late lines, never early ones.
  func firstDifference(from real: RunStory, stall: Duration) -> String? {
    for (mine, other) in zip(chapters, real.chapters) {
      for index in 0..<max(mine.lines.count, other.lines.count) {
        let (virtual, real) = (mine.lines[at: index], other.lines[at: index])
        guard !Self.agree(virtual, real, stall) else { continue }
        return """
          \(mine.subject), line \(index + 1):
            virtual: \(virtual?.description ?? "nothing")
            real:    \(real?.description ?? "nothing")
          """
      }
    }
    return nil
  }

  private static func agree(_ virtual: Line?, _ real: Line?, _ stall: Duration) -> Bool {
    guard let virtual, let real, virtual.text == real.text else { return false }
    // After a pause, the network reports all new bytes at once. On a busy machine, a body arrives in more parts.
    let leeway = 3 + max(virtual.count, real.count) / 3
    let lateness = real.time - virtual.time
    return abs(virtual.count - real.count) <= leeway && lateness >= .zero - tolerance && lateness <= tolerance + stall
  }
}

extension RunStory.Line: CustomStringConvertible {
  var description: String { "\(text)\(count == 1 ? "" : " × \(count)") at \(time.inMilliseconds) ms" }
}

extension Array {
  fileprivate subscript(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension Scenario {
  /// The subscribers of published events, in the order of their first step.
  fileprivate var subscribers: [String] {
    steps.reduce(into: []) { names, step in
      if case .subscribe(let name, _, _) = step.action, !names.contains(name) { names.append(name) }
    }
  }

  /// The published topics, in the order of their first step.
  fileprivate var topics: [String] {
    steps.reduce(into: []) { topics, step in
      if case .publish(let topic, _) = step.action, !topics.contains(topic) { topics.append(topic) }
    }
  }
}
