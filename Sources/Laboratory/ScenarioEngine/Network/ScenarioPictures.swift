import EventBus
import Foundation
import OriginServer
import ScenarioFormat

/// The pictures of a scenario. They identify the image to which a displayed picture belongs. Safe to use from any
/// thread.
///
/// No two generated pictures are equal. A picture is generated only when it is first needed, because it may take 48
/// MiB. A body file is the picture of each image whose address may return that file.
final class ScenarioPictures: Sendable {
  private struct State {
    /// The bytes of each image, keyed by the image's id.
    var bodies: [String: Data] = [:]
    /// The ids of the images with each picture, in the order of the scenario, keyed by the picture's bytes.
    var ids: [Data: [String]]
  }

  private let patterns: [String: PatternPicture]
  private let state: Locked<State>

  /// - Parameter folder: the folder that contains the body files.
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

  /// Maps each file to the images whose picture it may contain.
  private static func files(_ scenario: Scenario) -> [String: [String]] {
    guard scenario.allResponses.contains(where: { $0.file != nil }) else { return [:] }
    let answers = PossibleAnswers(scenario)
    return scenario.images.reduce(into: [:]) { files, image in
      let names = Set(answers.reached(from: image.path).compactMap(\.file))
      for name in names { files[name, default: []].append(image.id) }
    }
  }

  /// The bytes of an image, or empty data for an unknown image.
  func body(of image: String) -> Data {
    if let body = state.withLock({ $0.bodies[image] }) { return body }
    guard let body = patterns[image]?.png else { return Data() }
    state.withLock { state in
      state.bodies[image] = body
      if state.ids[body]?.contains(image) != true { state.ids[body, default: []].append(image) }
    }
    return body
  }

  /// The image with these bytes, or nil for a picture that is unknown or was never served.
  ///
  /// - Parameter image: the preferred image, if several have this picture.
  func id(of bytes: Data, of image: String?) -> String? {
    guard let owners = state.withLock({ $0.ids[bytes] }) else { return nil }
    return owners.first { $0 == image } ?? owners.first
  }
}

extension Scenario.Response {
  /// The name of the response's body file, or nil if the body is not a file.
  fileprivate var file: String? { if case .file(let name) = body { name } else { nil } }
}
