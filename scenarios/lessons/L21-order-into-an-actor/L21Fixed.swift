/// A notebook that keeps its lines in the order they were written.
final class Notebook: Sendable {
  private let page = Page()
  private let written: AsyncStream<String>.Continuation

  init() {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    written = continuation
    Task { [page] in
      for await line in stream { await page.append(line) }
    }
  }

  func write(_ line: String) {
    written.yield(line)
  }

  func close() { written.finish() }

  func lines() async -> [String] { await page.lines }
}

private actor Page {
  private(set) var lines: [String] = []

  func append(_ line: String) { lines.append(line) }
}
