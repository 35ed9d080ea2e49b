import Bytes
import ScenarioEngine
import ScenarioFormat

/// Shows a run as a table with five columns. Events in the same turn of main share a row.
struct DemoWalk {
  private enum Column: CaseIterable {
    case user, main, bus, network
  }

  private struct Row {
    let time: Duration
    var cells: [Column: [String]] = [:]
  }

  private enum Line {
    case heading(String)
    case row(Row)
  }

  /// The view subscribes to both topics of an image in the same turn, so one row represents both subscriptions.
  private static let topics = ["ImageFetched", "ImageFetchFailed"]

  private var content: [Line] = []
  private var ended: Set<String> = []
  /// The row of the current turn of main.
  private var row: (turn: Int, index: Int)?

  init(_ record: RunRecord) {
    for (_, event) in record.shown { add(event) }
  }

  private mutating func add(_ event: RunEvent) {
    let image = visible(event[.image] ?? "")
    switch event.kind {
    case .note: content.append(.heading(visible(event[.text] ?? "")))
    case .fetchStart: ended.remove(image)
    case .fetchDone, .fetchFailed: ended.insert(image)
    case .viewAppear: add("appear", .user, event)
    case .viewDisappear: add("disappear", .user, event)
    case .viewSelect: add("select \(image)", .user, event)
    case .strategySwitch: add(strategy: visible(event[.strategy] ?? ""))
    case .uiUpdate: add("draw \(visible(event[.shown] ?? ""))", .main, event)
    case .requestBegin: add("GET \(image)", .network, event)
    // If a strategy rejects the head of a response, the request ends after the fetch. Such a request gets no cell.
    case .requestEnd where !ended.contains(image):
      add("\(visible(event[.status] ?? event[.error] ?? "read")) \(image)", .network, event)
    case .busSubscribe where event[.topic] == Self.topics[0]: add("subscribe \(image)", .bus, event)
    case .busUnsubscribe where event[.topic] == Self.topics[0]: add("unsubscribe \(image)", .bus, event)
    case .busPost where Self.topics.contains(event[.topic] ?? ""): add("post \(event.busCaption)", .bus, event)
    case .busDeliver: add("deliver to \(visible(event[.subscriber] ?? ""))", .bus, event)
    default: break
    }
  }

  private mutating func add(strategy: String) {
    var words = ["Strategy: \(strategy)."]
    if case .heading(let text)? = content.last {
      words.insert(text, at: 0)
      content.removeLast()
    }
    content.append(.heading(words.joined(separator: " ")))
  }

  private mutating func add(_ text: String, _ column: Column, _ event: RunEvent) {
    guard let turn = event.turn, let row, row.turn == turn, case .row(var known) = content[row.index] else {
      row = event.turn.map { ($0, content.count) } ?? row
      content.append(.row(Row(time: event.time, cells: [column: [text]])))
      return
    }
    known.cells[column, default: []].append(text)
    content[row.index] = .row(known)
  }

  /// Returns the lines of the table. A heading spans all columns.
  ///
  /// - Parameters:
  ///  - heading: a closure that styles the column titles for a terminal.
  ///  - note: a closure that styles the headings between rows.
  func lines(heading: (String) -> String, note: (String) -> String) -> [String] {
    var table = Table([.number("ms"), .text("user"), .text("main"), .text("bus"), .text("network")])
    for case .row(let row) in content {
      let cells = Column.allCases.map { row.cells[$0, default: []].joined(separator: ", ") }
      table.add([(row.time.inSeconds * 1000).fixed(0)] + cells)
    }
    var rows = table.lines(heading: heading)[...]
    return [rows.removeFirst()]
      + content.map { line in
        switch line {
        case .heading(let text): note(text)
        case .row: rows.removeFirst()
        }
      }
  }
}
