import Foundation

/// The resources that this process uses now, as the system counts them.
package enum ProcessCount {
  #if os(Linux)
    package static var threads: Int { entries("task").count }

    /// The number of open files and sockets. Pipes do not count, because concurrent tests that run programs open them.
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

    /// The peak resident memory so far, in bytes.
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

  /// The processor time of the calling thread. The load of other threads does not count.
  package static var threadTime: Duration { time(of: CLOCK_THREAD_CPUTIME_ID) }

  /// The processor time of all threads of the process.
  package static var processTime: Duration { time(of: CLOCK_PROCESS_CPUTIME_ID) }

  private static func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Whether the thread sanitizer is active. Its shadow memory multiplies the memory use.
  package static var isSanitized: Bool {
    #if canImport(Darwin)
      let anyImage = UnsafeMutableRawPointer(bitPattern: -2)  // RTLD_DEFAULT, a macro that Swift does not import.
    #else
      let anyImage: UnsafeMutableRawPointer? = nil
    #endif
    return dlsym(anyImage, "__tsan_init") != nil
  }

  /// The factor by which a test may take longer than in a plain build.
  package static var slowness: Int { isSanitized ? 10 : 1 }
}
