import Foundation
import ScenarioFormat

/// The pictures of a scenario, so that a view can be asked whose picture it shows.
///
/// No two that are made are alike. A file that an answer consists of is the picture of each image whose address may have
/// that answer.
struct ScenarioPictures: Sendable {
  /// The bytes of each image, by its id.
  let bodies: [String: Data]
  /// The images of each picture, in the order of the scenario.
  private let ids: [Data: [String]]

  /// - Parameter folder: where the files of bodies are.
  init(_ scenario: Scenario, folder: URL) {
    bodies = Dictionary(
      uniqueKeysWithValues: scenario.images.enumerated().map { index, image in
        (image.id, PatternPicture(seed: index + 1, width: image.size.width, height: image.size.height).png)
      })
    var ids = bodies.reduce(into: [Data: [String]]()) { ids, body in ids[body.value] = [body.key] }
    for (name, images) in Self.files(scenario).sorted(by: { $0.key < $1.key }) {
      guard let bytes = try? Data(contentsOf: folder.appending(path: name)) else { continue }
      ids[bytes, default: []] += images
    }
    self.ids = ids
  }

  /// The images that each file may be the picture of.
  private static func files(_ scenario: Scenario) -> [String: [String]] {
    guard scenario.allResponses.contains(where: { $0.file != nil }) else { return [:] }
    let answers = PossibleAnswers(scenario)
    return scenario.images.reduce(into: [:]) { files, image in
      let names = Set(answers.reached(from: image.path).compactMap(\.file))
      for name in names { files[name, default: []].append(image.id) }
    }
  }

  /// Whose picture these bytes are; nil for nobody's.
  ///
  /// - Parameter image: who comes first where they are the picture of several.
  func id(of bytes: Data, of image: String?) -> String? {
    guard let owners = ids[bytes] else { return nil }
    return owners.first { $0 == image } ?? owners.first
  }
}

extension Scenario.Response {
  /// The name of the file that it consists of.
  fileprivate var file: String? { if case .file(let name) = body { name } else { nil } }
}
