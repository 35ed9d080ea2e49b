/// A notebook that keeps its lines in the order they were written.
final class Notebook: Sendable {
  private let page = Page()

  init() {}

  func write(_ line: String) {
    Task(name: line) { [page] in await page.append(line) }
  }

  func close() {}

  func lines() async -> [String] { await page.lines }
}

private actor Page {
  private(set) var lines: [String] = []

  func append(_ line: String) { lines.append(line) }
}
