import EventBus
import PlainText
import Testing
import VirtualTime

@testable import ScenarioEngine

@Suite struct MainWatchTests {
  @Test("The watch measures a stall of main even while a blocked read holds every worker")
  func blockedWorkers() {
    let runtime = VirtualRuntime(pool: .fixed(width: 1))
    defer { runtime.close() }
    let (read, stall) = (runtime.gate(), runtime.gate())
    runtime.workers.schedule { read.wait() }
    let watch = MainWatch(runtime)
    let longest = Locked(Duration.zero)
    _ = runtime.serial("end of the stall").schedule(after: .milliseconds(30)) { stall.open() }
    _ = runtime.main.schedule(after: .milliseconds(10)) { stall.wait() }
    _ = runtime.main.schedule(after: .milliseconds(100)) {
      longest.withLock { $0 = watch.end() }
      read.open()
    }
    #expect(runtime.run() == .idle)
    #expect((.milliseconds(15)...(.milliseconds(20))).contains(longest.withLock { $0 }))
  }
}
