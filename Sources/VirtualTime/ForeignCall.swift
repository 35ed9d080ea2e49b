import Foundation

#if canImport(Runtime) && !canImport(Darwin)
  import Runtime
#endif

/// A call of a virtual runtime by a thread that does not belong to its run.
public struct ForeignCall: Sendable, CustomStringConvertible {
  /// What was called, and where: `schedule on main`.
  public let call: String
  /// The thread that called, by its name if it has one.
  public let thread: String
  /// The functions that the caller was in, innermost first; empty where the system does not say.
  public let stack: [String]

  private static let mostFrames = 24
  private static let ownTypes = ["ForeignCall", "VirtualCore", "VirtualScheduler", "VirtualRuntime", "VirtualGate"]

  init(_ call: String) {
    self.call = call
    thread = Thread.current.name.flatMap { $0.isEmpty ? nil : $0 } ?? "\(ThreadID.current)"
    stack = Array(Self.frames.drop { frame in Self.ownTypes.contains { frame.contains($0) } })
  }

  /// The call, the thread, and the function that it came from.
  public var description: String {
    "\(call) by thread \(thread)" + (stack.first.map { ", from \($0)" } ?? "")
  }

  private static var frames: [String] {
    #if canImport(Runtime) && !canImport(Darwin)
      let stack = try? Backtrace.capture(limit: mostFrames)
      return stack?.symbolicated(options: [.useSymbolCache])?.frames.compactMap { $0.symbol?.name } ?? []
    #else
      return Array(Thread.callStackSymbols.prefix(mostFrames))
    #endif
  }
}
