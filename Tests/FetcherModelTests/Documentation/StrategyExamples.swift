import FetcherModel
import Foundation
import ModelFixtures
import Testing
import TutorialApps

// snippet
extension PhotoEndpoint {
  static func ofUser(_ id: String) -> PhotoEndpoint { PhotoEndpoint("getUserPhotos", ["user_id": id]) }
}
// end

@Suite("The examples for strategies and endpoints") struct StrategyExamples {
  private let pictures = URL(filePath: "/no such folder")

  @Test("An environment selects a built-in strategy by its factory or by its name") func selecting()
    throws
  {
    let choice = "blocking"
    // snippet
    let environment = FetchEnvironment(strategy: .async)
    try environment.select(.downloadTask)
    try environment.select(StrategyName(choice))  // Throws UnknownStrategy, which lists the names.
    // end
    #expect(environment.strategy.name == .blocking)
    // snippet
    environment.register(.blocking("blocking-queues", maximumInFlight: 6, usesOwnQueues: true))
    // end
    #expect(environment.strategies.map(\.name).contains("blocking-queues"))
  }

  @Test("An environment begins with a built-in strategy or with a strategy of the app") func factories() {
    // snippet
    let environment = FetchEnvironment(strategy: .async)
    let offline = FetchEnvironment(strategy: folderStrategy(pictures))
    let patient = FetchEnvironment(strategy: .blocking("patient", maximumInFlight: 2))
    let counted = FetchEnvironment(strategy: StrategyFactory { CountingStrategy(base: $0.strategy(.dataTask)) })
    // end
    #expect(
      [environment, offline, patient, counted].map(\.strategy.name) == [.async, "folder", "patient", "counting"])
  }

  @Test("An app registers its own strategy and then selects it") func registering() throws {
    let environment = FetchEnvironment()
    // snippet
    environment.register(folderStrategy(pictures))
    try environment.select("folder")
    // end
    #expect(environment.strategy.name == "folder")
  }

  @Test("A closure can serve as a strategy") func closure() async {
    // snippet
    let environment = FetchEnvironment(
      strategy: .closure("folder") { request in
        let file = pictures.appendingPathComponent(request.url.lastPathComponent)
        guard let bytes = try? Data(contentsOf: file) else { throw FetchError.badStatus(404) }
        return FetchedBody(bytes: bytes)
      })
    // end
    // On a busy machine, the task of the closure can start late.
    let patient = FetchLimits(deadline: .seconds(600))
    await #expect(throws: FetchError.badStatus(404)) {
      try await IFImage(name: "a", url: "https://example.org/a.png", limits: patient, in: environment).load()
    }
  }

  @Test("A closure can send its request with another strategy, after a wait") func context() {
    // snippet
    let slow = StrategyFactory.closure("slow") { request, context in
      try await context.sleep(for: .seconds(2))
      return try await context.strategy(.dataTask).fetch(request)
    }
    // end
    let environment = FetchEnvironment(strategy: slow)
    #expect(environment.strategy.name == "slow" && environment.strategy.capabilities.sendsHeaders)
  }

  /// Counts the fetches of another strategy.
  private struct CountingStrategy: FetchStrategy {
    let base: any FetchStrategy
    let count = Locked(0)
    var name: StrategyName { "counting" }
    var capabilities: StrategyCapabilities { base.capabilities }

    func fetch(
      _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
    ) -> any Cancellation {
      count.withLock { $0 += 1 }
      return base.fetch(request, completion: completion)
    }
  }

  @Test("An app adds an endpoint by declaring one more value") func endpoint() {
    #expect(PhotoEndpoint.ofUser("12").method == "getUserPhotos")
  }
}
