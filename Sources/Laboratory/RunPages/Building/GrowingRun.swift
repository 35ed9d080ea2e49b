package import ScenarioEngine
package import ScenarioFormat

/// A run that grows while its events are recorded. It contains the same rows, bars and arrows as the ``PageRunBuilder`` of
/// the complete record.
package struct GrowingRun: Sendable {
  private var builder: PageRunBuilder
  private var causes = BusCauses()
  /// The bars of the unfinished requests of each path, with the oldest request first.
  private var requests: [String: [Range<Int>]] = [:]
  /// The numbers of rows, arrows, kinds and views that ``growth()`` has returned.
  private var returned = (rows: 0, arrows: 0, kinds: 0, views: 0)

  package init(_ scenario: Scenario) {
    builder = PageRunBuilder(
      id: "live", name: scenario.name, RunRecord(), scenario, SourceText(path: scenario.name, bytes: []))
  }

  /// Adds the next event as a row.
  ///
  /// - Parameter text: the text of the row, or nil for the event's own sentence.
  package mutating func add(_ event: RunEvent, text: String? = nil) {
    let index = builder.run.rows.count
    var row = builder.row(event)
    row.number = index + 1
    if let text { row.text = text }
    row.kind = builder.kinds.number(of: event.kind.rawValue)
    let path = event[.path] ?? ""
    switch event.kind {
    case .requestBegin: requests[path, default: []].append(builder.addRequest(event, start: index))
    case .requestEnd: endRequest(path, event)
    default: break
    }
    builder.run.rows.append(row)
    if let post = causes.take(event, at: index) {
      builder.run.arrows.append(PageArrow(post, index, bar: builder.barOfDelivery[index]))
    }
  }

  /// Returns the part of the run that was added since the last call.
  package mutating func growth() -> RunGrowth {
    let (run, kinds, changed) = (builder.run, builder.kinds.texts, builder.changedBars.sorted())
    let old = returned
    returned = (run.rows.count, run.arrows.count, kinds.count, run.views.count)
    builder.changedBars = []
    return RunGrowth(
      first: old.rows, rows: Array(run.rows[old.rows...]), bars: changed.map { ($0, run.bars[$0]) },
      arrows: Array(run.arrows[old.arrows...]), kinds: Array(kinds[old.kinds...]),
      views: Array(run.views[old.views...]))
  }

  private mutating func endRequest(_ path: String, _ event: RunEvent) {
    guard let bars = requests[path]?.first else { return }
    requests[path]?.removeFirst()
    if requests[path]?.isEmpty == true { requests[path] = nil }
    let isCancelled = event[.error] == Scenario.ErrorCategory.cancelled.rawValue
    for bar in bars { builder.end(bar, isCancelled ? .cancelled : event.isFailedRequest ? .error : .success) }
  }

  /// The last rows, with all bars and arrows that they need.
  ///
  /// - Parameter most: the maximum number of rows.
  package func suffix(_ most: Int) -> RunGrowth {
    let run = builder.run
    let first = max(0, run.rows.count - most)
    return RunGrowth(
      first: first, rows: Array(run.rows[first...]),
      bars: run.bars.enumerated().filter { ($0.element.end ?? .max) >= first }.map { ($0.offset, $0.element) },
      arrows: run.arrows.filter { $0.start >= first }, kinds: builder.kinds.texts, views: run.views)
  }
}

/// A part of a run. Indices count from the start of the run.
package struct RunGrowth: Sendable, Encodable {
  /// The index of the first row.
  package let first: Int
  package let rows: [PageRow]
  /// The bars that begin or end in the part, each with its index.
  package let bars: [(index: Int, bar: PageBar)]
  package let arrows: [PageArrow]
  /// The kinds and views that appear first in the part.
  package let kinds: [String]
  package let views: [String]

  private enum CodingKeys: String, CodingKey {
    case first = "i"
    case rows = "r"
    case bars = "b"
    case arrows = "a"
    case kinds = "k"
    case views = "w"
  }

  private struct NumberedBar: Encodable {
    let index: Int
    let bar: PageBar

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(index)
      try container.encode(bar)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(first, forKey: .first)
    try container.encode(rows, forKey: .rows)
    try container.encode(bars.map { NumberedBar(index: $0.index, bar: $0.bar) }, forKey: .bars)
    try container.encode(arrows, forKey: .arrows)
    try container.encode(kinds, forKey: .kinds)
    try container.encode(views, forKey: .views)
  }
}
