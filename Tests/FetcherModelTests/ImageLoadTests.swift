import EventBus
import FetcherModel
import Foundation
import Testing

@Suite struct ImageLoadTests {
  private let strategy = HeldStrategy()
  private let address = "http://localhost/a.png"

  @Test("Two who load one image share its fetch and both get the picture, on main")
  func shared() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage("a", address, in: environment)
    let results = Locked<[Bool]>([])
    for _ in 0..<2 {
      image.load { result in
        let isWell = environment.runtime.main.isCurrent && (try? result.get().bytes) == Sample.png.bytes
        results.withLock { $0.append(isWell) }
      }
    }
    await strategy.begun(1)
    strategy.end(0, with: Sample.png.bytes)
    await settle(environment)
    #expect(results.withLock { $0 } == [true, true])
    #expect(strategy.requests.count == 1)
    #expect(environment.bus.subscriberCount(for: ImageFetched.self) == 0)
  }

  @Test("A load keeps the image until its end, and not longer")
  func keepsTheImage() async throws {
    let environment = FetchEnvironment.held(strategy)
    let ends = Locked(0)
    weak var image: IFImage?
    do {
      let made = IFImage("a", address, in: environment)
      image = made
      made.load { _ in ends.withLock { $0 += 1 } }
    }
    await strategy.begun(1)
    #expect(image != nil)
    strategy.end(0, with: Sample.png.bytes)
    await settle(environment)
    #expect(ends.withLock { $0 } == 1)
    #expect(image == nil)
  }

  @Test("A picture that is at hand needs no fetch")
  func atHand() async throws {
    let cache = ImageCache()
    let picture = try Picture(validating: Sample.png.bytes)
    cache.store(picture, for: address)
    let environment = FetchEnvironment.held(strategy, cache: cache)
    #expect(try await IFImage("a", address, in: environment).load() == picture)
    #expect(strategy.requests.isEmpty)
  }

  @Test("A failure is the error, and the next load tries again")
  func failure() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage("a", address, in: environment)
    async let first = image.load()
    await strategy.begun(1)
    strategy.end(0, with: .failure(.badStatus(404)))
    do {
      _ = try await first
      Issue.record("a picture from a 404")
    } catch {
      #expect(error as? FetchError == .badStatus(404))
    }
    async let second = image.load()
    await strategy.begun(2)
    strategy.end(1, with: Sample.png.bytes)
    #expect(try await second.bytes == Sample.png.bytes)
  }

  @Test("Cancelling the image ends a load with cancelled")
  func cancelled() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage("a", address, in: environment)
    async let load = image.load()
    await strategy.begun(1)
    image.cancel()
    do {
      _ = try await load
      Issue.record("a picture after a cancel")
    } catch {
      #expect(error as? FetchError == .cancelled)
    }
  }
}
