public import VirtualTime

/// Suspends the body of `exploreSwift` until nothing else is left to do: no job is ready, and no task sleeps.
///
/// For checks of code that starts tasks and does not hand them out. Traps outside `exploreSwift`.
public func untilIdle(isolation: isolated (any Actor)? = #isolation) async {
  if await !SwiftSession.idle() { fatalError("untilIdle() was called outside exploreSwift.") }
}

/// The runtime of the schedule that runs: for notes in the report, for code that is given a `Runtime`, and for a simulated
/// network or user beside unmodified Swift code.
///
/// ```swift
/// exploredRuntime.note("tap, \(basket.count) in the basket")
/// ```
///
/// Traps outside `exploreSwift`, and on a thread that does not belong to it.
///
/// Its `workers` are four threads: closures that wait at gates on all of them keep a fifth from running.
public var exploredRuntime: VirtualRuntime {
  guard let runtime = SwiftSession.currentRuntime else {
    fatalError(
      "exploredRuntime was asked for outside the body of exploreSwift, or on a thread that does not belong to it.")
  }
  return runtime
}
