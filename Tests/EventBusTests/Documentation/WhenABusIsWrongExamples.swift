import EventBus
import Testing

@Suite("The examples in “When to avoid a bus” behave as documented") struct WhenABusIsWrongExamples {
  let console = Console()

  func print(_ items: Any...) { console.print(items) }

  @Test("A task can wait for several events that arrive in any order") func both() async {
    let bus = EventBus()
    struct CacheReady: Event {}
    struct CatalogReady: Event {}
    // snippet
    let cache = bus.events(of: CacheReady.self)
    let catalog = bus.events(of: CatalogReady.self)
    // Both are registered now, so nothing that is posted from here on is missed.
    bus.post(CatalogReady())
    bus.post(CacheReady())
    _ = await cache.first { _ in true }
    _ = await catalog.first { _ in true }
    print("both are ready")
    // end
    #expect(console.lines == ["both are ready"])
  }
}
