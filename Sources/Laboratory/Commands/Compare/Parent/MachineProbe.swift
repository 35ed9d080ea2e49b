import Comparison
import EventBus
import Foundation
import ScenarioEngine
import ScenarioFormat

/// Describes the machine and detects whether it is idle.
enum MachineProbe {
  #if DEBUG
    static let build = "debug"
  #else
    static let build = "release"
  #endif

  /// Returns the current state of the machine.
  static func machine() -> ComparisonRecord.Machine {
    var machine = ComparisonRecord.Machine(
      cores: ProcessInfo.processInfo.activeProcessorCount, system: system, swift: swift, build: build)
    machine.loadBefore = load
    return machine
  }

  /// The one-minute load average.
  static var load: Double? {
    var load = [0.0]
    return getloadavg(&load, 1) == 1 ? load[0].rounded(to: 2) : nil
  }

  /// Waits until the machine is idle, for at most `limit`.
  ///
  /// - Returns: whether the machine is idle.
  static func waitForIdle(_ runtime: any Runtime, limit: Duration, _ tell: (Double) -> Void) async -> Bool {
    let end = runtime.now + limit
    let quiet = ComparisonAnalysis.quiet(ProcessInfo.processInfo.activeProcessorCount)
    while let load, load > quiet {
      guard runtime.now < end else { return false }
      tell(load)
      await runtime.pause(.seconds(2))
    }
    return true
  }

  private static var system: String {
    var name = utsname()
    uname(&name)
    let text = { (field: UnsafeRawBufferPointer) in String(decoding: field.prefix { $0 != 0 }, as: UTF8.self) }
    let words = [
      withUnsafeBytes(of: &name.sysname, text), withUnsafeBytes(of: &name.release, text),
      withUnsafeBytes(of: &name.machine, text),
    ]
    return words.joined(separator: " ")
  }

  private static var swift: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2 or earlier"
    #endif
  }
}
