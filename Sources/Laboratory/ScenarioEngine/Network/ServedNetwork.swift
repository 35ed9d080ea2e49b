package import FetcherModel
package import Foundation
package import ScenarioFormat

/// The real network, with an origin in another process. That process also changes the origin when a step asks for it.
package struct ServedNetwork: ScenarioNetwork {
  package let loader: any NetworkLoader = SystemLoader.shared
  let base: String
  let addresses: [String: String]
  private let pictures: ScenarioPictures
  private let onChange: @Sendable () -> Void

  /// Generates all pictures, so that a run does not.
  ///
  /// - Parameters:
  ///   - folder: the folder that contains the body files.
  ///   - base: the scheme, host and port of the origin.
  ///   - onChange: called on main for each step that changes the origin. It returns when the origin has changed.
  package init(_ scenario: Scenario, folder: URL, base: String, onChange: @escaping @Sendable () -> Void) {
    let served = ScenarioOrigin(scenario, folder: folder, address: base)
    let refused = served.refused
    self.base = base
    self.onChange = onChange
    addresses = scenario.addresses { OriginNetwork.address(base, $0, refused) }
    pictures = served.pictures
    for image in scenario.images { _ = pictures.body(of: image.id) }
  }

  package func id(ofPicture bytes: Data, of image: String?) -> String? { pictures.id(of: bytes, of: image) }

  package func perform(_ action: Scenario.Action) { onChange() }
}
