import EventBus
import FetcherModel
import FetcherViews
import Foundation
import ScenarioFormat
import TutorialApps

/// ImageFetcher. The app shows a list of favorites next to the page of the selected favorite, or one of these pages at
/// a time.
///
/// The favorites are the rows of the setting `Favorites`, or the scenario's images. The image `elsewhere` has a plain
/// http address that appears to be on another machine. The transport policy rejects this address until a property list
/// allows arbitrary loads.
final class SplitPages: SystemPages {
  nonisolated static let controls = ["collapse", "side-by-side", "allow-arbitrary-loads"]
  nonisolated static let steps = [
    "appear": ["split"], "disappear": ["split"], "select": ["detail"], "deselect": ["detail"],
    "tap": ["split", "list", "detail"], "cancel": [], "switch": [], "send": [],
  ]

  private let stage: PageStage
  private var split: SplitViewController

  init(_ stage: PageStage) throws(ServiceError) {
    self.stage = stage
    split = try Self.launch(stage)
  }

  /// The name of the favorite that appears to be on another machine.
  private static let elsewhere = "elsewhere"
  /// The property list entry that allows arbitrary loads.
  private static let arbitraryLoads = """
    <plist version="1.0"><dict>
      <key>NSAppTransportSecurity</key><dict><key>NSAllowsArbitraryLoads</key><true/></dict>
    </dict></plist>
    """

  private static func launch(_ stage: PageStage) throws(ServiceError) -> SplitViewController {
    let environment = stage.environment
    let context = stage.context
    let favorites: [IFImage]
    if stage.isScenario {
      favorites = context.scenario.images.compactMap { image in
        guard let address = context.addresses[image.id] else { return nil }
        return IFImage(
          name: image.id, url: image.id == elsewhere ? ScenarioOrigin.elsewhere(address) : address, in: environment)
      }
    } else {
      favorites = try Self.favorites(of: stage.settings).map {
        IFImage(name: $0.name, url: $0.address, in: environment)
      }
    }
    let list = ListViewController("Favorites", favorites, in: environment) { rows in
      stage.show("\(rows.count) favorites: " + rows.joined(separator: ", "), on: "list")
    }
    let detail = ImageViewController(in: environment, name: "detail") { stage.draw("detail", $0) }
    return SplitViewController(list, detail, layout: .sideBySide, in: environment)
  }

  /// Returns the favorites in a property list, which is an array of dictionaries with `imageName` and `imageURL`.
  nonisolated static func favorites(of settings: ServiceConfiguration) throws(ServiceError) -> [(
    name: String, address: String
  )] {
    try settings.table("Favorites").map { (row) throws(ServiceError) in
      guard let name = row["imageName"], let url = row["imageURL"] else {
        throw .missingConfiguration("imageName and imageURL in each row of Favorites")
      }
      return (name, try settings.address(url).absoluteString)
    }
  }

  func perform(_ action: Scenario.Action) -> Bool {
    switch action {
    case .appear: split.viewWillAppear()
    case .disappear: split.viewWillDisappear()
    case .select(let name, _):
      guard let row = split.list.rows.firstIndex(of: name) else { return false }
      split.select(row)
    case .deselect: split.goBack()
    case .cancel(let name):
      guard let image = images[name] else { return false }
      image.cancel()
    case .tap("collapse", _): split.setLayout(.collapsed)
    case .tap("side-by-side", _): split.setLayout(.sideBySide)
    case .tap: relaunch()
    default: break
    }
    return true
  }

  /// Restarts the program with a property list that allows arbitrary loads.
  private func relaunch() {
    split.viewWillDisappear()
    for (view, isVisible) in visible.sorted(by: { $0.key < $1.key }) { stage.note(view, isVisible: isVisible) }
    let list = Data(Self.arbitraryLoads.utf8)
    guard let settings = try? ServiceConfiguration(propertyList: list, name: "the property list") else {
      fatalError("Internal inconsistency: the property list of the second launch is invalid")
    }
    stage.relaunch(settings.transportPolicy)
    guard let new = try? Self.launch(stage) else { return }
    split = new
    split.viewWillAppear()
  }

  var isIdle: Bool { true }

  var visible: [String: Bool] {
    let pages = split.visiblePages
    return ["list": pages.contains(.list), "detail": pages.contains(.picture)]
  }

  var screens: [ProgramScreen] {
    var list = ProgramScreen("list", isVisible: split.visiblePages.contains(.list))
    list.title = split.list.title
    list.rows = split.list.images.map { ProgramScreen.Row($0.name, $0, isSelected: split.detail.image === $0) }
    return [list, ProgramScreen("detail", split.detail)]
  }

  var images: [String: IFImage] {
    Dictionary(split.list.images.map { ($0.name, $0) }) { first, _ in first }
  }

  func close() { split.viewWillDisappear() }
}
