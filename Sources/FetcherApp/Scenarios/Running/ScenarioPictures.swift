import Foundation

/// The pictures of a scenario. No two are alike, so that a view can be asked whose picture it shows.
struct ScenarioPictures: Sendable {
  /// The bytes of each image, by its id.
  let bodies: [String: Data]
  private let ids: [Data: String]

  init(_ scenario: Scenario) {
    bodies = Dictionary(
      uniqueKeysWithValues: scenario.images.enumerated().map { index, image in
        (image.id, PatternPicture(seed: index + 1, width: image.size.width, height: image.size.height).png)
      })
    ids = Dictionary(bodies.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whose bytes these are.
  func id(of bytes: Data) -> String? { ids[bytes] }
}
