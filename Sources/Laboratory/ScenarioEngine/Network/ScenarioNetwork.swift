import FetcherModel
import Foundation
import PlainText
import ScenarioFormat
import VirtualTime

/// The source of a scenario's images, which is either a real or a simulated origin.
protocol ScenarioNetwork: Sendable {
  /// The network loader that the strategies use.
  var loader: any NetworkLoader { get }

  /// The scheme, host and port of the origin.
  var base: String { get }

  /// The URL of each image, keyed by the image's id.
  var addresses: [String: String] { get }

  /// The id of the image whose picture consists of these bytes, or nil.
  ///
  /// - Parameter image: the preferred image, if several have this picture.
  func id(ofPicture bytes: Data, of image: String?) -> String?

  /// Performs a step that changes the responses, starting with the next request. Other steps have no effect.
  func perform(_ action: Scenario.Action)
}

/// The real network, with a server that is not part of the scenario.
struct ForeignNetwork: ScenarioNetwork {
  let loader: any NetworkLoader = SystemLoader.shared

  let base = ""

  /// Empty, because the scenario's images do not exist on that server.
  let addresses: [String: String] = [:]

  /// Returns the image that requested the picture, because the server's pictures are unknown.
  func id(ofPicture bytes: Data, of image: String?) -> String? { image }

  func perform(_ action: Scenario.Action) {}
}

extension Scenario {
  /// Returns the address of each image, keyed by the image's id. The closure maps a path to its address.
  func addresses(_ address: (ScenarioPath) -> String) -> [String: String] {
    Dictionary(uniqueKeysWithValues: images.map { ($0.id, address($0.path)) })
  }
}

/// Names the items of a virtual run with the scenario's own words: `step 3`, `answer B`. Names are evaluated only if a
/// schedule is recorded, so that they do not slow down a search over thousands of schedules.
struct ItemNames: Sendable {
  /// The runtime that runs the items, or nil on the real clock, where items have no names.
  let runtime: VirtualRuntime?
  /// The ids of the images at each address.
  private let images: [String: [String]]

  /// - Parameter addresses: the address of each image, keyed by the image's id.
  init(runtime: VirtualRuntime? = nil, addresses: [String: String] = [:]) {
    self.runtime = runtime
    images = runtime == nil ? [:] : Dictionary(grouping: addresses.keys) { addresses[$0] ?? "" }
  }

  /// Names the running item.
  func name(_ text: @autoclosure () -> String, onlyLooks: Bool = false) { runtime?.name(text(), onlyLooks: onlyLooks) }

  /// Names the running item as a part of the response to a request.
  ///
  /// - Parameter part: the name of the part, or an empty string for the head.
  func name(answer url: URL, _ part: String) {
    runtime?.name("answer \(images(at: url))\(part.isEmpty ? "" : ", \(part)")")
  }

  /// The images at an address, or the address's path if it has no images.
  private func images(at url: URL) -> String {
    images[url.absoluteString]?.sorted().joined(separator: "/") ?? url.path.withoutCredentials
  }
}
