import EventBus
import FetcherModel

/// The list of favourites, without a screen: names to choose from. Showing it fetches nothing.
///
/// Every member is for the main scheduler only.
final class ListViewController: Sendable {
  private struct State {
    var isVisible = false
    var selectedRow: Int?
  }

  /// The heading of the list.
  let title: String
  /// What can be chosen, in order.
  let images: [IFImage]
  private let state: Confined<State>
  private let onDraw: @Sendable ([String]) -> Void

  /// - Parameters:
  ///   - title: the heading.
  ///   - images: one row each.
  ///   - environment: whose main scheduler the list lives on.
  ///   - onDraw: called with the rows each time the list appears.
  init(
    _ title: String, _ images: [IFImage], in environment: FetchEnvironment,
    onDraw: @escaping @Sendable ([String]) -> Void = { _ in }
  ) {
    self.title = title
    self.images = images
    self.onDraw = onDraw
    state = Confined(environment.runtime.main, State())
  }

  /// The text of each row.
  var rows: [String] { images.map(\.name) }

  /// Whether the list is on the screen.
  var isVisible: Bool { state.withValue { $0.isVisible } }

  /// The row that was chosen last.
  var selectedRow: Int? { state.withValue { $0.selectedRow } }

  /// The list is about to be seen.
  func viewWillAppear() {
    state.withValue { $0.isVisible = true }
    onDraw(rows)
  }

  /// The list is about to go.
  func viewWillDisappear() { state.withValue { $0.isVisible = false } }

  /// Marks a row, or none.
  ///
  /// - Returns: the picture of that row.
  @discardableResult
  func select(_ row: Int?) -> IFImage? {
    state.withValue { $0.selectedRow = row }
    return row.map { images[$0] }
  }
}
