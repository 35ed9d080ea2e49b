import Bytes
import FetcherModel
import Foundation
import ScenarioFormat
import VirtualTime

/// The source of a scenario's images: a real or a simulated origin.
protocol ScenarioNetwork: Sendable {
  /// The loader for the strategies.
  var loader: any NetworkLoader { get }

  /// Scheme, host and port of the origin.
  var base: String { get }

  /// The URL of each image, by its id.
  var addresses: [String: String] { get }

  /// The image whose picture has these bytes, or nil.
  ///
  /// - Parameter image: the preferred image, if several have this picture.
  func id(ofPicture bytes: Data, of image: String?) -> String?

  /// Changes the answers of a path from its next request on. Other paths continue unchanged.
  func change(_ route: Scenario.Route)

  /// Sets one answer for all paths from the next request on, or nil for their own answers.
  func changeAll(_ route: Scenario.Route?)
}

/// The real network, with a server that is not part of the scenario.
struct ForeignNetwork: ScenarioNetwork {
  let loader: any NetworkLoader = SystemLoader.shared

  let base = ""

  /// The scenario's images do not exist there.
  let addresses: [String: String] = [:]

  /// Any picture belongs to the image that requested it.
  func id(ofPicture bytes: Data, of image: String?) -> String? { image }

  func change(_ route: Scenario.Route) {}
  func changeAll(_ route: Scenario.Route?) {}
}

extension Scenario {
  /// The address of each image by its id, if the address of a path is known.
  func addresses(_ address: (ScenarioPath) -> String) -> [String: String] {
    Dictionary(uniqueKeysWithValues: images.map { ($0.id, address($0.path)) })
  }
}

/// Names the items of a virtual run with the scenario's words: `step 3`, `answer B`. A name is evaluated only if a
/// schedule is recorded, so that a search over thousands of schedules does not pay for it.
struct ItemNames: Sendable {
  /// Nil in real time, where items have no names.
  var runtime: VirtualRuntime?
  /// The address of each image, by its id.
  var addresses: [String: String] = [:]

  /// Names the running item.
  func name(_ text: @autoclosure () -> String, onlyLooks: Bool = false) { runtime?.name(text(), onlyLooks: onlyLooks) }

  /// Names the running item as a part of the answer to a request.
  ///
  /// - Parameter part: the part, or an empty string for the head.
  func name(answer url: URL, _ part: String) {
    runtime?.name("answer \(images(at: url))\(part.isEmpty ? "" : ", \(part)")")
  }

  /// The images at an address, or its path if there is none.
  private func images(at url: URL) -> String {
    let images = addresses.filter { $0.value == url.absoluteString }.keys.sorted()
    return images.isEmpty ? url.path.withoutCredentials : images.joined(separator: "/")
  }
}
