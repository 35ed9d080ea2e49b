import EventBus
import ScheduleExplorer
import ScheduleExplorerTesting
import TestMachine
import Testing
import VirtualTime

@Suite("The explored runtime in unmodified code", .childProcesses, .exploresSwift) struct ExploredRuntimeTests {
  @Test("A job that waits at a gate lets other jobs run, in every schedule")
  func gates() async {
    await #expect(processExitsWith: .success) {
      let statistics = try exploreSwift(schedules: 300) {
        let order = Order()
        let gate = exploredRuntime.gate()
        let waiting = Task { @MainActor in
          gate.wait()
          MainActor.assertIsolated()
          await order.add("through")
          try? await Task.sleep(for: .milliseconds(1))
        }
        let opening = Task {
          await order.add("opened")
          gate.open()
        }
        await waiting.value
        await opening.value
        return await order.names
      }.statistics
      #expect(statistics.outcomes.keys.allSatisfy { $0 == #"["opened", "through"]"# })
      #expect(statistics.schedules > 1)
    }
  }

  @Test("A search reports a gate that nothing opens as a deadlock")
  func deadlock() async {
    await #expect(processExitsWith: .success) {
      let finding = finding {
        let gate = exploredRuntime.gate()
        await Task { @MainActor in gate.wait() }.value
      }
      #expect(finding?.kind == .deadlock)
      #expect(finding?.message.contains("main") == true)
    }
  }

  @Test("The main scheduler of the explored runtime runs its closures on the main actor")
  func mainActor() async {
    await #expect(processExitsWith: .success) {
      try exploreSwift {
        let runtime = exploredRuntime
        runtime.main.schedule { MainActor.assumeIsolated { Shown.text += "a" } }
        _ = runtime.user.schedule(after: .seconds(1)) { MainActor.assumeIsolated { Shown.text += "b" } }
        await untilIdle()
        let text = await Shown.text
        try check(text.hasSuffix("ab"), text)
      }
    }
  }
}

private actor Order {
  private(set) var names: [String] = []

  func add(_ name: String) { names.append(name) }
}

@MainActor private enum Shown {
  static var text = ""
}
