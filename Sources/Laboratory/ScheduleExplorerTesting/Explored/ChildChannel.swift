#if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import Foundation
  import ScheduleExplorer
  import Scheduling

  /// The child's connection to its parent.
  ///
  /// The parent passes three descriptors. The standard input reports the end of the parent. A file receives messages,
  /// one per line. A file in memory always contains the deviations of the current schedule, so that the parent can read
  /// them after a trap.
  ///
  /// `Sendable` is unchecked, because only the thread of the search writes to the memory.
  final class ChildChannel: @unchecked Sendable {
    static let reportDescriptor: Int32 = 3
    static let memoryDescriptor: Int32 = 4

    /// The channel of this process, or nil if it is not a child.
    static let shared: ChildChannel? = ChildOrder.ofThisProcess == nil ? nil : ChildChannel()

    private let file = FileHandle(fileDescriptor: reportDescriptor, closeOnDealloc: false)
    private let memory: ScheduleMemory?

    private init() {
      memory = ScheduleMemory(Self.memoryDescriptor)
      let watch = Thread {
        // The parent never writes. The read returns when the parent has ended, however it ended.
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) < 0, errno == EINTR {}
        _exit(EXIT_FAILURE)
      }
      watch.start()
    }

    func send(_ message: ChildMessage) {
      guard let line = try? JSONEncoder().encode(message) else { return }
      file.write(line + Data("\n".utf8))
    }

    func beginRun() { memory?.beginRun() }
    func deviate(_ deviation: Deviations.Deviation) { memory?.add(deviation) }
  }

  /// A schedule in memory that two processes share.
  ///
  /// `Sendable` is unchecked, because the parent reads only after the child has ended, except the count of schedules.
  final class ScheduleMemory: @unchecked Sendable {
    /// The number of 32-bit words: two counts, and two words for each deviation.
    private static let words = 16_384
    static let size = words * MemoryLayout<UInt32>.size

    private let base: UnsafeMutablePointer<UInt32>

    /// Maps the file. Returns nil if it has another size.
    init?(_ descriptor: Int32) {
      let address = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
      guard let address, address != MAP_FAILED else { return nil }
      base = address.bindMemory(to: UInt32.self, capacity: Self.words)
    }

    deinit { munmap(base, Self.size) }

    func beginRun() {
      base[0] &+= 1
      base[1] = 0
    }

    func add(_ deviation: Deviations.Deviation) {
      let count = Int(base[1])
      guard 2 * count + 3 < Self.words else { return }
      base[2 * count + 2] = UInt32(truncatingIfNeeded: deviation.choice)
      base[2 * count + 3] = UInt32(truncatingIfNeeded: deviation.index)
      base[1] = UInt32(count + 1)
    }

    /// The number of schedules that have begun.
    var schedules: Int { Int(base[0]) }

    /// The deviations of the schedule that was running.
    var deviations: [Deviations.Deviation] {
      (0..<Int(base[1])).map { Deviations.Deviation(choice: Int(base[2 * $0 + 2]), index: Int(base[2 * $0 + 3])) }
    }
  }
#endif
