import EventBus
import Foundation
import OriginServer
import ScenarioFormat

/// The pictures of a scenario, so that a view can be asked whose picture it shows. Any thread.
///
/// No two that are made are alike, and each is made when it is first asked for: one may take 48 MiB. A file that an
/// answer consists of is the picture of each image whose address may have that answer.
final class ScenarioPictures: Sendable {
  private struct State {
    /// The bytes of each image, by its id.
    var bodies: [String: Data] = [:]
    /// The images of each picture, in the order of the scenario.
    var ids: [Data: [String]]
  }

  private let patterns: [String: PatternPicture]
  private let state: Locked<State>

  /// - Parameter folder: where the files of bodies are.
  init(_ scenario: Scenario, folder: URL) {
    patterns = Dictionary(
      uniqueKeysWithValues: scenario.images.enumerated().map { index, image in
        (image.id, PatternPicture(seed: index + 1, width: image.size.width, height: image.size.height))
      })
    var ids: [Data: [String]] = [:]
    for (name, images) in Self.files(scenario).sorted(by: { $0.key < $1.key }) {
      guard let bytes = OriginBody.fileInFolder(folder, path: name).contents() else { continue }
      ids[bytes, default: []] += images
    }
    state = Locked(State(ids: ids))
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

  /// The bytes of an image; nothing for one that the scenario does not have.
  func body(of image: String) -> Data {
    if let body = state.withLock({ $0.bodies[image] }) { return body }
    guard let body = patterns[image]?.png else { return Data() }
    state.withLock { state in
      state.bodies[image] = body
      if state.ids[body]?.contains(image) != true { state.ids[body, default: []].append(image) }
    }
    return body
  }

  /// Whose picture these bytes are; nil for nobody's, or for one that was never served.
  ///
  /// - Parameter image: who comes first where they are the picture of several.
  func id(of bytes: Data, of image: String?) -> String? {
    guard let owners = state.withLock({ $0.ids[bytes] }) else { return nil }
    return owners.first { $0 == image } ?? owners.first
  }
}

extension Scenario.Response {
  /// The name of the file that it consists of.
  fileprivate var file: String? { if case .file(let name) = body { name } else { nil } }
}
