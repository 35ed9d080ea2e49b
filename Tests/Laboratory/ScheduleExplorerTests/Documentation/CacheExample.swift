import EventBus
import ScheduleExplorer
import Synchronization
import Testing
import VirtualTime

// snippet
actor Cache {
  private var values: [String: Int] = [:]
  private let load: @Sendable (String) async -> Int

  init(load: @escaping @Sendable (String) async -> Int) { self.load = load }

  func value(_ key: String) async -> Int {
    if let value = values[key] { return value }
    let value = await load(key)
    values[key] = value
    return value
  }

  func invalidate() { values = [:] }
}
// end

// snippet
actor CarefulCache {
  private var values: [String: Int] = [:]
  private var generation = 0
  private let load: @Sendable (String) async -> Int

  init(load: @escaping @Sendable (String) async -> Int) { self.load = load }

  func value(_ key: String) async -> Int {
    if let value = values[key] { return value }
    let begun = generation
    let value = await load(key)
    // The cache may have been invalidated during the load.
    if begun == generation { values[key] = value }
    return value
  }

  func invalidate() {
    values = [:]
    generation += 1
  }
}
// end

// snippet
/// Answers with the version that it had when it was asked.
final class Server: Sendable {
  private let stored = Mutex(1)
  private let runtime: VirtualRuntime
  private let network: any Scheduler

  init(_ runtime: VirtualRuntime) {
    self.runtime = runtime
    network = runtime.network("network")
  }

  func publish(_ version: Int) {
    runtime.note("publish \(version)")
    stored.withLock { $0 = version }
  }

  func version() async -> Int {
    let answer = stored.withLock { $0 }
    runtime.note("answer will be \(answer)")
    await withCheckedContinuation { continuation in
      _ = network.schedule(after: .milliseconds(100)) { continuation.resume() }
    }
    return answer
  }
}
// end

/// The version that was read last.
final class LastRead: Sendable {
  private let stored = Mutex(0)
  var version: Int { stored.withLock { $0 } }
  func set(_ version: Int) { stored.withLock { $0 = version } }
}

@Suite("The cache from the guide") struct CacheExample {
  @Test("The search finds that the cache stores an outdated answer after its invalidation") func broken() throws {
    let test = {
      // snippet
      try explore(timing: .any) { runtime in
        let (server, last) = (Server(runtime), LastRead())
        let cache = Cache { _ in await server.version() }
        _ = runtime.task { _ = await cache.value("page") }
        _ = runtime.user.schedule(after: .seconds(1)) {
          server.publish(2)
          _ = runtime.task {
            await cache.invalidate()
            await runtime.sleep(for: .seconds(1))
            last.set(await cache.value("page"))
          }
        }
        return { try check(last.version == 2, "version \(last.version) is shown") }
      }
      // end
    }
    let failure = try #require(throws: ExplorationFailure.self) { try test() }
    #expect(try Page("FindingBugs").shows(failure), "\(failure)")
    #expect(failure.isMinimal)
    #expect(failure.finding.kind == .check)
    #expect(failure.token.deviations.cost == 1, "\(failure)")
  }

  @Test("A cache that counts its invalidations never stores an outdated answer") func fixed() throws {
    try explore(timing: .any) { runtime in
      let (server, last) = (Server(runtime), LastRead())
      let cache = CarefulCache { _ in await server.version() }
      _ = runtime.task { _ = await cache.value("page") }
      _ = runtime.user.schedule(after: .seconds(1)) {
        server.publish(2)
        _ = runtime.task {
          await cache.invalidate()
          await runtime.sleep(for: .seconds(1))
          last.set(await cache.value("page"))
        }
      }
      return { try check(last.version == 2, "version \(last.version) is shown") }
    }
  }
}
