import EventBus

// Declarations that the examples assume.

/// A replacement for standard output, so that a test can check the output of an example.
///
/// Each suite of examples has a console and a method `print` that writes to it.
final class Console: Sendable {
  private let record = Record<String>()

  var lines: [String] { record.values }

  func print(_ items: [Any]) { record.append(items.map { "\($0)" }.joined(separator: " ")) }
}

// snippet
struct Saved: Event { let file: String }
// end

final class Window: Sendable {
  private let console: Console

  init(_ console: Console) { self.console = console }

  func show(_ file: String) { console.print(["showing", file]) }
}

/// A file that traps on a write after it is closed.
final class Log: Sendable {
  private let lines = Locked<[String]?>([])

  func append(_ line: String) { lines.withLock { $0!.append(line) } }

  func close() { lines.withLock { $0 = nil } }
}
