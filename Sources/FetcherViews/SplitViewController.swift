import EventBus
public import FetcherModel

/// The list and the picture page, side by side if there is room. Otherwise, only one of them is visible.
///
/// In the collapsed layout, the list is visible only while the picture page has no picture.
@MainActor public final class SplitViewController {
  /// The layout that fits the available space.
  public enum Layout: Sendable {
    /// There is room for both pages.
    case sideBySide
    /// There is room for only one page at a time.
    case collapsed
  }

  /// The two pages.
  public enum Page: Sendable {
    /// The list of images.
    case list
    /// The page that shows the selected picture.
    case picture
  }

  /// The list of images.
  public let list: ListViewController
  /// The picture page.
  public let detail: ImageViewController
  /// The visible pages, from left to right.
  public private(set) var visiblePages: [Page] = []
  private var layout: Layout
  private var isVisible = false
  private let runtime: any Runtime

  /// Creates a controller that combines the two pages.
  public init(
    _ list: ListViewController, _ detail: ImageViewController, layout: Layout, in environment: FetchEnvironment
  ) {
    self.list = list
    self.detail = detail
    self.layout = layout
    runtime = environment.runtime
  }

  /// Call this method when the split view appears.
  public func viewWillAppear() {
    runtime.requireMain()
    isVisible = true
    arrange()
  }

  /// Call this method when the split view disappears.
  public func viewWillDisappear() {
    runtime.requireMain()
    isVisible = false
    arrange()
  }

  /// Adapts the pages to a rotated or resized window.
  public func setLayout(_ layout: Layout) {
    runtime.requireMain()
    self.layout = layout
    arrange()
  }

  /// Handles a tap on a row by showing the row's picture on the picture page.
  public func select(_ row: Int) {
    runtime.requireMain()
    detail.show(list.select(row))
    arrange()
  }

  /// Returns to the list and removes the picture from the picture page.
  public func goBack() {
    runtime.requireMain()
    list.select(nil)
    // Hide the picture page first, so that it does not draw an empty page.
    if layout == .collapsed { replacePages(with: visiblePages.filter { $0 != .picture }) }
    detail.show(nil)
    arrange()
  }

  private func arrange() {
    switch (isVisible, layout) {
    case (false, _): replacePages(with: [])
    case (true, .sideBySide): replacePages(with: [.list, .picture])
    case (true, .collapsed): replacePages(with: detail.image != nil ? [.picture] : [.list])
    }
  }

  private func replacePages(with new: [Page]) {
    let old = visiblePages
    visiblePages = new
    for page in old where !new.contains(page) { disappear(page) }
    for page in new where !old.contains(page) { appear(page) }
  }

  private func appear(_ page: Page) {
    switch page {
    case .list: list.viewWillAppear()
    case .picture: detail.viewWillAppear()
    }
  }

  private func disappear(_ page: Page) {
    switch page {
    case .list: list.viewWillDisappear()
    case .picture: detail.viewWillDisappear()
    }
  }
}
