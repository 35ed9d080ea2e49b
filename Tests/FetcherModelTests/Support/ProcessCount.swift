import Foundation

/// What this process holds at the moment, as the system counts it.
enum ProcessCount {
  #if os(Linux)
    static var threads: Int { entries("task") }
    static var openFiles: Int { entries("fd") }

    /// The resident memory in bytes.
    static var memory: Int {
      let text = try? FileHandle(forReadingAtPath: "/proc/self/statm")?.readToEnd()
      let fields = String(decoding: text ?? Data(), as: UTF8.self).split(separator: " ")
      return fields.count > 1 ? (Int(fields[1]) ?? -1) * Int(sysconf(Int32(_SC_PAGESIZE))) : -1
    }

    private static func entries(_ folder: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? -1
    }
  #endif

  /// Whether the thread sanitizer is at work, whose shadow multiplies all memory.
  static var isSanitized: Bool { dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__tsan_init") != nil }

  /// How many times longer things may take than in a plain build.
  static var slowness: Int { isSanitized ? 10 : 1 }
}
