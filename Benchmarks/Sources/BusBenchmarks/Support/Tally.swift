import Harness

/// Counts the calls of handlers, so that a contender cannot be fast by not delivering.
///
/// A handler captures only the cell, which is a plain number. Counting therefore needs no reference counting and no atomics, and the
/// handlers of one tally must not run concurrently.
final class Tally {
  struct Cell: @unchecked Sendable {
    fileprivate let pointer: UnsafeMutablePointer<Int>

    var value: Int { pointer.pointee }
    func increment() { pointer.pointee &+= 1 }
  }

  let cell: Cell
  private let memory: UnsafeMutableRawPointer
  private var expected = 0

  init() {
    // Two cache lines, because processors fetch them in pairs, and the tallies of two threads must not share a pair.
    memory = .allocate(byteCount: 128, alignment: 128)
    cell = Cell(pointer: memory.initializeMemory(as: Int.self, to: 0))
  }

  deinit { memory.deallocate() }

  /// Ends the process unless the handlers were called exactly this many more times.
  func expect(_ calls: Int) {
    expected += calls
    require(cell.value == expected, "expected \(expected) calls, counted \(cell.value)")
  }
}
