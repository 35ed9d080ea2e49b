import EventBus
import FetcherModel
import Foundation
import PlainText

/// The steps of a walk, as the rows of a table. The view's reaction to the user or to an event is in the same row as its
/// cause. It is safe to use on any thread.
final class DemoLog: Sendable {
  enum Column: CaseIterable {
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

  private struct Subscriber {
    let type: ObjectIdentifier
    let image: ImageID
    let name: String
  }

  private struct State {
    var lines: [Line] = []
    /// The index of the row of the last action of the user or of the bus on main.
    var cause: Int?
    var subscribers: [UInt64: Subscriber] = [:]
    var drawings: [String] = []
  }

  private let runtime: any Runtime
  private let start: Duration
  /// The name of the picture at each address.
  private let requests: [String: String]
  private let state = Locked(State())

  init(_ runtime: any Runtime, requests: [String: String]) {
    (self.runtime, self.requests) = (runtime, requests)
    start = runtime.now
  }

  /// The drawings of the view so far, in order.
  var drawings: [String] { state.withLock { $0.drawings } }

  /// Adds a line that spans all columns.
  func heading(_ text: String) {
    state.withLock { state in
      state.lines.append(.heading(text))
      state.cause = nil
    }
  }

  /// Records a drawing of the view.
  func draw(_ picture: String) {
    add("draw \(picture)", .main, isEffect: true)
    state.withLock { $0.drawings.append(picture) }
  }

  /// Records a request when a strategy sends it.
  func request(_ url: URL) { add("GET \(name(of: url))", .network) }

  /// Records a response when its fetch ends. A blocking read does not report the status.
  func response(_ url: URL, _ result: Result<FetchedBody, FetchError>) {
    let word =
      switch result {
      case .success(let body): body.status.map(String.init) ?? "read"
      case .failure(.badStatus(let status)): "\(status)"
      case .failure(let error): error.category.rawValue
      }
    add("\(word) \(name(of: url))", .network)
  }

  private func name(of url: URL) -> String { requests[url.absoluteString] ?? url.path }

  /// Records a step of the bus. The view subscribes to both events of a picture in one turn, which is shown once.
  func take(_ step: TraceEvent) {
    guard step.type == ImageFetched.self || step.type == ImageFetchFailed.self, let image = step.key as? ImageID else {
      return
    }
    let (type, isFetched) = (ObjectIdentifier(step.type), step.type == ImageFetched.self)
    switch step.kind {
    case .subscribed:
      let subscriber = Subscriber(type: type, image: image, name: step.name ?? "")
      state.withLock { $0.subscribers[step.subscription ?? 0] = subscriber }
      if isFetched { add("subscribe \(image.name)", .bus, isEffect: true) }
    case .cancelled:
      state.withLock { _ = $0.subscribers.removeValue(forKey: step.subscription ?? 0) }
      if isFetched { add("unsubscribe \(image.name)", .bus, isEffect: true) }
    case .posted:
      let names = state.withLock { $0.subscribers.values.filter { $0.type == type && $0.image == image }.map(\.name) }
      let receivers = names.isEmpty ? "no subscriber" : names.sorted().joined(separator: ", ")
      add("post \(step.type) \(image.name) -> \(receivers)", .bus)
    case .delivering: add("deliver to \(step.name ?? "")", .bus)
    case .accepted, .unhandled, .delivered, .failed, .dropped, .discarded: break
    }
  }

  /// Adds a step.
  ///
  /// - Parameter isEffect: whether the step belongs into the row of its cause on main.
  func add(_ text: String, _ column: Column, isEffect: Bool = false) {
    let (time, isOnMain) = (runtime.now - start, runtime.main.isCurrent)
    state.withLock { state in
      if isEffect, isOnMain, let cause = state.cause, case .row(var row) = state.lines[cause] {
        row.cells[column, default: []].append(text)
        state.lines[cause] = .row(row)
      } else {
        if isOnMain { state.cause = state.lines.count }
        state.lines.append(.row(Row(time: time, cells: [column: [text]])))
      }
    }
  }

  /// Returns the lines of the table.
  ///
  /// - Parameters:
  ///  - heading: a closure that styles the column titles for a terminal.
  ///  - note: a closure that styles the headings between rows.
  func lines(heading: (String) -> String, note: (String) -> String) -> [String] {
    let content = state.withLock { $0.lines }
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
