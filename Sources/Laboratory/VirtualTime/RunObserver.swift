import Foundation

/// Callbacks of a virtual run. They must not call the runtime.
public struct RunObserver: Sendable {
  /// Called with each item before it runs, on the thread that runs it.
  public var willRun: (@Sendable (ReadyItem) -> Void)?
  /// Called with each ``VirtualRuntime/note(_:)``, on the thread that makes the call.
  public var noted: (@Sendable (String) -> Void)?
  /// Called with each action of the running item that can affect other items, on the thread that runs it.
  public var touched: (@Sendable (Touch) -> Void)?
  /// Called with each foreign call, on the thread that makes the call.
  public var calledByForeignThread: (@Sendable (ForeignCall) -> Void)?
  /// Called with the running item's name and a flag that tells whether the item only inspects state.
  package var named: (@Sendable (String, _ onlyLooks: Bool) -> Void)?
  /// Called with each fact about the running item, on the thread that runs it.
  package var marked: (@Sendable (RunMark) -> Void)?
  /// Called with each job of a runtime's task before the job runs, on the thread that runs it.
  package var willRunJob: (@Sendable (UnownedJob) -> Void)?

  /// Creates an observer with these callbacks.
  public init(
    willRun: (@Sendable (ReadyItem) -> Void)? = nil, noted: (@Sendable (String) -> Void)? = nil,
    calledByForeignThread: (@Sendable (ForeignCall) -> Void)? = nil, touched: (@Sendable (Touch) -> Void)? = nil
  ) {
    self.willRun = willRun
    self.noted = noted
    self.calledByForeignThread = calledByForeignThread
    self.touched = touched
  }
}

/// A call to a virtual runtime from a thread that does not belong to its run.
public struct ForeignCall: Sendable, CustomStringConvertible {
  /// The call and its scheduler, as in `schedule on main`.
  public let call: String
  /// The name of the calling thread, or its number if it has no name.
  public let thread: String
  /// The caller's stack, innermost function first. Empty if it is not available.
  public let stack: [String]
  /// The unfiltered stack, as addresses.
  package let addresses: [CodeAddress]
  /// A suggested fix.
  package let advice: String

  private static let maximumFrames = 24
  /// Parts of the names of the runtime and Swift functions that lie between the caller and the report.
  private static let own = [
    "ForeignCall", "VirtualCore", "VirtualScheduler", "VirtualRuntime", "VirtualGate", "swift_task",
    "swift_continuation", "swift_job", "swift::", "Job.runSynchronously", "Continuation.resume", "Task<>.init",
  ]

  package static let standardAdvice =
    "The code that started that thread (Task {}, a queue, a timer) must use the runtime instead."

  /// - Parameters:
  ///   - others: names of additional functions to skip, which belong to the reporting module.
  ///   - advice: a closure that returns a suggested fix for a stack.
  package init(_ call: String, through others: [String] = [], advice: ([String]) -> String = { _ in standardAdvice }) {
    self.call = call
    thread = Thread.current.name.flatMap { $0.isEmpty ? nil : $0 } ?? "\(ThreadID.current)"
    addresses = CallStack.addresses(most: Self.maximumFrames)
    let frames = CallStack.functions(of: addresses)
    let isOwn = { (frame: String) in (Self.own + others).contains { frame.contains($0) } }
    // The innermost functions are the ones that read the stack.
    stack = Array(frames.drop { !isOwn($0) }.drop(while: isOwn))
    self.advice = advice(frames)
  }

  /// The call, the thread, and the calling function.
  public var description: String { text(from: nil) }

  /// - Parameter site: the source location of the call, or nil if it is unknown.
  package func text(from site: String?) -> String {
    "\(call) by thread \(thread)" + ((site ?? stack.first).map { ", from \($0)" } ?? "")
  }
}
