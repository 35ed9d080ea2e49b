import EventBus
import FetcherModel
import TestMachine
import Testing
import VirtualTime

@Suite(.childProcesses) struct ConfinedTests {
  @Test("State that is entered again while it is being changed ends the process")
  func reentrance() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let runtime = ManualRuntime()
      let state = Confined(runtime.main, 0)
      runtime.main.schedule {
        state.withValue { value in
          value += 1
          state.withValue { $0 += 1 }
        }
      }
      runtime.runAll()
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("Simultaneous accesses"))
  }

  @Test("State that is touched away from its scheduler ends the program")
  func elsewhere() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let runtime = ManualRuntime()
      Confined(runtime.main, 0).withValue { $0 += 1 }
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("away from its scheduler"))
  }
}
