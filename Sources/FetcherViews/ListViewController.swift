import EventBus
public import FetcherModel

/// The list of favourites, without a screen: names to choose from. Showing it fetches nothing.
///
/// Every member is for the main scheduler only.
public final class ListViewController: Sendable {
  private struct State {
    var isVisible = false
    var selectedRow: Int?
  }

  /// The heading of the list.
  public let title: String
  /// What can be chosen, in order.
  public let images: [IFImage]
  private let state: Confined<State>
  private let onDraw: @Sendable ([String]) -> Void

  /// - Parameters:
  ///   - title: the heading.
  ///   - images: one row each.
  ///   - environment: whose main scheduler the list lives on.
  ///   - onDraw: called with the rows each time the list appears.
  public init(
    _ title: String, _ images: [IFImage], in environment: FetchEnvironment,
    onDraw: @escaping @Sendable ([String]) -> Void = { _ in }
  ) {
    self.title = title
    self.images = images
    self.onDraw = onDraw
    state = Confined(environment.runtime.main, State())
  }

  /// The text of each row.
  public var rows: [String] { images.map(\.name) }

  /// Whether the list is on the screen.
  public var isVisible: Bool { state.withValue { $0.isVisible } }

  /// The row that was chosen last.
  public var selectedRow: Int? { state.withValue { $0.selectedRow } }

  /// The list is about to be seen.
  public func viewWillAppear() {
    state.withValue { $0.isVisible = true }
    onDraw(rows)
  }

  /// The list is about to go.
  public func viewWillDisappear() { state.withValue { $0.isVisible = false } }

  /// Marks a row, or none.
  ///
  /// - Returns: the picture of that row.
  @discardableResult
  public func select(_ row: Int?) -> IFImage? {
    state.withValue { $0.selectedRow = row }
    return row.map { images[$0] }
  }
}
