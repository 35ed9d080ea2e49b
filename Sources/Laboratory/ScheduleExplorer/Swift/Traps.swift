import Foundation
import Scheduling
import Synchronization
import VirtualTime

/// Lets a process survive a trap of explored code for long enough to report it.
///
/// After a trap, the state of the process is not reliable. So only a process that ends after its report catches traps.
package enum Traps {
  /// The point at which a thread trapped.
  struct Trap {
    let signal: Int32
    /// The stack of the thread, innermost first.
    let addresses: [CodeAddress]

    /// The finding, which names the last line of the program that ran.
    var finding: Finding {
      let site = CodeSites(addresses).first(of: addresses)
      return Finding(.trap, "\(Self.name(signal))\(site.map { " in \($0)" } ?? "")")
    }

    static func name(_ signal: Int32) -> String {
      switch signal {
      case SIGILL, SIGTRAP: "trap"
      case SIGABRT: "abort"
      case SIGSEGV, SIGBUS: "invalid memory access"
      case SIGFPE: "arithmetic error"
      default: "signal \(signal)"
      }
    }
  }

  private static let maximumFrames = 64
  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]
  private static let isCatching = Atomic(false)
  private static let caught = Locked<Trap?>(nil)

  static var areCaught: Bool { isCatching.load(ordering: .relaxed) }

  /// The words for the signal that ended a process, as in `trap`.
  package static func name(_ signal: Int32) -> String { Trap.name(signal) }

  /// Runs a search. Meanwhile, a thread that traps records its stack and then sleeps forever.
  package static func catching<Result>(_ search: () throws -> Result) rethrows -> Result {
    isCatching.store(true, ordering: .relaxed)
    defer { isCatching.store(false, ordering: .relaxed) }
    _ = caught.withLock { $0 }
    let old = signals.map { signal($0, handler) }
    defer { for (number, handler) in zip(signals, old) { _ = signal(number, handler) } }
    return try search()
  }

  private static let handler: @convention(c) (Int32) -> Void = { number in
    let addresses = CallStack.addresses(most: Traps.maximumFrames)
    Traps.caught.withLock { if $0 == nil { $0 = Trap(signal: number, addresses: addresses) } }
    while true { Thread.sleep(forTimeInterval: 86_400) }
  }

  static func takeCaught() -> Trap? { areCaught ? caught.withLock { $0.take() } : nil }
}

extension ExplorationFailure {
  /// Adds the order of the items to the report of a trap. Whether this order suffices takes further processes to know.
  mutating func describeTrap(_ overtaken: [[ReadyItem]], _ steps: [RecordedStep]) {
    guard let last = overtaken.last else { return }
    func name(_ item: ReadyItem) -> ItemName { ItemName(item.identity, steps.step(of: item), item) }
    flippedPair = Explainer.sentence(about: last, in: steps)
    pairLines = steps.lines(of: Array(last.suffix(2)))
    orderToken = Token(
      overtaken.flatMap { items in
        items.dropLast().map { OrderConstraint(before: name(items[items.count - 1]), after: name($0)) }
      })
  }
}

extension [RecordedStep] {
  /// The source lines of these items, without the unknown ones.
  func lines(of items: [ReadyItem]) -> [SourceLine] {
    items.compactMap { item in
      // The end of a sleep has no line. The job that it resumes has one.
      step(of: item)?.line ?? first { $0.item.cause == item.number && $0.line != nil }?.line
    }
  }
}
