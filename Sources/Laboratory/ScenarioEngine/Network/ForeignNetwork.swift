import FetcherModel
import Foundation
import ScenarioFormat

/// The real network, with a server of which no scenario knows anything.
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
