import Foundation

/// The machine and the operating system of a report.
public struct Machine: Encodable, Sendable, CustomStringConvertible {
  /// The processor's name, as the system reports it.
  public let processor: String
  /// The number of processors available to this process.
  public let processors: Int
  /// The memory in GiB, rounded.
  public let memory: Int
  /// The operating system.
  public let system: String
  /// The major and minor version of the Swift compiler.
  public let swift: String

  /// The machine of this process.
  public static var current: Machine {
    let process = ProcessInfo.processInfo
    return Machine(
      processor: value(of: "model name", in: "/proc/cpuinfo", separator: ":") ?? "unknown processor",
      processors: process.activeProcessorCount,
      memory: Int((Double(process.physicalMemory) / 1_073_741_824).rounded()),
      system: value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? process.operatingSystemVersionString,
      swift: compiler)
  }

  /// A summary of the machine, as part of a sentence.
  public var description: String { "\(processor), \(processors) cores, \(memory) GiB, \(system), Swift \(swift)" }

  private static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  private static func value(of key: String, in path: String, separator: Character) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix(key) {
      guard let place = line.firstIndex(of: separator) else { continue }
      return line[line.index(after: place)...].trimmingCharacters(in: CharacterSet(charactersIn: " \""))
    }
    return nil
  }
}
