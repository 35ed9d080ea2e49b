import EventBus
import FetcherModel
import Foundation
import OriginServer
import TestMachine
import Testing

extension FetchLimits {
  /// Longer than any fetch that ends by itself, also on a busy machine.
  static let patience = Duration.seconds(120)
  static let patient = FetchLimits(deadline: patience)
}

extension PrivateTemporaryDirectory {
  /// Creates the directory and makes Foundation use it, as an application does in `main`.
  static func install() { if let directory = create() { setenv("TMPDIR", directory.path, 1) } }
}

/// An origin with a picture, and an environment that fetches from it over a real socket.
struct Laboratory {
  static let strategies: [StrategyName] = [.blocking, .dataTask, .downloadTask, .async, .socket]
  /// Those above URLSession.
  static let ofFoundation = strategies.filter { $0 != "socket" }
  /// Those that see the whole answer, and can end it.
  static let seeing = strategies.filter { $0 != "blocking" }
  // Before the first session of the process exists.
  private static let temporary: Void = PrivateTemporaryDirectory.install()

  let origin: OriginServer
  let environment: FetchEnvironment

  init(
    _ strategy: StrategyName, _ routes: [OriginRoute] = [], policy: TransportPolicy = TransportPolicy(),
    limits: FetchLimits = .patient, runtime: any Runtime = UncrowdedRuntime()
  ) throws {
    Self.temporary
    let picture = OriginRoute(path: "/a.png", OriginResponse(body: .data(Sample.png.bytes)))
    origin = try OriginServer(content: OriginContent(routes: [picture] + routes))
    environment = try FetchEnvironment(
      runtime: runtime, strategy: strategy, policy: policy, limits: limits)
  }

  func address(_ path: String) -> String { origin.baseURL.absoluteString.dropLast() + path }

  func image(_ path: String = "/a.png") -> IFImage { IFImage(name: path, url: address(path), in: environment) }

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

  /// The files of downloads of this process. Other tests have their own files and folders in the same place.
  static var temporaryFiles: [String] {
    guard let temporary else { return ["no private directory"] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []
    return names.filter { $0.hasSuffix(".tmp") || $0.hasSuffix(".download") }
  }
}
