import EventBus
import FetcherModel
import Foundation
import Testing

/// The worked example of the documentation, at work.
@Suite(.timeLimit(.minutes(10))) struct FolderStrategyTests {
  @Test("A strategy of one's own is registered and selected by name, and images fetch with it")
  func ownStrategy() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("own-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Sample.png.bytes.write(to: folder.appendingPathComponent("a.png"))

    let environment = FetchEnvironment()
    environment.register(FolderStrategy(folder: folder))
    try environment.select(strategy: "folder")
    let images = ["a.png", "b.png"].map { IFImage($0, "https://example.org/\($0)", in: environment) }
    let events = images.map { EventRecorder($0, in: environment) }
    for image in images { _ = image.image }
    for recorder in events { await recorder.ended() }
    #expect(images[0].image.bytes == Sample.png.bytes)
    #expect(images[1].state == .failed(.badStatus(404)))
    #expect(events.allSatisfy { $0.last?.strategy == "folder" })
    #expect(environment.registry.names == ["blocking", "dataTask", "downloadTask", "async", "socket", "folder"])
  }

  @Test("Its cancel completes once, with cancelled or the result")
  func cancel() async {
    let strategy = FolderStrategy(folder: URL(filePath: "/nowhere"))
    for _ in 0..<100 {
      let ends = Locked<[Result<FetchedBody, FetchError>]>([])
      await withCheckedContinuation { continuation in
        let request = FetchRequest(url: URL(filePath: "/a.png"))
        let handle = strategy.fetch(request) { result in
          ends.withLock { $0.append(result) }
          continuation.resume()
        }
        handle.cancel()
        handle.cancel()
      }
      let results = ends.withLock { $0 }
      #expect([[.failure(.cancelled)], [.failure(.badStatus(404))]].contains(results))
    }
  }
}
