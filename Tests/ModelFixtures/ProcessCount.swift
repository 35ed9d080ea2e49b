import Foundation

/// What this process holds at the moment, as the system counts it.
package enum ProcessCount {
  #if os(Linux)
    package static var threads: Int { entries("task").count }

    /// Files and sockets. Pipes are those of tests beside, which run programs.
    package static var openFiles: Int {
      entries("fd").count { descriptor in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        return target?.hasPrefix("pipe:") == false
      }
    }

    /// The resident memory in bytes.
    package static var memory: Int {
      let text = try? FileHandle(forReadingAtPath: "/proc/self/statm")?.readToEnd()
      let fields = String(decoding: text ?? Data(), as: UTF8.self).split(separator: " ")
      return fields.count > 1 ? (Int(fields[1]) ?? -1) * Int(sysconf(Int32(_SC_PAGESIZE))) : -1
    }

    /// The most memory that has been resident so far, in bytes.
    package static var peakMemory: Int {
      let text = String(
        decoding: (try? FileHandle(forReadingAtPath: "/proc/self/status")?.readToEnd()) ?? Data(), as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return (line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? -1) << 10
    }

    private static func entries(_ folder: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)")) ?? []
    }
  #endif

  /// How long the calling thread has run; what others take of the machine does not count.
  package static var threadTime: Duration { time(of: CLOCK_THREAD_CPUTIME_ID) }

  /// How long all threads have run together.
  package static var processTime: Duration { time(of: CLOCK_PROCESS_CPUTIME_ID) }

  private static func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Whether the thread sanitizer is at work, whose shadow multiplies all memory.
  package static var isSanitized: Bool {
    #if canImport(Darwin)
      let anyImage = UnsafeMutableRawPointer(bitPattern: -2)  // RTLD_DEFAULT, a macro that Swift does not import.
    #else
      let anyImage: UnsafeMutableRawPointer? = nil
    #endif
    return dlsym(anyImage, "__tsan_init") != nil
  }

  /// How many times longer things may take than in a plain build.
  package static var slowness: Int { isSanitized ? 10 : 1 }
}
