import EventBus
public import FetcherModel

/// A headless list of favorites. Showing the list fetches nothing.
@MainActor public final class ListViewController {
  /// The heading.
  public let title: String
  /// The images to select from, in order.
  public let images: [IFImage]
  /// Whether the list is visible.
  public private(set) var isVisible = false
  /// The last selected row.
  public private(set) var selectedRow: Int?
  private let runtime: any Runtime
  private let onDraw: @MainActor ([String]) -> Void

  /// - Parameters:
  ///   - title: the heading.
  ///   - images: the images, each of which gets one row.
  ///   - environment: the environment whose main scheduler runs the list.
  ///   - onDraw: a closure that is called with the rows each time the list appears.
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

  /// Call this method when the list appears.
  public func viewWillAppear() {
    runtime.requireMain()
    isVisible = true
    onDraw(rows)
  }

  /// Call this method when the list disappears.
  public func viewWillDisappear() {
    runtime.requireMain()
    isVisible = false
  }

  /// Selects a row, or deselects it with nil.
  ///
  /// - Returns: the image of the row.
  @discardableResult
  public func select(_ row: Int?) -> IFImage? {
    runtime.requireMain()
    selectedRow = row
    return row.map { images[$0] }
  }
}
