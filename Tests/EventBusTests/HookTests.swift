import EventBus
import TestMachine
import Testing

#if canImport(Glibc)
  import Glibc

  @Suite("The bus does not change the process that uses it", .childProcesses) struct HookTests {
    @Test("The bus installs no isolation hook in the Swift runtime") func hooks() async {
      await #expect(processExitsWith: .success) {
        let bus = EventBus()
        let values = Locked<[Int]>([])
        let subscription = bus.subscribe(to: Number.self, on: .main) { @MainActor event in
          values.withLock { $0.append(event.value) }
        }
        bus.post(Number(value: 1))
        await bus.drain()
        #expect(values.withLock { $0 } == [1])
        let hook = try #require(dlsym(dlopen(nil, RTLD_LAZY), "swift_task_checkIsolated_hook"))
        #expect(hook.load(as: UnsafeRawPointer?.self) == nil)
        subscription.cancel()
      }
    }
  }
#endif
