import Foundation
package import ScheduleExplorer
import VirtualTime

/// Converts the items of an explored run into a run for a page, with one row for each item.
package struct ScheduleRun {
  private let items: RecordedRun
  private let files: [PageFile]
  private var run: PageRun
  private var kinds = KnownTexts()
  private var ready = ReadyNames()
  /// The row index of each item, keyed by the item's number.
  private var rowOfItem: [Int: Int] = [:]
  /// The bar index of each span that has not ended yet.
  private var open: [UInt64: Int] = [:]
  private var subscriptions: [UInt64: Int] = [:]
  /// The row index of the latest post for each topic.
  private var posts: [String: Int] = [:]

  /// - Parameters:
  ///   - files: the files that may contain calls to the stage.
  ///   - guilty: the source location of the failure.
  package static func page(
    id: String, name: String, _ items: RecordedRun, files: [PageFile], guilty: PageRow.Source? = nil
  ) -> PageRun {
    var builder = ScheduleRun(id: id, name: name, items, files)
    for index in items.steps.indices where !items.steps[index].isLook || items.steps[index].deviation != nil {
      builder.add(index)
    }
    builder.judge(guilty)
    builder.run.kinds = builder.kinds.texts
    builder.run.names = builder.ready.names
    return builder.run
  }

  private init(id: String, name: String, _ items: RecordedRun, _ files: [PageFile]) {
    (self.items, self.files) = (items, files)
    run = PageRun(id: id, name: name)
    run.hasTimes = false
  }

  private mutating func add(_ index: Int) {
    let step = items.steps[index], number = run.rows.count
    let isStep = step.item.kind == .step
    var row = PageRow(.zero, isStep ? .user : PageLane(step.item), isStep ? .step : .other, step.name)
    row.shape = shape(of: step)
    for mark in step.marks { take(mark.fact, number, &row) }
    row.origin = isStep ? .main : nil
    row.kind = kinds.number(of: "\(step.item.kind)")
    row.source = location(of: step)
    row.ready = ready.numbers(items.ready(before: index).map { ($0.name, $0.scheduler, $0.isChosen) })
    let overtaken = items.overtaken(by: index)
    if !overtaken.isEmpty { row.deviation = "before \(overtaken.joined(separator: ", "))".withVisibleControls }
    if let cause = step.item.cause.flatMap({ rowOfItem[$0] }) { run.arrows.append(PageArrow(cause, number)) }
    rowOfItem[step.item.number] = number
    run.rows.append(row)
  }

  private func shape(of step: RecordedStep) -> PageRow.Shape {
    if step.item.kind == .step { return .step }
    for mark in step.marks {
      switch mark.fact {
      case .shows: return .draw
      case .ends(.request, _, let error): return error == nil ? .end : .error
      case .posts: return .post
      case .delivers: return .delivery
      case .begins(.request, _, _): return .start
      case .begins(.subscription, _, _): return .subscribe
      case .ends(.subscription, _, _): return .unsubscribe
      }
    }
    return .other
  }

  private mutating func take(_ fact: RunMark.Fact, _ number: Int, _ row: inout PageRow) {
    switch fact {
    case .shows(let text, let view):
      if !run.views.contains(view) { run.views.append(view) }
      row.views.append(
        PageRow.View(
          index: run.views.firstIndex(of: view) ?? 0, shown: text.withVisibleControls, detail: "", isVisible: true))
      row.subject = text.withVisibleControls
    case .begins(.request, let id, let name):
      let subject = Self.subject(name)
      open[id] = run.bars.count
      run.bars.append(PageBar(.request, .network, name, subject: subject, start: number))
      row.subject = row.subject ?? subject
    case .ends(.request, let id, let error):
      guard let bar = open.removeValue(forKey: id) else { return }
      run.bars[bar].end = number
      run.bars[bar].result = error == nil ? .success : error == "cancelled" ? .cancelled : .error
      row.subject = row.subject ?? run.bars[bar].subject
    case .begins(.subscription, let id, let name):
      subscriptions[id] = run.bars.count
      run.bars.append(PageBar(.subscription, .bus, name, subject: nil, start: number))
    case .ends(.subscription, let id, _):
      guard let bar = subscriptions.removeValue(forKey: id) else { return }
      run.bars[bar].end = number
      run.bars[bar].result = .success
    case .posts(let topic):
      posts[topic] = number
      row.isOpen = !subscriptions.values.contains { run.bars[$0].label == topic }
    case .delivers(let topic, let id):
      if let post = posts[topic] { run.arrows.append(PageArrow(post, number, bar: subscriptions[id])) }
    }
  }

  /// Returns the name of the requested picture.
  private static func subject(_ name: String) -> String {
    String(name.split(separator: " ", maxSplits: 1).last ?? "").withVisibleControls
  }

  /// Returns a location in one of the files: that of the latest call to the stage, or else the place where a task
  /// resumed.
  private func location(of step: RecordedStep) -> PageRow.Source? {
    for mark in step.marks.reversed() {
      guard let fileID = mark.fileID, let line = mark.line else { continue }
      let name = fileID.split(separator: "/").last.map(String.init) ?? fileID
      if let file = files.firstIndex(where: { $0.path.hasSuffix("/\(name)") || $0.path == name }) {
        return PageRow.Source(file: file, line: line)
      }
    }
    guard let site = step.site?.split(separator: " ").last?.split(separator: ":"), site.count == 2,
      let line = Int(site[1]), let file = files.firstIndex(where: { $0.path.hasSuffix("/\(site[0])") })
    else { return nil }
    return PageRow.Source(file: file, line: line)
  }

  private mutating func judge(_ guilty: PageRow.Source?) {
    run.isPassed = items.verdict.finding == nil
    run.verdict = (items.verdict.finding?.message ?? "passed: \(items.verdict.outcome)").withVisibleControls
    guard !run.isPassed, let last = run.rows.indices.last else { return }
    run.rows[last].failure = run.verdict
    if run.rows[last].source == nil { run.rows[last].source = guilty }
  }
}

extension PageLane {
  /// The lane in which an item ran.
  init(_ item: ReadyItem) {
    self =
      switch item.scheduler.kind {
      case .main: .main
      case .workers: .workers
      case .tasks: .tasks
      case .serial: item.scheduler.label == "network" ? .network : .workers
      }
  }
}
