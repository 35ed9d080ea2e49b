import EventBus
public import FetcherModel

/// The list of favourites, without a screen: names to choose from. Showing it fetches nothing.
@MainActor public final class ListViewController {
  /// The heading of the list.
  public let title: String
  /// What can be chosen, in order.
  public let images: [IFImage]
  /// Whether the list is on the screen.
  public private(set) var isVisible = false
  /// The row that was chosen last.
  public private(set) var selectedRow: Int?
  private let runtime: any Runtime
  private let onDraw: @MainActor ([String]) -> Void

  /// - Parameters:
  ///   - title: the heading.
  ///   - images: one row each.
  ///   - environment: the environment whose main scheduler the list lives on.
  ///   - onDraw: called with the rows each time the list appears.
  public init(
    _ title: String, _ images: [IFImage], in environment: FetchEnvironment,
    onDraw: @escaping @MainActor ([String]) -> Void = { _ in }
  ) {
    self.title = title
    self.images = images
    self.onDraw = onDraw
    runtime = environment.runtime
  }

  /// The text of each row.
  public var rows: [String] { images.map(\.name) }

  /// The list is about to be seen.
  public func viewWillAppear() {
    runtime.requireMain()
    isVisible = true
    onDraw(rows)
  }

  /// The list is about to go.
  public func viewWillDisappear() {
    runtime.requireMain()
    isVisible = false
  }

  /// Marks a row, or none.
  ///
  /// - Returns: the picture of that row.
  @discardableResult
  public func select(_ row: Int?) -> IFImage? {
    runtime.requireMain()
    selectedRow = row
    return row.map { images[$0] }
  }
}
