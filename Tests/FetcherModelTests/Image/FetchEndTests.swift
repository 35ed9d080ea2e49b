import EventBus
import FetcherModel
import ModelFixtures
import Testing

/// The promise that each fetch which starts has exactly one final event, whatever ends it.
@Suite(.timeLimit(.minutes(5))) struct FetchEndTests {
  /// The kinds of the events of one image, in order.
  private typealias Kinds = [ImageID: [String]]

  private let first = HeldStrategy("first")
  private let second = HeldStrategy("second")
  private let environment: FetchEnvironment
  private let kinds = Locked(Kinds())
  private let subscriptions: [Subscription]

  init() {
    let environment = FetchEnvironment.held(first, second)
    let note = { @Sendable [kinds] (id: ImageID, kind: String) in kinds.withLock { $0[id, default: []].append(kind) } }
    subscriptions = [
      environment.bus.subscribe(to: ImageFetchStarted.self) { note($0.imageID, "started") },
      environment.bus.subscribe(to: ImageFetched.self) { note($0.imageID, "fetched") },
      environment.bus.subscribe(to: ImageFetchFailed.self) { note($0.imageID, "failed") },
      environment.bus.subscribe(to: ImageFetchCancelled.self) { note($0.imageID, "cancelled") },
    ]
    self.environment = environment
  }

  private func image(_ path: Int = 0) -> IFImage {
    IFImage(name: "\(path)", url: "https://example.org/\(path)", in: environment)
  }

  @Test(
    "A fetch has one final event",
    arguments: [
      "success": "fetched", "failure": "failed", "cancel": "cancelled", "unload": "cancelled", "release": "cancelled",
      "reload": "fetched", "switch": "fetched", "join": "fetched", "end": "cancelled",
    ])
  func finalEvent(_ cause: String, _ kind: String) async {
    var image: IFImage? = image()
    let other = self.image()
    let id = image?.id ?? other.id
    image?.startLoading()
    await first.begun(1)
    switch cause {
    case "failure": first.end(0, with: .failure(.badStatus(404)))
    case "cancel": image?.cancel()
    case "unload": image?.unload()
    case "release": image = nil
    case "reload": image?.startReloading()
    case "switch": environment.use(second)
    case "join": other.startLoading()
    case "end": environment.shutDown()
    default: break
    }
    first.end(0, with: Sample.png.bytes)
    await settle(environment)
    #expect(kinds.withLock { $0[id] } == ["started", kind])
    if cause == "join" { #expect(kinds.withLock { $0[other.id] } == ["started", "fetched"]) }
    #expect(first.requests.count == 1 && second.requests.isEmpty)
  }

  @Test("Under concurrent operations and releases, no fetch lacks its final event or has two", arguments: 0..<50)
  func concurrency(_ repetition: Int) async {
    // The fetches of the first strategy end only when they are abandoned.
    second.endAll(with: Sample.png.bytes)
    let slots = (0..<8).map { Locked<IFImage?>(image($0 / 2)) }
    await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask { [environment, first, second] in
          for step in 0..<40 {
            let slot = slots[(number * 3 + step) % slots.count]
            let image = slot.withLock { $0 }
            switch (number + step) % 7 {
            case 0: image?.cancel()
            case 1: image?.startReloading()
            case 2: image?.unload()
            case 3: environment.use(step % 2 == 0 ? first : second)
            case 4:
              let new = self.image(step % 4)
              withExtendedLifetime(
                slot.withLock { slot in
                  defer { slot = new }
                  return slot
                }
              ) {}
            default: image?.startLoading()
            }
            await Task.yield()
          }
        }
      }
    }
    for slot in slots { withExtendedLifetime(slot.withLock { $0.take() }) {} }
    await settle(environment)
    #expect(environment.requestCount == 0)
    for (id, kinds) in kinds.withLock({ $0 }) {
      #expect(kinds.count.isMultiple(of: 2), "\(id): \(kinds)")
      for (index, kind) in kinds.enumerated() { #expect((kind == "started") == index.isMultiple(of: 2), "\(kinds)") }
    }
  }
}
