public import VirtualTime

/// What is wrong with a run.
public struct Finding: Error, Hashable, Sendable, CustomStringConvertible {
  /// How it was found.
  public enum Kind: Sendable, Hashable {
    /// A check failed.
    case check
    /// Everything that is left waits at gates, or for what nothing does.
    case deadlock
    /// An item did not end: it blocks its thread.
    case blocked
    /// The run did not end within the limit of steps.
    case livelock
    /// A thread that does not belong to the run called its runtime.
    case escape
    /// The same schedule did not give the same run.
    case nondeterminism
  }

  /// How it was found.
  public let kind: Kind
  /// What is wrong.
  public let message: String

  /// Makes a finding.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

/// What one run showed.
public struct Verdict: Sendable {
  /// Nil for a run that passed.
  public var finding: Finding?
  /// What the run led to, to count how many outcomes there are.
  public var outcome: String
  /// How many items ran.
  public var steps: Int
  /// Real time got into the run, which does not count: the same schedule runs once more.
  var isDisturbed = false

  /// Makes a verdict.
  public init(finding: Finding? = nil, outcome: String = "", steps: Int = 0) {
    self.finding = finding
    self.outcome = outcome
    self.steps = steps
  }
}

extension Finding {
  /// What is wrong with a run that ended so; nil if nothing is.
  public init?(_ end: VirtualRunEnd) {
    switch end {
    case .idle: return nil
    case .deadlock(let waiting):
      self.init(.deadlock, "deadlock: \(waiting.joined(separator: ", ")) wait at gates that nothing opens")
    case .livelock(let steps): self.init(.livelock, "livelock: \(steps) items ran while the time stood still")
    case .endless(let steps): self.init(.livelock, "no end in sight after \(steps) items")
    }
  }
}

/// Throws a `Finding` with the message unless the condition holds.
///
/// For the checks of explored code. An assertion of a testing library would report each failing schedule of the search by
/// itself; this one leaves the report to the search.
public func check(
  _ condition: Bool, _ message: @autoclosure () -> String = "the check does not hold", fileID: String = #fileID,
  line: Int = #line
) throws(Finding) {
  guard !condition else { return }
  throw Finding(.check, "\(message()) (\(fileID):\(line))")
}
