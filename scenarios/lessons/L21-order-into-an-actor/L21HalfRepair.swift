/// A notebook that keeps its lines in the order they were written.
final class Notebook: Sendable {
  private let page = Page()

  init() {}

  func write(_ line: String) {
    // Start the tasks on main, one after the other.
    Task(name: line) { @MainActor [page] in
      Task.detached(name: line) { await page.append(line) }
    }
  }

  func close() {}

  func lines() async -> [String] { await page.lines }
}

private actor Page {
  private(set) var lines: [String] = []

  func append(_ line: String) { lines.append(line) }
}
