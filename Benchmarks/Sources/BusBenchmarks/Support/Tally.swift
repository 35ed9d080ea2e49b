import Harness

/// Counts the calls of handlers, so that nobody looks fast by not delivering.
///
/// A handler captures only the cell: a plain number, so that counting costs as little as can be, without reference counting and
/// without atomics. Therefore the handlers of one tally must not run beside each other.
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
    // Two cache lines, because processors fetch them in pairs: the tallies of two threads must not disturb each other.
    memory = .allocate(byteCount: 128, alignment: 128)
    cell = Cell(pointer: memory.initializeMemory(as: Int.self, to: 0))
  }

  deinit { memory.deallocate() }

  /// Ends the program unless there were exactly so many more calls.
  func expect(_ calls: Int) {
    expected += calls
    require(cell.value == expected, "\(expected) calls were due, \(cell.value) came.")
  }
}
