import Foundation

/// A call of a virtual runtime by a thread that does not belong to its run.
public struct ForeignCall: Sendable, CustomStringConvertible {
  /// What was called, and where: `schedule on main`.
  public let call: String
  /// The thread that called, by its name if it has one.
  public let thread: String
  /// The functions that the caller was in, innermost first; empty where the system does not say.
  public let stack: [String]
  /// The same as addresses, all of them.
  package let addresses: [CodeAddress]
  /// What to do about it.
  package let advice: String

  private static let mostFrames = 24
  /// Parts of the names of functions between the caller and the report: of the runtime, and of Swift's own.
  private static let own = [
    "ForeignCall", "VirtualCore", "VirtualScheduler", "VirtualRuntime", "VirtualGate", "swift_task",
    "swift_continuation", "swift_job", "swift::", "Job.runSynchronously", "Continuation.resume", "Task<>.init",
  ]

  package static let standardAdvice =
    "Whatever started that thread (Task {}, a queue, a timer) must ask the runtime instead."

  /// - Parameters:
  ///   - others: the same as `own`, for the module above that makes the report.
  ///   - advice: returns what to do about it, given the stack.
  package init(_ call: String, through others: [String] = [], advice: ([String]) -> String = { _ in standardAdvice }) {
    self.call = call
    thread = Thread.current.name.flatMap { $0.isEmpty ? nil : $0 } ?? "\(ThreadID.current)"
    addresses = CallStack.addresses(most: Self.mostFrames)
    let frames = CallStack.functions(of: addresses)
    let isOwn = { (frame: String) in (Self.own + others).contains { frame.contains($0) } }
    // The innermost functions read the stack.
    stack = Array(frames.drop { !isOwn($0) }.drop(while: isOwn))
    self.advice = advice(frames)
  }

  /// The call, the thread, and the function that it came from.
  public var description: String { text(from: nil) }

  /// - Parameter site: where it came from, if more is known than the function.
  package func text(from site: String?) -> String {
    "\(call) by thread \(thread)" + ((site ?? stack.first).map { ", from \($0)" } ?? "")
  }
}
