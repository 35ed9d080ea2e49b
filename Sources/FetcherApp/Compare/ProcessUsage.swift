import Foundation

/// What the system says about this process.
enum ProcessUsage {
  /// Threads now.
  static var threads: Int? { status("Threads:") }

  /// The most resident memory so far, in bytes.
  static var peakMemory: Int? { status("VmHWM:").map { $0 * 1024 } }

  private static func status(_ key: String) -> Int? {
    #if os(Linux)
      guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
      let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
      return line?.dropFirst(key.count).split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    #else
      return nil
    #endif
  }
}
