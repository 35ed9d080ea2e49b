import Dispatch
import Foundation

/// A program that reads a clock, with the only outcome of its plain runs.
struct ClockProgram: Sendable {
  let name: String
  let outcome: String
  let run: @Sendable () async throws -> String

  init(_ name: String, _ outcome: String, _ run: @escaping @Sendable () async throws -> String) {
    (self.name, self.outcome, self.run) = (name, outcome, run)
  }
}

/// A cache whose entry expires after its lifetime.
private actor Cache {
  private let clock = ContinuousClock()
  private let lifetime: Duration
  private var stored: (at: ContinuousClock.Instant, value: Int)?
  private(set) var loads = 0

  init(lifetime: Duration) { self.lifetime = lifetime }

  func get() async -> Int {
    if let stored, clock.now - stored.at < lifetime { return stored.value }
    loads += 1
    await Task.yield()
    stored = (clock.now, loads)
    return loads
  }
}

/// A limiter that admits one call per interval.
private actor RateLimit {
  private let interval: Duration
  private var last: SuspendingClock.Instant?

  init(_ interval: Duration) { self.interval = interval }

  func admits() -> Bool {
    let now = SuspendingClock.now
    if let last, now - last < interval { return false }
    last = now
    return true
  }
}

/// A debouncer that saves the last value after a pause without new values.
private actor Debounce {
  private(set) var saved: [Int] = []
  private var last = ContinuousClock.now
  private var task: Task<Void, Never>?

  func type(_ value: Int, pause: Duration) {
    last = .now
    guard task == nil else { return }
    task = Task {
      while ContinuousClock.now < last + pause { try? await Task.sleep(until: last + pause, clock: .continuous) }
      saved.append(value)
      task = nil
    }
  }
}

extension ClockProgram {
  static let table: [ClockProgram] = [
    ClockProgram("a lifetime", "1 after the wait") {
      let cache = Cache(lifetime: .milliseconds(20))
      async let one = cache.get()
      async let two = cache.get()
      _ = await (one, two)
      let before = await cache.loads
      try await Task.sleep(for: .milliseconds(30))
      _ = await cache.get()
      return "\(await cache.loads - before) after the wait"
    },
    ClockProgram("a debounce that reads the clock", "[1]") {
      let field = Debounce()
      for value in 1...3 {
        await field.type(value, pause: .milliseconds(30))
        try await Task.sleep(for: .milliseconds(10))
      }
      try await Task.sleep(for: .milliseconds(100))
      return "\(await field.saved)"
    },
    ClockProgram("a rate limit", "[true, false, true]") {
      let limit = RateLimit(.milliseconds(50))
      var admitted = [await limit.admits(), await limit.admits()]
      try await Task.sleep(for: .milliseconds(60))
      admitted.append(await limit.admits())
      return "\(admitted)"
    },
    ClockProgram("a date", "true") {
      let expiry = Date().addingTimeInterval(0.02)
      try await Task.sleep(for: .milliseconds(30))
      return "\(Date() > expiry)"
    },
    ClockProgram("a time of Dispatch", "true") {
      let begun = DispatchTime.now().uptimeNanoseconds
      try await Task.sleep(nanoseconds: 30_000_000)
      return "\(DispatchTime.now().uptimeNanoseconds - begun >= 30_000_000)"
    },
    ClockProgram("a loop until a time", "done") {
      let end = ContinuousClock.now + .milliseconds(40)
      while ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(10)) }
      return "done"
    },
    ClockProgram("a loop that only reads the clock", "done") {
      let end = ContinuousClock.now + .milliseconds(40)
      while ContinuousClock.now < end {}
      return "done"
    },
  ]

  /// A program whose plain runs take half a minute.
  static let nearSleeps =
    ClockProgram("sleeps that differ by a nanosecond", "short long") {
      let order = OrderLog()
      async let two: Void = {
        try await Task.sleep(for: .seconds(30))
        order.add("long")
      }()
      async let one: Void = {
        try await Task.sleep(for: .seconds(30) - .nanoseconds(1))
        order.add("short")
      }()
      _ = try await (one, two)
      return order.text
    }
}
