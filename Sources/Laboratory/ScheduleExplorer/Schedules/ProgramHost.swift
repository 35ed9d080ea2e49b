/// The test whose body a search runs. A run of a test ends when the body has returned and no job is ready. Delays that
/// are still pending do not end, because the work that a test leaves behind may run forever.
package struct ProgramHost: Sendable {
  /// Starts the program in a new task on the calling thread. The task inherits the task-local values of the test.
  package var start: @Sendable (_ program: @escaping @Sendable () async -> Void) -> Void
  /// Whether the sleeps of the program's own task keep their order with all other delays.
  package var keepsSleeps: Bool
  /// Called on the thread of the search before each schedule, with the seed of its random numbers.
  package var begins: @Sendable (_ randomSeed: UInt32) -> Void
  /// Called on the thread of the search when a schedule deviates from first in, first out. If the program ends the
  /// process, the schedule consists of the deviations since the last call of `begins`.
  package var deviates: @Sendable (Deviations.Deviation) -> Void

  /// Creates a host.
  package init(
    start: @escaping @Sendable (_ program: @escaping @Sendable () async -> Void) -> Void,
    keepsSleeps: Bool, begins: @escaping @Sendable (_ randomSeed: UInt32) -> Void,
    deviates: @escaping @Sendable (Deviations.Deviation) -> Void
  ) {
    self.start = start
    self.keepsSleeps = keepsSleeps
    self.begins = begins
    self.deviates = deviates
  }
}
