import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import TestMachine
import Testing
import TutorialApps
import VirtualTime

@Suite(.computing, .timeLimit(.minutes(10))) struct LargeCatalogTests {
  private func catalog(_ count: Int) throws -> Catalog {
    let slides = (0..<count).map { #"{"id": \#($0), "title": "Picture \#($0)", "file": "pictures/\#($0).jpeg"}"# }
    return try Catalog(data: Data("{\"slides\": [\(slides.joined(separator: ","))]}".utf8), name: "large.json")
  }

  @Test("Listing a large catalog needs no fetch, event, or thread")
  func listing() throws {
    let count = LongTests.times(1000, long: 100_000)
    let catalog = try catalog(count)
    #expect(catalog.entries.count == count)
    let strategy = HeldStrategy()
    let environment = FetchEnvironment.held(strategy, runtime: UnusedRuntime())
    let images = catalog.images(base: try #require(URL(string: "http://localhost:1/")), in: environment)
    #expect(images.map(\.name) == catalog.entries.map(\.title))
    #expect(images.allSatisfy { $0.state == .idle })
    #expect(environment.requestCount == 0)
    #expect(strategy.requests.isEmpty)
  }

  #if os(Linux)
    @Test(
      "An idle image uses less than a kilobyte of memory",
      .disabled(if: ProcessCount.isSanitized, "the sanitizer's shadow memory distorts the measurement"))
    func idleImage() async {
      // Run in a separate process, so that the measurement excludes other tests.
      await #expect(processExitsWith: .success) {
        let environment = FetchEnvironment.held(HeldStrategy())
        let count = 100_000
        var images: [IFImage] = []
        images.reserveCapacity(2 * count)
        let sizes = (0..<2).map { round -> Int in
          let before = ProcessCount.memory
          for index in 0..<count {
            let address = "http://localhost:1/pictures/\(index).jpeg"
            images.append(IFImage(name: "Picture number \(index) of \(round)", url: address, in: environment))
          }
          return (ProcessCount.memory - before) / count
        }
        // The first round also fills the allocator's pools.
        print("an idle image uses \(sizes[1]) bytes")
        #expect(sizes[1] < 1000)
        #expect(sizes[1] > 100, "the measurement shows no memory use")
        #expect(images.allSatisfy { $0.state == .idle })
      }
    }
  #endif
}
