import Foundation

/// What the system says about this process.
enum ProcessUsage {
  /// Threads now.
  static var threads: Int? { status("Threads:") }

  /// The most resident memory since ``forgetPeak()``, in bytes.
  static var peakMemory: Int? { status("VmHWM:").map { $0 * 1024 } }

  /// Resident memory now, in bytes.
  static var memory: Int? { status("VmRSS:").map { $0 * 1024 } }

  /// CPU time of all threads so far, user and system, in seconds.
  static var cpu: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Bytes handed to `write` so far: files, not sockets, which are sent to.
  static var written: Int? { field("wchar:", of: "/proc/self/io") }

  /// Lets the peak of the memory begin anew.
  static func forgetPeak() {
    // What the kernel's documentation of clear_refs says.
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
  }

  private static func status(_ key: String) -> Int? { field(key, of: "/proc/self/status") }

  private static func field(_ key: String, of path: String) -> Int? {
    #if os(Linux)
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
      let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
      return line?.dropFirst(key.count).split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    #else
      return nil
    #endif
  }
}
