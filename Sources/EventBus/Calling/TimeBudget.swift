/// The maximum time for which a mailbox keeps its scheduler from doing other work: about 10 ms.
@usableFromInline
struct TimeBudget {
  /// The core whose runtime provides the time. This property is nil for Dispatch, where a coarse clock is read after
  /// each event. Reading the exact clock would cost as much as a short call. The reference is not retained, because a
  /// budget is copied for each event. The mailbox retains the core.
  private let core: Unmanaged<BusCore>?
  private let deadline: Int

  init(_ core: BusCore) {
    self.core = core.runtime is DispatchRuntime ? nil : .passUnretained(core)
    deadline = Self.now(self.core) + 10_000_000
  }

  @usableFromInline var isSpent: Bool { Self.now(core) >= deadline }

  private static func now(_ core: Unmanaged<BusCore>?) -> Int {
    core?._withUnsafeGuaranteedRef { $0.runtime.now.clampedNanoseconds } ?? System.coarseNanoseconds
  }
}
