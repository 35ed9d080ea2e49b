import EventBus
import Lessons

/// A notebook that keeps its lines in the order of writing.
final class Notebook: L21.Program {
  private let runtime: any Runtime
  private let page = Page()

  init(runtime: any Runtime) {
    self.runtime = runtime
  }

  func write(_ line: String) {
    // Start the tasks on main, one after another.
    runtime.main.schedule { [runtime, page] in
      _ = runtime.task { await page.append(line) }
    }
  }

  func close() {}

  func lines() async -> [String] { await page.lines }
}

private actor Page {
  private(set) var lines: [String] = []

  func append(_ line: String) { lines.append(line) }
}
