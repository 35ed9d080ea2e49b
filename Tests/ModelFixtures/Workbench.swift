package import EventBus
package import FetcherModel
import Foundation
package import OriginServer
import SocketStrategy
import TestMachine
import Testing

extension FetchLimits {
  /// A deadline that is longer than any fetch that ends by itself, even on a busy machine.
  package static let longDeadline = Duration.seconds(120)
  package static let patient = FetchLimits(deadline: longDeadline, idleTimeout: .seconds(120))
}

extension PrivateTemporaryDirectory {
  /// Creates the directory and makes Foundation use it, as an application does in `main`.
  package static func install() { if let directory = create() { setenv("TMPDIR", directory.path, 1) } }
}

/// An origin with a picture and an environment that fetches from it over a real socket.
package struct Workbench {
  package static let strategies: [StrategyName] = [.blocking, .dataTask, .downloadTask, .async, .socket]
  /// The strategies that use Foundation.
  package static let ofFoundation = strategies.filter { $0 != "socket" }
  /// The strategies that see the whole response and can cancel it.
  package static let seeing = strategies.filter { $0 != "blocking" }
  // The directory must exist before the first session of the process does.
  private static let temporary: Void = PrivateTemporaryDirectory.install()

  package let origin: OriginServer
  package let environment: FetchEnvironment

  package init(
    _ strategy: StrategyName, _ routes: [OriginRoute] = [], policy: TransportPolicy = TransportPolicy(),
    limits: FetchLimits = .patient, maximumInFlight: Int? = nil, runtime: any Runtime = UncrowdedRuntime()
  ) throws {
    Self.temporary
    let picture = OriginRoute(path: "/a.png", OriginResponse(body: .data(Sample.png.bytes)))
    origin = try OriginServer(content: OriginContent(routes: [picture] + routes))
    environment = FetchEnvironment(
      bus: EventBus(runtime: runtime), policy: policy, limits: limits, maximumInFlight: maximumInFlight)
    environment.register(.socket)
    try environment.select(strategy)
  }

  package func address(_ path: String) -> String { origin.baseURL.absoluteString.dropLast() + path }

  package func image(_ path: String = "/a.png") -> IFImage { IFImage(name: path, url: address(path), in: environment) }

  /// Reads the image and waits for the end of the fetch.
  package func fetch(_ path: String = "/a.png") async -> (image: IFImage, events: EventRecorder) {
    let image = image(path)
    let events = EventRecorder(image, in: environment)
    _ = image.image
    await events.ended()
    return (image, events)
  }

  /// Checks that the strategies leave no temporary file. The file of a cancelled download may appear shortly after the
  /// download ends. Only the next download removes it.
  package static func noTemporaryFiles() async throws {
    let workbench = try Workbench("downloadTask")
    for _ in 0..<20 where !temporaryFiles.isEmpty { _ = await workbench.fetch() }
    #expect(temporaryFiles == [])
  }

  /// The download files of this process. Other tests have files and folders in the same directory.
  package static var temporaryFiles: [String] {
    guard let temporary = PrivateTemporaryDirectory.url else { return ["no private directory"] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []
    return names.filter { $0.hasSuffix(".tmp") || $0.hasSuffix(".download") }
  }
}
