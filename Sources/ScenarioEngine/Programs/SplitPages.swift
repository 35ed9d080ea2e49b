import EventBus
import FetcherModel
import FetcherViews
import Foundation
import ScenarioFormat

/// ImageFetcher: a list of favourites beside the page of the chosen one, or in turn with it.
///
/// The favourites are the images of the scenario, or the rows of the setting `Favourites`. An image called `elsewhere` is on another
/// machine, by plain http: the transport policy refuses it as long as no property list allows arbitrary loads.
final class SplitPages: SystemPages {
  static let controls = ["collapse", "side-by-side", "allow-arbitrary-loads"]

  private struct State {
    var split: SplitViewController
    var favourites: [IFImage]
  }

  private let stage: PageStage
  private let state: Confined<State>

  init(_ stage: PageStage) throws(FetchError) {
    self.stage = stage
    state = Confined(stage.context.runtime.main, try Self.launch(stage, .sideBySide))
  }

  /// The name of the favourite that is on another machine.
  private static let elsewhere = "elsewhere"

  private static func launch(_ stage: PageStage, _ layout: SplitViewController.Layout) throws(FetchError) -> State {
    let environment = stage.environment
    let context = stage.context
    let favourites: [IFImage]
    if context.scenario.images.isEmpty {
      favourites = try Self.favourites(of: stage.settings).map { IFImage($0.name, $0.address, in: environment) }
    } else {
      favourites = context.scenario.images.map { image in
        let isElsewhere = image.id == elsewhere
        return IFImage(
          image.id, isElsewhere ? "http://elsewhere.invalid\(image.path.text)" : context.address(image), in: environment
        )
      }
    }
    let list = ListViewController("Favourites", favourites, in: environment) { rows in
      stage.show("\(rows.count) favourites: " + rows.joined(separator: ", "), on: "list")
    }
    let detail = ImageViewController(in: environment) { stage.draw("detail", $0) }
    return State(
      split: SplitViewController(list, detail, layout: layout, in: environment), favourites: favourites)
  }

  /// The favourites of a property list: an array of dictionaries with `imageName` and `imageURL`.
  static func favourites(of settings: ServiceConfiguration) throws(FetchError) -> [(name: String, address: String)] {
    try settings.table("Favourites").map { (row) throws(FetchError) in
      guard let name = row["imageName"], let url = row["imageURL"] else {
        throw .missingConfiguration("imageName and imageURL in each row of Favourites")
      }
      return (name, try settings.address(url).absoluteString)
    }
  }

  private var split: SplitViewController { state.withValue { $0.split } }

  func perform(_ action: Scenario.Action) {
    switch action {
    case .appear: split.viewWillAppear()
    case .disappear: split.viewWillDisappear()
    case .select(let name, _):
      if let row = split.list.rows.firstIndex(of: name) { split.select(row) }
    case .deselect: split.goBack()
    case .tap("collapse", _): split.setLayout(.collapsed)
    case .tap("side-by-side", _): split.setLayout(.sideBySide)
    case .tap: relaunch()
    default: break
    }
  }

  /// Begins anew with a property list that allows arbitrary loads.
  private func relaunch() {
    split.viewWillDisappear()
    for (view, isVisible) in visible.sorted(by: { $0.key < $1.key }) { stage.note(view, isVisible: isVisible) }
    stage.relaunch(TransportPolicy(allowsArbitraryLoads: true))
    guard let new = try? Self.launch(stage, .sideBySide) else { return }
    state.withValue { $0 = new }
    split.viewWillAppear()
  }

  var isIdle: Bool { true }

  var visible: [String: Bool] {
    let pages = split.visiblePages
    return ["list": pages.contains(.list), "detail": pages.contains(.picture)]
  }

  var images: [String: IFImage] {
    Dictionary(state.withValue { $0.favourites }.map { ($0.name, $0) }) { first, _ in first }
  }

  func close() { split.viewWillDisappear() }
}
