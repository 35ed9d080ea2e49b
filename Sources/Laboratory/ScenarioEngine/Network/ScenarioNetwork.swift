import Bytes
import FetcherModel
import Foundation
import ScenarioFormat
import VirtualTime

/// Where the images of a scenario come from: a real origin, or a simulated one.
protocol ScenarioNetwork: Sendable {
  /// What the strategies load with.
  var loader: any NetworkLoader { get }

  /// Scheme, host and port of the origin.
  var base: String { get }

  /// The URL of each image, by its id.
  var addresses: [String: String] { get }

  /// The image whose picture these bytes are; nil for bytes of none.
  ///
  /// - Parameter image: who comes first where they are the picture of several.
  func id(ofPicture bytes: Data, of image: String?) -> String?

  /// Gives a path other answers from its next request on. The other paths go on where they are.
  func change(_ route: Scenario.Route)

  /// Lets all paths answer the same from the next request on; nil for the answers of each path itself.
  func changeAll(_ route: Scenario.Route?)
}

/// The real network, with a server that is not part of the scenario.
struct ForeignNetwork: ScenarioNetwork {
  let loader: any NetworkLoader = SystemLoader.shared

  let base = ""

  /// Images of a scenario are not there.
  let addresses: [String: String] = [:]

  /// Whatever came is the picture of the image that asked for it.
  func id(ofPicture bytes: Data, of image: String?) -> String? { image }

  func change(_ route: Scenario.Route) {}
  func changeAll(_ route: Scenario.Route?) {}
}

extension Scenario {
  /// The address of each image, by its id, where that of a path is known.
  func addresses(_ address: (ScenarioPath) -> String) -> [String: String] {
    Dictionary(uniqueKeysWithValues: images.map { ($0.id, address($0.path)) })
  }
}

/// Names what runs in virtual time in the words of the scenario: `step 3`, `answer B`. A name is made only where a
/// schedule is written down, so that a search over thousands of them does not pay for it.
struct ItemNames: Sendable {
  /// Nil in real time, where nothing has a name.
  var runtime: VirtualRuntime?
  /// The address of each image, by its id.
  var addresses: [String: String] = [:]

  /// The running item is this.
  func name(_ text: @autoclosure () -> String, onlyLooks: Bool = false) { runtime?.name(text(), onlyLooks: onlyLooks) }

  /// The running item is a part of the answer to a request.
  ///
  /// - Parameter part: empty for its head.
  func name(answer url: URL, _ part: String) {
    runtime?.name("answer \(images(at: url))\(part.isEmpty ? "" : ", \(part)")")
  }

  /// The images at an address, or its path where there is none.
  private func images(at url: URL) -> String {
    let images = addresses.filter { $0.value == url.absoluteString }.keys.sorted()
    return images.isEmpty ? url.path.withoutCredentials : images.joined(separator: "/")
  }
}
