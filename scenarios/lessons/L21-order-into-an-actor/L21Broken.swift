import EventBus
import Lessons

/// A notebook that keeps its lines in the order they were written.
final class Notebook: L21.Program {
  private let runtime: any Runtime
  private let page = Page()

  init(runtime: any Runtime) {
    self.runtime = runtime
  }

  func write(_ line: String) {
    _ = runtime.task { [page] in await page.append(line) }
  }

  func close() {}

  func lines() async -> [String] { await page.lines }
}

private actor Page {
  private(set) var lines: [String] = []

  func append(_ line: String) { lines.append(line) }
}
