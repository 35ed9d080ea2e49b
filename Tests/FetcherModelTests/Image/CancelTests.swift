import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Testing

/// The ways to abandon a fetch: a cancel, the release of the image, and the end of the environment.
@Suite(.timeLimit(.minutes(10))) struct CancelTests {
  let held = HeldStrategy()
  let environment: FetchEnvironment
  let image: IFImage
  let events: EventRecorder
  private let old = Sample.gif.bytes
  private let new = Sample.png.bytes

  init() {
    environment = .held(held)
    image = IFImage(name: "a", url: "http://localhost/a.png", in: environment)
    events = EventRecorder(image, in: environment)
  }

  @Test("A cancel stops the request, and the next read starts a new one")
  func cancelThenRead() async {
    _ = image.image
    await held.begun(1)
    await settle(environment)
    image.cancel()
    #expect(!image.isFetching)
    #expect(held.cancels == 1)
    #expect(environment.requestCount == 0)
    #expect(image.image.isPlaceholder)
    await held.begun(2)
    held.end(1, with: new)
    await events.ended(2)
    #expect(image.image.bytes == new)
    #expect(events.kinds == ["started", "cancelled", "started", "fetched"])
  }

  @Test(
    "A late result from a cancelled fetch never replaces the result of a newer one", arguments: [0, 1])
  func lateResult(first: Int) async {
    _ = image.image
    await held.begun(1)
    image.cancel()
    _ = image.image
    await held.begun(2)
    for index in [first, 1 - first] { held.end(index, with: index == 0 ? old : new) }
    await events.ended(2)
    await settle(environment)
    #expect(image.image.bytes == new)
    #expect(events.kinds == ["started", "cancelled", "started", "fetched"])
  }

  @Test("An early, repeated, or late cancel has no effect")
  func idleCancels() async throws {
    image.cancel()
    _ = image.image
    await held.begun(1)
    await settle(environment)
    image.cancel()
    image.cancel()
    await events.ended()
    #expect(held.cancels == 1)
    _ = image.image
    await held.begun(2)
    held.end(1, with: new)
    await events.ended(2)
    image.cancel()
    await settle(environment)
    #expect(image.state == .loaded(try Picture(validating: new)))
    #expect(events.kinds == ["started", "cancelled", "started", "fetched"])
    #expect(held.cancels == 1)
  }

  @Test("An image that is cancelled immediately still posts its start event first")
  func cancelAtOnce() async {
    _ = image.image
    image.cancel()
    await events.ended()
    #expect(events.kinds == ["started", "cancelled"])
    #expect(environment.requestCount == 0)
  }

  @Test("A cancel inside the start event ends the fetch that the event announces")
  func cancelInTheEvent() async {
    let canceller = environment.bus.subscribe(to: ImageFetchStarted.self, key: image.id) { [image] _ in image.cancel() }
    _ = image.image
    await events.ended()
    #expect(events.kinds == ["started", "cancelled"])
    #expect(environment.requestCount == 0)
    canceller.cancel()
  }

  @Test("Releasing an image in flight stops its request and posts that its fetch is cancelled")
  func release() async {
    var image: IFImage? = IFImage(name: "gone", url: "http://localhost/gone.png", in: environment)
    weak let released = image
    let events = image.map { EventRecorder($0, in: environment) }
    image?.startLoading()
    await held.begun(1)
    await settle(environment)
    image = nil
    #expect(released == nil)
    #expect(held.cancels == 1)
    #expect(environment.requestCount == 0)
    held.end(0, with: new)
    await settle(environment)
    #expect(events?.kinds == ["started", "cancelled"])
    #expect(events?.last?.isOnMain == true && events?.last?.strategy == "held")
  }

  @Test("An image that is released immediately still posts its start event first") func releaseAtOnce() async {
    var image: IFImage? = IFImage(name: "gone", url: "http://localhost/gone.png", in: environment)
    let events = image.map { EventRecorder($0, in: environment) }
    image?.startLoading()
    image = nil
    await events?.ended()
    #expect(events?.kinds == ["started", "cancelled"])
    #expect(environment.requestCount == 0)
  }

  @Test("An image that is released after its cancel posts the end of its fetch once") func releaseAfterCancel() async {
    var image: IFImage? = IFImage(name: "gone", url: "http://localhost/gone.png", in: environment)
    let events = image.map { EventRecorder($0, in: environment) }
    image?.startLoading()
    image?.cancel()
    image = nil
    await settle(environment)
    #expect(events?.kinds == ["started", "cancelled"])
  }

  @Test("Releasing one of two images that share a request lets the other one load") func releaseOneOfTwo() async {
    var other: IFImage? = IFImage(name: "b", url: image.url, in: environment)
    let otherEvents = other.map { EventRecorder($0, in: environment) }
    image.startLoading()
    other?.startLoading()
    await held.begun(1)
    other = nil
    held.end(0, with: new)
    await events.ended()
    await settle(environment)
    #expect(events.kinds == ["started", "fetched"] && otherEvents?.kinds == ["started", "cancelled"])
    #expect(held.requests.count == 1 && held.cancels == 0)
  }

  @Test("Finishing the environment cancels every fetch")
  func finishing() async {
    _ = image.image
    await held.begun(1)
    environment.shutDown()
    await events.ended()
    #expect(events.kinds == ["started", "cancelled"])
    #expect(image.state == .idle)
    #expect(held.cancels == 1)
    #expect(environment.requestCount == 0)
  }
}
