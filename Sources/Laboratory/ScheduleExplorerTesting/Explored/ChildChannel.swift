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

    func beginRun(_ randomSeed: UInt32) { memory?.beginRun(randomSeed) }
    func deviate(_ deviation: Deviations.Deviation) { memory?.add(deviation) }
  }

  /// A schedule in the memory of a child, which its parent reads as a file.
  ///
  /// The parent does not map the file: the `Runtime` module of Swift 6.3 reads every mapped file, and would read one that
  /// has just been unmapped. `Sendable` is unchecked, because only the thread of the search uses the memory.
  final class ScheduleMemory: @unchecked Sendable {
    /// The number of 32-bit words: a header, and two words for each deviation.
    fileprivate static let words = 16_384
    /// The number of the schedule, the seed of its random numbers, and the count of its deviations.
    fileprivate static let header = 3
    static let size = words * MemoryLayout<UInt32>.size

    private let base: UnsafeMutablePointer<UInt32>

    /// Maps the file as long as this process lives. Returns nil if it has another size.
    init?(_ descriptor: Int32) {
      let address = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
      guard let address, address != MAP_FAILED else { return nil }
      base = address.bindMemory(to: UInt32.self, capacity: Self.words)
    }

    func beginRun(_ randomSeed: UInt32) {
      base[0] &+= 1
      base[1] = randomSeed
      base[2] = 0
    }

    func add(_ deviation: Deviations.Deviation) {
      let count = Int(base[2])
      let next = Self.header + 2 * count
      guard next + 1 < Self.words else { return }
      base[next] = UInt32(truncatingIfNeeded: deviation.choice)
      base[next + 1] = UInt32(truncatingIfNeeded: deviation.index)
      base[2] = UInt32(count + 1)
    }
  }

  /// The file of a child's ``ScheduleMemory``, as its parent reads it.
  struct ScheduleFile {
    let descriptor: Int32

    /// The number of schedules that have begun.
    var schedules: Int { Int(words(1).first ?? 0) }

    /// The schedule that was running. Read it only after the child has ended.
    var schedule: Deviations {
      let words = words(ScheduleMemory.words)
      guard words.count == ScheduleMemory.words else { return Deviations() }
      let list = stride(from: ScheduleMemory.header, to: ScheduleMemory.header + 2 * Int(words[2]), by: 2).map {
        Deviations.Deviation(choice: Int(words[$0]), index: Int(words[$0 + 1]))
      }
      return Deviations(list, randomSeed: words[1])
    }

    private func words(_ count: Int) -> [UInt32] {
      [UInt32](unsafeUninitializedCapacity: count) { buffer, filled in
        let size = MemoryLayout<UInt32>.size
        filled = max(0, pread(descriptor, buffer.baseAddress, count * size, 0)) / size
      }
    }
  }
#endif
