import Foundation

@testable import ScenarioEngine
@testable import ScenarioFormat

/// What a run did to each view, image, subscriber and topic, in order, and how it ended. Two runs of one scenario must agree in it,
/// whichever clock they are on; how the chapters are interleaved is not part of it.
///
/// Model and network of one image are two chapters: a request begins on a worker while main still reports the fetch.
struct RunStory: Sendable {
  /// One event, or a row of progress reports, which count as one.
  struct Line: Sendable {
    let text: String
    let time: Duration
    /// How many events it stands for.
    var count = 1
  }

  struct Chapter: Sendable {
    let subject: String
    var lines: [Line] = []
  }

  /// How far the clocks may be apart: a server that closes late does so after a second.
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
    // Main hears of an answer while the network still receives it. Header fields about the connection are the server's own.
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
      "cut: \(record.cut.map { "\($0)" } ?? "none")",
    ]
    return (images.sorted() + views.sorted() + requests.sorted() + rest).map { Line(text: $0, time: record.duration) }
  }

  /// The first line in which the run on the real clock differs from this one on the virtual clock; nil if they agree.
  func firstDifference(from real: RunStory) -> String? {
    for (mine, other) in zip(chapters, real.chapters) {
      for index in 0..<max(mine.lines.count, other.lines.count) {
        let (virtual, real) = (mine.lines[at: index], other.lines[at: index])
        guard !Self.agree(virtual, real) else { continue }
        return """
          \(mine.subject), line \(index + 1):
            virtual: \(virtual?.description ?? "nothing")
            real:    \(real?.description ?? "nothing")
          """
      }
    }
    return nil
  }

  private static func agree(_ one: Line?, _ other: Line?) -> Bool {
    guard let one, let other, one.text == other.text else { return false }
    // A machine that pauses reports what came meanwhile as one, and one that is busy draws a body out.
    let leeway = 3 + max(one.count, other.count) / 3
    return abs(one.count - other.count) <= leeway && abs((one.time - other.time).inSeconds) <= tolerance.inSeconds
  }
}

extension RunStory.Line: CustomStringConvertible {
  var description: String { "\(text)\(count == 1 ? "" : " × \(count)") at \(time.inMilliseconds) ms" }
}

extension Array {
  fileprivate subscript(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension Scenario {
  /// Who listens to published events, in the order of their first step.
  fileprivate var subscribers: [String] {
    steps.reduce(into: []) { names, step in
      if case .subscribe(let name, _, _) = step.action, !names.contains(name) { names.append(name) }
    }
  }

  /// What is published, in the order of the first step.
  fileprivate var topics: [String] {
    steps.reduce(into: []) { topics, step in
      if case .publish(let topic, _) = step.action, !topics.contains(topic) { topics.append(topic) }
    }
  }
}
