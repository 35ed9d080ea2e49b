import FetcherModel
import Foundation
import ModelFixtures
import Testing

// snippet
/// Returns a strategy that asks an archive, whose queries call back.
func archiveStrategy(_ archive: Archive) -> StrategyFactory {
  .closure("archive", capabilities: StrategyCapabilities(canCancel: true, note: "an archive that calls back")) {
    request in
    let query = archive.query(for: request.url)
    let bytes = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        query.start { continuation.resume(with: $0) }
      }
    } onCancel: {
      query.cancel()
    }
    return FetchedBody(bytes: bytes)
  }
}
// end

/// A library with callbacks, which calls back once, also after a cancellation.
struct Archive {
  let query = Query()

  func query(for url: URL) -> Query { query }

  final class Query: Sendable {
    typealias Completion = @Sendable (Result<Data, any Error>) -> Void

    private let state = Locked((completion: Completion?.none, result: Result<Data, any Error>?.none))

    func start(_ completion: @escaping Completion) {
      let result = state.withLock { state in
        state.completion = completion
        return state.result
      }
      if let result { end(result) }
    }

    func cancel() { end(.failure(CancellationError())) }

    func end(_ result: Result<Data, any Error>) {
      let completion = state.withLock { state in
        state.result = result
        return state.completion.take()
      }
      completion?(result)
    }
  }
}

@Suite("The example of a strategy on a library with callbacks") struct CallbackStrategyExample {
  private let environment = FetchEnvironment(limits: FetchLimits(deadline: nil))

  private func image(_ archive: Archive) -> IFImage {
    environment.register(archiveStrategy(archive))
    environment.register(archiveStrategy(archive), selects: true)
    return IFImage(name: "a", url: "https://example.org/a.png", in: environment)
  }

  @Test("The bytes and the errors of the library reach the image") func results() async throws {
    let archive = Archive()
    archive.query.end(.success(Sample.png.bytes))
    #expect(try await image(archive).load().format == .png)
    let failing = Archive()
    failing.query.end(.failure(URLError(.timedOut)))
    await #expect(throws: FetchError.timedOut) { try await image(failing).load() }
  }

  @Test("If a cancellation and a result coincide, the fetch ends once", arguments: 0..<50)
  func race(_ repetition: Int) async {
    let archive = Archive()
    let image = image(archive)
    let events = EventRecorder(image, in: environment)
    image.startLoading()
    async let cancelled: Void = image.cancel()
    archive.query.end(.success(Sample.png.bytes))
    await cancelled
    await events.ended()
    #expect(events.kinds == ["started", "cancelled"] || events.kinds == ["started", "fetched"])
  }
}
