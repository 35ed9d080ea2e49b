import EventBus
import Lessons

/// Uploads pictures from a card, one after another.
final class Importer: L26.Program {
  private let waiting: AsyncStream<String>.Continuation

  init(runtime: any Runtime, server: PictureServer) {
    let (pictures, continuation) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingNewest(1))
    waiting = continuation
    _ = runtime.task {
      for await picture in pictures {
        _ = await server.picture(picture)
      }
    }
  }

  func add(_ picture: String) async {
    waiting.yield(picture)
  }

  func close() { waiting.finish() }
}
