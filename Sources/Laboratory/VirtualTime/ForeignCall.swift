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
  /// Of the runtime, and of Swift's own, through which the caller came.
  private static let own = [
    "ForeignCall", "VirtualCore", "VirtualScheduler", "VirtualRuntime", "VirtualGate", "SwiftSession",
    "ProcessExecutors", "MainLane", "PoolLane", "swift_task", "swift_continuation", "swift_job", "swift::",
    "Job.runSynchronously", "Continuation.resume", "Task<>.init",
  ]

  private static func isOwn(_ frame: String) -> Bool { own.contains { frame.contains($0) } }

  package static let standardAdvice =
    "Whatever started that thread (Task {}, a queue, a timer) must ask the runtime instead."

  /// - Parameter advice: what to do about it, made of the stack.
  package init(_ call: String, advice: ([String]) -> String = { _ in standardAdvice }) {
    self.call = call
    thread = Thread.current.name.flatMap { $0.isEmpty ? nil : $0 } ?? "\(ThreadID.current)"
    addresses = CallStack.addresses(most: Self.mostFrames)
    let frames = CallStack.functions(of: addresses)
    // The innermost are of those who read the stack.
    stack = Array(frames.drop { !Self.isOwn($0) }.drop { Self.isOwn($0) })
    self.advice = advice(frames)
  }

  /// The call, the thread, and the function that it came from.
  public var description: String { text(from: nil) }

  /// - Parameter place: where it came from, if more is known than the function.
  package func text(from place: String?) -> String {
    "\(call) by thread \(thread)" + ((place ?? stack.first).map { ", from \($0)" } ?? "")
  }
}
