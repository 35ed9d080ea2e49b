import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import TestMachine
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct ConcurrentReadTests {
  private let address = "http://localhost/a.png"
  private let bytes = Sample.png.bytes

  @Test("A thousand reads of an image on ten threads start one fetch")
  func tenThreads() async {
    for _ in 0..<20 {
      let held = HeldStrategy()
      let environment = FetchEnvironment.held(held)
      let image = IFImage(name: "a", url: address, in: environment)
      let events = EventRecorder(image, in: environment)
      await onThreads(10) { _ in for _ in 0..<100 { _ = image.image } }
      await held.begun(1)
      held.end(0, with: bytes)
      await events.ended()
      await onThreads(10) { _ in for _ in 0..<100 { _ = image.image } }
      await settle(environment)
      #expect(held.requests.count == 1)
      #expect(events.kinds == ["started", "fetched"])
      #expect(environment.requestCount == 0)
    }
  }

  @Test("Ten images with the same address share a fetch, and each posts its own events")
  func tenImages() async {
    for _ in 0..<20 {
      let held = HeldStrategy()
      let environment = FetchEnvironment.held(held)
      let images = (0..<10).map { IFImage(name: "\($0)", url: address, in: environment) }
      let events = images.map { EventRecorder($0, in: environment) }
      await onThreads(10) { number in for _ in 0..<100 { _ = images[number].image } }
      await held.begun(1)
      held.end(0, with: bytes)
      for recorder in events { await recorder.ended() }
      #expect(held.requests.count == 1)
      #expect(events.allSatisfy { $0.kinds == ["started", "fetched"] })
    }
  }

  @Test(
    "Progress that races with joins and cancels is never posted after the end of a fetch")
  func progressBesideJoins() async {
    for _ in 0..<10 {
      let held = HeldStrategy()
      let environment = FetchEnvironment.held(held)
      let images = (0..<60).map { IFImage(name: "\($0)", url: address, in: environment) }
      let events = images.map { EventRecorder($0, in: environment) }
      _ = images[0].image
      await held.begun(1)
      let report = held.requests[0].progress
      await onThreads(6) { number in
        for step in 0..<100 {
          if number < 3 {
            report?(step, 100)
          } else {
            let index = 1 + (step * 3 + number) % 59
            _ = images[index].image
            if step % 4 == 0 { images[index].cancel() }
          }
        }
      }
      for image in images { _ = image.image }
      held.end(0, with: bytes)
      await wait(environment) { images.allSatisfy { !$0.isFetching } }
      await settle(environment)
      #expect(images.allSatisfy { $0.state.isLoaded })
      #expect(events.allSatisfy { $0.entries.last?.kind == "fetched" })
      #expect(environment.requestCount == 0)
    }
  }

  @Test("An image that joins a request at its completion still receives the picture")
  func lateJoiner() async {
    for _ in 0..<200 {
      let held = HeldStrategy()
      let environment = FetchEnvironment.held(held)
      let images = ["early", "late"].map { IFImage(name: $0, url: address, in: environment) }
      let events = images.map { EventRecorder($0, in: environment) }
      _ = images[0].image
      await held.begun(1)
      await onThreads(2) { number in
        if number == 0 { held.endAll(with: bytes) } else { _ = images[1].image }
      }
      for recorder in events { await recorder.ended() }
      #expect(images.allSatisfy { $0.image.bytes == bytes })
      #expect(events.allSatisfy { $0.kinds == ["started", "fetched"] })
      #expect((1...2).contains(held.requests.count))
      #expect(environment.requestCount == 0)
    }
  }

  @Test("With a cache, an image that joins at the completion causes no second request")
  func lateJoinerWithACache() async {
    for _ in 0..<200 {
      let held = HeldStrategy()
      let environment = FetchEnvironment.held(held, cache: ImageCache())
      let images = ["early", "late"].map { IFImage(name: $0, url: address, in: environment) }
      let events = EventRecorder(images[0], in: environment)
      _ = images[0].image
      await held.begun(1)
      await onThreads(2) { number in
        if number == 0 { held.endAll(with: bytes) } else { _ = images[1].image }
      }
      await events.ended()
      await wait(environment) { !images[1].isFetching }
      #expect(images[1].image.bytes == bytes)
      #expect(held.requests.count == 1)
    }
  }

  @Test("A cancel that races with the end of a fetch posts one terminal event")
  func cancelRacesWithTheEnd() async {
    var kinds: Set<[String]> = []
    for round in stride(from: 0, to: 200, by: LongTests.times(4, long: 1)) {
      let held = HeldStrategy()
      let environment = FetchEnvironment.held(held)
      let image = IFImage(name: "a", url: address, in: environment)
      let events = EventRecorder(image, in: environment)
      _ = image.image
      await held.begun(1)
      await onThreads(3) { number in
        if number == 0 { return held.endAll(with: bytes) }
        // Cancel a little later in each round, from before the end to after it.
        let moment = ContinuousClock.now + .microseconds(50 * round)
        while ContinuousClock.now < moment {}
        image.cancel()
      }
      await events.ended()
      await settle(environment)
      kinds.insert(events.kinds)
      #expect(image.isFetching == false)
      #expect(environment.requestCount == 0)
    }
    // Either outcome is valid, because the timing decides the race.
    #expect(kinds.isSubset(of: [["started", "fetched"], ["started", "cancelled"]]))
  }
}

extension ImageState {
  fileprivate var isLoaded: Bool {
    if case .loaded = self { true } else { false }
  }
}
