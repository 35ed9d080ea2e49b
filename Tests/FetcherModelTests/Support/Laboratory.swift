import EventBus
import FetcherModel
import Foundation
import OriginServer
import Testing

/// An origin with a picture, and an environment that fetches from it over a real socket.
struct Laboratory {
  static let strategies = ["blocking", "dataTask", "downloadTask", "async"]
  // Before the first session of the process exists.
  private static let temporary = PrivateTemporaryDirectory.adopt()

  let origin: OriginServer
  let environment: FetchEnvironment

  init(
    _ strategy: String, _ routes: [OriginRoute] = [], policy: TransportPolicy = TransportPolicy(),
    limits: FetchLimits = FetchLimits(deadline: .seconds(20))
  ) throws {
    _ = Self.temporary
    let picture = OriginRoute(path: "/a.png", OriginResponse(body: .data(Sample.png.bytes)))
    origin = try OriginServer(content: OriginContent(routes: [picture] + routes))
    environment = try FetchEnvironment(strategy: strategy, policy: policy, limits: limits)
  }

  func address(_ path: String) -> String { origin.baseURL.absoluteString.dropLast() + path }

  func image(_ path: String = "/a.png") -> IFImage { IFImage(path, address(path), in: environment) }

  /// Reads the image and waits for the end of the fetch.
  func fetch(_ path: String = "/a.png") async -> (image: IFImage, events: EventRecorder) {
    let image = image(path)
    let events = EventRecorder(image, in: environment)
    _ = image.image
    await events.ended()
    return (image, events)
  }

  /// That the strategies leave no temporary file. One whose download was called off may appear a moment after its end, and
  /// is swept away by the next download: nobody else does it here.
  static func noTemporaryFiles() async throws {
    let laboratory = try Laboratory("downloadTask")
    for _ in 0..<20 where !temporaryFiles.isEmpty { _ = await laboratory.fetch() }
    #expect(temporaryFiles == [])
  }

  /// The temporary files of this process. A program that a test runs has a directory of its own in the same place, and leaves it
  /// there when it is killed.
  static var temporaryFiles: [String] {
    guard let temporary else { return ["no private directory"] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []
    return names.filter { !$0.hasPrefix("fetcher-") }
  }
}
