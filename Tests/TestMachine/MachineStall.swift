import Foundation

/// The time in which at least one thread of the machine was ready and had no processor.
///
/// On a busy machine, a chain of work is late by at most this time compared with an idle machine. Linux reports it as
/// *pressure stall information* in `/proc/pressure/cpu`.
package struct MachineStall {
  private let start = Self.total

  package init() {}

  /// The stall since the creation of this value. It is zero if the kernel does not count it, so that a comparison stays
  /// strict.
  package var soFar: Duration { Self.total - start }

  private static var total: Duration {
    guard let text = try? String(contentsOfFile: "/proc/pressure/cpu", encoding: .utf8) else { return .zero }
    let microseconds = text.firstMatch(of: /some .*total=(\d+)/).flatMap { Int64($0.1) }
    return .microseconds(microseconds ?? 0)
  }
}
