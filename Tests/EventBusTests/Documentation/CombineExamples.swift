import EventBus
import Testing
import VirtualTime

#if canImport(Combine)
  import Combine
  import Dispatch
#endif

@Suite("The examples for users of Combine behave as documented") struct CombineExamples {
  let console = Console()
  let runtime = ManualRuntime()

  func print(_ items: Any...) { console.print(items) }

  #if canImport(Combine)
    @Test("A Combine subject delivers a value on main") func before() {
      // snippet
      let saves = PassthroughSubject<Saved, Never>()
      let cancellable = saves.receive(on: DispatchQueue.main).sink { print("saved", $0.file) }
      saves.send(Saved(file: "notes.txt"))
      // end
      cancellable.cancel()
    }
  #endif

  @Test("An event type replaces a Combine subject") func after() {
    let bus = EventBus(runtime: runtime)
    // snippet
    let subscription = bus.subscribe(to: Saved.self, on: .main) { print("saved", $0.file) }
    bus.post(Saved(file: "notes.txt"))
    // end
    runtime.runReady()
    #expect(console.lines == ["saved notes.txt"])
    withExtendedLifetime(subscription) {}
  }

  @Test("The operators of asynchronous sequences apply to a stream of events") func operators() async {
    let bus = EventBus(runtime: runtime)
    let reader = runtime.task {
      // snippet
      let pictures = bus.events(of: Saved.self).map { $0.file }.filter { $0.hasSuffix(".png") }
      for await file in pictures { print("picture", file) }
      // end
    }
    runtime.runReady()
    for file in ["notes.txt", "sunset.png"] { bus.post(Saved(file: file)) }
    runtime.runReady()
    #expect(console.lines == ["picture sunset.png"])
    reader.cancel()
    runtime.runReady()
    await reader.value
  }

  @Test("A type that replays one event replaces a current-value subject") func currentValue() {
    let bus = EventBus(runtime: runtime)
    // snippet
    struct Volume: Event {
      static var replay: Int { 1 }
      let percent: Int
    }

    bus.post(Volume(percent: 40))
    let subscription = bus.subscribe(to: Volume.self) { print("volume", $0.percent) }  // volume 40
    let now = bus.last(Volume.self)?.percent ?? 0  // 40
    // end
    #expect(console.lines == ["volume 40"])
    #expect(now == 40)
    withExtendedLifetime(subscription) {}
  }
}
