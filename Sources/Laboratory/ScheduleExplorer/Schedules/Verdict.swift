import PlainText
public import VirtualTime

/// The failure of a run.
public struct Finding: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a failure.
  public enum Kind: Sendable, Hashable {
    /// A check failed.
    case check
    /// All remaining items wait at gates or for an event that never happens.
    case deadlock
    /// An item did not end, and blocks its thread.
    case blocked
    /// An item ended the process: a failed precondition, a forced unwrap of nil, or another trap.
    case trap
    /// The run did not end within the limit on steps.
    case livelock
    /// A thread outside the run called the run's runtime.
    case escape
    /// The same schedule led to a different run.
    case nondeterminism
  }

  /// The kind of the failure.
  public let kind: Kind
  /// The message.
  public let message: String
  /// The number of notes that precede the one that shows the failure, or nil if the whole run shows it.
  package var note: Int?

  /// Creates a finding.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

/// The result of one run.
public struct Verdict: Sendable {
  /// The failure, or nil if the run passed.
  public var finding: Finding?
  /// The outcome of the run. The search counts how often each outcome occurs.
  public var outcome: String
  /// The number of items that ran.
  public var steps: Int
  /// Whether real time affected the run. If so, the run does not count, and the same schedule runs again.
  var isDisturbed = false
  /// Whether the program drew a random number.
  var drawsNumbers = false
  /// Whether the items ran at their due times, so that the times of a table mean something.
  var keepsTimes = false

  /// Creates a verdict.
  public init(finding: Finding? = nil, outcome: String = "", steps: Int = 0) {
    self.finding = finding
    self.outcome = outcome
    self.steps = steps
  }
}

extension Finding {
  private static let limit = ", the limit maximumSteps; raise it for a program that ends later"

  /// Creates the failure that the end of a run describes. Returns nil if the run did not fail.
  public init?(_ end: VirtualRunEnd) {
    switch end {
    case .idle: return nil
    case .deadlock(let waiting):
      let schedulers = waiting.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      let items = schedulers.map { name in "\(waiting.count { $0 == name }.counted("item")) on \(name)" }
      let verb = waiting.count == 1 ? "waits at a gate" : "wait at gates"
      self.init(.deadlock, "deadlock: \(items.listed(with: "and")) \(verb) that nothing can open")
    case .livelock(let steps):
      self.init(.livelock, "livelock: \(steps) items ran at one moment of virtual time\(Self.limit)")
    case .endless(let steps): self.init(.livelock, "the run did not end within \(steps) items\(Self.limit)")
    }
  }
}

/// Throws a `Finding` with the message unless the condition holds.
///
/// Use this function in the checks of explored code. An assertion from a testing library would report every failing
/// schedule separately. With this function, the search reports one failure.
public func check(
  _ condition: Bool, _ message: @autoclosure () -> String = "the check failed", fileID: String = #fileID,
  line: Int = #line
) throws(Finding) {
  guard !condition else { return }
  throw Finding(.check, "\(message()) (\(fileID):\(line))")
}
