import Comparison
import EventBus
import Foundation
import ScenarioEngine
import ScenarioFormat

/// Samples the process's resource usage on a dedicated thread while a load runs.
///
/// The conformance is unchecked because only that thread accesses the state until the thread exits. ``stop()`` waits
/// until the thread has exited.
final class Probe: @unchecked Sendable {
  /// The samples taken so far.
  private(set) var series = Sample.Series()
  private(set) var stalls = Sample.Stalls()
  private(set) var peakThreads: Int?
  private(set) var mainStall = 0.0
  private(set) var poolStall = 0.0

  private let runtime: any Runtime
  private let beats: Bool
  private let begin: Duration
  private let beginCPU = ProcessUsage.cpu
  private let isStopped = Locked(false)
  private let hasEnded = DispatchSemaphore(value: 0)
  private let main: Heartbeat
  private let pool: Heartbeat

  /// Starts sampling.
  ///
  /// - Parameter beats: whether to also measure the response times of main and the workers, which costs CPU time.
  init(_ runtime: any Runtime, beats: Bool) {
    self.runtime = runtime
    self.beats = beats
    begin = runtime.now
    main = Heartbeat(runtime, runtime.main)
    pool = Heartbeat(runtime, runtime.workers)
    let thread = Thread { [self] in watch() }
    // Use a high priority, so that the probe does not measure its own delays.
    thread.qualityOfService = .userInteractive
    thread.start()
  }

  /// Stops sampling. The results are final when this method returns.
  func stop() {
    isStopped.withLock { $0 = true }
    hasEnded.wait()
  }

  private func watch() {
    defer { hasEnded.signal() }
    let interval = beats ? 0.002 : 0.02
    var round = 0
    while !isStopped.withLock({ $0 }) {
      if round % (beats ? 10 : 1) == 0 { sample() }
      if beats { beat() }
      round += 1
      Thread.sleep(forTimeInterval: interval)
    }
    sample()
    if beats { beat() }
  }

  private func sample() {
    series.seconds.append((runtime.now - begin).inSeconds.rounded(to: 4))
    series.cpu.append((ProcessUsage.cpu - beginCPU).rounded(to: 4))
    if let memory = ProcessUsage.memory { series.memory.append(memory) }
    guard let threads = ProcessUsage.threads else { return }
    // Do not count this thread.
    series.threads.append(threads - 1)
    peakThreads = max(peakThreads ?? 0, threads - 1)
  }

  private func beat() {
    let stall = main.beat()
    mainStall = max(mainStall, stall)
    poolStall = max(poolStall, pool.beat())
    stalls.seconds.append((runtime.now - begin).inSeconds.rounded(to: 4))
    stalls.stall.append(stall.rounded(to: 5))
  }
}

/// Repeatedly measures how long a scheduler takes to run a closure.
private final class Heartbeat: Sendable {
  private struct State {
    var asked: Duration?
    var last = Duration.zero
  }
  private let runtime: any Runtime
  private let scheduler: any Scheduler
  private let state = Locked(State())

  init(_ runtime: any Runtime, _ scheduler: any Scheduler) {
    self.runtime = runtime
    self.scheduler = scheduler
  }

  /// Returns the last closure's response time in seconds, and schedules the next closure. If the last closure is still
  /// waiting, it returns the waiting time so far.
  func beat() -> Double {
    let now = runtime.now
    let (time, asks) = state.withLock { state -> (Duration, Bool) in
      if let asked = state.asked { return (now - asked, false) }
      state.asked = now
      return (state.last, true)
    }
    if asks {
      scheduler.schedule { [self] in
        let now = runtime.now
        state.withLock { state in
          state.last = now - (state.asked ?? now)
          state.asked = nil
        }
      }
    }
    return time.inSeconds
  }
}

extension Double {
  /// Rounds to this number of decimal places, which keeps the record small.
  func rounded(to digits: Int) -> Double {
    let factor = pow(10, Double(digits))
    return (self * factor).rounded() / factor
  }
}

/// The resource usage of this process, as reported by the system.
enum ProcessUsage {
  /// The current number of threads.
  static var threads: Int? { status("Threads:") }

  /// The peak resident memory since ``forgetPeak()``, in bytes.
  static var peakMemory: Int? { status("VmHWM:").map { $0 * 1024 } }

  /// The current resident memory in bytes.
  static var memory: Int? { status("VmRSS:").map { $0 * 1024 } }

  /// The total CPU time of all threads, user and system, in seconds.
  static var cpu: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The total number of bytes passed to `write`. It includes files but not sockets, because sockets use `send`.
  static var written: Int? { field("wchar:", of: "/proc/self/io") }

  /// Resets the peak memory.
  static func forgetPeak() {
    // The kernel documentation of clear_refs defines this value.
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
