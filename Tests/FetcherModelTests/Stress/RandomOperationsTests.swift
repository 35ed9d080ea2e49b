import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import PlainText
import SeededNumbers
import Testing

/// Many threads that read and cancel at random. The seed determines the operations of each thread, but not their
/// interleaving.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RandomOperationsTests {
  private static let threads = 16

  @Test(
    "Random reads and cancels on 16 threads end every request exactly once",
    arguments: 1...20 as ClosedRange<UInt64>)
  func everyRequestEndsOnce(seed: UInt64) async throws {
    let strategy = EagerStrategy(on: DispatchRuntime.shared.workers) { number in
      // Most of them fail, so that images are fetched and cancelled until the end.
      number % 5 == 4 ? .success(FetchedBody(bytes: Sample.png.bytes)) : .failure(.badStatus(500))
    }
    let environment = FetchEnvironment.eager(
      strategy, limits: FetchLimits(), maximumInFlight: seed % 2 == 0 ? 3 : nil)
    // Use two images for each address, so that requests are shared and partly cancelled.
    let images = (0..<100).map { IFImage(name: "\($0)", url: "http://localhost/\($0 / 2)", in: environment) }
    let events = images.map { EventRecorder($0, in: environment) }
    await onThreads(Self.threads) { thread in
      var random = SplitMix64(seed: seed &* 1000 &+ UInt64(thread))
      for _ in 0..<(1000 / Self.threads + 1) {
        let image = images[Int.random(in: 0..<images.count, using: &random)]
        if Int.random(in: 0..<3, using: &random) == 0 { image.cancel() } else { _ = image.image }
      }
    }
    // Deliver the posted events, then wait for the fetches in flight.
    await settle(environment)
    for (image, recorder) in zip(images, events) {
      await wait(environment) { !image.isFetching && recorder.kinds.count.isMultiple(of: 2) }
      #expect(!image.isFetching)
      // Start events and terminal events alternate, because each fetch posts one of each.
      let kinds = recorder.kinds
      #expect(kinds.enumerated().allSatisfy { ($0.offset % 2 == 0) == ($0.element == "started") }, "\(kinds)")
      #expect(recorder.entries.allSatisfy { $0.isOnMain })
    }
    #expect(events.contains { $0.kinds.contains("cancelled") })
    #expect(events.contains { $0.kinds.contains("failed") })
    await wait(environment) { strategy.endCount == strategy.requestCount }
    #expect(strategy.endCount == strategy.requestCount)
    #expect(environment.requestCount == 0)
    await settle(environment)
    #expect(strategy.livingHandles == 0)
  }

  @Test("Selecting strategies in parallel leaves each fetch with one strategy")
  func switching() async throws {
    let names: [StrategyName] = ["first", "second"]
    let held = names.map { HeldStrategy($0) }
    let environment = FetchEnvironment.held(held[0], held[1])
    for strategy in held { strategy.endAll(with: Sample.png.bytes) }
    let images = (0..<400).map { IFImage(name: "\($0)", url: "http://localhost/\($0)", in: environment) }
    let events = images.map { EventRecorder($0, in: environment) }
    await onThreads(5) { thread in
      if thread == 0 {
        for step in 0..<400 { try? environment.select(names[step % 2]) }
      } else {
        for index in stride(from: thread - 1, to: images.count, by: 4) { _ = images[index].image }
      }
    }
    for recorder in events {
      await recorder.ended()
      #expect(Set(recorder.entries.filter { $0.kind != "progress" }.map(\.strategy)).count == 1)
    }
    #expect(held.map(\.requests.count).reduce(0, +) == images.count)
  }
}
