import Foundation
package import ScenarioEngine
package import ScenarioFormat
package import ScheduleExplorer

/// A run of a scenario on the virtual clock, with the items that were ready at each step.
package struct RecordedScenario: Sendable {
  package let record: RunRecord
  package let items: RecordedRun

  /// Runs the scenario once.
  ///
  /// - Parameter schedule: a closure that creates the run's timing and policy from the recorder's schedule.
  package init(
    _ runner: VirtualScenarioRunner, _ strategy: String, _ deviations: Deviations = Deviations(),
    _ schedule: (Schedule) -> VirtualSchedule
  ) {
    var record = RunRecord()
    items = RecordedRun(deviations) { recorded in
      record = runner.run(strategy, schedule(recorded))
      return Verdict(outcome: record.ending, steps: record.steps)
    }
    self.record = record
  }
}

/// Converts the record of a scenario run into a run for a page.
package struct PageRunBuilder: Sendable {
  private let record: RunRecord
  private let scenario: Scenario
  private let source: SourceText
  var run: PageRun
  var kinds = KnownTexts()
  /// The bars that were added or closed since the set was last emptied.
  var changedBars: Set<Int> = []
  private var ready = ReadyNames()
  /// The row index of each event, by the event's index in the record.
  private var rowOfEvent: [Int] = []
  private var views: [String: ViewState] = [:]
  /// The indices of the unfinished bars of each subscription, and of the fetches of each image, with the oldest first.
  private var open: [BarKey: ArraySlice<Int>] = [:]
  /// The steps that come after the current row.
  private var marks: ArraySlice<RunRecord.Mark>
  /// The source line of the latest step at or before the current row.
  private var line: Int?
  /// The index of each delivery's subscription bar, keyed by the delivery's row.
  private(set) var barOfDelivery: [Int: Int] = [:]

  private struct ViewState {
    /// The view's index among the run's views.
    let index: Int
    var shown = ""
    var detail = ""
    var isVisible = false
  }

  private enum BarKey: Hashable {
    case fetch(image: String?)
    case subscription(Int?)
  }

  /// - Parameters:
  ///   - file: the index of the scenario's file in the page's files.
  ///   - items: the items that ran, or nil if they were not recorded.
  package static func page(
    id: String, name: String, _ record: RunRecord, _ items: RecordedRun?, _ outcome: ScenarioOutcome,
    _ scenario: Scenario, _ source: SourceText, file: Int = 0
  ) -> PageRun {
    var builder = PageRunBuilder(id: id, name: name, record, scenario, source)
    builder.addRows(items, file: file)
    builder.addRequests()
    builder.addDeliveries()
    builder.judge(outcome)
    builder.run.kinds = builder.kinds.texts
    builder.run.names = builder.ready.names
    return builder.run
  }

  init(id: String, name: String, _ record: RunRecord, _ scenario: Scenario, _ source: SourceText) {
    (self.record, self.scenario, self.source) = (record, scenario, source)
    marks = record.marks[...]
    run = PageRun(id: id, name: name)
  }

  // MARK: Rows

  private mutating func addRows(_ items: RecordedRun?, file: Int) {
    let owners = items.map { Self.owners(of: record.events, in: $0) } ?? []
    var lastItem = -1
    for (number, event) in record.shown {
      let item = number.flatMap { owners.indices.contains($0 - 1) ? owners[$0 - 1] : nil }
      if let items, let item { addDeviations(items, after: lastItem, upTo: item, event.time, file: file) }
      lastItem = max(lastItem, item ?? -1)
      var row = row(event)
      row.number = number
      row.kind = kinds.number(of: event.kind.rawValue)
      row.source = stepLine().map { PageRow.Source(file: file, line: $0) }
      if let items, let item {
        row.ready = ready.numbers(items.ready(before: item).map { ($0.name, $0.scheduler, $0.isChosen) })
      }
      if number != nil { rowOfEvent.append(run.rows.count) }
      run.rows.append(row)
    }
    if let items {
      addDeviations(items, after: lastItem, upTo: items.steps.count - 1, record.duration, file: file)
    }
  }

  /// Returns, for each event, the index of the item in which it happened. Each event is recorded as a note of its item.
  private static func owners(of events: [RunEvent], in items: RecordedRun) -> [Int] {
    let owners = items.steps.enumerated().flatMap { index, step in step.notes.map { _ in index } }
    return owners.count >= events.count ? Array(owners.prefix(events.count)) : []
  }

  /// Adds a row for each item that deviated from first in, first out.
  private mutating func addDeviations(
    _ items: RecordedRun, after first: Int, upTo last: Int, _ time: Duration, file: Int
  ) {
    guard first < last else { return }
    for index in (first + 1)...last where items.steps[index].deviation != nil {
      let step = items.steps[index]
      var row = PageRow(time, PageLane(step.item), .other, "\(step.name) runs first")
      row.kind = kinds.number(of: "\(step.item.kind)")
      row.deviation = "before \(items.overtaken(by: index).joined(separator: ", "))"
      row.ready = ready.numbers(items.ready(before: index).map { ($0.name, $0.scheduler, $0.isChosen) })
      row.source = stepLine().map { PageRow.Source(file: file, line: $0) }
      run.rows.append(row)
    }
  }

  /// Returns the source line of the latest scenario step at or before the current row.
  private mutating func stepLine() -> Int? {
    while let mark = marks.first, mark.position <= rowOfEvent.count {
      line = source.position(of: scenario.steps[mark.step].range.lowerBound).line
      marks.removeFirst()
    }
    return line
  }

  mutating func row(_ event: RunEvent) -> PageRow {
    let (lane, origin) = Self.lanes(event)
    var row = PageRow(event.time, lane, event.shape, event.sentence)
    row.origin = origin
    row.subject = (event[.image] ?? event[.path].map(image))?.withVisibleControls
    row.isOpen = event.kind == .busPost && !event.isForTrace && event[.subscriber] == Scenario.noSubscriber
    if let view = event[.view] { row.views = update(view, event) }
    addBar(event, lane)
    return row
  }

  /// Returns the image with this path, or the path.
  private func image(_ path: String) -> String { scenario.images.first { $0.path.text == path }?.id ?? path }

  private static func lanes(_ event: RunEvent) -> (lane: PageLane, origin: PageLane?) {
    let own: PageLane =
      switch event[.lane].flatMap(TraceLane.init) {
      case .user: .user
      case .workers: .workers
      case .origin: .network
      case .main, nil: .main
      }
    switch event.kind {
    case _ where event.kind.isOfBus: return (.bus, own)
    case .requestBegin, .requestEnd: return (.network, own == .network ? nil : own)
    default: return (own, nil)
    }
  }

  private mutating func update(_ name: String, _ event: RunEvent) -> [PageRow.View] {
    var state = views[name] ?? ViewState(index: run.views.count)
    if state.index == run.views.count { run.views.append(name) }
    switch event.kind {
    case .viewAppear: state.isVisible = true
    case .viewDisappear: state.isVisible = false
    case .uiUpdate: state.shown = event[.shown] ?? "nothing"
    case .pageShow:
      state.detail = [event[.error], event[.text]].compactMap(\.self).joined(separator: ": ")
      state.isVisible = true
    default: break
    }
    views[name] = state
    return [
      PageRow.View(
        index: state.index, shown: state.shown.withVisibleControls, detail: state.detail.withVisibleControls,
        isVisible: state.isVisible)
    ]
  }

  // MARK: Bars and arrows

  private mutating func addBar(_ event: RunEvent, _ lane: PageLane) {
    let index = run.rows.count
    let subject = event[.image]?.withVisibleControls
    switch event.kind {
    case .fetchStart:
      open[.fetch(image: event[.image]), default: []].append(run.bars.count)
      append(PageBar(.fetch, .main, event.sentence, subject: subject, start: index))
    case .fetchDone: close(.fetch(image: event[.image]), .success)
    case .fetchFailed: close(.fetch(image: event[.image]), .error)
    case .fetchCancelled: close(.fetch(image: event[.image]), .cancelled)
    case .busSubscribe:
      open[.subscription(event.subscription)] = [run.bars.count]
      let words = [event[.topic], event[.image] ?? event[.text]].compactMap(\.self).joined(separator: " ")
      append(
        PageBar(.subscription, .bus, "\(event[.subscriber] ?? ""): \(words)", subject: subject, start: index))
    case .busDeliver: barOfDelivery[index] = open[.subscription(event.subscription)]?.first
    case .busUnsubscribe: close(.subscription(event.subscription), .success)
    default: break
    }
  }

  private mutating func close(_ key: BarKey, _ result: PageBar.End) {
    guard let bar = open[key]?.popFirst() else { return }
    if open[key]?.isEmpty == true { open[key] = nil }
    end(bar, result)
  }

  private mutating func append(_ bar: PageBar) {
    changedBars.insert(run.bars.count)
    run.bars.append(bar)
  }

  /// Ends a bar at the next row.
  mutating func end(_ bar: Int, _ result: PageBar.End) {
    changedBars.insert(bar)
    run.bars[bar].end = run.rows.count
    run.bars[bar].result = result
  }

  /// Adds the bars of a request: one for the network and, for a blocking read, one for the worker.
  ///
  /// - Returns: the indices of the bars.
  mutating func addRequest(_ event: RunEvent, start: Int) -> Range<Int> {
    let first = run.bars.count
    let subject = event[.image]?.withVisibleControls
    append(
      PageBar(.request, .network, "GET \(subject ?? event[.path] ?? "")", subject: subject, start: start))
    if event[.lane] == TraceLane.workers.rawValue {
      append(PageBar(.blocked, .workers, "blocked", subject: subject, start: start))
    }
    return first..<run.bars.count
  }

  private mutating func addRequests() {
    for request in record.requests {
      guard rowOfEvent.indices.contains(request.begin) else { continue }
      let end = request.end.flatMap { rowOfEvent.indices.contains($0) ? $0 : nil }
      for bar in addRequest(record.events[request.begin], start: rowOfEvent[request.begin]) {
        guard let end else { continue }
        run.bars[bar].end = rowOfEvent[end]
        run.bars[bar].result =
          request.abandoned != nil ? .cancelled : record.events[end].isFailedRequest ? .error : .success
      }
    }
  }

  private mutating func addDeliveries() {
    let shown = record.shown.map(\.event)
    // Rows for deviations are inserted between the rows for events.
    var rows: [Int] = []
    for (index, row) in run.rows.enumerated() where row.deviation == nil { rows.append(index) }
    guard rows.count == shown.count else { return }
    let positions = shown.indices.filter { shown[$0].kind.isOfBus }
    let posts = BusCauses.posts(of: positions.map { shown[$0] })
    for (delivery, post) in posts.sorted(by: { $0.key < $1.key }) {
      let end = rows[positions[delivery]]
      run.arrows.append(PageArrow(rows[positions[post]], end, bar: barOfDelivery[end]))
    }
  }

  // MARK: Result

  private mutating func judge(_ outcome: ScenarioOutcome) {
    run.isPassed = outcome.ok
    for failure in outcome.failures {
      let position = failure.step.map { $0 - 1 }
      let row = position.flatMap { rowOfEvent.indices.contains($0) ? rowOfEvent[$0] : nil } ?? run.rows.count - 1
      guard run.rows.indices.contains(row) else { continue }
      run.rows[row].failure = [run.rows[row].failure, failure.message.withVisibleControls].compactMap(\.self)
        .joined(separator: "; ")
    }
    let ending = run.views.compactMap { view in
      views[view].map { "\(view) shows \($0.shown.isEmpty ? $0.detail : $0.shown)" }
    }
    run.verdict =
      outcome.failures.first?.message.withVisibleControls
      ?? ending.joined(separator: ", ").withVisibleControls
  }
}
