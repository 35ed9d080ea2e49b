import FetcherModel
import Foundation
import ScenarioFormat

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
